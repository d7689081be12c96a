"""Outputs of all layers, from an interpreter that keeps every tensor, and a comparison."""

from collections.abc import Sequence

from inspector.analysis.measured.layer_outputs import Stepping
from inspector.backends import layer_values, type_names
from inspector.backends.base import ReportShare, SteppingRequest
from inspector.backends.layer_values import Values
from inspector.backends.litert import interpreter
from inspector.backends.litert.interpreter import REFUSALS, OpenedInterpreter
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue

_KEPT = (
    "LiteRT's own kernels ran, because the XNNPACK delegate does not return the tensors inside "
    "its partitions. A normal run may round differently."
)


def step_through(
    request: SteppingRequest, tolerated: float | None, report_share: ReportShare
) -> Stepping:
    """Run the model once and describe the outputs of all layers."""
    model = interpreter.structure(request.model).model
    return layer_values.step_through(
        request, tolerated, report_share, model, _values, "LiteRT", _KEPT
    )


def inner_tensor(
    request: SteppingRequest, tensor: str, what: str
) -> tuple[OutputValue, OutputValue | None, str]:
    """Return a tensor of the main graph, the other run's, and why that is missing."""
    return layer_values.inner_tensor(request, tensor, what, _values)


def inner_tensors(
    request: SteppingRequest, tensors: Sequence[str], given: Sequence[str], what: str
) -> tuple[OutputValue, ...]:
    """Return tensors of the main graph, all where none is named."""
    return layer_values.inner_tensors(request, tensors, given, what, _values)


def _values(request: SteppingRequest, only: str) -> tuple[Values, dict[str, TensorInfo]]:
    """Return the values of the main graph's tensors by name, or of one, and their types."""
    known = interpreter.structure(request.model)
    opened = OpenedInterpreter(request.model, request.spec, known, all_values=True)
    what = f"Could not run {request.model.name} layer by layer"
    try:
        opened.set_inputs(request.feeds, request.spec)
        opened.interpreter.invoke()
    except REFUSALS as error:
        raise interpreter.failure(error, what, "prediction", known.model) from error
    values: Values = {}
    for number, name in enumerate(known.names):
        if name in values or (only and name != only):
            continue
        try:
            values[name] = type_names.widened(opened.value(number))
        except REFUSALS:  # a tensor that this run did not need
            continue
    return values, {value.name: value for value in known.model.values}
