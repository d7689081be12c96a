"""Which layers lie inside which, and how often a prediction runs them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inspector.analysis.facts.shapes import Body
from inspector.analysis.facts.symbolic_sizes import Amount, symbol
from inspector.model.model import Layer, TensorInfo
from inspector.units import clip

ITERATIONS = "iterations"


@dataclass(frozen=True, slots=True)
class Nesting:
    """The bodies of control flow.

    inside: node -> names of its branches, in the file's order. repeats: node -> how often its
    body runs; a symbol where only the data tell.
    """

    inside: Mapping[int, tuple[str, ...]]
    repeats: Mapping[int, Amount]

    def holds(self, layer: int) -> bool:
        """Whether a layer has a body that is not empty."""
        return layer in self.inside

    def branches(self, layer: int) -> tuple[str, ...]:
        """Names of the bodies of a layer."""
        return self.inside.get(layer, ())

    def trips(self, layer: int) -> Amount:
        """How often the body of a layer runs each time it is reached."""
        return self.repeats.get(layer, 1)


def nesting(layers: Sequence[Layer], body: Body, types: Mapping[str, TensorInfo]) -> Nesting:
    """Find the bodies of control flow, and how often each runs."""
    inside: dict[int, dict[str, None]] = {}
    for layer in layers:
        if layer.parent is not None:
            inside.setdefault(layer.parent, {})[layer.branch] = None
    loops = [index for index in inside if layers[index].operator != "If"]
    repeats: dict[int, Amount] = {}
    open_ended: list[int] = []
    for index in loops:
        trip_count = _known_trips(layers[index], body, types)
        if trip_count is None:
            open_ended.append(index)
        else:
            repeats[index] = trip_count
    for index in open_ended:
        name = ITERATIONS if len(open_ended) == 1 else f"{ITERATIONS} of {layers[index].label}"
        repeats[index] = symbol(clip(name, 60))
    return Nesting({index: tuple(names) for index, names in inside.items()}, repeats)


def _known_trips(layer: Layer, body: Body, types: Mapping[str, TensorInfo]) -> Amount | None:
    """Iterations of a Loop with a constant number, or the length of what a Scan goes over."""
    if layer.operator == "Loop":
        return body.trips.get(layer.index)
    name = layer.inputs[-1] if layer.operator == "Scan" and layer.inputs else ""
    value = types.get(name)
    if value is None or not value.shape:
        return None
    if any(attribute.name == "scan_input_axes" for attribute in layer.attributes):
        return None
    axis = value.shape[0]
    return axis if isinstance(axis, int) else symbol(axis) if axis else None
