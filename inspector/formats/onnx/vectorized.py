"""Vectorized decoding of the main graph of a long model, for models of very many nodes.

Exists in addition to the reader that decodes node by node, because opening 100,000 nodes with
67,000 weights took 3.6 s with it and 5.4 s without it on two busy cores. At 2,000 and 10,000
nodes, times were the same within noise. Delete it once 100,000 nodes open within 1 s without
it.
"""

from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import repeat
from typing import TypeVar

import numpy as np
from google.protobuf.message import DecodeError
from msgspec import Struct
from numpy.typing import NDArray
from onnx import AttributeProto

from inspector.formats.onnx.attributes import HOLDERS, attribute_kind, attribute_text
from inspector.formats.onnx.lazy_scan import FIELD_NAMES, RAW, LazyScan
from inspector.formats.onnx.types import element
from inspector.formats.protobuf_wire import LENGTH, PADDING, VARINT, framed, records, varint
from inspector.model.model import Attribute, Layer, Place, WeightInfo, packed_bytes, product

Octets = NDArray[np.uint8]
Places = NDArray[np.int64]
Flags = NDArray[np.bool_]
Value = TypeVar("Value")
MOST_FIELDS = 32  # of one message; one with more is left to those who read one by one
_MOST_BYTES = 4  # of a number
# Tags of NodeProto's fields: field number << 3 | wire type (onnx.proto).
_INPUT = 0x0A
_OUTPUT = 0x12
_NAME = 0x1A
_OPERATOR = 0x22
_ATTRIBUTE = 0x2A
_DOC = 0x32
_DOMAIN = 0x3A
_TAGS = (_INPUT, _OUTPUT, _NAME, _OPERATOR, _ATTRIBUTE, _DOC, _DOMAIN)
# Tags of TensorProto's fields (onnx.proto).
_DIM = 0x08
_TYPE = 0x10
_MANY_TENSORS_NAME = 0x42
_VALUES = 0x4A
_ENTRY = 0x6A
_MANY_TENSORS_TAGS = (_DIM, _TYPE, _MANY_TENSORS_NAME, _VALUES, _ENTRY)
LEAST_BYTES = 256 << 10  # of what is no payload; below, protobuf is as quick
# Field number of ModelProto.graph; tags of GraphProto.node and initializer.
_GRAPH = 7
_NODE = 0x0A
_TENSOR = 0x2A


class Fields(Struct, frozen=True, eq=False):
    """Fields in the order of the messages, and in that of the file within one.

    message: to which each belongs. tag: uint8, number and wire type, as written. start, stop:
    where its value lies. odd: bool (M,), messages that are to be read in another way; what is
    here of them is not all.
    """

    message: Places
    tag: NDArray[np.uint8]
    start: Places
    stop: Places
    odd: Flags

    def of(self, tag: int) -> tuple[Places, Places, Places]:
        """Messages, starts and stops of the fields of one tag."""
        chosen = np.flatnonzero(self.tag == tag)
        return self.message[chosen], self.start[chosen], self.stop[chosen]


def fields(octets: Octets, starts: Places, stops: Places) -> Fields:
    """Decode the fields of messages at these positions of a padded body.

    Odd are those with more than MOST_FIELDS fields, with tags of two bytes, lengths above
    16,383, numbers of more than 4 bytes, wire types that ONNX does not use, or damage.
    """
    odd = np.zeros(len(starts), np.bool_)
    counts = np.zeros(len(starts), np.int64)
    rounds = []
    live, at = np.flatnonzero(starts < stops), starts[starts < stops]
    for _ in range(MOST_FIELDS):
        if not len(live):
            break
        tag, start, stop, wrong = _next(octets, at)
        wrong |= stop > stops[live]
        odd[live[wrong]] = True
        rounds.append((live, tag, start, stop))
        counts[live] += 1
        on = ~wrong & (stop < stops[live])
        live, at = live[on], stop[on]
    odd[live] = True
    before = np.cumsum(counts) - counts
    message = np.repeat(np.arange(len(counts)), counts)
    tag = np.empty(len(message), np.uint8)
    start, stop = np.empty_like(message), np.empty_like(message)
    for round_number, (live, tags, begins, ends) in enumerate(rounds):
        place = before[live] + round_number
        tag[place], start[place], stop[place] = tags, begins, ends
    return Fields(message, tag, start, stop, odd)


