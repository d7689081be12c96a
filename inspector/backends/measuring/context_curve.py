"""The time of a step over the context, finer than the rows of a measurement, and its jumps.

Contexts are visited downwards, for which the cache is filled once. A jump is told only where
further visits on both sides of it agree, so that another program that keeps the processor busy
for a while is no jump.
"""

from collections.abc import Callable, Sequence
from time import perf_counter_ns
from typing import Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.report.language.speed import CurvePoint, SpeedJump

_INTERVALS = 16  # between points
_LEAST_SPAN = 64  # tokens from the first context to the last: below, a curve says nothing
_BUDGET_NS = 5_000_000_000  # for all steps of the points
_MOST_STEPS = 30  # of a visit
_LEAST_STEPS = 4
_MOST_JUMPS = 3
# A jump is larger than this share of the step, and than so many times what other differences
# between neighbors spread: a curve of 17 points of nothing but noise has none.
_LEAST_SHARE = 0.1
_SPREADS = 6.0
_ROUNDS = 5  # visits on both sides of a jump, in turns, that have to agree on it
_PIECE = 256  # tokens of a prompt at a time, as when text is generated

Ids = NDArray[np.int64]


class Stepping(Protocol):
    """What a curve asks of a decoder, as `token_times.Decoder`."""

    def begin(self, capacity: int, batch: int = 1) -> None:
        """Forget all tokens, and make room for so many."""

    def feed(self, ids: Ids, *, piece: int = 0) -> object:
        """Read tokens after those before."""

    def step(self, ids: Ids) -> tuple[Ids, int]:
        """Read one token, and choose the next."""

    def rewind(self, length: int) -> None:
        """Go on after so many tokens."""


class ContextCurve(Struct, frozen=True):
    """Points by context, and the jumps between them, the largest first."""

    points: tuple[CurvePoint, ...] = ()
    jumps: tuple[SpeedJump, ...] = ()


def context_curve(
    decoder: Stepping,
    ids: Ids,
    contexts: Sequence[int],
    step_ns: float,
    filled: int = 0,
    report: Callable[[], None] = lambda: None,
) -> ContextCurve:
    """Measure steps of one sequence from the first of the contexts to the last.

    ids: of the sequence, (1, last context + 1) at least. step_ns: about what a step takes.
    filled: how many of them the decoder has read. report: called now and then. Nothing where
    the contexts lie close together.
    """
    first, last = min(contexts, default=0), max(contexts, default=0)
    if last - first < _LEAST_SPAN:
        return ContextCurve()
    places = np.linspace(first, last, _INTERVALS + 1).round().astype(int).tolist()
    each = _BUDGET_NS / (len(places) * max(1.0, step_ns))
    if filled < last:
        decoder.begin(last + 2, 1)
        filled = 0
    steps = int(np.clip(each, _LEAST_STEPS, _MOST_STEPS))
    visits = _Visits(decoder, ids, steps, filled, report)
    times = {context: visits.at(context) for context in reversed(places)}
    medians = [float(np.median(times[each])) for each in places]
    pairs = ((places[place], places[place + 1]) for place in sorted(_suspects(medians)))
    jumps = [jump for pair in pairs if (jump := visits.jump(*pair)) is not None]
    jumps.sort(key=lambda jump: -abs(jump.after_ns - jump.before_ns))
    sizes = [abs(jump.after_ns - jump.before_ns) for jump in jumps]
    jumps = [jump for jump, size in zip(jumps, sizes, strict=True) if size * 4 >= sizes[0]]
    points = tuple(_point(each, times[each]) for each in places)
    return ContextCurve(points, tuple(jumps))


class _Visits:
    """Goes from context to context; the cache is right up to where it stands."""

    def __init__(
        self, decoder: Stepping, ids: Ids, steps: int, filled: int, report: Callable[[], None]
    ) -> None:
        self._decoder, self._ids, self._steps = decoder, ids, steps
        self._filled, self._report = filled, report

    def at(self, context: int) -> NDArray[np.int64]:
        """Return the times of some steps with exactly so many tokens before them."""
        self._report()
        decoder, token = self._decoder, self._ids[:, context : context + 1]
        decoder.rewind(min(self._filled, context))
        if context > self._filled:
            decoder.feed(self._ids[:, self._filled : context], piece=_PIECE)
        self._filled = context
        times = list[int]()
        for _ in range(self._steps + 1):
            decoder.rewind(context)
            began = perf_counter_ns()
            decoder.step(token)
            times.append(perf_counter_ns() - began)
        decoder.rewind(context)
        return np.array(times[1:], np.int64)  # the first one after a prompt takes longer

    def jump(self, low: int, high: int) -> SpeedJump | None:
        """Return where between two contexts steps begin to take another time; None where it
        does not show again."""
        below, above = (float(np.median(self.at(each))) for each in (low, high))
        while high - low > 1:
            middle = (low + high) // 2
            time = float(np.median(self.at(middle)))
            if abs(time - below) <= abs(time - above):
                low = middle
            else:
                high = middle
        pairs = [(self.at(low), self.at(high)) for _ in range(_ROUNDS)]
        before, after = (np.concatenate(each) for each in zip(*pairs, strict=True))
        sizes = [float(np.median(b) - np.median(a)) for a, b in pairs]
        whole = float(np.median(after) - np.median(before))
        same = all(size * whole > 0 for size in sizes)
        apart = (
            np.quantile(after, 0.25) > np.quantile(before, 0.75)
            if whole > 0
            else np.quantile(after, 0.75) < np.quantile(before, 0.25)
        )
        if not same or not apart or abs(whole) < _LEAST_SHARE * float(np.median(before)):
            return None
        return SpeedJump(high, round(float(np.median(before))), round(float(np.median(after))))


def _suspects(medians: Sequence[float]) -> frozenset[int]:
    """Return the places behind which the time of a step may jump, and stay there.

    They have the largest differences, and the places around them differ by half of it or more.
    """
    times = np.asarray(medians, np.float64)
    steps = np.diff(times)
    usual = float(np.median(steps))
    off = steps - usual
    spread = float(np.median(np.abs(off)))
    found = set[int]()
    for place in np.argsort(-np.abs(off))[:_MOST_JUMPS].tolist():
        size = float(off[place])
        low, high = max(0, place - 1), min(len(times) - 1, place + 2)
        around = float(times[high] - times[low]) - (high - low) * usual
        large = abs(size) > max(_LEAST_SHARE * medians[place], _SPREADS * spread)
        if large and around * size > 0 and abs(around) >= abs(size) / 2:
            found.add(place)
    return frozenset(found)


def _point(context: int, times: NDArray[np.int64]) -> CurvePoint:
    low, middle, high = np.quantile(times, (0.1, 0.5, 0.9)).astype(int).tolist()
    return CurvePoint(context, middle, low, high, len(times))
