"""The edits that one can choose in a graph, as steps of a recipe, and what can be filled in.

Steps name layers by their names, or where these are missing or not unique, by what they make.
Nothing here needs onnx: the window makes steps of clicks.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from inspector.conversion.action import Step
from inspector.conversion.edits.edit_actions import (
    BYPASS,
    DELETE_LAYER,
    INSERT_LAYER,
    REMOVE,
    REPLACE_LAYER,
    SET_ATTRIBUTE,
    SET_TYPES,
    SET_WEIGHT,
)
from inspector.errors import BadInput
from inspector.model.attribute_values import values_of
from inspector.model.model import Layer, Model
from inspector.units import clip
from inspector.wording.values import Name, Sentence

ABOVE = "above"
BELOW = "below"
_DEFAULT = ("", "ai.onnx")  # names of the domain of ONNX's own operators
_NUMBERS = ("float", "floats")
_LISTS = ("floats", "ints", "strings")


class AttributeField(Struct, frozen=True):
    """An attribute of an operator, as a form shows it.

    kind: ONNX's name of its type ("ints"). text: its value in JSON; "" where it is not set.
    default: in JSON; "" for none. choices: all values that it can have; () for any. fixed: why
    it cannot be set here; "" where it can.
    """

    name: str
    kind: str
    text: str = ""
    default: str = ""
    required: bool = False
    choices: tuple[str, ...] = ()
    help: str = ""
    fixed: str = ""


class OperatorEntry(Struct, frozen=True):
    """An operator of ONNX in the version that a model's operator set has.

    inputs: their names; optional ones end in "?", one that stands for several in "*". needs:
    attributes that it must have and that cannot be written here, such as graphs.
    """

    name: str
    summary: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    fields: tuple[AttributeField, ...]
    needs: tuple[str, ...] = ()


def reference(model: Model, layer: int) -> str:
    """Return how a step names a layer of the main graph: name, first output or number.

    Raises BadInput: it is inside of another layer.
    """
    node = model.layers[layer]
    if why := why_not(model, layer):
        raise BadInput(Sentence("Could not edit {name}", Name(clip(node.label))), why)
    top = [each for each in model.layers if each.parent is None]
    names = Counter(each.name for each in top)
    if node.name and names[node.name] == 1 and "+" not in node.name:
        return node.name
    output = next(filter(None, node.outputs), "")
    if output and output not in names and "+" not in output:
        return output
    return str(next(n for n, each in enumerate(top) if each.index == layer))


def _references(model: Model, layers: Iterable[int]) -> str:
    return "+".join(reference(model, layer) for layer in layers)


def why_not(model: Model, layer: int) -> str:
    """Return why a layer cannot be edited; "" where it can."""
    if model.layers[layer].parent is not None:
        return Sentence("layers inside of a branch or loop cannot be edited")
    return ""


def _step(action: str, **options: str) -> Step:
    return Step(action, tuple((n, v) for n, v in options.items() if v != ""))


def rename_layer(model: Model, layer: int, new: str) -> Step:
    """Return the step that gives a layer another name."""
    return Step("rename-layers", ((reference(model, layer), new),))


def rename_value(old: str, new: str) -> Step:
    """Return the step that renames a tensor, an input or an output."""
    return Step("rename", ((old, new),))


def cut(model: Model, at: int | str, keep: str) -> Step:
    """Return the step that cuts after a layer, by its index, or at a tensor.

    keep: ABOVE: what computes it, which becomes an output. BELOW: all else; what both parts
    share becomes an input.
    """
    if keep == BELOW:
        place = reference(model, at) if isinstance(at, int) else at
        return _step("split", at=place, part="second")
    return _step("extract", outputs="+".join(_made(model, at)))


def between(model: Model, first: int, last: int) -> Step:
    """Return the step that keeps only what lies between two layers, with them."""
    return _step(
        "extract", outputs="+".join(_made(model, last)), inputs=reference(model, first)
    )


def extract(model: Model, layers: Sequence[int]) -> Step:
    """Return the step that makes a model of some layers alone."""
    chosen = set(layers)
    inside = [layer for layer in model.layers if layer.index in chosen]
    made = {name for layer in inside for name in layer.outputs if name}
    weights = {weight.name for weight in model.weights}
    needs = {
        name: None
        for layer in inside
        for name in layer.inputs
        if name and name not in made and name not in weights
    }
    wanted = {info.name for info in model.outputs}
    wanted |= {
        name for each in model.layers if each.index not in chosen for name in each.inputs
    }
    read = {name for layer in inside for name in layer.inputs}
    ends = {
        name: None
        for layer in inside
        for name in layer.outputs
        if name and (name in wanted or name not in read)
    }
    return _step("extract", outputs="+".join(ends), inputs="+".join(needs))


def _made(model: Model, at: int | str) -> tuple[str, ...]:
    """Return the tensors that a layer makes for others, or the tensor itself."""
    if isinstance(at, str):
        return (at,)
    outputs = tuple(filter(None, model.layers[at].outputs))
    used = {name for layer in model.layers for name in layer.inputs}
    used |= {info.name for info in model.outputs}
    return tuple(name for name in outputs if name in used) or outputs[:1]


def bypass(model: Model, layers: int | Sequence[int]) -> Step:
    """Return the step that lets what reads layers read their first inputs instead."""
    layers = (layers,) if isinstance(layers, int) else layers
    return _step(DELETE_LAYER, layer=_references(model, layers), after=BYPASS)


def delete(model: Model, layers: int | Sequence[int]) -> Step:
    """Return the step that removes layers with all that need them."""
    layers = (layers,) if isinstance(layers, int) else layers
    return _step(DELETE_LAYER, layer=_references(model, layers), after=REMOVE)


def insert(
    model: Model,
    operator: str,
    after: int | str,
    attributes: Mapping[str, str] | None = None,
    inputs: Sequence[str] = (),
    name: str = "",
) -> Step:
    """Return the step that inserts a layer after another one, or after a tensor.

    attributes: values in JSON by their names. inputs: further tensors that it reads.
    """
    place = reference(model, after) if isinstance(after, int) else after
    return _step(
        INSERT_LAYER, operator=operator, after=place, name=name,
        attributes=_object(attributes or {}), inputs="+".join(inputs),
    )  # fmt: skip


def replace(
    model: Model, layer: int, operator: str, attributes: Mapping[str, str] | None = None
) -> Step:
    """Return the step that gives a layer another operator. attributes: as of `insert`."""
    return _step(
        REPLACE_LAYER, layer=reference(model, layer), operator=operator,
        attributes=_object(attributes or {}),
    )  # fmt: skip


def set_attribute(model: Model, layer: int, name: str, text: str) -> Step:
    """Return the step that sets an attribute to a value in JSON; "" removes it."""
    return Step(
        SET_ATTRIBUTE, (("layer", reference(model, layer)), ("name", name), ("value", text))
    )


def set_weight(name: str, file: Path) -> Step:
    """Return the step that takes the values of a weight from a NumPy file."""
    return _step(SET_WEIGHT, weight=name, file=str(file.absolute()))


def set_axis(name: str, length: int) -> Step:
    """Return the step that fixes a dynamic axis: its name, or input[axis] without one."""
    return Step("fix-axes", ((name, str(length)),))


def free_axis(input_name: str, axis: int, name: str) -> Step:
    """Return the step that makes an axis of an input dynamic, under a name."""
    return Step("free-axes", ((f"{input_name}[{axis}]", name),))


def rename_axis(old: str, new: str) -> Step:
    """Return the step that gives a dynamic axis another name."""
    return Step("rename-axes", ((old, new),))


def set_type(name: str, dtype: str) -> Step:
    """Return the step that gives an input or output another type."""
    return Step(SET_TYPES, ((name, dtype),))


def metadata(name: str, value: str) -> Step:
    """Return the step that sets an entry of the metadata; an empty value removes it."""
    return Step("metadata", ((name, value),))


def _object(attributes: Mapping[str, str]) -> str:
    """Return attributes, each in JSON, as one JSON object; "" for none."""
    given = {name: msgspec.Raw(text.encode()) for name, text in attributes.items() if text}
    return msgspec.json.encode(given).decode() if given else ""


def opset(model: Model) -> int:
    """Return the version of ONNX's own operator set that a model uses; 0 for none."""
    versions = [each.version for each in model.opsets if each.domain in _DEFAULT]
    return max(versions, default=0)


