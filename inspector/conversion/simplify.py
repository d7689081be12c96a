"""Remove what is computed from constants only, has no effect, or is there twice."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from msgspec import Struct, field
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from inspector.conversion.action import Effect
from inspector.conversion.editable_model import EditableModel, Values, stored_bytes
from inspector.conversion.edits.graph_edits import nothing
from inspector.conversion.edits.interface_edits import rename_values
from inspector.conversion.plan import (
    Plan,
    attribute,
    counted,
    graphs,
    own_names,
    put_in_order,
    refill,
    subgraphs,
    taken,
    value_types,
)
from inspector.model.operator_traits import OPTIONAL_OUTPUTS, RECURRENT
from inspector.wording.values import Count, Joined, Name, Sentence, Value

# Operators whose results are exact, or rounded once, in ONNX's reference evaluator as well.
# Those of quantization are not here: a runtime needs to see them.
_EXACT = frozenset(
    (
        "Abs", "Add", "And", "Cast", "CastLike", "Ceil", "Clip", "Concat", "ConstantOfShape",
        "Div", "Equal", "Expand", "Flatten", "Floor", "Gather", "GatherElements", "GatherND",
        "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Max", "Min", "Mod",
        "Mul", "Neg", "NonZero", "Not", "OneHot", "Or", "Pow", "Range", "Reciprocal",
        "ReduceMax", "ReduceMin", "ReduceProd", "ReduceSum", "Reshape", "ScatterND", "Shape",
        "Sign", "Size", "Slice", "Split", "Sqrt", "Squeeze", "Sub", "Sum", "Tile",
        "Transpose", "Trilu", "Unsqueeze", "Where", "Xor",
    )
)  # fmt: skip
_DEFAULT = ("", "ai.onnx")
_MOST_READ_BYTES = 1 << 20  # of constants that are read to compute with them
_SMALL_BYTES = 4096  # a result may always be so large; else not larger than what it came from
_MOST_ROUNDS = 10  # each makes more shapes known
# What the reference evaluator raises for values that do not fit: then the layer stays.
_FAULTS = (
    RuntimeError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError,
    AssertionError, NotImplementedError,
)  # fmt: skip
_OLDEST_DROPOUT = 7  # opset from which Dropout does nothing without a switch


class _Done(Struct):
    """Counts of what was removed, by kind."""

    folded: Counter[str] = field(default_factory=Counter)
    without_effect: Counter[str] = field(default_factory=Counter)
    unused: Counter[str] = field(default_factory=Counter)
    outputs: Counter[str] = field(default_factory=Counter)
    duplicates: set[str] = field(default_factory=set)

    @property
    def layers(self) -> int:
        """Return how many layers were removed."""
        return sum(map(Counter.total, (self.folded, self.without_effect, self.unused)))


def simplify(model: EditableModel, fold: bool, duplicates: bool) -> Plan:
    """Plan to remove layers without effect and to compute what follows from constants.

    fold: constants and shapes of fixed length. duplicates: weights with equal values.
    """
    slim = ModelProto()
    slim.CopyFrom(model.proto)
    put_in_order(slim.graph)  # what is unused is found from the end to the begin
    done, before = _Done(), model.size_bytes()
    for _ in range(_MOST_ROUNDS):
        count = done.layers
        # What a file says of inner shapes may be wrong: types are inferred from the inputs
        # alone.
        bare = ModelProto()
        bare.CopyFrom(slim)
        for graph in graphs(bare.graph):
            graph.ClearField("value_info")
        for value in bare.graph.output:
            if value.type.HasField("tensor_type"):
                value.type.tensor_type.ClearField("shape")
        types = value_types(bare)
        _graph(model, slim, slim.graph, {}, types, fold, done)
        if done.layers == count:
            break
    if duplicates:
        _merge_duplicates(model, slim.graph, done)
    gone = _weights(model.proto) - _weights(slim)
    if not done.layers and not gone and not done.outputs:
        return nothing(model, "there are no layers or weights to remove")
    layers = sum(len(graph.node) for graph in graphs(model.proto.graph))
    left = sum(len(graph.node) for graph in graphs(slim.graph))
    after = before - _bytes_of(model.proto) + _bytes_of(slim)
    parts: list[Value] = [
        Sentence(template, operators=Name(counted(counts.elements())))
        for template, counts in (
            ("computed from constants: {operators}", done.folded),
            ("without effect: {operators}", done.without_effect),
            ("unused: {operators}", done.unused),
            ("without unread outputs: {operators}", done.outputs),
        )
        if counts
    ]
    if gone & done.duplicates:
        parts.append(Count(len(gone & done.duplicates), "duplicate weight"))
    if gone - done.duplicates and not done.layers:
        parts.append(Count(len(gone - done.duplicates), "unused weight"))
    if layers > left:
        removed: dict[str, Value] = {
            "count": f"{layers - left:,}",
            "layers": Count(layers, "layer"),
        }
        parts.insert(0, Sentence("removes {count} of {layers}", **removed))
    effect = Effect(Joined(tuple(parts), "; "), layers - left, before, after)
    return Plan(effect, lambda _: model.proto.CopyFrom(slim))


def _weights(proto: ModelProto) -> set[str]:
    return {tensor.name for graph in graphs(proto.graph) for tensor in graph.initializer}


def _bytes_of(proto: ModelProto) -> int:
    outside = (t for t in proto.graph.initializer if t.data_location == TensorProto.EXTERNAL)
    return int(proto.ByteSize()) + sum(map(stored_bytes, outside))


def _graph(
    model: EditableModel,
    proto: ModelProto,
    graph: GraphProto,
    outer: Mapping[str, TensorProto],
    types: Mapping[str, TypeProto],
    fold: bool,
    done: _Done,
) -> None:
    """Simplify a graph and those inside it, in place. outer: constants of graphs around it."""
    given = {value.name for value in graph.input}
    constants = {**outer, **{t.name: t for t in graph.initializer if t.name not in given}}
    constants |= {node.output[0]: t for node in graph.node if (t := _constant(node))}
    if fold:
        ends = {value.name for value in graph.output}
        shapes: dict[str, tuple[int | None, ...]] = {}  # of results of Shape, as far as known
        for node in graph.node:
            plain = node.domain in _DEFAULT and node.op_type in _EXACT
            if not plain or ends & {*node.output} or any(map(bool, subgraphs(node))):
                continue
            values = _from_shape(model, node, constants, types, shapes)
            if values is None and all(name in constants for name in node.input if name):
                values = _computed(model, proto, node, constants)
            if values is None:
                continue
            for name, value in zip(node.output, values, strict=False):
                if name:
                    tensor = numpy_helper.from_array(np.asarray(value), name)
                    graph.initializer.append(tensor)
                    constants[name] = tensor
            done.folded[node.op_type] += 1
            node.Clear()
        refill(graph.node, [node for node in graph.node if node.op_type])
        _inline_decided(model, graph, constants, done)
    for node in graph.node:
        for inner in subgraphs(node):
            _graph(model, proto, inner, constants, {}, fold, done)
    _remove_without_effect(model, proto, graph, constants, types, done)
    wanted = {value.name for value in graph.output}
    kept = []
    for node in reversed(graph.node):
        if wanted & {name for name in node.output if name}:
            kept.append(node)
            _drop_outputs(node, wanted, done)
            wanted |= taken(node)
        elif _constant(node) is None:
            done.unused[node.op_type] += 1
    refill(graph.node, reversed(kept))
    given = {value.name for value in graph.input}
    refill(graph.initializer, [t for t in graph.initializer if t.name in wanted | given])


def _inline_decided(
    model: EditableModel, graph: GraphProto, constants: Mapping[str, TensorProto], done: _Done
) -> None:
    """Put the branch that a constant condition chooses in place of each If of a graph."""
    chosen: dict[int, GraphProto] = {}
    in_use = own_names(graph)
    for place, node in enumerate(graph.node):
        decided = node.op_type == "If" and node.domain in _DEFAULT and node.input
        condition = constants.get(node.input[0]) if decided else None
        if condition is not None and stored_bytes(condition) == 1:
            holds = model.values(condition).all()
            chosen[place] = attribute(node, "then_branch" if holds else "else_branch").g
        else:
            inside = (each for inner in subgraphs(node) for each in graphs(inner))
            in_use |= {name for each in inside for name in own_names(each)}
    if not chosen:
        return
    kept: list[NodeProto] = []
    for place, node in enumerate(graph.node):
        if place in chosen:
            branch = chosen[place]
            copy = GraphProto()
            copy.CopyFrom(branch)
            names: dict[str, str] = {}
            for name in sorted(own_names(copy)):
                free, number = name, 0
                while free in in_use:
                    number += 1
                    free = f"{name}_{number}"
                names[name] = free
                in_use.add(free)
            ends = [names.get(value.name, value.name) for value in copy.output]
            rename_values(copy, {old: new for old, new in names.items() if old != new})
            graph.initializer.extend(copy.initializer)
            graph.sparse_initializer.extend(copy.sparse_initializer)
            graph.value_info.extend(copy.value_info)
            results = [
                (end, name) for end, name in zip(ends, node.output, strict=False) if name
            ]
            kept += [
                *copy.node,
                *(helper.make_node("Identity", [end], [name]) for end, name in results),
            ]
            done.folded["If"] += 1
        else:
            kept.append(node)
    refill(graph.node, kept)


def _constant(node: NodeProto) -> TensorProto | None:
    """Return the value of a Constant node; None if it is another node, or no tensor."""
    if node.op_type != "Constant" or node.domain not in _DEFAULT:
        return None
    for own in node.attribute:
        if own.name == "value":
            return own.t
        if own.name in ("value_int", "value_ints"):
            numbers = own.i if own.name == "value_int" else [*own.ints]
            return numpy_helper.from_array(np.asarray(numbers, np.int64))
        if own.name in ("value_float", "value_floats"):
            numbers = own.f if own.name == "value_float" else [*own.floats]
            return numpy_helper.from_array(np.asarray(numbers, np.float32))
    return None


def _from_shape(
    model: EditableModel,
    node: NodeProto,
    constants: Mapping[str, TensorProto],
    types: Mapping[str, TypeProto],
    shapes: dict[str, tuple[int | None, ...]],
) -> list[Values] | None:
    """Return what follows from fixed lengths of axes; None where it does not."""
    if node.op_type in ("Shape", "Size"):
        kind = types.get(node.input[0])
        if kind is None or not kind.tensor_type.HasField("shape"):
            return None
        axes = tuple(
            axis.dim_value if axis.HasField("dim_value") else None
            for axis in kind.tensor_type.shape.dim
        )
        if node.op_type == "Size":
            if None in axes:
                return None
            return [np.asarray(np.prod([axis or 0 for axis in axes], dtype=np.int64))]
        start, end = attribute(node, "start"), attribute(node, "end")
        chosen = axes[start.i if start else None : end.i if end else None]
        shapes[node.output[0]] = chosen
        return None if None in chosen else [np.asarray(chosen, np.int64)]
    if node.op_type == "Gather" and node.input[0] in shapes and node.input[1] in constants:
        axis = attribute(node, "axis")
        indices = model.values(constants[node.input[1]])
        lengths = shapes[node.input[0]]
        if (axis is not None and axis.i) or not indices.size or indices.size > len(lengths):
            return None
        if indices.min() < -len(lengths) or indices.max() >= len(lengths):
            return None
        picked = [lengths[index] for index in indices.ravel().tolist()]
        if None in picked:
            return None
        return [np.asarray(picked, np.int64).reshape(indices.shape)]
    return None


def _computed(
    model: EditableModel,
    proto: ModelProto,
    node: NodeProto,
    constants: Mapping[str, TensorProto],
) -> list[Values] | None:
    """Return the outputs of a node whose inputs are constants; None if they are too large."""
    given = [name for name in dict.fromkeys(node.input) if name]
    tensors = [constants[name] for name in given]
    read = sum(map(stored_bytes, tensors))
    if read > _MOST_READ_BYTES or any(t.data_type == TensorProto.STRING for t in tensors):
        return None
    feeds = {name: model.values(tensor) for name, tensor in zip(given, tensors, strict=True)}
    pairs = zip(given, tensors, strict=True)
    alone = helper.make_graph(
        [node],
        "node",
        [helper.make_tensor_value_info(n, t.data_type, None) for n, t in pairs],
        [helper.make_value_info(name, TypeProto()) for name in node.output if name],
    )
    single = helper.make_model(alone, opset_imports=list(proto.opset_import))
    try:
        with np.errstate(all="ignore"):
            results = ReferenceEvaluator(single).run(None, feeds)
    except _FAULTS:
        return None
    arrays = [np.asarray(result) for result in results]
    size = sum(array.nbytes for array in arrays)
    if size > max(_SMALL_BYTES, read) or not all(array.size for array in arrays):
        return None
    made = iter(arrays)
    return [next(made) if name else np.empty(0) for name in node.output]


def _remove_without_effect(
    model: EditableModel,
    proto: ModelProto,
    graph: GraphProto,
    constants: Mapping[str, TensorProto],
    types: Mapping[str, TypeProto],
    done: _Done,
) -> None:
    ends = {value.name for value in graph.output}
    given = {value.name for value in graph.input}
    own = own_names(graph)
    makers = {name: node for node in graph.node for name in node.output if name}
    versions = {entry.domain or "ai.onnx": entry.version for entry in proto.opset_import}
    opset = versions.get("ai.onnx", 0)
    names: dict[str, str] = {}
    kept = []
    for node in graph.node:
        if not _has_no_effect(model, node, graph, constants, types, opset):
            kept.append(node)
            continue
        source, target = names.get(node.input[0], node.input[0]), node.output[0]
        if target not in ends:
            names[target] = source
        elif (
            source in makers
            and source in own
            and source not in ends | given
            and source not in names.values()
        ):
            names[source] = target  # the layer before gives the output instead
        else:
            kept.append(node)
            continue
        done.without_effect[node.op_type] += 1
    if not names:
        return
    # A name may lead to one that was replaced later: follow all the way.
    for name in names:
        last = names[name]
        while last in names:
            last = names[last]
        names[name] = last
    refill(graph.node, kept)
    refill(graph.value_info, [one for one in graph.value_info if one.name not in names])
    rename_values(graph, names)


def _has_no_effect(
    model: EditableModel,
    node: NodeProto,
    graph: GraphProto,
    constants: Mapping[str, TensorProto],
    types: Mapping[str, TypeProto],
    opset: int,
) -> bool:
    if node.domain not in _DEFAULT or not node.input or not node.input[0]:
        return False
    if node.op_type in ("Identity", "Sum", "Max", "Min", "Mean", "Concat"):
        return len(node.input) == 1
    if node.op_type == "Dropout":
        masks = {name for name in node.output[1:] if name}
        used = {name for each in graph.node for name in taken(each)}
        used |= {value.name for value in graph.output}
        if opset < _OLDEST_DROPOUT or masks & used:
            return False
        if len(node.input) < 3 or not node.input[2]:
            return True
        switch = constants.get(node.input[2])
        return switch is not None and not model.values(switch).any()
    if node.op_type == "Cast":
        kind = types.get(node.input[0])
        to: Any = attribute(node, "to")
        return kind is not None and to is not None and kind.tensor_type.elem_type == to.i
    if node.op_type == "Transpose":
        order = attribute(node, "perm")
        return order is not None and [*order.ints] == [*range(len(order.ints))]
    return False


def _drop_outputs(node: NodeProto, wanted: set[str], done: _Done) -> None:
    """Take the names of optional outputs that nobody reads, so that they are not computed."""
    if node.op_type not in OPTIONAL_OUTPUTS or node.domain not in _DEFAULT:
        return
    before, first = [*node.output], node.op_type not in RECURRENT
    names = [n if n in wanted or (first and not i) else "" for i, n in enumerate(before)]
    while not names[-1]:
        names.pop()
    if names != before:
        node.output[:] = names
        done.outputs[node.op_type] += 1


def _merge_duplicates(model: EditableModel, graph: GraphProto, done: _Done) -> None:
    fixed = {value.name for value in (*graph.input, *graph.output)}
    groups: dict[tuple[int, tuple[int, ...]], list[TensorProto]] = {}
    for tensor in graph.initializer:
        if tensor.name not in fixed:
            groups.setdefault((tensor.data_type, tuple(tensor.dims)), []).append(tensor)
    first: dict[tuple[Any, ...], str] = {}
    names: dict[str, str] = {}
    for kind, tensors in groups.items():
        for tensor, digest in _digests(model, tensors):
            name = first.setdefault((*kind, digest), tensor.name)
            if name != tensor.name:
                names[tensor.name] = name
    if not names:
        return
    refill(graph.initializer, [t for t in graph.initializer if t.name not in names])
    rename_values(graph, names)
    done.duplicates |= names.keys()


def _digests(
    model: EditableModel, tensors: list[TensorProto]
) -> Iterator[tuple[TensorProto, bytes]]:
    if len(tensors) < 2 or tensors[0].data_type == TensorProto.STRING:
        return
    for tensor in tensors:
        yield tensor, hashlib.sha256(model.values(tensor).tobytes()).digest()
