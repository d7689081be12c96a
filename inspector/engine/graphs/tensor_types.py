"""Types and shapes of all tensors of a model's main graph, from the runtime itself."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from onnx import ModelProto, TensorProto, TypeProto, ValueInfoProto
from onnxruntime import InferenceSession

from inspector.engine.sessions import devices, element_types
from inspector.engine.sessions.session import create_session
from inspector.errors import EngineFailed
from inspector.model import TensorInfo
from inspector.report import RunSpec
from inspector.units import shape

WITHOUT_PREPARATION = {"session.disable_prepacking": "1"}
_NAMES = {"float": "FLOAT", "double": "DOUBLE"}


def tensor_types(
    model: ModelProto, spec: RunSpec, shapes: Mapping[str, tuple[int, ...]], folder: Path
) -> Mapping[str, TypeProto]:
    """Ask the runtime by making every tensor an output of the model; nothing is run.

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
    found = {node.name: _type(node) for node in (*nodes, *session.get_outputs())}
    types = {name: kind for name, kind in found.items() if kind is not None}
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
    """Tell which tensors are scalars of those that the runtime reports without a shape.

    It reports a scalar and an unknown rank alike. The shape of a scalar's shape tells: it has
    no element, and that of an unknown rank has an unknown number of them.
    """
    if not vague:
        return
    asked = ModelProto()
    asked.CopyFrom(shown)
    del asked.graph.output[:]
    for place, name in enumerate(vague):
        made = f"{name}/inspector.shape.{place}"
        asked.graph.node.add(op_type="Shape", input=[name], output=[made])
        asked.graph.output.append(ValueInfoProto(name=made))
    try:
        session = _session(asked, spec, folder)
    except EngineFailed:
        return
    for name, node in zip(vague, session.get_outputs(), strict=True):
        if list(node.shape) == [0]:
            yield name


def _session(model: ModelProto, spec: RunSpec, folder: Path) -> InferenceSession:
    """Load a model as it is, only to be asked for its types. Raises EngineFailed."""
    return create_session(
        model.SerializeToString(),
        replace(spec, optimization="none", dimensions=()),
        devices.resolve(["cpu"]),
        config=WITHOUT_PREPARATION,
        external_folder=folder,
    )


def described(name: str, kind: TypeProto) -> TensorInfo:
    """Type and shape as a value of the model."""
    _, dtype = element_types.kind_and_dtype(runtime_name(kind))
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
    _, dtype = element_types.kind_and_dtype(runtime_name(kind))
    return f"{dtype} {shape(_axes(kind))}"


def is_exact(kind: TypeProto | None) -> bool:
    """Whether the lengths of all axes are known."""
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
        if not axis.HasField("dim_value") and name in lengths:
            axis.dim_value = lengths[name]


def _set_shape(kind: TypeProto, axes: Any) -> None:
    kind.tensor_type.ClearField("shape")
    kind.tensor_type.shape.SetInParent()
    for axis in axes:
        dimension = kind.tensor_type.shape.dim.add()
        if isinstance(axis, int) and axis >= 0:
            dimension.dim_value = axis
        elif isinstance(axis, str):
            dimension.dim_param = axis
