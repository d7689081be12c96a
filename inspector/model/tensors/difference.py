"""Differences between tensors: largest and mean error, PSNR, SQNR, cosine, top-1."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector import units

_CHUNK = 1 << 16  # elements; the copies in float64 stay in the processor's cache
_WHOLE = frozenset(
    ("bool", "int16", "int32", "int64", "uint16", "uint32", "uint64")
)  # types of values that `Difference.whole` is about
_VOCABULARY = 8192  # a last axis this long is about tokens, also behind a batch and a text axis


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between two tensors. r: reference, o: other, e = o - r.

    reference_shape, other_shape: lengths of the axes.
    reference_dtype, other_dtype: data types.
    count: elements of the reference.
    compared: pairs of elements that are finite on both sides.
    unequal: elements with different values (NaN equals NaN).
    unmatched: those of them where one side is NaN or infinite and the other side differs.
    max_abs: max |e|.
    mean_abs: mean |e|.
    mean_relative: mean |e| / |r| where r is not 0, as in TensorRT's Polygraphy.
    psnr_db: 10 log10(peak² / mean e²), as in coremltools.
    sqnr_db: 10 log10(sum r² / sum e²), as in ONNX Runtime's qdq_loss_debug.
    cosine: sum r o / (|r| |o|), 1 for the same direction; None if a side is all zeros.
    top1: share of rows with the largest element at the same index, 0 to 1; None if the last
        axis does not look like classes (floats with one or two axes, or a vocabulary).
    reference_nan, other_nan: elements that are NaN.
    reference_infinite, other_infinite: elements that are infinite.
    where: flat index (C order) of the largest error, or of the first unmatched element;
        None if all are equal.
    problem: why they cannot be compared, in which case there are no numbers; empty if they
        can.
    peak: max |r|.

    In JSON infinity is null. Read back, null in psnr_db or sqnr_db is: unknown if `compared`
    is 0, infinite if `max_abs` is 0, else minus infinity (r is all zeros).
    """

    reference_shape: tuple[int, ...]
    other_shape: tuple[int, ...]
    reference_dtype: str
    other_dtype: str
    count: int = 0
    compared: int = 0
    unequal: int = 0
    unmatched: int = 0
    max_abs: float | None = None
    mean_abs: float | None = None
    mean_relative: float | None = None
    psnr_db: float | None = None
    sqnr_db: float | None = None
    cosine: float | None = None
    top1: float | None = None
    reference_nan: int = 0
    reference_infinite: int = 0
    other_nan: int = 0
    other_infinite: int = 0
    where: int | None = None
    problem: str = ""
    peak: float | None = None

    def __post_init__(self) -> None:
        if self.compared and self.max_abs is not None:
            infinite = math.inf if self.max_abs == 0 else -math.inf
            for name in ("psnr_db", "sqnr_db"):
                if getattr(self, name) is None:
                    object.__setattr__(self, name, infinite)

    @property
    def identical(self) -> bool:
        """Return whether every element has the same value; types may differ."""
        return not self.problem and not self.unequal

    @property
    def relative(self) -> float | None:
        """Largest error in parts of the largest |r|; infinite where that is 0 and it is not."""
        if self.max_abs is None or self.peak is None:
            return None
        return self.max_abs / self.peak if self.peak else (math.inf if self.max_abs else 0.0)

    @property
    def whole(self) -> bool:
        """Return whether both are truths or whole numbers of more than 8 bits.

        Such are indices, counts and classes, where decibels and a cosine mean nothing; whole
        numbers of 8 bits are mostly quantized values and pixels.
        """
        return {self.reference_dtype, self.other_dtype} <= _WHOLE

    @property
    def same_text(self) -> str:
        """Return how many elements are the same: "14 of 20 values are the same"."""
        same = self.count - self.unequal
        return f"{same:,} of {units.plural(self.count, 'value')} are the same"

    @property
    def place(self) -> tuple[int, ...] | None:
        """`where` as an index of each axis."""
        if self.where is None:
            return None
        return tuple(int(at) for at in np.unravel_index(self.where, self.reference_shape))


