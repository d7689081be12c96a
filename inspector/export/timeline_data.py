"""The whole trace as numbers for the page's own timeline, with a bound on how many.

Of a long trace spans that are narrow beside its length stand together, as in the window; the
profiled prediction that the page opens with stays exact as far as it can.
"""

from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.counters import Counter
from inspector.detail import Row, detail, extent, representative
from inspector.trace import KINDS, Trace

MOST_SPANS, MOST_ROWS, MOST_VALUES, MOST_COUNTERS, MOST_MOMENTS = 12_000, 60, 600, 12, 200
_LONGEST_NAME = 100
_FINEST = 1 << 16
Numbers = NDArray[np.int64]
# What a browser could take for the end of a script or for markup.
_ESCAPED = str.maketrans({letter: f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"})


@dataclass(frozen=True, slots=True)
class _Crowds:
    """Spans of a row, neighbours together. first: index of each one's first span: (G,).

    longest: the span that stands for it. count, busy_ns, length_ns: (G,).
    """

    first: Numbers
    longest: Numbers
    count: Numbers
    busy_ns: Numbers
    length_ns: Numbers


def timeline_data(trace: Trace) -> str | None:
    """JSON for a script element that is no script; None of an empty trace."""
    if not len(trace):
        return None
    begin, end = extent(trace)
    home = representative(trace)
    rows = detail(trace).rows[:MOST_ROWS]
    exact = _exact(rows, home)
    cell = _cell(rows, exact, end - begin)
    crowds = [_crowds(trace, row, exact, cell) for row in rows]
    shown = np.unique(np.concatenate([trace.name[crowd.longest] for crowd in crowds]))
    names = {number: place for place, number in enumerate(shown.tolist())}
    body = {
        "begin": begin,
        "end": end,
        "home": home,
        "cell": cell,
        "spans": len(trace),
        "tracks": [_track(one.name, one.family) for one in trace.tracks],
        "kinds": [kind.value for kind in KINDS],
        "names": [units.clip(trace.names[number], _LONGEST_NAME) for number in names],
        "rows": [
            _row(trace, row, crowd, names, begin)
            for row, crowd in zip(rows, crowds, strict=True)
        ],
        "counters": [_counter(one, begin) for one in trace.counters[:MOST_COUNTERS]],
        "moments": [
            (one.time_ns - begin, units.clip(one.name, _LONGEST_NAME))
            for one in trace.moments[:MOST_MOMENTS]
        ],
    }
    text = msgspec.json.encode(body).decode("utf-8", "backslashreplace")
    return text.translate(_ESCAPED)


def _track(name: str, family: str) -> dict[str, str]:
    known = family in ("activity", "data", "cpu", "gpu")
    return {"name": units.clip(name, 24), "family": family if known else "npu"}


def _exact(rows: tuple[Row, ...], home: tuple[int, int]) -> tuple[int, int]:
    """The stretch to keep as it is: nothing of it where it alone has too many spans."""
    inside = sum(row.strip.count(*home) for row in rows)
    return home if inside <= MOST_SPANS // 2 else (home[0], home[0])


def _cell(rows: tuple[Row, ...], exact: tuple[int, int], length: int) -> int:
    """Width below which spans stand together, so that few enough are left; 0 for none."""
    if sum(row.last - row.first for row in rows) <= MOST_SPANS:
        return 0
    cell = max(1, length // _FINEST)
    while cell < length:
        starts = (_starts(row, exact, cell) for row in rows)
        if sum(np.count_nonzero(some) for some in starts) <= MOST_SPANS:
            return cell
        cell *= 2
    return length


def _starts(row: Row, exact: tuple[int, int], cell: int) -> NDArray[np.bool_]:
    """Which spans of a row begin a crowd: bool (N,)."""
    start, duration = row.strip.start_ns, row.strip.duration_ns
    inside = (start < exact[1]) & (start + duration > exact[0])
    kept = inside | (duration >= cell)
    place = start // max(cell, 1)
    turns = np.append(True, (np.diff(place) != 0) | kept[1:] | kept[:-1])
    return np.asarray(turns, bool)


def _crowds(trace: Trace, row: Row, exact: tuple[int, int], cell: int) -> _Crowds:
    start, duration = row.strip.start_ns, row.strip.duration_ns
    begins = _starts(row, exact, cell)
    first = np.flatnonzero(begins)
    group = np.cumsum(begins) - 1
    order = np.lexsort((-duration, group))
    last = np.append(first[1:], len(start)) - 1
    return _Crowds(
        first + row.first,
        order[first] + row.first,
        last - first + 1,
        np.add.reduceat(duration, first),
        start[last] + duration[last] - start[first],
    )


def _row(
    trace: Trace, row: Row, crowds: _Crowds, names: dict[int, int], begin: int
) -> dict[str, Any]:
    """Columns of a row; starts as differences, which are short."""
    spans = crowds.longest
    told: dict[str, Any] = {
        "track": row.track,
        "depth": row.depth,
        "start": np.diff(trace.start_ns[crowds.first], prepend=begin).tolist(),
        "length": crowds.length_ns.tolist(),
        "name": [names[number] for number in trace.name[spans].tolist()],
        "kind": trace.kind[spans].tolist(),
        "layer": trace.layer[spans].tolist(),
    }
    if trace.size_bytes[spans].any():
        told["bytes"] = trace.size_bytes[spans].tolist()
    if (crowds.count > 1).any():
        told["count"] = crowds.count.tolist()
        told["busy"] = crowds.busy_ns.tolist()
    return told


def _counter(one: Counter, begin: int) -> dict[str, Any]:
    """Values of a counter; of many every so manieth, with its highest kept."""
    places = np.arange(len(one.times_ns))
    if len(places) > MOST_VALUES:
        parts = np.array_split(places, MOST_VALUES)
        places = np.array([part[one.values[part].argmax()] for part in parts])
    return {
        "name": units.clip(one.name, 24),
        "unit": one.unit,
        "at": (one.times_ns[places] - begin).tolist(),
        "value": [round(value, 3) for value in one.values[places].tolist()],
    }
