"""Core ML models that are folders: packages with a manifest, and compiled models."""

import json
from pathlib import Path

from inspector.errors import UnreadableFile
from inspector.formats.budget import MALFORMED
from inspector.platform import files

METADATA = "metadata.json"  # of a compiled model
_MANIFEST = "Manifest.json"
NETWORK = "model.espresso.net"  # of a compiled network: its layers
_PROGRAM = "model.mil"  # of a compiled program: its text
_COMPILED = (_PROGRAM, NETWORK)  # some folders have both
_SUFFIXES = (".mlpackage", ".mlmodelc")
_USUAL = "Data/com.apple.CoreML/model.mlmodel"
_LARGEST_MANIFEST = 1 << 20  # bytes; those of Apple's tools have one kB
_MOST_FILES = 1000


def package_of(path: Path) -> Path | None:
    """Return the folder that is one model, which a path is or whose main file it is.

    None for all else.
    """
    folder = path.parent if path.name in (_MANIFEST, *_COMPILED) else path
    if folder is path and path.suffix and path.suffix.lower() not in _SUFFIXES:
        return None  # nearly all files: not worth a look at the disk
    if is_compiled(folder):
        return folder
    packed = files.is_folder(folder) and files.is_file(folder / _MANIFEST)
    return (
        folder
        if packed
        and (folder.suffix.lower() == ".mlpackage" or files.is_folder(folder / "Data"))
        else None
    )


def is_folder_of_models(path: Path) -> bool:
    """Return whether a path is a folder, and no model that is one."""
    return files.is_folder(path) and package_of(path) is None


def is_compiled(folder: Path) -> bool:
    """Return whether a folder is a compiled model whose program or network can be read."""
    return any(files.is_file(folder / name) for name in _COMPILED)


def model_file(package: Path) -> Path:
    """Return the file of a package that holds the model: the root that its manifest names."""
    for name in _COMPILED:
        if files.is_file(package / name):
            return package / name
    try:
        manifest = json.loads(files.read_capped(package / _MANIFEST, _LARGEST_MANIFEST))
        entry = manifest["itemInfoEntries"][manifest["rootModelIdentifier"]]["path"]
        target = (package / "Data" / entry).resolve()
    except (OSError, UnreadableFile, *MALFORMED):
        return package / _USUAL
    return target if target.is_relative_to(package.resolve()) else package / _USUAL


def all_files(package: Path) -> list[Path]:
    """Return the files of a package in the order of their names."""
    found = []
    for path in sorted(package.rglob("*")):
        if files.is_file(path):  # links as well: a download cache consists of them
            found.append(path)
            if len(found) >= _MOST_FILES:
                break
    return found
