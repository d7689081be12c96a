"""Arrays that travel between two processes as files: plain bytes, nothing that could run."""

import re
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from inspector.backends import type_names
from inspector.errors import UnreadableFile
from inspector.platform import files

Feed = NDArray[np.generic] | tuple[NDArray[np.generic], ...]  # a tensor, or a sequence of them

LIMIT_BYTES = 2 << 30
_FILE = re.compile(r"[a-z]+-\d{1,9}\.bin")
_texts = msgspec.json.Decoder(list[str])


class StoredArray(msgspec.Struct, frozen=True):
    """An array in a file of the shared folder.

    dtype: the model's name of the type ("bfloat16"); rare types lie one element a byte or two,
    texts as one JSON list. by_column: the elements lie in Fortran's order, the first axis
    fastest. part: one of the tensors of a sequence; all of its name make it up, in order.
    frames: one tensor for each step of a prediction step by step; the first axis is the steps.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    file: str
    by_column: bool = False
    part: bool = False
    frames: bool = False


class InvalidArray(ValueError):
    """A file is not the array that its description promises; the text says why."""


def described(name: str, feed: Feed) -> StoredArray:
    """Describe a feed as shape checks see it: the last part represents its sequence."""
    array, lead = (feed[-1], (1,)) if isinstance(feed, tuple) else (feed, ())
    return StoredArray(name, type_names.type_name(array), (*lead, *array.shape), "")


def store(folder: Path, file: str, name: str, array: NDArray[np.generic]) -> StoredArray:
    """Write an array in this machine's byte order, in Fortran's order if it is, else in C's.

    Raises BadArray: of objects that are no texts, or more than `LIMIT_BYTES`.
    """
    dtype = type_names.type_name(array)
    by_column = False
    if dtype == type_names.TEXT:
        texts = array.reshape(-1).tolist()
        if not all(isinstance(text, str) for text in texts):
            raise InvalidArray("not all elements are strings")
        (folder / file).write_bytes(msgspec.json.encode(texts))
    else:
        if type_names.numpy_type(dtype) is None or array.dtype.kind in "OM":
            raise InvalidArray(f"a model cannot take arrays of type {array.dtype}")
        if array.nbytes > LIMIT_BYTES:
            raise InvalidArray(
                f"it takes {array.nbytes >> 20:,} MiB; the limit is {LIMIT_BYTES >> 20:,} MiB"
            )
        # What lies so is copied before a prediction, and that belongs to what is measured.
        by_column = array.flags.f_contiguous and not array.flags.c_contiguous
        rows = array.T if by_column else array
        native = rows.astype(array.dtype.newbyteorder("="), order="C", copy=False)
        # A view of bytes, because numpy has no buffer for the types of ml_dtypes.
        (folder / file).write_bytes(native.reshape(-1).view(np.uint8).data)
    return StoredArray(name, dtype, array.shape, file, by_column)


def fetch(folder: Path, stored: StoredArray) -> NDArray[np.generic]:
    """Read an array; its file is deleted. Texts come as objects, the rest read-only.

    Raises BadArray: the file is missing, of another size, or its name leads elsewhere.
    """
    if not _FILE.fullmatch(stored.file):
        raise InvalidArray(f"'{stored.file}' is not the name of an array file")
    path = folder / stored.file
    if min(stored.shape, default=0) < 0:
        raise InvalidArray("an axis has a negative size")
    try:
        body = files.read_capped(path, LIMIT_BYTES)
    except UnreadableFile as error:
        raise InvalidArray(error.why) from error
    path.unlink(missing_ok=True)
    if stored.dtype == type_names.TEXT:
        count = prod(stored.shape)
        try:
            texts = _texts.decode(body)
        except msgspec.DecodeError as error:
            raise InvalidArray(f"its strings are damaged: {error}") from error
        if len(texts) != count:
            raise InvalidArray(
                f"it has {len(texts)} strings, but its shape needs {prod(stored.shape)}"
            )
        array = np.empty(count, object)
        array[:] = texts
        return array.reshape(stored.shape)
    dtype = type_names.numpy_type(stored.dtype)
    if dtype is None or dtype.hasobject:
        raise InvalidArray(f"there is no type '{stored.dtype}'")
    expected = prod(stored.shape) * dtype.itemsize
    if len(body) != expected:
        raise InvalidArray(f"it has {len(body)} bytes, but its shape needs {expected}")
    order: Literal["C", "F"] = "F" if stored.by_column else "C"
    return np.frombuffer(body, dtype).reshape(stored.shape, order=order)


def shapes_of(feeds: Mapping[str, Feed]) -> dict[str, tuple[int, ...]]:
    """Return the shapes of those inputs that are plain tensors."""
    return {name: fed.shape for name, fed in feeds.items() if not isinstance(fed, tuple)}
