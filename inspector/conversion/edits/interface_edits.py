"""Edits of inputs, outputs, names and metadata."""

from collections.abc import Iterable, Mapping

import numpy as np
from onnx import (
    GraphProto,
    ModelProto,
    NodeProto,
    TypeProto,
    ValueInfoProto,
    helper,
    numpy_helper,
    shape_inference,
)

from inspector.conversion.action import Effect
from inspector.conversion.editable_model import EditableModel
from inspector.conversion.edits.graph_edits import nothing, refused
from inspector.conversion.plan import (
    Context,
    Plan,
    attribute,
    find_layer,
    graphs,
    nodes,
    own_names,
    refill,
    subgraphs,
)
from inspector.errors import BadInput
from inspector.model.axes import known_length, symbols_of
from inspector.units import clip, plural

_LARGEST_AXIS = (1 << 31) - 1


def weights_not_inputs(model: EditableModel) -> Plan:
    """Plan to keep weights out of the inputs, so that runtimes may compute with them before."""
    proto, size = model.proto, model.size_bytes()
    weights = {tensor.name for tensor in proto.graph.initializer}
    kept = [value for value in proto.graph.input if value.name not in weights]
    count = len(proto.graph.input) - len(kept)
    if not count:
        return nothing(model, "no weight is an input")

    def apply(_: Context) -> None:
        refill(proto.graph.input, kept)
        proto.ir_version = max(proto.ir_version, 4)  # older ones want weights to be inputs

    effect = Effect(f"{plural(count, 'weight')} removed from the inputs", 0, size, size)
    return Plan(effect, apply)


def fix_axes(model: EditableModel, axes: Mapping[str, str]) -> Plan:
    """Plan lengths for dynamic axes: by their name, or as input[axis]."""
    proto, size = model.proto, model.size_bytes()
    there = _dynamic_axes(proto)
    if not there:
        return nothing(model, "the model has no dynamic axes")
    if not axes:
        names = ", ".join(clip(name, 40) for name in list(there)[:6])
        return Plan(Effect(bytes_before=size, needs=f"sizes, such as batch=1, for {names}"))
    lengths: dict[str, int] = {}
    for name, text in axes.items():
        if name not in there:
            return refused(
                model,
                f"the model has no dynamic axis '{clip(name, 60)}'",
                f"Choose from: {', '.join(clip(each, 40) for each in list(there)[:6])}.",
            )
        if not text.isdecimal() or not 0 < int(text) <= _LARGEST_AXIS:
            return refused(model, f"'{clip(text, 40)}' is not a valid size")
        lengths[name] = int(text)

    def apply(_: Context) -> None:
        for graph in graphs(proto.graph):
            for value in (*graph.input, *graph.output, *graph.value_info):
                for name, axis in _axes_of(value):
                    length = lengths.get(name, known_length(axis.dim_param, lengths))
                    if length is not None and not axis.HasField("dim_value"):
                        axis.dim_value = length
        infer_outputs(proto)

    shown = ", ".join(f"{clip(name, 40)} = {length:,}" for name, length in lengths.items())
    return Plan(Effect(shown, 0, size, size), apply)


def _axes_of(value: ValueInfoProto) -> Iterable[tuple[str, "TypeProto.Tensor"]]:
    shape = value.type.tensor_type.shape if value.type.HasField("tensor_type") else None
    for index, axis in enumerate(shape.dim if shape is not None else ()):
        yield f"{value.name}[{index}]", axis


def _dynamic_axes(proto: ModelProto) -> dict[str, None]:
    """Return the names of the inputs' dynamic axes: their own, or input[axis] without one."""
    weights = {tensor.name for tensor in proto.graph.initializer}
    return {
        name: None
        for value in proto.graph.input
        if value.name not in weights
        for place, axis in _axes_of(value)
        if not axis.HasField("dim_value")
        for name in symbols_of(axis.dim_param or place)
    }


def infer_outputs(proto: ModelProto) -> None:
    """Give the outputs the types that follow from the inputs; inner shapes are dropped."""
    for graph in graphs(proto.graph):
        graph.ClearField("value_info")
    untyped = ModelProto()
    untyped.CopyFrom(proto)
    for value in untyped.graph.output:
        value.ClearField("type")
    try:
        inferred = shape_inference.infer_shapes(untyped, data_prop=True).graph
    except (shape_inference.InferenceError, RuntimeError):
        inferred = untyped.graph
    for value, known in zip(proto.graph.output, inferred.output, strict=True):
        kinds = value.type.WhichOneof("value"), known.type.WhichOneof("value")
        if kinds[1] and kinds[0] != kinds[1]:
            value.type.CopyFrom(known.type)
        if kinds[0] != "tensor_type" or kinds[1] not in (None, "tensor_type"):
            continue
        tensor = known.type.tensor_type
        if tensor.elem_type:
            value.type.tensor_type.elem_type = tensor.elem_type
        if tensor.HasField("shape"):
            old = [axis.dim_param for _, axis in _axes_of(value)]
            value.type.tensor_type.shape.CopyFrom(tensor.shape)
            for index, (_, axis) in enumerate(_axes_of(value)):
                if axis.dim_param.startswith("unk__"):  # what inference calls a new one
                    axis.Clear()
                if not axis.HasField("dim_value") and not axis.dim_param and index < len(old):
                    axis.dim_param = old[index]
        else:
            for _, axis in _axes_of(value):
                if axis.HasField("dim_value"):
                    axis.Clear()


