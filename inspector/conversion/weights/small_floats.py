"""Weights in 8- and 4-bit floating-point types, with scales for channels or blocks.

MXFP4: OCP Microscaling Formats, version 1.0: E2M1 elements, blocks of 32, E8M0 scales.
NVFP4: E2M1 elements, blocks of 16, E4M3 scales, and one float32 scale for the weight.
ONNX Runtime has no CPU kernel that expands E2M1, so elements are stored as their 4-bit codes
and looked up in a table of the type's 16 values; bytes and values are those of the formats.
"""

from collections.abc import Callable
from math import ceil, prod
from typing import Any

import ml_dtypes
import numpy as np
from msgspec import Struct
from onnx import NodeProto, TensorProto, helper, numpy_helper

from inspector.conversion.action import CHECK_ACCURACY, Effect
from inspector.conversion.editable_model import EditableModel, Values, stored_bytes
from inspector.conversion.edits.graph_edits import to_opset
from inspector.conversion.plan import Context, Plan, attribute, graphs
from inspector.conversion.weights.compression import (
    ONLY_SMALLER,
    UINT4_OPSET,
    free_name,
    in_turn,
    large_weights,
    nothing_large,
    opset_first,
    prepend,
)
from inspector.errors import BadInput
from inspector.units import plural

