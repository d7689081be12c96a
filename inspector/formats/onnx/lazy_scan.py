"""Lazy scan: read an ONNX file without its weights and binaries, whose positions are noted.

The messages and their field numbers are those of onnx.proto.
"""

import re
import secrets
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from msgspec import Struct

from inspector.formats.protobuf_wire import (
    FIXED_4,
    FIXED_8,
    LENGTH,
    PADDING,
    VARINT,
    WINDOW_BYTES,
    Data,
    Malformed,
    Window,
    framed,
    records,
)
from inspector.formats.source import Source

SHORT_BYTES = 1024

# The types of attributes that hold tensors or graphs: a short node without one has no tensor.
_HOLDS = re.compile(rb"\xa0\x01[\x04\x05\x09-\x0c]")
_TYPE = b"\xa0\x01"
_ATTRIBUTE_TAG = b"\x2a"
_NODE_TAG = 0x0A
_TAGS = _ATTRIBUTE_TAG, b"\x4a", b"\x52"  # of a node's repeated messages
# tags of one byte
_DIMS = 0x08
_SHORT_TENSORS_TYPE = 0x10
_PACKED_DIMS = 0x0A
_NAME = 0x42
_RAW = 0x4A
_LONGEST = 127  # what one byte can say
MAX_DEPTH = 100  # of nested graphs; protobuf's own limit
MAX_FIELDS = 2_000_000  # visited one by one, against files made to take forever
MAX_PARTS = 1_000_000  # nodes, tensors, values, ...: each becomes a Python object later
MAX_KEPT_BYTES = 64 << 20
LONG_STRING = 64 << 10  # bytes of an attribute that stay in the message; longer are binaries
_STRING_FIELD = 4  # of an AttributeProto
INLINE_BYTES = 1024  # of a tensor's values that stay in the message instead of a reference
FLOAT = 4
INT32 = 5
STRING = 6
INT64 = 7
RAW = 9
DOUBLE = 10
UINT64 = 11
FIELD_NAMES = {
    FLOAT: "float_data", INT32: "int32_data", STRING: "string_data", INT64: "int64_data",
    RAW: "raw_data", DOUBLE: "double_data", UINT64: "uint64_data",
}  # fmt: skip
# How a field may be written: all at once, and those of numbers also one by one.
_WIRES = {
    FLOAT: (LENGTH, FIXED_4), DOUBLE: (LENGTH, FIXED_8), STRING: (LENGTH,), RAW: (LENGTH,),
    INT32: (LENGTH, VARINT), INT64: (LENGTH, VARINT), UINT64: (LENGTH, VARINT),
}  # fmt: skip
_NODE = "Node"
_TENSOR = "Tensor"
_OTHER = "other"
_STRING = "string"
# What a message may hold that leads to a TensorProto, and the other messages in it.
_CHILDREN = {
    "Model": {7: "Graph", 20: "Training", 25: "Function", 8: _OTHER, 14: _OTHER, 26: _OTHER},
    "Graph": {1: _NODE, 5: _TENSOR, 15: "Sparse"} | dict.fromkeys((11, 12, 13, 14, 16), _OTHER),
    _NODE: {5: "Attribute", 9: _OTHER, 10: _OTHER},
    "Attribute": {
        _STRING_FIELD: _STRING, 5: _TENSOR, 6: "Graph", 10: _TENSOR, 11: "Graph",
        14: _OTHER, 15: _OTHER, 22: "Sparse", 23: "Sparse",
    },
    "Sparse": {1: _TENSOR, 2: _TENSOR},
    "Function": {7: _NODE, 11: "Attribute", 9: _OTHER, 12: _OTHER, 14: _OTHER},
    "Training": {1: "Graph", 2: "Graph", 3: _OTHER, 4: _OTHER},
    _TENSOR: {3: _OTHER, 13: _OTHER, 16: _OTHER},
}  # fmt: skip
_UNWALKED_PER_FIELD = 16  # bytes: protobuf makes 100 times as much memory of tiny messages
_OUTLINE_FIELDS = 1000  # fields of the outermost message read to recognize a file
_WHOLE_BYTES = 1 << 20  # of a file that is read whole, since that is faster than windows
_TOO_BIG = "Inspector limits the complexity of models to protect this machine."


