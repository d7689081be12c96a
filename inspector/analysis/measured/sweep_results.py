"""Results of a sweep: numbers of each cell, the best one, gains, and the Pareto front."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain

import numpy as np
from msgspec import Struct

from inspector import units
from inspector.analysis.measured.latency import AT_FULL_SPEED, TAILS_OF
from inspector.analysis.measured.sample_statistics import Statistics, statistics
from inspector.analysis.verdicts.outputs import label as verdict_label
from inspector.report.output_verdict import (
    DEGRADED,
    DESTROYED,
    SAME,
    UNDECIDED,
    WITHIN,
    OutputVerdict,
)
from inspector.report.report import Throughput
from inspector.report.run_spec import RunSpec
from inspector.report.sweep import (
    BUSY_CORES,
    FINALIST_COUNT,
    MACHINE,
    MODEL,
    Cell,
    CellIndex,
    CellState,
    Round,
    Sweep,
    full_speed_rounds,
)
from inspector.statistics.intervals import MIN_P95_SAMPLES, student_t_95
from inspector.statistics.process_starts import START_SPREAD, shrunk_variance
from inspector.statistics.significance import RatioVerdict, Verdict, verdict_for_interval
from inspector.wording.values import Count, Sentence, counted

LEAST_STARTS = 4
MACHINE_DRIFT = 0.05  # relative difference from which machines are named, and changes of one
_REMEMBERED = 8192  # a window asks the same of every cell after each measurement
# Levels of verdicts from the worst, None for unknown outputs. One input proves no model right
# or wrong: those that are undecided come before those that are known to be worse.
_RANKS = (None, DESTROYED, DEGRADED, UNDECIDED, WITHIN, SAME)


class Gain(Struct, frozen=True):
    """Median prediction of one over that of the first, with a 95% interval.

    starts: processes on each side that had their say. low, high: None with too few of them.
    """

    ratio: float
    low: float | None
    high: float | None
    starts: int
    verdict: Verdict


def gain(first: Sequence[Sequence[int]], other: Sequence[Sequence[int]]) -> Gain:
    """Return the gain of some settings over the first, process by process.

    first, other: samples in nanoseconds, one sequence for each start of a process, taken in
    turns. The interval is Student's t over the log ratios of starts that followed each other,
    since starts differ by more than their samples show. Few that happen to agree are not
    believed to (see `shrunk_variance`).
    """
    starts = min(len(first), len(other))
    if not starts or not all(map(len, (*first, *other))):
        return Gain(1.0, None, None, 0, Verdict.UNDECIDED)
    medians = [np.log([np.median(own) for own in each[:starts]]) for each in (first, other)]
    logs = medians[1] - medians[0]
    ratio = float(np.exp(np.mean(logs)))
    if starts < LEAST_STARTS:
        return Gain(ratio, None, None, starts, Verdict.UNDECIDED)
    prior = 2**0.5 * START_SPREAD  # of a difference of two starts
    variance = float(shrunk_variance(np.var(logs, ddof=1), starts - 1, prior))
    half = student_t_95(starts - 1) * (variance / starts) ** 0.5
    low, high = (float(ratio * np.exp(sign * half)) for sign in (-1, 1))
    return Gain(ratio, low, high, starts, verdict_for_interval(ratio, low, high).verdict)


def gain_of(first: Sequence[Round], other: Sequence[Round]) -> Gain:
    """Return the gain of rounds, of predictions that were chosen in the same way on both sides.

    Rounds at full CPU speed count where both sides have some, all rounds where neither has any.
    Undecided where only one side has: a slower processor would pass for slower settings.
    """
    full = tuple(tuple(each for each in rounds if each.full) for rounds in (first, other))
    if any(full) and not all(full):
        return Gain(1.0, None, None, 0, Verdict.PACE)
    sides = full if all(full) else (first, other)
    one, two = ([each.prediction_ns for each in rounds] for rounds in sides)
    return gain(one, two)


class Spread(Struct, frozen=True):
    """The spread of a cell's runs. ratio: p95 over p5."""

    p5_ns: float
    p95_ns: float

    @property
    def ratio(self) -> float:
        """1 for predictions that all take the same time."""
        return self.p95_ns / self.p5_ns if self.p5_ns else 1.0


def samples(cell: Cell) -> tuple[int, ...]:
    """Return the latency samples of a cell at full CPU speed, or all if there are none."""
    return tuple(
        chain.from_iterable(each.prediction_ns for each in full_speed_rounds(cell.rounds))
    )


