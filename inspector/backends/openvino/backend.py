"""OpenVINO as a backend, with all its jobs. Loaded only in an engine process."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from inspector.analysis.facts.shapes import Body, Shapes
from inspector.backends.base import (
    LayerSupport,
    MeasureRequest,
    SteppingRequest,
)
from inspector.backends.layer_values import LayerValues, Values
from inspector.backends.openvino import layer_times, runtime, stepping
from inspector.backends.openvino.measure import measure
from inspector.backends.openvino.opened_model import fixed_shapes
from inspector.backends.openvino.predictions import OpenVinoPredictions, check
from inspector.formats import opening
from inspector.model.model import TensorInfo
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import Dimension, RunSpec


class OpenVino(OpenVinoPredictions, LayerValues):
    """OpenVINO on the CPU, and on GPUs and NPUs that it finds."""

    every_tensor_note = stepping.EVERY_TENSOR_NOTE

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
        return stepping.values(request, only)

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
