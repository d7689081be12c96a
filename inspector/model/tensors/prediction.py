"""A prediction: the values of the outputs and how long they took."""

import math
from collections.abc import Mapping

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from inspector.units import plural

# The first call of a session allocates memory and starts threads, the second still meets cold
# caches: neither is part of a warm latency, unless there is no third.
COLD_CALLS = 2
# Types of outputs that may be quantized; larger integers are ids and counts.
QUANTIZED_TYPES = frozenset(("int4", "uint4", "int8", "uint8", "int16", "uint16"))
UNDEFINED = "undefined"  # kind of an output whose value nothing defines: not to be compared
_PIECE = 1 << 15  # elements at once: 256 KiB of float64 stay in the cache of a core


class Statistics(Struct, frozen=True):
    """Of the finite elements of a tensor; `nan` and `infinite` count the others."""

    minimum: float
    maximum: float
    mean: float
    deviation: float
    nan: int
    infinite: int


class OutputValue(Struct, frozen=True, eq=False):
    """The value of one output.

    kind: as TensorInfo.kind, or UNDEFINED; `text` then says why. dtype: the model's own name
        of the type ("bfloat16"), even where the array had to be widened to float32 because
        numpy has no such type.
    array: the elements; (rows, columns) for a sequence of maps with equal keys; None when a
        value has no form as one array, then `text` tells it.
    keys: for maps, what the columns of `array` are about.
    parts: the tensors of a sequence whose shapes differ; `array` is None then.
    scale, zero_point: of an output that the model stores as integers of `dtype`. `array` then
        has the real numbers, scale * (integer - zero_point) in float32; `codes` the integers.
        A scale of 0: the output is not quantized.
    """

    name: str
    kind: str
    dtype: str
    array: NDArray[np.generic] | None
    keys: tuple[str, ...] = ()
    text: str = ""
    parts: tuple[NDArray[np.generic], ...] = ()
    scale: float = 0.0
    zero_point: int = 0

    @property
    def codes(self) -> NDArray[np.generic] | None:
        """Return the elements as the model gives them: integers where it is quantized."""
        if self.array is None or not self.scale:
            return self.array
        steps = np.rint(self.array.astype(np.float64) / self.scale) + self.zero_point
        return steps.astype(self.dtype)

    @property
    def value_type(self) -> str:
        """Return the type of the elements of `array`, by the model's name of it."""
        return "float32" if self.scale else self.dtype

    @property
    def type_text(self) -> str:
        """Return the type as text, with the scale of a quantized output."""
        if not self.scale:
            return self.dtype
        return f"{self.dtype} (scale {self.scale:.4g}, zero point {self.zero_point})"

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the lengths of the axes; () when there is no array."""
        return () if self.array is None else self.array.shape

    def statistics(self) -> Statistics | None:
        """Count and summarise; None for texts, for nothing, and when no element is finite."""
        array = self.array
        if array is None or array.dtype.kind not in "fiub" or not array.size:
            return None
        flat = array.reshape(-1)
        # In pieces that stay in the processor's cache, and so that no large copy is made.
        pieces = (flat[i : i + _PIECE].astype(np.float64) for i in range(0, len(flat), _PIECE))
        with np.errstate(over="ignore", invalid="ignore"):
            return _together(tuple(map(_of_piece, pieces)))


class Scale(Struct, frozen=True):
    """How integers stand for real numbers: scale * (integer - zero_point)."""

    scale: float
    zero_point: int = 0


def dequantized(codes: NDArray[np.generic], scale: Scale) -> NDArray[np.float32]:
    """Return the real numbers of integers, computed in float32 as the runtimes do."""
    steps = codes.astype(np.int32) - scale.zero_point
    values: NDArray[np.float32] = steps.astype(np.float32) * np.float32(scale.scale)
    return values


def with_scale(value: OutputValue, scales: Mapping[str, Scale]) -> OutputValue:
    """Return an output as real numbers by the scale that its name has; as it is where it has
    none, or where the runtime has made real numbers of it already."""
    scale, array = scales.get(value.name), value.array
    if scale is None or array is None or array.dtype.kind not in "iu":
        return value
    numbers = dequantized(array, scale)
    return replace(value, array=numbers, scale=scale.scale, zero_point=scale.zero_point)


class _Piece(Struct, frozen=True):
    """Of the finite elements: how many, their mean, the sum of squares around it."""

    count: int
    mean: float
    squares: float
    minimum: float
    maximum: float
    nan: int
    infinite: int


def _of_piece(values: NDArray[np.float64]) -> _Piece:
    nan = infinite = 0
    mean = float(values.mean())
    if not math.isfinite(mean):
        nan = int(np.isnan(values).sum())
        finite = values[np.isfinite(values)]
        infinite = values.size - finite.size - nan
        values = finite
        if not values.size:
            return _Piece(0, 0.0, 0.0, math.inf, -math.inf, nan, infinite)
        mean = float(values.mean())
    lowest, highest = float(values.min()), float(values.max())
    values -= mean
    np.square(values, out=values)
    return _Piece(len(values), mean, float(values.sum()), lowest, highest, nan, infinite)


def _square(value: float) -> float:
    return value * value  # infinite where ** would fail


def _together(pieces: tuple[_Piece, ...]) -> Statistics | None:
    """By the formula of Chan, Golub and LeVeque for variances of parts."""
    count = sum(piece.count for piece in pieces)
    if not count:
        return None
    near = next(piece.mean for piece in pieces if piece.count)  # so that equal ones stay exact
    mean = near + sum(p.count * (p.mean - near) for p in pieces) / count
    squares = sum(p.squares + p.count * _square(p.mean - mean) for p in pieces)
    return Statistics(
        min(piece.minimum for piece in pieces),
        max(piece.maximum for piece in pieces),
        mean,
        math.sqrt(squares / count),
        sum(piece.nan for piece in pieces),
        sum(piece.infinite for piece in pieces),
    )


class Prediction(Struct, frozen=True, eq=False):
    """The answer to one set of inputs.

    devices: ids of the devices whose provider the session really has, first choice first.
    load_ns: time to create the session; 0 when it was at hand from an earlier prediction.
    prediction_ns: this one call; over several steps, their sum. first_call_ns: the first call
    of its session with inputs of these shapes, 0 if not requested. warm_ns: latest calls from
    the third on, or the second one; empty where only the first was made; over several steps,
    the median of one step. session_load_ns: time to create the session, whenever that was.
    steps: calls that this answer took, one after the other, each with the states of the last.
    """

    outputs: tuple[OutputValue, ...]
    devices: tuple[str, ...]
    prediction_ns: int
    load_ns: int
    notes: tuple[str, ...] = ()
    first_call_ns: int = 0
    warm_ns: tuple[int, ...] = ()
    session_load_ns: int = 0
    steps: int = 1

    @property
    def warm_median_ns(self) -> int | None:
        """Return the warm latency; None where it is not known."""
        return int(np.median(self.warm_ns)) if self.warm_ns else None

    @property
    def cold_call_ns(self) -> int:
        """Return the length of the first call where it cost more than a warm one does; 0 where
        other programs made the warm ones longer, or where there was none."""
        warm = self.warm_median_ns
        return self.first_call_ns if warm is not None and self.first_call_ns > warm else 0

    @property
    def warm_label(self) -> str:
        """Return what the warm latency is: 'quick estimate, median of 10 warm runs'."""
        if self.steps > 1:
            count = self.steps - COLD_CALLS
            if count < 1:
                return "the last of few steps"
            return f"median of {plural(count, 'step')}, without the first {COLD_CALLS}"
        if len(self.warm_ns) == 1:
            return "quick estimate, one run after the first"
        return f"quick estimate, median of {len(self.warm_ns)} warm runs"
