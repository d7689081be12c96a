"""The fields of very many short messages, taken from all of them at once.

Reading a hundred thousand nodes one by one is what opening a long model takes most time for;
here numpy looks at the first field of each, then at the second of each, and so on.
"""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from inspector.readers.wire import LENGTH, VARINT

Octets = NDArray[np.uint8]
Places = NDArray[np.int64]
Flags = NDArray[np.bool_]
Value = TypeVar("Value")
MOST_FIELDS = 32  # of one message; one with more is left to those who read one by one
_MOST_BYTES = 4  # of a number


@dataclass(frozen=True, slots=True, eq=False)
class Fields:
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
    """Take the fields of messages that lie at these places, followed by PADDING.

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
    return _sorted(rounds, counts, odd)


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


def _sorted(
    rounds: list[tuple[Places, NDArray[np.uint8], Places, Places]],
    counts: Places,
    odd: Flags,
) -> Fields:
    """Bring what was found round by round into the order of the messages."""
    before = np.cumsum(counts) - counts
    message = np.repeat(np.arange(len(counts)), counts)
    tag = np.empty(len(message), np.uint8)
    start, stop = np.empty_like(message), np.empty_like(message)
    for turn, (live, tags, begins, ends) in enumerate(rounds):
        place = before[live] + turn
        tag[place], start[place], stop[place] = tags, begins, ends
    return Fields(message, tag, start, stop, odd)


def numbers(octets: Octets, starts: Places, stops: Places) -> Places:
    """Decode numbers of up to 4 bytes that lie at these places."""
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
    found = [
        plain[start:stop] for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)
    ]
    for place in [] if "".join(found).isascii() else range(len(found)):
        if not found[place].isascii():
            found[place] = body[starts[place] : stops[place]].decode("utf-8", "replace")
    return found


def unusual(found: Fields, tags: tuple[int, ...]) -> Flags:
    """Messages that are odd, or have fields of other tags than these."""
    odd = found.odd.copy()
    odd[found.message[~np.isin(found.tag, tags)]] = True
    return odd


def spread(message: Places, values: list[Value], number: int, none: Value) -> list[Value]:
    """Give each of so many messages its value; the last one of several, `none` without."""
    if len(values) == number and (message == np.arange(number)).all():
        return values
    whole = [none] * number
    for place, value in zip(message.tolist(), values, strict=True):
        whole[place] = value
    return whole


def parted(message: Places, values: list[Value], number: int) -> list[tuple[Value, ...]]:
    """Give each of so many messages its values."""
    if len(values) == number and (message == np.arange(number)).all():
        return [*zip(values, strict=True)]
    ends = np.searchsorted(message, np.arange(number), "right").tolist()
    return [tuple(values[a:b]) for a, b in zip([0, *ends], ends, strict=False)]
