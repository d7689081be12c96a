"""What a Chrome trace holds beside its spans: values of counters, and ends of arrows."""

import math
from collections.abc import Iterable
from typing import Any

import msgspec
import numpy as np

from inspector.readers.arrows import Points, points
from inspector.readers.event_values import NONE_NS, nanoseconds
from inspector.readers.json_stream import Piece
from inspector.trace import Counter

_MOST_COUNTERS, _MOST_SERIES = 1000, 64
_PLAIN = ("value", "", "Value")
_UNITS = {"bytes": "bytes", "percent": "percent"}


class Counted(msgspec.Struct, gc=False):
    """An event with all that it says, as counters need it."""

    ph: Any = ""
    name: Any = ""
    pid: Any = 0
    ts: Any = None
    id: Any = None
    args: Any = None


_DECODE = msgspec.json.Decoder(list[Counted])
_DECODE_ONE = msgspec.json.Decoder(Counted)


class Values:
    """Collects the values of counters piece by piece."""

    def __init__(self) -> None:
        self.lost = 0
        self._told: dict[tuple[str, str, str, str], tuple[list[Any], list[float]]] = {}

    def take(self, piece: Piece) -> None:
        """Add the values in a piece of the list; most have none."""
        if b'"C"' not in piece.body:
            return
        for event in _decoded(piece):
            if event.ph == "C" and isinstance(event.args, dict):
                self._add(event)
            else:
                self.lost += event.ph == "C"

    def counters(self, processes: dict[str, str]) -> tuple[Counter, ...]:
        """All counters, values in order of time; processes: names by their numbers."""
        several = {key[:3] for key in self._told}
        each = {three: sum(key[:3] == three for key in self._told) for three in several}
        found = []
        for (process, name, ident, series), (when, values) in self._told.items():
            times = nanoseconds(when)
            usable = times != NONE_NS
            order = np.argsort(times[usable], kind="stable")
            alone = each[process, name, ident] == 1
            unit = _UNITS.get(series, "") if alone else ""
            plain = alone and (series in _PLAIN or bool(unit))
            words = (f"{name} {ident}".strip(), "" if plain else series)
            found.append(
                Counter(
                    ", ".join(word for word in words if word) or "Counter",
                    unit,
                    times[usable][order],
                    np.array(values, np.float64)[usable][order],
                    processes.get(process, ""),
                )
            )
        return tuple(one for one in found if len(one.times_ns))

    def _add(self, event: Counted) -> None:
        ident = "" if event.id is None else str(event.id)
        for series, value in list(event.args.items())[:_MOST_SERIES]:
            key = str(event.pid), str(event.name or ""), ident, series
            number = _number(value)
            if number is None or (key not in self._told and len(self._told) >= _MOST_COUNTERS):
                self.lost += 1
                continue
            when, values = self._told.setdefault(key, ([], []))
            when.append(event.ts)
            values.append(number)


def _decoded(piece: Piece) -> Iterable[Counted]:
    body = piece.body.strip(b", \t\r\n")
    try:
        return _DECODE.decode(b"[" + body + b"]")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return [one for begin, end in piece.places if (one := _one(piece.body[begin:end]))]


def _one(body: bytes) -> Counted | None:
    try:
        return _DECODE_ONE.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _number(value: Any) -> float | None:
    if isinstance(value, str) and len(value) < 40:
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


class Arrows:
    """Collects the points that arrows go through."""

    def __init__(self) -> None:
        self._chains: dict[tuple[str, str, str], int] = {}
        self._rows: list[tuple[Any, ...]] = []

    def __len__(self) -> int:
        return len(self._rows)

    def take(self, event: Any, thread: int) -> None:
        """Add one of an event of phase s, t or f; thread: its number."""
        chain = self._chain((str(event.cat or ""), str(event.name or ""), _ident(event)))
        opens, closes = event.ph == "s", event.ph == "f"
        coming = closes and event.bp != "e"
        self._rows.append((chain, thread, event.ts, -1, opens, closes, coming))

    def through(self, event: Any, thread: int, row: int) -> None:
        """Add an event that says itself that arrows come from it or lead to it."""
        out, into = event.flow_out is True, event.flow_in is True
        if out or into:
            chain = self._chain(("", "", str(event.bind_id)))
            self._rows.append((chain, thread, event.ts, row, not into, not out, False))

    def points(self) -> Points:
        """All that have a usable time."""
        times = nanoseconds([row[2] for row in self._rows]).tolist()
        both = zip(self._rows, times, strict=True)
        return points([(*row[:2], at, *row[3:]) for row, at in both if at != NONE_NS])

    def _chain(self, key: tuple[str, str, str]) -> int:
        return self._chains.setdefault(key, len(self._chains))


def _ident(event: Any) -> str:
    return str(event.id2 if event.id is None else event.id)
