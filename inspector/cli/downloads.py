"""Models at an address on the command line: asked about, then downloaded."""

import argparse
import os
import sys
from pathlib import Path

from inspector.errors import BadInput, Cancelled

# Arguments that name models or reports to read.
MODELS = ("model", "models", "first", "other", "others", "against", "reports", "report")


def add_yes(parser: argparse.ArgumentParser) -> None:
    """Add --yes to the parser of a command that reads models."""
    if any(action.dest in MODELS and action.type is Path for action in parser._actions):
        uploads = parser.prog.endswith((" measure", " sweep"))  # what such a service does
        also = "; with --on, also upload the model to Qualcomm AI Hub without asking"
        parser.add_argument_group("downloads").add_argument(
            "--yes",
            action="store_true",
            help="download models given as https://... or hf://owner/name/file.onnx without "
            "asking; required in CI and wherever there is no terminal"
            f"{also if uploads else ''}",
        )


def replace_addresses(options: argparse.Namespace) -> None:
    """Put downloaded files in place of addresses. Raises InspectorError."""
    for name in MODELS:
        given = getattr(options, name, None)
        if isinstance(given, Path):
            setattr(options, name, _local(given, options.yes))
        elif isinstance(given, list) and all(isinstance(each, Path) for each in given):
            setattr(options, name, [_local(each, options.yes) for each in given])


def _local(path: Path, agreed: bool) -> Path:
    """Return the downloaded file for an address, and any other path as it is."""
    if ":" not in str(path) or path.exists():
        return path
    from inspector.backends.values import Progress as Step
    from inspector.cli.progress import Progress
    from inspector.formats import remote  # with what it needs of the network, 50 ms

    address = remote.address_of(path)
    if address is None:
        return path
    folder = remote.default_folder()
    may_ask = sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()
    if not agreed and (os.environ.get("CI") or not may_ask):
        why = "downloading requires confirmation, but there is no terminal to ask in"
        raise BadInput(f"Could not open {address}", why, "Add --yes to download it.")
    found = remote.look_up(address, folder)
    if found.cached is None and not agreed:
        sys.stderr.write(f"{found.question} [y/N] ")
        sys.stderr.flush()
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            raise Cancelled("Stopped")
    with Progress(sys.stderr) as progress:

        def show(done: int, total: int | None) -> None:
            progress.show(Step("download", done / total if total else -1))

        return remote.download(found, folder, show)
