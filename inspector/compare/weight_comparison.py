"""Compare the weights of two models as their layers read them, piece by piece.

A weight that one model stores quantized is compared as the real numbers it stands for.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inspector.compare.alignment import CONVERSIONS, family
from inspector.compare.model_changes import (
    Change,
    State,
    WeightPair,
    weight_text,
    weight_texts,
)
from inspector.compare.model_matching import Matches, ModelGraph
from inspector.errors import InspectorError
from inspector.model.model import Layer, WeightInfo
from inspector.tensors.difference import difference_of_pieces

Values = NDArray[np.generic]
Read = Callable[[WeightInfo], Iterator[Values]]  # flat pieces of a weight, in order
Progress = Callable[[float], None]  # share of the weights that is compared, 0 to 1

_MOST_SCALES = 1_000_000  # elements of a tensor of scales, which is read as a whole
_MOST_STEPS = 4  # Q, DQ and casts between a layer and its weight
# Where quantized operators have weight, scale and zero point, by the float operator's place.
# Source: the operators' schemas in ONNX and in ONNX Runtime's docs/ContribOperators.md.
_QUANTIZED_INPUTS: dict[str, dict[int, tuple[int, ...]]] = {
    "QLinearConv": {1: (3, 4, 5), 2: (8,)},
    "QLinearMatMul": {1: (3, 4, 5)},
    "QGemm": {1: (3, 4, 5), 2: (6,)},
}
# Names of inputs that are weights, by family of operators; Gemm is one of MatMul.
_ROLES = {
    "Conv": {1: "weights", 2: "bias"},
    "ConvTranspose": {1: "weights", 2: "bias"},
    "MatMul": {1: "weights", 2: "bias"},
    "LayerNormalization": {1: "scale", 2: "bias"},
    "BatchNormalization": {1: "scale", 2: "bias", 3: "mean", 4: "variance"},
}


@dataclass(frozen=True, slots=True)
class _Argument:
    """A weight as a layer reads it: scale and zero point where it is stored quantized."""

    weight: WeightInfo
    scale: WeightInfo | None = None
    zero_point: WeightInfo | None = None
    axis: int = 1


class WeightComparison:
    """Compares weights as matched layers read them, each pair once."""

    def __init__(
        self,
        a: ModelGraph,
        b: ModelGraph,
        read_first: Read | None,
        read_other: Read | None,
        progress: Progress,
    ) -> None:
        self._sides = a, b
        self._read = read_first, read_other
        self._progress, self._done = progress, 0
        self._bytes = max(1, sum(w.size_bytes or 0 for w in a.model.weights))
        self.pairs: dict[tuple[str, str], WeightPair] = {}
        self._used: tuple[set[str], set[str]] = (set(), set())

    def changes_of(
        self, one: int, two: int, matched: tuple[dict[int, tuple[int, str]], Matches]
    ) -> Iterator[Change]:
        """Yield how the weights of two layers differ."""
        a, b = self._sides
        first, other = a.model.layers[one], b.model.layers[two]
        ours = self._arguments(a, first, matched[0], other.operator)
        theirs = self._arguments(b, other, matched[1], first.operator)
        for place in sorted({*ours, *theirs}):
            yield from self._change(_role(first, place), ours.get(place), theirs.get(place))
        tensors = a.attribute_weights.get(one, {}), b.attribute_weights.get(two, {})
        for name in dict.fromkeys((*tensors[0], *tensors[1])):
            sides = [of.get(name) for of in tensors]
            yield from self._change(name, *(_Argument(w) if w else None for w in sides))

    def _arguments(
        self,
        graph: ModelGraph,
        layer: Layer,
        matched: dict[int, tuple[int, str]],
        other_operator: str,
    ) -> dict[int, _Argument]:
        """Return the weights of a layer by the place of the input."""
        quantized = (
            _QUANTIZED_INPUTS.get(layer.operator) if other_operator != layer.operator else None
        )
        if quantized is not None:
            given = {place: _given(graph, layer, of) for place, of in quantized.items()}
            return {p: _Argument(*each, axis=0) for p, each in given.items() if each}
        arguments = {}
        for place, name in enumerate(layer.inputs):
            weight = graph.weights.get(name)
            if weight is not None:
                arguments[place] = _Argument(weight)
            elif name:
                behind = _behind_conversions(graph, layer, name, matched)
                if behind is not None:
                    arguments[place] = behind
        return arguments

    def _change(
        self, role: str, one: _Argument | None, two: _Argument | None
    ) -> Iterator[Change]:
        if one is None or two is None:
            alone = one or two
            assert alone is not None, "one side has it"
            text = weight_text(alone.weight)
            yield Change("weight", role, text if one else "", text if two else "")
            return
        key = one.weight.name, two.weight.name
        if key not in self.pairs:
            self.pairs[key] = self._compared(one, two)
            for used, argument in zip(self._used, (one, two), strict=True):
                used.add(argument.weight.name)
        pair = self.pairs[key]
        if pair.state is State.CHANGED:
            texts = weight_texts(one.weight, two.weight)
            yield Change("weight", role, *texts, pair.difference, pair.problem)

    def _compared(self, one: _Argument, two: _Argument) -> WeightPair:
        first, other = one.weight, two.weight
        self._done += first.size_bytes or 0
        self._progress(min(1.0, self._done / self._bytes))
        plain = first.dtype == other.dtype and one.scale is None and two.scale is None
        if first.shape != other.shape:
            return WeightPair(first, other, State.CHANGED)
        state = State.SAME if plain else State.CHANGED
        reads = self._read
        if reads[0] is None or reads[1] is None:
            return WeightPair(first, other, state)
        try:
            if plain and _equal(reads[0](first), reads[1](other)):
                return WeightPair(first, other, State.SAME)
            if not plain and not (_is_real(one) and _is_real(two)):
                return WeightPair(first, other, state)
            if first.dtype == "string":
                return WeightPair(first, other, State.CHANGED)
            result = difference_of_pieces(
                lambda: _pieces(_real(reads[0], one), _real(reads[1], two)),
                first.shape,
                (first.dtype, other.dtype),
                8 if "64" in first.dtype + other.dtype else 4,
            )
        except InspectorError as error:
            return WeightPair(first, other, state, problem=error.why or error.what)
        return WeightPair(first, other, State.CHANGED, result)

    def match_rest(self, different: bool) -> None:
        """Pair what no matched layer reads by name; the rest is new or gone."""
        a, b = self._sides
        sides = [
            {w.name: w for w in graph.model.weights if w.name not in used}
            for graph, used in zip((a, b), self._used, strict=True)
        ]
        for name, weight in sides[0].items():
            if name in sides[1] and not different:
                other = sides[1].pop(name)
                self.pairs[name, name] = self._compared(_Argument(weight), _Argument(other))
            else:
                self.pairs[name, ""] = WeightPair(weight, None, State.GONE)
        for name, weight in sides[1].items():
            self.pairs["", name] = WeightPair(None, weight, State.NEW)


def _given(
    graph: ModelGraph, layer: Layer, places: tuple[int, ...]
) -> tuple[WeightInfo, WeightInfo | None, WeightInfo | None] | None:
    """Return weight, scale and zero point at these inputs of a layer; None without weight."""
    names = [layer.inputs[p] if p < len(layer.inputs) else "" for p in places]
    weight, *rest = [graph.weights.get(name) for name in names]
    scale, zero_point = (*rest, None, None)[:2]
    return None if weight is None else (weight, scale, zero_point)


def _behind_conversions(
    graph: ModelGraph, layer: Layer, name: str, matched: dict[int, tuple[int, str]]
) -> _Argument | None:
    """Return the weight that a layer reads through conversions of its own side alone."""
    for _ in range(_MOST_STEPS):
        maker = graph.maker(name, layer)
        if maker is None or maker in matched:
            return None
        layer = graph.model.layers[maker]
        if layer.operator not in CONVERSIONS or not layer.inputs:
            return None
        name = layer.inputs[0]
        weight = graph.weights.get(name)
        if weight is None:
            continue
        if layer.operator != "DequantizeLinear":
            return _Argument(weight)
        given = _given(graph, layer, (0, 1, 2))
        axes = [int(a.text) for a in layer.attributes if a.name == "axis"]
        return _Argument(*given, axis=axes[0] if axes else 1) if given is not None else None
    return None


def _role(layer: Layer, place: int) -> str:
    """Return the name of an input that is a weight."""
    return _ROLES.get(family(layer.operator), {}).get(place, f"input {place + 1}")


def _is_real(argument: _Argument) -> bool:
    """Return whether its values can be compared as real numbers."""
    weight, scale = argument.weight, argument.scale
    if scale is None:
        return weight.dtype.startswith(("float", "bfloat"))
    return scale.elements <= _MOST_SCALES and len(scale.shape) <= 1


def _real(read: Read | None, argument: _Argument) -> Iterator[Values]:
    """Yield values, dequantized where they are stored with a scale."""
    assert read is not None, "values are compared only where they can be read"
    weight = argument.weight
    if argument.scale is None:
        yield from read(weight)
        return
    scale = np.concatenate([*read(argument.scale)]).astype(np.float64)
    zero = np.zeros(1)
    if argument.zero_point is not None:
        zero = np.concatenate([*read(argument.zero_point)]).astype(np.float64)
    axis = argument.axis % max(1, len(weight.shape))
    inner = int(np.prod(weight.shape[axis + 1 :]))
    start = 0
    for piece in read(weight):
        channel = np.arange(start, start + piece.size) // inner
        start += piece.size
        zeros, scales = zero[channel % zero.size], scale[channel % scale.size]
        yield (piece.astype(np.float64) - zeros) * scales


def _pieces(
    first: Iterator[Values], other: Iterator[Values]
) -> Iterator[tuple[Values, Values]]:
    """Yield equally long pieces of both."""
    rest: list[Values] = [np.empty(0), np.empty(0)]
    sides = first, other
    while True:
        for side in (0, 1):
            if not rest[side].size:
                rest[side] = next(sides[side], np.empty(0))
        length = min(rest[0].size, rest[1].size)
        if not length:
            return
        yield rest[0][:length], rest[1][:length]
        rest = [each[length:] for each in rest]


def _equal(first: Iterator[Values], other: Iterator[Values]) -> bool:
    """Return whether two weights have the same bytes, up to the first that differ."""
    for one, two in _pieces(first, other):
        if one.dtype == object:
            if one.tolist() != two.tolist():
                return False
        elif not np.array_equal(
            np.ascontiguousarray(one).view(np.uint8), np.ascontiguousarray(two).view(np.uint8)
        ):
            return False
    return True
