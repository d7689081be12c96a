"""inspector compile: compile a model for a device, here or not, and say what compiled."""

import argparse
import sys

from inspector.app.changing.compiling import compile_for, missing, targets
from inspector.app.subjects import Subject
from inspector.cli import model_request, pages
from inspector.cli.dimensions import checked_dimensions
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.pages.on_devices.compiled import compile_targets_page, compiled_page
from inspector.render.tables.compiled_json import compiled_fields, targets_fields
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
            here, install = targets(engine), missing()
            if options.json:
                print(stored.json_text(targets_fields(here, install)))
            else:
                pages.show(compile_targets_page(here, install))
            return
        if options.model is None:
            hint = "Name an ONNX file; `inspector compile --list` lists the targets."
            raise BadInput("Could not compile", "no model is given", hint)
        if options.output is not None:
            model_request.check_output(options, f"Could not compile {clip(options.model.name)}")
        model = open_model(options.model)
        lengths, given = checked_dimensions(options, model), tuple(options.provider_options)
        subject = Subject.of(options.model, model, RunSpec()).with_lengths(lengths)
        found = compile_for(engine, subject, options.target, options.output, given)
    if options.json:
        print(stored.json_text(compiled_fields(model, found)))
    else:
        pages.show(compiled_page(model, str(options.model), found))
    if options.output is not None and found.saved is None:
        raise SystemExit(1)  # whoever asked for a file does not go on without it