def _next(octets: Octets, at: Places) -> tuple[NDArray[np.uint8], Places, Places, Flags]:
    """Tag, start and stop of the value of the field at each place; and what is odd."""
    tag, first = octets[at], octets[at + 1].astype(np.int64)
    wire, start = tag & 7, at + 2
    wrong = (tag > 127) | (tag < 8) | ((wire != LENGTH) & (wire != VARINT))
    stop = start + first
    if (first > 127).any():
        high = octets[start].astype(np.int64)
        long = first > 127
        wrong |= long & (wire == LENGTH) & (high > 127)
        start = np.where(long, at + 3, start)
        stop = np.where(long, start + (first & 127) + (high << 7), stop)
    numbers = np.flatnonzero(wire == VARINT)
    if len(numbers):
        begin = at[numbers] + 1
        more = np.stack([octets[begin + place] > 127 for place in range(_MOST_BYTES)])
        start[numbers] = begin
        stop[numbers] = begin + 1 + np.logical_and.accumulate(more).sum(axis=0)
        wrong[numbers] |= more.all(axis=0)
    return tag, start, stop, wrong


def numbers(octets: Octets, starts: Places, stops: Places) -> Places:
    """Decode numbers of up to 4 bytes at these positions."""
    value = np.zeros(len(starts), np.int64)
    for place in range(_MOST_BYTES):
        part = (octets[starts + place] & 127).astype(np.int64) << (7 * place)
        value += np.where(starts + place < stops, part, 0)
    return value


def texts(body: bytes, plain: str, starts: Places, stops: Places) -> list[str]:
    """Cut texts out of a message.

    plain: the body with a character for each byte, out of which to cut is quickest. What is
    not valid UTF-8 has a sign in its place.
    """
    decoded = [
        plain[start:stop] for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)
    ]
    for place in [] if "".join(decoded).isascii() else range(len(decoded)):
        if not decoded[place].isascii():
            decoded[place] = body[starts[place] : stops[place]].decode("utf-8", "replace")
    return decoded


def unusual(message_fields: Fields, tags: tuple[int, ...]) -> Flags:
    """Messages that are odd, or have fields of other tags than these."""
    odd = message_fields.odd.copy()
    odd[message_fields.message[~np.isin(message_fields.tag, tags)]] = True
    return odd


def spread(message: Places, values: list[Value], number: int, none: Value) -> list[Value]:
    """Return one value for each message: its last one, `none` without."""
    if len(values) == number and (message == np.arange(number)).all():
        return values
    whole = [none] * number
    for place, value in zip(message.tolist(), values, strict=True):
        whole[place] = value
    return whole


def parted(message: Places, values: list[Value], number: int) -> list[tuple[Value, ...]]:
    """Return the values of each message."""
    if len(values) == number and (message == np.arange(number)).all():
        return [*zip(values, strict=True)]
    ends = np.searchsorted(message, np.arange(number), "right").tolist()
    return [tuple(values[a:b]) for a, b in zip([0, *ends], ends, strict=False)]


_made = partial(tuple.__new__, Layer)  # half the time of `Layer._make`


