"""Recognize layers that one of two models has folded into the weights of the layer before them.

A Conv followed by BatchNormalization computes the same as a Conv with other weights and a bias,
which is what runtimes and converters make of it. So does any scale or offset by channel. What
such layers do to the output is one factor and one offset by channel, by which the weights are
multiplied before they are compared.
"""

from collections.abc import Callable, Container

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from inspector.comparison.layer_pairs.families import family
from inspector.comparison.layer_pairs.model_graph import ModelGraph
from inspector.model.model import Layer, WeightInfo
from inspector.model.tensors.difference import Difference

Numbers = NDArray[np.float64]
ReadWhole = Callable[[WeightInfo], Numbers]  # values of a small weight, in its shape

# A weight is taken for a folded one where it differs from what folding gives by less than this
# share of itself: 4-bit weights reach 15 dB, other networks 3 dB.
_LEAST_SQNR_DB = 10.0
# Largest difference between folded weights that count as equal, in parts of the largest weight:
# a hundred roundings of the type.
_EQUAL = {"float64": 1e-6, "float32": 1e-5, "float16": 1e-2, "bfloat16": 1e-1}
_MOST_CHANNELS = 1 << 20
_MOST_LAYERS = 6  # behind a layer, that are folded into it
_FOLDABLE = {"Conv", "ConvTranspose", "MatMul"}  # families; Gemm is one of MatMul
CLAMPING = "QuantizeLinear"
_INTEGERS = {"int8", "uint8", "int16", "uint16"}  # zero points that are read
_DEFAULT_EPSILON = 1e-5  # of BatchNormalization, in the standard


class Affine(Struct, frozen=True):
    """What the layers behind a layer make of its output: output * factor + offset, by channel.

    layers: their indices. factor, offset: (channels,) or (1,). weights: names of the weights
    that went into them. axis: axis of the channels in the layer's weight.
    """

    axis: int
    factor: Numbers = field(default_factory=lambda: np.ones(1))
    offset: Numbers = field(default_factory=lambda: np.zeros(1))
    layers: tuple[int, ...] = ()
    weights: tuple[str, ...] = ()


class Fold(Struct, frozen=True):
    """A layer that one model has and the other one has in the weights of another layer.

    into: operator that has it now. difference: of the weights after folding, largest one; None
    where an activation became an attribute, or is what a quantization does anyway.
    """

    into: str
    difference: Difference | None
    equal: bool


def foldable(layer: Layer) -> bool:
    """Return whether a scale by channel can be folded into a layer's weights."""
    return family(layer.operator) in _FOLDABLE


def behind(
    graph: ModelGraph, index: int, weight: WeightInfo, matched: Container[int], read: ReadWhole
) -> Affine | None:
    """Return what the layers behind a layer that only this model has make of its output.

    None where the layer has no channels that weights could be folded into. weight: its weight.
    Raises InspectorError: a constant cannot be read.
    """
    layer = graph.model.layers[index]
    channels = _channels(layer, weight)
    if channels is None:
        return None
    axis, count = channels
    affine, current = Affine(axis), index
    while len(affine.layers) < _MOST_LAYERS:
        following = only_reader(graph, current)
        if following is None or following in matched:
            break
        step = _step(graph, following, current, (layer, weight, count), read)
        if step is None:
            break
        factor, offset, names = step
        affine = Affine(
            axis,
            affine.factor * factor,
            affine.offset * factor + offset,
            (*affine.layers, following),
            (*affine.weights, *names),
        )
        current = following
    return affine


def only_reader(graph: ModelGraph, index: int) -> int | None:
    """Return the one layer that reads a layer's output; None for none or several."""
    layer = graph.model.layers[index]
    readers = {reader for reader, _ in graph.readers.get(index, ())}
    if len(readers) != 1 or any(name in graph.output_places for name in layer.outputs):
        return None
    return next(iter(readers))


def is_activation_of(graph: ModelGraph, index: int, fused: Layer) -> bool:
    """Return whether a layer is the activation that a fused layer names as an attribute."""
    names = {a.text for a in fused.attributes if a.name == "activation"}
    return graph.model.layers[index].operator in names


def clamping_layer(graph: ModelGraph, index: int, read: ReadWhole) -> Layer | None:
    """Return the only reader of a layer where it stores no value below 0: a quantization whose
    zero point is the least integer of its type. What a Relu does before it changes nothing.
    Raises InspectorError: the zero point cannot be read."""
    reader = only_reader(graph, index)
    layer = graph.model.layers[reader] if reader is not None else None
    if layer is None or layer.operator != CLAMPING:
        return None
    name = (*layer.inputs, "", "", "")[2]
    zero = graph.weights.get(name)
    if zero is None:  # the standard's default is the zero of uint8; other types name one
        return layer if not name else None
    if zero.dtype not in _INTEGERS:
        return None
    return layer if np.all(read(zero) == np.iinfo(zero.dtype).min) else None