def operators(model: Model) -> tuple[OperatorEntry, ...]:
    """Return the operators that a model's operator set has, by name."""
    return _operators(opset(model))


def search_operators(entries: Sequence[OperatorEntry], text: str) -> tuple[OperatorEntry, ...]:
    """Return the operators that fit a text: those whose names begin with it first."""
    words = text.casefold().split()
    if not words:
        return tuple(entries)
    whole = "".join(words)

    def rank(entry: OperatorEntry) -> int | None:
        name = entry.name.casefold()
        if name.startswith(whole):
            return 0
        if whole in name:
            return 1
        told = f"{name} {entry.summary.casefold()}"
        return 2 if all(word in told for word in words) else None

    ranks = [(rank(entry), entry.name, entry) for entry in entries]
    fitting = [(place, name, entry) for place, name, entry in ranks if place is not None]
    return tuple(entry for _, _, entry in sorted(fitting, key=lambda each: each[:2]))


def attribute_fields(model: Model, layer: int) -> tuple[AttributeField, ...]:
    """Return the attributes of a layer and those that it could have, by name."""
    node = model.layers[layer]
    known = {each.name: each for each in _fields_of(model, node)}
    own = {each.name: each for each in node.attributes}
    fields = []
    for name in sorted({**known, **own}):
        field = known.get(name) or AttributeField(name, own[name].kind)
        if name in own:
            text, fixed = _as_json(own[name].kind, own[name].text, own[name].digest)
            field = AttributeField(
                name, own[name].kind, text, field.default, field.required, field.choices,
                field.help, fixed or _fixed(model, node, name),
            )  # fmt: skip
        fields.append(field)
    return tuple(fields)


