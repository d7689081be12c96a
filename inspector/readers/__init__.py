"""Files of models become values of `inspector.model`; judged by first bytes, then by suffix."""

import hashlib
from pathlib import Path

from inspector.model import Model
from inspector.readers import onnx_model
from inspector.readers.source import opened

_PIECE = 4 << 20


def open_model(path: Path) -> Model:
    """Read what a model file says about itself; loads no weights and starts no runtime.

    Raises UnreadableFile: missing, not a model, damaged, or too large a structure.
    """
    with opened(path) as source:
        return onnx_model.read(source, path)


def digest(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal. Raises UnreadableFile."""
    total = hashlib.sha256()
    with opened(path) as source:
        for offset in range(0, source.size, _PIECE):
            total.update(source.read(offset, min(_PIECE, source.size - offset)))
    return total.hexdigest()
