"""inspector roofline: measure each device's peak compute and memory bandwidth."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from inspector.cli import other_machines, pages
from inspector.cli.commands.roofline import SCHEMA
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.engine.client.ceilings import ceiling
from inspector.engine.client.engine import Engine
from inspector.errors import EngineFailed
from inspector.pages.on_devices.machines import ceilings_page
from inspector.platform import files
from inspector.report.roofline import DTYPES, FLOAT32, Ceiling
from inspector.wording import stored


def run(options: argparse.Namespace) -> None:
    """Print both limits of each device. Raises InspectorError: one cannot be measured."""
    missing: list[str] = []
    limits = option_types.limits(options)
    target = other_machines.only_target(options)
    with (
        Progress(sys.stderr) as progress,
        other_machines.engine(options, progress.show, limits) as engine,
        files.temporary_folder("inspector-", "Could not measure the peaks") as place,
    ):
        # What is cached are the peaks of this machine and its own runtimes.
        file = Path(place) / "ceilings.json" if target else None
        devices = options.devices or [target.device if target and target.device else "cpu"]
        ceilings = list(_measured(engine, devices, options, missing, file))
    if options.json:
        body = {"schema": SCHEMA, "ceilings": ceilings, "missing": missing}
        print(stored.json_text(body))
    else:
        pages.show(ceilings_page(ceilings, missing))


def _measured(
    engine: Engine,
    devices: Sequence[str],
    options: argparse.Namespace,
    missing: list[str],
    file: Path | None,
) -> Iterator[Ceiling]:
    """Yield the requested peaks; without --type, a type that a device lacks is only
    reported."""
    for device in dict.fromkeys(devices):
        for dtype in dict.fromkeys(options.types or DTYPES):
            try:
                yield ceiling(engine, device, options.threads, dtype, options.again, file)
            except EngineFailed as error:
                if options.types or dtype == FLOAT32:
                    raise
                missing.append(f"{error.what}: {error.why}.")
