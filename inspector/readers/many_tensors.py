"""Very many tensors of a graph become weights without a protobuf object for each."""

from functools import cache

import numpy as np

from inspector.model import Place, WeightInfo, packed_bytes, product
from inspector.readers.lockstep import (
    Fields,
    Octets,
    Places,
    fields,
    numbers,
    parted,
    spread,
    texts,
    unusual,
)
from inspector.readers.skim import FIELD_NAMES, RAW, Skim
from inspector.readers.types import element
from inspector.readers.wire import framed

_DIM, _TYPE, _NAME, _VALUES, _ENTRY = 0x08, 0x10, 0x42, 0x4A, 0x6A
_TAGS = (_DIM, _TYPE, _NAME, _VALUES, _ENTRY)


def many_tensors(
    skim: Skim, plain: str, octets: Octets, starts: Places, stops: Places
) -> tuple[WeightInfo | None, ...]:
    """Read onnx.TensorProto messages that lie at these places in a skimmed body.

    plain, octets: the same body, as in `lockstep`. Returns a weight for each that has only
    dims, type, name and raw_data of the length that they say; None for the others.
    """
    number = len(starts)
    found = fields(octets, starts, stops)
    marks = _marks(skim, plain, octets, found)
    odd = unusual(found, _TAGS)
    message, begin, end = found.of(_NAME)
    names = spread(message, texts(skim.body, plain, begin, end), number, "")
    message, begin, end = found.of(_TYPE)
    types = spread(message, numbers(octets, begin, end).tolist(), number, 0)
    message, begin, end = found.of(_DIM)
    shapes = parted(message, numbers(octets, begin, end).tolist(), number)
    kind = cache(_kind)
    made: list[WeightInfo | None] = []
    for strange, name, type_, shape, mark in zip(
        odd.tolist(), names, types, shapes, marks, strict=True
    ):
        payloads = skim.payloads[mark] if mark >= 0 and not strange else ()
        dtype, expected = kind(type_, shape)
        if len(payloads) == 1 and payloads[0].field == RAW and payloads[0].length == expected:
            _, offset, length, records = payloads[0]
            place = Place("", offset, length, FIELD_NAMES[RAW], records)
            made.append(WeightInfo(name, dtype, shape, length, place))
        else:
            made.append(None)
    return tuple(made)


def _kind(type_: int, shape: tuple[int, ...]) -> tuple[str, int | None]:
    """Name of an element type, and the bytes of so many packed."""
    dtype, elements = element(type_), product(shape)
    return dtype, None if elements is None else packed_bytes(dtype, elements)


def _marks(skim: Skim, plain: str, octets: Octets, found: Fields) -> list[int]:
    """Index of each tensor's payloads, as the skim has written it; -1 where there is none."""
    message, start, stop = found.of(_ENTRY)
    key = np.frombuffer(framed(1, skim.mark.encode()), np.uint8)
    long = stop - start > len(key) + 2
    message, start, stop = message[long], start[long], stop[long]
    ours = (octets[start[:, None] + np.arange(len(key))] == key).all(axis=1)
    message, start, stop = message[ours], start[ours] + len(key) + 2, stop[ours]
    digits = zip(start.tolist(), stop.tolist(), strict=True)
    return spread(message, [int(plain[a:b]) for a, b in digits], len(found.odd), -1)
