"""Outputs of all layers, from an interpreter that keeps every tensor, and a comparison."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.measured.layer_outputs import LayerOutput, LayerStep, Stepping
from inspector.backends import type_names
from inspector.backends.base import ReportShare, SteppingRequest
from inspector.backends.litert import interpreter
from inspector.backends.litert.interpreter import REFUSALS, OpenedInterpreter, Structure
from inspector.backends.values import ComparisonRun
from inspector.errors import BadInput, EngineFailed
from inspector.model.model import Layer, TensorInfo
from inspector.model.tensors.agreement import is_over, tolerance
from inspector.model.tensors.difference import difference
from inspector.model.tensors.prediction import OutputValue
from inspector.model.tensors.tensor_statistics import statistics

_KEPT = (
    "LiteRT's own kernels ran, because the XNNPACK delegate does not return the tensors inside "
    "its partitions. A normal run may round differently."
)
_INNER = "The layer is in a subgraph; only the outputs of the enclosing layer are available."
_NO_VALUE = "LiteRT did not compute this tensor in this run."
_ANOTHER = "another run with LiteRT"
_OTHER_MODEL = (
    "layers of a TensorFlow Lite model cannot be compared with those of another model"
)
Values = dict[str, NDArray[np.generic]]


def step_through(
    request: SteppingRequest, tolerated: float | None, report_share: ReportShare
) -> Stepping:
    """Run the model once and describe the outputs of all layers."""
    known = interpreter.structure(request.model)
    other = _other(request)
    report_share("steps", -1)
    values = _values(request, known)
    theirs = _values(other, known) if other is not None else {}
    made_by = {name: layer.index for layer in known.model.layers for name in layer.outputs}
    infos = {value.name: value for value in known.model.values}
    steps = []
    for layer in known.model.layers:
        steps.append(_step(layer, values, theirs, made_by, infos, tolerated))
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
        raise EngineFailed(what, _NO_VALUE.rstrip("."), "", "value")
    info = next(value for value in known.model.values if value.name == tensor)
    ours = OutputValue(tensor, info.kind, info.dtype, values[tensor])
    other = _other(request)
    if other is None:
        return ours, None, ""
    theirs = _values(other, known, only=tensor).get(tensor)
    if theirs is None:
        return ours, None, _NO_VALUE
    return ours, OutputValue(tensor, info.kind, info.dtype, theirs), ""


def _other(request: SteppingRequest) -> SteppingRequest | None:
    """Return the run that is compared with. Raises BadInput: it is one of another model."""
    against: ComparisonRun | None = request.against
    if against is None:
        return None
    if against.spec is None or (against.model and against.model != str(request.model)):
        raise BadInput("Could not compare layers", _OTHER_MODEL)
    return replace(request, spec=against.spec, against=None)


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


def _step(
    layer: Layer,
    values: Values,
    theirs: Values,
    made_by: Mapping[str, int],
    infos: Mapping[str, TensorInfo],
    tolerated: float | None,
) -> LayerStep:
    read = [values[name] for name in layer.inputs if name in values and name in infos]
    finite = [array for array in read if array.dtype.kind == "f"]
    outputs = tuple(
        _output(name, infos[name], values[name], theirs.get(name), tolerated)
        for name in layer.outputs
        if name in values and name in infos
    )
    problem = "" if outputs else _INNER if layer.parent is not None else _NO_VALUE
    return LayerStep(
        layer.index,
        layer.name,
        layer.operator,
        outputs,
        tuple(dict.fromkeys(made_by[name] for name in layer.inputs if name in made_by)),
        any(bool(np.isnan(array).any()) for array in finite),
        any(bool(np.isinf(array).any()) for array in finite),
        problem,
    )


def _output(
    name: str,
    info: TensorInfo,
    value: NDArray[np.generic],
    other: NDArray[np.generic] | None,
    tolerated: float | None,
) -> LayerOutput:
    described = LayerOutput(name, info.dtype, value.shape, statistics([value.reshape(-1)]))
    if other is None:
        return described
    differs = difference(other, value)
    over = is_over(differs, tolerated, tolerance(info.dtype))
    return replace(described, difference=differs, over=over)
