"""The layers that use each weight of a model."""

from collections import defaultdict
from collections.abc import Sequence

from inspector.model.model import Layer, Model, WeightInfo


def uses(model: Model) -> tuple[tuple[int, ...], ...]:
    """For each of `Model.weights` the indices of the layers that use it, in their order.

    A value of a subgraph is used within it only; that of a Constant by who takes its output;
    any other tensor attribute by its own layer. Weights of functions have none.
    """
    taking: dict[str, list[int]] = defaultdict(list)
    for layer in model.layers:
        for name in dict.fromkeys(layer.inputs):
            taking[name].append(layer.index)
    return tuple(_uses(weight, model.layers, taking) for weight in model.weights)


def _uses(
    weight: WeightInfo, layers: Sequence[Layer], taking: dict[str, list[int]]
) -> tuple[int, ...]:
    holder = layers[weight.layer] if weight.layer is not None else None
    if weight.origin == "constant":
        if holder is None:
            return ()
        if holder.operator != "Constant" or not holder.outputs:
            return (holder.index,)
        return tuple(taking.get(holder.outputs[0], ())) if holder.outputs[0] else ()
    users = taking.get(weight.name, ()) if weight.name else ()
    if holder is None:
        return tuple(users)
    return tuple(index for index in users if _inside(layers, index, holder.index))


def _inside(layers: Sequence[Layer], index: int, holder: int) -> bool:
    """Return whether a layer lies in a subgraph of another one."""
    parent = layers[index].parent
    while parent is not None:
        if parent == holder:
            return True
        parent = layers[parent].parent
    return False
