"""Weights of matrix products and embeddings in few bits, with a scale for each block.

The layers become MatMulNBits and MatMulBnb4 of ONNX Runtime, which dequantize a block when they
multiply with it; embeddings become GatherBlockQuantized, which dequantizes the rows that it
takes. The model is smaller on disk and in memory, and activations stay in float. Layouts are
those of its documentation, ContribOperators.md.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray
from onnx import GraphProto, NodeProto, TensorProto, helper

from inspector.conversion.action import COMPARE_FEW_BITS, Effect
from inspector.conversion.editable_model import EditableModel, stored_bytes
from inspector.conversion.plan import Context, Plan, attribute, counted, graphs
from inspector.conversion.preparation import (
    DEFAULT_DOMAINS,
    all_names,
    constants,
    drop_unused,
    dropped_bytes,
    unused_name,
    use_counts,
)
from inspector.conversion.weights.compression import large_weights
from inspector.model.tensors.expansion import NF4, NF4_VALUES
from inspector.units import plural

Values = NDArray[Any]
_DOMAIN = "com.microsoft"
_BYTES_OF_LAYER = 220  # in a file, of names and attributes of a packed product; with 3 models
_UINT4_IR = 10  # from which files have 4-bit types
_SMALLEST_SCALE = float(np.finfo(np.float32).tiny)


def weights_8bit(model: EditableModel, block: str = "32", keep: Sequence[str] = ()) -> Plan:
    """Plan 8-bit weights of matrix products. block: how many share a scale."""
    return _plan(model, 8, int(block), keep)


def weights_4bit(model: EditableModel, block: str = "32", keep: Sequence[str] = ()) -> Plan:
    """Plan 4-bit weights of matrix products. block: how many share a scale."""
    return _plan(model, 4, int(block), keep)


def weights_2bit(model: EditableModel, block: str = "32", keep: Sequence[str] = ()) -> Plan:
    """Plan 2-bit weights of matrix products. block: how many share a scale."""
    return _plan(model, 2, int(block), keep)


def nf4(model: EditableModel, block: str = "64", keep: Sequence[str] = ()) -> Plan:
    """Plan weights of matrix products as indices of the 16 values of NF4."""
    return _plan(model, 4, int(block), keep, is_nf4=True)


def embeddings_8bit(model: EditableModel, block: str = "32", keep: Sequence[str] = ()) -> Plan:
    """Plan 8-bit embeddings. block: how many values of a row share a scale."""
    return _embeddings_plan(model, 8, int(block), keep)


def embeddings_4bit(model: EditableModel, block: str = "32", keep: Sequence[str] = ()) -> Plan:
    """Plan 4-bit embeddings. block: how many values of a row share a scale."""
    return _embeddings_plan(model, 4, int(block), keep)


def _embeddings_plan(model: EditableModel, bits: int, block: int, keep: Sequence[str]) -> Plan:
    before = model.size_bytes()
    layers, tied = _embeddings(model, keep)
    if not layers:
        nothing = "the model has no Gather layers with constant weights of 1,024 values or more"
        if tied:
            nothing = f"other layers read the same weight: {', '.join(sorted(tied)[:3])}"
        return Plan(Effect(bytes_before=before, nothing=nothing))
    tables = {id(weight): weight for _, weight in layers}
    after = before - sum(map(stored_bytes, tables.values())) + _BYTES_OF_LAYER * len(layers)
    for weight in tables.values():
        rows, length = weight.dims
        scale = stored_bytes(weight) // (rows * length)
        blocks = rows * ceil(length / block)
        after += (rows * length + blocks) * bits // 8 + blocks * scale
    caution = COMPARE_FEW_BITS if bits < 8 else ""
    touches = plural(len(layers), "embedding layer")
    if tied:
        touches += f"; {plural(len(tied), 'weight')} stays, since other layers read it"
    names = {str(weight.name) for weight in tables.values()}

    def apply(context: Context) -> None:
        packed_names = dict[str, list[str]]()
        taken_names = all_names(model.proto.graph)
        chosen = [t for t in model.proto.graph.initializer if t.name in names]
        for number, tensor in enumerate(chosen):
            context.share(number / len(chosen))
            parts = _embedding_parts(model.values(tensor), bits, block)
            packed_names[tensor.name] = []
            for ending, values in parts.items():
                new = model.proto.graph.initializer.add()
                new.name = unused_name(f"{tensor.name}_{ending}", taken_names)
                model.set_values(new, values)
                packed_names[tensor.name].append(str(new.name))
        attributes = {"bits": bits} if bits == 8 else {}  # 4-bit types say it themselves
        for graph in graphs(model.proto.graph):
            for node in graph.node:
                if node.op_type != "Gather" or node.input[0] not in packed_names:
                    continue
                data, scales, zeros = packed_names[node.input[0]]
                new_node = helper.make_node(
                    "GatherBlockQuantized",
                    [data, node.input[1], scales, zeros],
                    [node.output[0]],
                    node.name,
                    domain=_DOMAIN,
                    gather_axis=0,
                    quantize_axis=1,
                    block_size=block,
                    **attributes,
                )
                node.CopyFrom(new_node)
            drop_unused(graph)
        _import_domain(model)
        model.proto.ir_version = max(model.proto.ir_version, _UINT4_IR if bits == 4 else 0)

    return Plan(Effect(touches, len(layers), before, after, caution=caution), apply)


def _embeddings(
    model: EditableModel, keep: Sequence[str]
) -> tuple[list[tuple[NodeProto, TensorProto]], set[str]]:
    """Return layers that take rows of a weight that nothing else reads, with the weight; and
    the names of weights that others read, too."""
    weights = {
        tensor.name: tensor
        for tensor in large_weights(model, TensorProto.FLOAT, TensorProto.FLOAT16)
        if len(tensor.dims) == 2
    }
    uses = use_counts(model.proto.graph)
    layers, takers = list[tuple[NodeProto, TensorProto]](), Counter[str]()
    for graph in graphs(model.proto.graph):
        for node in graph.node:
            axis = attribute(node, "axis")
            if (
                node.op_type == "Gather"
                and node.domain in DEFAULT_DOMAINS
                and node.input[0] in weights
                and (axis is None or axis.i in (0, -2))
                and {node.name, node.output[0]}.isdisjoint(keep)
            ):
                layers.append((node, weights[node.input[0]]))
                takers[node.input[0]] += 1
    tied = {name for name, count in takers.items() if uses[name] > count}
    return [(node, weight) for node, weight in layers if weight.name not in tied], tied


def _embedding_parts(values: Values, bits: int, block: int) -> dict[str, Values]:
    """Return integers, scales and zero points of a table of embeddings, row by row."""
    integers, scales, zeros = block_integers(values.astype(np.float32), bits, block)
    small = ml_dtypes.uint4 if bits == 4 else np.uint8
    return {
        f"{bits}bit": integers.reshape(len(values), -1)[:, : values.shape[1]].astype(small),
        "scales": scales.astype(values.dtype),
        "zero_points": zeros.astype(small),
    }


def _import_domain(model: EditableModel) -> None:
    if all(entry.domain != _DOMAIN for entry in model.proto.opset_import):
        model.proto.opset_import.append(helper.make_opsetid(_DOMAIN, 1))


def _plan(
    model: EditableModel, bits: int, block: int, keep: Sequence[str], is_nf4: bool = False
) -> Plan:
    before = model.size_bytes()
    layers = [
        (node, weight)
        for graph, fixed in _scopes(model)
        for node, weight in _products(graph, fixed, keep, is_nf4)
    ]
    if not layers:
        names = "MatMul" if is_nf4 else "MatMul or Gemm"
        nothing = f"the model has no {names} layers with constant float32 weights"
        return Plan(Effect(bytes_before=before, nothing=nothing))
    uses = Counter(node.input[1] for node, _ in layers)
    after = before - dropped_bytes(model, uses)
    for node, weight in {id(weight): (node, weight) for node, weight in layers}.values():
        rows, columns = weight.dims[::-1] if _transposed(node) else weight.dims
        if is_nf4:  # blocks run through the whole matrix
            packed = ceil(rows * columns / 2) + 4 * ceil(rows * columns / block)
        else:
            blocks = ceil(rows / block) * columns
            packed = blocks * block * bits // 8 + blocks * 4
            packed += blocks * bits // 8  # zero points
        after += packed + _BYTES_OF_LAYER * uses[node.input[1]]
    caution = COMPARE_FEW_BITS if bits < 8 else ""
    touches = counted(node.op_type for node, _ in layers)
    effect = Effect(touches, len(layers), before, after, caution=caution)

    def apply(context: Context) -> None:
        packer = _Packer(model, bits, block, is_nf4)
        number = 0
        for graph, fixed in _scopes(model):
            for node, weight in [*_products(graph, fixed, keep, is_nf4)]:
                context.share(number / len(layers))
                packer.replace(graph, node, weight)
                number += 1
        for graph in graphs(model.proto.graph):
            drop_unused(graph)
        _import_domain(model)

    return Plan(effect, apply)


def _scopes(model: EditableModel) -> Iterator[tuple[GraphProto, dict[str, TensorProto]]]:
    """Yield each graph with the constants that it can use."""
    outer = constants(model.proto.graph)
    for graph in graphs(model.proto.graph):
        yield graph, {**outer, **constants(graph)}


def _products(
    graph: GraphProto, fixed: Mapping[str, TensorProto], keep: Sequence[str], is_nf4: bool
) -> Iterator[tuple[NodeProto, TensorProto]]:
    for node in graph.node:
        if node.domain not in DEFAULT_DOMAINS or node.op_type not in ("MatMul", "Gemm"):
            continue
        weight = fixed.get(node.input[1])
        if (
            weight is None
            or weight.data_type != TensorProto.FLOAT
            or len(weight.dims) != 2
            or 0 in weight.dims
            or not {node.name, node.output[0]}.isdisjoint(keep)
        ):
            continue
        if node.op_type == "MatMul" or (not is_nf4 and _plain(node, weight, fixed)):
            yield node, weight


def _plain(node: NodeProto, weight: TensorProto, fixed: Mapping[str, TensorProto]) -> bool:
    """Return whether a Gemm is a product with at most a bias for each column."""
    numbers = {"alpha": 1.0, "beta": 1.0, "transA": 0}
    for name, value in numbers.items():
        own = attribute(node, name)
        if own is not None and (own.i if name == "transA" else own.f) != value:
            return False
    if len(node.input) < 3 or not node.input[2]:
        return True
    bias = fixed.get(node.input[2])
    columns = weight.dims[0 if _transposed(node) else 1]
    return bias is not None and tuple(bias.dims) == (columns,)


def _transposed(node: NodeProto) -> bool:
    own = attribute(node, "transB")
    return node.op_type == "Gemm" and own is not None and bool(own.i)


class _Packer:
    def __init__(self, model: EditableModel, bits: int, block: int, is_nf4: bool) -> None:
        self._model, self._bits, self._block, self._is_nf4 = model, bits, block, is_nf4
        self._names = all_names(model.proto.graph)
        self._packed: dict[tuple[int, bool], tuple[list[str], int, int]] = {}

    def replace(self, graph: GraphProto, node: NodeProto, weight: TensorProto) -> None:
        """Turn a matrix product into one with packed weights, in place."""
        transposed = _transposed(node)
        key = id(weight), transposed
        if key not in self._packed:
            values = self._model.values(weight).astype(np.float32)
            columns = values if transposed else values.T  # one row for each output
            self._packed[key] = self._pack(node.input[1], np.ascontiguousarray(columns))
        inputs, rows, count = self._packed[key]
        bias = node.input[2] if len(node.input) > 2 else ""
        attributes: dict[str, Any] = {"K": rows, "N": count, "block_size": self._block}
        if self._is_nf4:
            operator, attributes = "MatMulBnb4", {**attributes, "quant_type": NF4}
        else:
            operator, attributes = "MatMulNBits", {**attributes, "bits": self._bits}
        new = helper.make_node(
            operator,
            [node.input[0], *inputs, *(["", bias] if bias else [])],
            [node.output[0]],
            node.name,
            domain=_DOMAIN,
            **attributes,
        )
        node.CopyFrom(new)

    def _pack(self, name: str, columns: Values) -> tuple[list[str], int, int]:
        count, rows = columns.shape
        if self._is_nf4:
            indices, scales = nf4_indices(columns, self._block)
            tensors = {"nf4": packed(indices[:, ::-1], 4).ravel(), "scales": scales}
        else:
            integers, scales, zeros = block_integers(columns, self._bits, self._block)
            tensors = {
                f"{self._bits}bit": packed(integers, self._bits),
                "scales": scales.ravel(),
                "zero_points": packed(zeros, self._bits).ravel(),
            }
        names = []
        for ending, values in tensors.items():
            # Subgraphs see the weights of the main graph.
            tensor = self._model.proto.graph.initializer.add()
            tensor.name = unused_name(f"{name}_{ending}", self._names)
            self._model.set_values(tensor, values)
            names.append(str(tensor.name))
        return names, rows, count


def block_integers(columns: Values, bits: int, block: int) -> tuple[Values, Values, Values]:
    """Return integers, scales and zero points of blocks.

    columns: shape (N, K). Shapes of the results: (N, blocks, block), (N, blocks), (N, blocks).
    """
    count, rows = columns.shape
    blocks = ceil(rows / block)
    whole = np.zeros((count, blocks * block), np.float32)
    whole[:, :rows] = columns
    values = whole.reshape(count, blocks, block)
    top = 2**bits - 1
    low = np.minimum(values.min(axis=2), 0)
    high = np.maximum(values.max(axis=2), 0)
    scales = np.maximum((high - low) / top, _SMALLEST_SCALE).astype(np.float32)
    zeros = np.clip(np.rint(-low / scales), 0, top)
    integers = np.rint(values / scales[:, :, None]) + zeros[:, :, None]
    return np.clip(integers, 0, top).astype(np.uint8), scales, zeros.astype(np.uint8)


def nf4_indices(columns: Values, block: int) -> tuple[Values, Values]:
    """Return the indices of NF4 values, in pairs, and the largest magnitude of each block.

    Blocks run through the whole matrix, one column of outputs after the other.
    """
    flat = columns.ravel()
    blocks = ceil(flat.size / block)
    whole = np.zeros(blocks * block, np.float32)
    whole[: flat.size] = flat
    largest = np.abs(whole.reshape(blocks, block)).max(axis=1)
    shares = whole.reshape(blocks, block) / np.maximum(largest, _SMALLEST_SCALE)[:, None]
    middles = (NF4_VALUES[1:] + NF4_VALUES[:-1]) / 2
    indices = np.searchsorted(middles, shares.ravel())[: flat.size + flat.size % 2]
    return indices.astype(np.uint8).reshape(-1, 2), largest.astype(np.float32)


def packed(integers: Values, bits: int) -> Values:
    """Return integers of few bits in bytes along the last axis, the first one lowest."""
    each = 8 // bits
    missing = -integers.shape[-1] % each
    padded = np.pad(integers, [(0, 0)] * (integers.ndim - 1) + [(0, missing)])
    groups = padded.reshape(*padded.shape[:-1], -1, each).astype(np.uint8)
    result = np.zeros(groups.shape[:-1], np.uint8)
    for place in range(each):
        result |= groups[..., place] << np.uint8(place * bits)
    return result
