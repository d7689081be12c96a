"""Edits of single layers. Each is tried on a copy first: what would be no model is refused."""

import re
from collections.abc import Callable, Mapping, Sequence, Set
from functools import cache
from graphlib import CycleError
from typing import Any

import msgspec
from msgspec import structs
from onnx import (
    AttributeProto,
    GraphProto,
    ModelProto,
    NodeProto,
    TensorProto,
    TypeProto,
    checker,
    defs,
    helper,
    shape_inference,
)

from inspector.conversion.action import Effect
from inspector.conversion.editable_model import EditableModel
from inspector.conversion.edits.edit_actions import REMOVE
from inspector.conversion.edits.graph_edits import DEFAULT, refused
from inspector.conversion.edits.interface_edits import infer_outputs, rename_values
from inspector.conversion.plan import (
    Plan,
    attribute,
    find_layer,
    graphs,
    own_names,
    put_in_order,
    refill,
    same_type,
    subgraphs,
    taken,
    value_types,
)
from inspector.errors import BadInput
from inspector.formats.onnx.types import element
from inspector.model.attribute_values import values_of
from inspector.units import clip, plural
from inspector.wording.values import Name, Sentence

_TYPES: dict[Any, type] = {
    AttributeProto.FLOAT: float,
    AttributeProto.INT: int,
    AttributeProto.STRING: str,
    AttributeProto.FLOATS: list[float],
    AttributeProto.INTS: list[int],
    AttributeProto.STRINGS: list[str],
}  # by the number that TensorProto and an operator's schema share

_MOST_LISTED = 3  # layers named in a sentence
# How type inference words an error, of which it lists one for each layer.
_OF_LAYER = re.compile(
    r"\(op_type:(\w+), node name: (.*?)\): (?:\[\w+\] )?(.*?)(?=\s?\(op_type:|$)"
)


def set_attribute(model: EditableModel, layer: str, name: str, value: str) -> Plan:
    """Plan another value of an attribute, in JSON; an empty one removes it."""
    if not layer or not name:
        return _needs(model, "the options 'layer', 'name' and 'value'")

    def edit(proto: ModelProto) -> str:
        node = find_layer(proto.graph, layer)
        old = attribute(node, name)
        before = _shown(old) if old is not None else "none"
        if not value:
            if old is None:
                raise _refused(f"{_called(node)} has no attribute '{clip(name, 40)}'")
            node.attribute.remove(old)
            return f"{_called(node)}: {clip(name, 40)} removed, was {before}"
        new = _attribute(proto, node, name, value)
        if old is not None:
            node.attribute.remove(old)
        node.attribute.append(new)
        return f"{_called(node)}: {clip(name, 40)} {before} to {_shown(new)}"

    return _edited(model, edit)


def delete_layer(model: EditableModel, layer: str, after: str) -> Plan:
    """Plan to remove a layer, or several.

    after: BYPASS: layers behind it take its first input instead of its output. REMOVE: they
    go, too, and so do layers whose results nobody needs then.
    """
    if not layer:
        return _needs(model, "the option 'layer': the name, output or number of the layer")
    if after == REMOVE:
        return _edited(model, lambda proto: _remove(proto, _find_layers(proto.graph, layer)))

    def edit(proto: ModelProto) -> str:
        doomed = _find_layers(proto.graph, layer)
        types = value_types(model.proto)
        listed, names = _listed(doomed), {name for node in doomed for name in taken(node)}
        for node in doomed:
            _bypass(proto.graph, node, types)
        _drop_unused_weights(proto.graph, names)
        return f"{listed} removed"

    return _edited(model, edit)


def _find_layers(graph: GraphProto, text: str) -> list[NodeProto]:
    """Return the layer that a text names, or those that it names with "+" between them."""
    try:
        return [find_layer(graph, text)]
    except BadInput:
        if "+" not in text:
            raise
    return [find_layer(graph, each) for each in dict.fromkeys(text.split("+"))]


def _listed(layers: Sequence[NodeProto]) -> str:
    shown = ", ".join(map(_called, layers[:_MOST_LISTED]))
    more = len(layers) - _MOST_LISTED
    return f"{shown} and {more:,} more" if more > 0 else shown


