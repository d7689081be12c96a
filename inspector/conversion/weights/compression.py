"""Smaller files: weights that a runtime expands when it loads the model.

Nothing of this makes a model faster or smaller in memory: ONNX Runtime computes the weights
again before the first prediction.
"""

from collections.abc import Iterator
from math import ceil, prod

import ml_dtypes
import numpy as np
from numpy.typing import NDArray
from onnx import NodeProto, SparseTensorProto, TensorProto, helper, numpy_helper

from inspector.conversion.action import CHECK_ACCURACY, Effect
from inspector.conversion.editable_model import EditableModel, Values, stored_bytes
from inspector.conversion.edits.graph_edits import nothing, refused, to_opset
from inspector.conversion.plan import Context, Plan, own_names, refill
from inspector.units import plural
from inspector.wording.values import Sentence

_LEAST_ELEMENTS = 1024  # of a weight that is compressed: small ones need their accuracy
_ONLY_SIZE = (
    "This only makes the file smaller: runtimes expand the weights when they load them."
)
ONLY_SMALLER = f"{_ONLY_SIZE} {CHECK_ACCURACY}"
_ROUNDS = 20  # of k-means; tables hardly move after ten
_SAMPLE = 1 << 18  # values of a group that its table is made from
# from which Cast takes these types
UINT4_OPSET = 21
_BFLOAT16_OPSET = 13
_INDEX_BYTES = 8  # of sparse tensors: int64


def large_weights(model: EditableModel, *types: int) -> list[TensorProto]:
    """Return the weights of the main graph that are large and always the same."""
    graph = model.proto.graph
    fixed = {value.name for value in (*graph.input, *graph.output)}
    fixed |= {annotation.tensor_name for annotation in graph.quantization_annotation}
    return [
        tensor
        for tensor in graph.initializer
        if tensor.data_type in types
        and prod(tensor.dims) >= _LEAST_ELEMENTS
        and tensor.name not in fixed
    ]


def nothing_large(model: EditableModel, kind: str) -> Plan:
    """Return the plan for a model without large weights of a kind, with the reason."""
    graph = model.proto.graph
    given = {value.name for value in graph.input}
    if any(t.name in given and prod(t.dims) >= _LEAST_ELEMENTS for t in graph.initializer):
        return refused(
            model,
            Sentence("its weights are also inputs of the graph"),
            Sentence("Apply 'weights-not-inputs' first (Remove weights from inputs)."),
        )
    least = f"{_LEAST_ELEMENTS:,} values"
    return nothing(
        model, f"the model has no {kind} weights of {least} or more outside subgraphs"
    )


def opset_first(model: EditableModel, least: int) -> str:
    """Return a note if the action needs a newer opset; otherwise empty."""
    return f"; opset {model.opset} to {least} first" if 0 < model.opset < least else ""


def bfloat16(model: EditableModel) -> Plan:
    """Plan weights in bfloat16, which a Cast turns into float32 when the model is loaded."""
    weights = large_weights(model, TensorProto.FLOAT)
    if not weights:
        return nothing_large(model, "float32")
    before = model.size_bytes()
    saved = sum(map(stored_bytes, weights)) // 2
    touches = f"{plural(len(weights), 'float32 weight')}{opset_first(model, _BFLOAT16_OPSET)}"
    caution = f"Layers compute in float32. {ONLY_SMALLER}"
    effect = Effect(touches, 0, before, before - saved, caution=caution)

    def apply(context: Context) -> None:
        if model.opset < _BFLOAT16_OPSET:
            to_opset(model, _BFLOAT16_OPSET)
        casts = []
        for tensor in in_turn(model, large_weights(model, TensorProto.FLOAT), context):
            name = tensor.name
            tensor.name = free_name(model, f"{name}_bfloat16")
            model.convert_later(tensor, TensorProto.BFLOAT16, _to_bfloat16)
            casts.append(helper.make_node("Cast", [tensor.name], [name], to=TensorProto.FLOAT))
        prepend(model, casts)

    return Plan(effect, apply)


def _to_bfloat16(values: Values) -> Values:
    return values.astype(ml_dtypes.bfloat16)


