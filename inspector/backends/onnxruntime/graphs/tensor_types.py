"""Types and shapes of all tensors of a model's main graph, from the runtime itself."""

from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from msgspec import Struct
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, ValueInfoProto
from onnxruntime import InferenceSession

from inspector.backends import type_names
from inspector.backends.onnxruntime.graphs import layer_names
from inspector.backends.onnxruntime.sessions import devices
from inspector.backends.onnxruntime.sessions.session import create_session
from inspector.errors import EngineFailed
from inspector.model.axes import known_length
from inspector.model.model import TensorInfo
from inspector.report.run_spec import RunSpec
from inspector.units import shape

WITHOUT_PREPARATION = {"session.disable_prepacking": "1"}
_NAMES = {"float": "FLOAT", "double": "DOUBLE"}
_MOST_BODIES = 200  # each costs a session, some milliseconds


def tensor_types(
    model: ModelProto, spec: RunSpec, shapes: Mapping[str, tuple[int, ...]], folder: Path
) -> Mapping[str, TypeProto]:
    """Return the runtime's tensor types, by making every tensor an output; nothing is run.

    shapes: of inputs; free axes of others have the lengths of the spec. folder: where the
    model's side files lie. What is no plain tensor is left out, and all of them when the
    runtime does not load the model in this form.
    """
    shown = ModelProto()
    shown.CopyFrom(model)
    lengths = {dimension.name: dimension.size for dimension in spec.dimensions}
    for value in shown.graph.input:
        if value.name in shapes and value.type.HasField("tensor_type"):
            _set_shape(value.type, shapes[value.name])
        else:
            _settle(value, lengths)
    outputs = {value.name for value in shown.graph.output}
    for node in shown.graph.node:
        for name in node.output:
            if name and name not in outputs:
                shown.graph.output.append(ValueInfoProto(name=name))
    try:
        session = _session(shown, spec, folder)
    except EngineFailed:
        return {}
    nodes = (*session.get_inputs(), *session.get_overridable_initializers())
    by_name = {node.name: _type(node) for node in (*nodes, *session.get_outputs())}
    types = {name: kind for name, kind in by_name.items() if kind is not None}
    for tensor in model.graph.initializer:
        types[tensor.name] = TypeProto()
        types[tensor.name].tensor_type.elem_type = tensor.data_type
        _set_shape(types[tensor.name], tensor.dims)
    vague = [name for name, kind in types.items() if not kind.tensor_type.HasField("shape")]
    for name in _scalars(shown, vague, spec, folder):
        _set_shape(types[name], ())
    return types


def _scalars(
    shown: ModelProto, vague: Sequence[str], spec: RunSpec, folder: Path
) -> Iterator[str]:
    """Yield which tensors are scalars of those that the runtime reports without a shape.

    It reports a scalar and an unknown rank alike. The shape of a scalar's shape tells: it has
    no element, and that of an unknown rank has an unknown number of them.
    """
    if not vague:
        return
    request = ModelProto()
    request.CopyFrom(shown)
    del request.graph.output[:]
    for place, name in enumerate(vague):
        made = f"{name}/inspector.shape.{place}"
        request.graph.node.add(op_type="Shape", input=[name], output=[made])
        request.graph.output.append(ValueInfoProto(name=made))
    try:
        session = _session(request, spec, folder)
    except EngineFailed:
        return
    for name, node in zip(vague, session.get_outputs(), strict=True):
        if list(node.shape) == [0]:
            yield name


def _session(model: ModelProto, spec: RunSpec, folder: Path) -> InferenceSession:
    """Load a model unchanged, only to query its types. Raises EngineFailed."""
    return create_session(
        model.SerializeToString(),
        replace(spec, optimization="none", dimensions=()),
        devices.resolve(["cpu"]),
        config=WITHOUT_PREPARATION,
        external_folder=folder,
    )


def described(name: str, kind: TypeProto) -> TensorInfo:
    """Type and shape as a value of the model."""
    _, dtype = type_names.kind_and_dtype(runtime_name(kind))
    return TensorInfo(name, "tensor", dtype, _axes(kind))


def runtime_name(kind: TypeProto | None) -> str:
    """Name a type as the runtime does: "tensor(float16)"; "" for none."""
    if kind is None:
        return ""
    name = TensorProto.DataType.Name(kind.tensor_type.elem_type)
    word = next((key for key, value in _NAMES.items() if value == name), name.lower())
    return f"tensor({word})"


