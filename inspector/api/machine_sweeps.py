"""A sweep over machines: an engine on each of them, and measurements on all at once."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

from inspector.app import runner, subjects
from inspector.app.subjects import LengthGuesses, Subject
from inspector.backends.values import Progress
from inspector.engine.client.engine_process import EngineProcess
from inspector.platform.work_limits import Limits
from inspector.remote.machines import Target
from inspector.remote.remote_engine import RemoteEngine
from inspector.report.sweep import MACHINE, CellIndex, Sweep

_MOST_AT_ONCE = 64  # measurements, of a label that many devices of a lab have

Placed = tuple[int, EngineProcess]
"""An engine, and the place of its machine on the axis "machine"."""


@contextmanager
def engines(
    targets: Sequence[Target],
    show: Callable[[Progress], None] = lambda _: None,
    limits: Limits | None = None,
) -> Iterator[list[Placed]]:
    """Give the engines to the block: one here, or one on each machine, and close them.

    A label of a lab has one for each device that answers. Raises InspectorError.
    """
    with ExitStack() as stack:
        if not targets:
            yield [(0, stack.enter_context(EngineProcess(show, limits)))]
            return
        yield [
            (place, stack.enter_context(target.engine(show, limits)))
            for place, target in enumerate(targets)
            for _ in range(min(_MOST_AT_ONCE, target.width()))
        ]


def steps(
    planned: Sweep,
    found: Sequence[Placed],
    models: Sequence[Subject],
    guesses: LengthGuesses,
    begun: Callable[[Sweep, CellIndex], None],
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[Sweep]:
    """Yield the sweep after each measurement, on one machine or on all at once."""
    if all(axis.name != MACHINE for axis in planned.axes):
        measure = subjects.measure_function(found[0][1], models, guesses)
        return runner.run(planned, measure, stopped, begun)
    measures: list[list[runner.Elsewhere]] = [[] for _ in range(found[-1][0] + 1)]
    for place, engine in found:
        assert isinstance(engine, RemoteEngine), "several engines are on other machines"
        measure = subjects.measure_function(engine, models, layers=True)
        measures[place].append((measure, engine.place))

    def stop() -> None:
        for _, engine in found:
            engine.kill()

    return runner.run_at_once(planned, measures, stop, stopped, begun)
