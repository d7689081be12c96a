"""The bytes of a file as a model's input: whole, or its beginning and its end."""

import numpy as np
from numpy.typing import NDArray

from inspector.model import TensorInfo
from inspector.preview.elements import is_integer

BLOCK, SHORTEST = 4_096, 64
NOTHING = 256  # no byte has this value, so that it can stand for none
_SMALL = ("int8", "uint8", "int4", "uint4", "int2", "uint2")


def takes_ends(info: TensorInfo) -> int:
    """Length of the row where an input wants both ends of a file; 0 where it does not.

    Models that tell the kind of a file by its content (Magika) take so: a fixed row of
    numbers wider than a byte, called after bytes.
    """
    row = (info.shape or (None,))[-1]
    named = "byte" in info.name.lower() and is_integer(info.dtype)
    fits = named and info.dtype not in _SMALL and len(info.shape or ()) in (1, 2)
    return row if fits and isinstance(row, int) and row >= SHORTEST and row % 2 == 0 else 0


def ends(content: bytes, length: int) -> NDArray[np.int32]:
    """The first and the last length / 2 bytes without the white space around them: int32
    (length,). What is missing is NOTHING, behind the beginning and before the end."""
    half = length // 2
    row = np.full(length, NOTHING, np.int32)
    first = content[:BLOCK].lstrip()[:half]
    last = content[-BLOCK:].rstrip()[-half:]
    row[: len(first)] = np.frombuffer(first, np.uint8)
    if last:
        row[length - len(last) :] = np.frombuffer(last, np.uint8)
    return row