def in_words(kind: TypeProto | None) -> str:
    """Write type and shape as reports show them: "float32 1×64×56×56"; "" for none."""
    if kind is None:
        return ""
    _, dtype = type_names.kind_and_dtype(runtime_name(kind))
    return f"{dtype} {shape(_axes(kind))}"


def is_exact(kind: TypeProto | None) -> bool:
    """Return whether the lengths of all axes are known."""
    axes = _axes(kind) if kind is not None else None
    return axes is not None and all(isinstance(axis, int) for axis in axes)


def _axes(kind: TypeProto) -> tuple[int | str | None, ...] | None:
    if not kind.tensor_type.HasField("shape"):
        return None
    return tuple(
        axis.dim_value if axis.HasField("dim_value") else axis.dim_param or None
        for axis in kind.tensor_type.shape.dim
    )


def _type(node: Any) -> TypeProto | None:
    if not node.type.startswith("tensor("):
        return None
    name = node.type[len("tensor(") : -1]
    kind = TypeProto()
    kind.tensor_type.elem_type = TensorProto.DataType.Value(_NAMES.get(name, name.upper()))
    if node.shape:  # a scalar and an unknown rank look alike: both stay without a shape
        _set_shape(kind, node.shape)
    return kind


def _settle(value: ValueInfoProto, lengths: Mapping[str, int]) -> None:
    """Give free axes their lengths, by name, or by place where they have none."""
    for place, axis in enumerate(value.type.tensor_type.shape.dim):
        name = axis.dim_param or f"{value.name}[{place}]"
        length = None if axis.HasField("dim_value") else known_length(name, lengths)
        if length is not None:
            axis.dim_value = length


def _set_shape(kind: TypeProto, axes: Any) -> None:
    kind.tensor_type.ClearField("shape")
    kind.tensor_type.shape.SetInParent()
    for axis in axes:
        dimension = kind.tensor_type.shape.dim.add()
        if isinstance(axis, int) and axis >= 0:
            dimension.dim_value = axis
        elif isinstance(axis, str):
            dimension.dim_param = axis


Shapes = Mapping[str, tuple[int, ...]]


class TypedGraph(Struct, frozen=True, eq=False):
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
    typed = [whole]
    for graph in typed:  # which grows while it is gone through
        for node in graph.graph.node:
            for _, body in layer_names.bodies(node):
                if len(typed) > _MOST_BODIES:
                    return tuple(typed)
                constants = ChainMap(_constants(body), dict(graph.constants))
                alone = _as_model(model, graph, node, body)
                own = tensor_types(alone, inner, {}, folder) if alone is not None else {}
                shadowed = {value.name for value in body.input} - set(own)
                visible = {
                    name: kind for name, kind in graph.types.items() if name not in shadowed
                }
                typed.append(TypedGraph(body, ChainMap(dict(own), visible), constants))
    return tuple(typed)


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
    """Return the type of an input of a body: as declared, else as the control flow gives it."""
    if value.type.tensor_type.elem_type:
        return value.type
    if node.op_type == "Loop" and place < 2:
        kind = TypeProto()
        kind.tensor_type.elem_type = (TensorProto.INT64, TensorProto.BOOL)[place]
        kind.tensor_type.shape.SetInParent()
        return kind
    if node.op_type in ("Loop", "Scan") and place < len(node.input):
        source = types.get(node.input[place])
        scanned = next((a.i for a in node.attribute if a.name == "num_scan_inputs"), 0)
        if source is None or place < len(node.input) - scanned:
            return source
        kind = TypeProto()
        kind.tensor_type.elem_type = source.tensor_type.elem_type
        return kind
    return None


def captured(body: GraphProto) -> Iterator[str]:
    """Yield the names that a body and the graphs inside it use and do not make."""
    made = {value.name for value in (*body.input, *body.initializer)}
    made |= {name for node in body.node for name in node.output}
    names: dict[str, None] = {}
    for node in body.node:
        used = [*node.input]
        for _, inner in layer_names.bodies(node):
            used += captured(inner)
        names.update(dict.fromkeys(name for name in used if name and name not in made))
    yield from names


def _constants(graph: GraphProto) -> dict[str, TensorProto]:
    constants = {tensor.name: tensor for tensor in graph.initializer}
    return constants | dict(filter(None, map(_constant, graph.node)))


def _constant(node: NodeProto) -> tuple[str, TensorProto] | None:
    if node.op_type != "Constant" or [a.name for a in node.attribute] != ["value"]:
        return None
    return node.output[0], node.attribute[0].t
