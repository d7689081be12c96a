"""What a sweep says: each cell in numbers, the best, what it gains, and who is on the front."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

import numpy as np

from inspector import units
from inspector.analysis.gains import Gain, gain_of
from inspector.analysis.statistics import Statistics, statistics
from inspector.judge import Verdict
from inspector.report import RunSpec
from inspector.resampling import interval
from inspector.sweep import FINALISTS, MODEL, Cell, Place, State, Sweep, at_full_pace
from inspector.throughput import Throughput

_DRAWS = 400
_REMEMBERED = 8192  # a window asks the same of every cell after each measurement


@dataclass(frozen=True, slots=True)
class Spread:
    """How far the predictions of a cell lie apart. ratio: p95 over p5."""

    p5_ns: float
    p95_ns: float

    @property
    def ratio(self) -> float:
        """1 for predictions that all take the same time."""
        return self.p95_ns / self.p5_ns if self.p5_ns else 1.0


def samples(cell: Cell) -> tuple[int, ...]:
    """Predictions of the rounds at full pace, or of all, one after the other."""
    return tuple(chain.from_iterable(each.prediction_ns for each in at_full_pace(cell.rounds)))


@lru_cache(_REMEMBERED)
def numbers(cell: Cell) -> Statistics | None:
    """All statistics of a cell; None where nothing was measured."""
    return statistics(samples(cell))


@lru_cache(_REMEMBERED)
def median_ns(cell: Cell) -> float | None:
    """The middle prediction of a cell; None where nothing was measured."""
    taken = samples(cell)
    return float(np.median(taken)) if taken else None


@lru_cache(_REMEMBERED)
def median_interval(cell: Cell) -> tuple[float, float] | None:
    """95 % interval of the median in nanoseconds; None with too few predictions.

    A bootstrap that draws whole starts of the process, since starts differ by more than the
    predictions in them show; of a single start, one over its predictions.
    """
    rounds = at_full_pace(cell.rounds)
    if len(rounds) < 2:
        found = numbers(cell)
        if found is None or found.median_low_ns is None or found.median_high_ns is None:
            return None
        return found.median_low_ns, found.median_high_ns
    draw = np.random.default_rng(0)
    starts = [np.asarray(each.prediction_ns) for each in rounds]
    middles = []
    for _ in range(_DRAWS):
        picked = (starts[i] for i in draw.integers(0, len(starts), len(starts)))
        pooled = np.concatenate([draw.choice(one, len(one)) for one in picked])
        middles.append(np.median(pooled))
    return interval(np.array(middles))


@lru_cache(_REMEMBERED)
def spread(cell: Cell) -> Spread | None:
    """Where the middle nine tenths of the predictions lie."""
    taken = samples(cell)
    if not taken:
        return None
    low, high = np.quantile(taken, (0.05, 0.95))
    return Spread(float(low), float(high))


def best(sweep: Sweep, cells: Iterable[Cell] | None = None) -> Cell | None:
    """Return the cell with the least median, of all or of some.

    Where some were measured again in a last match, it is one of them. None as long as one of
    them was not measured at all: the best of those at hand says nothing about the others.
    """
    known = list(sweep.cells if cells is None else cells)
    if any(cell.state is State.PENDING and not cell.rounds for cell in known):
        return None
    again = [cell for cell in known if len(cell.rounds) > sweep.rounds]
    ranked = _ranked(again or known)
    return ranked[0] if ranked else None


def finalists(sweep: Sweep) -> tuple[Place, ...]:
    """The best cells of each model, for a last match; by their first rounds alone."""
    found: list[Place] = []
    for number in range(len(sweep.models)):
        mine = [
            replace(cell, rounds=cell.rounds[: sweep.rounds])
            for cell in sweep.cells
            if sweep.model_of(cell) == number and cell.state is State.DONE
        ]
        found += [cell.at for cell in _ranked(mine)[:FINALISTS]]
    return tuple(found)


def left(sweep: Sweep) -> int:
    """Return how many measurements are left, those of a last match included.

    It gets less by more than one where a cell fails: its other rounds are not measured.
    """
    if not sweep.order():
        return len(sweep.last_order(finalists(sweep)))
    alive = (State.PENDING, State.DONE)
    models = [sweep.model_of(cell) for cell in sweep.cells if cell.state in alive]
    best = sum(min(FINALISTS, models.count(number)) for number in set(models))
    return len(sweep.order()) + sweep.confirm * best


def done(sweep: Sweep) -> int:
    """Return how many measurements were made, those that failed included."""
    failed = sum(cell.state is State.FAILED for cell in sweep.cells)
    return failed + sum(len(cell.rounds) for cell in sweep.cells)


def early_end(sweep: Sweep) -> str:
    """Say how far a sweep came that is not at its end, and whether a best can be named."""
    rest = left(sweep)
    if not rest:
        return ""
    number = done(sweep)
    told = f"Incomplete: {number:,} of {number + rest:,} measurements done."
    if best(sweep) is not None:
        return f"{told} The best so far may change."
    return f"{told} No best is named before every combination was measured."


def gain_text(gain: Gain) -> str:
    """Say what settings gain over the runtime's own: '12.0 % less time than with ...'."""
    if gain.verdict is Verdict.PACE:
        return (
            "The CPU was slower while one of them was measured: no gain over the runtime's own "
            "settings can be told."
        )
    change = units.time_change(gain.ratio)
    change = f"{change} as long as" if change.endswith("times") else f"{change} time than"
    text = f"{change} with the runtime's own settings"
    if gain.low is None or gain.high is None:
        starts = units.plural(gain.starts, "start")
        return f"{text}, not certain after {starts}: it takes 4 rounds or more."
    return f"{text} (95 % interval: {units.time_change_range(gain.low, gain.high)})."


