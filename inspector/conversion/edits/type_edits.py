"""Other types of inputs and outputs, with Cast layers inside."""

from collections.abc import Mapping

from onnx import GraphProto, TensorProto, ValueInfoProto, helper

from inspector.conversion.action import Effect
from inspector.conversion.editable_model import EditableModel
from inspector.conversion.edits.graph_edits import nothing, refused
from inspector.conversion.edits.interface_edits import rename_values
from inspector.conversion.plan import Context, Plan, graphs, own_names
from inspector.formats.onnx.types import element
from inspector.units import clip
from inspector.wording.values import Name, Sentence

# Types that Cast layers convert between in every runtime, by their names here.
_NUMBERS = {
    element(number): number
    for number in (
        TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE, TensorProto.BFLOAT16,
        TensorProto.INT8, TensorProto.INT16, TensorProto.INT32, TensorProto.INT64,
        TensorProto.UINT8, TensorProto.UINT16, TensorProto.UINT32, TensorProto.UINT64,
        TensorProto.BOOL,
    )
}  # fmt: skip
_MOST_LISTED = 6  # names in a message
_NAME = 60  # characters of a name in a message


def set_types(model: EditableModel, types: Mapping[str, str]) -> Plan:
    """Plan other types of inputs and outputs; layers inside compute as before."""
    graph, size = model.proto.graph, model.size_bytes()
    weights = {tensor.name for tensor in graph.initializer}
    ends = {v.name: v for v in (*graph.output, *graph.input) if v.name not in weights}
    if not types:
        example = clip(next(iter(ends), "input"), _NAME)
        return Plan(Effect(bytes_before=size, needs=f"types, such as {example}=float16"))
    for name, new in types.items():
        value, quoted = ends.get(name), Name(clip(name, _NAME))
        if value is None:
            known = ", ".join(clip(each, _NAME) for each in [*ends][:_MOST_LISTED])
            why = Sentence("the model has no input or output '{name}'", quoted)
            return refused(model, why, Sentence("Choose from: {names}.", Name(known)))
        if value.type.tensor_type.elem_type not in _NUMBERS.values():
            return refused(model, Sentence("values of '{name}' cannot be converted", quoted))
        if new not in _NUMBERS:
            why = Sentence("'{type}' is not a type to convert to", Name(clip(new, _NAME)))
            return refused(model, why, Sentence("Choose from: {names}.", ", ".join(_NUMBERS)))
    changed = {
        name: _NUMBERS[new]
        for name, new in types.items()
        if ends[name].type.tensor_type.elem_type != _NUMBERS[new]
    }
    if not changed:
        return nothing(model, "the inputs and outputs already have these types")

    def apply(_: Context) -> None:
        for name, number in changed.items():
            _cast(graph, name, number)

    shown = ", ".join(
        f"{clip(name, 40)} to {types[name]}" for name in [*changed][:_MOST_LISTED]
    )
    return Plan(Effect(shown, len(changed), size, size), apply)


def _cast(graph: GraphProto, name: str, number: int) -> None:
    """Give an input, an output or both another type, in place."""
    used = {each for inner in graphs(graph) for each in own_names(inner)}
    inputs, outputs = _copies(graph.input), _copies(graph.output)
    is_input, is_output = name in inputs, name in outputs
    old = (inputs.get(name) or outputs[name]).type.tensor_type.elem_type
    inner = f"{name}_{element(old)}"
    while inner in used:
        inner += "_"
    rename_values(graph, {name: inner})
    for field, values in ((graph.input, inputs), (graph.output, outputs)):
        del field[:]
        if name in values:
            values[name].type.tensor_type.elem_type = number
        field.extend(values.values())
    if is_input:
        graph.node.insert(0, helper.make_node("Cast", [name], [inner], f"Cast_{inner}", to=old))
    elif is_output:
        node = helper.make_node("Cast", [inner], [name], f"Cast_{inner}", to=number)
        graph.node.append(node)


def _copies(values: "list[ValueInfoProto]") -> dict[str, ValueInfoProto]:
    return {
        value.name: ValueInfoProto.FromString(value.SerializeToString()) for value in values
    }
