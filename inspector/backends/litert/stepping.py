"""Outputs of all layers, from an interpreter that keeps every tensor, and a comparison."""

from inspector.analysis.measured.layer_outputs import Stepping
from inspector.backends import type_names
from inspector.backends.base import ReportShare, SteppingRequest
from inspector.backends.layer_values import NO_VALUE, Values, other_run, step_of
from inspector.backends.litert import interpreter
from inspector.backends.litert.interpreter import REFUSALS, OpenedInterpreter, Structure
from inspector.errors import EngineFailed
from inspector.model.tensors.prediction import OutputValue

_KEPT = (
    "LiteRT's own kernels ran, because the XNNPACK delegate does not return the tensors inside "
    "its partitions. A normal run may round differently."
)
_ANOTHER = "another run with LiteRT"


def step_through(
    request: SteppingRequest, tolerated: float | None, report_share: ReportShare
) -> Stepping:
    """Run the model once and describe the outputs of all layers."""
    known = interpreter.structure(request.model)
    other = other_run(request)
    report_share("steps", -1)
    values = _values(request, known)
    theirs = _values(other, known) if other is not None else {}
    made_by = {name: layer.index for layer in known.model.layers for name in layer.outputs}
    infos = {value.name: value for value in known.model.values}
    steps = []
    for layer in known.model.layers:
        steps.append(step_of(layer, values, theirs, made_by, infos, tolerated))
        report_share("walk", len(steps) / len(known.model.layers))
    return Stepping(
        model=request.model.name,
        devices=("cpu",),
        optimization=request.spec.optimization,
        threads=request.spec.threads,
        steps=tuple(steps),
        against=_ANOTHER if other is not None else "",
        tolerance=tolerated,
        notes=(_KEPT,),
    )


def inner_tensor(
    request: SteppingRequest, tensor: str, what: str
) -> tuple[OutputValue, OutputValue | None, str]:
    """Return a tensor of the main graph, the other run's, and why that is missing."""
    known = interpreter.structure(request.model)
    values = _values(request, known, only=tensor)
    if tensor not in values:
        raise EngineFailed(what, NO_VALUE.rstrip("."), "", "value")
    info = next(value for value in known.model.values if value.name == tensor)
    ours = OutputValue(tensor, info.kind, info.dtype, values[tensor])
    other = other_run(request)
    if other is None:
        return ours, None, ""
    theirs = _values(other, known, only=tensor).get(tensor)
    if theirs is None:
        return ours, None, NO_VALUE
    return ours, OutputValue(tensor, info.kind, info.dtype, theirs), ""


def _values(request: SteppingRequest, known: Structure, only: str = "") -> Values:
    """Return the values of all tensors of the main graph by their names, or of one."""
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
    return values
