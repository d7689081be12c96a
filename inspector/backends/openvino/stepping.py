"""Outputs of all layers, from a model that gives out every tensor."""

from typing import Any

from inspector.backends.base import SteppingRequest
from inspector.backends.layer_values import Values
from inspector.backends.openvino import layer_times, runtime
from inspector.backends.openvino.opened_model import OpenedModel, array
from inspector.backends.openvino.runtime import REFUSALS
from inspector.formats import opening
from inspector.model.model import TensorInfo

EVERY_TENSOR_NOTE = (
    "The model ran with every tensor as an output, so OpenVINO fused fewer layers. A normal "
    "run may round differently."
)


def values(request: SteppingRequest, only: str) -> tuple[Values, dict[str, TensorInfo]]:
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
        found = {
            name: array(opened.request.get_tensor(mark))
            for mark, names in exposed.items()
            for name in names
        }
        found |= {each.name: each.array for each in opened.values() if each.array is not None}
    except REFUSALS as error:
        what = f"Could not run {request.model.name} layer by layer"
        raise runtime.failure(error, what, "prediction") from error
    found |= {name: feed for name, feed in request.feeds.items() if not isinstance(feed, tuple)}
    return found, infos
