"""What a run that keeps the tensors of all layers says about each layer's outputs."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.measured.layer_outputs import LayerOutput, LayerStep
from inspector.backends.base import SteppingRequest
from inspector.errors import BadInput
from inspector.model.model import Layer, TensorInfo
from inspector.model.tensors.agreement import is_over, tolerance
from inspector.model.tensors.difference import difference
from inspector.model.tensors.tensor_statistics import statistics

_INNER = "The layer is in a subgraph; only the outputs of the enclosing layer are available."
NO_VALUE = "The runtime did not compute this tensor in this run."
_OTHER_MODEL = "this runtime compares layers only with another run of the same model"
Values = dict[str, NDArray[np.generic]]


def other_run(request: SteppingRequest) -> SteppingRequest | None:
    """Return the run that is compared with. Raises BadInput: it is one of another model."""
    against = request.against
    if against is None:
        return None
    if against.spec is None or (against.model and against.model != str(request.model)):
        raise BadInput("Could not compare layers", _OTHER_MODEL)
    return replace(request, spec=against.spec, against=None)


def step_of(
    layer: Layer,
    values: Values,
    theirs: Values,
    made_by: Mapping[str, int],
    infos: Mapping[str, TensorInfo],
    tolerated: float | None,
) -> LayerStep:
    """Return a layer's outputs, compared with those of another run (`theirs`) if there is one.

    made_by: layer of each tensor. infos: of tensors. tolerated: None for that of the type.
    """
    read = [values[name] for name in layer.inputs if name in values and name in infos]
    finite = [array for array in read if array.dtype.kind == "f"]
    outputs = tuple(
        _output(name, infos[name], values[name], theirs.get(name), tolerated)
        for name in layer.outputs
        if name in values and name in infos
    )
    problem = "" if outputs else _INNER if layer.parent is not None else NO_VALUE
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
