"""Reads a folder whose files are one model, by the first layout whose rules it follows."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from inspector.errors import UnreadableFile
from inspector.formats.coreml.package import package_of
from inspector.formats.folders.bundles import BUNDLES, bundle
from inspector.formats.folders.genai import genai
from inspector.formats.folders.gguf_files import gguf
from inspector.formats.folders.hugging_face import (
    GRAPHS,
    optimum,
    transformers,
    transformers_js,
)
from inspector.formats.folders.listing import Listing, license_of
from inspector.formats.folders.speech_and_images import diffusers, piper, sherpa_onnx
from inspector.model.model_folder import FolderPart, ModelFolder
from inspector.platform import files
from inspector.units import clip

# Names that folders of the layouts have; most folders have none, and no layout looks at them.
_SIGNS = frozenset(("genai_config.json", "model_index.json", "config.json"))
_SIGN_ENDS = (".onnx.json", "tokens.txt", ".gguf")
_SIGN_STARTS = ("encoder_", "decoder_")
# Roles of parts.
_DECODER = "decoder"
_WITH_PAST = "decoder with past"
_ENCODER = "encoder"

Layout = Callable[[Listing], ModelFolder | None]
# The first whose rules a folder follows. A folder can have files of several: GenAI's
# configuration names its parts, the others are recognized by the names of files.
LAYOUTS: tuple[Layout, ...] = (
    genai, diffusers, transformers_js, optimum, piper, sherpa_onnx, transformers, gguf,
)  # fmt: skip


def read_folder(path: Path) -> ModelFolder | None:
    """Read which parts a folder has, and what its configurations say; None for what is no such
    folder: a folder of several models, a package, a file but those that are a whole language
    model (GGUF, LiteRT-LM).

    Raises UnreadableFile: the configuration that names the parts is damaged.
    """
    if path.suffix.lower() in BUNDLES and not files.is_folder(path):
        return bundle(path)
    if not files.is_folder(path) or package_of(path) is not None:
        return None
    listing = Listing(path)
    if not any(map(_is_sign, listing.names)):
        return None
    folder = next(filter(None, (layout(listing) for layout in LAYOUTS)), None)
    if folder is None or "license" in folder.config:
        return folder
    return replace(folder, config={**folder.config, "license": license_of(listing)})


def is_one_model(path: Path) -> bool:
    """Return whether a path is a folder that is one model, even if its configuration is damaged
    so that nothing in it can be opened by the folder's name."""
    try:
        return read_folder(path) is not None
    except UnreadableFile:
        return True


def main_file(path: Path) -> Path:
    """Return the file that stands for a folder that is one model: its main graph, or its
    weights; any other path as it is.

    Raises UnreadableFile: that file is missing, or the folder's configuration is damaged.
    """
    folder = read_folder(path)
    if folder is None:
        return path
    if folder.parts:
        return (folder.main or folder.parts[0]).path
    why = folder.missing[0] if folder.missing else "none of its parts was found"
    hint = "Copy the whole folder, with all files that it came with."
    raise UnreadableFile(f"Could not open {clip(path.name)}", why, hint)


def folder_around(path: Path) -> ModelFolder | None:
    """Return the model that a file is a part of: its folder, or the one above; None without.

    A damaged configuration beside a file does not keep the file from being opened.
    """
    places = [path.parent, path.absolute().parent.parent]
    if path.absolute().parent.name == GRAPHS:  # of transformers.js: configurations lie above
        places.reverse()
    for place in places:
        try:
            folder = read_folder(place)
        except UnreadableFile:
            continue
        same = [part for part in folder.parts if part.path.name == path.name] if folder else []
        if any(files.state(part.path) == files.state(path) for part in same):
            return folder
    return bundle(path)


def model_name(path: Path) -> str:
    """Return what people call the model of a file, by the folder around it."""
    folder = folder_around(path)
    return path.name if folder is None else folder.name_of(path)


def continuation_of(folder: ModelFolder | None, decoder: Path) -> Path | None:
    """Return the graph for all tokens after the prompt, where it is not the decoder itself."""
    parts = folder.parts if folder is not None else ()
    if not any(part.path == decoder and part.role == _DECODER for part in parts):
        return None
    return next((part.path for part in parts if part.role == _WITH_PAST), None)


def encoder_part(folder: ModelFolder | None) -> FolderPart | None:
    """Return the encoder of a folder whose decoder needs one, of the decoder's variant where it
    has several; None without one."""
    if folder is None or folder.main is None:
        return None
    parts = [part for part in folder.parts if part.role == _ENCODER]
    alike = [part for part in parts if part.variant == folder.main.variant]
    return next(iter((*alike, *parts)), None)


def encoder_of(folder: ModelFolder | None, decoder: Path) -> Path | None:
    """Return the graph that runs once before a decoder; None without one."""
    part = encoder_part(folder)
    parts = folder.parts if folder is not None else ()
    roles = [each.role for each in parts if files.state(each.path) == files.state(decoder)]
    decodes = any(role.startswith(_DECODER) for role in roles)
    return part.path if part is not None and decodes else None


def _is_sign(name: str) -> bool:
    lower = name.lower()
    return lower in _SIGNS or lower.endswith(_SIGN_ENDS) or lower.startswith(_SIGN_STARTS)