def is_plain(node: bytes) -> bool:
    """Return whether a short onnx.NodeProto holds no tensor for certain."""
    untyped = _ATTRIBUTE_TAG in node and _TYPE not in node  # as the oldest files are
    return not untyped and _HOLDS.search(node) is None


def most_messages(data: bytes, start: int, stop: int) -> int:
    """Bound the messages in nodes: no more than there are bytes that are tags of them."""
    return sum(data.count(tag, start, stop) for tag in _TAGS)


class PlainNodes:
    """Finds runs of short nodes without tensors in an onnx.GraphProto."""

    def __init__(self, data: Data, end: int) -> None:
        self._data, self._end = data, end
        self._piece, self._low, self._stop = b"", 0, 0
        self._holders: Iterator[re.Match[bytes]] = iter(())
        self._holder = -1

    def pass_over(self, at: int) -> tuple[int, int, int]:
        """Pass over the run that begins at a record.

        Returns where it ends, its number of nodes, and the most messages in them.
        """
        self._load_piece(at)
        piece, began, number = self._piece, at - self._low, 0
        while self._holder < began:
            holder = next(self._holders, None)
            self._holder = self._stop if holder is None else holder.start()
            if holder is None:
                break
        place, end = began, self._holder
        while place < end and piece[place] == _NODE_TAG:
            value, length = place + 2, piece[place + 1]
            if length > 127:
                high, value = piece[place + 2], place + 3
                if not 0 < high <= SHORT_BYTES >> 7:
                    break
                length += (high - 1) << 7
            stop = value + length
            if stop > end or (
                piece.find(_ATTRIBUTE_TAG, value, stop) >= 0
                and piece.find(_TYPE, value, stop) < 0
            ):
                break
            place, number = stop, number + 1
        return self._low + place, number, most_messages(piece, began, place) if number else 0

    def _load_piece(self, at: int) -> None:
        """Take the piece of the data in which a place lies."""
        if isinstance(self._data, bytes):
            piece, low, stop = self._data, 0, self._end
        else:
            piece, low, _ = self._data.piece(at)
            stop = min(self._end - low, len(piece) - len(PADDING))
        if piece is not self._piece:
            self._piece, self._low, self._stop = piece, low, stop
            self._holders = _HOLDS.finditer(piece, at - low, stop)
            self._holder = -1


def raw_values(data: bytes, at: int, end: int) -> tuple[int, int, int] | None:
    """Find the values of an onnx.TensorProto with only dims, type, name and raw_data.

    Returns where they start and stop, and the number of fields; None for any other tensor,
    one with numbers above 127 among them.
    """
    fields = start = stop = 0
    while at < end:
        tag, number = data[at], data[at + 1]
        if number > _LONGEST:
            return None
        at += 2
        fields += 1
        if tag in (_RAW, _NAME, _PACKED_DIMS):
            if tag == _RAW:
                if stop:
                    return None
                start, stop = at, at + number
            at += number
        elif tag not in (_DIMS, _SHORT_TENSORS_TYPE):
            return None
    return (start, stop, fields) if at == end and stop else None


class Payload(NamedTuple):
    """Position of one field of a tensor's values in the file.

    field: number in TensorProto.
    offset, length: of the bytes in the file; of the whole records when there are several.
    records: how often the field occurs; a writer may cut values into several records.
    """

    field: int
    offset: int
    length: int
    records: int = 1


