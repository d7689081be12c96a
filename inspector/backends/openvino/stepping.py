"""Outputs of all layers, from a model that gives out every tensor, and a comparison."""

from collections.abc import Sequence
from typing import Any

from inspector.analysis.measured.layer_outputs import Stepping
from inspector.backends import layer_values
from inspector.backends.base import ReportShare, SteppingRequest
from inspector.backends.layer_values import Values
from inspector.backends.openvino import layer_times, runtime
from inspector.backends.openvino.opened_model import OpenedModel, array
from inspector.backends.openvino.runtime import REFUSALS
from inspector.formats import opening
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue

_KEPT = (
    "The model ran with every tensor as an output, so OpenVINO fused fewer layers. A normal "
    "run may round differently."
)


def step_through(
    request: SteppingRequest, tolerated: float | None, report_share: ReportShare
) -> Stepping:
    """Run the model once and describe the outputs of all layers."""
    known = opening.open_model(request.model)
    return layer_values.step_through(
        request, tolerated, report_share, known, _values, "OpenVINO", _KEPT
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
    known = opening.open_model(request.model)
    exposed: dict[str, list[str]] = {}
    infos: dict[str, TensorInfo] = {}

    def expose(read: Any) -> None:
        infos.update({value.name: value for value in layer_times.values_of(read, known)})
        ports = []
        given_out = {info.name for info in known.outputs}
        for names, port in layer_times.layer_outputs(read, known):
            if given_out.isdisjoint(names) and (not only or only in names):
                mark = f"inspector-exposed-{len(exposed)}"
                port.get_tensor().add_names({mark})
                exposed[mark] = names
                ports.append(port)
        read.add_outputs(ports)

    opened = OpenedModel(request.model, request.spec, known, prepared=expose)
    run = opened.prepare(request.feeds)
    try:
        run()
        values = {
            name: array(opened.request.get_tensor(mark))
            for mark, names in exposed.items()
            for name in names
        }
        values |= {each.name: each.array for each in opened.values() if each.array is not None}
    except REFUSALS as error:
        what = f"Could not run {request.model.name} layer by layer"
        raise runtime.failure(error, what, "prediction") from error
    values |= {
        name: feed for name, feed in request.feeds.items() if not isinstance(feed, tuple)
    }
    return values, infos
