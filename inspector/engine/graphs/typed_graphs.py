"""The graphs of a model, bodies of control flow included, with the types of their values."""

from collections import ChainMap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from onnx import GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, ValueInfoProto

from inspector.engine.graphs import naming
from inspector.engine.graphs.tensor_types import tensor_types
from inspector.report import RunSpec

Shapes = Mapping[str, tuple[int, ...]]
_MOST_BODIES = 200  # each costs a session, some milliseconds


@dataclass(frozen=True, slots=True, eq=False)
class TypedGraph:
    """A graph with the types and constants that its nodes see, those of outer graphs too."""

    graph: GraphProto
    types: Mapping[str, TypeProto]
    constants: Mapping[str, TensorProto]


def typed_graphs(
    model: ModelProto, spec: RunSpec, shapes: Shapes, folder: Path
) -> tuple[TypedGraph, ...]:
    """Find the types in the graph of a renamed model and in all graphs inside it.

    shapes: of inputs that have free axes, where they are known. folder: where the model's
    side files lie. A body of which the runtime does not tell the types has none of its own.
    """
    types = tensor_types(model, spec, shapes, folder)
    whole = TypedGraph(model.graph, types, _constants(model.graph))
    inner = replace(spec, dimensions=())
    found = [whole]
    for graph in found:  # which grows while it is gone through
        for node in graph.graph.node:
            for _, body in naming.bodies(node):
                if len(found) > _MOST_BODIES:
                    return tuple(found)
                found.append(_body(model, inner, graph, node, body, folder))
    return tuple(found)


def _body(
    model: ModelProto,
    spec: RunSpec,
    outer: TypedGraph,
    node: NodeProto,
    body: GraphProto,
    folder: Path,
) -> TypedGraph:
    constants = ChainMap(_constants(body), dict(outer.constants))
    alone = _as_model(model, outer, node, body)
    own = tensor_types(alone, spec, {}, folder) if alone is not None else {}
    shadowed = {value.name for value in body.input} - set(own)
    seen = {name: kind for name, kind in outer.types.items() if name not in shadowed}
    return TypedGraph(body, ChainMap(dict(own), seen), constants)


def _as_model(
    model: ModelProto, outer: TypedGraph, node: NodeProto, body: GraphProto
) -> ModelProto | None:
    """Make a model of a body, with inputs for what it takes from outside, if all is known."""
    alone = ModelProto(ir_version=model.ir_version, functions=model.functions)
    alone.opset_import.extend(model.opset_import)
    alone.graph.CopyFrom(body)
    del alone.graph.input[:], alone.graph.output[:]
    for place, value in enumerate(body.input):
        kind = _given(node, place, value, outer.types)
        if kind is None:
            return None
        alone.graph.input.append(ValueInfoProto(name=value.name, type=kind))
    for name in captured(body):
        if name in outer.constants:
            tensor = alone.graph.initializer.add()
            tensor.CopyFrom(outer.constants[name])
            tensor.name = name
        elif name in outer.types:
            alone.graph.input.append(ValueInfoProto(name=name, type=outer.types[name]))
        else:
            return None
    return alone if len(alone.graph.node) else None


def _given(
    node: NodeProto, place: int, value: ValueInfoProto, types: Mapping[str, TypeProto]
) -> TypeProto | None:
    """The type of an input of a body: as declared, else as the control flow gives it."""
    if value.type.tensor_type.elem_type:
        return value.type
    if node.op_type == "Loop" and place < 2:
        kind = TypeProto()
        kind.tensor_type.elem_type = (TensorProto.INT64, TensorProto.BOOL)[place]
        kind.tensor_type.shape.SetInParent()
        return kind
    if node.op_type in ("Loop", "Scan") and place < len(node.input):
        known = types.get(node.input[place])
        scanned = next((a.i for a in node.attribute if a.name == "num_scan_inputs"), 0)
        if known is None or place < len(node.input) - scanned:
            return known
        kind = TypeProto()
        kind.tensor_type.elem_type = known.tensor_type.elem_type
        return kind
    return None


def captured(body: GraphProto) -> Iterator[str]:
    """Yield the names that a body and the graphs inside it use and do not make."""
    made = {value.name for value in (*body.input, *body.initializer)}
    made |= {name for node in body.node for name in node.output}
    found: dict[str, None] = {}
    for node in body.node:
        used = [*node.input]
        for _, inner in naming.bodies(node):
            used += captured(inner)
        found.update(dict.fromkeys(name for name in used if name and name not in made))
    yield from found


def _constants(graph: GraphProto) -> dict[str, TensorProto]:
    constants = {tensor.name: tensor for tensor in graph.initializer}
    return constants | dict(filter(None, map(_constant, graph.node)))


def _constant(node: NodeProto) -> tuple[str, TensorProto] | None:
    if node.op_type != "Constant" or [a.name for a in node.attribute] != ["value"]:
        return None
    return node.output[0], node.attribute[0].t
