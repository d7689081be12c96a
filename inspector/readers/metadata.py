"""A model's file again with another entry in its metadata; the weights only pass through.

Field numbers: onnx.proto, ModelProto.metadata_props and StringStringEntryProto.
"""

from collections.abc import Iterator
from pathlib import Path

from inspector.errors import BadInput
from inspector.model import Model
from inspector.readers import ort_model
from inspector.readers.source import Source, opened
from inspector.readers.wire import LENGTH, PADDING, Malformed, Window, records

_METADATA, _KEY, _VALUE = 14, 1, 2
_PIECE = 4 << 20
_LONGEST_ENTRY = 64 << 20


def check_copy(model: Model, path: Path, target: Path) -> None:
    """Refuse a copy over the model itself, or away from weights that lie beside it.

    Raises BadInput.
    """
    what = f"Could not write {target.name}"
    if target.resolve() == path.resolve():
        raise BadInput(what, "it is the model itself", "Give the copy another name.")
    beside = any(weight.place and weight.place.file for weight in model.weights)
    if beside and target.resolve().parent != path.resolve().parent:
        why = "weights of the model lie in files beside it, which the copy would not find"
        raise BadInput(what, why, "Write the copy into the model's folder.")


def with_entry(path: Path, key: str, value: str) -> Iterator[bytes]:
    """Yield the pieces of an ONNX file whose metadata say `value` under `key`.

    An earlier entry of that key is left out; all other bytes stay as they are, and no more
    than 4 MiB of them are in memory at once. Raises UnreadableFile: no ONNX file, damaged.
    """
    with opened(path) as source:
        if source.head(8)[4:8] == ort_model.MARK:
            why = "a model in ONNX Runtime's own format cannot be changed"
            raise source.failure(why, "Write a side-car file instead.")
        try:
            for start, stop in _others(source, key.encode()):
                for offset in range(start, stop, _PIECE):
                    yield source.read(offset, min(_PIECE, stop - offset))
        except Malformed as error:
            raise source.failure(str(error), error.hint) from error
    entry = _field(_KEY, key.encode()) + _field(_VALUE, value.encode())
    yield _field(_METADATA, entry)


def _others(source: Source, key: bytes) -> Iterator[tuple[int, int]]:
    """Stretches of the file without the entries of a key."""
    kept = 0
    for number, wire, start, value, stop in records(Window(source), 0, source.size):
        if number != _METADATA or wire != LENGTH or stop - value > _LONGEST_ENTRY:
            continue
        if _key(source.read(value, stop - value)) == key:
            yield kept, start
            kept = stop
    yield kept, source.size


def _key(entry: bytes) -> bytes:
    found = b""
    for number, wire, _, value, stop in records(entry + PADDING, 0, len(entry)):
        if number == _KEY and wire == LENGTH:
            found = entry[value:stop]
    return found


def _field(number: int, body: bytes) -> bytes:
    return _varint(number << 3 | LENGTH) + _varint(len(body)) + body


def _varint(value: int) -> bytes:
    octets = bytearray()
    while value > 127:
        octets.append(value & 127 | 128)
        value >>= 7
    return bytes((*octets, value))
