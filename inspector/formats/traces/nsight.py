"""Traces of NVIDIA's Nsight Systems: the database that `nsys export --type sqlite` writes.

Kernels and copies are tied to the call that launched them by their correlation, and to the
layer by the innermost NVTX range around that call: TensorRT, PyTorch and ONNX Runtime (built
with NVTX) open one for each layer. All times are on one clock.
https://docs.nvidia.com/nsight-systems/UserGuide/index.html#sqlite-schema-reference
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from inspector.formats.source import Source
from inspector.formats.traces.span_collector import WALL, Clock, Spans
from inspector.trace.trace import (
    FLOW_KINDS,
    KINDS,
    FlowKind,
    Flows,
    Kind,
    Lane,
    TracedLayer,
    Track,
)

SOURCE = "Nsight Systems trace"
HEAD = b"SQLite format 3\0"
_MOST = 5_000_000  # events of one kind
_LONGEST = 4096  # letters of a name
_MOST_BYTES = 1 << 24  # of one value or statement, against files made to take memory
_PID_UNIT = 1 << 24  # of the numbers that stand for a process and one of its threads
_HINT = "Export it again: nsys export --type sqlite REPORT.nsys-rep"
# What is read of each table, in the order of the columns of an event: start, end, thread or
# process, correlation, device, stream, name, bytes.
_RANGES = (
    "NVTX_EVENTS",
    "SELECT start, end, globalTid, 0, 0, 0, COALESCE(text, textId), 0 FROM NVTX_EVENTS "
    "WHERE eventType IN (59, 60) AND end IS NOT NULL AND globalTid IS NOT NULL",
)
_CALLS = (
    "CUPTI_ACTIVITY_KIND_RUNTIME",
    "SELECT start, end, globalTid, correlationId, 0, 0, nameId, 0 "
    "FROM CUPTI_ACTIVITY_KIND_RUNTIME",
)
_KERNELS = (
    "CUPTI_ACTIVITY_KIND_KERNEL",
    "SELECT start, end, globalPid, correlationId, deviceId, streamId, shortName, 0 "
    "FROM CUPTI_ACTIVITY_KIND_KERNEL",
)
_COPIES = (
    "CUPTI_ACTIVITY_KIND_MEMCPY",
    "SELECT start, end, globalPid, correlationId, deviceId, streamId, copyKind, bytes "
    "FROM CUPTI_ACTIVITY_KIND_MEMCPY",
)
_COPY_NAMES = {1: "host to device", 2: "device to host", 8: "device to device"}
_KIND = {kind: index for index, kind in enumerate(KINDS)}

Numbers = NDArray[np.int64]


def spans(source: Source, path: Path) -> tuple[Spans, Clock | None]:
    """Return the events of a database and its clock. Raises UnreadableFile."""
    try:
        address = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(address, uri=True)) as database:
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_BYTES)
            database.execute("PRAGMA trusted_schema = OFF")
            return _Database(database, source).spans()
    except (sqlite3.Error, TypeError, ValueError, OverflowError) as error:
        why = f"its database is damaged, or of another version ({error})"
        raise source.failure(why[:200], _HINT) from error


class _Database:
    """Reads the tables, and collects tracks and names."""

    def __init__(self, database: sqlite3.Connection, source: Source) -> None:
        self._database = database
        listed = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        self._tables = {str(name) for (name,) in listed}
        if "StringIds" not in self._tables:
            raise source.failure("it is a database, but no trace of Nsight Systems", _HINT)
        self._strings = dict(database.execute("SELECT id, value FROM StringIds"))
        self._names: dict[str, int] = {}
        self._tracks: dict[Track, int] = {}
        self._notes: list[str] = []

    def spans(self) -> tuple[Spans, Clock | None]:
        """Return all events."""
        ranges, calls, kernels, copies = map(self._events, (_RANGES, _CALLS, _KERNELS, _COPIES))
        works = np.concatenate([kernels, copies])
        around = np.full(len(calls), -1, np.int64)  # the innermost range; -1 for none
        for thread in np.unique(calls[:, 2]).tolist():
            own = np.flatnonzero(ranges[:, 2] == thread)
            own = own[np.lexsort((-ranges[own, 1], ranges[own, 0]))]
            asked = np.flatnonzero(calls[:, 2] == thread)
            asked = asked[np.argsort(calls[asked, 0], kind="stable")]
            around[asked] = list(_sweep(own, ranges, calls[asked, 0].tolist()))
        launcher = _launchers(calls, works)
        used = np.unique(ranges[around[around >= 0], 6])
        texts = list(self._names)
        layers = tuple(
            TracedLayer(place, texts[name], "") for place, name in enumerate(used.tolist())
        )
        layer_of = np.full(len(texts) + 1, -1, np.int64)  # the last is for none
        layer_of[used] = np.arange(len(used))
        call_layer = layer_of[
            np.where(around >= 0, ranges[around, 6] if len(ranges) else -1, -1)
        ]
        work_layer = np.append(call_layer, -1)[launcher]
        columns = {
            "start_ns": np.concatenate([each[:, 0] for each in (ranges, calls, works)]),
            "layer": np.concatenate([layer_of[ranges[:, 6]], call_layer, work_layer]),
            "name": np.concatenate([each[:, 6] for each in (ranges, calls, works)]),
            "size_bytes": np.concatenate([each[:, 7] for each in (ranges, calls, works)]),
            "kind": np.repeat(
                [_KIND[k] for k in (Kind.EVENT, Kind.CALL, Kind.KERNEL, Kind.COPY)],
                [len(ranges), len(calls), len(kernels), len(copies)],
            ),
            "track": np.concatenate([
                self._threads(ranges, "NVTX"), self._threads(calls, "CUDA API"),
                self._streams(kernels, Lane.COMPUTE), self._streams(copies, Lane.DATA),
            ]),
        }  # fmt: skip
        ends = np.concatenate([each[:, 1] for each in (ranges, calls, works)])
        columns["duration_ns"] = np.maximum(0, ends - columns["start_ns"])
        columns["run"] = np.full(len(ends), -1, np.int64)
        linked = np.flatnonzero(launcher >= 0)
        flows = Flows(
            len(ranges) + launcher[linked], len(ranges) + len(calls) + linked,
            np.full(len(linked), FLOW_KINDS.index(FlowKind.LAUNCH), np.int64),
        )  # fmt: skip
        found = Spans(
            SOURCE, tuple(self._tracks), tuple(self._names), columns, layers,
            tuple(self._notes), flows=flows,
        )  # fmt: skip
        return found, self._clock(int(columns["start_ns"].min(initial=0)))

    def _events(self, table: tuple[str, str]) -> Numbers:
        """Return the events of a table: int64 (N, 8); its names are numbers of names."""
        name, query = table
        if name not in self._tables:
            return np.empty((0, 8), np.int64)
        rows = self._database.execute(f"{query} LIMIT {_MOST}").fetchall()
        if len(rows) == _MOST:
            self._notes.append(f"Only the first {_MOST:,} events of {name} are shown.")
        copies = table is _COPIES
        plain = [
            (
                *row[:6],
                self._name(_COPY_NAMES.get(row[6], "copy") if copies else row[6]),
                row[7],
            )
            for row in rows
        ]
        return np.array(plain, np.int64).reshape(-1, 8)

    def _name(self, given: object) -> int:
        text = self._strings.get(given, given) if isinstance(given, int) else given
        return self._names.setdefault(str(text)[:_LONGEST], len(self._names))

    def _threads(self, events: Numbers, title: str) -> Numbers:
        """Return the track of each event: one for each thread."""
        threads, place = np.unique(events[:, 2], return_inverse=True)
        titles = [f"{title}, thread {number + 1}" for number in range(len(threads))]
        made = [
            self._track(Track(Lane.ACTIVITY, each, family="activity"))
            for each in (titles if len(titles) > 1 else [title][: len(titles)])
        ]
        return np.array(made, np.int64)[place]

    def _streams(self, events: Numbers, lane: Lane) -> Numbers:
        """Return the track of each event: one for each stream of a device."""
        pairs, place = np.unique(events[:, 4:6], axis=0, return_inverse=True)
        made = []
        for device, stream in pairs.tolist():
            name = f"GPU {device}, stream {stream}"
            if lane is Lane.DATA:
                made.append(self._track(Track(lane, f"Copies, {name}", family="data")))
            else:
                made.append(self._track(Track(lane, name, f"gpu:{device}", "gpu")))
        return np.array(made, np.int64)[place.reshape(-1)]

    def _track(self, track: Track) -> int:
        return self._tracks.setdefault(track, len(self._tracks))

    def _clock(self, first_ns: int) -> Clock | None:
        table = "TARGET_INFO_SESSION_START_TIME"
        if table not in self._tables:
            return None
        row = self._database.execute(f"SELECT utcEpochNs FROM {table}").fetchone()
        return Clock(WALL, int(row[0]) + first_ns) if row else None


def _launchers(calls: Numbers, works: Numbers) -> Numbers:
    """Return the call that launched each work, by correlation and process; -1 for none."""
    if not len(calls):
        return np.full(len(works), -1, np.int64)
    own, asked = (
        (each[:, 3] & 0xFFFFFFFF) * _PID_UNIT + each[:, 2] // _PID_UNIT % _PID_UNIT
        for each in (calls, works)
    )
    order = np.argsort(own, kind="stable")
    place = np.minimum(np.searchsorted(own[order], asked), len(order) - 1)
    return np.where(own[order][place] == asked, order[place], -1)


def _sweep(own: Numbers, ranges: Numbers, moments: list[int]) -> Iterator[int]:
    """Yield the innermost range at each moment; both in order of time."""
    starts, ends, numbers = ranges[own, 0].tolist(), ranges[own, 1].tolist(), own.tolist()
    opened: list[int] = []
    following = 0
    for moment in moments:
        while following < len(starts) and starts[following] <= moment:
            opened.append(following)
            following += 1
        while opened and ends[opened[-1]] < moment:
            opened.pop()
        yield numbers[opened[-1]] if opened else -1
