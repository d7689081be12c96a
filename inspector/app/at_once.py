"""One model measured on several machines at once."""

from collections.abc import Generator, Sequence
from threading import Thread
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from inspector.app.measure import Setup, measure_or_tell
from inspector.backends.values import Progress
from inspector.errors import Cancelled, InspectorError
from inspector.report.report import PerformanceReport

if TYPE_CHECKING:
    from inspector.remote.machines import Target  # loads what connects to machines, 60 ms

_LOOK_SECONDS = 0.2  # between two looks at what the machines do
_STOP_SECONDS = 2.0  # for a machine to hear that its job is stopped


class MachineRow(Struct):
    """One machine: its report or why there is none; until then, what it does now.

    failed: what says so, in place of a report that has times.
    """

    target: "Target"
    report: PerformanceReport | None = None
    problem: InspectorError | None = None
    failed: PerformanceReport | None = None
    step: Progress | None = None


def measured_at_once(
    setup: Setup, rows: Sequence[MachineRow], wait: bool = True
) -> Generator[None]:
    """Measure a model on the machine of each row, whose fields are filled in meanwhile.

    Yields a few times a second until all have ended; whoever asks no more stops them. Raises
    Cancelled: one was stopped.
    """
    there = [replace(setup, on=row.target, started=[]) for row in rows]

    def work(row: MachineRow, own: Setup) -> None:
        def show(step: Progress) -> None:
            row.step = step

        def keep(failed: PerformanceReport) -> None:
            row.failed = failed

        try:
            with own.engine(show) as engine:
                measured, report = measure_or_tell(engine, own, keep, wait)
            row.report = measured.with_advice(report)
        except InspectorError as error:
            row.problem = error
        row.step = None

    threads = [
        Thread(target=work, args=pair, daemon=True) for pair in zip(rows, there, strict=True)
    ]
    for thread in threads:
        thread.start()
    try:
        while any(thread.is_alive() for thread in threads):
            for thread in threads:
                thread.join(_LOOK_SECONDS / len(threads))
            yield
    except BaseException:
        for own in there:
            own.cancel()
        for thread in threads:
            thread.join(_STOP_SECONDS)
        raise
    if any(isinstance(row.problem, Cancelled) for row in rows):
        raise Cancelled("Stopped")
