"""A model compiled for a device, here or not: which layers it takes, and why not the others."""

from collections.abc import Mapping
from pathlib import Path

from inspector.analysis.devices import compile_targets
from inspector.app.subjects import Subject
from inspector.backends.array_files import shapes_of
from inspector.backends.onnxruntime.sessions import installable, providers
from inspector.engine.client.engine import Engine
from inspector.engine.requests import CheckSupport, CompileModel
from inspector.errors import BadInput, EngineDied
from inspector.platform import files
from inspector.preview.inputs.feeds import feeds_by_name
from inspector.report.report_values import CompiledLayers, CompiledModel, Device, Support
from inspector.report.run_spec import Dimension, ProviderOption, RunSpec
from inspector.units import clip
from inspector.wording.values import Name, Sentence


def compile_for(
    engine: Engine,
    subject: Subject,
    target: str = "",
    output: Path | None = None,
    options: tuple[ProviderOption, ...] = (),
) -> CompiledLayers:
    """Compile a model, and save it where a part of it compiled and a file is wanted.

    subject: of which free axes without a length get a usual one, since what compiles needs
    fixed shapes. target: a chip or a device; by default the first device here that compiles.
    options: of the provider. Raises InspectorError; BadInput: not an ONNX file.
    """
    if subject.model.format != "onnx":
        what = f"Could not compile {clip(subject.path.name)}"
        why = "only ONNX files are compiled for a device"
        raise BadInput(what, why, "Choose an ONNX file.")
    device = compile_targets.device_id(target)
    dimensions = tuple(Dimension(name, size) for name, size in subject.dimensions.items())
    spec = RunSpec(
        devices=(device,) if device else (), dimensions=dimensions, provider_options=options
    )
    with files.private_folder() as folder:
        made = _compiled(engine, CompileModel(subject.path, spec, Path(folder)))
        body = [Path(folder, name).read_bytes() for name in made.files]
    reasons: Mapping[int, Support] = {}
    if made.left:
        name, lengths = made.device.id, dict(made.lengths)
        shapes = shapes_of(feeds_by_name(subject.filled(lengths)))
        fixed = tuple(Dimension(axis, size) for axis, size in made.lengths)
        spec = RunSpec(devices=(name,), dimensions=fixed, provider_options=options)
        request = CheckSupport(subject.path, spec, shapes, {name: made.left})
        reasons = engine.call(request)[name]
    if output is None or not body:
        return CompiledLayers(made, reasons)
    files.write_atomic(output, body[0])
    return CompiledLayers(made, reasons, output)


def _compiled(engine: Engine, request: CompileModel) -> CompiledModel:
    """Return the answer of an engine. A crash is one of what the provider brings along."""
    try:
        return engine.call(request)
    except EngineDied as error:
        library = compile_targets.library(request.spec.devices)
        if error.crash and library:
            error.why = Sentence(
                "{library} crashed ({crash}) while it compiled the model",
                library=library, crash=Name(error.crash),
            )  # fmt: skip
            error.hint = (
                "The fault is in that library, and nothing was saved. Another version of it "
                "may do, or a part of the model: extract one first."
            )
        raise


def missing() -> str:
    """Return the command that installs what compiles for chips that are not here; "" where it
    is installed."""
    names = {plugin.id for plugin in providers.installed_plugins()}
    return "" if "qnn" in names else installable.installing("qnn")


def targets(engine: Engine) -> tuple[Device, ...]:
    """Return the devices here that models are compiled for."""
    return tuple(
        device
        for device in engine.devices()
        if device.provider in compile_targets.WRITERS and not device.problem
    )