def _bypass(graph: GraphProto, node: NodeProto, types: Mapping[str, TypeProto]) -> None:
    """Remove a layer in place: what reads its output reads its first input. Raises BadInput."""
    called = Name(_called(node))
    if not node.input or not node.input[0]:
        raise _refused(Sentence("{layer} has no input that could replace its output", called))
    others = {name for name in node.output[1:] if name}
    used = {value.name for value in graph.output} if others else set()
    used |= {name for each in graph.node for name in taken(each)} if others else set()
    if used & others:
        raise _refused(
            Sentence("other layers use the second or later outputs of {layer}", called)
        )
    source, target = node.input[0], node.output[0]
    before, after = types.get(source), types.get(target)
    if before is not None and after is not None and not same_type(before, after):
        raise _refused(_other_type(before, after))
    graph.node.remove(node)
    if target not in {value.name for value in graph.output}:
        rename_values(graph, {target: source})
    elif source in {name for each in graph.node for name in each.output} - {
        value.name for value in graph.output
    }:
        rename_values(graph, {source: target})
    else:  # an input, a weight or another output: something has to make this output
        graph.node.append(helper.make_node("Identity", [source], [target]))


def _other_type(before: TypeProto, after: TypeProto) -> Sentence:
    """Return why what reads a layer's output cannot read its input."""
    axes = before.tensor_type.shape.dim, after.tensor_type.shape.dim
    lengths = [[axis.dim_value or axis.dim_param for axis in each] for each in axes]
    kinds = before.tensor_type.elem_type, after.tensor_type.elem_type
    if kinds[0] == kinds[1] and len(axes[0]) == len(axes[1]) > 2:
        one, other = lengths
        if one[:1] + one[2:] == other[:1] + other[2:]:
            return Sentence(
                "the input has {before} channels, the output {after}",
                str(one[1]),
                str(other[1]),
            )
    words = [
        " ".join(filter(None, (element(kind), "×".join(map(str, each)))))
        for kind, each in zip(kinds, lengths, strict=True)
    ]
    return Sentence("the input is {before}, the output {after}", *map(Name, words))


def _remove(proto: ModelProto, doomed: Sequence[NodeProto]) -> str:
    """Remove layers with all that need them, and what only they needed, in place.

    Raises BadInput: no output would be left.
    """
    graph, listed = proto.graph, _listed(doomed)
    reads = [taken(node) for node in graph.node]
    needed_before = _needed(graph, reads, {value.name for value in graph.output})
    lost = {name for node in doomed for name in node.output if name}
    first = {n for n, node in enumerate(graph.node) if lost & {*node.output}}
    gone, waiting = {*first}, True
    while waiting:  # twice for a graph in order, as ONNX wants it
        waiting = False
        for number, names in enumerate(reads):
            if number not in gone and names & lost:
                gone.add(number)
                lost.update(filter(None, graph.node[number].output))
                waiting = True
    left = {value.name for value in graph.output} - lost
    if not left:
        raise _refused(
            Sentence("no output of the model would be left without {layers}", Name(listed)),
            Sentence("Cut the model above the layer instead, or bypass the layer."),
        )
    gone |= needed_before - _needed(graph, reads, left)
    names = {name for n in gone for name in reads[n]}
    for number in sorted(gone, reverse=True):
        del graph.node[number]
    for value in [value for value in graph.output if value.name in lost]:
        graph.output.remove(value)
    _drop_unused_weights(graph, names)
    more_gone = len(gone) - len(first)
    return f"{listed} removed" + (
        f" with {plural(more_gone, 'other layer')}" if more_gone else ""
    )


def _needed(graph: GraphProto, reads: Sequence[Set[str]], ends: Set[str]) -> set[int]:
    """Return the numbers of the layers that some tensors are computed with.

    reads: the tensors that each layer reads.
    """
    makers = {name: n for n, node in enumerate(graph.node) for name in node.output if name}
    needed, waiting = set[int](), [*ends]
    while waiting:
        number = makers.get(waiting.pop())
        if number is not None and number not in needed:
            needed.add(number)
            waiting.extend(reads[number])
    return needed


def _drop_unused_weights(graph: GraphProto, names: Set[str]) -> None:
    """Remove those of some weights that no layer reads, in place."""
    unused = names & {tensor.name for tensor in graph.initializer}
    if unused:
        unused -= {name for node in graph.node for name in taken(node)}
        unused -= {value.name for value in graph.output}
        kept = [tensor for tensor in graph.initializer if tensor.name not in unused]
        refill(graph.initializer, kept)


