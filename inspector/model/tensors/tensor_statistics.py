"""Statistics of a tensor of any size, in one pass over pieces of it.

Types of 8 and 16 bits are counted by bit pattern, which makes everything exact. For larger
ones mean and deviation are computed in float64, the values that differ up to MOST_DISTINCT.
"""

from collections.abc import Iterable
from math import frexp, isfinite, ldexp, sqrt
from sys import float_info

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Values = NDArray[np.generic]
Numbers = NDArray[np.float64]

MOST_DISTINCT = 65_536
MOST_BINS = 96
_EXPONENTS: dict[str, np.uint32 | np.uint64] = {
    "<f4": np.uint32(0x7F80_0000),
    "<f8": np.uint64(0x7FF0_0000_0000_0000),
}
_SMALLEST_NORMAL = {"float16": 2.0**-14, "bfloat16": 2.0**-126}
_CACHED = 1 << 14  # elements looked at together, so that copies of them stay in the cache


class Histogram(Struct, frozen=True):
    """Histogram of finite values: `counts[i]` are in [low + i * width, low + (i + 1) * width).

    The width is a power of two and every edge a multiple of it, so that 0 is an edge and bins
    can be joined exactly when larger values come: one pass is enough, and no count is a guess.
    """

    low: float
    width: float
    counts: tuple[int, ...]

    @property
    def high(self) -> float:
        """Return where the last bin ends."""
        return self.low + self.width * len(self.counts)


class Statistics(Struct, frozen=True):
    """Statistics of a tensor. Complex numbers are taken by magnitude.

    minimum, maximum, mean, deviation: of the finite values; None without any. Of whole
    numbers the first two are exact. deviation: of all elements, not a sample's.
    zeros, nan, infinite: numbers of elements. distinct: of values that differ bit by bit;
    None for more than MOST_DISTINCT. subnormal: elements of a float of 16 bits or more that are
    closer to 0 than its smallest normal number, and not 0.
    """

    elements: int
    minimum: float | int | None
    maximum: float | int | None
    mean: float | None
    deviation: float | None
    zeros: int
    nan: int
    infinite: int
    distinct: int | None
    histogram: Histogram | None
    subnormal: int = 0


def statistics(pieces: Iterable[Values]) -> Statistics:
    """Take all pieces of one tensor, flat arrays of one type, numbers or bools or texts."""
    tally: _Patterns | _Numbers | _Texts | None = None
    for piece in pieces:
        if tally is None:
            tally = _tally(piece.dtype)
        for start in range(0, len(piece), _CACHED):
            tally.add(piece[start : start + _CACHED])
    if tally is None:
        return Statistics(0, None, None, None, None, 0, 0, 0, 0, None)
    return tally.result()


def _tally(kind: np.dtype[np.generic]) -> "_Patterns | _Numbers | _Texts":
    if kind.kind == "O":
        return _Texts()
    return _Patterns(kind) if kind.itemsize <= 2 else _Numbers()


class _Patterns:
    """Counts each bit pattern of a type of one or two bytes."""

    def __init__(self, kind: np.dtype[np.generic]) -> None:
        self._kind = kind
        self._bits = np.dtype(f"u{kind.itemsize}")
        self._counts = np.zeros(1 << (8 * kind.itemsize), np.int64)

    def add(self, piece: Values) -> None:
        counts = np.bincount(piece.view(self._bits), minlength=len(self._counts))
        self._counts += counts

    def result(self) -> Statistics:
        patterns = np.flatnonzero(self._counts)
        counts = self._counts[patterns]
        stored = patterns.astype(self._bits).view(self._kind)
        with np.errstate(invalid="ignore"):
            values = stored.astype(np.float64)
        finite = np.isfinite(values)
        nan = int(counts[np.isnan(values)].sum())
        infinite = int(counts[np.isinf(values)].sum())
        zeros = int(counts[values == 0].sum())
        least = _SMALLEST_NORMAL.get(str(self._kind), 0.0)
        subnormal = int(counts[(values != 0) & (np.abs(values) < least)].sum())
        every = int(counts.sum())
        values, counts = values[finite], counts[finite]
        bins = _Bins()
        bins.add(values, counts)
        number = int(counts.sum())
        if not number:
            return Statistics(
                every, None, None, None, None, zeros, nan, infinite, len(patterns), None
            )
        mean = float((values * counts).sum() / number)
        deviation = sqrt(float((counts * (values - mean) ** 2).sum() / number))
        low, high = values.min().item(), values.max().item()
        if self._kind.kind in "iub":
            low, high = int(low), int(high)
        return Statistics(
            every,
            low,
            high,
            mean,
            deviation,
            zeros,
            nan,
            infinite,
            len(patterns),
            bins.result(),
            subnormal,
        )


