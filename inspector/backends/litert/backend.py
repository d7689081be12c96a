"""LiteRT as a backend. Loaded only in an engine process."""

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from inspector.analysis.facts.shapes import Body, Shapes
from inspector.analysis.measured.layer_outputs import Stepping
from inspector.backends.base import (
    Backend,
    MeasureRequest,
    ReportProgress,
    ReportShare,
    SteppingRequest,
)
from inspector.backends.litert.info import LITERT
from inspector.backends.litert.interpreter import OpenedInterpreter
from inspector.backends.machine import processor_name
from inspector.backends.values import Plugin
from inspector.errors import BadInput
from inspector.model.tensors.prediction import OutputValue
from inspector.report.report import Device, PerformanceReport
from inspector.report.run_spec import Dimension, RunSpec

RUNTIME = f"LiteRT {version('ai-edge-litert')}"


class LiteRt(Backend):
    """LiteRT on the CPU, with or without the XNNPACK delegate."""

    info = LITERT

    def devices(self, plugin: Plugin | None = None) -> tuple[Device, ...]:
        """List the CPU, the only device that the package has for desktop systems."""
        source = f"ai-edge-litert {version('ai-edge-litert')}"
        return (Device("cpu", processor_name(), "cpu", "LiteRT", source=source),)

    def open(
        self, model: Path, spec: RunSpec, report_progress: ReportProgress
    ) -> OpenedInterpreter:
        """Load a model into an interpreter."""
        _check_devices(spec)
        report_progress("load", -1, ())
        return OpenedInterpreter(model, spec)

    def measure(self, request: MeasureRequest) -> PerformanceReport:
        """Measure a model: a clean pass, then a profiled pass."""
        from inspector.backends.litert.measure import measure

        _check_devices(request.spec)
        return measure(request, self.devices(), RUNTIME)

    def infer_shapes(self, model: Path, dimensions: Sequence[Dimension]) -> Shapes:
        """Return the shapes that the runtime gives all values when it allocates them."""
        spec = RunSpec(dimensions=tuple(dimensions), xnnpack=False)
        opened = OpenedInterpreter(model, spec, all_values=True)
        lengths = {each.name: each.size for each in dimensions}
        return Shapes((Body(values=opened.shapes()),), lengths)

    def step(
        self,
        request: SteppingRequest,
        tolerance: float | None,
        report_share: ReportShare,
    ) -> Stepping:
        """Return the outputs of all layers, and compare them with another run's."""
        from inspector.backends.litert.stepping import step_through

        return step_through(request, tolerance, report_share)

    def inner_tensor(
        self, request: SteppingRequest, tensor: str, what: str
    ) -> tuple[OutputValue, OutputValue | None, str]:
        """Return an inner tensor, the other run's, and why that is missing."""
        from inspector.backends.litert.stepping import inner_tensor

        return inner_tensor(request, tensor, what)


def _check_devices(spec: RunSpec) -> None:
    for device in spec.devices:
        if device != "cpu":
            raise BadInput(
                f"There is no device '{device}' for this model",
                "LiteRT supports only the CPU here",
                "Use the device 'cpu'.",
                phase="devices",
            )
