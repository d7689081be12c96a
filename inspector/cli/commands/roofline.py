"""inspector roofline: measure each device's peak compute and memory bandwidth."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from inspector.cli import option_types, session_options
from inspector.cli.option_types import add_renamed
from inspector.cli.render.comparison import table

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
        import msgspec

        body = {"schema": SCHEMA, "ceilings": ceilings, "missing": missing}
        print(msgspec.json.encode(body).decode())
    else:
        print("\n".join(lines(ceilings, missing)))


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


def lines(ceilings: "Sequence[Ceiling]", missing: "Sequence[str]" = ()) -> list[str]:
    """A row for each device, and what the last column means."""
    from inspector.analysis.measured.roofline_points import rate

    heads = ["device", "arithmetic", "", "memory", "ridge", "measured"]
    rows = [
        [
            one.device,
            rate(one.operations_per_second, one.unit),
            one.dtype,
            rate(one.bytes_per_second, "B/s"),
            f"{one.ridge:.3g}",
            one.measured[:16].replace("T", " ") + (", busy" if one.busy else ""),
        ]
        for one in ceilings
    ]
    text = "ridge: FLOP/byte above which arithmetic is the limit; below it, memory bandwidth is"
    return [*table([heads, *rows], "lrlrrl"), "", text, *missing]
