"""Sums over many inputs of what one output is in two models: for each cell of the output.

A cell is one element, or in a large output a few neighbors. From cells follow the numbers of
any part of the output: of a channel, a position, a row of a batch. Sums are taken around the
first value that a cell had, so that small spreads around large means keep their digits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

Array = NDArray[np.float64]
MOST_CELLS = 1 << 18  # of one output; 20 numbers each are 40 MiB
# A last digit more or less in the sums of a layer; beyond, a value does not vary at all.
_STEPS = 16.0
_BIG = 1e30  # what stands for infinity, such as the lowest float32 in masks
_SUMS = ("count", "first", "second", "error", "squares", "product")
_INNER = tuple(f"inner_{name}" for name in _SUMS)
_ARRAYS = (
    "shift", "inner_shift", *_SUMS, *_INNER, "largest",
    "high", "low", "other_high", "other_low", "at_high", "at_low",
)  # fmt: skip
_EMPTY = {"high": -np.inf, "other_high": -np.inf, "low": np.inf, "other_low": np.inf}
_INDEPENDENT = 16.0  # positions of a part that count as values of their own


class Parts(Struct):
    """Numbers of the parts along an axis; each array has the axis's length, or is a scalar.

    count: pairs of finite values. mean, spread: of the reference, over positions and inputs.
    within: spread of the reference over inputs at the same position, NaN if unknown. error:
    root mean square of other − reference; shift: their mean; systematic: root mean square of
    the error that a shift and a factor explain; largest: |error|. high, low: extremes of the
    reference; other_*: of the other. at_high, at_low: values of the other that equal its
    extremes. freedom: degrees of freedom behind the spread, as if neighbors were one value.
    """

    count: Array
    mean: Array
    spread: Array
    within: Array
    error: Array
    shift: Array
    systematic: Array
    largest: Array
    high: Array
    low: Array
    other_spread: Array
    other_within: Array
    other_high: Array
    other_low: Array
    at_high: Array
    at_low: Array
    freedom: Array


class PairedSums(Struct):
    """The sums of one output over inputs; `add` receives both values.

    steps: how many neighbors of each axis are one cell. lengths: of the axes, of the longest
    input. varied: axes whose length was not the same for all inputs.
    """

    steps: tuple[int, ...] = ()
    lengths: tuple[int, ...] = ()
    inputs: int = 0
    varied: frozenset[int] = frozenset()
    digits: float = float(np.finfo(np.float32).eps)
    cells: dict[str, Array] = field(default_factory=dict)

    def add(self, reference: NDArray[np.generic], other: NDArray[np.generic]) -> None:
        """Add an input's values; both numbers of one shape, of the rank that came first."""
        shape = reference.shape or (1,)
        r = reference.reshape(shape).astype(np.float64)
        o = other.reshape(shape).astype(np.float64)
        if not self.inputs:
            self.steps = _steps(shape)
            self.lengths = shape
            if reference.dtype in (np.float16, np.float32):  # float64 may be a widened one
                self.digits = float(np.finfo(str(reference.dtype)).eps)
        elif shape != self.lengths:
            axes = zip(shape, self.lengths, strict=True)
            differing = {axis for axis, (now, before) in enumerate(axes) if now != before}
            self.varied |= differing
            self.lengths = tuple(map(max, shape, self.lengths))
        self.inputs += 1
        if not r.size:
            return
        finite = (np.abs(r) < _BIG) & (np.abs(o) < _BIG)
        self._grow()
        self._add(r, o, finite)

    def _grow(self) -> None:
        shape = tuple(-(-n // step) for n, step in zip(self.lengths, self.steps, strict=True))
        before = self.cells
        have = before["count"].shape if before else (0,) * len(shape)
        if have == shape:
            return
        self.cells = {}
        for name in _ARRAYS:
            fill = np.nan if "shift" in name else _EMPTY.get(name, 0.0)
            self.cells[name] = np.full(shape, fill)
            if before:
                self.cells[name][tuple(map(slice, have))] = before[name]

    def _add(self, r: Array, o: Array, finite: NDArray[np.bool_]) -> None:
        place = tuple(slice(0, -(-n // s)) for n, s in zip(r.shape, self.steps, strict=True))
        inner = tuple(slice(None, None, step) for step in self.steps)
        cells = {name: array[place] for name, array in self.cells.items()}
        whole = bool(finite.all())
        if not whole:
            r, o = np.where(finite, r, 0.0), np.where(finite, o, 0.0)
        self._add_moments("", r, o, finite, cells, inner)
        coarse = any(step > 1 for step in self.steps)
        if coarse:
            self._add_moments("inner_", r[inner], o[inner], finite[inner], cells, (...,))
        else:
            for name in ("shift", *_SUMS):
                cells[f"inner_{name}"][...] = cells[name]
        error = np.abs(o - r)
        np.maximum(cells["largest"], self._reduced(np.maximum, error), out=cells["largest"])
        for name, values in (("", r), ("other_", o)):
            high = values if whole else np.where(finite, values, -np.inf)
            low = values if whole else np.where(finite, values, np.inf)
            tops, bottoms = self._reduced(np.maximum, high), self._reduced(np.minimum, low)
            if name:
                self._count_extremes(cells, "high", tops, high)
                self._count_extremes(cells, "low", bottoms, low)
            np.maximum(cells[f"{name}high"], tops, out=cells[f"{name}high"])
            np.minimum(cells[f"{name}low"], bottoms, out=cells[f"{name}low"])

    def _count_extremes(
        self, cells: dict[str, Array], end: str, extremes: Array, values: Array
    ) -> None:
        """Count in each cell the values of the other model that equal its extreme so far.

        A new extreme starts the count again. end: "high" or "low". extremes: of this input, one
        for each cell. values: of the other model, one for each element.
        """
        known, counts = cells[f"other_{end}"], cells[f"at_{end}"]
        is_new = extremes > known if end == "high" else extremes < known
        is_extreme = values == self._spread_out(extremes, values.shape)
        now = self._reduced(np.add, is_extreme.astype(np.float64))
        counts[...] = np.where(is_new, now, counts + np.where(extremes == known, now, 0.0))

    def _add_moments(
        self,
        prefix: str,
        r: Array,
        o: Array,
        finite: NDArray[np.bool_],
        cells: dict[str, Array],
        inner: tuple[Any, ...],
    ) -> None:
        """Add the sums of an input, as `_SUMS` names them, to the cells of a prefix.

        prefix: "" sums all elements of a cell, "inner_" takes its first element alone. r, o:
        values of the reference and of the other model, 0 where not finite. inner: where the
        first element of each cell lies in them.
        """
        shift = cells[f"{prefix}shift"]  # the first value of the reference that a cell had
        fresh = np.isnan(shift)
        if fresh.any():
            shift[fresh] = r[inner][fresh]
        around = shift if prefix else self._spread_out(shift, r.shape)
        moved, error = r - around, o - r
        if not finite.all():
            moved, error = np.where(finite, moved, 0.0), np.where(finite, error, 0.0)
        values = (
            finite.astype(np.float64),
            moved,
            moved * moved,
            error,
            error * error,
            moved * error,
        )
        for name, value in zip(_SUMS, values, strict=True):
            cells[prefix + name] += value if prefix else self._reduced(np.add, value)

    def _spread_out(self, cells: Array, shape: tuple[int, ...]) -> Array:
        """Return the number of each cell at each of its elements."""
        for axis, (step, length) in enumerate(zip(self.steps, shape, strict=True)):
            if step > 1:
                cells = np.repeat(cells, step, axis).take(range(length), axis)
        return cells

    def _reduced(self, operation: np.ufunc, values: Array) -> Array:
        """Return one number for each cell."""
        for axis, step in enumerate(self.steps):
            if step > 1:
                starts = np.arange(0, values.shape[axis], step)
                values = operation.reduceat(values, starts, axis=axis)
        return values

    def normalized(self, axis: int, mean: Array, scale: Array) -> PairedSums:
        """Return the sums of values in other units: (value − mean) / scale of each part."""
        shape = [1] * len(self.lengths)
        shape[axis] = -1
        mean, scale = mean.reshape(shape), scale.reshape(shape)
        powers = {"second": 2, "squares": 2, "product": 2, "count": 0}
        made = {}
        for name, array in self.cells.items():
            own = name.removeprefix("inner_")
            if own.startswith("at_"):
                made[name] = array
            elif own in ("shift", *_EMPTY):
                with np.errstate(invalid="ignore"):  # infinite in a cell without values
                    made[name] = (array - mean) / scale
            else:
                made[name] = array / scale ** powers.get(own, 1)
        return replace(self, cells=made)

    def folded(self, period: int) -> PairedSums:
        """Return the sums of a flat output as (batch, n, period); of (batch, −period, n) if
        that is negative. Its cells have to be single elements."""
        length = self.lengths[-1]
        rows = (length // period, period) if period > 0 else (-period, length // -period)
        batch = self.lengths[:-1]
        lengths, steps = (*batch, *rows), (1,) * (len(batch) + 2)
        made = {name: array.reshape(lengths) for name, array in self.cells.items()}
        return replace(self, lengths=lengths, steps=steps, cells=made, varied=frozenset())

    def parts(self, *axes: int) -> Parts:
        """Return the numbers of the parts along axes; of the whole for none."""
        others = tuple(a for a in range(len(self.lengths)) if a not in axes)
        sums = {name: self._totals(name, others) for name in ("", "inner_")}
        count, mean, square, error, squares, product = sums[""]
        safe = np.maximum(count, 1.0)
        variance = square / safe
        rms = squares / safe
        shift = error / safe
        other = np.maximum((square + 2 * product + squares) / safe - shift**2, 0.0)
        slope = np.divide(product, square, out=np.zeros_like(product), where=square > 0)
        explained = np.minimum(shift**2 + slope**2 * variance, rms)
        # Two fitted numbers explain a part of pure noise too.
        systematic = np.maximum(explained - 2 * (rms - explained) / safe, 0.0)
        within, other_within, cells = self._within(others)
        high, low = self.cells["other_high"], self.cells["other_low"]
        top, bottom = _over(np.max, high, others, True), _over(np.min, low, others, True)
        near = 1e-6 * np.where(np.isfinite(top), top - bottom, 0.0)
        return Parts(
            count,
            mean,
            np.sqrt(np.maximum(variance, 0.0)),
            within,
            np.sqrt(rms),
            shift,
            np.sqrt(systematic),
            _over(np.max, self.cells["largest"], others),
            _over(np.max, self.cells["high"], others),
            _over(np.min, self.cells["low"], others),
            np.sqrt(other),
            other_within,
            _over(np.max, high, others),
            _over(np.min, low, others),
            _over(np.sum, np.where(high >= top - near, self.cells["at_high"], 0.0), others),
            _over(np.sum, np.where(low <= bottom + near, self.cells["at_low"], 0.0), others),
            np.maximum(self.inputs * np.minimum(cells, _INDEPENDENT) - 1, 1.0),
        )

    def _totals(self, prefix: str, others: tuple[int, ...]) -> tuple[Array, ...]:
        """Return count, mean, and sums of squares around it, of errors, their squares and
        their product with the reference around its mean."""
        get = {name: self.cells[prefix + name] for name in ("shift", *_SUMS)}
        count, shift = get["count"], np.nan_to_num(get["shift"])
        total = _over(np.sum, count, others, True)
        safe, own = np.maximum(total, 1.0), np.maximum(count, 1.0)
        means = shift + get["first"] / own
        mean = _over(np.sum, count * means, others, True) / safe
        inside = np.maximum(get["second"] - get["first"] ** 2 / own, 0.0)
        square = _over(np.sum, inside + count * (means - mean) ** 2, others)
        product = _over(np.sum, get["product"] + (shift - mean) * get["error"], others)
        error = _over(np.sum, get["error"], others)
        squares = _over(np.sum, get["squares"], others)
        keep = _over(np.sum, count, others)
        return keep, mean.reshape(keep.shape), square, error, squares, product

    def _within(self, others: tuple[int, ...]) -> tuple[Array, Array, Array]:
        """Return the spreads over inputs at the same position of both, and how many cells."""
        get = {name: self.cells[f"inner_{name}"] for name in _SUMS}
        own = np.maximum(get["count"], 1.0)
        first = np.maximum(get["second"] - get["first"] ** 2 / own, 0.0)
        product = get["product"] - get["first"] * get["error"] / own
        error = np.maximum(get["squares"] - get["error"] ** 2 / own, 0.0)
        second = np.maximum(first + 2 * product + error, 0.0)
        seen = get["count"] > 1
        freedom = _over(np.sum, np.where(seen, get["count"] - 1, 0.0), others)
        cells = _over(np.sum, (get["count"] > 0) * 1.0, others)
        known = freedom > 0
        safe = np.maximum(freedom, 1.0)
        one, two = (
            np.where(
                known, np.sqrt(_over(np.sum, np.where(seen, s, 0.0), others) / safe), np.nan
            )
            for s in (first, second)
        )
        return one, two, cells

    def varies(self, parts: Parts) -> NDArray[np.bool_]:
        """Return which parts of the reference vary at all, beyond rounding."""
        peak = np.maximum(np.abs(parts.high), np.abs(parts.low))
        alive: NDArray[np.bool_] = parts.spread > _STEPS * self.digits * peak
        return alive


def _steps(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return how many neighbors are one cell: of the longest axes first."""
    steps = [1] * len(shape)

    def cells() -> list[int]:
        return [-(-n // step) for n, step in zip(shape, steps, strict=True)]

    while np.prod(cells(), dtype=np.float64) > MOST_CELLS:
        counts = cells()
        steps[counts.index(max(counts))] += 1
    return tuple(steps)


def _over(
    operation: Any, values: NDArray[Any], axes: tuple[int, ...], keep: bool = False
) -> Array:
    return np.asarray(operation(values, axis=axes, keepdims=keep) if axes else values)
