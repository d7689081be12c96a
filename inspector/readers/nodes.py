"""Nodes that hold no tensor, as most do: told by their bytes, passed over in runs."""

import re

from inspector.readers.wire import Data

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
    """Finds runs of short nodes without tensors in an onnx.GraphProto, which is in memory."""

    def __init__(self, data: Data, at: int, end: int) -> None:
        self._data = data if isinstance(data, bytes) else b""
        self._end = end if isinstance(data, bytes) else at
        self._holders = _HOLDS.finditer(self._data, at, self._end)
        self._holder = at - 1

    def pass_over(self, at: int) -> tuple[int, int]:
        """Return where the run ends that begins at a record, and its number of nodes."""
        data, end, number = self._data, self._next_holder(at), 0
        while at < end and data[at] == _NODE_TAG:
            value, length = at + 2, data[at + 1]
            if length > 127:
                high, value = data[at + 2], at + 3
                if not 0 < high <= SHORT_BYTES >> 7:
                    break
                length += (high - 1) << 7
            stop = value + length
            if stop > end or (
                data.find(_ATTRIBUTE_TAG, value, stop) >= 0
                and data.find(_TYPE, value, stop) < 0
            ):
                break
            at, number = stop, number + 1
        return at, number

    def _next_holder(self, at: int) -> int:
        while self._holder < at:
            found = next(self._holders, None)
            self._holder = self._end if found is None else found.start()
            if found is None:
                break
        return self._holder