def difference(reference: NDArray[np.generic], other: NDArray[np.generic]) -> Difference:
    """Compare two tensors element by element; of any types numpy or ml_dtypes have, or texts.

    Nothing is raised for tensors that do not fit: `problem` says why.
    """
    shape, other_shape = reference.shape, other.shape
    types = str(reference.dtype), str(other.dtype)
    texts = [array.dtype.kind in "OUST" for array in (reference, other)]
    problem = ""
    if shape != other_shape:
        problem = f"The shapes differ: {units.shape(shape)} and {units.shape(other_shape)}."
    elif texts[0] != texts[1]:
        problem = "One tensor contains strings, the other one numbers."
    if problem:
        return Difference(shape, other_shape, *types, reference.size, problem=problem)
    if texts[0]:
        return _difference_of_texts(reference, other, types)
    result = difference_of_pieces(
        lambda: _pieces(reference, other),
        reference.shape,
        types,
        max(reference.dtype.itemsize, other.dtype.itemsize),
    )
    return replace(result, top1=_top1(reference, other))


def _difference_of_texts(
    reference: NDArray[np.generic], other: NDArray[np.generic], types: tuple[str, str]
) -> Difference:
    """Compare strings of one shape, each with its counterpart."""
    unequal = np.flatnonzero(reference.astype(object) != other.astype(object))
    where = int(unequal[0]) if unequal.size else None
    shape = reference.shape
    return Difference(shape, shape, *types, reference.size, unequal=unequal.size, where=where)


Pieces = Iterator[tuple[NDArray[np.generic], NDArray[np.generic]]]


def difference_of_pieces(
    pieces: Callable[[], Pieces],
    shape: tuple[int, ...],
    types: tuple[str, str],
    item_bytes: int,
) -> Difference:
    """Compare two tensors of numbers that are read piece by piece; all but `top1`.

    pieces: yields equally long, flat pieces of both, in order; called twice where elements
        take more than four bytes. item_bytes: size of the larger elements.
    """
    extremes, sums = _Extremes(), _Sums()
    small, start = item_bytes <= 4, 0
    for a, b in pieces():
        pair = _pair(a, b)
        extremes.add(start, pair)
        start += a.size
        if small:
            sums.add(pair)
    if not small:  # squares of these may be beyond float64: known peaks bring them to 1
        sums = _Sums(
            *(size or 1.0 for size in (extremes.peak, extremes.other_peak, extremes.max_abs))
        )
        for a, b in pieces():
            sums.add(_pair(a, b))
    n = extremes.compared
    result = Difference(
        shape,
        shape,
        *types,
        start,
        n,
        extremes.unequal,
        extremes.unmatched,
        reference_nan=extremes.nan[0],
        reference_infinite=extremes.infinite[0],
        other_nan=extremes.nan[1],
        other_infinite=extremes.infinite[1],
        where=extremes.where if extremes.unmatched_at is None else extremes.unmatched_at,
    )
    return _with_means(result, extremes, sums) if n else result


class _Pair(Struct, frozen=True, eq=False):
    """Equally long pieces of both tensors, float64 or complex128, and |e|; all (N,).

    Of integers |e| is exact before it becomes float64: at 2**60 a step of 1 is a difference.
    """

    reference: NDArray[np.inexact]
    other: NDArray[np.inexact]
    error: NDArray[np.float64]
    unequal: NDArray[np.bool_]
    finite: NDArray[np.bool_]

    def numbers(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.float64]]:
        """Reference, other and |e| where both are numbers: no NaN, nothing infinite."""
        if self.finite.all():
            return self.reference, self.other, self.error
        return self.reference[self.finite], self.other[self.finite], self.error[self.finite]


def _pair(a: NDArray[np.generic], b: NDArray[np.generic]) -> _Pair:
    wide = np.complex128 if "c" in a.dtype.kind + b.dtype.kind else np.float64
    r, o = a.astype(wide), b.astype(wide)
    finite = np.isfinite(r) & np.isfinite(o)
    if a.dtype == b.dtype and a.dtype.kind in "iu":
        high, low = np.maximum(a, b), np.minimum(a, b)
        error = (high.astype(np.uint64) - low.astype(np.uint64)).astype(np.float64)
        return _Pair(r, o, error, a != b, finite)
    with np.errstate(invalid="ignore", over="ignore"):
        error = np.abs(o - r)
    unequal = (r != o) & ~(np.isnan(r) & np.isnan(o))
    return _Pair(r, o, np.minimum(error, np.finfo(np.float64).max), unequal, finite)


def _pieces(reference: NDArray[np.generic], other: NDArray[np.generic]) -> Pieces:
    a, b = reference.reshape(-1), other.reshape(-1)
    for start in range(0, a.size, _CHUNK):
        yield a[start : start + _CHUNK], b[start : start + _CHUNK]


