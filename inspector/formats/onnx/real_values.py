"""Quantized weights as the real numbers they stand for, with scale and zero point."""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from inspector.errors import UnreadableFile
from inspector.formats.onnx import weight_values
from inspector.formats.onnx.weight_values import Stamps, Values
from inspector.model.model import Layer, Model, WeightInfo
from inspector.model.tensors.expansion import (
    PACKED_INPUTS,
    Expansion,
    computed,
    expansions,
    packed_weight,
)

Numbers = NDArray[np.float32]
Read = Callable[[WeightInfo], Values]

# Inputs that hold weight, scale and zero point. Source: the operators' schemas in ONNX and in
# ONNX Runtime's docs/ContribOperators.md.
_INPUTS = {
    "DequantizeLinear": (0, 1, 2),
    "QLinearConv": (3, 4, 5),
    "QLinearMatMul": (3, 4, 5),
    "QGemm": (3, 4, 5),
    "DynamicQuantizeMatMul": (1, 2, 3),
    "MatMulNBits": (1, 2, 3),
    "MatMulBnb4": (1, 2),
    "GatherBlockQuantized": (0, 2, 3),
}


class Quantized(Struct, frozen=True):
    """Where scale and zero point of a weight are. layer: the one that reads all three.

    axis: along which scales differ, None for one scale; block: elements that share one.
    expansion: how several layers compute the weight; then `scale` is the weight itself.
    """

    layer: Layer
    weight: WeightInfo
    scale: WeightInfo
    zero_point: WeightInfo | None
    axis: int | None
    block: int
    expansion: Expansion | None = None
    weights: Mapping[str, WeightInfo] = field(default_factory=dict)


class RealValues(Struct, frozen=True, eq=False):
    """Real numbers of a weight: scale * (stored - zero point).

    values: float32; of MatMulNBits and MatMulBnb4 with one row for each output. scale: float32.
    zero_point: of the shape of `scale`; None for zero. text: which elements share a scale.
    looked_up: whether what is stored are numbers of values in a table, which the scale
    multiplies.
    """

    values: Numbers
    scale: Numbers
    zero_point: Numbers | None
    text: str
    looked_up: bool = False


def quantized(model: Model, index: int) -> Quantized | None:
    """Return scale and zero point of a weight, where the file has them; None for plain ones."""
    weight = model.weights[index]
    weights = {each.name: each for each in model.weights}
    for layer in model.layers:
        if weight.name not in layer.inputs or layer.operator not in _INPUTS:
            continue
        places = _INPUTS[layer.operator]
        names = (*layer.inputs, "", "", "", "", "", "")
        scale = weights.get(names[places[1]])
        if names[places[0]] != weight.name or scale is None:
            continue
        zero = weights.get(names[places[2]]) if len(places) > 2 else None
        axis, block = _axis(layer, weight, scale)
        return Quantized(layer, weight, scale, zero, axis, block)
    for found in expansions(model).values():
        if found.codes.name == weight.name and found.scale:
            layer = found.layers[-1]
            return Quantized(layer, weight, weight, None, None, 0, found, weights)
    return None


def _axis(layer: Layer, weight: WeightInfo, scale: WeightInfo) -> tuple[int | None, int]:
    """Return the axis along which scales differ, and the elements of a block."""
    rank = len(weight.shape)
    if layer.operator in PACKED_INPUTS:
        return 1, _number(layer, "block_size", 32)
    if scale.elements <= 1:
        return None, 0
    axes = {
        "DequantizeLinear": _number(layer, "axis", 1),
        "QLinearConv": 0,
        "QGemm": 0 if _number(layer, "transB", 0) else 1,
    }
    axis = axes.get(layer.operator, rank - 1)
    return axis % max(1, rank), _number(layer, "block_size", 0)


def _number(layer: Layer, name: str, default: int) -> int:
    text = next((each.text for each in layer.attributes if each.name == name), "")
    return int(text) if text.lstrip("-").isdecimal() else default


def real_values(
    path: Path, found: Quantized, limit_bytes: int, stamps: Stamps | None = None
) -> RealValues:
    """Read a quantized weight as real numbers. Raises UnreadableFile, also over the limit."""

    def read(weight: WeightInfo) -> Values:
        return weight_values.tensor(path, weight, limit_bytes, stamps)

    try:
        if found.expansion is not None:
            expansion = found.expansion
            made = computed(expansion, found.weights, read)
            scale = made[expansion.scale].astype(np.float32)
            text = "per channel" if scale.size > 1 else "per tensor"
            if sum(length > 1 for length in scale.shape) > 1:
                text = f"per block of {found.weight.elements // scale.size}"
            scales = scale[..., 0] if scale.ndim > 1 and scale.shape[-1] == 1 else scale
            looked_up = any(layer.operator == "Gather" for layer in expansion.layers)
            values = made[expansion.value].astype(np.float32)
            return RealValues(values, scales, None, text, looked_up)
        if found.layer.operator in PACKED_INPUTS:
            return _blocked(found, read)
        stored = read(found.weight).astype(np.float32)
        scale = read(found.scale).astype(np.float32)
        zero = None if found.zero_point is None else read(found.zero_point).astype(np.float32)
        text = "per tensor"
        if found.axis is not None:
            text = f"per channel, along axis {found.axis}"
        if found.block:
            text = f"per block of {found.block}, along axis {found.axis}"
        if zero is not None:
            stored = (stored - _spread(zero, found, stored.shape)).reshape(stored.shape)
        values = (stored * _spread(scale, found, stored.shape)).reshape(stored.shape)
        return RealValues(values, scale, zero, text)
    except (ValueError, IndexError) as error:
        what = f"Could not compute the real values of '{found.weight.name[:80]}'"
        why = f"its scale or zero point has a shape that does not fit ({error})"
        raise UnreadableFile(what, why) from error


def _spread(parameter: Numbers, found: Quantized, shape: tuple[int, ...]) -> Numbers:
    """Return scales or zero points in a shape that fits that of the weight."""
    axis = found.axis
    if axis is None or parameter.size == 1:
        return parameter.reshape(-1)[:1]
    if found.block:
        repeated = np.repeat(parameter, found.block, axis=axis)
        return np.take(repeated, range(shape[axis]), axis=axis)
    return parameter.reshape([-1 if place == axis else 1 for place in range(len(shape))])


def _blocked(found: Quantized, read: Read) -> RealValues:
    zero = None if found.zero_point is None else read(found.zero_point)
    unpacked = packed_weight(
        found.layer, found.weight.dtype, (read(found.weight), read(found.scale), zero)
    )
    text = f"per block of {unpacked.block}"
    if found.layer.operator != "GatherBlockQuantized":
        text = f"{text}; rows are outputs"
    zeros = None if unpacked.zeros is None else unpacked.zeros.astype(np.float32)
    scales = unpacked.scales.astype(np.float32)
    values, looked_up = unpacked.values.astype(np.float32), found.layer.operator == "MatMulBnb4"
    return RealValues(values, scales, zeros, text, looked_up)