class LazyScan(Struct, frozen=True):
    """A model without its weights, which stay in the file.

    body: a valid ModelProto without tensor payloads above INLINE_BYTES. A tensor that has
        payloads carries an `external_data` entry with the key `mark`, its value an index
        into `payloads`. The mark is random, so that no file can forge it.
    fields: number of fields walked. strings: of attributes above LONG_STRING; each is the mark
        with its index in `payloads` instead.
    """

    body: bytes
    mark: str
    payloads: tuple[tuple[Payload, ...], ...]
    fields: int
    strings: int = 0


def lazy_scan(source: Source) -> LazyScan:
    """Walk a file and leave payloads of tensors where they are.

    Raises UnreadableFile: not protobuf, damaged, nested deeper than MAX_DEPTH, more than
    MAX_FIELDS fields, MAX_PARTS messages or MAX_KEPT_BYTES outside of the payloads.
    """
    mark = secrets.token_hex(6)
    walk = _Walk(mark)
    data = _data(source)
    try:
        body = walk.message("Model", data, 0, 0, source.size, 1)
        if body is None:
            body = walk.retained_bytes(data, 0, source.size)
    except Malformed as error:
        raise source.failure(str(error), error.hint) from error
    return LazyScan(body, mark, tuple(walk.payloads), walk.fields, walk.strings)


def holds_values(field: int, wire: int) -> bool:
    """Return whether a record of a TensorProto holds values of it."""
    return wire in _WIRES.get(field, ())


def outline(source: Source) -> frozenset[tuple[int, int]]:
    """Return (field number, wire type) of the first fields of a file's outermost message.

    Raises Malformed: not protobuf, or damaged.
    """
    fields: set[tuple[int, int]] = set()
    try:
        for field, wire, *_ in islice(records(Window(source), 0, source.size), _OUTLINE_FIELDS):
            fields.add((field, wire))
    except Malformed as error:
        if fields:
            raise
        raise Malformed("it is not an ONNX model", "Choose a model file.") from error
    return frozenset(fields)


def _data(source: Source) -> Data:
    if source.size > _WHOLE_BYTES:
        return Window(source)
    return source.read(0, source.size) + PADDING