_FLOAT8_OPSET = 19  # from which Cast and DequantizeLinear take float8
_E8M0_OPSET = 24  # from which Cast takes float8e8m0
_FLOAT8 = {"e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2}
_LARGEST_FLOAT8 = {"e4m3": 448.0, "e5m2": 57344.0}
_LARGEST_E2M1 = 6.0
_E2M1_EXPONENT = 2  # of the largest E2M1 value, 1.5 × 2²
_LEAST_E8M0 = -127  # exponents of the type
_MOST_E8M0 = 127
_BYTES_OF_NODES = 600  # in a file, of the layers and names that expand a weight; with 5 weights
_SMALLEST = float(np.finfo(np.float32).tiny)
_IN_EACH_RUN = f"Each run expands the weights again, which takes time. {CHECK_ACCURACY}"


def _rows(values: Values, by_column: bool) -> Values:
    """Return a weight as one row for each output channel, which a block never leaves."""
    turned = np.swapaxes(values, -1, -2) if by_column else values
    last = turned.shape[-1] if by_column else prod(turned.shape[1:])
    return np.ascontiguousarray(turned).reshape(-1, last)


def _used_by_column(model: EditableModel) -> set[str]:
    """Return the names of weights whose output channels are the last axis."""
    names = set[str]()
    for graph in graphs(model.proto.graph):
        for node in graph.node:
            own = attribute(node, "transB")
            if node.op_type == "MatMul" or (node.op_type == "Gemm" and not (own and own.i)):
                names.add(node.input[1])
    return names


def _expect_finite(name: str, values: Values) -> None:
    if not np.isfinite(values).all():
        raise BadInput(
            f"Could not store '{name}' in fewer bits",
            "it contains NaN or infinity, which has no scale",
            "Give it finite values first, with the action set-weight.",
        )


def float8(model: EditableModel, kind: str, expand: str) -> Plan:
    """Plan weights in float8 with a scale for each output channel.

    kind: "e4m3" or "e5m2". expand: "load" for Cast and Mul, which runtimes compute once; "run"
    for DequantizeLinear, which ONNX Runtime computes in each run and TensorRT fuses.
    """
    weights = [t for t in large_weights(model, TensorProto.FLOAT) if len(t.dims) > 1]
    if not weights:
        return nothing_large(model, "float32")
    columns, before = _used_by_column(model), model.size_bytes()
    channels = sum(t.dims[-1 if t.name in columns else 0] for t in weights)
    after = before - sum(map(stored_bytes, weights)) * 3 // 4 + 4 * channels
    after += _BYTES_OF_NODES // 4 * len(weights)
    touches = f"{plural(len(weights), 'weight')} to float8 ({kind}), one scale for each channel"
    touches += opset_first(model, _FLOAT8_OPSET)
    small = _FLOAT8[kind]
    largest = _LARGEST_FLOAT8[kind]
    names = {tensor.name for tensor in weights}

    def apply(context: Context) -> None:
        _raise_opset(model, _FLOAT8_OPSET)
        added = list[NodeProto]()
        chosen = [t for t in model.proto.graph.initializer if t.name in names]
        for tensor in in_turn(model, chosen, context):
            name, values = tensor.name, model.values(tensor)
            _expect_finite(name, values)
            axis = values.ndim - 1 if name in columns else 0
            others = tuple(each for each in range(values.ndim) if each != axis)
            peaks = np.abs(values).max(axis=others, keepdims=True)
            scales = np.maximum(peaks / largest, _SMALLEST).astype(np.float32)
            scale = free_name(model, f"{name}_scale")
            kept = scales.ravel() if expand == "run" else scales
            model.proto.graph.initializer.append(numpy_helper.from_array(kept, scale))
            model.set_values(tensor, np.clip(values / scales, -largest, largest).astype(small))
            tensor.name = free_name(model, f"{name}_float8")
            if expand == "run":
                inputs = [tensor.name, scale]
                added.append(helper.make_node("DequantizeLinear", inputs, [name], axis=axis))
                continue
            wide = free_name(model, f"{name}_wide")
            added += (
                helper.make_node("Cast", [tensor.name], [wide], to=TensorProto.FLOAT),
                helper.make_node("Mul", [wide, scale], [name]),
            )
        prepend(model, added)

    caution = _IN_EACH_RUN if expand == "run" else ONLY_SMALLER
    return Plan(Effect(touches, 0, before, after, caution=caution), apply)


class _BlockFormat(Struct, frozen=True):
    """A 4-bit block format. scaled: stored scales of blocks and the float32 scale of the
    weight, 1.0 where the format has none, from rows in blocks."""

    title: str
    block: int
    opset: int
    has_weight_scale: bool
    scaled: Callable[[Values], tuple[Values, float]]


def _mx_scales(blocks: Values) -> tuple[Values, float]:
    """Return the power of two for each block that gives the smaller squared error: that of the
    specification, at which the largest values may be clipped, or the next larger one."""
    peaks = np.abs(blocks).max(axis=-1, keepdims=True)
    exponents = np.floor(np.log2(np.maximum(peaks, _SMALLEST))) - _E2M1_EXPONENT
    candidates = [
        np.exp2(np.clip(exponents + more, _LEAST_E8M0, _MOST_E8M0)).astype(np.float32)
        for more in (0, 1)
    ]
    errors = [
        np.square(_e2m1(blocks / scale).astype(np.float32) * scale - blocks).sum(
            axis=-1, keepdims=True
        )
        for scale in candidates
    ]
    best = np.where(errors[1] < errors[0], candidates[1], candidates[0])
    return best.astype(ml_dtypes.float8_e8m0fnu), 1.0


def _nv_scales(blocks: Values) -> tuple[Values, float]:
    peaks = np.abs(blocks).max(axis=-1, keepdims=True)
    whole = max(float(peaks.max()) / (_LARGEST_E2M1 * _LARGEST_FLOAT8["e4m3"]), _SMALLEST)
    wanted = np.clip(peaks / (_LARGEST_E2M1 * np.float32(whole)), 0, _LARGEST_FLOAT8["e4m3"])
    return wanted.astype(ml_dtypes.float8_e4m3fn), whole


def _e2m1(values: Values) -> Values:
    clipped = np.clip(values, -_LARGEST_E2M1, _LARGEST_E2M1)
    return clipped.astype(ml_dtypes.float4_e2m1fn)


_MXFP4 = _BlockFormat("MXFP4", 32, _E8M0_OPSET, False, _mx_scales)
_NVFP4 = _BlockFormat("NVFP4", 16, UINT4_OPSET, True, _nv_scales)


def mxfp4(model: EditableModel) -> Plan:
    """Plan E2M1 weights in blocks of 32, each with a power of two as scale."""
    return _block_plan(model, _MXFP4)


def nvfp4(model: EditableModel) -> Plan:
    """Plan E2M1 weights in blocks of 16, each with an E4M3 scale."""
    return _block_plan(model, _NVFP4)


def _block_plan(model: EditableModel, form: _BlockFormat) -> Plan:
    weights = [t for t in large_weights(model, TensorProto.FLOAT) if len(t.dims) > 1]
    if not weights:
        return nothing_large(model, "float32")
    columns, before = _used_by_column(model), model.size_bytes()
    after = before - sum(map(stored_bytes, weights))
    for tensor in weights:
        row = tensor.dims[-2] if tensor.name in columns else prod(tensor.dims[1:])
        blocks = prod(tensor.dims) // row * ceil(row / form.block)
        after += blocks * form.block // 2 + blocks + _BYTES_OF_NODES
    touches = f"{plural(len(weights), 'weight')} to {form.title}, blocks of {form.block}"
    touches += opset_first(model, form.opset)
    names = {tensor.name for tensor in weights}

    def apply(context: Context) -> None:
        _raise_opset(model, form.opset)
        table = free_name(model, "e2m1_values")
        codes = np.arange(16, dtype=np.uint8).view(ml_dtypes.float4_e2m1fn)
        values = numpy_helper.from_array(codes.astype(np.float32), table)
        model.proto.graph.initializer.append(values)
        added = list[NodeProto]()
        chosen = [t for t in model.proto.graph.initializer if t.name in names]
        for tensor in in_turn(model, chosen, context):
            added += _in_blocks(model, tensor, form, table, tensor.name in columns)
        prepend(model, added)

    return Plan(Effect(touches, 0, before, after, caution=ONLY_SMALLER), apply)


def _raise_opset(model: EditableModel, least: int) -> None:
    if model.opset < least:
        to_opset(model, least)


def _in_blocks(
    model: EditableModel, tensor: TensorProto, form: _BlockFormat, table: str, by_column: bool
) -> list[NodeProto]:
    """Replace a weight by codes and scales and the nodes that make it of them."""
    name, values = tensor.name, model.values(tensor)
    _expect_finite(name, values)
    rows = _rows(values, by_column)
    length = rows.shape[1]
    padded = np.pad(rows, ((0, 0), (0, -length % form.block)))
    blocks = padded.reshape(len(rows), -1, form.block)
    scales, whole = form.scaled(blocks)
    factors = scales.astype(np.float32) * np.float32(whole)
    shares = np.divide(blocks, factors, out=np.zeros_like(blocks), where=factors != 0)
    codes = _e2m1(shares).view(np.uint8).astype(ml_dtypes.uint4)
    graph, nodes = model.proto.graph, list[NodeProto]()

    def constant(part: str, array: Any) -> str:
        own = free_name(model, f"{name}_{part}")
        graph.initializer.append(numpy_helper.from_array(np.asarray(array), own))
        return own

    def node(operator: str, inputs: list[str], part: str, **attributes: Any) -> str:
        made = free_name(model, f"{name}_{part}") if part else name
        nodes.append(helper.make_node(operator, inputs, [made], **attributes))
        return made

    model.set_values(tensor, codes)
    tensor.name = free_name(model, f"{name}_{form.title.lower()}")
    places = node("Cast", [tensor.name], "codes", to=TensorProto.INT32)
    elements = node("Gather", [table, places], "elements", axis=0)
    factor = node("Cast", [constant("scales", scales)], "factors", to=TensorProto.FLOAT)
    if form.has_weight_scale:
        factor = node("Mul", [factor, constant("scale", np.float32(whole))], "all_factors")
    last = node("Mul", [elements, factor], "blocks")
    turned = np.swapaxes(values, -1, -2).shape if by_column else values.shape
    if length % form.block:
        shape = constant("padded_shape", np.array(padded.shape, np.int64))
        last = node("Reshape", [last, shape], "padded")
        starts, ends, axes = (
            constant(part, np.array([number], np.int64))
            for part, number in (("start", 0), ("end", length), ("axis", 1))
        )
        last = node("Slice", [last, starts, ends, axes], "rows")
    shape = constant("shape", np.array(turned, np.int64))
    last = node("Reshape", [last, shape], "turned" if by_column else "")
    if by_column:
        order = [*range(values.ndim)]
        order[-2:] = order[:-3:-1]
        node("Transpose", [last], "", perm=order)
    return nodes
