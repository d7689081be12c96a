"""Outputs to files: arrays, tables, tensors of ONNX, pictures, sounds, texts."""

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from inspector.formats.onnx import tensor_files
from inspector.model.model import ITEM_BITS
from inspector.model.tensors.element_types import Tensor
from inspector.model.tensors.prediction import OutputValue
from inspector.platform import files
from inspector.preview.inputs.image_files import png
from inspector.preview.outputs import audio_outputs, results

_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.I)
_LONGEST = 100


KINDS = {
    ".npy": "Array of NumPy", ".npz": "All outputs as one NumPy archive",
    ".csv": "Table", ".pb": "Tensor of ONNX", ".png": "Image", ".wav": "Audio",
    ".txt": "Text",
}  # fmt: skip


def save(
    outputs: Sequence[OutputValue],
    folder: Path,
    wanted: Sequence[str] = (),
    decoded: bool = False,
) -> tuple[Path, ...]:
    """Write each output to the folder, which is made when missing: the files, in order.

    An array becomes NAME.npy, one that reads as a picture also NAME.png, one that is a sound
    also NAME.wav, all else NAME.txt. wanted: other kinds instead, out of KINDS; an output that
    has no such form is left out, and .npz is one file for all, outputs.npz.
    decoded: boxes or points were decoded from the outputs, see `results.read`.
    Raises NotSaved: no room, no permission, a file where the folder should be.
    """
    files.make_folder(folder)
    saved = []
    for name, output in zip(file_names([o.name for o in outputs]), outputs, strict=True):
        fitting = kinds(output, decoded)
        usual = [k for k in fitting if k in (".npy", ".png", ".wav")] or [".txt"]
        for suffix in [k for k in wanted if k in fitting and k != ".npz"] if wanted else usual:
            path = folder / f"{name}{suffix}"
            files.write_atomic(path, encoded(output, suffix))
            saved.append(path)
    if ".npz" in wanted:
        files.write_atomic(folder / "outputs.npz", npz(outputs))
        saved.append(folder / "outputs.npz")
    return tuple(saved)


def kinds(output: OutputValue, decoded: bool = False) -> tuple[str, ...]:
    """Return the kinds of files an output can become, out of KINDS, the default one first.

    decoded: boxes or points were decoded from it, see `results.read`.
    """
    array = output.array
    if array is None:
        return (".npz", ".txt") if output.parts else (".txt",)
    if audio_outputs.audio_of(output) is not None:
        return (".npy", ".wav", ".csv", ".pb", ".npz")
    picture = results.IMAGE in results.read(output, decoded=decoded)
    text = (".txt",) if array.dtype.kind in "OU" else ()
    dtype = output.value_type
    typed = (".pb",) if dtype == "string" or dtype in ITEM_BITS else ()
    return (".npy", *((".png",) if picture else ()), ".csv", *typed, ".npz", *text)


def encoded(output: OutputValue, suffix: str, outputs: Sequence[OutputValue] = ()) -> bytes:
    """Return an output as the bytes of a file of one of its `kinds`; .npz holds all
    `outputs`."""
    array = output.array
    if suffix == ".npz":
        return npz(outputs or (output,))
    if array is None or suffix == ".txt":
        lines = [output.text] if array is None else map(str, array.ravel().tolist())
        return ("\n".join(lines) + "\n").encode()
    match suffix:
        case ".csv":
            return table(output)
        case ".pb":
            return tensor_files.encoded(array, output.value_type, output.name)
        case ".png":
            shown = results.image_of(output)
            assert shown is not None, "only what reads as an image is offered as one"
            return png(shown.picture)
        case ".wav":
            sound = audio_outputs.audio_of(output)
            assert sound is not None, "only what is a sound is offered as one"
            return audio_outputs.wav(sound)
    return npy(array)


def table(output: OutputValue) -> bytes:
    """Return an array as lines of its last axis, with a head where the columns have keys."""
    array = output.array
    assert array is not None, "only arrays become tables"
    rows = array.reshape(-1, array.shape[-1] if array.ndim > 1 else 1)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    if output.keys:
        writer.writerow(output.keys)
    plain = rows if rows.dtype.kind in "OUfiub" else rows.astype(np.float64)
    writer.writerows(plain.tolist())
    return text.getvalue().encode("utf-8", "backslashreplace")


def npy(array: Tensor) -> bytes:
    """Return an array as the bytes of an .npy file; texts with a fixed width, never as
    objects."""
    body = io.BytesIO()
    plain = array.astype(np.str_) if array.dtype.kind == "O" else array
    np.save(body, plain, allow_pickle=False)
    return body.getvalue()


def npz(outputs: Sequence[OutputValue]) -> bytes:
    """Return all arrays as the bytes of one .npz archive, each under its own name made safe.

    The tensors of a sequence are NAME-0, NAME-1, ...
    """
    names = file_names([output.name for output in outputs])
    named: list[tuple[str, Tensor]] = []
    for name, output in zip(names, outputs, strict=True):
        if output.array is not None:
            named.append((name, output.array))
        named += [(f"{name}-{place}", part) for place, part in enumerate(output.parts)]
    return b"".join(npz_pieces(named))


def npz_pieces(arrays: Iterable[tuple[str, Tensor]]) -> Iterator[bytes]:
    """Yield an .npz archive piece by piece: one array at a time is in memory.

    arrays: each with the name of its file without suffix, safe as `file_names` makes it.
    """
    sink = _Sink()
    with zipfile.ZipFile(sink, "w") as archive:  # np.savez cannot store an array called "file"
        for name, array in arrays:
            archive.writestr(f"{name}.npy", npy(array))
            yield sink.taken()
    yield sink.taken()


class _Sink(io.RawIOBase):
    """Takes what is written, until somebody takes it away."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        """Return that it can be written to, but not be gone back in."""
        return True

    def write(self, data: Any) -> int:
        """Keep some bytes."""
        self._parts.append(bytes(data))
        return len(self._parts[-1])

    def taken(self) -> bytes:
        """Return what was written since the last time."""
        parts, self._parts = self._parts, []
        return b"".join(parts)


def file_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return a file name without suffix for each name: safe on every system, and no two
    alike."""
    used: set[str] = set()
    chosen = []
    for name in names:
        plain = re.sub(r"[^\w.\-]+", "_", name).strip("._ ")[:_LONGEST] or "output"
        safe = f"_{plain}" if _RESERVED.fullmatch(plain) else plain
        free, number = safe, 2
        while free.lower() in used:
            free, number = f"{safe}-{number}", number + 1
        used.add(free.lower())
        chosen.append(free)
    return tuple(chosen)