class _Extremes(Struct):
    """Counts and largest values of the pieces seen so far; pairs are (reference, other)."""

    compared: int = 0
    unequal: int = 0
    unmatched: int = 0
    peak: float = 0.0
    other_peak: float = 0.0
    max_abs: float = 0.0
    where: int | None = None
    unmatched_at: int | None = None
    nan: tuple[int, int] = (0, 0)
    infinite: tuple[int, int] = (0, 0)

    def add(self, start: int, pair: _Pair) -> None:
        finite, pairs = pair.finite, (pair.reference, pair.other)
        unmatched = np.flatnonzero(pair.unequal & ~finite)
        self.compared += int(finite.sum())
        self.unequal += int(pair.unequal.sum())
        self.unmatched += unmatched.size
        if unmatched.size and self.unmatched_at is None:
            self.unmatched_at = start + int(unmatched[0])
        nan, infinite = ([int(of(s).sum()) for s in pairs] for of in (np.isnan, np.isinf))
        self.nan = (self.nan[0] + nan[0], self.nan[1] + nan[1])
        self.infinite = (self.infinite[0] + infinite[0], self.infinite[1] + infinite[1])
        if not finite.any():
            return
        r, o, error = pair.numbers()
        worst = int(error.argmax())
        if error[worst] > self.max_abs:
            place = worst if finite.all() else int(np.flatnonzero(finite)[worst])
            self.max_abs, self.where = float(error[worst]), start + place
        self.peak = max(self.peak, float(np.abs(r).max()))
        self.other_peak = max(self.other_peak, float(np.abs(o).max()))


class _Sums(Struct):
    """Sums over the finite elements, each side and the error in parts of its unit."""

    r_unit: float = 1.0
    o_unit: float = 1.0
    e_unit: float = 1.0
    rr: float = 0.0
    oo: float = 0.0
    ro: float = 0.0
    e: float = 0.0
    ee: float = 0.0
    relative: float = 0.0
    relatives: float = 0.0  # how many

    def add(self, pair: _Pair) -> None:
        r, o, error = pair.numbers()
        if self.r_unit != 1 or self.o_unit != 1 or self.e_unit != 1:
            r, o, error = r / self.r_unit, o / self.o_unit, error / self.e_unit
        size = np.abs(r)
        has_size = size > 0
        # Sums of products: np.dot would start threads, which wait for each other.
        self.rr += float((size * size).sum())
        self.oo += float((np.abs(o) ** 2).sum())
        self.ro += float((r.conj() * o).sum().real)
        self.e += float(error.sum())
        self.ee += float((error * error).sum())
        self.relative += float(
            np.divide(error, size, out=np.zeros_like(size), where=has_size).sum()
        )
        self.relatives += int(has_size.sum())


def _with_means(difference: Difference, extremes: _Extremes, sums: _Sums) -> Difference:
    n, noise = extremes.compared, sums.e_unit * math.sqrt(sums.ee / extremes.compared)
    signal, both = sums.r_unit * math.sqrt(sums.rr / n), math.sqrt(sums.rr * sums.oo)
    share = sums.e_unit / sums.r_unit
    return replace(
        difference,
        peak=extremes.peak,
        max_abs=extremes.max_abs,
        mean_abs=sums.e_unit * sums.e / n,
        mean_relative=sums.relative * share / sums.relatives if sums.relatives else None,
        psnr_db=_decibels(extremes.peak, noise),
        sqnr_db=_decibels(signal, noise),
        cosine=max(-1.0, min(1.0, sums.ro / both)) if both else None,
    )


def _decibels(signal: float, noise: float) -> float:
    if not noise:
        return math.inf
    return 20 * (math.log10(signal) - math.log10(noise)) if signal else -math.inf


def _top1(reference: NDArray[np.generic], other: NDArray[np.generic]) -> float | None:
    """Return the share of rows with the same maximum; the first of equal ones counts."""
    shape = reference.shape
    flat = len(shape) in (1, 2) and shape[-1] > 1
    tokens = len(shape) == 3 and shape[-1] >= _VOCABULARY
    if not reference.size or reference.dtype.kind in "iubc" or not (flat or tokens):
        return None
    best = []
    for array in (reference, other):
        rows = array.astype(np.float64).reshape(-1, shape[-1])
        best.append(np.where(np.isnan(rows), -np.inf, rows).argmax(axis=1))
    return float((best[0] == best[1]).mean())
