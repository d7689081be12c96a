"""Models on machines as a table: what each cell shows while they are measured, and after.

It follows from the sweep, and from what the machines say about the cells that they work on.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from inspector import units
from inspector.analysis.measured import sweep_results
from inspector.report.sweep import LOST, REFUSED, Cell, CellIndex, CellState, Sweep


class CellStatus(StrEnum):
    """What is known of a cell."""

    MEASURED = "measured"
    MEASURING = "measuring"
    WAITING = "waiting"  # for another measurement on the same machine
    OFFLINE = "offline"  # the machine that measures it does not answer now
    QUEUED = "queued"
    FAILED = "failed"
    REFUSED = "refused"
    LOST = "lost"
    OPEN = "not measured"


@dataclass(frozen=True, slots=True)
class Activity:
    """What a machine says about the cell that it works on.

    step: as in Progress. done: share of the step, negative if unknown. samples_ns: runs so far.
    part: what it waits for, in words.
    """

    step: str = ""
    done: float = -1.0
    samples_ns: tuple[int, ...] = ()
    part: str = ""


Activities = Mapping[CellIndex, Activity]


@dataclass(frozen=True, slots=True)
class Metric:
    """A number of a measured cell. value: None where it is not known; less is better."""

    id: str
    title: str
    value: Callable[[Cell], float | None]
    parts: Callable[[float], tuple[str, str]]

    def text(self, value: float) -> str:
        """Return a value with its unit."""
        return " ".join(filter(None, self.parts(value)))


def _p95(cell: Cell) -> float | None:
    numbers = sweep_results.numbers(cell)
    return numbers.p95_ns if numbers is not None and numbers.has_p95 else None


def peak_memory(cell: Cell) -> int | None:
    """Return the peak memory of the model, as tables of sweeps show it; None if unknown."""
    return cell.rounds[0].model_bytes if cell.rounds else None


def _load(cell: Cell) -> float | None:
    return median(each.load_ns for each in cell.rounds) if cell.rounds else None


METRICS = (
    Metric("p50", "p50", sweep_results.median_ns, units.duration_parts),
    Metric("p95", "p95", _p95, units.duration_parts),
    Metric("memory", "Peak model memory", peak_memory, units.size_parts),
    Metric("load", "Load time", _load, units.duration_parts),
)


def status(
    sweep: Sweep, cell: Cell, activities: Activities, running: bool = False
) -> CellStatus:
    """Return what is known of a cell. running: whether the sweep goes on."""
    activity = activities.get(cell.at)
    if running and activity is not None and cell.state is CellState.PENDING:
        if activity.step in ("waiting", "offline"):
            return CellStatus(activity.step)
        return CellStatus.MEASURING
    if cell.state is CellState.FAILED:
        kinds = {LOST: CellStatus.LOST, REFUSED: CellStatus.REFUSED}
        return kinds.get(cell.failure, CellStatus.FAILED)
    if len(cell.rounds) >= sweep.rounds or (cell.rounds and not running):
        return CellStatus.MEASURED
    return CellStatus.QUEUED if running else CellStatus.OPEN


def interval(cell: Cell) -> tuple[float, float] | None:
    """Return the 95% interval of the median; None with too few runs."""
    return sweep_results.median_interval(cell)


def fastest(sweep: Sweep, metric: Metric) -> dict[CellIndex, bool]:
    """Return the best cells of each model: True for the least value, False for a tie with it.

    A tie is a median whose 95% interval meets that of the least one. A model has none as long
    as one of its cells may still be measured for the first time, or where only one cell has a
    value: nothing was compared then.
    """
    found: dict[CellIndex, bool] = {}
    for number in range(len(sweep.models)):
        cells = [cell for cell in sweep.cells if sweep.model_of(cell) == number]
        values = {cell.at: value for cell in cells if (value := metric.value(cell)) is not None}
        still_open = any(c.state is CellState.PENDING and not c.rounds for c in cells)
        if still_open or len(values) < 2:
            continue
        best = min(values, key=values.__getitem__)
        found[best] = True
        if metric.id == "p50":
            ties = (c.at for c in cells if c.at in values and _meets(c, sweep.by_place[best]))
            found |= {at: False for at in ties if at != best}
    return found


def _meets(one: Cell, other: Cell) -> bool:
    first, second = interval(one), interval(other)
    if first is None or second is None:
        return False
    return first[0] <= second[1] and second[0] <= first[1]


def front(sweep: Sweep) -> tuple[CellIndex, ...]:
    """Return the Pareto front of each model: its cells that no other one beats.

    Another cell of the model beats one if it is not slower, takes no more memory, and is better
    in one of both.
    """
    found: list[CellIndex] = []
    for number in range(len(sweep.models)):
        known = [
            (cell.at, time, memory)
            for cell in sweep.cells
            if sweep.model_of(cell) == number
            and (time := sweep_results.median_ns(cell)) is not None
            and (memory := peak_memory(cell)) is not None
        ]
        for at, time, memory in known:
            beaten = any(
                t <= time and m <= memory and (t < time or m < memory) for _, t, m in known
            )
            found += [] if beaten else [at]
    return tuple(found)
