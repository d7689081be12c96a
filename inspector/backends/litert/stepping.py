"""Outputs of all layers, from an interpreter that keeps every tensor."""

from inspector.backends import type_names
from inspector.backends.base import SteppingRequest
from inspector.backends.layer_values import Values
from inspector.backends.litert import interpreter
from inspector.backends.litert.interpreter import REFUSALS, OpenedInterpreter
from inspector.model.model import TensorInfo

EVERY_TENSOR_NOTE = (
    "LiteRT's own kernels ran, because the XNNPACK delegate does not return the tensors inside "
    "its partitions. A normal run may round differently."
)


def values(request: SteppingRequest, only: str) -> tuple[Values, dict[str, TensorInfo]]:
    """Return the values of the main graph's tensors by name, or of one, and their types."""
    known = interpreter.structure(request.model)
    opened = OpenedInterpreter(request.model, request.spec, known, all_values=True)
    what = f"Could not run {request.model.name} layer by layer"
    try:
        opened.set_inputs(request.feeds, request.spec)
        opened.interpreter.invoke()
    except REFUSALS as error:
        raise interpreter.failure(error, what, "prediction", known.model) from error
    found: Values = {}
    for number, name in enumerate(known.names):
        if name in found or (only and name != only):
            continue
        try:
            found[name] = type_names.widened(opened.value(number))
        except REFUSALS:  # a tensor that this run did not need
            continue
    return found, {value.name: value for value in known.model.values}