class _Numbers:
    """Sums of numbers of four bytes and more."""

    def __init__(self) -> None:
        self._elements = self._zeros = self._nan = self._infinite = self._finite = 0
        self._subnormal = 0
        self._low: float | int | None = None
        self._high: float | int | None = None
        self._shift, self._sum, self._squares = 0.0, 0.0, 0.0
        self._bins, self._distinct = _Bins(), _Distinct()

    def add(self, piece: Values) -> None:
        self._elements += len(piece)
        self._distinct.add(piece)
        if piece.dtype.kind == "c":
            piece = np.abs(piece)
        zeros = len(piece) - int(np.count_nonzero(piece))
        self._zeros += zeros
        mask = _EXPONENTS.get(piece.dtype.str)
        if mask is not None:  # the exponent of 0 and of subnormals is 0
            bits = piece.view(mask.dtype)
            self._subnormal += len(piece) - int(np.count_nonzero(bits & mask)) - zeros
        low, high = piece.min(), piece.max()
        if piece.dtype.kind == "f" and not (np.isfinite(low) and np.isfinite(high)):
            finite = np.isfinite(piece)
            nan = int(np.isnan(piece).sum())
            self._nan += nan
            self._infinite += len(piece) - int(finite.sum()) - nan
            piece = piece[finite]
            if not len(piece):
                return
            low, high = piece.min(), piece.max()
        self._low = low.item() if self._low is None else min(self._low, low.item())
        self._high = high.item() if self._high is None else max(self._high, high.item())
        values = piece.astype(np.float64)
        if not self._finite:
            self._shift = float(values[0])
        self._finite += len(values)
        self._bins.add(values)
        with np.errstate(over="ignore", invalid="ignore"):
            values -= self._shift
            self._sum += float(values.sum())
            np.square(values, out=values)  # np.dot starts threads, which wait for each other
            self._squares += float(values.sum())

    def result(self) -> Statistics:
        mean = deviation = None
        if self._finite:
            apart = self._sum / self._finite
            spread = self._squares / self._finite - apart * apart
            if isfinite(spread):  # sums of the largest float64 numbers are beyond it
                mean, deviation = self._shift + apart, sqrt(max(0.0, spread))
        return Statistics(
            self._elements,
            self._low,
            self._high,
            mean,
            deviation,
            self._zeros,
            self._nan,
            self._infinite,
            self._distinct.number,
            self._bins.result(),
            self._subnormal,
        )


class _Texts:
    """Counts texts: how many, how many are empty, how many differ."""

    def __init__(self) -> None:
        self._elements = self._empty = 0
        self._distinct: set[bytes] = set()

    def add(self, piece: Values) -> None:
        texts = piece.tolist()
        self._elements += len(texts)
        self._empty += sum(not text for text in texts)
        if len(self._distinct) <= MOST_DISTINCT:
            self._distinct.update(texts)

    def result(self) -> Statistics:
        distinct = len(self._distinct) if len(self._distinct) <= MOST_DISTINCT else None
        return Statistics(
            self._elements, None, None, None, None, self._empty, 0, 0, distinct, None
        )


