"""Helpers of the actions: the plan that they return, and walks over a model."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from graphlib import CycleError
from itertools import accumulate
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from onnx import GraphProto, ModelProto, NodeProto, TypeProto, helper, shape_inference

from inspector.conversion.action import MINMAX, Effect, Picture
from inspector.conversion.layer_names import no_layer
from inspector.platform.data_struct import DataStruct
from inspector.units import plural


class Context(Struct):
    """The arguments of an action besides the model.

    ranges: lowest and highest value of tensors, measured on inputs; None where nothing was
    measured. share: receives how much is done, 0 to 1. notes: filled by the action, one
    sentence each. renamed: filled as well, new names of inputs and outputs with the original's.
    folder: for files that are needed on the way. pictures: filled as well, inputs that became
    8-bit pictures. devices: filled as well, ids of those that run the result, where others do
    not. later: filled as well, functions that return notes once the result is written, since
    values of large weights change then.
    """

    ranges: Mapping[str, tuple[float, float]] | None = None
    share: Callable[[float], None] = lambda _: None
    notes: list[str] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)
    folder: Path = Path()
    pictures: list[Picture] = field(default_factory=list)
    devices: tuple[str, ...] = ()
    later: list[Callable[[], Iterable[str]]] = field(default_factory=list)


class Plan(DataStruct, frozen=True):
    """The effect of an action (`effect`) and the function that applies it in place.

    observe: for an action that calibrates: makes the model ready for it, in place, and returns
    the tensors whose ranges `apply` needs. layers: names and operators of layers that can be
    changed one by one; results: the value that each of them makes. method: how ranges of
    several inputs become one, and percentile, as in Converted. lost: returns, after `observe`,
    for each of the layers how many weights become zero, of how many. peaks: measure the largest
    magnitude of each channel, too.
    """

    effect: Effect
    apply: Callable[[Context], None] = lambda _: None
    observe: Callable[[], tuple[str, ...]] | None = None
    layers: tuple[tuple[str, str], ...] = ()
    method: str = MINMAX
    results: tuple[str, ...] = ()
    percentile: float = 100.0
    lost: Callable[[], tuple[tuple[int, int], ...]] = tuple
    peaks: bool = True


def graphs(graph: GraphProto) -> Iterator[GraphProto]:
    """Yield a graph and those inside its nodes, the outer ones first."""
    yield graph
    for node in graph.node:
        for inner in subgraphs(node):
            yield from graphs(inner)


def subgraphs(node: NodeProto) -> Iterator[GraphProto]:
    """Yield the graphs of a node's attributes."""
    for attribute in node.attribute:
        if attribute.HasField("g"):
            yield attribute.g
        yield from attribute.graphs


def nodes(model: ModelProto) -> Iterator[NodeProto]:
    """Yield all nodes of a model: the main graph, subgraphs, and bodies of functions."""
    for graph in graphs(model.graph):
        yield from graph.node
    for function in model.functions:
        for node in function.node:
            yield node
            for inner in subgraphs(node):
                for graph in graphs(inner):
                    yield from graph.node


def attribute(node: NodeProto, name: str) -> Any:
    """Return an AttributeProto of a node by name; None if it is not there."""
    return next((each for each in node.attribute if each.name == name), None)


def counted(operators: Iterable[str]) -> str:
    """Return how often operators occur, most frequent first: "26 Conv, 2 Gemm"."""
    counts = Counter(operators).most_common()
    shown = ", ".join(f"{count:,} {name}" for name, count in counts[:4])
    rest = sum(count for _, count in counts[4:])
    return f"{shown}, {plural(rest, 'other layer')}" if rest else shown


def refill(field: Any, messages: Iterable[Any]) -> None:
    """Replace the messages of a repeated field by copies; its own may be among them."""
    listed = [*messages]
    del field[:]
    field.extend(listed)


def own_names(graph: GraphProto) -> set[str]:
    """Return the names of tensors that a graph itself makes or is given."""
    names = {each.name for each in (*graph.input, *graph.initializer)}
    names.update(sparse.values.name for sparse in graph.sparse_initializer)
    names.update(name for node in graph.node for name in node.output if name)
    return names


def taken(node: NodeProto) -> set[str]:
    """Return the names of tensors that a node takes, those for its graphs included."""
    names = {name for name in node.input if name}
    for graph in subgraphs(node):
        inner = {value.name for value in graph.output}
        for each in graph.node:
            inner |= taken(each)
        names |= inner - own_names(graph)
    return names


