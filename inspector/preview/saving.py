"""Outputs to files: .npy for arrays, .png for pictures, .txt for the rest."""

import io
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from inspector import files
from inspector.errors import NotSaved
from inspector.prediction import OutputValue
from inspector.preview import results, waves
from inspector.preview.elements import Tensor
from inspector.preview.picture import png

_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.I)
_LONGEST = 100


def save(outputs: Sequence[OutputValue], folder: Path) -> tuple[Path, ...]:
    """Write each output to the folder, which is made when missing: the files, in order.

    An array becomes NAME.npy, one that reads as a picture also NAME.png, one that is a sound
    also NAME.wav, all else NAME.txt.
    Raises NotSaved: no room, no permission, a file where the folder should be.
    """
    made(folder)
    saved = []
    for name, output in zip(file_names([o.name for o in outputs]), outputs, strict=True):
        for suffix, body in _bodies(output):
            path = folder / f"{name}{suffix}"
            files.write_atomic(path, body)
            saved.append(path)
    return tuple(saved)


def made(folder: Path) -> None:
    """Make a folder if it is missing. Raises NotSaved."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = error.strerror or str(error)
        raise NotSaved(f"Could not make the folder {folder.name}", why) from error


def npy(array: Tensor) -> bytes:
    """An array as the bytes of an .npy file; texts with a fixed width, never as objects."""
    body = io.BytesIO()
    plain = array.astype(np.str_) if array.dtype.kind == "O" else array
    np.save(body, plain, allow_pickle=False)
    return body.getvalue()


def npz(outputs: Sequence[OutputValue]) -> bytes:
    """All arrays as the bytes of one .npz archive, each under its own name made safe."""
    body = io.BytesIO()
    names = file_names([output.name for output in outputs])
    with zipfile.ZipFile(body, "w") as archive:  # np.savez cannot store an array called "file"
        for name, output in zip(names, outputs, strict=True):
            if output.array is not None:
                archive.writestr(f"{name}.npy", npy(output.array))
    return body.getvalue()


def file_names(names: Sequence[str]) -> tuple[str, ...]:
    """A file name without suffix for each name: safe on every system, and no two alike."""
    taken: set[str] = set()
    chosen = []
    for name in names:
        plain = re.sub(r"[^\w.\-]+", "_", name).strip("._ ")[:_LONGEST] or "output"
        safe = f"_{plain}" if _RESERVED.fullmatch(plain) else plain
        free, number = safe, 2
        while free.lower() in taken:
            free, number = f"{safe}-{number}", number + 1
        taken.add(free.lower())
        chosen.append(free)
    return tuple(chosen)


def _bodies(output: OutputValue) -> list[tuple[str, bytes]]:
    if output.array is None:
        return [(".txt", f"{output.text}\n".encode())]
    bodies = [(".npy", npy(output.array))]
    sound = waves.sound_of(output)
    if sound is not None:
        return [*bodies, (".wav", waves.wav(sound))]
    shown = results.picture_of(output) if results.PICTURE in results.read(output) else None
    return [*bodies, (".png", png(shown.picture))] if shown is not None else bodies
