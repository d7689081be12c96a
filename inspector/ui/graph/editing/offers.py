"""What can be done with what is selected: the entries of the menu, and the step of each key."""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from inspector.app.changing.editing import Preview
from inspector.conversion.action import Step
from inspector.conversion.edits import choices
from inspector.model.model import Model, TensorInfo
from inspector.ui import units
from inspector.ui.graph.editing.canvas import Target
from inspector.ui.graph.editing.menu import Entry
from inspector.ui.translate import plural, tr, written

_MOST_WEIGHTS = 8  # of a layer, in the menu
# Types that inputs and outputs can have; a Cast in the model converts.
TYPES = ("float32", "float16", "float64", "int64", "int32", "int16", "int8", "uint8", "bool")


class Forms(Struct, frozen=True):
    """What opens where an edit needs to be told more."""

    rename: Callable[[], object]
    insert: Callable[[], object]
    attributes: Callable[[], object]
    replace_weight: Callable[[str], object]
    extract: Callable[[Step], object]


def entries(model: Model, target: Target, forms: Forms) -> tuple[Entry, ...]:
    """Return the menu of what is selected."""
    if len(target.layers) > 1:
        return _of_layers(model, target.layers, forms)
    if target.layers:
        return _of_layer(model, target.layers[0], forms)
    if target.end:
        return _of_end(model, target, forms)
    if target.tensor:
        return _of_tensor(model, target.tensor, forms)
    return (Entry(tr("Edit metadata…"), act=forms.attributes),)


def delete_step(model: Model, target: Target) -> Step | None:
    """Return the step that deletes what is selected."""
    return choices.delete(model, target.layers) if target.layers else None


def bypass_step(model: Model, target: Target) -> Step | None:
    """Return the step that leads values past the selected layer."""
    return choices.bypass(model, target.layers[0]) if len(target.layers) == 1 else None


def waiting(listed: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return entries with room for what is not known of them yet."""
    return tuple(
        replace(
            each,
            entries=waiting(each.entries),
            below=tr("checking…") if each.step is not None else each.below,
        )
        for each in listed
    )


def explained(entry: Entry, previews: Mapping[Step, Preview]) -> Entry:
    """Return an entry with the reason why it cannot be done, or with what it does."""
    if entry.entries:
        inner = tuple(explained(each, previews) for each in entry.entries)
        possible = [each for each in inner if not each.reason]
        reason = "" if possible else inner[0].reason
        return replace(entry, entries=inner, reason=reason)
    preview = previews.get(entry.step) if entry.step is not None else None
    if preview is None:
        return entry
    if preview.refused:
        return replace(entry, reason=written(preview.refused))
    return replace(entry, below=written(preview.summary))


def _cut(model: Model, where: int | str) -> Entry:
    sides = tuple(
        Entry(title, step=choices.cut(model, where, keep), below=" ")
        for title, keep in ((tr("Keep above"), "above"), (tr("Keep below"), "below"))
    )
    return Entry(tr("Cut here"), entries=sides, line=True)


def _of_layer(model: Model, layer: int, forms: Forms) -> tuple[Entry, ...]:
    here = Target((layer,))
    return (
        Entry(tr("Rename…"), "F2", act=forms.rename),
        Entry(tr("Bypass"), "B", bypass_step(model, here)),
        Entry(tr("Delete"), "Del", delete_step(model, here)),
        _cut(model, layer),
        Entry(tr("Insert after…"), "I", act=forms.insert),
        _attributes(model, layer, forms),
        *_weights(model, layer, forms),
        _extract(model, (layer,), forms),
    )


def _attributes(model: Model, layer: int, forms: Forms) -> Entry:
    has_some = bool(choices.attribute_fields(model, layer))
    reason = "" if has_some else tr("the operator has no attributes")
    return Entry(tr("Edit attributes…"), "Return", act=forms.attributes, reason=reason)


def _of_layers(model: Model, layers: tuple[int, ...], forms: Forms) -> tuple[Entry, ...]:
    between = Entry(
        tr("Keep between"), step=choices.between(model, min(layers), max(layers)), below=" "
    )
    return (
        Entry(
            tr("Delete {layers}").format(layers=plural(len(layers), "layer")),
            "Del",
            choices.delete(model, layers),
        ),
        Entry(tr("Cut here"), entries=(between,), line=True),
        _extract(model, layers, forms),
    )


def _of_tensor(model: Model, tensor: str, forms: Forms) -> tuple[Entry, ...]:
    weight = any(each.name == tensor for each in model.weights)
    replaced = (
        (Entry(tr("Replace values…"), act=lambda: forms.replace_weight(tensor)),)
        if weight
        else (_cut(model, tensor), Entry(tr("Insert here…"), "I", act=forms.insert))
    )
    return (Entry(tr("Rename…"), "F2", act=forms.rename), *replaced)


def _of_end(model: Model, target: Target, forms: Forms) -> tuple[Entry, ...]:
    value = end_of_model(model, target)
    here = value.dtype if value is not None else ""
    types = tuple(
        Entry(name, step=choices.set_type(target.tensor, name))
        for name in TYPES
        if name != here
    )
    fields = Entry(tr("Edit axes…"), "Return", act=forms.attributes)
    insert = Entry(tr("Insert here…"), "I", act=forms.insert)
    return (
        Entry(tr("Rename…"), "F2", act=forms.rename),
        *((fields,) if target.end == "input" else ()),
        Entry(tr("Change type"), entries=types),
        replace(insert, line=True),
    )


def end_of_model(model: Model, target: Target) -> TensorInfo | None:
    """Return the input or output that is selected."""
    ends = model.inputs if target.end == "input" else model.outputs
    return next((each for each in ends if each.name == target.tensor), None)


def _weights(model: Model, layer: int, forms: Forms) -> tuple[Entry, ...]:
    known = {weight.name: weight for weight in model.weights}
    names = [name for name in model.layers[layer].inputs if name in known][:_MOST_WEIGHTS]
    if not names:
        return ()

    def opener(name: str) -> Callable[[], object]:
        return lambda: forms.replace_weight(name)

    return (
        Entry(
            tr("Replace weight"),
            entries=tuple(
                Entry(
                    units.clip(name, 48),
                    act=opener(name),
                    below=f"{units.shape(known[name].shape)} {known[name].dtype}",
                )
                for name in names
            ),
        ),
    )


def _extract(model: Model, layers: tuple[int, ...], forms: Forms) -> Entry:
    step = choices.extract(model, layers)
    return Entry(tr("Extract selection as model…"), act=lambda: forms.extract(step), line=True)
