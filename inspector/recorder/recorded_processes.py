"""Read what the processes of a recording wrote, and end those that still run."""

import json
import os
import signal
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from inspector.recorder import live_progress
from inspector.recorder.recorded_sessions import SAVING_PROFILE
from inspector.recorder.span_ring import BLOCK, KINDS, LAYOUT, Row
from inspector.recorder.wrappers import NOTING_SESSION

# Longest wait for processes that were ended, and between two checks.
_PATIENCE_S = 2.0
_LOOK_S = 0.02
# Spans that are no calls of the program.
NO_CALLS = ("asynchronous run", "release session", SAVING_PROFILE, NOTING_SESSION)
# Nanoseconds: sums of valid times fit into int64; longest uptime, over two years.
_FAR = 1 << 61
_UPTIME = 1 << 56
MOST_RUNS = (1 << 31) - 1  # of a process, that a trace can number
_LAST_CLOCK = _FAR - 2 * _UPTIME  # what is added to it still fits into a trace
_NUMBERS = ("start", "duration", "size", "prediction")
_PLACES = ("thread", "session", "word", "kind")
_ROW = np.dtype(
    [*((n, "<i8") for n in _NUMBERS), *((n, "<i4") for n in _PLACES), ("number", "<i8")]
)
_IN_ORDER = ("start", "duration", "thread", "session", "kind", "word", "size", "prediction")
_RANGES = {  # of fields of a row, as traces allow them; -1 is no run
    "start": (0, _UPTIME),
    "duration": (0, _UPTIME),
    "size": (0, _FAR),
    "prediction": (-1, MOST_RUNS),
    "number": (0, _FAR),
}
_SESSION: dict[str, type] = {"session": int, "model": str, "same": str}
_FIELDS: dict[str, dict[str, type]] = {
    "begin": {"begin": list, "pid": int},
    "group": {"group": int},
    "session": _SESSION,
    "unprofiled": _SESSION,
    "profile": {"profile": str, "zero": int, "begun": list} | _SESSION,
    "layers": {"layers": str, "of": int, "prediction": int, "zero": int},
    "runtime": {"runtime": str, "known": int, "newest": str, "profiles_runs": int},
    "thread": {"thread": int, "name": str},
    "word": {"word": int, "text": str},
    "sample": {"sample": int, "memory": int, "cpu_ns": int},
    "own_ns": {"own_ns": int, "timed": int},
}


def is_running(process: int, folder: Path) -> bool:
    """Return whether a process is running that records into a folder."""
    if os.name != "posix" or process <= 0:
        return False  # to ask by a signal would end it there
    environment_file = Path(f"/proc/{process}/environ")
    if Path("/proc/self/environ").exists():  # its number may be another's by now
        with suppress(OSError):
            return os.fsencode(folder) in environment_file.read_bytes()
        return False
    try:
        os.kill(process, 0)
    except OSError:
        return False
    return True


def end_process_tree(processes: Iterable[int], folder: Path) -> None:
    """End the processes that still run, and wait for them."""
    running_processes = [process for process in processes if is_running(process, folder)]
    for process in running_processes:
        with suppress(OSError):
            os.kill(process, signal.SIGKILL)
    last = time.monotonic() + _PATIENCE_S
    while time.monotonic() < last and any(
        is_running(process, folder) for process in running_processes
    ):
        time.sleep(_LOOK_S)


"""Fields required with each key of a fact; the program may have written into our files."""


class Part(Struct, frozen=True):
    """One process of a recording.

    facts: those written once, in order. rows: (start, duration, thread, session, kind, word,
    bytes, prediction) of each span in the order in which they ended, nanoseconds of
    perf_counter. dropped: how many older spans gave their room to newer ones. by_program:
    whether the recorded program ended the process itself, as a pool does with its workers.
    runs: whether it still does, longer than the program.
    """

    facts: tuple[dict[str, Any], ...]
    rows: tuple[Row, ...]
    dropped: int = 0
    by_program: bool = False
    runs: bool = False

    def facts_with(self, key: str) -> Iterator[dict[str, Any]]:
        """The facts that hold a key."""
        return (fact for fact in self.facts if key in fact)

    @property
    def killed(self) -> bool:
        """Whether the process was killed by another one."""
        return not self.by_program and not self.runs and not self.ended

    @property
    def ended(self) -> bool:
        """Whether the process came to its end by itself."""
        return any(True for _ in self.facts_with("end"))

    @property
    def process(self) -> int:
        """Return the process id; 0 if it is not known."""
        return next((int(fact["pid"]) for fact in self.facts_with("begin")), 0)


