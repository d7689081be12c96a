"""A weight as an .npy file, written piece by piece."""

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from inspector import files
from inspector.errors import UnreadableFile
from inspector.model import WeightInfo
from inspector.readers.payload import CHUNK, Stamps, chunks
from inspector.readers.payload_fields import Values, item_type


def saved_type(dtype: str) -> np.dtype[np.generic]:
    """Type of the elements in the file: what numpy has none for is float32, which is exact."""
    kind = item_type(dtype)
    return kind if kind.isbuiltin == 1 else np.dtype(np.float32)


def save(path: Path, weight: WeightInfo, target: Path, known: Stamps | None = None) -> None:
    """Write a weight's values, in its stored shape, to an .npy file, whole or not at all.

    path, known: as for `payload.chunks`. Raises UnreadableFile, also for texts, which take
    no fixed width; NotSaved.
    """
    if weight.dtype == "string":
        raise UnreadableFile(
            f"Could not save '{weight.name[:80]}'",
            "an .npy file holds numbers, these are texts",
        )
    files.write_pieces(target, _pieces(chunks(path, weight, CHUNK, known), weight))


def _pieces(values: Iterator[Values], weight: WeightInfo) -> Iterator[bytes | memoryview]:
    kind = saved_type(weight.dtype)
    head = io.BytesIO()
    facts = {
        "descr": np.lib.format.dtype_to_descr(kind),
        "fortran_order": False,
        "shape": weight.stored_shape,
    }
    np.lib.format.write_array_header_2_0(head, facts)
    yield head.getvalue()
    for piece in values:
        yield np.ascontiguousarray(piece.astype(kind, copy=False)).view(np.uint8).data
