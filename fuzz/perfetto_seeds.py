"""Traces in Perfetto's own format to begin with, by the documented numbers of its fields."""

from inspector.formats.protobuf_wire import framed

_FIELD, _DIGIT = 3, 127


def perfetto_traces() -> tuple[bytes, ...]:
    """Return small traces: tracks, spans that nest, a counter, names kept apart."""
    head = _tracks()
    spans = b"".join(
        _packet(at, _event(1 if opens else 2, 7, name))
        for at, opens, name in (
            (1_000, True, b"outer"), (1_500, True, b"inner"), (1_800, False, b""),
            (2_500, False, b""),
        )
    )  # fmt: skip
    counter = _packet(1_200, _event(4, 9, b"") + _number(30, 4096))
    interned = framed(1, _number(8, 3_000) + _number(10, 1) + framed(12, _kept(1, b"kept")))
    return head + spans, head + counter + spans, head + interned + spans


def _tracks() -> bytes:
    process = framed(3, _number(1, 77) + framed(6, b"app"))
    thread = framed(4, _number(1, 77) + _number(2, 78) + framed(5, b"worker"))
    meter = framed(8, _number(3, 3) + _number(4, 1024))
    tracks = (
        _number(1, 5) + process,
        _number(1, 7) + _number(5, 5) + thread,
        _number(1, 9) + framed(2, b"Heap") + _number(5, 5) + meter,
    )
    return b"".join(framed(1, _number(10, 1) + framed(60, each)) for each in tracks)


def _packet(at: int, event: bytes) -> bytes:
    return framed(1, _number(8, at) + _number(10, 1) + framed(11, event))


def _event(kind: int, track: int, name: bytes) -> bytes:
    return _number(9, kind) + _number(11, track) + (framed(23, name) if name else b"")


def _kept(place: int, name: bytes) -> bytes:
    return framed(2, _number(1, place) + framed(2, name))


def _number(field: int, value: int) -> bytes:
    return _varint(field << _FIELD) + _varint(value)


def _varint(value: int) -> bytes:
    digits = bytearray()
    while value > _DIGIT:
        digits.append(value & _DIGIT | 128)
        value >>= 7
    return bytes((*digits, value))
