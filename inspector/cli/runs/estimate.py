"""inspector estimate: the latency and memory of a model on devices before it runs there."""

import argparse
import sys
from dataclasses import replace

from inspector.app.estimating.device_estimates import estimate_on
from inspector.cli import pages
from inspector.cli.commands.estimate import SCHEMA
from inspector.cli.dimensions import checked_dimensions
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.engine.client.engine_process import EngineProcess
from inspector.formats.folders.reading import model_name
from inspector.formats.opening import open_model
from inspector.pages.on_devices.estimate import estimate_page
from inspector.render.tables.estimate_json import estimate_fields
from inspector.wording import stored


def run(options: argparse.Namespace) -> None:
    """Print the estimates. Raises InspectorError: it cannot be read, or no such device."""
    model = open_model(options.model)
    model = replace(model, name=model_name(options.model))
    lengths, limits = checked_dimensions(options, model), option_types.limits(options)
    with Progress(sys.stderr) as progress, EngineProcess(progress.show, limits) as engine:
        found = estimate_on(
            engine, options.model, model, options.targets, lengths, options.context
        )
    if options.json:
        print(stored.json_text({"schema": SCHEMA, **estimate_fields(found)}))
    else:
        pages.show(estimate_page(found), options.details)
