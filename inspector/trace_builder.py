"""Collects spans one by one, in any order, into a trace."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from inspector.columns import Column, from_columns
from inspector.counters import FLOWS, Counter, Flow, Flows, Moment
from inspector.nesting import nesting
from inspector.spans import COLUMNS, Trace
from inspector.tracks import KINDS, Kind, Track


class TraceBuilder:
    """Collects spans in any order; `trace` freezes them. Depth follows from the nesting."""

    def __init__(self) -> None:
        self._tracks: dict[Track, int] = {}
        self._names: dict[str, int] = {}
        self._rows: list[tuple[int, int, int, int, int, int, int, int]] = []
        self._counters: dict[tuple[str, str, str], list[tuple[int, float]]] = {}
        self._flows: list[tuple[int, int, int]] = []
        self._moments: list[Moment] = []

    def track(self, track: Track) -> None:
        """Make room for a track now, so that it comes in this order and even when unused."""
        self._tracks.setdefault(track, len(self._tracks))

    def add(
        self,
        track: Track,
        name: str,
        start_ns: int,
        duration_ns: int,
        kind: Kind = Kind.CALL,
        layer: int | None = None,
        run: int | None = None,
        size_bytes: int = 0,
    ) -> int:
        """Put down one span; times in nanoseconds on the caller's clock. Returns its number."""
        self.track(track)
        row = (
            start_ns,
            max(0, duration_ns),
            self._tracks[track],
            KINDS.index(kind),
            self._names.setdefault(name, len(self._names)),
            -1 if layer is None else layer,
            -1 if run is None else run,
            size_bytes,
        )
        self._rows.append(row)
        return len(self._rows) - 1

    def flow(self, begin: int, end: int, kind: Flow) -> None:
        """Put down an arrow between two spans, by the numbers that `add` gave."""
        self._flows.append((begin, end, FLOWS.index(kind)))

    def count(
        self, name: str, time_ns: int, value: float, unit: str = "", process: str = ""
    ) -> None:
        """Put down the value of a counter from an instant on."""
        self._counters.setdefault((name, unit, process), []).append((time_ns, value))

    def moment(self, name: str, time_ns: int) -> None:
        """Put down an instant that is worth a line."""
        self._moments.append(Moment(time_ns, name))

    @property
    def earliest_ns(self) -> int:
        """When the first span begins, on the caller's clock; 0 without any."""
        return min((row[0] for row in self._rows), default=0)

    def trace(self, zero_ns: int | None = None) -> Trace:
        """Return what was collected; times count from `zero_ns`, by default the first start."""
        rows = np.asarray(self._rows, np.int64).reshape(-1, 8)
        start, duration, track = rows[:, 0], rows[:, 1], rows[:, 2]
        zero = self.earliest_ns if zero_ns is None else zero_ns
        keys = [key for key in COLUMNS if key != "depth"]
        columns: dict[str, Column] = dict(zip(keys, rows.T, strict=True))
        columns["depth"] = nesting(start, duration, track)
        columns["start_ns"] = start - zero
        arrows = np.asarray(self._flows, np.int64).reshape(-1, 3)
        return from_columns(
            tuple(self._tracks),
            tuple(self._names),
            columns,
            [
                Counter(name, unit, *_pairs(values, zero), process)
                for (name, unit, process), values in self._counters.items()
            ],
            Flows(*arrows.T),
            [replace(one, time_ns=one.time_ns - zero) for one in self._moments],
        )


def _pairs(
    values: list[tuple[int, float]], zero_ns: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    times = np.array([time for time, _ in values], np.int64) - zero_ns
    return times, np.array([value for _, value in values], np.float64)
