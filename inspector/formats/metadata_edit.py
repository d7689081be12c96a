"""Copy an ONNX file with one metadata entry set; weights are copied without decoding.

Field numbers: onnx.proto, ModelProto.metadata_props and StringStringEntryProto.
"""

from collections.abc import Iterator
from pathlib import Path

from inspector.errors import BadInput
from inspector.formats.model_formats import format_of
from inspector.formats.protobuf_wire import LENGTH, PADDING, Malformed, Window, framed, records
from inspector.formats.source import Source, open_source
from inspector.model.model import Model

# Field numbers of ModelProto.metadata_props and its entries (onnx.proto).
_METADATA = 14
_KEY = 1
_VALUE = 2
_PIECE = 4 << 20
_LONGEST_ENTRY = 64 << 20  # of an entry whose key is compared; larger ones are copied unchanged


def check_copy(model: Model, path: Path, target: Path) -> None:
    """Raise BadInput for a copy over the model itself, or away from its external data files."""
    summary = f"Could not write {target.name}"
    if target.resolve() == path.resolve():
        raise BadInput(summary, "it is the model itself", "Choose another name for the copy.")
    has_external_data = any(weight.place and weight.place.file for weight in model.weights)
    if has_external_data and target.resolve().parent != path.resolve().parent:
        why = "the model has external data files, which must be in the same folder as the copy"
        raise BadInput(summary, why, "Write the copy into the model's folder.")


def with_entry(path: Path, key: str, value: str) -> Iterator[bytes]:
    """Yield the pieces of an ONNX file whose metadata has `value` for `key`.

    An earlier entry of that key is dropped and all other bytes are unchanged; at most 4 MiB are
    in memory at a time. Raises UnreadableFile: not an ONNX file, or a damaged one.
    """
    with open_source(path) as source:
        if format_of(source).id != "onnx":
            why = "the metadata of an ORT-format model cannot be changed"
            raise source.failure(why, "Write a sidecar file instead.")
        try:
            for start, stop in _others(source, key.encode()):
                for offset in range(start, stop, _PIECE):
                    yield source.read(offset, min(_PIECE, stop - offset))
        except Malformed as error:
            raise source.failure(str(error), error.hint) from error
    entry = framed(_KEY, key.encode()) + framed(_VALUE, value.encode())
    yield framed(_METADATA, entry)


def _others(source: Source, key: bytes) -> Iterator[tuple[int, int]]:
    """Yield the byte ranges of the file without the entries of a key."""
    begin = 0
    for number, wire, start, value, stop in records(Window(source), 0, source.size):
        if number != _METADATA or wire != LENGTH or stop - value > _LONGEST_ENTRY:
            continue
        if _key(source.read(value, stop - value)) == key:
            yield begin, start
            begin = stop
    yield begin, source.size


def _key(entry: bytes) -> bytes:
    key = b""
    for number, wire, _, value, stop in records(entry + PADDING, 0, len(entry)):
        if number == _KEY and wire == LENGTH:
            key = entry[value:stop]
    return key
