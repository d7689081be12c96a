"""Measure around the layers at which a device fails, and mark those in the report."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from inspector.backends.onnxruntime.sessions import forced_to_cpu
from inspector.errors import DeviceFailed
from inspector.formats import opening
from inspector.report.report import LayerUse, PerformanceReport, Support
from inspector.report.run_spec import RunSpec
from inspector.report.support_marks import Mark, Source

MAX_RETRIES = 16
_RAN_MARKS = (Mark.RAN, Mark.FUSED, Mark.FOLDED)
_FAILED_RUNNING = "While predicting: {}."
_FAILED_LOADING = "While loading: {}."
_FORCED_TO_CPU_NOTE = "{}. This report keeps that on the CPU."


def measure_with_retries(
    measure: Callable[[RunSpec], PerformanceReport], spec: RunSpec, model: Path
) -> PerformanceReport:
    """Measure, and begin anew without what a device failed at, if the spec asks for that.

    Raises what `measure` raises: DeviceFailed, too, where no layer more can be kept away; it
    then has those `before` it.
    """
    failures: list[DeviceFailed] = []
    asked = spec
    while True:
        try:
            report = measure(asked)
        except DeviceFailed as error:
            known = {layer for failure in failures for layer in failure.layers}
            again = set(error.layers) - known
            if not spec.around_failures or not again or len(failures) >= MAX_RETRIES:
                error.before = tuple(failures)
                raise
            failures.append(error)
            layers = opening.open_model(model).layers
            names = (forced_to_cpu.layer_pattern(layers, index) for index in sorted(again))
            asked = replace(asked, on_cpu=(*asked.on_cpu, *names))
        else:
            return with_failure_marks(report, failures)


def with_failure_marks(
    report: PerformanceReport, failures: Sequence[DeviceFailed]
) -> PerformanceReport:
    """Mark the layers of a report that devices had taken before, and failed at."""
    claims = {
        (layer, failure.device): failure_mark(failure)
        for failure in failures
        for layer in failure.layers
    }
    if not claims:
        return report
    layers = tuple(_with(use, claims) for use in report.layers)
    notes = (_FORCED_TO_CPU_NOTE.format(failure.why.rstrip(".")) for failure in failures)
    return replace(report, layers=layers, notes=(*report.notes, *notes))


def failure_mark(failure: DeviceFailed) -> Support:
    """The mark of the layers that a device failed at."""
    words = _FAILED_LOADING if failure.phase == "load" else _FAILED_RUNNING
    return Support(Mark.FAILED, Source.MEASURED, words.format(failure.reason.rstrip(".")))


def _with(use: LayerUse, claims: Mapping[tuple[int, str], Support]) -> LayerUse:
    mine = {device: mark for (layer, device), mark in claims.items() if layer == use.index}
    home = {d: m for d, m in use.devices.items() if m.mark in _RAN_MARKS}
    return replace(use, devices=use.devices | mine | home) if mine else use
