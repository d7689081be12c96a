"""OpenVINO as a backend. Loaded only in an engine process."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from inspector.analysis.facts.shapes import Body, Shapes
from inspector.analysis.measured.layer_outputs import Stepping
from inspector.backends.base import (
    Backend,
    LayerSupport,
    MeasureRequest,
    ReportProgress,
    ReportShare,
    SteppingRequest,
)
from inspector.backends.openvino import layer_times, runtime
from inspector.backends.openvino.info import OPENVINO
from inspector.backends.openvino.opened_model import OpenedModel, fixed_shapes
from inspector.backends.values import Plugin
from inspector.errors import BadInput
from inspector.formats import opening
from inspector.model.tensors.prediction import OutputValue
from inspector.report.report import Device, PerformanceReport
from inspector.report.run_spec import Dimension, RunSpec

runtime.core()  # before the process is confined


class OpenVino(Backend):
    """OpenVINO on the CPU, and on GPUs and NPUs that it finds."""

    info = OPENVINO

    def devices(self, plugin: Plugin | None = None) -> tuple[Device, ...]:
        """List the devices that OpenVINO finds, each tested."""
        return runtime.devices()

    def open(self, model: Path, spec: RunSpec, report_progress: ReportProgress) -> OpenedModel:
        """Compile a model for the devices of a spec."""
        check(spec)
        report_progress("load", -1, ())
        return OpenedModel(model, spec)

    def measure(self, request: MeasureRequest) -> PerformanceReport:
        """Measure a model: a clean pass, then a profiled pass."""
        from inspector.backends.openvino.measure import measure

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
        from inspector.backends.openvino.stepping import step_through

        check(request.spec)
        return step_through(request, tolerance, report_share)

    def inner_tensor(
        self, request: SteppingRequest, tensor: str, what: str
    ) -> tuple[OutputValue, OutputValue | None, str]:
        """Return an inner tensor, the other run's, and why that is missing."""
        from inspector.backends.openvino.stepping import inner_tensor

        return inner_tensor(request, tensor, what)

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


def check(spec: RunSpec) -> None:
    """Check settings that other backends have with more values. Raises BadInput."""
    choices = next(each.choices for each in OPENVINO.settings if each.name == "load_from")
    if spec.load_from not in choices:
        raise BadInput(
            f"Could not load the model from {spec.load_from}",
            "OpenVINO can load a model only from its file or from the OpenVINO cache of "
            "compiled models",
            "Reset the setting to its default.",
        )
