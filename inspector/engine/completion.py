"""Marks that a measurement leaves open, and how the answers come into its report."""

from collections.abc import Mapping
from dataclasses import replace

from inspector.engine import tables
from inspector.report import Mark, PerformanceReport, Source, Support

Asked = dict[str, tuple[int, ...]]


def open_questions(report: PerformanceReport) -> Asked:
    """Layers without a mark, for each device of the session."""
    missing = {
        device.id: tuple(use.index for use in report.layers if device.id not in use.devices)
        for device in report.devices
    }
    return {device: layers for device, layers in missing.items() if layers}


def completed(
    report: PerformanceReport, answers: Mapping[str, Mapping[int, Support]], note: str = ""
) -> PerformanceReport:
    """Add the answers to the marks of a report; a layer without one is unknown.

    note: why there are none, when there are none.
    """
    silent = Support(Mark.UNKNOWN, Source.PROBED, note or "The device gave no answer.")
    asked = open_questions(report)
    present = {device.id for device in report.devices}
    wanted = dict.fromkeys(report.spec.predict)
    predicted = [name for name in wanted if name in answers and name not in present]
    layers = []
    for use in report.layers:
        marks = dict(use.devices)
        for device in asked:
            if device not in marks:
                marks[device] = answers.get(device, {}).get(use.index, silent)
        for device in predicted:
            marks[device] = answers[device].get(use.index, silent)
        layers.append(replace(use, devices=marks))
    return replace(
        report,
        layers=tuple(layers),
        predicted=tuple(tables.device(name) for name in predicted),
        notes=(*report.notes, note) if note else report.notes,
    )