class _Walk:
    """One walk through a file: positions are relative to `data`, `base` is where it begins."""

    def __init__(self, mark: str) -> None:
        self._mark = mark.encode()
        self._key = framed(1, self._mark)
        self.payloads: list[tuple[Payload, ...]] = []
        self.fields = self.parts = self.copied_bytes = self.strings = 0

    def message(
        self, kind: str, data: Data, base: int, at: int, end: int, depth: int
    ) -> bytes | None:
        """Return the message without its big payloads; None when it has none to leave out."""
        if depth > MAX_DEPTH:
            raise Malformed(f"it is nested deeper than {MAX_DEPTH} levels", _TOO_BIG)
        if end - at <= WINDOW_BYTES and isinstance(data, Window):
            data, base, at, end = data[at:end] + PADDING, at, 0, end - at
        retained_from, pieces = at, list[bytes]()
        for field, child, start, value, stop in self._parts(kind, data, at, end):
            body: bytes | None
            if child is _STRING:
                body = b"%b%d" % (self._mark, len(self.payloads))
                self.payloads.append((Payload(field, base + value, stop - value),))
            elif child is _TENSOR:
                body = self.tensor(data, base, value, stop)
            else:
                body = self.message(child, data, base, value, stop, depth + 1)
            if body is not None:
                if start > retained_from:
                    pieces.append(self.retained_bytes(data, retained_from, start))
                pieces.append(framed(field, body))
                self.strings += child is _STRING
                retained_from = stop
        if not pieces:
            return None
        pieces.append(self.retained_bytes(data, retained_from, end))
        return b"".join(pieces)

    def _parts(
        self, kind: str, data: Data, at: int, end: int
    ) -> Iterator[tuple[int, str, int, int, int]]:
        """Yield (field, kind, start of the record, start, stop) of what may hold tensors."""
        children = _CHILDREN[kind]
        plain = PlainNodes(data, end) if kind == "Graph" else None
        while at < end:
            if plain is not None:
                at = self._passed(plain, at)
            for field, wire, start, value, stop in records(data, at, end):
                self._charge(1)
                at, child = stop, children.get(field)
                if wire != LENGTH or child is None:
                    continue
                if child is _STRING and stop - value <= LONG_STRING:
                    continue
                self.parts += 1
                if child is _OTHER:
                    self._charge((stop - value) // _UNWALKED_PER_FIELD)
                    continue
                short = stop - value <= INLINE_BYTES
                if not (short and child is _NODE and self._plain(data, value, stop)):
                    yield field, child, start, value, stop
                if child is _NODE and plain is not None:
                    break

    def tensor(self, data: Data, base: int, at: int, end: int) -> bytes | None:
        """Return the tensor without its big payloads, marked; None when it has no payload."""
        if end - at <= WINDOW_BYTES and isinstance(data, Window):
            data, base, at, end = data[at:end] + PADDING, at, 0, end - at
        if end - at <= INLINE_BYTES and isinstance(data, bytes):
            plain = raw_values(data, at, end)
            if plain is not None:
                start, stop, fields = plain
                self._charge(fields)
                whole = self.retained_bytes(data, at, end) + self._marker()
                self.payloads.append((Payload(RAW, base + start, stop - start),))
                return whole
        payloads_by_field: dict[int, list[int]] = {}
        pieces, retained_from = [], at
        for field, wire, start, value, stop in records(data, at, end):
            self._charge(1)
            if not holds_values(field, wire):
                if field in _CHILDREN[_TENSOR]:
                    self._charge((stop - value) // _UNWALKED_PER_FIELD)
                continue
            place = payloads_by_field.setdefault(field, [start, value, stop, 0])
            place[2] = stop
            place[3] += 1
            if field == RAW:  # of several, the last one counts
                place[:] = start, value, stop, 1
            if wire == LENGTH and stop - value > INLINE_BYTES:
                pieces.append(self.retained_bytes(data, retained_from, start))
                retained_from = stop
        if not payloads_by_field:
            return None
        pieces.append(self.retained_bytes(data, retained_from, end))
        pieces.append(self._marker())
        self.payloads.append(
            tuple(
                _payload(field, base, *payloads_by_field[field]) for field in payloads_by_field
            )
        )
        return b"".join(pieces)

    def retained_bytes(self, data: Data, start: int, stop: int) -> bytes:
        """Copy bytes that are no payload, and count them."""
        self.copied_bytes += stop - start
        if self.copied_bytes > MAX_KEPT_BYTES:
            limit = f"{MAX_KEPT_BYTES >> 20} MiB"
            raise Malformed(f"it has more than {limit} of data besides its tensors", _TOO_BIG)
        return data[start:stop]

    def _plain(self, data: Data, start: int, stop: int) -> bool:
        """Return whether a short node holds no tensor, and charge what it may hold."""
        node = data[start:stop]
        self._charge(most_messages(node, 0, len(node)))
        return is_plain(node)

    def _passed(self, plain: PlainNodes, at: int) -> int:
        """Pass over a run of plain nodes, and charge them and what they may hold."""
        stop, nodes, messages = plain.pass_over(at)
        self.parts += nodes
        self._charge(nodes + messages)
        return stop

    def _marker(self) -> bytes:
        self._charge(3)
        index = b"%d" % len(self.payloads)
        entry = b"%b\x12%c%b" % (self._key, len(index), index)
        return b"\x6a%c%b" % (len(entry), entry)

    def _charge(self, fields: int) -> None:
        self.fields += fields
        if self.fields > MAX_FIELDS:
            raise Malformed(f"it has more than {MAX_FIELDS:,} fields", _TOO_BIG)
        if self.parts > MAX_PARTS:
            raise Malformed(
                f"it has more than {MAX_PARTS:,} nodes, tensors or values", _TOO_BIG
            )


def _payload(field: int, base: int, start: int, value: int, stop: int, count: int) -> Payload:
    first = value if count == 1 else start
    return Payload(field, base + first, stop - first, count)
