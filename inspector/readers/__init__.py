"""Files of models and traces become values; judged by first bytes, then by suffix."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from inspector.model import Model
from inspector.readers import onnx_model, ort_model
from inspector.readers.archive import located, models_in
from inspector.readers.external import home
from inspector.readers.kinds import HEAD_BYTES
from inspector.readers.merging import merged
from inspector.readers.skeleton import relocate
from inspector.readers.source import Source, of_bytes, opened
from inspector.readers.spans import OpenedTrace
from inspector.readers.traces import expect_events, looks_like_trace, open_trace

__all__ = [
    "OpenedTrace",
    "digest",
    "expect_events",
    "home",
    "is_ort",
    "located",
    "looks_like_trace",
    "merged",
    "models_in",
    "open_bytes",
    "open_model",
    "open_trace",
    "skeleton",
]

_PIECE = 1 << 20


def open_model(path: Path) -> Model:
    """Read what a model file says about itself; loads no weights and starts no runtime.

    Raises UnreadableFile: missing, not a model, damaged, or too large a structure.
    """
    with opened(path) as source:
        return _read(source, path)


def is_ort(path: Path) -> bool:
    """Return whether a file is in ONNX Runtime's own format, by its content alone."""
    with opened(path) as source:
        return source.head(HEAD_BYTES)[4:8] == ort_model.MARK


def open_bytes(body: bytes, name: str = "model.onnx") -> Model:
    """Read a model that is at hand as bytes; nothing lies beside it. Raises UnreadableFile."""
    return _read(of_bytes(body, name), None)


def _read(source: Source, path: Path | None) -> Model:
    if source.head(HEAD_BYTES)[4:8] == ort_model.MARK:
        return ort_model.read(source)
    return onnx_model.read(source, path)


def skeleton(path: Path) -> Any:
    """Read a model for the engine: an onnx.ModelProto whose big tensors are references.

    A payload above 1 KiB whose bytes a runtime can use as they are becomes external data:
    location is the model file's own name, with offset and length, so that `home(path)`, the
    real file's folder, is where side files are to be looked for. Everything else is complete.
    Of a model that is a link, side files have their real names. Meant for files
    that ONNX Runtime would not load (over 2 GB) or load slowly, and for renaming nodes.
    Raises UnreadableFile.
    """
    with opened(path) as source:
        proto = onnx_model.skeleton(source)
    if path.is_symlink():
        relocate(proto, path)
    return proto


def digest(path: Path, count: Callable[[int], None] = lambda _: None) -> str:
    """Return the SHA-256 of a file in hexadecimal. Raises UnreadableFile.

    count: told how many bytes more were read.
    """
    total = hashlib.sha256()
    with opened(path) as source:
        for piece in source.pieces(_PIECE):
            total.update(piece)
            count(len(piece))
    return total.hexdigest()