class ManyNodes(Struct, frozen=True, eq=False):
    """Columns of nodes, in the file's order; those in `odd` are to be read one by one."""

    odd: NDArray[np.bool_]
    names: Sequence[str]
    operators: Sequence[str]
    domains: Sequence[str]
    inputs: Sequence[tuple[str, ...]]
    outputs: Sequence[tuple[str, ...]]
    attributes: Sequence[tuple[Attribute, ...]]
    docs: Sequence[str]

    def layers(self, first: int, start: int, stop: int) -> Iterator[Layer]:
        """Return the layers of some of the nodes; first: the index of the first of them."""
        part = slice(start, stop)
        columns = zip(
            range(first, first + stop - start),
            self.names[part],
            self.operators[part],
            self.domains[part],
            self.inputs[part],
            self.outputs[part],
            self.attributes[part],
            repeat(None),
            repeat(""),
            self.docs[part],
            repeat(()),
            repeat(""),
            repeat(()),
            strict=False,
        )
        return map(_made, columns)


def many_nodes(
    body: bytes, plain: str, octets: Octets, starts: Places, stops: Places
) -> ManyNodes:
    """Decode onnx.NodeProto messages at these positions of a body.

    plain, octets: the bodies of all messages, as bytes and as an array.
    """
    message_fields = fields(octets, starts, stops)
    odd, number = unusual(message_fields, _TAGS), len(starts)

    def cut(tag: int) -> tuple[Places, list[str]]:
        message, begin, end = message_fields.of(tag)
        return message, texts(body, plain, begin, end)

    def one(tag: int) -> list[str]:
        return spread(*cut(tag), number, "")

    def several(tag: int) -> list[tuple[str, ...]]:
        return parted(*cut(tag), number)

    operators, domains = one(_OPERATOR), one(_DOMAIN)
    shared_names = {name: name for name in operators} | {"ai.onnx": ""}  # few, so each once
    whole: list[tuple[Attribute, ...]] = [()] * len(odd)
    message, begin, end = message_fields.of(_ATTRIBUTE)
    described = cache(_described)  # models are full of equal ones
    for place, start, stop in zip(message.tolist(), begin.tolist(), end.tolist(), strict=True):
        attribute = None if odd[place] else described(body[start:stop])
        if attribute is None:
            odd[place] = True
        else:
            whole[place] = (*whole[place], attribute)
    return ManyNodes(
        odd=odd,
        names=one(_NAME),
        operators=[*map(shared_names.__getitem__, operators)],
        domains=[shared_names.get(name, name) for name in domains] if any(domains) else domains,
        inputs=several(_INPUT),
        outputs=several(_OUTPUT),
        docs=one(_DOC),
        attributes=whole,
    )


def _described(octets: bytes) -> Attribute | None:
    """Describe an attribute; None for what holds tensors or graphs, or is damaged."""
    try:
        proto = AttributeProto.FromString(octets)
    except DecodeError:
        return None
    return None if attribute_kind(proto) in HOLDERS else attribute_text(proto)


def many_tensors(
    skim: LazyScan, plain: str, octets: Octets, starts: Places, stops: Places
) -> tuple[WeightInfo | None, ...]:
    """Decode onnx.TensorProto messages at these positions of a scanned body.

    plain, octets: the bodies of all messages, as bytes and as an array. Returns a weight for
    each that has only dims, type, name and raw_data of the length that they say; None for
    the others.
    """
    number = len(starts)
    message_fields = fields(octets, starts, stops)
    message, start, stop = message_fields.of(_ENTRY)
    key = np.frombuffer(framed(1, skim.mark.encode()), np.uint8)
    long = stop - start > len(key) + 2
    message, start, stop = message[long], start[long], stop[long]
    ours = (octets[start[:, None] + np.arange(len(key))] == key).all(axis=1)
    message, start, stop = message[ours], start[ours] + len(key) + 2, stop[ours]
    digits = zip(start.tolist(), stop.tolist(), strict=True)
    marks = spread(message, [int(plain[a:b]) for a, b in digits], len(message_fields.odd), -1)
    odd = unusual(message_fields, _MANY_TENSORS_TAGS)
    message, begin, end = message_fields.of(_MANY_TENSORS_NAME)
    names = spread(message, texts(skim.body, plain, begin, end), number, "")
    message, begin, end = message_fields.of(_TYPE)
    types = spread(message, numbers(octets, begin, end).tolist(), number, 0)
    message, begin, end = message_fields.of(_DIM)
    shapes = parted(message, numbers(octets, begin, end).tolist(), number)
    kind = cache(_kind)
    weights: list[WeightInfo | None] = []
    for strange, name, type_, shape, mark in zip(
        odd.tolist(), names, types, shapes, marks, strict=True
    ):
        payloads = skim.payloads[mark] if mark >= 0 and not strange else ()
        dtype, expected = kind(type_, shape)
        if len(payloads) == 1 and payloads[0].field == RAW and payloads[0].length == expected:
            _, offset, length, records = payloads[0]
            place = Place("", offset, length, FIELD_NAMES[RAW], records)
            weights.append(WeightInfo(name, dtype, shape, length, place))
        else:
            weights.append(None)
    return tuple(weights)


