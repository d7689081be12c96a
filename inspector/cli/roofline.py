"""inspector roofline: what the devices of this machine can do at most."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from inspector.cli import session_options
from inspector.cli.comparison_layers import table
from inspector.cli.numbers import at_least

if TYPE_CHECKING:
    from inspector.engine.process import EngineProcess
    from inspector.report import Ceiling

SCHEMA = "ceilings/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command takes."""
    session_options.add_devices(parser, "repeat for more; default: cpu")
    parser.add_argument(
        "--type",
        choices=("float32", "float16", "int8"),
        action="append",
        default=[],
        dest="types",
        help="of the arithmetic; repeat for more; default: all that the device has",
    )
    parser.add_argument(
        "--threads",
        type=at_least(0),
        default=0,
        metavar="N",
        help="0: the runtime's choice",
    )
    parser.add_argument(
        "--again", action="store_true", help="measure anew, do not take what is kept"
    )
    parser.add_argument("--json", action="store_true", help=f"print one object, {SCHEMA}")


def run(options: argparse.Namespace) -> None:
    """Print both limits of each device. Raises InspectorError: one cannot be measured."""
    from inspector.cli.progress import Progress
    from inspector.engine.process import EngineProcess

    missing: list[str] = []
    with Progress(sys.stderr) as progress, EngineProcess(progress.show) as engine:
        found = list(_measured(engine, options, missing))
    if options.json:
        import msgspec

        told = {"schema": SCHEMA, "ceilings": found, "missing": missing}
        print(msgspec.json.encode(told).decode())
    else:
        print("\n".join(lines(found, missing)))


def _measured(
    engine: "EngineProcess", options: argparse.Namespace, missing: list[str]
) -> "Iterator[Ceiling]":
    """All that was asked for; without --type a type that a device lacks is only told."""
    from inspector.engine.roofs import ceiling
    from inspector.errors import EngineFailed
    from inspector.roofline import DTYPES, FLOAT32

    for device in dict.fromkeys(options.devices or ["cpu"]):
        for dtype in dict.fromkeys(options.types or DTYPES):
            try:
                yield ceiling(engine, device, options.threads, dtype, options.again)
            except EngineFailed as error:
                if options.types or dtype == FLOAT32:
                    raise
                missing.append(f"{error.what}: {error.why}.")


def lines(found: "Sequence[Ceiling]", missing: "Sequence[str]" = ()) -> list[str]:
    """A row for each device, and what the last column means."""
    from inspector.analysis.roofline import rate

    heads = ["device", "arithmetic", "", "memory", "from", "measured"]
    rows = [
        [
            one.device,
            rate(one.operations_per_second, one.unit),
            one.dtype,
            rate(one.bytes_per_second, "B/s"),
            f"{one.ridge:.3g}",
            one.measured[:16].replace("T", " ") + (", busy" if one.busy else ""),
        ]
        for one in found
    ]
    words = "from: operations a byte from which on arithmetic is the limit, not memory"
    return [*table([heads, *rows], "lrlrrl"), "", words, *missing]
