"""Layers taken out of their graph, each alone with inputs of its own, side by side."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from onnx import GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, ValueInfoProto

from inspector.engine import naming

_IN_SUBGRAPH = "it lies in a subgraph"
_WITH_SUBGRAPH = "it is placed together with what it runs"
_UNTYPED = "the type of an input is not known"


@dataclass(frozen=True, slots=True, eq=False)
class Isolated:
    """Layer i as a node named "n<i>", its tensors "n<i>_...".

    left_out: layers that cannot stand alone, and why, as the end of a sentence.
    """

    model: ModelProto
    layers: tuple[int, ...]
    left_out: Mapping[int, str]


def isolate(
    model: ModelProto, layers: Iterable[int], types: Mapping[str, TypeProto]
) -> Isolated:
    """Build a model of some layers of another one that has the names of `naming.rename`.

    types: of the tensors of its main graph. Weights stay constants, which many providers
    insist on; big ones stay references into the model's file.
    """
    nodes = {node.name: node for node in model.graph.node}
    constants = {tensor.name: tensor for tensor in model.graph.initializer}
    constants |= dict(filter(None, map(_constant, model.graph.node)))
    apart = ModelProto(ir_version=max(4, model.ir_version), functions=model.functions)
    apart.opset_import.extend(model.opset_import)
    apart.graph.name = "layers"
    taken, left_out = [], {}
    for layer in layers:
        node = nodes.get(f"L{layer}")
        why = _obstacle(node, types, constants)
        if why or node is None:
            left_out[layer] = why
        else:
            taken.append(layer)
            _add(apart.graph, f"n{layer}", node, types, constants)
    return Isolated(apart, tuple(taken), left_out)


def without(isolated: Isolated, layer: int) -> Isolated:
    """Leave out one more layer."""
    model = ModelProto()
    model.CopyFrom(isolated.model)
    graph, own = model.graph, f"n{layer}"
    for values in (graph.input, graph.output, graph.initializer):
        kept = [value for value in values if value.name.partition("_")[0] != own]
        del values[:]
        values.extend(kept)
    nodes = [node for node in graph.node if node.name != own]
    del graph.node[:]
    graph.node.extend(nodes)
    rest = tuple(each for each in isolated.layers if each != layer)
    return Isolated(model, rest, isolated.left_out)


def _obstacle(
    node: NodeProto | None, types: Mapping[str, TypeProto], constants: Mapping[str, Any]
) -> str:
    if node is None:
        return _IN_SUBGRAPH
    if any(naming.bodies(node)):
        return _WITH_SUBGRAPH
    typed = all(name in types or name in constants for name in node.input if name)
    return "" if typed else _UNTYPED


def _constant(node: NodeProto) -> tuple[str, TensorProto] | None:
    if node.op_type != "Constant" or [a.name for a in node.attribute] != ["value"]:
        return None
    return node.output[0], node.attribute[0].t


def _add(
    graph: GraphProto,
    name: str,
    node: NodeProto,
    types: Mapping[str, TypeProto],
    constants: Mapping[str, TensorProto],
) -> None:
    alone = graph.node.add()
    alone.CopyFrom(node)
    alone.name = name
    own: dict[str, str] = {"": ""}
    for slot, given in enumerate(node.input):
        if given not in own:
            own[given] = f"{name}_i{slot}"
            if given in constants:
                tensor = graph.initializer.add()
                tensor.CopyFrom(constants[given])
                tensor.name = own[given]
            else:
                graph.input.append(ValueInfoProto(name=own[given], type=types[given]))
    alone.input[:] = [own[given] for given in node.input]
    alone.output[:] = [made and f"{name}_o{slot}" for slot, made in enumerate(node.output)]
    graph.output.extend(ValueInfoProto(name=made) for made in alone.output if made)