def palettize(model: EditableModel, bits: int, group: int) -> Plan:
    """Plan tables of a few values for weights, and an index into them for each element.

    bits: of an index. group: how many rows (output channels) share a table.
    """
    if not 1 <= bits <= 8:
        return refused(model, "the option 'bits' must be from 1 to 8")
    if group < 1:
        return refused(model, "the option 'group' must be 1 or more")
    weights = large_weights(model, TensorProto.FLOAT, TensorProto.FLOAT16)
    weights = [t for t in weights if len(t.dims) > 1]
    weights = [t for t in weights if _palette_bytes(t, bits, group) < stored_bytes(t)]
    if not weights:
        return nothing_large(model, "float")
    before = model.size_bytes()
    least = UINT4_OPSET if bits <= 4 else _BFLOAT16_OPSET
    after = before - sum(stored_bytes(t) - _palette_bytes(t, bits, group) for t in weights)
    rows = "each row" if group == 1 else f"every {group} rows"
    touches = (
        f"{plural(len(weights), 'weight')} to tables of {1 << bits} values, "
        f"one for {rows}{opset_first(model, least)}"
    )
    names = {tensor.name for tensor in weights}

    def apply(context: Context) -> None:
        if model.opset < least:
            to_opset(model, least)
        added: list[NodeProto] = []
        chosen = [t for t in model.proto.graph.initializer if t.name in names]
        for tensor in in_turn(model, chosen, context):
            added += _palettized(model, tensor, bits, group)
        prepend(model, added)

    return Plan(Effect(touches, 0, before, after, caution=ONLY_SMALLER), apply)


def _palette_bytes(tensor: TensorProto, bits: int, group: int) -> int:
    """Return the size of a weight's indices, tables and numbers of tables."""
    item = stored_bytes(tensor) // prod(tensor.dims)
    tables = ceil(tensor.dims[0] / group)
    indices = prod(tensor.dims) // (2 if bits <= 4 else 1)
    return int(indices + tables * (item << bits) + 4 * tensor.dims[0])


