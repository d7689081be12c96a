"""Small changes to files: of bytes, and of protobuf records with their lengths put right."""

import random
from collections.abc import Callable, Sequence

from inspector.formats.protobuf_wire import (
    LENGTH,
    PADDING,
    VARINT,
    Malformed,
    encode_varint,
    framed,
    records,
)

_NUMBERS = (0, 1, 2, 127, 128, 255, 2**31 - 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1)
_LONGEST = 400_000

_TABLES = (b"ORTM", b"TFL3")  # identifiers of files made of FlatBuffers

Record = tuple[int, int, bytes]  # field, wire type, value without its length


def mutated(body: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Return the file after one to four changes; others: files to take pieces from."""
    for _ in range(chance.randint(1, 4)):
        changes = (_words, _words, _words) if body[4:8] in _TABLES else (_structure,) * 3
        change = chance.choice((*changes, _bytes, _splice, _cut))
        body = change(body, others, chance)[:_LONGEST]
    return body


def _structure(body: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Change a record somewhere inside, however deep, and all lengths around it."""
    records = _records(body)
    if not records:
        return _bytes(body, others, chance)
    place = chance.randrange(len(records))
    field, wire, value = records[place]
    if wire == LENGTH and chance.random() < 0.8 and _records(value):
        records[place] = field, wire, _structure(value, others, chance)
    else:
        change = chance.choice(_CHANGES)
        change(records, place, others, chance)
    return b"".join(_written(record) for record in records)


def _words(body: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Change an offset, a length or a number of a FlatBuffers file, or exchange two."""
    changed, width = bytearray(body), chance.choice((1, 2, 4, 4, 4, 8))
    places = range(0, max(1, len(body) - width), width)
    place, other = chance.choice(places), chance.choice(places)
    old = int.from_bytes(changed[place : place + width], "little")
    near = old + chance.choice((-16, -4, -1, 1, 4, 16))
    new = chance.choice((*_NUMBERS, near, near, near, chance.randrange(len(body) + 1)))
    if chance.random() < 0.2:
        new = int.from_bytes(changed[other : other + width], "little")
    changed[place : place + width] = (new % (1 << 8 * width)).to_bytes(width, "little")
    return bytes(changed)


def _records(body: bytes) -> list[Record]:
    """Part a message into records; empty when it is none."""
    try:
        walked = list(records(body + PADDING, 0, len(body)))
    except Malformed:
        return []
    return [(field, wire, body[value:stop]) for field, wire, _, value, stop in walked]


def _written(record: Record) -> bytes:
    field, wire, value = record
    return framed(field, value) if wire == LENGTH else encode_varint(field << 3 | wire) + value


Change = Callable[[list[Record], int, Sequence[bytes], random.Random], None]


def _remove(
    records: list[Record], place: int, _: Sequence[bytes], chance: random.Random
) -> None:
    del records[place]


def _repeat(
    records: list[Record], place: int, _: Sequence[bytes], chance: random.Random
) -> None:
    records[place:place] = [records[place]] * chance.choice((1, 1, 3, 300))


def _swap(records: list[Record], place: int, _: Sequence[bytes], chance: random.Random) -> None:
    other = chance.randrange(len(records))
    records[place], records[other] = records[other], records[place]


def _rename(
    records: list[Record], place: int, _: Sequence[bytes], chance: random.Random
) -> None:
    old = records[place]
    records[place] = chance.randint(1, 27), old[1], old[2]


def _renumber(
    records: list[Record], place: int, _: Sequence[bytes], chance: random.Random
) -> None:
    records[place] = records[place][0], VARINT, encode_varint(chance.choice(_NUMBERS))


def _refill(
    records: list[Record], place: int, _: Sequence[bytes], chance: random.Random
) -> None:
    length = chance.choice((0, 1, 16, 1000, 1025, 5000))
    records[place] = records[place][0], LENGTH, chance.randbytes(length)


def _nest(records: list[Record], place: int, _: Sequence[bytes], chance: random.Random) -> None:
    field, wire, value = records[place]
    for _deeper in range(chance.choice((1, 3, 40, 120))):
        value = framed(field, value)
    records[place] = field, LENGTH if wire != LENGTH else wire, value


def _transplant(
    records: list[Record], place: int, others: Sequence[bytes], chance: random.Random
) -> None:
    donor = _records(chance.choice(others))
    for _ in range(chance.randint(0, 4)):  # go some levels down
        inner = [value for _, wire, value in donor if wire == LENGTH]
        deeper = _records(chance.choice(inner)) if inner else []
        donor = deeper or donor
    if donor:
        records[place] = chance.choice(donor)


def _group(
    records: list[Record], place: int, _: Sequence[bytes], chance: random.Random
) -> None:
    """Put a record into a group, whose end is now and then another one's or missing."""
    body = _written(records[place])
    for _deeper in range(chance.choice((1, 2, 60))):
        field = chance.randint(1, 27)
        end = chance.choice((field, field, field, field + 1, 0))
        body = (
            encode_varint(field << 3 | 3) + body + (encode_varint(end << 3 | 4) if end else b"")
        )
    records[place] = chance.choice((1, 5, 7)), LENGTH, body


def _scatter(
    records: list[Record], place: int, _: Sequence[bytes], chance: random.Random
) -> None:
    """Write a value as several records of its field, with others in between."""
    field, wire, value = records[place]
    if wire != LENGTH or len(value) < 2:
        return
    cut = chance.randrange(1, len(value))
    other = chance.randrange(len(records))
    records[place] = field, wire, value[:cut]
    records.insert(other, (field, wire, value[cut:]))


_CHANGES: tuple[Change, ...] = (
    _group, _scatter,
    _remove, _repeat, _swap, _rename, _renumber, _refill, _nest, _transplant,
)  # fmt: skip


def _bytes(body: bytes, _: Sequence[bytes], chance: random.Random) -> bytes:
    changed = bytearray(body or b"\0")
    for _change in range(chance.choice((1, 2, 8))):
        changed[chance.randrange(len(changed))] = chance.choice(
            (0, 1, 0x2A, 0x3A, 0x7F, 0x80, 0xFF, chance.randrange(256))
        )
    return bytes(changed)


def _splice(body: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    donor = chance.choice(others) or b"\0"
    start, place = chance.randrange(len(donor)), chance.randrange(len(body) + 1)
    return body[:place] + donor[start : start + chance.choice((1, 30, 2000))] + body[place:]


def _cut(body: bytes, _: Sequence[bytes], chance: random.Random) -> bytes:
    start = chance.randrange(len(body) + 1)
    return body[:start] + body[start + chance.choice((1, 4, 100, 10**9)) :]
