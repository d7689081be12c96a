"""The main graph of a long model, read all at once instead of node by node."""

from dataclasses import dataclass

import numpy as np

from inspector.model import WeightInfo
from inspector.readers.lockstep import Flags, Octets, Places
from inspector.readers.many_nodes import ManyNodes, many_nodes
from inspector.readers.many_tensors import many_tensors
from inspector.readers.skim import Skim
from inspector.readers.wire import LENGTH, PADDING, framed, records, varint

LEAST_BYTES = 256 << 10  # of what is no payload; below, protobuf is as quick
_GRAPH, _NODE, _TENSOR = 7, 0x0A, 0x2A


@dataclass(frozen=True, slots=True, eq=False)
class LongGraph:
    """Nodes and initializers of the main graph, in the file's order.

    rest: the ModelProto without them, but for those that are odd in `nodes` or None in
    `weights`: these are to be read one by one.
    """

    rest: bytes
    nodes: ManyNodes
    weights: tuple[WeightInfo | None, ...]


def long_graph(skim: Skim, least: int = LEAST_BYTES) -> LongGraph | None:
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
    tags, values = octets[edges[:-1]], _values(octets, edges[:-1])
    plain = body.decode("latin-1")
    nodes, tensors = np.flatnonzero(tags == _NODE), np.flatnonzero(tags == _TENSOR)
    made = many_nodes(body, plain, octets, values[nodes], edges[nodes + 1])
    weights = many_tensors(skim, plain, octets, values[tensors], edges[tensors + 1])
    left = np.ones(len(tags), np.bool_)
    left[nodes] = made.odd
    left[tensors] = [weight is None for weight in weights]
    rest = framed(_GRAPH, _left(body, edges, left))
    return LongGraph(body[:before] + rest + body[stop:], made, weights)


def _edges(padded: bytes, at: int, end: int) -> Places | None:
    """Where the records of a message start, and its end; None where one is no message or text.

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


def _values(octets: Octets, starts: Places) -> Places:
    """Where the values of records start: behind the last byte of tag and length, each."""
    at = starts
    for _ in range(2):
        at = at.copy()
        on = np.arange(len(at))
        while len(on):
            more = octets[at[on]] > 127
            at[on] += 1
            on = on[more]
    return at


def _left(body: bytes, edges: Places, left: Flags) -> bytes:
    """Join the records that are left."""
    turns = np.flatnonzero(np.diff(left, prepend=False, append=False))
    runs = edges[turns].reshape(-1, 2).tolist()
    return b"".join(body[start:stop] for start, stop in runs)
