"""inspector compile: compile a model for a device, here or not, and say what compiled."""

import argparse
import sys
from typing import Any

import msgspec

from inspector.app.changing.compiling import compile_for, targets
from inspector.app.subjects import Subject
from inspector.backends.onnxruntime.sessions import installable, providers
from inspector.cli import model_request, pages
from inspector.cli.commands.compile import SCHEMA
from inspector.cli.dimensions import checked_dimensions
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.model.model import Model
from inspector.pages.on_devices.compiled import compile_targets_page, compiled_page
from inspector.platform import files
from inspector.report.report_values import CompiledLayers
from inspector.report.run_spec import RunSpec
from inspector.units import clip
from inspector.wording import stored


def run(options: argparse.Namespace) -> None:
    """Compile a model and say what compiled, or list the targets.

    Raises InspectorError. SystemExit: nothing compiled, and a file was asked for.
    """
    limits = option_types.limits(options)
    with Progress(sys.stderr) as progress, EngineProcess(progress.show, limits) as engine:
        if options.lists:
            pages.show(compile_targets_page(targets(engine), _missing()))
            return
        model = _checked(options)
        lengths, given = checked_dimensions(options, model), tuple(options.provider_options)
        subject = Subject.of(options.model, model, RunSpec()).with_lengths(lengths)
        folder = engine.private_folder()
        found = compile_for(engine, subject, options.target, folder, given)
        made = found.model.files
        file = options.output if made else None
        if file is not None:
            files.write_atomic(file, (folder / made[0]).read_bytes())
    if options.json:
        print(stored.json_text(as_plain(model, found)))
    else:
        pages.show(compiled_page(model, str(options.model), found, str(file or "")))
    if options.output is not None and not made:
        raise SystemExit(1)  # whoever asked for a file does not go on without it


def _missing() -> str:
    """Return the command that installs what compiles for chips that are not here."""
    names = {plugin.id for plugin in providers.installed_plugins()}
    return "" if "qnn" in names else installable.installing("qnn")


def _checked(options: argparse.Namespace) -> Model:
    """Open the model. Raises BadInput: something is not given, or the output is there."""
    if options.model is None or not options.target:
        what = "Could not compile" if options.model is None else (
            f"Could not compile {clip(options.model.name)}"
        )  # fmt: skip
        why = "no model is given" if options.model is None else "no target is given"
        hint = "Add --target, such as sm8650; `inspector compile --list` lists all."
        raise BadInput(what, why, hint)
    if options.output is not None:
        model_request.check_output(options, f"Could not compile {clip(options.model.name)}")
    return open_model(options.model)


def as_plain(model: Model, found: CompiledLayers) -> dict[str, Any]:
    """Return what --json prints."""
    made = found.model
    return {
        "schema": SCHEMA,
        "model": model.name,
        "target": made.device.id,
        "device": msgspec.to_builtins(made.device),
        "chip": made.chip,
        "sdk": made.sdk,
        "lengths": dict(found.lengths),
        "compile_ns": made.compile_ns,
        "parts": made.parts,
        "binary_bytes": made.binary_bytes,
        "file_bytes": made.file_bytes,
        "layers": [
            {
                "index": layer.index,
                "name": layer.name,
                "operator": layer.operator,
                "outcome": "compiled" if layer.index in compiled else
                "left" if layer.index in left else "removed",
                "reason": found.reasons[layer.index].reason
                if layer.index in found.reasons else "",
            }
            for compiled, left in ((set(made.compiled), set(made.left)),)
            for layer in model.layers
        ],
    }  # fmt: skip
