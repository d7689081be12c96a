"""Arrays from .npy and .npz files, whose header is judged before the data are believed, and
from .bin and .raw files, which have none."""

import io
import re
import tokenize
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import prod
from pathlib import Path

import numpy as np
from numpy.lib import format as npy

from inspector import units
from inspector.errors import BadInput, UnreadableFile
from inspector.model import display_names
from inspector.model.model import ITEM_BITS
from inspector.model.tensors.element_types import LIMIT_BYTES, Tensor, numpy_type
from inspector.platform import files

_RAW = re.compile(r"(.+\.(?:bin|raw))(?::([a-z]+[0-9a-z]*))?(?::(\d+(?:x\d+)*))?", re.I)
_SPEC = "Write type and shape of its numbers behind it, as in x.raw:uint8:1x224x224x3."
_BITS = 8  # of a byte: smaller types are packed in ways that differ
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
    with _archive(path, what) as archive:
        entry = _entry(archive, name, what)
        if entry.file_size > LIMIT_BYTES:
            raise UnreadableFile(what, f"'{entry.filename}' exceeds {units.size(LIMIT_BYTES)}")
        with archive.open(entry) as file:
            return _decoded(file.read(LIMIT_BYTES), what)


def read_archive(path: Path) -> Iterator[tuple[str, Tensor]]:
    """Yield all arrays of an archive with their names, in its order. Raises UnreadableFile."""
    what = f"Could not open {path.name}"
    with _archive(path, what) as archive:
        entries = archive.infolist()
        if sum(entry.file_size for entry in entries) > LIMIT_BYTES:
            raise UnreadableFile(what, f"it has more than {LIMIT_BYTES >> 20:,} MiB")
        for entry in entries:
            yield entry.filename.removesuffix(".npy"), _decoded(archive.read(entry), what)


def raw_file(value: str) -> tuple[Path, str, tuple[int, ...]] | None:
    """Return the path of a .bin or .raw file with the type and the lengths of axes that stand
    behind it, "frame.raw:uint8:1x224x224x3"; "" and () where none do. None for another value.
    """
    match = _RAW.fullmatch(value)
    if match is None:
        return None
    lengths = tuple(int(each) for each in match[3].split("x")) if match[3] else ()
    return Path(match[1]), match[2] or "", lengths


def read_raw(path: Path, dtype: str, shape: Sequence[int]) -> Tensor:
    """Read the numbers of a file without a header, in little-endian byte order.

    dtype: the model's name of their type. shape: () for one row of all. Raises UnreadableFile:
    missing, too large, not as many bytes as it should have; BadInput: no such type.
    """
    kind = numpy_type(dtype)
    what = f"Could not read {path.name}"
    if kind.hasobject or ITEM_BITS.get(dtype, 0) < _BITS:
        raise BadInput(what, f"{dtype} has no fixed number of bytes", "Use an .npy file.")
    body = files.read_capped(path, LIMIT_BYTES)
    size = kind.itemsize
    if shape and len(body) != prod(shape) * size:
        takes = f"{dtype} {units.shape(shape)} takes {prod(shape) * size:,}"
        raise UnreadableFile(what, f"it has {len(body):,} bytes, but {takes}", _SPEC)
    if len(body) % size:
        takes = f"an element of {dtype} takes {size}"
        raise UnreadableFile(what, f"it has {len(body):,} bytes, but {takes}", _SPEC)
    array = np.frombuffer(body, kind)
    return array.reshape(shape) if shape else array


def names_of(path: Path) -> tuple[str, ...]:
    """Return the names of the arrays of an archive. Raises UnreadableFile: damaged."""
    with _archive(path, f"Could not open {path.name}") as archive:
        return tuple(info.filename.removesuffix(".npy") for info in archive.infolist())


@contextmanager
def _archive(path: Path, what: str) -> Iterator[zipfile.ZipFile]:
    """Open an archive. Raises UnreadableFile: it is damaged, also where that shows later."""
    try:
        with zipfile.ZipFile(io.BytesIO(files.read_capped(path, LIMIT_BYTES))) as archive:
            yield archive
    except _BAD_ARCHIVE as error:
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