def insert_layer(
    model: EditableModel,
    operator: str,
    after: str,
    name: str,
    attributes: str,
    inputs: Sequence[str],
) -> Plan:
    """Plan a new layer that takes a tensor, and whose result replaces it for all behind.

    after: the tensor, or the layer that makes it. inputs: further tensors that it takes.
    """
    if not operator or not after:
        return _needs(model, "the options 'operator' and 'after'")

    def edit(proto: ModelProto) -> str:
        graph = proto.graph
        names = own_names(graph)
        tensor = after if after in names else find_layer(graph, after).output[0]
        missing = [each for each in inputs if each not in names]
        if missing:
            raise _refused(f"there is no tensor '{clip(missing[0], 60)}'")
        other = f"{tensor}_{operator}"
        while other in names:
            other += "_"
        makers = [i for i, node in enumerate(graph.node) if tensor in node.output]
        if makers:
            position = makers[0] + 1
            for place, output in enumerate(graph.node[makers[0]].output):
                if output == tensor:
                    graph.node[makers[0]].output[place] = other
            source, target = other, tensor
        else:
            position, source, target = 0, tensor, other
            for node in graph.node:
                _take(node, tensor, other)
        label, called = name or f"{operator}_{target}", {each.name for each in graph.node}
        while not name and label in called:
            label += "_"
        if name and name in called:
            raise _refused(f"there is already a layer '{clip(name, 60)}'")
        node = helper.make_node(operator, [source, *inputs], [target], label)
        _add_attributes(proto, node, attributes)
        graph.node.insert(position, node)
        if inputs:
            try:
                put_in_order(graph)
            except CycleError as error:
                raise _refused(f"{_called(error.args[1])} would need its own result") from error
        return f"{operator} after {clip(tensor, 60)}"

    return _edited(model, edit)


def replace_layer(model: EditableModel, layer: str, operator: str, attributes: str) -> Plan:
    """Plan another operator for a layer; inputs and outputs stay, attributes are new."""
    if not layer or not operator:
        return _needs(model, "the options 'layer' and 'operator'")

    def edit(proto: ModelProto) -> str:
        node = find_layer(proto.graph, layer)
        before = node.op_type
        node.op_type, node.domain = operator, ""
        node.ClearField("attribute")
        _add_attributes(proto, node, attributes)
        return f"{_called(node)}: {before} to {operator}"

    return _edited(model, edit)


def _needs(model: EditableModel, what: str) -> Plan:
    return Plan(Effect(bytes_before=model.size_bytes(), needs=what))


def _refused(why: str, hint: str = "") -> BadInput:
    return BadInput("Could not change the model", why, hint)


def _called(node: NodeProto) -> str:
    return f"'{clip(node.name or ''.join(node.output[:1]), 60)}'"


def _edited(model: EditableModel, edit: Callable[[ModelProto], str]) -> Plan:
    """Edit a copy and check it; the plan takes the copy."""
    copy = ModelProto()
    copy.CopyFrom(model.proto)
    touches = edit(copy)
    for operator in {node.op_type for node in copy.graph.node if node.domain in DEFAULT}:
        if first := _first_opset(operator, model.opset):
            why = f"{operator} exists since opset {first}; the model has opset {model.opset}"
            return refused(model, why, f"Apply 'opset:{first}' before this step.")
    effect = Effect(touches, 1, model.size_bytes())
    if not model.checked:
        return Plan(effect, lambda _: model.proto.CopyFrom(copy))
    problem = _problem(copy)
    if problem and not _problem(model.proto):
        return refused(
            model, problem, "Change the layers around it first, or choose other values."
        )
    infer_outputs(copy)
    after = effect.bytes_before + int(copy.ByteSize()) - int(model.proto.ByteSize())
    effect = structs.replace(effect, bytes_after=after)
    return Plan(effect, lambda _: model.proto.CopyFrom(copy))


@cache
def _first_opset(operator: str, now: int) -> int:
    """Return the opset that brings an operator of ONNX, where `now` is older; otherwise 0."""
    newest = defs.onnx_opset_version() + 1
    first = (each for each in range(now, newest) if defs.has(operator, each, ""))
    found = next(first, now)
    return found if found > now else 0