def latency_kind(cell: Cell) -> str:
    """Return which runs the statistics of a cell are from, by the same rule as for reports.

    "at full CPU speed", "of all runs", or "" where nothing was measured or a file of an earlier
    version does not say it.
    """
    kinds = {each.full and each.at_full_speed for each in full_speed_rounds(cell.rounds)}
    if not kinds or None in kinds:
        return ""
    return AT_FULL_SPEED if kinds == {True} else TAILS_OF


def common_kind(sweep: Sweep) -> str:
    """Return the latency_kind that all measured cells share; "" where they differ."""
    kinds = {latency_kind(cell) for cell in sweep.cells if cell.rounds}
    return kinds.pop() if len(kinds) == 1 else ""


@lru_cache(_REMEMBERED)
def numbers(cell: Cell) -> Statistics | None:
    """All statistics of a cell; None where nothing was measured.

    The interval of the median is that over starts of the process, if there are enough.
    """
    lengths = [len(each.prediction_ns) for each in full_speed_rounds(cell.rounds)]
    return statistics(samples(cell), lengths)


@lru_cache(_REMEMBERED)
def median_ns(cell: Cell) -> float | None:
    """The middle prediction of a cell; None where nothing was measured."""
    times_ns = samples(cell)
    return float(np.median(times_ns)) if times_ns else None


def median_interval(cell: Cell) -> tuple[float, float] | None:
    """95% interval of the median in nanoseconds; None with too few runs."""
    own = numbers(cell)
    if own is None or own.median_low_ns is None or own.median_high_ns is None:
        return None
    return own.median_low_ns, own.median_high_ns


@lru_cache(_REMEMBERED)
def spread(cell: Cell) -> Spread | None:
    """Return the 5th and the 95th percentile of a cell's runs; None of too few runs."""
    times_ns = samples(cell)
    if len(times_ns) < MIN_P95_SAMPLES:
        return None
    low, high = np.quantile(times_ns, (0.05, 0.95))
    return Spread(float(low), float(high))


def best(sweep: Sweep, cells: Iterable[Cell] | None = None) -> Cell | None:
    """Return the cell with the least median, of all or of some.

    Where some were measured again in a last match, it is one of them. None as long as one of
    them was not measured at all: the best of those at hand says nothing about the others.
    Cells with a busy core count only where there are no others.
    """
    cell_list = list(sweep.cells if cells is None else cells)
    undisturbed = [cell for cell in cell_list if not sweep.has_added_load(cell)]
    cell_list = undisturbed or cell_list
    if any(cell.state is CellState.PENDING and not cell.rounds for cell in cell_list):
        return None
    again = [cell for cell in cell_list if len(cell.rounds) > sweep.rounds]
    ranked = _ranked(again or cell_list)
    return ranked[0] if ranked else None


def finalists(sweep: Sweep) -> tuple[CellIndex, ...]:
    """The best cells of each model, for a last match; by their first rounds alone.

    Not those with a busy core: such a load is nothing to choose.
    """
    indices: list[CellIndex] = []
    for number in range(len(sweep.models)):
        own_cells = [
            replace(cell, rounds=cell.rounds[: sweep.rounds])
            for cell in sweep.cells
            if sweep.model_of(cell) == number
            and cell.state is CellState.DONE
            and not sweep.has_added_load(cell)
        ]
        indices += [cell.at for cell in _ranked(own_cells)[:FINALIST_COUNT]]
    return tuple(indices)


def left(sweep: Sweep) -> int:
    """Return how many measurements are left, those of a last match included.

    It gets less by more than one where a cell fails: its other rounds are not measured.
    """
    if not sweep.order():
        return len(sweep.last_order(finalists(sweep)))
    alive = (CellState.PENDING, CellState.DONE)
    models = [
        sweep.model_of(cell)
        for cell in sweep.cells
        if cell.state in alive and not sweep.has_added_load(cell)
    ]
    best = sum(min(FINALIST_COUNT, models.count(number)) for number in set(models))
    return len(sweep.order()) + sweep.confirm * best


def done(sweep: Sweep) -> int:
    """Return how many measurements were made, those that failed included."""
    failed = sum(cell.state is CellState.FAILED for cell in sweep.cells)
    return failed + sum(len(cell.rounds) for cell in sweep.cells)


def early_end(sweep: Sweep) -> str:
    """Return a sentence on an incomplete sweep: how far it is, and whether a best is known."""
    rest = left(sweep)
    if not rest:
        return ""
    number = done(sweep)
    message = Sentence(
        "Incomplete: {number} of {value} measurements done.",
        Count(number),
        Count(number + rest),
    )
    if best(sweep) is not None:
        return Sentence("{message} The fastest combination so far may change.", message)
    return Sentence(
        "{message} The fastest combination will be shown once all of them have been measured.",
        message,
    )