def free_axes(model: EditableModel, axes: Mapping[str, str]) -> Plan:
    """Plan to make axes of inputs dynamic: input[axis]=name.

    A Reshape to a constant shape copies the length of a freed axis from its input where both
    had the same before.
    """
    proto, size = model.proto, model.size_bytes()
    weights = {tensor.name for tensor in proto.graph.initializer}
    fixed = {
        place: axis
        for value in proto.graph.input
        if value.name not in weights
        for place, axis in _axes_of(value)
        if axis.HasField("dim_value")
    }
    if not fixed:
        return nothing(model, "no input has an axis of fixed size")
    if not axes:
        names = ", ".join(clip(name, 40) for name in list(fixed)[:6])
        needed = f"names, such as {next(iter(fixed))}=batch, for {names}"
        return Plan(Effect(bytes_before=size, needs=needed))
    for place, name in axes.items():
        if place not in fixed:
            known = ", ".join(clip(each, 40) for each in list(fixed)[:6])
            return refused(
                model,
                f"the model has no fixed axis '{clip(place, 60)}'",
                f"Choose from: {known}.",
            )
        if not name.isidentifier():
            return refused(model, f"'{clip(name, 40)}' is not a valid axis name")
    shown = ", ".join(f"{clip(place, 40)} = {clip(name, 40)}" for place, name in axes.items())
    effect = Effect(
        shown,
        0,
        size,
        size,
        caution="Some layers may still require the old size: test the model with both sizes.",
    )
    return Plan(effect, lambda context: _free(model, axes, context))


def _free(model: EditableModel, axes: Mapping[str, str], context: Context) -> None:
    proto = model.proto
    lengths: dict[str, int] = {}
    for value in proto.graph.input:
        for place, axis in _axes_of(value):
            if place in axes:
                lengths[axes[place]] = axis.dim_value
                axis.dim_param = axes[place]
    changed = 0
    # Each round makes the shapes up to the next such layer known.
    while changed <= len(proto.graph.node) and _free_reshape(model, lengths):
        changed += 1
    infer_outputs(proto)
    if changed:
        layers = plural(changed, "Reshape layer")
        context.notes.append(f"{layers} changed to copy the dynamic size from the input.")


def _free_reshape(model: EditableModel, lengths: Mapping[str, int]) -> bool:
    """Change the first Reshape that fixes a freed axis; whether there was one."""
    graph = model.proto.graph
    _forget_shapes(model.proto)
    inferred = shape_inference.infer_shapes(model.proto, data_prop=True).graph
    shapes = {v.name: [*_axes_of(v)] for v in (*inferred.value_info, *inferred.input)}
    constants = {tensor.name: tensor for tensor in graph.initializer}
    makers = {name: node for node in graph.node for name in node.output}
    for node in graph.node:
        if node.op_type != "Reshape" or len(node.input) < 2 or attribute(node, "allowzero"):
            continue
        tensor = constants.get(node.input[1])
        maker = makers.get(node.input[1])
        if tensor is None and maker is not None and maker.op_type == "Constant":
            given = attribute(maker, "value")
            tensor = given.t if given is not None else None
        data = shapes.get(node.input[0])
        if tensor is None or not data:
            continue
        shape = np.array(model.values(tensor))
        for index, length in enumerate(shape.tolist()):
            name = data[index][1].dim_param if index < len(data) else ""
            if name in lengths and length == lengths[name]:
                shape[index] = 0  # "as in the input"
                new = f"{node.output[0]}_shape"
                while new in own_names(graph):
                    new += "_"
                graph.initializer.append(numpy_helper.from_array(shape, new))
                node.input[1] = new
                return True
    return False


def _forget_shapes(proto: ModelProto) -> None:
    for graph in graphs(proto.graph):
        graph.ClearField("value_info")
    for value in proto.graph.output:
        for _, axis in _axes_of(value):
            axis.Clear()


