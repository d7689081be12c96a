"""Works through the cells of a sweep, one fresh process each, in rounds of mixed order."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from statistics import median
from time import monotonic

from inspector.analysis.measured.sweep_results import done as done
from inspector.analysis.measured.sweep_results import finalists
from inspector.analysis.measured.sweep_results import left as left
from inspector.backends import base
from inspector.errors import BadInput, Cancelled, InspectorError
from inspector.experiments.subjects import Measure
from inspector.report.report import PerformanceReport
from inspector.report.sweep import FINALIST_COUNT, CellIndex, CellState, Round, Sweep
from inspector.units import clip


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

    def measured(self) -> None:
        """Record the end of one more measurement."""
        now = self._clock()
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
        return sweep.failed(place, sentence(error))
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
    )


def sentence(error: InspectorError) -> str:
    """A failure in one sentence."""
    return clip(f"{error.what}: {error.why}." if error.why else f"{error.what}.")


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