def is_folded(weights: Difference, bias: Difference) -> bool:
    """Return whether one model's weights are what folding makes of the other's."""
    return all(_sqnr(part) >= _LEAST_SQNR_DB for part in (weights, bias))


def is_equal(weights: Difference, bias: Difference) -> bool:
    """Return whether weights after folding differ by rounding at most."""
    for part in (weights, bias):
        limits = [_EQUAL.get(t) for t in (part.reference_dtype, part.other_dtype)]
        known = [limit for limit in limits if limit is not None]
        if not known or part.relative is None or part.relative > max(known):
            return False
    return True


def _sqnr(part: Difference) -> float:
    if part.max_abs == 0:
        return np.inf
    return -np.inf if part.sqnr_db is None or part.unmatched else part.sqnr_db


def _channels(layer: Layer, weight: WeightInfo) -> tuple[int, int] | None:
    """Return the axis of the output channels in a weight, and how many there are."""
    attributes = {a.name: a.text for a in layer.attributes}
    kind, shape = family(layer.operator), weight.shape
    if len(shape) < 2:
        return None
    if kind == "Conv":
        axis = 0
    elif kind == "ConvTranspose":
        if attributes.get("group", "1") != "1":
            return None
        axis = 1
    else:
        if attributes.get("alpha", "1") != "1" or attributes.get("beta", "1") != "1":
            return None
        axis = 0 if attributes.get("transB", "0") == "1" else len(shape) - 1
    return (axis, shape[axis]) if 0 < shape[axis] <= _MOST_CHANNELS else None


def _step(
    graph: ModelGraph,
    index: int,
    source: int,
    root: tuple[Layer, WeightInfo, int],
    read: ReadWhole,
) -> tuple[Numbers, Numbers, tuple[str, ...]] | None:
    """Return factor and offset of one layer, and its weights; None where it is none of these.

    source: the layer before it. root: the layer to fold into, its weight and its channels.
    """
    layer, count = graph.model.layers[index], root[2]
    if layer.operator == "BatchNormalization":
        return _normalization(graph, layer, root, read)
    if layer.operator not in ("Mul", "Div", "Add", "Sub") or len(layer.inputs) != 2:
        return None
    places = [place for place, maker in enumerate(graph.makers[index]) if maker == source]
    constant = graph.weights.get(layer.inputs[1 - places[0]]) if len(places) == 1 else None
    if constant is None or constant.elements > count:
        return None
    values = _by_channel(read(constant), root)
    if values is None or values.size not in (1, count):
        return None
    first = places[0] == 0
    one, zero, names = np.ones(1), np.zeros(1), (constant.name,)
    if layer.operator == "Mul":
        return values, zero, names
    if layer.operator == "Add":
        return one, values, names
    if layer.operator == "Sub":
        return (one, -values, names) if first else (-one, values, names)
    return (1 / values, zero, names) if first and np.all(values) else None


def _normalization(
    graph: ModelGraph, layer: Layer, root: tuple[Layer, WeightInfo, int], read: ReadWhole
) -> tuple[Numbers, Numbers, tuple[str, ...]] | None:
    attributes = {a.name: a.text for a in layer.attributes}
    constants = [graph.weights.get(name) for name in layer.inputs[1:5]]
    known = [c for c in constants if c is not None and c.elements == root[2]]
    if (
        len(known) != 4
        or root[0].operator == "MatMul"
        or attributes.get("training_mode", "0") != "0"
    ):
        return None
    scale, bias, mean, variance = (read(constant).reshape(-1) for constant in known)
    try:
        epsilon = float(attributes.get("epsilon", _DEFAULT_EPSILON))
    except ValueError:
        return None
    if not np.all(variance + epsilon > 0):
        return None
    factor = scale / np.sqrt(variance + epsilon)
    return factor, bias - mean * factor, tuple(constant.name for constant in known)


def _by_channel(values: Numbers, root: tuple[Layer, WeightInfo, int]) -> Numbers | None:
    """Return a constant as one value for each channel; None where it has another shape."""
    if values.size == 1:
        return values.reshape(1)
    layer, weight, _ = root
    # Channels are the second axis behind a convolution, and the last one behind a product.
    inner = 0 if family(layer.operator) == "MatMul" else len(weight.shape) - 2
    place = values.ndim - 1 - inner
    if place < 0 or any(n != 1 for at, n in enumerate(values.shape) if at != place):
        return None
    return values.reshape(-1)
