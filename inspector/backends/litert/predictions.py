"""LiteRT as an engine that predicts starts with it. Loaded only in an engine process.

`backend.py` has the jobs beyond predictions.
"""

from importlib.metadata import version
from pathlib import Path

from inspector.backends.base import Backend, MeasureRequest, ReportProgress
from inspector.backends.litert.info import LITERT
from inspector.backends.litert.interpreter import OpenedInterpreter
from inspector.backends.machine import processor_name
from inspector.backends.values import Plugin
from inspector.errors import BadInput
from inspector.report.report import Device, PerformanceReport
from inspector.report.run_spec import RunSpec

RUNTIME = f"LiteRT {version('ai-edge-litert')}"


class LiteRtPredictions(Backend):
    """Opens models and predicts."""

    info = LITERT

    def devices(self, plugin: Plugin | None = None) -> tuple[Device, ...]:
        """List the CPU, the only device that the package has for desktop systems."""
        source = f"ai-edge-litert {version('ai-edge-litert')}"
        return (Device("cpu", processor_name(), "cpu", "LiteRT", source=source),)

    def open(
        self, model: Path, spec: RunSpec, report_progress: ReportProgress
    ) -> OpenedInterpreter:
        """Load a model into an interpreter."""
        check(spec)
        report_progress("load", -1, ())
        return OpenedInterpreter(model, spec)

    def measure(self, request: MeasureRequest) -> PerformanceReport:
        """Raises EngineFailed."""
        raise self.unsupported("measure in a process that only predicts")


def check(spec: RunSpec) -> None:
    """Check that the devices of a spec are there. Raises BadInput."""
    for device in spec.devices:
        if device != "cpu":
            raise BadInput(
                f"There is no device '{device}' for this model",
                "LiteRT supports only the CPU here",
                "Use the device 'cpu'.",
                phase="devices",
            )