def _palettized(
    model: EditableModel, tensor: TensorProto, bits: int, group: int
) -> list[NodeProto]:
    """Replace a weight by index, table and the nodes that make it of them."""
    name, values = tensor.name, model.values(tensor)
    rows = values.reshape(len(values), -1)
    tables, indices = [], np.empty(rows.shape, np.uint8)
    for start in range(0, len(rows), group):
        part = rows[start : start + group]
        table = _table(part.astype(np.float32).ravel(), 1 << bits)
        middle = (table[1:] + table[:-1]) / 2
        indices[start : start + group] = np.searchsorted(middle, part.astype(np.float32))
        tables.append(table.astype(values.dtype))
    small = ml_dtypes.uint4 if bits <= 4 else np.uint8
    offsets = (np.arange(len(rows)) // group << bits).astype(np.int32)
    labels = {part: free_name(model, f"{name}_{part}") for part in ("index", "table", "first")}
    index, wide, place = labels["index"], f"{labels['index']}_wide", f"{labels['index']}_place"
    graph = model.proto.graph
    graph.initializer.extend(
        (
            numpy_helper.from_array(np.concatenate(tables), labels["table"]),
            numpy_helper.from_array(
                offsets.reshape(-1, *[1] * (values.ndim - 1)), labels["first"]
            ),
        )
    )
    model.set_values(tensor, indices.reshape(values.shape).astype(small))
    tensor.name = index
    return [
        helper.make_node("Cast", [index], [wide], to=TensorProto.INT32),
        helper.make_node("Add", [wide, labels["first"]], [place]),
        helper.make_node("Gather", [labels["table"], place], [name], axis=0),
    ]


def _table(values: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """Return sorted values that stand for others with little squared error (k-means)."""
    ordered = np.sort(values[:: max(1, len(values) // _SAMPLE)])
    totals = np.concatenate(([0.0], np.cumsum(ordered, dtype=np.float64)))
    table = np.quantile(ordered, (np.arange(count) + 0.5) / count)
    # The ends spread out: half of the tables begin on the range, so that no value is far off.
    table[0], table[-1] = ordered[0], ordered[-1]
    for _ in range(_ROUNDS):
        bounds = np.searchsorted(ordered, (table[1:] + table[:-1]) / 2)
        edges = np.concatenate(([0], bounds, [len(ordered)]))
        counts = np.diff(edges)
        means = (totals[edges[1:]] - totals[edges[:-1]]) / np.maximum(counts, 1)
        table = np.sort(np.where(counts > 0, means, table))
    return table.astype(np.float32)


def sparse(model: EditableModel, zeros: int, pattern: str) -> Plan:
    """Plan to set small weights to zero, and to store only the others where that is smaller.

    zeros: percentage of a weight's values. pattern: "any", or "2:4" for two in each four.
    """
    if not 1 <= zeros <= 99:
        return refused(model, "the option 'zeros' must be from 1 to 99")
    weights = [t for t in large_weights(model, TensorProto.FLOAT) if len(t.dims) > 1]
    if not weights:
        return nothing_large(model, "float32")
    before = model.size_bytes()
    share = 0.5 if pattern == "2:4" else zeros / 100
    kept = 1 - share
    listed = kept * (_INDEX_BYTES + 4) < 4
    total = sum(map(stored_bytes, weights))
    after = before - total + int(total * kept * 3) if listed else before
    touches = f"{share:.0%} of the values of {plural(len(weights), 'weight')} become zero"
    if not listed:
        touches += "; stored with the zeros, so only a compressed copy of the file gets smaller"
    names = {tensor.name for tensor in weights}

    def apply(context: Context) -> None:
        graph = model.proto.graph
        chosen = [t for t in graph.initializer if t.name in names]
        for tensor in in_turn(model, chosen, context):
            values = model.values(tensor)
            kept = _without_small(values, share, pattern)
            if not listed:
                model.set_values(tensor, kept)
                continue
            places = np.flatnonzero(kept)
            entry = SparseTensorProto()
            entry.values.CopyFrom(numpy_helper.from_array(kept.ravel()[places], tensor.name))
            entry.indices.CopyFrom(numpy_helper.from_array(places.astype(np.int64), ""))
            entry.dims.extend(values.shape)
            graph.sparse_initializer.append(entry)
        if listed:
            left = [t for t in graph.initializer if t.name not in names]
            refill(graph.initializer, left)

    return Plan(Effect(touches, 0, before, after, caution=ONLY_SMALLER), apply)


def _without_small(values: Values, share: float, pattern: str) -> Values:
    """Return values with the smallest ones set to zero."""
    magnitude = np.abs(values)
    if pattern == "2:4":  # along the inputs of each output channel
        rows = magnitude.reshape(len(values), -1)
        whole = rows.shape[1] // 4 * 4  # what is left over at the end stays
        fours = rows[:, :whole].reshape(len(rows), -1, 4)
        order = fours.argsort(axis=2).argsort(axis=2)
        mask = np.ones(rows.shape, bool)
        mask[:, :whole] = (order >= 2).reshape(len(rows), whole)
        return np.where(mask.reshape(values.shape), values, 0).astype(values.dtype)
    count = int(values.size * share)
    if not count:
        return values
    smallest = np.argpartition(magnitude.ravel(), count - 1)[:count]
    flat = values.ravel().copy()
    flat[smallest] = 0
    return flat.reshape(values.shape)


def in_turn(
    model: EditableModel, tensors: list[TensorProto], context: Context
) -> Iterator[TensorProto]:
    """Yield tensors, and report before each how much is done."""
    for number, tensor in enumerate(tensors):
        context.share(number / len(tensors))
        yield tensor


def free_name(model: EditableModel, name: str) -> str:
    """Return a name that no value of the main graph has."""
    names = own_names(model.proto.graph)
    while name in names:
        name += "_"
    return name


def prepend(model: EditableModel, added: list[NodeProto]) -> None:
    """Put nodes before all others of the main graph, in place."""
    graph = model.proto.graph
    refill(graph.node, [*added, *graph.node])
