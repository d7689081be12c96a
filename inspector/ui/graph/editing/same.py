"""Which layer, tensor or place of a graph is which of the graph before or after edits."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from inspector.conversion.action import Step
from inspector.conversion.edits.edit_actions import BYPASS, DELETE_LAYER
from inspector.model.model import Layer, Model
from inspector.ui.graph.editing.canvas import Target
from inspector.ui.graph.view import Place


class Bypassed(Struct, frozen=True):
    """A layer that values are led past. tensor: the value, in the edited model. takers: the
    layers that take it there, by index."""

    layer: Layer
    tensor: str
    takers: tuple[int, ...]


def bypassed(opened: Model, edited: Model, steps: Sequence[Step]) -> tuple[Bypassed, ...]:
    """Return the layers of the opened model that edits lead values past."""
    names = {
        name
        for step in steps
        if step.action == DELETE_LAYER and dict(step.options).get("after", BYPASS) == BYPASS
        for name in dict(step.options).get("layer", "").split("+")
    }
    gone = {
        layer.index: layer
        for layer in (opened.layers if names else ())
        if layer.name in names or not names.isdisjoint(layer.outputs)
    }

    def ends(layer: Layer) -> Iterator[tuple[str, int]]:
        """Yield what is read in place of the layer's output, and by which layer."""
        for taker in opened.layers:
            for slot, name in enumerate(taker.inputs):
                if not name or name not in layer.outputs:
                    continue
                if taker.index in gone:
                    yield from ends(taker)
                elif (now := same_layer(opened, taker.index, edited)) is not None:
                    inputs = edited.layers[now].inputs
                    yield (inputs[slot] if slot < len(inputs) else "", now)

    found = []
    for layer in gone.values():
        read = list(ends(layer))
        if read and same_layer(opened, layer.index, edited) is None:
            takers = dict.fromkeys(taker for _, taker in read)
            found.append(Bypassed(layer, read[0][0], tuple(takers)))
    return tuple(found)


def same_layer(before: Model, layer: int, after: Model) -> int | None:
    """Return the layer of another model that makes the same tensor, or has the same name."""
    if before is after:
        return layer
    if not 0 <= layer < len(before.layers):
        return None
    old = before.layers[layer]
    outputs = set(filter(None, old.outputs))
    same_output = None
    for each in after.layers:
        if old.name and each.name == old.name and each.operator == old.operator:
            return each.index
        if same_output is None and not outputs.isdisjoint(each.outputs):
            same_output = each.index
    return same_output


def same_place(before: Model, place: Place, after: Model) -> Place:
    """Return the place that shows the same layer of another model."""
    layer = same_layer(before, place.layer, after) if place.layer is not None else None
    return replace(place, layer=layer)


def held_layer(before: Model, after: Model) -> tuple[int, int] | None:
    """Return the layer that feeds the first one which is in one of two graphs only, in both.

    It is the same for an edit and for its undoing. None where nothing feeds that layer.
    """
    for model, other in ((before, after), (after, before)):
        names = {(each.name, each.operator) for each in other.layers if each.name}
        made = {name for each in other.layers for name in each.outputs if name}
        for layer in model.layers:
            if (layer.name, layer.operator) in names or not made.isdisjoint(layer.outputs):
                continue
            taken = set(filter(None, layer.inputs))
            makers = (each for each in model.layers if not taken.isdisjoint(each.outputs))
            pairs = ((each.index, same_layer(model, each.index, other)) for each in makers)
            pair = next(((here, there) for here, there in pairs if there is not None), None)
            if pair is not None:
                return pair if model is before else (pair[1], pair[0])
            break
    return None


def same_target(before: Model, target: Target, after: Model) -> Target:
    """Return what is to be selected after an edit: the same, or what follows a layer that
    went."""
    if target.layers:
        layer = same_layer(before, target.layers[0], after)
        if layer is None and after.layers:
            layer = min(target.layers[0], len(after.layers) - 1)
        return Target((layer,) if layer is not None else ())
    tensor = _same_tensor(before, target.tensor, after)
    return Target((), tensor, target.end if tensor else "")


def _same_tensor(before: Model, tensor: str, after: Model) -> str:
    """Return the tensor of that name in another model, else the one in its place; "" for
    none."""
    if tensor in (name for names in _tensor_places(after) for name in names):
        return tensor
    if len(before.layers) == len(after.layers):
        for old, new in zip(_tensor_places(before), _tensor_places(after), strict=True):
            if tensor in old and len(old) == len(new):
                return new[old.index(tensor)]
    return ""


def _tensor_places(model: Model) -> list[tuple[str, ...]]:
    """Return the names of inputs, outputs and weights, and of what each layer makes."""
    ends = (model.inputs, model.outputs, model.weights)
    names = [tuple(each.name for each in some) for some in ends]
    return [*names, *(tuple(layer.outputs) for layer in model.layers)]