def _fields_of(model: Model, node: Layer) -> tuple[AttributeField, ...]:
    if node.domain not in _DEFAULT:
        return ()
    entry = next((e for e in operators(model) if e.name == node.operator), None)
    return entry.fields if entry is not None else ()


def _fixed(model: Model, node: Layer, name: str) -> str:
    """Return why an attribute cannot have another value; "" where it can."""
    weights = {weight.name for weight in model.weights}
    if name == "kernel_shape" and len(node.inputs) > 1 and node.inputs[1] in weights:
        return Sentence("fixed by the weight")
    return ""


def _as_json(kind: str, text: str, digest: str) -> tuple[str, str]:
    """Return the value of an attribute in JSON, and why it cannot be written so."""
    if kind not in (*_NUMBERS, *_LISTS, "int", "string"):
        return "", Sentence("a tensor or a graph")
    if digest:
        return "", Sentence("too long to be shown here")
    if kind in ("string", "strings"):
        parts = text.split(", ") if kind == "strings" else [text]
        plain = [part.strip('"') for part in parts]
        return msgspec.json.encode(plain if kind == "strings" else plain[0]).decode(), ""
    return f"[{text}]" if kind in _LISTS else text, ""


@cache
def _operators(version: int) -> tuple[OperatorEntry, ...]:
    entries = []
    for name, versions in _table().items():
        fitting = [each for each in versions if each["since"] <= version]
        if fitting and not fitting[-1].get("deprecated"):
            entries.append(_entry(name, fitting[-1]))
    return tuple(entries)


def _entry(name: str, made: Mapping[str, Any]) -> OperatorEntry:
    fields = tuple(
        AttributeField(
            attribute,
            about["kind"],
            default=msgspec.json.encode(about["default"]).decode()
            if "default" in about
            else "",
            required=about.get("required", False),
            choices=values_of(name, attribute),
            help=about["text"],
        )
        for attribute, about in made["attributes"].items()
    )
    needs = tuple(made.get("needs", ()))
    return OperatorEntry(
        name, made["summary"], tuple(made["inputs"]), tuple(made["outputs"]), fields, needs
    )


@cache
def _table() -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """Return the table that tools/make_operator_table.py wrote."""
    body = Path(__file__).with_name("operators.json").read_bytes()
    table: Mapping[str, Any] = msgspec.json.decode(body)
    operators_: Mapping[str, Sequence[Mapping[str, Any]]] = table["operators"]
    return operators_
