"""Works through the cells of a sweep, one fresh process each, in rounds of mixed order."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from queue import Empty, Queue
from statistics import median
from threading import Thread
from time import monotonic

from inspector.analysis.devices.support_summary import layer_counts
from inspector.analysis.measured.sweep_results import done as done
from inspector.analysis.measured.sweep_results import finalists
from inspector.analysis.measured.sweep_results import left as left
from inspector.app.measurements import Measure
from inspector.backends import base
from inspector.errors import BadInput, Cancelled, InspectorError
from inspector.report.report import PerformanceReport
from inspector.report.sweep import (
    FINALIST_COUNT,
    LOST,
    REFUSED,
    CellIndex,
    CellState,
    Round,
    Sweep,
)
from inspector.units import clip

_UNREACHABLE = "connection"  # the phase of an error about a machine that does not answer
_LOOK_SECONDS = 0.1  # between two looks at whether a sweep on several machines is stopped


def run(
    sweep: Sweep,
    measure: Measure,
    stopped: Callable[[], bool] = lambda: False,
    begun: Callable[[Sweep, CellIndex], None] = lambda sweep, place: None,
) -> Iterator[Sweep]:
    """Measure what is left; yields the sweep after each measurement.

    A cell that fails says why, and the others go on. begun: hears which cell is measured next.
    Raises Cancelled: `stopped`, or the engine was; what was yielded before is whole and can be
    taken up again.
    """
    for place in sweep.order():
        if sweep.by_place[place].state is CellState.PENDING:
            begun(sweep, place)
            sweep = _measured(sweep, place, measure, stopped)
            yield sweep
    for place in sweep.last_order(finalists(sweep)):
        if sweep.by_place[place].state is CellState.DONE:
            begun(sweep, place)
            sweep = _measured(sweep, place, measure, stopped)
            yield sweep


Elsewhere = tuple[Measure, Callable[[], str]]


def run_at_once(
    sweep: Sweep,
    measures: Sequence[Sequence[Elsewhere]],
    stop: Callable[[], None],
    stopped: Callable[[], bool] = lambda: False,
    begun: Callable[[Sweep, CellIndex], None] = lambda sweep, place: None,
) -> Iterator[Sweep]:
    """Measure what is left on several machines at once; yields as `run` does.

    measures: for each value of the axis "machine", what measures there, and what then says on
    which machine it was; several where the value stands for several machines. stop: ends what
    is measured now. The machines wait for each other
    before the finalists are confirmed. Raises Cancelled.
    """
    try:
        for phase in (sweep.order, None):
            places = phase() if phase else sweep.last_order(finalists(sweep))
            queues: list[deque[CellIndex]] = [deque() for _ in measures]
            for place in places:
                queues[sweep.machine_of(sweep.by_place[place])].append(place)
            yield from (steps := _AtOnce(sweep, queues, measures, begun)).run(stopped)
            sweep = steps.sweep
    except BaseException:
        stop()
        raise


_Result = tuple[PerformanceReport, str]


class _AtOnce:
    """One pass over cells: a thread for each of `measures`, which takes from its queue."""

    def __init__(
        self,
        sweep: Sweep,
        queues: Sequence[deque[CellIndex]],
        measures: Sequence[Sequence[Elsewhere]],
        begun: Callable[[Sweep, CellIndex], None],
    ) -> None:
        self.sweep, self._queues, self._begun = sweep, queues, begun
        self._ended: Queue[tuple[int, CellIndex, _Result | BaseException | None]] = Queue()
        self._failed: set[CellIndex] = set()
        self._threads = [
            Thread(target=self._work, args=(number, *one), daemon=True)
            for number, several in enumerate(measures)
            for one in several
        ]

    def run(self, stopped: Callable[[], bool]) -> Iterator[Sweep]:
        """Yield the sweep after each measurement. Raises what a measurement raised."""
        for thread in self._threads:
            thread.start()
        working = len(self._threads)
        while working:
            if stopped():
                raise Cancelled("The sweep was stopped")
            try:
                machine, place, result = self._ended.get(timeout=_LOOK_SECONDS)
            except Empty:
                continue
            if result is None:
                working -= 1
            elif isinstance(result, tuple):
                self.sweep = _placed(self.sweep, machine, place, *result)
                yield self.sweep
            elif isinstance(result, InspectorError) and not isinstance(result, Cancelled):
                self.sweep = self.sweep.failed(place, sentence(result), failure(result))
                yield self.sweep
            else:
                raise result

    def _work(self, machine: int, measure: Measure, where: Callable[[], str]) -> None:
        while True:
            try:
                place = self._queues[machine].popleft()
            except IndexError:
                self._ended.put((machine, (), None))
                return
            if place in self._failed:
                continue
            cell = self.sweep.by_place[place]
            self._begun(self.sweep, place)
            try:
                report = measure(self.sweep.model_of(cell), self.sweep.spec_of(cell))
                self._ended.put((machine, place, (report, where())))
            except BaseException as error:  # noqa: BLE001
                self._failed.add(place)
                self._ended.put((machine, place, error))
                if isinstance(error, InspectorError) and error.phase == _UNREACHABLE:
                    self._lose(machine, error)

    def _lose(self, machine: int, error: InspectorError) -> None:
        """End what waits for a machine that went away, which is not waited for again."""
        left = self._queues[machine]
        with suppress(IndexError):  # another thread may take some of them
            while True:
                self._failed.add(place := left.popleft())
                self._ended.put((machine, place, error))


def _placed(
    sweep: Sweep, machine: int, place: CellIndex, report: PerformanceReport, where: str
) -> Sweep:
    """The sweep with a measurement of a machine, and what that machine is."""
    known = list(sweep.environments or (None,) * (machine + 1))
    known += [None] * (machine + 1 - len(known))
    known[machine] = known[machine] or report.environment
    measured = replace(round_of(report), where=where)
    return replace(_dated(sweep, report), environments=tuple(known)).measured(place, measured)


def planned(cells: int, rounds: int, confirm: int, models: int = 1) -> int:
    """Return the number of measurements of a sweep of so many cells, confirmation included."""
    return cells * rounds + confirm * models * min(FINALIST_COUNT, cells // models)


class TimeLeft:
    """Estimates what the rest of a sweep takes, from what its measurements took so far.

    clock: tells seconds; one that stands while other measurements are waited for makes these
    no part of the estimate.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._began = clock, clock()
        self._seconds: list[float] = []
        self._rounds = 0

    def measured(self, sweep: Sweep) -> None:
        """Record the end of one more measurement; one that failed is no estimate for others."""
        now, before = self._clock(), self._rounds
        self._rounds = sum(len(cell.rounds) for cell in sweep.cells)
        if self._rounds != before:
            self._seconds.append(now - self._began)
            self._began = now

    def seconds(self, count: int) -> float | None:
        """Return the estimated time of so many more measurements; None before the first ended.

        By the median: one that compiled, or was held up, does not stand for the others.
        """
        return count * median(self._seconds) if self._seconds else None