def put_in_order(graph: GraphProto) -> int:
    """Put each layer behind those that it reads, in place; return how many moved.

    All others keep their order. Raises CycleError with a layer that needs its own result.
    """
    makers = {name: i for i, node in enumerate(graph.node) for name in node.output if name}
    needs = [{makers[n] for n in taken(node) if n in makers} for node in graph.node]
    if all(place < index for index, places in enumerate(needs) for place in places):
        return 0
    order, placed, waiting = list[int](), set[int](), set[int]()
    for start in range(len(needs)):
        stack = [start]
        while stack:
            index = stack[-1]
            missing = sorted(needs[index] - placed)
            if missing and index in waiting:
                raise CycleError("the graph has a cycle", graph.node[index])
            if missing:
                waiting.add(index)
                stack += missing[::-1]
                continue
            stack.pop()
            if index not in placed:
                placed.add(index)
                order.append(index)
    refill(graph.node, [graph.node[i] for i in order])
    highest = accumulate(order, max)
    return sum(place < before for place, before in zip(order, highest, strict=True))


def same_type(one: TypeProto | None, other: TypeProto | None) -> bool:
    """Return whether two types may stand for each other, as far as they are known."""
    if one is None or other is None:
        return True
    if one.WhichOneof("value") != other.WhichOneof("value"):
        return False
    if not one.HasField("tensor_type"):
        return bool(one == other)
    kinds = one.tensor_type.elem_type, other.tensor_type.elem_type
    if all(kinds) and kinds[0] != kinds[1]:
        return False
    if not one.tensor_type.HasField("shape") or not other.tensor_type.HasField("shape"):
        return True
    axes = one.tensor_type.shape.dim, other.tensor_type.shape.dim
    if len(axes[0]) != len(axes[1]):
        return False
    return not any(
        a.HasField("dim_value") and b.HasField("dim_value") and a.dim_value != b.dim_value
        for a, b in zip(*axes, strict=True)
    )


def find_layer(graph: GraphProto, name: str) -> NodeProto:
    """Return the node of the main graph with a name, number or output. Raises BadInput."""
    for node in graph.node:
        if node.name == name:
            return node
    for node in graph.node:
        if name in node.output:
            return node
    if name.isdecimal() and int(name) < len(graph.node):
        return graph.node[int(name)]
    names = [node.name or node.output[0] for node in graph.node if node.output]
    raise no_layer(name, names, "Specify the name of the layer, or its number, counted from 0.")


def check_layers(names: Iterable[str], model: ModelProto, *others: ModelProto) -> None:
    """Raise BadInput: a name is neither that nor an output of a layer of these models."""
    wanted = dict.fromkeys(names)
    if not wanted:
        return
    layers = [node for each in (model, *others) for node in nodes(each)]
    known = {name for node in layers for name in (node.name, *node.output)}
    for name in wanted:
        if name not in known:
            raise no_layer(name, [node.name for node in layers if node.name])


def value_types(model: ModelProto) -> dict[str, TypeProto]:
    """Return the types of the main graph's values as far as they can be inferred.

    A layer of another domain than ONNX's is taken to give the element type of its first input,
    of unknown shape.
    """
    return _value_types(bytes(model.SerializeToString()))


@lru_cache(maxsize=2)  # several plans ask for those of one model
def _value_types(body: bytes) -> dict[str, TypeProto]:
    model = ModelProto.FromString(body)
    try:
        inferred = shape_inference.infer_shapes(model, data_prop=True).graph
    except (shape_inference.InferenceError, RuntimeError):
        inferred = model.graph
    types = {
        value.name: value.type
        for value in (*inferred.value_info, *inferred.output, *inferred.input)
        if value.type.WhichOneof("value")
    }
    for tensor in model.graph.initializer:
        kind = helper.make_tensor_type_proto(tensor.data_type, tuple(tensor.dims))
        types.setdefault(tensor.name, kind)
    if any(node.domain not in ("", "ai.onnx") for node in model.graph.node):
        for node in model.graph.node:
            first = types.get(node.input[0]) if node.input else None
            if first is None or not first.HasField("tensor_type"):
                continue
            for name in node.output:
                if name and name not in types:
                    element = first.tensor_type.elem_type
                    types[name] = helper.make_tensor_type_proto(element, None)
    return types