def gain_text(gain: Gain) -> str:
    """Return a gain over the default settings as text: '12.0% less time than with ...'."""
    if gain.verdict is Verdict.PACE:
        return (
            "Inconclusive: the CPU was below full speed while one of the two settings was "
            "measured, so the gain over the default settings is unknown."
        )
    if gain.low is None or gain.high is None:
        processes = counted(gain.starts, "process")
        return Sentence(
            "Inconclusive: {processes} measured, but {least_starts} are required to compare "
            "with the default settings (--processes {least_starts2}).",
            processes,
            LEAST_STARTS,
            LEAST_STARTS,
        )
    between = f"95% CI: {units.time_change_range(gain.low, gain.high)}"
    if gain.verdict not in (Verdict.FASTER, Verdict.SLOWER):
        verdict = RatioVerdict(gain.verdict, gain.ratio, gain.low, gain.high)
        return Sentence(
            "{label} from the default settings ({between}).",
            units.capitalized(verdict.label),
            between,
        )
    change = units.time_change(gain.ratio)
    change = f"{change} as long as" if change.endswith("times") else f"{change} time than"
    return Sentence("{change} with the default settings ({between}).", change, between)


def _ranked(cells: Iterable[Cell]) -> list[Cell]:
    measured = [(middle, cell) for cell in cells if (middle := median_ns(cell)) is not None]
    return [cell for _, cell in sorted(measured, key=lambda pair: pair[0])]


def default(sweep: Sweep, cell: Cell) -> Cell | None:
    """The cell of the same model and lengths that leaves all else to the runtime.

    None where no cell does. Devices stay as they are in the cell.
    """
    plain = RunSpec()
    place_of_default = []
    for axis, place in zip(sweep.axes, cell.at, strict=True):
        usual = getattr(plain, axis.name, None)
        if axis.name in (MODEL, BUSY_CORES) or usual is None:
            place_of_default.append(place)
        elif usual in axis.values:
            place_of_default.append(axis.values.index(usual))
        else:
            return None
    return sweep.by_place.get(tuple(place_of_default))


def gain_over_default(sweep: Sweep, cell: Cell) -> Gain | None:
    """Return the gain of a cell over the default settings; None without such a cell."""
    usual = default(sweep, cell)
    if usual is None or usual.at == cell.at or not (usual.rounds and cell.rounds):
        return None
    return gain_of(usual.rounds, cell.rounds)


class AddedLoad(Struct, frozen=True):
    """Settings that were measured with idle cores and with a busy one.

    idle, busy: the two cells. ratio: of the medians of all their runs; p95_ratio: of the 95th
    percentiles; None of too few runs.
    """

    idle: Cell
    busy: Cell
    ratio: float
    p95_ratio: float | None


def added_load(sweep: Sweep) -> tuple[AddedLoad, ...]:
    """Return what a busy core costs each combination of settings, the costliest first.

    Empty without an axis of busy cores, and for what is not measured on both sides.
    """
    place = next((i for i, axis in enumerate(sweep.axes) if axis.name == BUSY_CORES), None)
    if place is None or 0 not in sweep.axes[place].values:
        return ()
    idle_index = sweep.axes[place].values.index(0)
    found = []
    for busy in filter(sweep.has_added_load, sweep.cells):
        idle = sweep.by_place[(*busy.at[:place], idle_index, *busy.at[place + 1 :])]
        medians = median_ns(idle), median_ns(busy)
        if medians[0] and medians[1]:
            late = spread(idle), spread(busy)
            tails = late[1].p95_ns / late[0].p95_ns if late[0] and late[1] else None
            found.append(AddedLoad(idle, busy, medians[1] / medians[0], tails))
    return tuple(sorted(found, key=lambda each: -each.ratio))


def by_machine(sweep: Sweep) -> tuple[tuple[Cell | None, ...], ...]:
    """Return for each model the fastest cell on each machine; None where nothing is measured.

    Empty without an axis "machine".
    """
    machines = next((axis.values for axis in sweep.axes if axis.name == MACHINE), ())
    found: dict[tuple[int, int], list[Cell]] = {}
    for cell in sweep.cells:
        found.setdefault((sweep.model_of(cell), sweep.machine_of(cell)), []).append(cell)
    if not machines:
        return ()
    return tuple(
        tuple(best(sweep, found.get((model, machine), [])) for machine in range(len(machines)))
        for model in range(len(sweep.models))
    )


