"""OpenVINO as a backend, with all its jobs. Loaded only in an engine process."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from inspector.analysis.facts.shapes import Body, Shapes
from inspector.backends.base import LayerSupport, MeasureRequest, SteppingRequest
from inspector.backends.layer_values import LayerValues, Values
from inspector.backends.openvino import layer_times, runtime
from inspector.backends.openvino.measure import measure
from inspector.backends.openvino.opened_model import OpenedModel, array, fixed_shapes
from inspector.backends.openvino.predictions import OpenVinoPredictions, check
from inspector.formats import opening
from inspector.model.model import TensorInfo
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import Dimension, RunSpec


class OpenVino(OpenVinoPredictions, LayerValues):
    """OpenVINO on the CPU, and on GPUs and NPUs that it finds."""

    every_tensor_note = (
        "The model ran with every tensor as an output, so OpenVINO fused fewer layers. A "
        "normal run may round differently."
    )

    def measure(self, request: MeasureRequest) -> PerformanceReport:
        """Measure a model: a clean pass, then a profiled pass."""
        check(request.spec)
        return measure(request)

    def infer_shapes(self, model: Path, dimensions: Sequence[Dimension]) -> Shapes:
        """Return the shapes that OpenVINO infers for the values of the main graph."""
        spec = RunSpec(dimensions=tuple(dimensions))
        known = opening.open_model(model)
        what = f"Could not infer the shapes of {model.name}"
        try:
            read = runtime.read_model(str(model), fixed_shapes(known, spec))
        except runtime.REFUSALS as error:
            raise runtime.failure(error, what, "shapes") from error
        lengths = {each.name: each.size for each in dimensions}
        return Shapes((Body(values=layer_times.values_of(read, known)),), lengths)

    def values(
        self, request: SteppingRequest, only: str
    ) -> tuple[Values, dict[str, TensorInfo]]:
        """Return the values of the main graph's tensors by name, or of one, and their types."""
        check(request.spec)
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
            found |= {
                each.name: each.array for each in opened.values() if each.array is not None
            }
        except runtime.REFUSALS as error:
            what = f"Could not run {request.model.name} layer by layer"
            raise runtime.failure(error, what, "prediction") from error
        found |= {
            name: feed for name, feed in request.feeds.items() if not isinstance(feed, tuple)
        }
        return found, infos

    def layer_support(
        self,
        model: Path,
        spec: RunSpec,
        shapes: Mapping[str, tuple[int, ...]],
        layers: Mapping[str, Sequence[int]],
    ) -> dict[str, LayerSupport]:
        """Return which layers each device can run, as OpenVINO answers for the whole model."""
        known = opening.open_model(model)
        what = f"Could not check the support of {model.name}"
        try:
            read = runtime.read_model(str(model), fixed_shapes(known, spec))
            return {
                device: layer_times.support(read, known, device, asked)
                for device, asked in layers.items()
            }
        except runtime.REFUSALS as error:
            raise runtime.failure(error, what, "support") from error
