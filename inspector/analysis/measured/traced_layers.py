"""Which layer of a model an executed node in a trace stands for, by its name alone."""

import re

from inspector.model.model import Model

# What ONNX Runtime appends to the name of a node, or of the tensor that it names a node by.
NODE_SUFFIX = re.compile(r"(?:_nchwc|_token_\d+|/duplicated)+$")


class TracedLayers:
    """The layers of a model by the names that executed nodes have: theirs, or of outputs."""

    def __init__(self, model: Model) -> None:
        outputs = {
            name: layer.index for layer in model.layers for name in layer.outputs if name
        }
        self._places = outputs | {layer.label: layer.index for layer in model.layers}

    def place_of(self, name: str) -> int:
        """Return the index of the layer; -1 for none."""
        return self._places.get(name, self._places.get(NODE_SUFFIX.sub("", name), -1))
