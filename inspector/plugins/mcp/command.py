"""inspector mcp: serve Inspector's functions to assistants by the Model Context Protocol."""

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path

from inspector.errors import InspectorError
from inspector.platform import files
from inspector.platform.extras import install_hint
from inspector.platform.own_processes import INTERRUPTED, TERMINATED


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "folders",
        nargs="*",
        type=Path,
        metavar="FOLDER",
        help="folder in which assistants may open files (default: the current folder)",
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help="also offer tools that save new files in these folders",
    )
    parser.add_argument(
        "--skill",
        action="store_true",
        help="print the skill file for assistants (SKILL.md) and exit",
    )


def run(options: argparse.Namespace) -> None:
    """Serve until the client is done. Raises InspectorError: the extra is not installed."""
    if options.skill:
        print(files.resource("skills", "inspector", "SKILL.md").read_text("utf-8"), end="")
        return
    if find_spec("mcp") is None:
        what = "Could not start the MCP server"
        why = "the library 'mcp' is not installed"
        raise InspectorError(what, why, install_hint("mcp"))
    from inspector.plugins.mcp.server import serve  # of the extra `mcp`

    try:
        serve(options.folders or [Path.cwd()], options.write)
    except KeyboardInterrupt as error:
        # A thread waits for the client's next line, and Python would wait for that thread.
        print("Stopped.", file=sys.stderr, flush=True)
        os._exit(INTERRUPTED if type(error) is KeyboardInterrupt else TERMINATED)