def _problem(proto: ModelProto) -> str:
    """Return why a model is none, by ONNX's checker and type inference; empty if it is one."""
    bare = ModelProto()
    bare.CopyFrom(proto)
    for graph in graphs(bare.graph):
        graph.ClearField("value_info")
    for value in bare.graph.output:
        value.ClearField("type")
    context = checker.C.CheckerContext()
    context.ir_version = proto.ir_version
    context.opset_imports = {entry.domain: entry.version for entry in proto.opset_import}
    try:
        for node in proto.graph.node:
            if node.domain in ("", "ai.onnx") and not any(map(bool, subgraphs(node))):
                checker.check_node(node, context)
        shape_inference.infer_shapes(bare, check_type=True, strict_mode=True, data_prop=True)
        weights = {tensor.name: tensor for tensor in proto.graph.initializer}
        problems = (_problem_of_groups(node, weights) for node in bare.graph.node)
        return next(filter(None, problems), "")
    except (checker.ValidationError, shape_inference.InferenceError, RuntimeError) as error:
        text = " ".join(str(error).split())
        first = _OF_LAYER.search(text)
        if first is None:
            return clip(text.removeprefix("[ShapeInferenceError] "), 200)
        operator, name, why = first.groups()
        return clip(f"'{clip(name, 60)}' ({operator}): {why.rstrip('.')}", 200)


def _problem_of_groups(node: NodeProto, weights: Mapping[str, TensorProto]) -> str:
    """Return why a convolution cannot have its number of groups, which ONNX does not check."""
    group = attribute(node, "group")
    if node.op_type != "Conv" or group is None or node.input[1] not in weights:
        return ""
    if group.i > 0 and weights[node.input[1]].dims[0] % group.i == 0:
        return ""
    channels = weights[node.input[1]].dims[0]
    return (
        f"{_called(node)} (Conv): {channels} channels cannot be divided into {group.i} groups"
    )


def _take(node: NodeProto, old: str, new: str) -> None:
    for place, name in enumerate(node.input):
        if name == old:
            node.input[place] = new
    for graph in subgraphs(node):
        if old not in own_names(graph):
            for inner in graph.node:
                _take(inner, old, new)


def _add_attributes(proto: ModelProto, node: NodeProto, text: str) -> None:
    if not text:
        return
    try:
        values = msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise _refused(f"attributes must be a JSON object ({clip(str(error), 80)})") from error
    for name, value in values.items():
        body = msgspec.json.encode(value).decode()
        node.attribute.append(_attribute(proto, node, name, body))


def _attribute(proto: ModelProto, node: NodeProto, name: str, text: str) -> AttributeProto:
    """Return an attribute of the type that the operator has it in. Raises BadInput."""
    versions = {entry.domain or "ai.onnx": entry.version for entry in proto.opset_import}
    try:
        version = versions.get(node.domain or "ai.onnx", 1)
        schema = defs.get_schema(node.op_type, version, node.domain)
    except defs.SchemaError:
        schema = None
    old = attribute(node, name)
    kind: Any = old.type if old is not None else None
    if schema is not None:
        if name not in schema.attributes:
            known = ", ".join(sorted(schema.attributes)) or "none"
            why = f"{node.op_type} has no attribute '{clip(name, 40)}'"
            raise _refused(why, f"Valid attributes: {known}.")
        kind = schema.attributes[name].type.value
    wanted = _TYPES.get(kind)
    if kind is not None and wanted is None:
        raise _refused(f"'{clip(name, 40)}' is a tensor or graph, which cannot be set here")
    try:
        value: Any = msgspec.json.decode(text, type=wanted or Any)
    except msgspec.DecodeError as error:
        if wanted not in (None, str):
            raise _refused(f"'{clip(text, 40)}' is not a {_type_name(wanted)}") from error
        value = text
    allowed = values_of(node.op_type, name) if schema is not None else ()
    if allowed and value not in allowed:
        why = Sentence("'{value}' is not a value of {name}", Name(clip(text, 40)), Name(name))
        raise _refused(why, Sentence("Choose from: {names}.", ", ".join(allowed)))
    return helper.make_attribute(name, value, attr_type=kind)


def _type_name(kind: Any) -> str:
    """Return what an attribute of a Python type is called in a message."""
    names = {float: "number", int: "whole number"}
    return names.get(kind, "JSON list, such as [1,1]")


def _shown(own: AttributeProto) -> str:
    if own.type not in _TYPES:
        return "a tensor or graph"
    value = helper.get_attribute_value(own)
    text = value.decode(errors="replace") if isinstance(value, bytes) else str(value)
    return clip(text, 60)