def _kind(type_: int, shape: tuple[int, ...]) -> tuple[str, int | None]:
    """Return the name of an element type, and the packed size of so many elements."""
    dtype, elements = element(type_), product(shape)
    return dtype, None if elements is None else packed_bytes(dtype, elements)


class LongGraph(Struct, frozen=True, eq=False):
    """Nodes and initializers of the main graph, in the file's order.

    rest: the ModelProto without them, but for those that are odd in `nodes` or None in
    `weights`: these are to be read one by one.
    """

    rest: bytes
    nodes: ManyNodes
    weights: tuple[WeightInfo | None, ...]


def long_graph(skim: LazyScan, least: int = LEAST_BYTES) -> LongGraph | None:
    """Read what can be read at once of a model; None for a short one, or an odd file."""
    body = skim.body
    if len(body) < least:
        return None
    padded = body + PADDING
    graphs = [part for part in records(padded, 0, len(body)) if part[0] == _GRAPH]
    if len(graphs) != 1 or graphs[0][1] != LENGTH:  # several become one by protobuf's rules
        return None
    _, _, before, start, stop = graphs[0]
    octets = np.frombuffer(padded, np.uint8)
    edges = _edges(padded, start, stop)
    if edges is None:
        return None
    at = edges[:-1]
    for _ in range(2):
        at = at.copy()
        on = np.arange(len(at))
        while len(on):
            more = octets[at[on]] > 127
            at[on] += 1
            on = on[more]
    tags, values = octets[edges[:-1]], at
    plain = body.decode("latin-1")
    nodes, tensors = np.flatnonzero(tags == _NODE), np.flatnonzero(tags == _TENSOR)
    layers = many_nodes(body, plain, octets, values[nodes], edges[nodes + 1])
    weights = many_tensors(skim, plain, octets, values[tensors], edges[tensors + 1])
    left = np.ones(len(tags), np.bool_)
    left[nodes] = layers.odd
    left[tensors] = [weight is None for weight in weights]
    turns = np.flatnonzero(np.diff(left, prepend=False, append=False))
    runs = edges[turns].reshape(-1, 2).tolist()
    rest = framed(_GRAPH, b"".join(body[start:stop] for start, stop in runs))
    return LongGraph(body[:before] + rest + body[stop:], layers, weights)


def _edges(padded: bytes, at: int, end: int) -> Places | None:
    """Return where the records of a message start, and its end; None where one is no message or
    text.

    The rest of this module is about few calls for many records; this walk takes a turn for
    each, since only its length tells where the next one is.
    """
    edges = []
    while at < end:
        edges.append(at)
        tag, length, value = padded[at], padded[at + 1], at + 2
        if length > 127 and tag < 128 and padded[value] < 128:
            length += (padded[value] - 1) << 7
            value += 1
        elif tag > 127 or length > 127:
            tag, value = varint(padded, at)
            length, value = varint(padded, value)
        at = value + length
        if tag & 7 != LENGTH:
            return None
    return np.array([*edges, at], np.int64) if at == end else None