def _ranked(cells: Iterable[Cell]) -> list[Cell]:
    known = [(middle, cell) for cell in cells if (middle := median_ns(cell)) is not None]
    return [cell for _, cell in sorted(known, key=lambda pair: pair[0])]


def default(sweep: Sweep, cell: Cell) -> Cell | None:
    """The cell of the same model and lengths that leaves all else to the runtime.

    None where no cell does. Devices stay as they are in the cell.
    """
    plain = RunSpec()
    wanted = []
    for axis, place in zip(sweep.axes, cell.at, strict=True):
        usual = getattr(plain, axis.name, None)
        if axis.name == MODEL or usual is None:
            wanted.append(place)
        elif usual in axis.values:
            wanted.append(axis.values.index(usual))
        else:
            return None
    return sweep.by_place.get(tuple(wanted))


def gain_over_default(sweep: Sweep, cell: Cell) -> Gain | None:
    """What the settings of a cell bring against the runtime's own; None without a default."""
    usual = default(sweep, cell)
    if usual is None or usual.at == cell.at or not (usual.rounds and cell.rounds):
        return None
    return gain_of(usual.rounds, cell.rounds)


def slice_of(
    sweep: Sweep, fixed: Place, across: int, down: int
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
    found: dict[int, Throughput] = {}
    for each in chain.from_iterable(round_.throughput for round_ in cell.rounds):
        old = found.get(each.concurrency, Throughput(each.concurrency, 0, ()))
        elapsed = old.elapsed_ns + each.elapsed_ns
        taken = old.prediction_ns + each.prediction_ns
        found[each.concurrency] = Throughput(each.concurrency, elapsed, taken)
    return tuple(found[number] for number in sorted(found))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model to choose: less is better of the first two, more of the last.

    agreement: decibels; infinite where answers are equal, None where unknown.
    """

    name: str
    size_bytes: float
    median_ns: float
    agreement: float | None = None


def front(candidates: Sequence[Candidate]) -> tuple[int, ...]:
    """Those that no other beats: at least as good in all, better in one.

    An unknown agreement is beaten by any known one, and beats none.
    """
    worth = [
        (-c.size_bytes, -c.median_ns, -np.inf if c.agreement is None else c.agreement)
        for c in candidates
    ]

    def beaten(mine: tuple[float, ...]) -> bool:
        return any(
            all(o >= m for o, m in zip(other, mine, strict=True)) and other != mine
            for other in worth
        )

    return tuple(place for place, mine in enumerate(worth) if not beaten(mine))


def candidates(sweep: Sweep) -> tuple[Candidate, ...]:
    """Each model of a sweep by its best cell."""
    found = []
    for number, model in enumerate(sweep.models):
        mine = best(sweep, (c for c in sweep.cells if sweep.model_of(c) == number))
        middle = median_ns(mine) if mine is not None else None
        if middle is not None:
            agreed = sweep.agreements[number] if number < len(sweep.agreements) else None
            near = None
            if agreed is not None:
                near = float("inf") if agreed.equal else agreed.psnr
            found.append(Candidate(model.name, model.size_bytes, middle, near))
    return tuple(found)