def rename(model: EditableModel, names: Mapping[str, str]) -> Plan:
    """Plan other names for inputs, outputs and inner tensors."""
    proto, size = model.proto, model.size_bytes()
    if not names:
        return Plan(Effect(bytes_before=size, needs="names, such as OLD=NEW"))
    own = own_names(proto.graph)
    everywhere = {name for graph in graphs(proto.graph) for name in own_names(graph)}
    for old, new in names.items():
        if old not in own:
            return refused(model, f"the model has no input, output or tensor '{clip(old, 60)}'")
        if not new or new in everywhere:
            why = f"'{clip(new, 60)}' is already in use" if new else "the new name is empty"
            return refused(model, why)
    if len(set(names.values())) < len(names):
        return refused(model, "two new names are the same")

    def apply(context: Context) -> None:
        graph = proto.graph
        ends = {value.name for value in (*graph.input, *graph.output)}
        rename_values(graph, names)
        for old, new in names.items():
            if old in ends:
                context.renamed[new] = context.renamed.pop(old, old)

    return Plan(Effect(_pairs(names), 0, size, size), apply)


def rename_values(graph: GraphProto, names: Mapping[str, str]) -> None:
    """Rename tensors in a graph and in those inside it that do not hide them."""
    sparse = [each.values for each in graph.sparse_initializer]
    for value in (
        *graph.input, *graph.output, *graph.value_info, *graph.initializer, *sparse,
    ):  # fmt: skip
        value.name = names.get(value.name, value.name)
    for annotation in graph.quantization_annotation:
        annotation.tensor_name = names.get(annotation.tensor_name, annotation.tensor_name)
    for node in graph.node:
        for values in (node.input, node.output):
            for place, name in enumerate(values):
                if name in names:
                    values[place] = names[name]
        for inner in subgraphs(node):
            hidden = own_names(inner)
            rename_values(inner, {o: n for o, n in names.items() if o not in hidden})


def _pairs(names: Mapping[str, str]) -> str:
    shown = [f"{clip(old, 40)} to {clip(new, 40)}" for old, new in [*names.items()][:4]]
    return ", ".join(shown) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def rename_axes(model: EditableModel, names: Mapping[str, str]) -> Plan:
    """Plan other names for dynamic axes: by their name, or input[axis] for one without."""
    proto, size = model.proto, model.size_bytes()
    axes = _dynamic_axes(proto)
    values = [v for g in graphs(proto.graph) for v in (*g.input, *g.output, *g.value_info)]
    axes |= {a.dim_param: None for v in values for _, a in _axes_of(v) if a.dim_param}
    if not axes:
        return nothing(model, "the model has no dynamic axes")
    if not names:
        shown = ", ".join(clip(name, 40) for name in list(axes)[:6])
        return Plan(Effect(bytes_before=size, needs=f"names, such as OLD=NEW, for {shown}"))
    for old, new in names.items():
        if old not in axes:
            return refused(model, f"the model has no dynamic axis '{clip(old, 60)}'")
        if not new.isidentifier():
            return refused(model, f"'{clip(new, 40)}' is not a valid axis name")
        if new in axes:
            return refused(model, f"there is already an axis '{clip(new, 40)}'")

    def apply(_: Context) -> None:
        for value in values:
            for place, axis in _axes_of(value):
                new = names.get(axis.dim_param) if axis.dim_param else names.get(place)
                if new and not axis.HasField("dim_value"):
                    axis.dim_param = new

    return Plan(Effect(_pairs(names), 0, size, size), apply)


def rename_layers(model: EditableModel, names: Mapping[str, str]) -> Plan:
    """Plan other names for layers: of those with a name, or with an output or number."""
    size = model.size_bytes()
    if not names:
        return Plan(Effect(bytes_before=size, needs="names, such as OLD=NEW"))
    layers: dict[str, list[NodeProto]] = {}
    for node in nodes(model.proto):
        layers.setdefault(node.name, []).append(node)
    renamed = list[tuple[list[NodeProto], str]]()
    for old, new in names.items():
        named = layers.get(old) if old else None
        if named is None:
            try:
                named = [find_layer(model.proto.graph, old)]
            except BadInput as error:
                return refused(model, error.why, error.hint)
        if not new or new in layers:
            why = (
                f"there is already a layer '{clip(new, 60)}'"
                if new
                else "the new name is empty"
            )
            return refused(model, why)
        renamed.append((named, new))

    def apply(_: Context) -> None:
        for named, new in renamed:
            for node in named:
                node.name = new

    return Plan(Effect(_pairs(names), len(names), size, size), apply)


def metadata(model: EditableModel, entries: Mapping[str, str]) -> Plan:
    """Plan to set entries of the metadata; an empty value removes one."""
    proto, size = model.proto, model.size_bytes()
    if not entries:
        return Plan(Effect(bytes_before=size, needs="entries, such as NAME=VALUE"))
    now = {entry.key: entry.value for entry in proto.metadata_props}
    new = {name: value for name, value in {**now, **entries}.items() if value}
    if new == now:
        return nothing(model, "the metadata already has these entries")

    def apply(_: Context) -> None:
        helper.set_model_props(proto, new)

    changed = {name for name in {**now, **new} if now.get(name) != new.get(name)}
    touches = f"metadata {', '.join(clip(name, 40) for name in sorted(changed))}"
    return Plan(Effect(touches, 0, size, size), apply)
