"""The layers of a report as pairing sees a model."""

from collections.abc import Sequence
from functools import cached_property

from inspector.comparison.layer_pairs.model_graph import LANDMARKS, ModelGraph
from inspector.model.model import Layer, Model, TensorInfo
from inspector.report.report import LayerUse

_INPUT = "input"  # of layers that read no other one


class MeasuredGraph(ModelGraph):
    """What a report tells of a model: no weights, so that landmarks have the lengths of their
    outputs."""

    def __init__(self, layers: Sequence[LayerUse]) -> None:
        self._uses = layers
        places = {layer.index: place for place, layer in enumerate(layers)}
        values = [layer.value or f"{layer.operator} {layer.index}" for layer in layers]
        read = {index for layer in layers for index in layer.reads}
        made = tuple(
            Layer(
                place,
                layer.name if is_named(layer) else "",
                layer.operator,
                "",
                tuple(values[places[index]] for index in layer.reads if index in places)
                or (_INPUT,),
                (values[place],),
                parent=places.get(layer.parent) if layer.parent is not None else None,
            )
            for place, layer in enumerate(layers)
        )
        last = (
            value
            for layer, value in zip(layers, values, strict=True)
            if layer.index not in read
        )
        outputs = tuple(TensorInfo(value, "tensor", "unknown", None) for value in last)
        inputs = (TensorInfo(_INPUT, "tensor", "unknown", None),)
        super().__init__(
            Model("", "", 0, 0, (), "", "", "", 0, "", "", (), inputs, outputs, made, ())
        )

    @cached_property
    def landmarks(self) -> dict[int, tuple[int, ...]]:
        """Layers with weights by their family, with the lengths of their output."""
        shapes = (layer.output.partition(" ")[2].split("×") for layer in self._uses)
        return {
            place: tuple(sorted(int(n) for n in shape if n.isdecimal() and n != "1"))
            for place, shape in enumerate(shapes)
            if self.families[place] in LANDMARKS
        }


def is_named(layer: LayerUse) -> bool:
    """Return whether the model file names a layer; unnamed ones get operator and index."""
    return bool(layer.name) and layer.name != f"{layer.operator} {layer.index}"
