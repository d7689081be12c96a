"""OpenVINO as an engine that predicts starts with it. Loaded only in an engine process.

`backend.py` has the jobs beyond predictions.
"""

from pathlib import Path

from inspector.backends.base import Backend, MeasureRequest, ReportProgress
from inspector.backends.openvino import runtime
from inspector.backends.openvino.info import OPENVINO
from inspector.backends.openvino.opened_model import OpenedModel
from inspector.backends.values import Plugin
from inspector.errors import BadInput
from inspector.report.report import Device, PerformanceReport
from inspector.report.run_spec import RunSpec

runtime.core()  # before the process is confined


class OpenVinoPredictions(Backend):
    """Opens models and predicts."""

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
        """Raises EngineFailed."""
        raise self.unsupported("measure in a process that only predicts")


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
