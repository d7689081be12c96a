"""Values of a program that engines and decoders read as files: models, pictures."""

from __future__ import annotations

import shutil
import weakref
from pathlib import Path
from tempfile import mkdtemp
from typing import Protocol

_TFLITE = b"TFL3"  # bytes 4 to 8 of a TensorFlow Lite model
_PICTURES: dict[int, Path] = {}  # file of each PIL image that is alive, by its `id`


class TemporaryFile:
    """A file with a model, deleted with the last reference to this object."""

    def __init__(self, body: bytes) -> None:
        folder = Path(mkdtemp(prefix="inspector-"))
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.path = folder / ("model.tflite" if body[4:8] == _TFLITE else "model.onnx")
        self.path.write_bytes(body)


class Picture(Protocol):
    """A PIL image."""

    mode: str

    def save(self, fp: str | Path) -> None:
        """Write it to a file."""


def file_of(picture: Picture) -> str:
    """Return the path of a PNG file with a picture, deleted with the picture itself."""
    path = _PICTURES.get(id(picture))
    if path is None:
        folder = Path(mkdtemp(prefix="inspector-"))
        path = _PICTURES[id(picture)] = folder / "picture.png"
        weakref.finalize(picture, _forget, id(picture), folder)
    picture.save(path)  # again each time: a program may have drawn on it
    return str(path)


def _forget(number: int, folder: Path) -> None:
    _PICTURES.pop(number, None)
    shutil.rmtree(folder, ignore_errors=True)
