"""Downloads a model at an address, once the user agrees."""

import os
import sys
from pathlib import Path

from inspector.backends.values import Progress as Step
from inspector.cli.progress import Progress
from inspector.errors import BadInput, Cancelled
from inspector.formats import remote
from inspector.formats.names import address_of


def fetched(path: Path, agreed: bool) -> Path:
    """Return the downloaded file for an address, and any other path as it is.

    agreed: nobody has to be asked. Raises BadInput: there is no terminal to ask in. Cancelled.
    """
    address = address_of(path)
    if address is None:
        return path
    folder = remote.default_folder()
    may_ask = sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()
    if not agreed and (os.environ.get("CI") or not may_ask):
        why = "downloading requires confirmation, but there is no terminal to ask in"
        raise BadInput(f"Could not open {address}", why, "Add --yes to download it.")
    listed = remote.look_up(address, folder)
    if listed.cached is None and not agreed:
        sys.stderr.write(f"{listed.question} [y/N] ")
        sys.stderr.flush()
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            raise Cancelled("Stopped")
    with Progress(sys.stderr) as progress:

        def show(done: int, total: int | None) -> None:
            progress.show(Step("download", done / total if total else -1))

        return remote.download(listed, folder, show)
