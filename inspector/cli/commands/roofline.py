"""inspector roofline: measure each device's peak compute and memory bandwidth."""

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from inspector.cli import option_types, session_options
from inspector.cli.option_types import add_renamed

if TYPE_CHECKING:
    from inspector.engine.client.engine_process import EngineProcess
    from inspector.report.roofline import Ceiling


SCHEMA = "ceilings/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    session_options.add_devices(
        parser, "device ID from 'inspector devices'; repeatable (default: cpu)"
    )
    parser.add_argument(
        "--type",
        choices=("float32", "float16", "int8"),
        action="append",
        default=[],
        dest="types",
        help="data type of the computation; repeatable (default: all types that the device "
        "supports)",
    )
    session_options.add_setting(parser, "threads")
    add_renamed(
        parser,
        "--refresh",
        "--again",
        action="store_true",
        dest="again",
        help="measure again instead of using the cached result",
    )
    option_types.add_time_limit(parser)
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")


def run(options: argparse.Namespace) -> None:
    """Print both limits of each device. Raises InspectorError: one cannot be measured."""
    from inspector.cli.progress import Progress
    from inspector.engine.client.engine_process import EngineProcess

    missing: list[str] = []
    limits = option_types.limits(options)
    with Progress(sys.stderr) as progress, EngineProcess(progress.show, limits) as engine:
        ceilings = list(_measured(engine, options, missing))
    if options.json:
        from inspector.wording import stored

        body = {"schema": SCHEMA, "ceilings": ceilings, "missing": missing}
        print(stored.json_text(body))
    else:
        from inspector.cli import pages
        from inspector.pages.on_devices.machines import ceilings_page

        pages.show(ceilings_page(ceilings, missing))


def _measured(
    engine: "EngineProcess", options: argparse.Namespace, missing: list[str]
) -> "Iterator[Ceiling]":
    """Yield the requested peaks; without --type, a type that a device lacks is only
    reported."""
    from inspector.engine.client.ceilings import ceiling
    from inspector.errors import EngineFailed
    from inspector.report.roofline import DTYPES, FLOAT32

    for device in dict.fromkeys(options.devices or ["cpu"]):
        for dtype in dict.fromkeys(options.types or DTYPES):
            try:
                yield ceiling(engine, device, options.threads, dtype, options.again)
            except EngineFailed as error:
                if options.types or dtype == FLOAT32:
                    raise
                missing.append(f"{error.what}: {error.why}.")
