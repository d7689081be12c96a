"""Rewrites that come before quantization: plain float32 operators of ai.onnx, weights constant.

All keep the outputs, apart from rounding.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import AttributeProto, GraphProto, NodeProto, TensorProto, TypeProto, helper, inliner

from inspector.conversion.editable_model import EditableModel, stored_bytes
from inspector.conversion.plan import attribute, graphs, nodes, own_names, refill, subgraphs

FLOAT: int = TensorProto.FLOAT
HALF: int = TensorProto.FLOAT16
DEFAULT_DOMAINS = ("", "ai.onnx")
_FUSED_DOMAIN = "com.microsoft"
_CONSTANT_INPUTS_IR = 4  # from this IR version on, weights need not be inputs of the graph
_CLIP_INPUTS_OPSET = 11  # from this opset on, the limits of Clip are inputs
_TYPE_ATTRIBUTES = (
    "to",
    "dtype",
    "output_datatype",
)  # of operators, that hold a TensorProto type
# Attributes that "activation_params" of a fused operator of ONNX Runtime stands for.
_ACTIVATION_PARAMETERS = {
    "Relu": (), "Tanh": (), "Sigmoid": (), "LeakyRelu": ("alpha",),
    "HardSigmoid": ("alpha", "beta"), "Clip": ("min", "max"),
}  # fmt: skip


def prepare(model: EditableModel) -> None:
    """Make operators plain and weights constant, in place; the operator set stays."""
    proto = model.proto
    if proto.functions:
        proto.CopyFrom(inliner.inline_local_functions(proto))
    _drop_inputs_with_values(model)
    if any(tensor.data_type == HALF for tensor in model.tensors()):
        _widen(model)
    _make_names_unique(proto.graph)
    for graph in inner_first(proto.graph):
        names = all_names(proto.graph)
        body = list[NodeProto]()
        for node in graph.node:
            body.extend(_split(graph, node, names, model.opset))
        refill(graph.node, body)
        _fold_normalization(model, graph)
    used = {"" if n.domain in DEFAULT_DOMAINS else n.domain for n in nodes(model.proto)}
    left = [
        entry
        for entry in model.proto.opset_import
        if ("" if entry.domain in DEFAULT_DOMAINS else entry.domain) in used
    ]
    refill(model.proto.opset_import, left)


def constants(graph: GraphProto) -> dict[str, TensorProto]:
    """Return the tensors of a graph with fixed values: initializers and Constant nodes."""
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant" and node.domain in DEFAULT_DOMAINS:
            value = attribute(node, "value")
            if value is not None:
                tensors[node.output[0]] = value.t
    return tensors


def scopes(
    graph: GraphProto, outer: Mapping[str, TensorProto] | None = None
) -> Iterator[tuple[GraphProto, dict[str, TensorProto]]]:
    """Yield a graph and those inside it, the outer ones first, with the constants they see."""
    visible = {**(outer or {}), **constants(graph)}
    yield graph, visible
    for node in graph.node:
        for inner in subgraphs(node):
            yield from scopes(inner, visible)


def use_counts(graph: GraphProto) -> Counter[str]:
    """Return how often each value is used: by nodes, inside subgraphs, and as an output."""
    counts = Counter(value.name for value in graph.output)
    for node in graph.node:
        counts.update(node.input)
        for inner in subgraphs(node):
            counts.update(use_counts(inner))
    return counts


def all_names(graph: GraphProto) -> set[str]:
    """Return the names of all values and nodes of a graph and those inside it."""
    names = set[str]()
    for each in graphs(graph):
        names.update(value.name for value in (*each.input, *each.output, *each.initializer))
        for node in each.node:
            names.update(node.output)
            names.add(node.name)
    return names


def unused_name(wanted: str, names: set[str]) -> str:
    """Return a name that is not among `names`, and add it there."""
    name, number = wanted, 1
    while name in names:
        number += 1
        name = f"{wanted}_{number}"
    names.add(name)
    return name


def rename_inputs(some: Iterable[NodeProto], new_names: Mapping[str, str]) -> None:
    """Make nodes, and the nodes inside them, read other values."""
    for node in some:
        for place, name in enumerate(node.input):
            if name in new_names:
                node.input[place] = new_names[name]
        for inner in subgraphs(node):
            rename_inputs(inner.node, new_names)
            for value in inner.output:
                value.name = new_names.get(value.name, value.name)


def inner_first(graph: GraphProto) -> list[GraphProto]:
    """Return a graph and those inside it, in an order in which the nodes of each may be
    replaced: protobuf copies them, together with the graphs inside them."""
    return [*graphs(graph)][::-1]


def _make_names_unique(graph: GraphProto) -> None:
    """Rename values inside of layers that have the name of another value, as in both branches
    of an If."""
    taken_names = all_names(graph)
    seen = own_names(graph)
    for inner in [*graphs(graph)][1:]:
        own = own_names(inner)
        new_names = {name: unused_name(name, taken_names) for name in sorted(own & seen)}
        seen |= own | set(new_names.values())
        if not new_names:
            continue
        rename_inputs(inner.node, new_names)
        for node in inner.node:
            for place, name in enumerate(node.output):
                node.output[place] = new_names.get(name, name)
        listed = (*inner.input, *inner.output, *inner.value_info, *inner.initializer)
        for value in listed:
            value.name = new_names.get(value.name, value.name)


def _drop_inputs_with_values(model: EditableModel) -> None:
    """Make weights that are inputs of the graph, too, constants."""
    proto = model.proto
    initial = {tensor.name for tensor in proto.graph.initializer}
    rest = [value for value in proto.graph.input if value.name not in initial]
    if len(rest) < len(proto.graph.input):
        refill(proto.graph.input, rest)
        proto.ir_version = max(proto.ir_version, _CONSTANT_INPUTS_IR)


def _widen(model: EditableModel) -> None:
    """Turn every float16 value into float32, except for inputs and outputs of the model."""
    graph = model.proto.graph
    for tensor in model.tensors():
        if tensor.data_type == HALF:
            model.convert_later(tensor, FLOAT, _to_float32)
    for node in nodes(model.proto):
        for name in _TYPE_ATTRIBUTES:
            own = attribute(node, name)
            if own is not None and own.type == AttributeProto.INT and own.i == HALF:
                own.i = FLOAT
    names, casts_in, casts_out = all_names(graph), list[NodeProto](), list[NodeProto]()
    inner_inputs, inner_outputs = dict[str, str](), dict[str, str]()
    for value in graph.input:
        if value.type.tensor_type.elem_type == HALF:
            new = inner_inputs[value.name] = unused_name(f"{value.name}_float32", names)
            casts_in.append(helper.make_node("Cast", [value.name], [new], to=FLOAT))
    made = {name for node in graph.node for name in node.output}
    for value in graph.output:
        if value.type.tensor_type.elem_type == HALF and value.name in made:
            new = inner_outputs[value.name] = unused_name(f"{value.name}_float32", names)
            casts_out.append(helper.make_node("Cast", [new], [value.name], to=HALF))
    rename_inputs(graph.node, {**inner_inputs, **inner_outputs})
    for node in graph.node:
        for place, name in enumerate(node.output):
            node.output[place] = inner_outputs.get(name, name)
    body = [*casts_in, *graph.node, *casts_out]
    refill(graph.node, body)
    top = {value.name for value in (*graph.input, *graph.output)}
    for each in graphs(graph):
        for value in (*each.value_info, *each.input, *each.output):
            if each is not graph or value.name not in top:
                _set_float(value.type)


def _to_float32(values: NDArray[Any]) -> NDArray[Any]:
    return values.astype(np.float32)


def _set_float(kind: TypeProto) -> None:
    which = kind.WhichOneof("value")
    if which in ("tensor_type", "sparse_tensor_type"):
        if getattr(kind, which).elem_type == HALF:
            getattr(kind, which).elem_type = FLOAT
    elif which in ("sequence_type", "optional_type"):
        _set_float(getattr(kind, which).elem_type)


def _split(
    graph: GraphProto, node: NodeProto, names: set[str], opset: int
) -> Iterator[NodeProto]:
    own = attribute(node, "activation")
    kind = own.s.decode("utf-8", "replace") if own is not None else ""
    known = not kind or kind in _ACTIVATION_PARAMETERS
    if node.op_type == "FusedGemm":  # it has other names for the parameters
        known = not _ACTIVATION_PARAMETERS.get(kind)
    is_fused = node.domain == _FUSED_DOMAIN and node.op_type in ("FusedConv", "FusedGemm")
    if not is_fused or not known:
        yield node
        return
    given = attribute(node, "activation_params")
    numbers = [*given.floats] if given is not None else []
    rest = [a for a in node.attribute if not a.name.startswith("activation")]
    plain = NodeProto(name=node.name, op_type=node.op_type.removeprefix("Fused"))
    plain.attribute.extend(rest)
    plain.input.extend(node.input[:3])
    added = node.input[3] if len(node.input) > 3 else ""
    output = node.output[0]
    results = [unused_name(f"{output}_plain", names) for _ in range(bool(added) + bool(kind))]
    results.append(output)
    plain.output.append(results[0])
    yield plain
    if added:
        yield helper.make_node("Add", [results[0], added], [results[1]])
    if kind == "Clip" and opset >= _CLIP_INPUTS_OPSET:
        limits = []
        for number in numbers:
            limit = unused_name(f"{output}_limit", names)
            graph.initializer.add(name=limit, data_type=FLOAT, float_data=[number])
            limits.append(limit)
        yield helper.make_node("Clip", [results[-2], *limits], [output])
    elif kind:
        parameters = dict(zip(_ACTIVATION_PARAMETERS[kind], numbers, strict=False))
        yield helper.make_node(kind, [results[-2]], [output], **parameters)


def _fold_normalization(model: EditableModel, graph: GraphProto) -> None:
    """Multiply BatchNormalization into the weights of the convolution before it."""
    fixed, uses = constants(graph), use_counts(graph)
    names = all_names(model.proto.graph)
    makers = {name: node for node in graph.node for name in node.output}
    body = []
    for node in graph.node:
        before = makers.get(node.input[0]) if node.input else None
        if (
            node.op_type != "BatchNormalization"
            or before is None
            or not _foldable(node, before, fixed, uses)
        ):
            body.append(node)
            continue
        scale, shift, mean, variance = (
            model.values(fixed[name]).astype(np.float64) for name in node.input[1:5]
        )
        epsilon = attribute(node, "epsilon")
        factor = scale / np.sqrt(variance + (1e-5 if epsilon is None else epsilon.f))
        bias = np.zeros_like(mean)
        if len(before.input) > 2 and before.input[2]:
            bias = model.values(fixed[before.input[2]]).astype(np.float64)
        new_bias = ((bias - mean) * factor + shift).astype(np.float32)
        weight = fixed[before.input[1]]
        model.convert_later(
            weight, FLOAT, partial(_scaled, factor, tuple(weight.dims)), by_piece=False
        )
        tensor = graph.initializer.add()
        tensor.name = unused_name(f"{before.output[0]}_bias", names)
        model.set_values(tensor, new_bias)
        fixed[tensor.name] = tensor
        del before.input[2:]
        before.input.append(tensor.name)
        before.output[0] = node.output[0]
        makers[node.output[0]] = before
    refill(graph.node, body)
    drop_unused(graph)


def _foldable(
    node: NodeProto, before: NodeProto, fixed: Mapping[str, TensorProto], uses: Counter[str]
) -> bool:
    training = attribute(node, "training_mode")
    return bool(
        before.op_type == "Conv"
        and before.domain in DEFAULT_DOMAINS
        and len([name for name in node.output if name]) == 1
        and (training is None or not training.i)
        and uses[before.output[0]] == 1
        and uses[before.input[1]] == 1
        and all(name in fixed for name in (*node.input[1:5], *before.input[1:]) if name)
        and all(fixed[name].data_type == FLOAT for name in before.input[1:] if name)
    )


def _scaled(factor: NDArray[Any], shape: tuple[int, ...], values: NDArray[Any]) -> NDArray[Any]:
    rows: NDArray[Any] = values.reshape(shape[0], -1) * factor[:, None]
    return rows.astype(np.float32).ravel()


def dropped_bytes(model: EditableModel, replaced: Mapping[str, int]) -> int:
    """Return the size of all weights that `drop_unused` removes once uses are gone.

    replaced: how many uses of a weight will be gone, by its name.
    """
    total = 0
    for graph in graphs(model.proto.graph):
        uses = use_counts(graph)
        total += sum(
            stored_bytes(tensor)
            for name, tensor in constants(graph).items()
            if uses[name] <= replaced.get(name, 0)
        )
    return total


def drop_unused(graph: GraphProto) -> None:
    """Remove initializers and Constant nodes of a graph that nothing uses any more."""
    uses = use_counts(graph)
    refill(graph.initializer, [tensor for tensor in graph.initializer if uses[tensor.name]])
    used = [n for n in graph.node if n.op_type != "Constant" or uses[n.output[0]]]
    refill(graph.node, used)
