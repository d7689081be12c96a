"""What a run that keeps the tensors of all layers says about each layer's outputs."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import structs
from msgspec.structs import replace
from numpy.typing import NDArray

from inspector.analysis.measured.layer_outputs import LayerOutput, LayerStep, Stepping
from inspector.analysis.verdicts.outputs import broken_part
from inspector.backends.base import Backend, ReportShare, SteppingRequest
from inspector.errors import BadInput, EngineFailed
from inspector.formats import opening
from inspector.model.model import Layer, TensorInfo
from inspector.model.tensors.agreement import is_over, tolerance
from inspector.model.tensors.difference import difference
from inspector.model.tensors.prediction import OutputValue
from inspector.model.tensors.tensor_statistics import statistics

_INNER = "The layer is in a subgraph; only the outputs of the enclosing layer are available."
_NO_VALUE = "The runtime did not compute this tensor in this run."
_OTHER_MODEL = "this runtime compares layers only with another run of the same model"
Values = dict[str, NDArray[np.generic]]


class LayerValues(Backend, ABC):
    """A backend whose runtime gives out every tensor of the main graph in one run."""

    every_tensor_note: str
    """How a run that keeps every tensor differs from a usual one."""

    @abstractmethod
    def values(
        self, request: SteppingRequest, only: str
    ) -> tuple[Values, Mapping[str, TensorInfo]]:
        """Return the values of the main graph's tensors by name, or of one, and their types."""

    def step(
        self, request: SteppingRequest, tolerance: float | None, report_share: ReportShare
    ) -> Stepping:
        """Describe the outputs of all layers of a run, and compare them with another run's."""
        model = opening.open_model(request.model)
        other = _other_run(request)
        report_share("steps", -1)
        values, infos = self.values(request, "")
        theirs = self.values(other, "")[0] if other is not None else {}
        made_by = {name: layer.index for layer in model.layers for name in layer.outputs}
        final = {output.name for output in model.outputs} if tolerance is None else set()
        steps, layers, runtime = list[LayerStep](), model.layers, self.info.name
        for layer in layers:
            step = _step_of(layer, values, theirs, made_by, infos, tolerance)
            outputs = tuple(
                with_broken_part(output, theirs.get(output.name), values[output.name])
                if output.name in final
                else output
                for output in step.outputs
            )
            steps.append(structs.replace(step, outputs=outputs))
            report_share("walk", len(steps) / len(layers))
        return Stepping(
            model=request.model.name,
            devices=request.spec.devices,
            optimization="",
            threads=request.spec.threads,
            steps=tuple(steps),
            against=f"another run with {runtime}" if other is not None else "",
            tolerance=tolerance,
            notes=(self.every_tensor_note,),
        )

    def inner_tensor(
        self, request: SteppingRequest, tensor: str, what: str
    ) -> tuple[OutputValue, OutputValue | None, str]:
        """Return a tensor of the main graph, the other run's, and why that is missing."""
        other = _other_run(request)
        values, infos = self.values(request, tensor)
        if tensor not in values:
            raise EngineFailed(what, _NO_VALUE.rstrip("."), "", "value")
        info = infos[tensor]
        ours = OutputValue(tensor, info.kind, info.dtype, values[tensor])
        if other is None:
            return ours, None, ""
        theirs = self.values(other, tensor)[0].get(tensor)
        if theirs is None:
            return ours, None, _NO_VALUE
        return ours, OutputValue(tensor, info.kind, info.dtype, theirs), ""

    def inner_tensors(
        self, request: SteppingRequest, tensors: Sequence[str], given: Sequence[str], what: str
    ) -> tuple[OutputValue, ...]:
        """Return tensors of the main graph, all where none is named.

        Raises EngineFailed: inner tensors are given, which these runtimes compute themselves.
        """
        if given:
            raise EngineFailed(what, "this runtime computes the inputs of each layer itself")
        values, infos = self.values(request, "")
        return tuple(
            OutputValue(name, infos[name].kind, infos[name].dtype, values[name])
            for name in tensors or values
            if name in values and name in infos
        )


def with_broken_part(
    output: LayerOutput,
    reference: NDArray[np.generic] | None,
    value: NDArray[np.generic] | None,
) -> LayerOutput:
    """Return an output of the model with the part of it that is wrong, if one is."""
    broken = broken_part(output.name, reference, value)
    return structs.replace(output, broken=broken, over=True) if broken else output


def _other_run(request: SteppingRequest) -> SteppingRequest | None:
    """Return the run that is compared with. Raises BadInput: it is one of another model."""
    against = request.against
    if against is None:
        return None
    if against.spec is None or (against.model and against.model != str(request.model)):
        raise BadInput("Could not compare layers", _OTHER_MODEL)
    return replace(request, spec=against.spec, against=None)


def _step_of(
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
    return structs.replace(described, difference=differs, over=over)
