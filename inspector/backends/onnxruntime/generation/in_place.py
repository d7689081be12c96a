"""Decoder graphs of ONNX that write new keys and values into the buffer of the past ones."""

from inspector.backends.generation.roles import Roles
from inspector.model.model import Layer, Model

# Operators that write the new keys and values into the buffer of the past ones where both are
# bound to the same memory, with the places of the inputs and outputs concerned
# (github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md).
_IN_PLACE = {("com.microsoft", "GroupQueryAttention"): ((3, 1), (4, 2))}


def writes_in_place(model: Model, found: Roles) -> bool:
    """Return whether all of a decoder's states may be written into the memory they lie in.

    Each is read by one layer only, which writes the output that continues it in place.
    """
    continued = {state.input.name: state.output for state in found.states}
    readers: dict[str, list[tuple[Layer, int]]] = {name: [] for name in continued}
    for layer in model.layers:
        for place, value in enumerate(layer.inputs):
            if value in readers:
                readers[value].append((layer, place))
    for name, output in continued.items():
        if len(readers[name]) != 1:
            return False
        layer, place = readers[name][0]
        written = dict(_IN_PLACE.get((layer.domain, layer.operator), ())).get(place)
        if written is None or layer.outputs[written : written + 1] != (output,):
            return False
    return bool(continued)
