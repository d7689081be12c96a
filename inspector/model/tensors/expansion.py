"""Weights that layers compute from stored codes, scales and tables, as numbers.

Operators: those of ONNX that compressed weights are expanded by, and Core ML's constexpr
operations. Sources: ONNX's Operators.md, ONNX Runtime's ContribOperators.md, and
coremltools/converters/mil/mil/ops/defs/iOS18/compression.py.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from inspector.model.model import ITEM_BITS, Layer, Model, WeightInfo

Values = NDArray[Any]
Read = Callable[[WeightInfo], Values]
_Attributes = Mapping[str, str]
_Operation = Callable[[Sequence[Values | None], _Attributes], tuple[Values, ...]]

_MOST_BITS = 8  # of a stored code
_LEAST_ELEMENTS = 64  # of codes: with fewer, constants that were not folded are meant
# Alone, they do not make a weight another one than a layer that quantizes would.
_PLAIN = {"Cast", "QuantizeLinear", "DequantizeLinear", "Identity", "constexpr_cast"}
# Operators that multiply by a scale.
_SCALED = (
    "Mul", "DequantizeLinear", "constexpr_blockwise_shift_scale", "constexpr_affine_dequantize",
)  # fmt: skip
MOST_BYTES = 1 << 31  # of an expanded weight, which is held as a whole
NF4 = 1  # "quant_type" of MatMulBnb4
# The 16 values of NF4: Dettmers et al., "QLoRA", 2023, appendix E.
NF4_VALUES = np.asarray(
    [
        -1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453,
        -0.28444138169288635, -0.18477343022823334, -0.09105003625154495, 0.0,
        0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
        0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0,
    ],
    np.float32,
)  # fmt: skip
# Its 4-bit floats. Source: ONNX Runtime's blockwise_quant_block_bnb4.h.
_FP4_POSITIVE = (0.0, 1 / 192, 8 / 12, 1.0, 4 / 12, 6 / 12, 2 / 12, 3 / 12)
_FP4_VALUES = np.asarray([*_FP4_POSITIVE, *(-value for value in _FP4_POSITIVE)], np.float32)
# Of operators that read a weight in blocks: the inputs with codes, scales and zero points.
PACKED_INPUTS = {
    "MatMulNBits": (1, 2, 3),
    "MatMulBnb4": (1, 2),
    "GatherBlockQuantized": (0, 2, 3),
}


class Expansion(NamedTuple):
    """A weight that layers compute.

    value: that it is read as. layers: in the order of their work. codes: the largest stored
    tensor that goes in. parts: names of all of them. scale: name of the value that the codes
    are multiplied by, "" where there is none.
    """

    value: str
    layers: tuple[Layer, ...]
    codes: WeightInfo
    parts: tuple[str, ...]
    scale: str = ""


def expansions(model: Model) -> dict[str, Expansion]:
    """Return the weights of the main graph that layers compute from smaller ones, by value."""
    weights = {weight.name: weight for weight in model.weights}
    chains: dict[str, tuple[dict[int, Layer], set[str], str]] = {}
    for layer in model.layers:
        names = [name for name in layer.inputs if name]
        constant = all(name in weights or name in chains for name in names)
        if layer.parent is not None or not names or not constant:
            continue
        if layer.operator not in _OPERATIONS:
            continue
        layers, parts, scale = dict[int, Layer](), set[str](), ""
        for name in names:
            before = chains.get(name)
            layers |= before[0] if before else {}
            parts |= before[1] if before else {name}
            scale = scale or (before[2] if before else "")
        layers[layer.index] = layer
        if layer.operator in _SCALED and len(names) > 1:
            scale = names[1]
        for output in layer.outputs:
            chains[output] = layers, parts, scale
    inside = {index for layers, _, _ in chains.values() for index in layers}
    read = {name for each in model.layers if each.index not in inside for name in each.inputs}
    found = {}
    for value, (layers, parts, scale) in chains.items():
        codes = max((weights[name] for name in parts), key=_weight_of)
        bits = ITEM_BITS.get(codes.dtype, 64)
        expanding = any(not _is_plain(layer, weights) for layer in layers.values())
        is_small = bits <= _MOST_BITS and codes.dtype != "bool"
        if value in read and expanding and is_small and codes.elements >= _LEAST_ELEMENTS:
            order = tuple(layers[index] for index in sorted(layers))
            found[value] = Expansion(value, order, codes, tuple(sorted(parts)), scale)
    return found


def _weight_of(tensor: WeightInfo) -> tuple[bool, int]:
    """Return what tells codes from masks and scales: what the file says, or their number."""
    return tensor.compression is not None, tensor.elements


def _is_plain(layer: Layer, weights: Mapping[str, WeightInfo]) -> bool:
    """Return whether a layer changes the type alone, with a scale for each channel at most."""
    if layer.operator == "DequantizeLinear":
        scale = weights.get(layer.inputs[1]) if len(layer.inputs) > 1 else None
        return scale is not None and len(scale.shape) <= 1
    return layer.operator in _PLAIN


def expanded(expansion: Expansion, weights: Mapping[str, WeightInfo], read: Read) -> Values:
    """Return the values that the layers compute. Raises UnreadableFile, ValueError: the layers
    do not fit their inputs."""
    return computed(expansion, weights, read)[expansion.value]


def computed(
    expansion: Expansion, weights: Mapping[str, WeightInfo], read: Read
) -> dict[str, Values]:
    """Return all values on the way of an expansion, by name."""
    values = {name: read(weights[name]) for name in expansion.parts}
    for layer in expansion.layers:
        inputs = [values[name] if name else None for name in layer.inputs]
        attributes = {each.name: each.text for each in layer.attributes}
        try:
            outputs = _OPERATIONS[layer.operator](inputs, attributes)
        except (IndexError, KeyError, TypeError) as error:
            raise ValueError(f"{layer.operator} does not fit its inputs: {error}") from error
        values.update(zip(layer.outputs, outputs, strict=False))
    return values


def dequantized_blocks(
    codes: Values, scales: Values, zeros: Values | None, axis: int, block: int
) -> Values:
    """Return scale × (code − zero point), each for `block` codes along an axis."""
    length = codes.shape[axis]

    def spread(parameter: Values) -> Values:
        repeated = np.repeat(parameter.astype(np.float32), block, axis=axis)
        return np.take(repeated, range(length), axis=axis)

    wide = codes.astype(np.float32)
    wide = wide if zeros is None else wide - spread(zeros)
    result: Values = wide * spread(scales)
    return result


def _whole(attributes: _Attributes, name: str, default: int) -> int:
    return int(attributes.get(name, default))


def _list(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def _cast(x: Sequence[Any], own: _Attributes) -> tuple[Values, ...]:
    name = own.get("to", own.get("output_dtype", "float32"))
    known = {
        "float8e4m3fn": "float8_e4m3fn",
        "float8e5m2": "float8_e5m2",
        "bfloat16": "bfloat16",
    }
    return (x[0].astype(np.dtype(getattr(ml_dtypes, known[name]) if name in known else name)),)


def _gather(x: Sequence[Any], own: _Attributes) -> tuple[Values, ...]:
    return (np.take(x[0], x[1].astype(np.int64), axis=_whole(own, "axis", 0)),)


def _reshape(x: Sequence[Any], own: _Attributes) -> tuple[Values, ...]:
    wanted = [int(n) for n in x[1]]
    if not _whole(own, "allowzero", 0):
        wanted = [n or x[0].shape[place] for place, n in enumerate(wanted)]
    return (x[0].reshape(wanted),)


def _slice(x: Sequence[Any], own: _Attributes) -> tuple[Values, ...]:
    starts, ends = x[1].ravel(), x[2].ravel()
    axes = x[3].ravel() if len(x) > 3 and x[3] is not None else range(len(starts))
    steps = x[4].ravel() if len(x) > 4 and x[4] is not None else [1] * len(starts)
    places = [slice(None)] * x[0].ndim
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        places[int(axis)] = slice(int(start), int(end), int(step))
    return (x[0][tuple(places)],)


def _transpose(x: Sequence[Any], own: _Attributes) -> tuple[Values, ...]:
    return (np.transpose(x[0], _list(own["perm"]) if own.get("perm") else None),)


def _dequantize(x: Sequence[Any], own: _Attributes) -> tuple[Values, ...]:
    zeros = x[2] if len(x) > 2 else None
    axis, block = _whole(own, "axis", 1), _whole(own, "block_size", 0)
    if block:
        return (dequantized_blocks(x[0], x[1], zeros, axis, block),)
    shape = [1] * x[0].ndim
    if x[1].size > 1:
        shape[axis] = -1
    wide = x[0].astype(np.float32)
    wide = wide if zeros is None else wide - zeros.astype(np.float32).reshape(shape)
    return (wide * x[1].astype(np.float32).reshape(shape),)


class PackedWeight(NamedTuple):
    """A weight as numbers, with the scales and zero points of its blocks.

    values: of a matrix product with one row for each output. block: codes that share a scale.
    """

    values: Values
    scales: Values
    zeros: Values | None
    block: int


def packed_weight(layer: Layer, dtype: str, inputs: Sequence[Values | None]) -> PackedWeight:
    """Return the weight that an operator of `PACKED_INPUTS` reads.

    dtype: of the codes in the file. inputs: codes, scales and zero points, None where the layer
    has none. Raises ValueError.
    """
    own = {each.name: each.text for each in layer.attributes}
    codes, scales, zeros = (*inputs, None)[:3]
    if codes is None or scales is None:
        raise ValueError("codes or scales are missing")
    if layer.operator == "GatherBlockQuantized":
        bits = _whole(own, "bits", 4) if dtype == "uint8" else 0
        return _embedding(codes, scales, zeros, own, bits)
    block, length = _whole(own, "block_size", 32), _whole(own, "K", 0)
    if layer.operator == "MatMulBnb4":
        table = NF4_VALUES if _whole(own, "quant_type", NF4) == NF4 else _FP4_VALUES
        rows = _whole(own, "N", 0)
        places = unpacked(codes.reshape(-1, 1), 4)[:, ::-1].ravel()[: rows * length]
        spread = np.repeat(scales.ravel().astype(np.float32), block)[: places.size]
        values = (table[places] * spread).reshape(rows, length)
        return PackedWeight(values, scales.ravel(), None, block)
    bits, rows, blocks = _whole(own, "bits", 4), codes.shape[0], -(-length // block)
    if bits not in (2, 4, _MOST_BITS):
        raise ValueError(f"{bits} bits are not supported")
    numbers = unpacked(codes.astype(np.uint8).reshape(rows, -1), bits)[:, :length]
    scales = scales.astype(np.float32).reshape(rows, blocks)
    if zeros is None:
        zeros = np.full_like(scales, 1 << (bits - 1))
    elif zeros.dtype == np.uint8:
        zeros = unpacked(zeros.reshape(rows, -1), bits)[:, :blocks]
    zeros = zeros.astype(np.float32).reshape(rows, blocks)
    values = dequantized_blocks(numbers, scales, zeros, 1, block)
    return PackedWeight(values, scales, zeros, block)


def _embedding(
    codes: Values, scales: Values, zeros: Values | None, own: _Attributes, bits: int
) -> PackedWeight:
    """bits: of each number that shares a byte; 0 for types that say it themselves."""
    block, axis = _whole(own, "block_size", 128), _whole(own, "quantize_axis", 1)
    if bits:
        if bits < _MOST_BITS:
            codes = unpacked(codes, bits)
            zeros = None if zeros is None else unpacked(zeros, bits)[..., : scales.shape[-1]]
        zeros = np.full(scales.shape, 1 << (bits - 1)) if zeros is None else zeros
    values = dequantized_blocks(codes, scales, zeros, axis, block)
    return PackedWeight(values, scales, zeros, block)


def unpacked(packed: Values, bits: int) -> Values:
    """Return numbers that share bytes along the last axis, the lowest bits of a byte first."""
    parts = [(packed >> shift) & ((1 << bits) - 1) for shift in range(0, _MOST_BITS, bits)]
    return np.stack(parts, axis=-1).reshape(*packed.shape[:-1], -1)


def _blockwise(x: Sequence[Any], own: _Attributes) -> tuple[Values, ...]:
    """Core ML: scale × (data − offset), with scales repeated along each axis."""

    def spread(parameter: Values) -> Values:
        for axis, length in enumerate(x[0].shape):
            parameter = np.repeat(parameter, length // parameter.shape[axis], axis=axis)
        return parameter.astype(np.float32)

    wide = x[0].astype(np.float32)
    wide = wide if len(x) < 3 or x[2] is None else wide - spread(x[2])
    return ((wide * spread(x[1])).astype(x[1].dtype),)


def _affine(x: Sequence[Any], own: _Attributes) -> tuple[Values, ...]:
    """Core ML: scale × (data − zero point) along an axis."""
    (wide,) = _dequantize(x, {"axis": own.get("axis", "0")})
    return (wide.astype(x[1].dtype),)


def _lookup(codes: Values, table: Values) -> Values:
    """Core ML: one table, or one for each block of the axes before its own two axes."""
    indices = codes.astype(np.int64)
    if table.ndim == 1:
        return table[indices]
    if table.shape[-1] != 1:
        raise ValueError("tables of vectors are not supported")
    places = np.ogrid[tuple(slice(n) for n in codes.shape)]
    blocks = [
        place * table.shape[axis] // codes.shape[axis] for axis, place in enumerate(places)
    ]
    values: Values = table[(*blocks, indices, 0)]
    return values


def _lut_to_dense(x: Sequence[Any], own: _Attributes) -> tuple[Values, ...]:
    return (_lookup(x[0], x[1]),)


def _lut_to_sparse(x: Sequence[Any], own: _Attributes) -> tuple[Values, ...]:
    mask, codes, table = x
    whole = np.zeros(mask.shape, np.int64)
    whole[mask.astype(bool)] = codes.ravel().astype(np.int64)
    return mask, _lookup(whole, table)[mask.astype(bool)]


def _sparse_to_dense(x: Sequence[Any], own: _Attributes) -> tuple[Values, ...]:
    values, mask = x
    whole = np.zeros(mask.shape, values.dtype)
    whole[mask.astype(bool)] = values.ravel()
    return (whole,)


def _identity(x: Sequence[Any], own: _Attributes) -> tuple[Values, ...]:
    return (x[0],)


def _elementwise(function: Callable[[Any, Any], Values]) -> _Operation:
    return lambda x, own: (function(x[0], x[1]),)


_OPERATIONS: dict[str, _Operation] = {
    "Cast": _cast,
    "constexpr_cast": _cast,
    "Identity": _identity,
    "Add": _elementwise(np.add),
    "Sub": _elementwise(np.subtract),
    "Mul": _elementwise(np.multiply),
    "Gather": _gather,
    "Reshape": _reshape,
    "Slice": _slice,
    "Transpose": _transpose,
    "DequantizeLinear": _dequantize,
    "constexpr_affine_dequantize": _affine,
    "constexpr_blockwise_shift_scale": _blockwise,
    "constexpr_lut_to_dense": _lut_to_dense,
    "constexpr_lut_to_sparse": _lut_to_sparse,
    "constexpr_sparse_to_dense": _sparse_to_dense,
}
