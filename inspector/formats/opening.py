"""Open model and trace files: the format is recognized by content, not by name."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from inspector.errors import BadInput, UnreadableFile
from inspector.formats import model_formats, plugin_models
from inspector.formats.archive import located, models_in
from inspector.formats.coreml.package import all_files, package_of
from inspector.formats.model_formats import format_of
from inspector.formats.source import Source, format_at, of_bytes, open_source
from inspector.model.model import Model
from inspector.platform import plugins

__all__ = [
    "digest",
    "expect_onnx",
    "home",
    "is_ort",
    "is_other_model",
    "located",
    "models_in",
    "not_run",
    "open_bytes",
    "open_model",
    "skeleton",
]

_PIECE = 1 << 20


def open_model(path: Path) -> Model:
    """Read the structure of a model file; loads no weights and starts no runtime.

    Raises UnreadableFile: missing, not a model, damaged, or too large a structure.
    """
    with open_source(path) as source:
        return _read(source, path)


def is_ort(path: Path) -> bool:
    """Return whether a file is in ONNX Runtime's own format, by its content alone."""
    return format_at(path).id == "ort"


def format_id(path: Path) -> str:
    """Return the id of the format of a file, by its content."""
    return format_at(path).id


def is_other_model(path: Path) -> bool:
    """Return whether a file is a model of a format that is recognized for sure, by content."""
    return format_at(path).id != "onnx"


def not_run(path: Path) -> tuple[str, str] | None:
    """Return why nothing in Inspector runs a model, and what does; None where a backend may.

    None too for what cannot be opened: the job for which it is asked says why.
    """
    try:
        model_format = format_at(path)
    except UnreadableFile:
        return None
    return model_formats.not_run(model_format) if model_format.runs_with else None


def _needs_onnx(other: model_formats.ModelFormat) -> tuple[str, str]:
    article = "an" if other.title[:1] in "AEIOU" else "a"
    why = f"this requires an ONNX model, but it is {article} {other.title} model"
    return why, "Export the original model as ONNX."


def expect_onnx(path: Path, what: str) -> None:
    """Raises BadInput: a file is a model, but none in ONNX's form. what: did not happen."""
    model_format = format_at(path)
    if model_format.id not in ("onnx", "ort"):
        raise BadInput(what, *_needs_onnx(model_format))


def open_bytes(body: bytes, name: str = "model.onnx") -> Model:
    """Read a model from bytes, without external data files. Raises UnreadableFile."""
    return _read(of_bytes(body, name), None)


def _read(source: Source, path: Path | None) -> Model:
    model_format = format_of(source)
    if model_format.confined:
        return plugin_models.read(model_format, source)
    model: Model = plugins.load(f"{model_format.reader}:read")(source, path)
    return model


def skeleton(path: Path) -> Any:
    """Return a model for the engine: an onnx.ModelProto with references for large tensors.

    A payload above 1 KiB whose bytes a runtime can use as they are becomes external data:
    location is the model file's own name, with offset and length, so that `home(path)`, the
    real file's folder, is where external data files are. Everything else is complete.
    If the model is a symbolic link, external data files get their real names. For files that
    ONNX Runtime would not load (over 2 GB) or load slowly, and for renaming nodes.
    Raises UnreadableFile.
    """
    with open_source(path) as source:
        model_format = format_of(source)
        if model_format.id not in ("onnx", "ort"):
            raise source.failure(*_needs_onnx(model_format))
        return plugins.load(f"{model_formats.MODEL_FORMATS[-1].reader}:skeleton")(source, path)


def home(model: Path) -> Path:
    """Return the folder of the real file where a model is a link, else simply its folder."""
    return Path(os.path.realpath(model)).parent if model.is_symlink() else model.parent


def digest(path: Path, count: Callable[[int], None] = lambda _: None) -> str:
    """Return the SHA-256 of a file in hexadecimal. Raises UnreadableFile.

    Of a package, all its files count, each after its name. count: called with the number of
    bytes of each piece.
    """
    sha256 = hashlib.sha256()
    package = package_of(path)
    for file in (path,) if package is None else all_files(package):
        if package is not None:
            sha256.update(
                file.relative_to(package).as_posix().encode("utf-8", "replace") + b"\0"
            )
        with open_source(file) as source:
            for piece in source.pieces(_PIECE):
                sha256.update(piece)
                count(len(piece))
    return sha256.hexdigest()
