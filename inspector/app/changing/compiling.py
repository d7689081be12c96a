"""A model compiled for a device, here or not: which layers it takes, and why not the others."""

from collections.abc import Mapping
from pathlib import Path

from inspector.analysis.devices import compile_targets
from inspector.app.subjects import Subject
from inspector.backends.array_files import shapes_of
from inspector.engine.client.engine import Engine
from inspector.engine.requests import CheckSupport, CompileModel
from inspector.errors import BadInput
from inspector.preview.inputs.default_values import fixed_lengths
from inspector.preview.inputs.feeds import feeds_by_name
from inspector.report.report_values import CompiledLayers, Device, Support
from inspector.report.run_spec import Dimension, ProviderOption, RunSpec
from inspector.units import clip


def compile_for(
    engine: Engine,
    subject: Subject,
    target: str,
    folder: Path,
    options: tuple[ProviderOption, ...] = (),
) -> CompiledLayers:
    """Compile a model into a folder.

    subject: of which free axes without a length get a usual one, since what compiles needs
    fixed shapes. options: of the provider. Raises InspectorError; BadInput: not an ONNX file.
    """
    if subject.model.format != "onnx":
        raise BadInput(
            f"Could not compile {clip(subject.path.name)}",
            "only ONNX files are compiled for another device",
            "Choose an ONNX file.",
        )
    device = compile_targets.device_id(target)
    lengths = {**fixed_lengths(subject.model.inputs), **subject.dimensions}
    dimensions = tuple(Dimension(name, size) for name, size in lengths.items())
    spec = RunSpec(devices=(device,), dimensions=dimensions, provider_options=options)
    made = engine.call(CompileModel(subject.path, spec, folder))
    reasons: Mapping[int, Support] = {}
    if made.left:
        shapes = shapes_of(feeds_by_name(subject.filled(lengths)))
        request = CheckSupport(subject.path, spec, shapes, {device: made.left})
        reasons = engine.call(request)[made.device.id]
    return CompiledLayers(made, lengths, reasons)


def targets(engine: Engine) -> tuple[Device, ...]:
    """Return the devices here that models are compiled for."""
    return tuple(
        device
        for device in engine.devices()
        if device.provider in compile_targets.WRITERS and not device.problem
    )
