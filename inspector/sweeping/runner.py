"""Works through the cells of a sweep, one fresh process each, in rounds of mixed order."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from inspector.analysis.sweeps import finalists
from inspector.engine.sessions import crowding
from inspector.errors import BadInput, Cancelled, InspectorError
from inspector.report import PerformanceReport
from inspector.sweep import FINALISTS, Place, Round, State, Sweep
from inspector.sweeping.subjects import Measure
from inspector.units import clip


def run(
    sweep: Sweep, measure: Measure, stopped: Callable[[], bool] = lambda: False
) -> Iterator[Sweep]:
    """Measure what is left; yields the sweep after each measurement.

    A cell that fails says why, and the others go on. Raises Cancelled: `stopped`, or the
    engine was; what was yielded before is whole and can be taken up again.
    """
    for place in sweep.order():
        if sweep.by_place[place].state is State.PENDING:
            sweep = _measured(sweep, place, measure, stopped)
            yield sweep
    for place in sweep.last_order(finalists(sweep)):
        if sweep.by_place[place].state is State.DONE:
            sweep = _measured(sweep, place, measure, stopped)
            yield sweep


def left(sweep: Sweep) -> int:
    """How many measurements are left, those of a last match included."""
    again = len(sweep.last_order(finalists(sweep)))
    if sweep.order():
        best = FINALISTS * len(sweep.models)
        again = sweep.confirm * min(best, len(sweep.cells))
    return len(sweep.order()) + again


def _measured(
    sweep: Sweep, place: Place, measure: Measure, stopped: Callable[[], bool]
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
    """What a sweep keeps of a measurement."""
    around = report.surroundings
    return Round(
        report.load_ns,
        report.first_prediction_ns,
        report.paced.samples_ns,
        report.memory.model_bytes,
        report.throughput,
        around.stolen,
        around.others,
        report.paced.enough,
    )


def sentence(error: InspectorError) -> str:
    """A failure in one sentence."""
    return clip(f"{error.what}: {error.why}." if error.why else f"{error.what}.")


def check(sweep: Sweep) -> None:
    """Raises BadInput: it leaves nothing to measure, or asks for too many threads."""
    wanted = [cell for cell in sweep.cells if cell.state is not State.SKIPPED]
    if not wanted:
        raise BadInput("Could not sweep", "every cell is left out")
    crowding.check(*map(sweep.spec_of, wanted))


def _dated(sweep: Sweep, report: PerformanceReport) -> Sweep:
    if sweep.created:
        return sweep
    return replace(sweep, created=report.created, environment=report.environment)
