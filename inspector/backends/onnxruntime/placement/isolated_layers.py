"""Layers taken out of their graphs, each alone with inputs of its own, side by side.

Devices that compile take a quantised layer only with what dequantises its inputs and quantises
its output: such a group stands alone as one unit.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field
from onnx import GraphProto, ModelProto, NodeProto, ValueInfoProto

from inspector.backends.onnxruntime.graphs import layer_names
from inspector.backends.onnxruntime.graphs.tensor_types import TypedGraph

QUANTIZE = "QuantizeLinear"
DEQUANTIZE = "DequantizeLinear"
WITH_SUBGRAPH = "it is placed together with its subgraphs"
_UNTYPED = "the type of an input is unknown"
_ELSEWHERE = "it is in a subgraph that could not be inspected"


class Isolated(Struct, frozen=True, eq=False):
    """Layer i as a node named "n<i>", its tensors "n<i>_...".

    A layer j that stands in the unit of i is a node "n<i>_L<j>". units: layer -> the layers in
    whose units it is, itself alone for most. left_out: layers that cannot stand alone, and
    why, as the end of a sentence.
    """

    model: ModelProto
    layers: tuple[int, ...]
    left_out: Mapping[int, str]
    units: Mapping[int, tuple[int, ...]] = field(default_factory=dict)


def isolate(
    model: ModelProto,
    layers: Iterable[int],
    graphs: Sequence[TypedGraph],
    whole_units: bool = False,
) -> Isolated:
    """Build a model of some layers of another one that has the names of `layer_names.rename`.

    Weights stay constants, which many providers insist on; big ones stay references into the
    model's file. whole_units: quantised layers as groups.
    """
    places = {node.name: (node, graph) for graph in graphs for node in graph.graph.node}
    groups = {id(graph): _Groups(graph.graph) for graph in graphs} if whole_units else {}
    apart = ModelProto(ir_version=max(4, model.ir_version), functions=model.functions)
    apart.opset_import.extend(model.opset_import)
    apart.graph.name = "layers"
    isolated, left_out, units = [], {}, defaultdict[int, list[int]](list)
    for layer in layers:
        node, graph = places.get(f"L{layer}", (None, None))
        if node is None or graph is None:
            left_out[layer] = _ELSEWHERE
            continue
        group = groups[id(graph)].around(node) if groups else (node,)
        if not group:
            continue  # it comes with the layers whose unit it is part of
        why = _obstacle(group, graph)
        if why:
            left_out[layer] = why
            continue
        isolated.append(layer)
        _add(apart.graph, layer, node, group, graph)
        for member in group:
            units[int(member.name[1:])].append(layer)
    return Isolated(apart, tuple(isolated), left_out, {k: tuple(v) for k, v in units.items()})


def without(isolated: Isolated, layers: Iterable[int]) -> Isolated:
    """Leave out more layers."""
    gone = set(layers)
    owners = {f"n{layer}" for layer in gone}
    model = ModelProto()
    model.CopyFrom(isolated.model)
    graph = model.graph
    for values in (graph.input, graph.output, graph.initializer, graph.node):
        remaining = [value for value in values if value.name.partition("_")[0] not in owners]
        del values[:]
        values.extend(remaining)
    rest = tuple(each for each in isolated.layers if each not in gone)
    return Isolated(model, rest, isolated.left_out, isolated.units)


class _Groups:
    """The quantised units of a graph: dequantisers, a layer, quantisers."""

    def __init__(self, graph: GraphProto) -> None:
        self._made = {name: node for node in graph.node for name in node.output if name}
        self._users: dict[str, list[NodeProto]] = defaultdict(list)
        for node in graph.node:
            for name in node.input:
                self._users[name].append(node)

    def around(self, node: NodeProto) -> tuple[NodeProto, ...]:
        """Return the unit of a layer; empty for a quantiser that is part of another layer's."""
        if node.op_type == DEQUANTIZE:
            users = (user for name in node.output for user in self._users[name])
            return () if any(user.op_type != QUANTIZE for user in users) else (node,)
        if node.op_type == QUANTIZE:
            maker = self._made.get(node.input[0])
            owned = maker is not None and maker.op_type != DEQUANTIZE and self._before(maker)
            return () if owned else (node,)
        before = self._before(node)
        if not before:
            return (node,)
        after = (
            user
            for name in node.output
            for user in self._users[name]
            if user.op_type == QUANTIZE
        )
        unique = {each.name: each for each in (*before, node, *after)}
        return tuple(unique.values())

    def _before(self, node: NodeProto) -> list[NodeProto]:
        makers = (self._made.get(name) for name in node.input)
        return [maker for maker in makers if maker and maker.op_type == DEQUANTIZE]


def _obstacle(group: Sequence[NodeProto], graph: TypedGraph) -> str:
    if any(any(layer_names.bodies(node)) for node in group):
        return WITH_SUBGRAPH
    inner = {name for node in group for name in node.output}
    outer = (name for node in group for name in node.input if name and name not in inner)
    typed = all(name in graph.types or name in graph.constants for name in outer)
    return "" if typed else _UNTYPED


def _add(
    apart: GraphProto,
    layer: int,
    node: NodeProto,
    group: Sequence[NodeProto],
    graph: TypedGraph,
) -> None:
    made = [name for member in group for name in member.output if name]
    own = {"": ""} | {name: f"n{layer}_o{slot}" for slot, name in enumerate(made)}
    used: set[str] = set()
    for member in group:
        for given in member.input:
            used.add(given)
            if given not in own:
                own[given] = f"n{layer}_i{len(own) - len(made) - 1}"
                _supply(apart, own[given], given, graph)
        alone = apart.node.add()
        alone.CopyFrom(member)
        alone.name = f"n{layer}" if member is node else f"n{layer}_{member.name}"
        alone.input[:] = [own[given] for given in member.input]
        alone.output[:] = [own[name] for name in member.output]
    ends = [name for name in made if name not in used]
    apart.output.extend(ValueInfoProto(name=own[name]) for name in ends)


def _supply(apart: GraphProto, name: str, given: str, graph: TypedGraph) -> None:
    if given in graph.constants:
        tensor = apart.initializer.add()
        tensor.CopyFrom(graph.constants[given])
        tensor.name = name
    else:
        apart.input.append(ValueInfoProto(name=name, type=graph.types[given]))