def _measured(
    sweep: Sweep, place: CellIndex, measure: Measure, stopped: Callable[[], bool]
) -> Sweep:
    """The sweep after one more measurement, or with the reason why there is none."""
    if stopped():
        raise Cancelled("The sweep was stopped")
    cell = sweep.by_place[place]
    try:
        report = measure(sweep.model_of(cell), sweep.spec_of(cell))
    except Cancelled:
        raise
    except InspectorError as error:
        return sweep.failed(place, sentence(error), failure(error))
    return _dated(sweep, report).measured(place, round_of(report))


def round_of(report: PerformanceReport) -> Round:
    """Return the part of a measurement that a sweep stores."""
    around, counted = report.surroundings, report.full_speed_predictions
    return Round(
        report.load_ns,
        report.first_prediction_ns,
        counted.samples_ns,
        report.memory.model_bytes,
        report.throughput,
        around.stolen,
        around.others,
        counted.enough,
        counted.at_full_speed,
        "",
        *layer_counts(report),
    )


def sentence(error: InspectorError) -> str:
    """A failure in one sentence."""
    return clip(f"{error.what}: {error.why}." if error.why else f"{error.what}.")


def failure(error: InspectorError) -> str:
    """Return how a measurement failed, as `Cell.failure` has it."""
    return {_UNREACHABLE: LOST, "lost": LOST, "job": REFUSED}.get(error.phase, "")


def check(sweep: Sweep) -> None:
    """Check the sweep. Raises BadInput: nothing to measure, too many threads."""
    open_cells = [cell for cell in sweep.cells if cell.state is not CellState.SKIPPED]
    if not open_cells:
        raise BadInput("Could not start the sweep", "every combination is excluded")
    base.check_thread_count(*map(sweep.spec_of, open_cells))


def _dated(sweep: Sweep, report: PerformanceReport) -> Sweep:
    if sweep.created:
        return sweep
    return replace(sweep, created=report.created, environment=report.environment)