class _Distinct:
    """The bit patterns that occur, as long as they are few."""

    def __init__(self) -> None:
        self._patterns: Values | None = np.zeros(0, np.uint8)

    @property
    def number(self) -> int | None:
        """Return how many there are; None for too many."""
        return None if self._patterns is None else len(self._patterns)

    def add(self, piece: Values) -> None:
        if self._patterns is None:
            return
        bits = np.ascontiguousarray(piece).view(_pattern(piece.dtype))
        if not len(self._patterns):
            self._patterns = _different(bits)
            return
        places = np.searchsorted(self._patterns, bits)
        places[places == len(self._patterns)] = 0
        new = bits[self._patterns[places] != bits]
        if len(new):
            distinct = _different(np.concatenate((self._patterns, new)))
            self._patterns = distinct if len(distinct) <= MOST_DISTINCT else None


def _pattern(kind: np.dtype[np.generic]) -> np.dtype[np.generic]:
    """Return a type whose elements are equal when all their bits are."""
    return np.dtype(f"u{kind.itemsize}") if kind.itemsize <= 8 else np.dtype(np.complex128)


def _different(bits: Values) -> Values:
    """Return each pattern once, sorted; np.unique takes ten times as long for many of them."""
    ordered = np.sort(bits)
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]


class _Bins:
    """A histogram whose bins are joined when larger values come."""

    def __init__(self) -> None:
        self._power: int | None = None  # a bin is 2 ** power wide
        self._first, self._counts = 0, np.zeros(1, np.int64)

    def add(self, values: Numbers, counts: NDArray[np.int64] | None = None) -> None:
        if not len(values):
            return
        low, high = float(values.min()), float(values.max())
        if self._power is None:
            self._power = _power(low, high)
            self._first = _place(low, self._power)
        self._make_room(low, high)
        scaled = np.floor(values * ldexp(0.5, 1 - self._power)).astype(np.int64) - self._first
        np.clip(scaled, 0, len(self._counts) - 1, out=scaled)  # -1e-300 in bins of 1e50 is 0
        weights = None if counts is None else counts.astype(np.float64)
        piece_counts = np.bincount(scaled, weights, minlength=len(self._counts))
        self._counts += piece_counts.astype(np.int64)

    def result(self) -> Histogram | None:
        if self._power is None:
            return None
        used = np.flatnonzero(self._counts)
        first, last = int(used[0]), int(used[-1])
        width = ldexp(1.0, self._power)
        counts = tuple(self._counts[first : last + 1].tolist())
        low = max((self._first + first) * width, -float_info.max)
        return Histogram(low, width, counts)

    def _make_room(self, low: float, high: float) -> None:
        assert self._power is not None, "the first values decide where to begin"
        begin, end = self._first, self._first + len(self._counts) - 1
        first, last = _place(low, self._power), _place(high, self._power)
        if begin <= first and last <= end:
            return
        first, last, joined = min(first, begin), max(last, end), 0
        while (last >> joined) - (first >> joined) >= MOST_BINS:
            joined += 1
        first, last = first >> joined, last >> joined
        counts = np.zeros(last - first + 1, np.int64)
        for place, number in enumerate(self._counts.tolist()):
            counts[(begin + place >> joined) - first] += number
        self._power, self._first, self._counts = self._power + joined, first, counts


def _power(low: float, high: float) -> int:
    """Exponent of the smallest power of two that parts a range into at most MOST_BINS."""
    largest = max(abs(low), abs(high))
    span = high / 2 - low / 2  # halved, since the whole may be beyond float64
    if span == 0:
        return max(-1000, frexp(largest)[1] - 7)
    return max(-1000, frexp(span)[1] + 1 - 6)


def _place(value: float, power: int) -> int:
    """Return the number of the bin of a value, exact however far it lies from the others."""
    fraction, exponent = frexp(value)
    digits, shift = int(ldexp(fraction, 53)), exponent - 53 - power
    return digits << shift if shift >= 0 else digits >> -shift
