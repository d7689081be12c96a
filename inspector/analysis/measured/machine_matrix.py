"""Models on machines as a table: what each cell shows while they are measured, and after.

It follows from the sweep, and from what the machines say about the cells that they work on.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from statistics import median

from msgspec import Struct

from inspector import units
from inspector.analysis.measured import sweep_results
from inspector.report.sweep import LOST, REFUSED, Cell, CellIndex, CellState, Sweep


class CellStatus(StrEnum):
    """What is known of a cell."""

    MEASURED = "measured"
    PARTIAL = "partial"  # measured, and the device does not support some of the layers
    MEASURING = "measuring"
    UNREACHABLE = "unreachable"  # the machine that measures it does not answer now
    QUEUED = "queued"  # for its turn, or behind another measurement on the same machine
    FAILED = "failed"
    REFUSED = "refused"
    LOST = "lost"
    OPEN = "not measured"


MEASURED = (CellStatus.MEASURED, CellStatus.PARTIAL)


class Activity(Struct, frozen=True):
    """What a machine says about the cell that it works on.

    step: as in Progress. done: share of the step, negative if unknown. samples_ns: runs so far.
    part: what it waits for, in words.
    """

    step: str = ""
    done: float = -1.0
    samples_ns: tuple[int, ...] = ()
    part: str = ""


Activities = Mapping[CellIndex, Activity]


class Metric(Struct, frozen=True):
    """A number of a measured cell. value: None where it is not known.

    format: returns the number and its unit as text. ranked: whether the least value of a model
    is marked as its best.
    """

    id: str
    title: str
    value: Callable[[Cell], float | None]
    format: Callable[[float], tuple[str, str]]
    ranked: bool = True

    def parts(self, cell: Cell) -> tuple[str, str]:
        """Return the number of a cell and its unit as text; both empty if it is not known."""
        value = self.value(cell)
        if self is LAYERS and value is not None:
            supported, known = layer_support(cell)
            return f"{supported:,} of {known:,}", ""
        return ("", "") if value is None else self.format(value)

    def text(self, cell: Cell) -> str:
        """Return the number of a cell with its unit; empty where it is not known."""
        return " ".join(filter(None, self.parts(cell)))


def _p95(cell: Cell) -> float | None:
    numbers = sweep_results.numbers(cell)
    return numbers.p95_ns if numbers is not None and numbers.has_p95 else None


def peak_memory(cell: Cell) -> int | None:
    """Return the peak memory of the model, as tables of sweeps show it; None if unknown."""
    return cell.rounds[0].model_bytes if cell.rounds else None


def _load(cell: Cell) -> float | None:
    return median(each.load_ns for each in cell.rounds) if cell.rounds else None


def layer_support(cell: Cell) -> tuple[int, int]:
    """Return how many layers the device supports, and of how many that is known; 0, 0: none."""
    found = (each for each in cell.rounds if each.known_layers)
    first = next(found, None)
    return (0, 0) if first is None else (first.supported_layers, first.known_layers)


def partly_supported(cell: Cell) -> bool:
    """Return whether the device is known not to support some of the layers."""
    supported, known = layer_support(cell)
    return supported < known


def _supported_share(cell: Cell) -> float | None:
    supported, known = layer_support(cell)
    return supported / known if known else None


LAYERS = Metric(
    "layers", "Layers supported", _supported_share, lambda share: (f"{share:.0%}", ""), False
)
METRICS = (
    Metric("p50", "p50", sweep_results.median_ns, units.duration_parts),
    Metric("p95", "p95", _p95, units.duration_parts),
    Metric("memory", "Peak model memory", peak_memory, units.size_parts),
    Metric("load", "Load time", _load, units.duration_parts),
    LAYERS,
)


def status(
    sweep: Sweep, cell: Cell, activities: Activities, running: bool = False
) -> CellStatus:
    """Return what is known of a cell. running: whether the sweep goes on."""
    activity = activities.get(cell.at)
    if running and activity is not None and cell.state is CellState.PENDING:
        here = {"waiting": CellStatus.QUEUED, "offline": CellStatus.UNREACHABLE}
        return here.get(activity.step, CellStatus.MEASURING)
    if cell.state is CellState.FAILED:
        kinds = {LOST: CellStatus.LOST, REFUSED: CellStatus.REFUSED}
        return kinds.get(cell.failure, CellStatus.FAILED)
    if len(cell.rounds) >= sweep.rounds or (cell.rounds and not running):
        return CellStatus.PARTIAL if partly_supported(cell) else CellStatus.MEASURED
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
    best_cells: dict[CellIndex, bool] = {}
    for number in range(len(sweep.models) if metric.ranked else 0):
        cells = [cell for cell in sweep.cells if sweep.model_of(cell) == number]
        values = {cell.at: value for cell in cells if (value := metric.value(cell)) is not None}
        still_open = any(c.state is CellState.PENDING and not c.rounds for c in cells)
        if still_open or len(values) < 2:
            continue
        best = min(values, key=values.__getitem__)
        best_cells[best] = True
        if metric.id == "p50":
            ties = (c.at for c in cells if c.at in values and _meets(c, sweep.by_place[best]))
            best_cells |= {at: False for at in ties if at != best}
    return best_cells


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
    optimal: list[CellIndex] = []
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
            optimal += [] if beaten else [at]
    return tuple(optimal)
