"""One more load with the runtime's log, to time the load phases."""

import os
import re
import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from time import perf_counter_ns

from msgspec import Struct
from msgspec.structs import replace

from inspector.backends.measuring import process_state
from inspector.backends.measuring.clean_pass import Tell
from inspector.backends.onnxruntime.profiling import profile
from inspector.backends.onnxruntime.sessions import session as session_module
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.backends.onnxruntime.sessions.session import create_session
from inspector.platform.heap import trim_heap
from inspector.report.report import LoadPhase
from inspector.report.run_spec import RunSpec
from inspector.wording.values import Sentence

_LINE = re.compile(
    rb"(\d\d):(\d\d):(\d\d)\.(\d{1,9}) \[[A-Z]:onnxruntime[^\]]*\] *(?:, )?(.{0,300})"
)
_PASS = re.compile(rb"Applying graph transformer (\w{1,80}) on step")
_PASSED = re.compile(rb"GraphTransformer (\w{1,80}) modified")
_LEVEL = re.compile(rb"Applying \d+ graph transformer\(s\) for level (\d)")
_SPAN_NS = 900 * 10**9  # time zones differ from each other by whole quarters of an hour

READ = "read and parse"
# What begins with a line that has these words; the first that matches.
_BEGINS = (
    (re.compile(rb"Initializing session"), "check the graph"),
    (
        re.compile(rb"Stopping graph transformer iteration for level 1 "),
        "assign layers to devices",
    ),
    (re.compile(rb"Running graph optimizations in loop"), "graph optimization, level 2"),
    (re.compile(rb"Node placements"), "plan execution"),
    (re.compile(rb"Saving initialized tensors"), "copy the weights"),
    (re.compile(rb"Done saving initialized tensors"), "prepack the weights"),
    (re.compile(rb"Session successfully initialized"), ""),
)

MOST_LOG_BYTES = 256 << 20
_EVERYTHING = 0
_STANDARD_ERROR = 2
_LEAST_SHARE = 0.01  # of the load: shorter passes of the optimiser say nothing


class LogPhase(Struct, frozen=True):
    """Something the runtime did while it loaded, by its log.

    A pass of the optimizer lies in a phase.
    """

    name: str
    start_ns: int
    duration_ns: int
    inside: str = ""
    grown_bytes: int | None = None

    @property
    def end_ns(self) -> int:
        """Return when it ended."""
        return self.start_ns + self.duration_ns


def log_phases(
    lines: Iterable[bytes], began_wall_ns: int, duration_ns: int
) -> tuple[LogPhase, ...]:
    """Read the phases of one load, and the optimiser's passes in them, in their order.

    began_wall_ns: when it began, on the system's clock. duration_ns: what it took. Starts in
    the answer count from the beginning of the load.
    """
    messages = [
        (at, message) for at, message in _told(lines, began_wall_ns) if 0 <= at <= duration_ns
    ]
    phases = tuple(_phases(messages, duration_ns))
    passes = (_within(each, phases) for each in _passes(messages))
    return tuple(sorted((*phases, *passes), key=lambda each: (each.start_ns, -each.end_ns)))


def _told(lines: Iterable[bytes], began_wall_ns: int) -> Iterator[tuple[int, bytes]]:
    for line in lines:
        match = _LINE.search(line)
        if match:
            hours, minutes, seconds, fraction, message = match.groups()
            whole = int(hours) * 3600 + int(minutes) * 60 + int(seconds)
            at = whole * 10**9 + int(fraction.ljust(9, b"0"))
            since = (at - began_wall_ns) % _SPAN_NS
            yield since if since < _SPAN_NS * 0.9 else since - _SPAN_NS, message


def _phases(messages: Iterable[tuple[int, bytes]], duration_ns: int) -> Iterator[LogPhase]:
    name, start = READ, 0
    for at, message in messages:
        following = _begins(message)
        if following is None or following == name:
            continue
        if name and at > start:
            yield LogPhase(name, start, at - start)
        name, start = following, at
    if name not in ("", READ):
        yield LogPhase(name, start, duration_ns - start)


def _begins(message: bytes) -> str | None:
    level = _LEVEL.search(message)
    if level:
        return Sentence("graph optimization, level {int}", int(level[1]))
    return next((name for pattern, name in _BEGINS if pattern.search(message)), None)


def _passes(messages: Iterable[tuple[int, bytes]]) -> Iterator[LogPhase]:
    under_way: tuple[bytes, int] | None = None
    for at, message in messages:
        begun, ended = _PASS.search(message), _PASSED.search(message)
        if begun:
            under_way = begun[1], at
        elif ended and under_way and ended[1] == under_way[0]:
            yield LogPhase(ended[1].decode(), under_way[1], at - under_way[1])
            under_way = None


