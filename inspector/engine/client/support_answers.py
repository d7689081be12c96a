"""Marks that a measurement leaves open, and how the answers come into its report."""

from collections.abc import Mapping
from dataclasses import replace

from inspector.backends.onnxruntime.placement import absent_devices
from inspector.backends.onnxruntime.sessions import providers
from inspector.report.report import Device, PerformanceReport, Support
from inspector.report.run_spec import RunSpec
from inspector.report.support_marks import Mark, Source

LayersByDevice = dict[str, tuple[int, ...]]


def layers_without_marks(report: PerformanceReport) -> LayersByDevice:
    """Layers without a mark, for each device of the session."""
    missing = {
        device.id: tuple(use.index for use in report.layers if device.id not in use.devices)
        for device in report.devices
    }
    return {device: layers for device, layers in missing.items() if layers}


def with_predicted_devices(spec: RunSpec) -> RunSpec:
    """Count among the devices what is predicted and may be here after all, with its driver."""
    plugins = {plugin.id for plugin in providers.installed_plugins()}
    plain = providers.runtime_source().startswith("onnxruntime ")
    perhaps = (name for name in spec.predict if name in plugins or not plain)
    return replace(spec, devices=(*spec.devices, *perhaps))


def with_support_marks(
    report: PerformanceReport, answers: Mapping[str, Mapping[int, Support]], note: str = ""
) -> PerformanceReport:
    """Add the answers to the marks of a report; a layer without one is unknown.

    note: why there are none, when there are none.
    """
    silent = Support(Mark.UNKNOWN, Source.PROBED, note or "The device gave no answer.")
    asked = layers_without_marks(report)
    present = {part for device in report.devices for part in (device.id, _kind(device.id))}
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
        predicted=tuple(_described(name, answers[name]) for name in predicted),
        notes=(*report.notes, note) if note else report.notes,
    )


def _kind(device: str) -> str:
    """What a device's number stands behind: "webgpu" of "webgpu:0"."""
    return device.partition(":")[0]


def _described(name: str, answers: Mapping[int, Support]) -> Device:
    """Describe a device that had no part in the measurement, and who answered for it."""
    device = absent_devices.device(name)
    here = any(answer.source is not Source.TABLE for answer in answers.values())
    return (
        replace(device, source="probe of what is here and was not asked for")
        if here
        else device
    )
