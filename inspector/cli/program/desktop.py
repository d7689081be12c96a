"""inspector desktop: add Inspector to the applications, and to "Open with" of models."""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from inspector.errors import InspectorError, NotSaved
from inspector.platform import files

# Files in the folder `resources/`, and their places below the data folder of the user (XDG).
_FILES = (
    (("desktop", "inspector.desktop"), "applications/inspector.desktop"),
    (("desktop", "onnx.xml"), "mime/packages/inspector.xml"),
    (("icons", "inspector-app.svg"), "icons/hicolor/scalable/apps/inspector.svg"),
)
# Programs that read the folders again; a desktop without them does so by itself, later.
_UPDATES = (("update-mime-database", "mime"), ("update-desktop-database", "applications"))
_UPDATE_SECONDS = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument(
        "--install", action="store_true", help="add the menu entry, icon and file types"
    )
    choice.add_argument(
        "--uninstall", action="store_true", help="remove the menu entry, icon and file types"
    )


def run(options: argparse.Namespace) -> None:
    """Install, remove, or say what is there. Raises InspectorError: not Linux; NotSaved."""
    if not sys.platform.startswith("linux"):
        what = "Could not add Inspector to the desktop"
        hint = "On macOS and Windows, use 'Open with' on a model, and choose inspector-window."
        raise InspectorError(what, "this command is for Linux desktops", hint)
    folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    places = [folder / place for _, place in _FILES]
    if options.install:
        for (source, _), place in zip(_FILES, places, strict=True):
            _write(place, _content(source))
    elif options.uninstall:
        for place in places:
            place.unlink(missing_ok=True)
    if options.install or options.uninstall:
        _update(folder)
    for place in places:
        print(f"{'installed    ' if place.exists() else 'not installed'}  {_short(place)}")


def _short(place: Path) -> str:
    """Return a path with ~ for the folder of the user."""
    home = Path.home()
    return f"~/{place.relative_to(home)}" if place.is_relative_to(home) else str(place)


def _content(source: tuple[str, ...]) -> bytes:
    body = files.resource(*source).read_bytes()
    if source[-1].endswith(".desktop"):
        # The menu knows no virtual environment: the entry names this one's program.
        program = Path(sys.executable).with_name("inspector")
        command = f'"{program}"' if program.exists() else f'"{sys.executable}" -m inspector'
        body = body.replace(b"Exec=inspector ", f"Exec={command} ".encode())
    return body


def _write(place: Path, body: bytes) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotSaved(f"Could not save {place}", error.strerror or str(error)) from error
    files.write_atomic(place, body)


def _update(folder: Path) -> None:
    for program, name in _UPDATES:
        if shutil.which(program) and (folder / name).is_dir():
            command = [program, str(folder / name)]
            subprocess.run(command, check=False, capture_output=True, timeout=_UPDATE_SECONDS)
