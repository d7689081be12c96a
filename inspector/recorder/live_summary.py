"""What a recorded program does while it runs: sessions, runs per second, latency, memory.

Reads the files that its processes write, and only what is new in them at each look.
"""

import json
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import perf_counter_ns

import numpy as np
from msgspec import Struct, field

from inspector import units
from inspector.recorder.recorded_processes import NO_CALLS, is_fact, valid_rows
from inspector.recorder.span_ring import BLOCK, KINDS, LAYOUT

_RUNS = ("run(", "run_with_", "run_async(")
_RELEASE = "release session"
_WINDOW_NS = 2_000_000_000  # of which runs per second and latency are told
_MOST_ROWS = 65_536  # read of a process at a look
_MOST_RUNS = 100_000  # remembered of the window
_MOST_BYTES = 4 << 20  # of facts, read of a process at a look


class LiveSummary(Struct, frozen=True):
    """What is known of a running program.

    sessions: that are in memory. models: their names. calls, runs: since it began. per_second:
    runs, over the last seconds. latency_ns: of those the median, p95 and p99; empty without
    runs. memory_bytes: of all processes, as they told it last. profiles_runs: whether its
    runtime can profile the next runs alone.
    """

    sessions: int = 0
    models: tuple[str, ...] = ()
    calls: int = 0
    runs: int = 0
    per_second: float = 0.0
    latency_ns: tuple[int, ...] = ()
    memory_bytes: int = 0
    profiles_runs: bool = False


def live_text(seen: LiveSummary) -> str:
    """Return a summary in a line."""
    if not seen.calls:
        return "no call of ONNX Runtime yet"
    parts = [units.plural(seen.sessions, "session"), units.plural(seen.runs, "run")]
    if seen.latency_ns:
        median, p95, p99 = map(units.duration, seen.latency_ns)
        parts += [f"{seen.per_second:,.0f} runs/s", f"median {median}, p95 {p95}, p99 {p99}"]
    parts += [units.size(seen.memory_bytes)] if seen.memory_bytes else []
    return " · ".join(parts)


class _Part(Struct):
    """What was read of a process. text: of a fact's line that was not whole yet."""

    read_bytes: int = 0
    text: bytes = b""
    last: int = 0  # number of the newest row that was read
    words: dict[int, str] = field(default_factory=dict)
    models: dict[int, str] = field(default_factory=dict)
    paths: dict[int, str | None] = field(default_factory=dict)
    process: int = 0
    memory_bytes: int = 0
    profiles_runs: bool = False


class Follower:
    """Looks into the folder of a recording that goes on."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._parts: dict[str, _Part] = {}
        self._recent: deque[tuple[int, int]] = deque(maxlen=_MOST_RUNS)  # end, duration
        self._calls = self._runs = self._began_ns = 0

    def look(self) -> LiveSummary:
        """Read what is new, and return what is known."""
        for path in sorted(self._folder.glob("part-*.facts")):
            part = self._parts.setdefault(path.name, _Part())
            with suppress(OSError):
                self._read_facts(path, part)
                self._read_rows(path.with_suffix(".spans"), part)
        now = perf_counter_ns()  # the clock of the rows
        while self._recent and self._recent[0][0] < now - _WINDOW_NS:
            self._recent.popleft()
        parts = self._parts.values()
        models = tuple(name for part in parts for name in part.models.values())
        times = [duration for _, duration in self._recent]
        self._began_ns = self._began_ns or (self._recent[0][0] if self._recent else 0)
        window_s = min(_WINDOW_NS, max(1, now - self._began_ns)) / 1e9
        latency = np.percentile(times, (50, 95, 99)).astype(int) if times else ()
        return LiveSummary(
            len(models),
            tuple(dict.fromkeys(models)),
            self._calls,
            self._runs,
            len(times) / window_s,
            tuple(map(int, latency)),
            sum(part.memory_bytes for part in parts),
            any(part.profiles_runs for part in parts),
        )

    def models(self) -> dict[str, Path]:
        """Return the files of all models that were loaded, by their names."""
        every = (path for part in self._parts.values() for path in part.paths.values())
        return {Path(path).name: Path(path) for path in every if path}

    def path_of(self, process: int, session: int) -> Path | None:
        """Return the file of a session's model; None where it was none, or is not known."""
        parts = (part for part in self._parts.values() if part.process == process)
        path = next((p.paths[session] for p in parts if session in p.paths), None)
        return None if path is None else Path(path)

    def _read_facts(self, path: Path, part: _Part) -> None:
        with open(path, "rb") as file:
            file.seek(part.read_bytes)
            data = file.read(_MOST_BYTES)
        part.read_bytes += len(data)
        *lines, part.text = (part.text + data).split(b"\n")
        for line in lines:
            with suppress(ValueError, RecursionError):
                fact = json.loads(line)
                if not is_fact(fact):
                    continue
                if "word" in fact:
                    part.words[fact["word"]] = fact["text"]
                elif "session" in fact:
                    part.models[fact["session"]] = fact["model"]
                    part.paths[fact["session"]] = str(fact.get("path", "")) or None
                elif "begin" in fact:
                    part.process = fact["pid"]
                elif "runtime" in fact:
                    part.profiles_runs |= fact["profiles_runs"] == 1
                elif "sample" in fact:
                    part.memory_bytes = fact["memory"]

    def _read_rows(self, path: Path, part: _Part) -> None:
        for end, duration, session, call in self._new_rows(path, part):
            if call.startswith(_RELEASE):
                part.models.pop(session, None)
            elif call.startswith(_RUNS):
                self._runs += 1
                self._recent.append((end, duration))

    def _new_rows(self, path: Path, part: _Part) -> Iterator[tuple[int, int, int, str]]:
        """Yield end, duration, session and name of calls that are new; some may be missed
        where a program is quicker than we are."""
        with open(path, "rb") as file:
            room = file.seek(0, 2) // LAYOUT.size
            if not room:
                return
            left = min(_MOST_ROWS, room)
            while left > 0:
                place = part.last % room
                file.seek(place * LAYOUT.size)
                size = min(left, BLOCK, room - place)
                rows = valid_rows(file.read(size * LAYOUT.size))
                rows = rows[rows["number"] > part.last]
                left -= size
                if not len(rows):
                    return
                part.last = int(rows["number"].max())
                for row in rows[rows["kind"] == KINDS.index("call")]:
                    start, duration = int(row["start"]), int(row["duration"])
                    call = part.words.get(int(row["word"]), "")
                    self._calls += not call.startswith(NO_CALLS)
                    yield start + duration, duration, int(row["session"]), call
