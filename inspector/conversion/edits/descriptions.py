"""What an edit is called in lists and menus, as sentences."""

from collections.abc import Callable, Mapping
from pathlib import Path

from inspector.conversion.action import Step
from inspector.conversion.edits.changes import Change
from inspector.conversion.edits.edit_actions import (
    BYPASS,
    DELETE_LAYER,
    INSERT_LAYER,
    REPLACE_LAYER,
    SET_ATTRIBUTE,
    SET_TYPES,
    SET_WEIGHT,
)
from inspector.conversion.registry import ACTIONS
from inspector.units import clip
from inspector.wording.values import Count, Joined, Name, Sentence, Value

_NAME = 60  # characters of a name
_MOST_NAMED = 2  # names in one line
Text = str
Described = tuple[Text, Text]


def described(step: Step) -> Described:
    """Return what an edit does, in a title and a line below it."""
    describe = _OF.get(step.action)
    if describe is not None:
        return describe(dict(step.options), step)
    return ACTIONS[step.action].title, step.text


def summary(step: Step, change: Change) -> Text:
    """Return what an edit would leave and add, in one line; "" where its title says it."""
    if change.refused:
        return change.refused
    stay, gone = change.layers[1], len(change.removed)
    new = Name(clip(", ".join((*change.new_outputs, *change.new_inputs)), _NAME))
    if step.action in ("extract", "split"):
        if change.new_outputs and not change.new_inputs:
            return Sentence("{layers} · new output {names}", Count(stay, "layer"), new)
        if change.new_inputs and not change.new_outputs:
            return Sentence("{layers} · new input {names}", Count(stay, "layer"), new)
        return Sentence("{layers} stay", Count(stay, "layer"))
    if step.action == DELETE_LAYER:
        if dict(step.options).get("after", BYPASS) == BYPASS:
            return described(step)[1]
        return Sentence("{layers} removed", Count(gone, "layer"))
    return ""


def _name(text: str) -> Name:
    return Name(clip(text, _NAME))


def _names(text: str) -> Joined:
    """Return tensors or layers between quotes: many are called by a number."""
    parts = text.split("+")
    shown: list[Value] = [Sentence("'{name}'", _name(part)) for part in parts[:_MOST_NAMED]]
    if len(parts) > _MOST_NAMED:
        shown.append(Count(len(parts) - _MOST_NAMED, "more"))
    return Joined(shown)


def _pair(options: Mapping[str, str], step: Step) -> tuple[Name, Name]:
    old, new = step.options[0]
    return _name(old), _name(new)


def _rename(options: Mapping[str, str], step: Step) -> Described:
    old, new = _pair(options, step)
    return Sentence("Rename {name}", old), Sentence("{old} → {new}", old, new)


def _rename_axis(options: Mapping[str, str], step: Step) -> Described:
    old, new = _pair(options, step)
    return Sentence("Rename axis {name}", old), Sentence("{old} → {new}", old, new)


def _fix_axis(options: Mapping[str, str], step: Step) -> Described:
    name, length = _pair(options, step)
    return Sentence("Set axis {name}", name), Sentence("fixed length {length}", length)


def _free_axis(options: Mapping[str, str], step: Step) -> Described:
    place, name = _pair(options, step)
    return Sentence("Free axis {name}", place), Sentence("dynamic, named {name}", name)


def _type(options: Mapping[str, str], step: Step) -> Described:
    name, dtype = _pair(options, step)
    return Sentence("Change type of {name}", name), Sentence("to {type}", dtype)


def _metadata(options: Mapping[str, str], step: Step) -> Described:
    name, value = _pair(options, step)
    detail = Sentence("{name} = {value}", name, value) if value.text else Sentence("removed")
    return Sentence("Edit metadata {name}", name), detail


def _attribute(options: Mapping[str, str], step: Step) -> Described:
    name, value = _name(options.get("name", "")), _name(options.get("value", ""))
    title = Sentence("Edit {layer}", _name(options.get("layer", "")))
    if not value.text:
        return title, Sentence("{name} removed", name)
    return title, Sentence("{name} = {value}", name, value)


def _delete(options: Mapping[str, str], step: Step) -> Described:
    layers = _names(options.get("layer", ""))
    if options.get("after", BYPASS) == BYPASS:
        return Sentence("Bypass {layers}", layers), Sentence("output values change")
    return Sentence("Delete {layers}", layers), Sentence("with the layers that need it")


def _insert(options: Mapping[str, str], step: Step) -> Described:
    return (
        Sentence("Insert {operator}", _name(options.get("operator", ""))),
        Sentence("after {name}", _name(options.get("after", ""))),
    )


def _replace(options: Mapping[str, str], step: Step) -> Described:
    return (
        Sentence("Replace {layer}", _name(options.get("layer", ""))),
        Sentence("by {operator}", _name(options.get("operator", ""))),
    )


def _weight(options: Mapping[str, str], step: Step) -> Described:
    file = Path(options.get("file", "")).name
    return (
        Sentence("Replace weight {name}", _name(options.get("weight", ""))),
        Sentence("values of {file}", _name(file)),
    )


def _extract(options: Mapping[str, str], step: Step) -> Described:
    outputs, inputs = options.get("outputs", ""), options.get("inputs", "")
    if outputs and inputs:
        title = Sentence("Extract {first} to {last}", _names(inputs), _names(outputs))
        return title, Sentence("keep between")
    if outputs:
        return Sentence("Cut after {names}", _names(outputs)), Sentence("keep above")
    return Sentence("Cut before {names}", _names(inputs)), Sentence("keep below")


def _split(options: Mapping[str, str], step: Step) -> Described:
    title = Sentence("Cut after {names}", _names(options.get("at", "")))
    first = options.get("part", "first") == "first"
    return title, Sentence("keep above") if first else Sentence("keep below")


_OF: Mapping[str, Callable[[Mapping[str, str], Step], Described]] = {
    "rename": _rename,
    "rename-layers": _rename,
    "rename-axes": _rename_axis,
    "fix-axes": _fix_axis,
    "free-axes": _free_axis,
    "metadata": _metadata,
    "extract": _extract,
    "split": _split,
    SET_TYPES: _type,
    SET_ATTRIBUTE: _attribute,
    SET_WEIGHT: _weight,
    DELETE_LAYER: _delete,
    INSERT_LAYER: _insert,
    REPLACE_LAYER: _replace,
}