def _within(each: LogPhase, phases: tuple[LogPhase, ...]) -> LogPhase:
    around = (p.name for p in phases if p.start_ns <= each.start_ns < p.end_ns)
    return LogPhase(each.name, each.start_ns, each.duration_ns, next(around, ""))


class LoadDetail(Struct, frozen=True):
    """A load in its parts: start_ns on perf_counter's clock, those of parts from there."""

    start_ns: int
    duration_ns: int
    parts: tuple[LogPhase, ...]

    @property
    def phases(self) -> tuple[LoadPhase, ...]:
        """Return each phase with its time in all, and after it the passes in it."""
        times: Counter[tuple[str, str]] = Counter()
        grown: dict[tuple[str, str], int] = {}
        for part in self.parts:
            times[part.inside, part.name] += part.duration_ns
            if part.grown_bytes is not None:
                key = part.inside, part.name
                grown[key] = grown.get(key, 0) + part.grown_bytes
        return tuple(
            LoadPhase(name, time, around, grown.get((around, name)))
            for (outer, phase), _ in times.items()
            if not outer
            for (around, name), time in times.items()
            if around == phase or (around, name) == ("", phase)
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Return a note if the log had nothing to say."""
        if self.parts:
            return ()
        return ("The log of this version of ONNX Runtime does not contain the load phases.",)


def load_in_detail(
    model: Path, spec: RunSpec, units: Sequence[DeviceHandle], folder: Path, tell: Tell
) -> LoadDetail:
    """Load a model as the clean pass does, writing the log into `folder` meanwhile.

    Raises EngineFailed: the runtime refused.
    """
    tell("load in detail", -1, ())
    log = folder / "load.log"
    trim_heap()  # what earlier sessions left would be used again
    with _standard_error_in(log), MemorySamples() as memory:
        begun = profile.now()
        body, companions = session_module.model_source(model, spec)
        session = create_session(
            body, spec, units, external_folder=companions, log_level=_EVERYTHING
        )
        duration_ns = perf_counter_ns() - begun.perf_ns
        del session  # its end has nothing to do with loading
    with log.open("rb") as lines:
        phases = log_phases(_capped(lines), begun.wall_ns, duration_ns)
    log.unlink()
    long_phases = (
        p for p in phases if not p.inside or p.duration_ns > _LEAST_SHARE * duration_ns
    )
    parts = (
        replace(p, grown_bytes=memory.grown_bytes(begun.perf_ns + p.start_ns, p.duration_ns))
        for p in long_phases
    )
    return LoadDetail(begun.perf_ns, duration_ns, tuple(parts))


class MemorySamples:
    """The memory of this process every millisecond, from a thread of its own.

    The runtime releases Python's lock while it loads.
    """

    EVERY_S = 0.001
    FEWEST = 3  # samples inside a phase: in fewer, the memory may be that of its neighbors

    def __init__(self) -> None:
        self._at_ns: list[int] = []
        self._bytes: list[int] = []
        self._ended = Event()
        self._thread = Thread(target=self._sample, daemon=True)

    def __enter__(self) -> "MemorySamples":
        self._take()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        self._take()

    def grown_bytes(self, start_ns: int, duration_ns: int) -> int | None:
        """Return by how much memory grew in a period; None if it was too short to tell."""
        first = bisect_right(self._at_ns, start_ns)
        after = bisect_right(self._at_ns, start_ns + duration_ns)
        if first == 0 or after - first < self.FEWEST:
            return None
        return self._bytes[after - 1] - self._bytes[first - 1]

    def _sample(self) -> None:
        while not self._ended.wait(self.EVERY_S):
            self._take()

    def _take(self) -> None:
        self._bytes.append(process_state.resident_bytes())
        self._at_ns.append(perf_counter_ns())


def _capped(lines: Iterator[bytes]) -> Iterator[bytes]:
    left = MOST_LOG_BYTES
    for line in lines:
        left -= len(line)
        if left < 0:
            return
        yield line


@contextmanager
def _standard_error_in(file: Path) -> Iterator[None]:
    """Let the runtime write its log into a file: it knows no other way out than this one."""
    sys.stderr.flush()
    previous = os.dup(_STANDARD_ERROR)
    try:
        with file.open("wb") as opened:
            os.dup2(opened.fileno(), _STANDARD_ERROR)
        yield
    finally:
        os.dup2(previous, _STANDARD_ERROR)
        os.close(previous)
