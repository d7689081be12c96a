"""Nodes that hold no tensor, as most do: told by their bytes, passed over in runs."""

import re
from collections.abc import Iterator

from inspector.readers.wire import PADDING, Data

SHORT_BYTES = 1024

# The types of attributes that hold tensors or graphs: a short node without one has no tensor.
_HOLDS = re.compile(rb"\xa0\x01[\x04\x05\x09-\x0c]")
_TYPE, _ATTRIBUTE_TAG, _NODE_TAG = b"\xa0\x01", b"\x2a", 0x0A
_TAGS = _ATTRIBUTE_TAG, b"\x4a", b"\x52"  # of a node's repeated messages


def is_plain(node: bytes) -> bool:
    """Tell whether a short onnx.NodeProto holds no tensor for certain."""
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
        self._look_at(at)
        piece, began, number = self._piece, at - self._low, 0
        place, end = began, self._next_holder(began)
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

    def _look_at(self, at: int) -> None:
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

    def _next_holder(self, place: int) -> int:
        while self._holder < place:
            found = next(self._holders, None)
            self._holder = self._stop if found is None else found.start()
            if found is None:
                break
        return self._holder
