"""OpenVINO as a backend, with all its jobs. Loaded only in an engine process."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from inspector.analysis.facts.shapes import Body, Shapes
from inspector.analysis.measured.layer_outputs import Stepping
from inspector.backends.base import (
    LayerSupport,
    MeasureRequest,
    ReportShare,
    SteppingRequest,
)
from inspector.backends.openvino import layer_times, runtime
from inspector.backends.openvino.measure import measure
from inspector.backends.openvino.opened_model import fixed_shapes
from inspector.backends.openvino.predictions import OpenVinoPredictions, check
from inspector.backends.openvino.stepping import inner_tensor, inner_tensors, step_through
from inspector.formats import opening
from inspector.model.tensors.prediction import OutputValue
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import Dimension, RunSpec


class OpenVino(OpenVinoPredictions):
    """OpenVINO on the CPU, and on GPUs and NPUs that it finds."""

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

    def step(
        self,
        request: SteppingRequest,
        tolerance: float | None,
        report_share: ReportShare,
    ) -> Stepping:
        """Return the outputs of all layers, and compare them with another run's."""
        check(request.spec)
        return step_through(request, tolerance, report_share)

    def inner_tensor(
        self, request: SteppingRequest, tensor: str, what: str
    ) -> tuple[OutputValue, OutputValue | None, str]:
        """Return an inner tensor, the other run's, and why that is missing."""
        return inner_tensor(request, tensor, what)

    def inner_tensors(
        self,
        request: SteppingRequest,
        tensors: Sequence[str],
        given: Sequence[str],
        what: str,
    ) -> tuple[OutputValue, ...]:
        """Return inner tensors of one run, all where none is named."""
        return inner_tensors(request, tensors, given, what)

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
