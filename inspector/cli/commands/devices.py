"""inspector devices: list devices that can run a model, and what the others are missing."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from inspector.cli.option_types import add_time_limit, job_limits
from inspector.units import clip

if TYPE_CHECKING:
    from inspector.report.report import Device


SCHEMA = "devices/1"
_HEAD = ("ID", "DEVICE", "KIND", "PACKAGE")
_NAME = 48


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_time_limit(parser, "the test of one execution provider")
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")


def run(options: argparse.Namespace) -> None:
    """Print the devices. Raises InspectorError: the engine cannot be started."""
    from inspector.backends.onnxruntime.sessions import installable
    from inspector.cli.progress import Progress
    from inspector.engine.client.engine_process import EngineProcess

    with (
        Progress(sys.stderr) as progress,
        EngineProcess(progress.show_stall, job_limits(options)) as engine,
    ):
        devices = engine.devices()
    absent = installable.absent(devices)
    if options.json:
        import msgspec

        told = {"schema": SCHEMA, "devices": devices, "not_installed": absent}
        print(msgspec.json.encode(told).decode())
    else:
        print("\n".join((*lines(devices), *absent_lines(absent))))


def lines(devices: Sequence["Device"]) -> Iterator[str]:
    """Lay devices out as a table, the unusable ones below it with reason and hint."""
    usable = [device for device in devices if not device.problem]
    unusable = [device for device in devices if device.problem]
    rows = [_row(device) for device in (*usable, *unusable)]
    widths = [max(map(len, column)) for column in zip(_HEAD, *rows, strict=True)]
    yield _aligned(_HEAD, widths)
    for row in rows[: len(usable)]:
        yield _aligned(row, widths)
    if unusable:
        yield ""
        yield "Not available:"
    indent = " " * (widths[0] + 2)
    for device, row in zip(unusable, rows[len(usable) :], strict=True):
        yield _aligned(row, widths)
        yield f"{indent}{device.problem}"
        if device.hint:
            yield f"{indent}{device.hint}"


def absent_lines(devices: Sequence["Device"]) -> Iterator[str]:
    """Lay out the devices that a package would add, each with the command that installs it."""
    if not devices:
        return
    yield ""
    yield "Not installed:"
    rows = [(device.id, device.name, device.hint) for device in devices]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for device, row in zip(devices, rows, strict=True):
        yield _aligned(row, widths)
        card = device.problem.partition("; ")[2]
        if card:
            yield f"{' ' * (widths[0] + 2)}{card}"


def _row(device: "Device") -> tuple[str, ...]:
    kind = "" if device.kind == "unknown" else device.kind.upper()
    return clip(device.id, 24), clip(device.name, _NAME), kind, clip(device.source, _NAME)


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(f"{c:<{w}}" for c, w in zip(cells, widths, strict=True)).rstrip()
