"""Measure around the layers at which a device fails, and mark those in the report."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from inspector import readers
from inspector.engine.sessions import kept
from inspector.errors import DeviceFailed
from inspector.report import LayerUse, Mark, PerformanceReport, RunSpec, Source, Support

MOST_DETOURS = 16
_HOME = (Mark.RAN, Mark.FUSED, Mark.FOLDED)
_RUNNING = "While predicting: {}."
_LOADING = "While loading: {}."
_KEPT = "{}. This report keeps that on the CPU."


def around(
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
            if not spec.around_failures or not again or len(failures) >= MOST_DETOURS:
                error.before = tuple(failures)
                raise
            failures.append(error)
            layers = readers.open_model(model).layers
            names = (kept.spoken(layers, index) for index in sorted(again))
            asked = replace(asked, on_cpu=(*asked.on_cpu, *names))
        else:
            return marked(report, failures)


def marked(report: PerformanceReport, failures: Sequence[DeviceFailed]) -> PerformanceReport:
    """Mark the layers of a report that devices had taken before, and failed at."""
    claims = {
        (layer, failure.device): claim(failure)
        for failure in failures
        for layer in failure.layers
    }
    if not claims:
        return report
    layers = tuple(_with(use, claims) for use in report.layers)
    notes = (_KEPT.format(failure.why.rstrip(".")) for failure in failures)
    return replace(report, layers=layers, notes=(*report.notes, *notes))


def claim(failure: DeviceFailed) -> Support:
    """The mark of the layers that a device failed at."""
    words = _LOADING if failure.phase == "load" else _RUNNING
    return Support(Mark.FAILED, Source.MEASURED, words.format(failure.reason.rstrip(".")))


def _with(use: LayerUse, claims: Mapping[tuple[int, str], Support]) -> LayerUse:
    mine = {device: mark for (layer, device), mark in claims.items() if layer == use.index}
    home = {d: m for d, m in use.devices.items() if m.mark in _HOME}
    return replace(use, devices=use.devices | mine | home) if mine else use
