"""Arrays from .npy and .npz files; the header is judged before the data are believed."""

import io
import tokenize
import zipfile
import zlib
from math import prod
from pathlib import Path

import numpy as np
from numpy.lib import format as npy

from inspector import units
from inspector.errors import UnreadableFile
from inspector.model import display_names
from inspector.model.tensors.element_types import LIMIT_BYTES, Tensor
from inspector.platform import files

_BAD_HEADER = (
    ValueError, SyntaxError, TypeError, KeyError, RecursionError, MemoryError, EOFError,
    OverflowError, tokenize.TokenError,
)  # fmt: skip
_BAD_ARCHIVE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError)
_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def read_npy(path: Path) -> Tensor:
    """Read one array. Raises UnreadableFile: damaged, holds objects or records, too large."""
    return _decoded(files.read_capped(path, LIMIT_BYTES), f"Could not open {path.name}")


def read_npz(path: Path, name: str) -> Tensor:
    """Read the array called `name` of an archive, or its only one.

    Nothing is unpacked to disk, so the names inside can point nowhere.
    Raises UnreadableFile: damaged, no such array, too large.
    """
    what = f"Could not open {path.name}"
    body = files.read_capped(path, LIMIT_BYTES)
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            entry = _entry(archive, name, what)
            if entry.file_size > LIMIT_BYTES:
                raise UnreadableFile(
                    what, f"'{entry.filename}' exceeds {units.size(LIMIT_BYTES)}"
                )
            with archive.open(entry) as file:
                return _decoded(file.read(LIMIT_BYTES), what)
    except _BAD_ARCHIVE as error:
        raise UnreadableFile(what, f"the archive is damaged ({error})") from error


def names_of(path: Path) -> tuple[str, ...]:
    """Return the names of the arrays of an archive. Raises UnreadableFile: damaged."""
    try:
        with zipfile.ZipFile(io.BytesIO(files.read_capped(path, LIMIT_BYTES))) as archive:
            return tuple(info.filename.removesuffix(".npy") for info in archive.infolist())
    except _BAD_ARCHIVE as error:
        what = f"Could not open {path.name}"
        raise UnreadableFile(what, f"the archive is damaged ({error})") from error


def _entry(archive: zipfile.ZipFile, name: str, what: str) -> zipfile.ZipInfo:
    entries = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
    if name in entries:
        return entries[name]
    if len(entries) == 1:
        return next(iter(entries.values()))
    why = f"it contains no array named '{units.clip(name, 80)}'" if entries else "it is empty"
    raise UnreadableFile(what, why, display_names.suggestion(name, entries))


def _decoded(body: bytes, what: str) -> Tensor:
    file = io.BytesIO(body)
    try:
        version = npy.read_magic(file)
        if version not in _HEADERS:
            raise UnreadableFile(what, f"version {version} of the .npy format is not supported")
        shape, by_column, kind = _HEADERS[version](file)
    except _BAD_HEADER as error:
        why = f"it is not a NumPy array ({units.clip(str(error), 120)})"
        raise UnreadableFile(what, why) from error
    _check_type(kind, what)
    shape = tuple(map(int, shape))  # True counts as a length for numpy's reader alone
    start, size_bytes = file.tell(), prod(shape) * kind.itemsize
    if min(shape, default=0) < 0 or size_bytes != len(body) - start:
        why = (
            f"its header declares {units.shape(shape)} of {kind}, which does not match the "
            "size of its data"
        )
        raise UnreadableFile(what, why, "Save it again.")
    if not size_bytes:
        try:
            return np.zeros(shape, kind)
        except (ValueError, OverflowError) as error:  # no elements, and an axis of 2^64
            why = f"its header declares an unsupported shape: {units.shape(shape)}"
            raise UnreadableFile(what, why, "Save it again.") from error
    flat = np.frombuffer(body, kind, offset=start)
    return flat.reshape(shape, order="F" if by_column else "C")


def _check_type(kind: np.dtype[np.generic], what: str) -> None:
    if kind.hasobject:
        why = "it contains Python objects, and loading them could run code"
        raise UnreadableFile(what, why, "Save numbers or fixed-width strings.")
    if kind.fields is not None or kind.subdtype is not None:
        raise UnreadableFile(
            what,
            "it is a structured array with several fields",
            "Save one field as a plain array.",
        )