def machine_drift(sweep: Sweep) -> tuple[tuple[str, float, int], ...]:
    """Return machines of one kind that differ: name, ratio to all of them, processes.

    Where one value of the axis "machine" stands for several, each round says where it was
    measured. A machine is compared with the median of the same cells.
    """
    logs: dict[str, list[float]] = {}
    for cell in sweep.cells:
        medians = [(one.where, float(np.median(one.prediction_ns))) for one in cell.rounds]
        if len({where for where, _ in medians}) < 2 or not all(ns for _, ns in medians):
            continue
        usual_ns = np.median([ns for _, ns in medians])
        for where, own_ns in medians:
            logs.setdefault(where, []).append(float(np.log(own_ns / usual_ns)))
    ratios = [
        (where, float(np.exp(np.median(found))), len(found))
        for where, found in logs.items()
        if len(found) >= LEAST_STARTS
    ]
    return tuple(one for one in sorted(ratios) if abs(np.log(one[1])) > MACHINE_DRIFT)


def machine_trend(sweep: Sweep) -> tuple[tuple[str, float, int], ...]:
    """Return machines that became slower or faster: name, ratio of later to first, processes.

    A sweep measures its cells in rounds, so that each cell comes back on a machine after a
    while; warming up, throttling or other programs show in all of them alike.
    """
    logs: dict[str, list[float]] = {}
    for cell in sweep.cells:
        first: dict[str, float] = {}
        for each in cell.rounds:
            median_of_runs = float(np.median(each.prediction_ns)) if each.prediction_ns else 0.0
            if not median_of_runs:
                continue
            if each.where in first:
                ratio = median_of_runs / first[each.where]
                logs.setdefault(each.where, []).append(float(np.log(ratio)))
            first.setdefault(each.where, median_of_runs)
    ratios = [
        (where, float(np.exp(np.median(found))), len(found))
        for where, found in logs.items()
        if where and len(found) >= LEAST_STARTS
    ]
    return tuple(one for one in sorted(ratios) if abs(np.log(one[1])) > MACHINE_DRIFT)


def slice_of(
    sweep: Sweep, fixed: CellIndex, across: int, down: int
) -> tuple[tuple[Cell, ...], ...]:
    """Rows of cells over two axes, all others as in `fixed`."""
    rows = []
    for y in range(len(sweep.axes[down].values)):
        row = []
        for x in range(len(sweep.axes[across].values)):
            at = list(fixed)
            at[down], at[across] = y, x
            row.append(sweep.by_place[tuple(at)])
        rows.append(tuple(row))
    return tuple(rows)


def throughput(cell: Cell) -> tuple[Throughput, ...]:
    """Latency against load, the rounds of a cell taken together."""
    by_number: dict[int, Throughput] = {}
    for each in chain.from_iterable(round_.throughput for round_ in cell.rounds):
        old = by_number.get(each.concurrency, Throughput(each.concurrency, 0, ()))
        elapsed = old.elapsed_ns + each.elapsed_ns
        times_ns = old.prediction_ns + each.prediction_ns
        by_number[each.concurrency] = Throughput(each.concurrency, elapsed, times_ns)
    return tuple(by_number[number] for number in sorted(by_number))


class Candidate(Struct, frozen=True):
    """A model to choose: a smaller, faster one whose outputs are right is better.

    verdict: on its outputs, beside those of the reference; None where that is not known.
    is_reference: whether the others are held against it.
    """

    name: str
    size_bytes: float
    median_ns: float
    verdict: OutputVerdict | None = None
    is_reference: bool = False

    @property
    def rank(self) -> int:
        """Return how far its outputs are known to be right, more is better."""
        if self.is_reference:
            return len(_RANKS)
        return _RANKS.index(self.verdict.level if self.verdict is not None else None)

    @property
    def label(self) -> str:
        """Return what is known of its outputs, in two or three words."""
        if self.is_reference:
            return "reference"
        return "unknown" if self.verdict is None else verdict_label(self.verdict)


def front(candidates: Sequence[Candidate]) -> tuple[int, ...]:
    """Return the Pareto front: candidates that no other beats in all respects.

    Unknown outputs are beaten by any known ones, and beat none.
    """
    worth = [(-c.size_bytes, -c.median_ns, float(c.rank)) for c in candidates]

    def beaten(own: tuple[float, ...]) -> bool:
        return any(
            all(o >= m for o, m in zip(other, own, strict=True)) and other != own
            for other in worth
        )

    return tuple(place for place, own in enumerate(worth) if not beaten(own))


def candidates(sweep: Sweep) -> tuple[Candidate, ...]:
    """Each model of a sweep by its best cell."""
    fastest = []
    for number, model in enumerate(sweep.models):
        own_best = best(sweep, (c for c in sweep.cells if sweep.model_of(c) == number))
        middle = median_ns(own_best) if own_best is not None else None
        if middle is not None:
            agreed = sweep.agreements[number] if number < len(sweep.agreements) else None
            verdict = None if agreed is None else agreed.verdict
            is_first = agreed is not None and not number
            fastest.append(Candidate(model.name, model.size_bytes, middle, verdict, is_first))
    return tuple(fastest)