def read(folder: Path) -> tuple[Part, ...]:
    """All processes that wrote into a folder, in the order in which they began."""
    parts = [_with_rows(path) for path in sorted(folder.glob("part-*.facts"))]
    started = [part for part in parts if any(part.facts_with("begin"))]
    return tuple(sorted(started, key=lambda part: next(part.facts_with("begin"))["begin"][1]))


def running(folder: Path) -> tuple[int, ...]:
    """Return the process IDs without a recorded end."""
    parts = [_part(path) for path in sorted(folder.glob("part-*.facts"))]
    return tuple(part.process for part in parts if part.runs)


def _part(path: Path) -> Part:
    """A part without its rows."""
    part = Part(tuple(fact for fact in _lines(path) if is_fact(fact)), ())
    group = next((int(fact.get("group", 0)) for fact in part.facts_with("begin")), 0)
    by_program = live_progress.recorded_end(path.parent, part.process, group)
    alive = not part.ended and is_running(part.process, path.parent)
    return replace(part, by_program=by_program, runs=alive)


def _with_rows(path: Path) -> Part:
    part, spans = _part(path), path.with_suffix(".spans")
    if not spans.exists() or not _is_plain(spans):
        return part
    blocks = []
    with open(spans, "rb") as file:
        while data := file.read(BLOCK * LAYOUT.size):
            if not data.strip(b"\0"):  # the rest has never been reached
                break
            blocks.append(valid_rows(data))
    array = np.concatenate(blocks) if blocks else np.empty(0, _ROW)
    array = array[np.argsort(array["number"], kind="stable")]
    room = spans.stat().st_size // LAYOUT.size
    newest = int(array["number"][-1]) if len(array) else 0
    columns = [array[name].tolist() for name in _IN_ORDER]
    columns[_IN_ORDER.index("kind")] = [KINDS[code] for code in array["kind"].tolist()]
    rows = tuple(zip(*columns, strict=True))
    return replace(part, rows=rows, dropped=max(0, newest - room))


def valid_rows(data: bytes) -> NDArray[np.void]:
    """Return the whole rows of some bytes whose fields are within their limits."""
    block = np.frombuffer(data[: len(data) // LAYOUT.size * LAYOUT.size], _ROW)
    block = block[block["number"] > 0]
    fits = (block["kind"] >= 0) & (block["kind"] < len(KINDS))
    for name, (least, limit) in _RANGES.items():
        fits &= (block[name] >= least) & (block[name] < limit)
    return block[fits]


def is_fact(fact: Any) -> bool:
    """Return whether a value has all fields that its keys promise."""
    if not isinstance(fact, dict):
        return False
    field_sets = [fields for key, fields in _FIELDS.items() if key in fact]
    return all(
        _is(fact.get(name), kind) for fields in field_sets for name, kind in fields.items()
    )


def _is(value: Any, kind: type) -> bool:
    """Return whether a value has a type; a list is one instant on three clocks."""
    if kind is list:
        moment = isinstance(value, list) and len(value) == 3
        return moment and all(_is(ns, int) and 0 <= ns < _LAST_CLOCK for ns in value)
    if kind is int:
        return isinstance(value, int) and -_FAR < value < _FAR
    return isinstance(value, kind)


def _lines(path: Path) -> Iterator[Any]:
    """Each whole line; a program that was killed may leave half of the last one."""
    if not _is_plain(path):
        return
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.endswith("\n"):
                with suppress(ValueError, RecursionError):
                    fact = json.loads(line)
                    if isinstance(fact, dict):
                        fact = {key: encodable(value) for key, value in fact.items()}
                    yield fact


def encodable(value: Any) -> Any:
    """Return a text without halves of surrogates, as in names of files that are no UTF-8."""
    if not isinstance(value, str) or value.isascii():
        return value
    return value.encode("utf-8", "replace").decode("utf-8")


def _is_plain(path: Path) -> bool:
    """Return whether a path is a regular file; reading a pipe would block."""
    return stat.S_ISREG(path.lstat().st_mode)
