"""inspector roofline: measure each device's peak compute and memory bandwidth."""

import argparse
import sys
from collections.abc import Iterator

from inspector.cli import pages
from inspector.cli.commands.roofline import SCHEMA
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.engine.client.ceilings import ceiling
from inspector.engine.client.engine import Engine
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import EngineFailed
from inspector.pages.on_devices.machines import ceilings_page
from inspector.report.roofline import DTYPES, FLOAT32, Ceiling
from inspector.wording import stored


def run(options: argparse.Namespace) -> None:
    """Print both limits of each device. Raises InspectorError: one cannot be measured."""
    missing: list[str] = []
    limits = option_types.limits(options)
    with Progress(sys.stderr) as progress, EngineProcess(progress.show, limits) as engine:
        ceilings = list(_measured(engine, options, missing))
    if options.json:
        body = {"schema": SCHEMA, "ceilings": ceilings, "missing": missing}
        print(stored.json_text(body))
    else:
        pages.show(ceilings_page(ceilings, missing))


def _measured(
    engine: Engine, options: argparse.Namespace, missing: list[str]
) -> Iterator[Ceiling]:
    """Yield the requested peaks; without --type, a type that a device lacks is only
    reported."""
    for device in dict.fromkeys(options.devices or ["cpu"]):
        for dtype in dict.fromkeys(options.types or DTYPES):
            try:
                yield ceiling(engine, device, options.threads, dtype, options.again)
            except EngineFailed as error:
                if options.types or dtype == FLOAT32:
                    raise
                missing.append(f"{error.what}: {error.why}.")
