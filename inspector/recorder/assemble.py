"""Assemble the parts of a recording into one trace, with tracks for each model, and notes.

Profiles of the runtime are JSON arrays of events with `cat` "Node", `ts` and `dur` in
microseconds from the profile's start. Which clock that start is on differs between systems, so
it is converted to perf_counter's clock here.
"""

import glob
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from time import perf_counter_ns, time_ns
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector import units
from inspector.analysis.advice.trace_rules import CPU_LOAD
from inspector.backends.measuring.machine_load import MachineLoad
from inspector.recorder import unrecorded_python
from inspector.recorder.recorded_processes import MOST_RUNS, NO_CALLS, Part, encodable, read
from inspector.recorder.recorded_sessions import MOST_PROFILED
from inspector.trace.chrome_json import trace_events
from inspector.trace.trace import (
    COLUMNS,
    FlowKind,
    Kind,
    Lane,
    Trace,
    TracedLayer,
    Track,
    from_columns,
)
from inspector.trace.trace_builder import TraceBuilder
from inspector.trace.trace_file import SavedTrace, to_bytes
from inspector.wording.values import Count, Name, Sentence

COPIES = ("MemcpyFromHost", "MemcpyToHost")
_SLACK_NS = 1_000_000_000  # by which a profile may begin before the clock was read
_LARGEST = 600 << 20  # bytes of a runtime profile that is read
_FAMILIES = {"CPU": "cpu", "QNN": "npu", "CoreML": "npu", "VitisAI": "npu"}
_ELSEWHERE = "values"
_LONGEST_US = 1 << 46  # of a time in a profile: two years
WALL = "the system's time"
# Calls from which a mean is given. The first one of each kind takes some 300 us, in which the
# recorder learns what it is called with; all others take 1 to 10 us.
LEAST_TIMED = 10
_LEAST_LOAD_NS = 1_000_000  # between two samples that tell a load


class Kernel(Struct, frozen=True):
    """One executed node; start on perf_counter's clock, in nanoseconds.

    thread: the system's number of the thread that it ran on.
    """

    name: str
    operator: str
    device: str
    unit: str
    family: str
    start_ns: int
    duration_ns: int
    thread: int


class Layers:
    """Numbers for the nodes of all models, given as they come."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str, str], int] = {}

    def number(self, model: str, name: str, operator: str) -> int:
        """The number of a node of a model."""
        return self._numbers.setdefault((model, name, operator), len(self._numbers))

    def all(self) -> tuple[TracedLayer, ...]:
        """All layers, in the order of their numbers."""
        return tuple(
            TracedLayer(number, name, operator)
            for (_, name, operator), number in self._numbers.items()
        )


def read_profile(folder: Path, name: str, zero: int) -> tuple[Kernel, ...]:
    """The nodes of a profile; nothing when the program died before it was written.

    name: of its file, but for the time. zero: its start on perf_counter's clock.
    """
    for path in sorted(folder.glob(f"{glob.escape(Path(name).name)}_*.json")):
        if 0 < path.stat().st_size < _LARGEST:
            try:
                events = json.loads(path.read_text("utf-8", errors="replace"))
            except (ValueError, RecursionError):  # cut off by the end of the program
                return ()
            if not isinstance(events, list):
                return ()
            return tuple(_kernel(one, zero) for one in events if _is_kernel(one))
    return ()


def _zero(start_ns: int, begun: list[int]) -> int:
    """Return the start of a profile on perf_counter's clock, from `begun` on three clocks.

    perf_counter is tried first: on Windows it is the profile's clock.
    """
    perf = begun[0]
    for clock in begun:
        if clock - _SLACK_NS <= start_ns <= clock + 600 * _SLACK_NS:
            return start_ns - clock + perf
    return perf


def _is_kernel(event: Any) -> bool:
    return (
        isinstance(event, dict)
        and event.get("cat") == "Node"
        and str(event.get("name")).endswith("_kernel_time")
        and all(_is_time(event.get(key)) for key in ("ts", "dur"))
        and isinstance(event.get("args", {}), dict)
        and isinstance(event.get("tid", 0), int)
    )


def _is_time(value: Any) -> bool:
    return isinstance(value, int | float) and 0 <= value < _LONGEST_US


def _kernel(event: dict[str, Any], zero: int) -> Kernel:
    arguments = event.get("args", {})
    provider = str(arguments.get("provider", "")).removesuffix("ExecutionProvider") or "CPU"
    provider = encodable(provider)
    return Kernel(
        encodable(str(event["name"]).removesuffix("_kernel_time")),
        encodable(str(arguments.get("op_name", ""))),
        provider,
        provider.lower(),
        _FAMILIES.get(provider, "gpu"),
        zero + int(event["ts"]) * 1000,
        int(event["dur"]) * 1000,
        int(event.get("tid", 0)),
    )


def predictions_of(
    part: Part, session: int, kernels: Sequence[Kernel]
) -> tuple[int | None, ...]:
    """The number of the call in which each kernel ran; None for none.

    The runtime does not say. A kernel lies in a call by its time; where calls of several
    threads overlap, by its thread too, which is that of the call unless the runtime shares out
    the nodes of a model.
    """
    native = {fact["thread"]: fact.get("native", -1) for fact in part.facts_with("thread")}
    rows = [r for r in part.rows if r[3] == session and r[4] == "call" and r[7] >= 0]
    calls: dict[int, list[tuple[int, int, int]]] = {}
    for start, duration, thread, *_, number in sorted(rows):
        calls.setdefault(native.get(thread, -1), []).append((start, start + duration, number))
    tables = {thread: np.array(table, np.int64) for thread, table in calls.items()}
    return tuple(_number(tables, one) for one in kernels)


def _number(tables: dict[int, NDArray[np.int64]], kernel: Kernel) -> int | None:
    own = tables.get(kernel.thread)
    middle = kernel.start_ns + kernel.duration_ns // 2
    for table in [own] if own is not None else tables.values():
        place = int(np.searchsorted(table[:, 0], middle, "right")) - 1
        if place >= 0 and middle <= table[place, 1]:
            return int(table[place, 2])
    return None


class Recording(Struct, frozen=True):
    """A recorded program: its trace, the layers that kernels belong to, and notes.

    overhead_ns: what the recorder itself took for each call, on average; 0 where fewer than
    LEAST_TIMED were timed. zero_ns: the system's
    time when that of the trace is 0.
    """

    trace: Trace
    layers: tuple[TracedLayer, ...]
    calls: int
    overhead_ns: float
    peak_memory_bytes: int
    processes: int
    notes: tuple[str, ...]
    zero_ns: int = 0

    @property
    def about(self) -> dict[str, str]:
        """Notes that are stored next to the events of the file."""
        calls = units.plural(self.calls, "call") + " to ONNX Runtime"
        return {"recorded": calls, "wall_zero_ns": str(self.zero_ns)}

    @property
    def remarks(self) -> tuple[str, ...]:
        """Notes with what the recorder cost, and the memory."""
        cost = f"Recording added {units.duration(self.overhead_ns)} to each call on average."
        memory_note = (
            f"The peak memory of the program was {units.size(self.peak_memory_bytes)}."
        )
        notes = [cost] * bool(self.overhead_ns) + [memory_note] * bool(self.peak_memory_bytes)
        every = (*self.notes, " ".join(notes))
        return tuple(note for note in every if note)


def body(recording: Recording, target: Path) -> bytes | memoryview:
    """The file of a recording: columns where its name ends in .npz, else Chrome's JSON."""
    if target.suffix == ".npz":
        metadata = recording.layers, recording.remarks, "Inspector recording", ""
        return to_bytes(SavedTrace(recording.trace, *metadata, WALL, recording.zero_ns))
    return trace_events(recording.trace, recording.layers, recording.about, recording.remarks)


def collect(
    folder: Path, status: int = 1, damaged: bool = False, load: MachineLoad | None = None
) -> Recording:
    """Put together what was written into a folder.

    status: that with which the program ended; what was killed is not it where that is 0.
    damaged: whether the program changed what was written, and facts of its end may be gone.
    load: of the machine while the program ran.
    """
    parts = read(folder)
    builder = TraceBuilder()
    layers = Layers()
    notes: list[str] = []
    models = _Models()
    titles = [f"process {n + 1}" if len(parts) > 1 else "" for n in range(len(parts))]
    for part, title in zip(parts, titles, strict=True):
        _Process(part, models, title).add(builder)
    for part, title in zip(parts, titles, strict=True):
        notes += _compute(folder, part, title, models, builder, layers)
    own = [fact for part in parts for fact in _last(part.facts_with("own_ns"))]
    timed = sum(fact["timed"] for fact in own)
    memory = [fact["memory"] for part in parts for fact in part.facts_with("sample")]
    zero = builder.earliest_ns
    if load is not None and zero:
        load.count_into(builder, time_ns() - perf_counter_ns(), zero)
    trace = builder.trace(zero)
    lanes = list(Lane)
    order = sorted(
        range(len(trace.tracks)),
        key=lambda at: (lanes.index(trace.tracks[at].lane), trace.tracks[at].name),
    )
    places = np.argsort(np.array(order, np.int64)).astype(np.int32)
    columns = {key: getattr(trace, key) for key in COLUMNS} | {"track": places[trace.track]}
    tracks = tuple(trace.tracks[at] for at in order)
    return Recording(
        from_columns(tracks, trace.names, columns, trace.counters, trace.flows, trace.moments),
        layers.all(),
        sum(map(_calls, parts)),
        sum(fact["own_ns"] for fact in own) / timed if timed >= LEAST_TIMED else 0.0,
        max(memory, default=0),
        len(parts),
        (*_notes(folder, parts, bool(status), damaged), *notes),
        zero,
    )


class _Models:
    """Display names of models: their file names, made unique where two files share one."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, str], str] = {}

    def name(self, fact: dict[str, str]) -> str:
        """Return the display name of a session's model."""
        key = fact["model"], fact["same"]
        if key not in self._names:
            others = sum(name == fact["model"] for name, _ in self._names)
            named = units.clip(fact["model"], 60)
            self._names[key] = f"{named} ({others + 1})" if others else named
        return self._names[key]


@dataclass(frozen=True)
class _Process:
    part: Part
    models: _Models
    title: str

    @cached_property
    def offset_ns(self) -> int:
        """From this process's perf_counter to the system's clock, which all share."""
        perf, wall, _ = next(self.part.facts_with("begin"))["begin"]
        return int(wall - perf)

    def add(self, builder: TraceBuilder) -> None:
        """Put down the spans of calls and data."""
        text_of_word = {fact["word"]: fact["text"] for fact in self.part.facts_with("word")}
        threads = {fact["thread"]: fact["name"] for fact in self.part.facts_with("thread")}
        sessions = {
            one["session"]: self.models.name(one) for one in self.part.facts_with("session")
        }
        several = _models_on_several_threads(self.part, sessions)
        numbers = []
        for start, duration, thread, session, kind, word, size, prediction in self.part.rows:
            lane = Lane.ACTIVITY if kind == "call" else Lane.DATA
            model = sessions.get(session, _ELSEWHERE)
            of = threads.get(thread, "asynchronous")
            data = "data" if lane is Lane.DATA else ""
            name = _title(
                _display_name(model), data, of if model in several else "", self.title
            )
            clipped_titles = (
                units.clip(self.title, 60),
                units.clip(model, 60),
                units.clip(of, 60),
            )
            number = builder.add(
                Track(lane, name, "", lane.value, *clipped_titles),
                text_of_word.get(word, "call"),
                start + self.offset_ns,
                duration,
                Kind(kind),
                run=prediction if prediction >= 0 else None,
                size_bytes=size,
            )
            numbers.append(number)
        called = {
            row[7]: number
            for row, number in zip(self.part.rows, numbers, strict=True)
            if row[4] == "call" and row[7] >= 0
        }
        for row, number in zip(self.part.rows, numbers, strict=True):
            if row[4] != "call" and row[7] in called:
                builder.flow(number, called[row[7]], FlowKind.FORCED)
        # Two threads may have told theirs in another order than they took them.
        samples = sorted(self.part.facts_with("sample"), key=lambda fact: fact["sample"])
        for fact in samples:
            if fact["memory"]:
                at = fact["sample"] + self.offset_ns
                builder.count("Memory", at, fact["memory"], "bytes", self.title)
        for one, following in pairwise(samples):
            spent = following["cpu_ns"] - one["cpu_ns"]
            lasted = following["sample"] - one["sample"]
            if lasted < _LEAST_LOAD_NS:  # a moment, in which the two clocks differ by as much
                continue
            share = round(100 * max(0, spent) / lasted, 1)
            builder.count(
                CPU_LOAD, one["sample"] + self.offset_ns, share, "percent", self.title
            )
        if self.part.killed and self.part.rows:
            last = max(row[0] + row[1] for row in self.part.rows) + self.offset_ns
            builder.moment(" ".join(filter(None, (self.title, "killed"))), last)


def _calls(part: Part) -> int:
    """Return how many calls the program made; late results and releases do not count."""
    none = {fact["word"] for fact in part.facts_with("word") if fact["text"] in NO_CALLS}
    return sum(row[4] == "call" and row[5] not in none for row in part.rows)


def _models_on_several_threads(part: Part, sessions: dict[int, str]) -> set[str]:
    """Return the models whose rows are from more than one thread.

    sessions: number of a session -> name of its model.
    """
    threads: dict[str, set[int]] = {}
    for _, _, thread, session, *_ in part.rows:
        threads.setdefault(sessions.get(session, _ELSEWHERE), set()).add(thread)
    return {model for model, callers in threads.items() if len(callers) > 1}


def _title(*parts: str) -> str:
    return " · ".join(units.clip(part, 60) for part in parts if part)


def _display_name(model: str) -> str:
    """Return a short model name for tracks."""
    return model.removesuffix(".onnx")


def _compute(
    folder: Path, part: Part, title: str, models: _Models, builder: TraceBuilder, layers: Layers
) -> list[str]:
    """Put down the kernels of each profiled session; returns what is missing."""
    lost = 0
    begun = next(part.facts_with("begin"))["begin"]
    for model, profiled in _profiled(folder, part, models):
        lost += not profiled
        for one, run in profiled:
            moves = one.operator in COPIES
            lane, unit, family = (
                (Lane.DATA, "", Lane.DATA.value)
                if moves
                else (Lane.COMPUTE, one.unit, one.family)
            )
            name = _title(_display_name(model), "data" if moves else one.device)
            track = Track(lane, name, unit, family, title, model)
            start = one.start_ns + begun[1] - begun[0]
            layer = layers.number(model, one.name, one.operator)
            kind = Kind.COPY if moves else Kind.KERNEL
            builder.add(track, one.name, start, one.duration_ns, kind, layer, run)
    if not lost:
        return []
    return [f"{units.plural(lost, 'session')} produced no node profile."]


def _profiled(
    folder: Path, part: Part, models: _Models
) -> Iterator[tuple[str, list[tuple[Kernel, int | None]]]]:
    """Yield the model of each profile, and its nodes with the runs that they are of."""
    for fact in part.facts_with("profile"):
        zero = _zero(fact["zero"], fact["begun"])
        kernels = read_profile(folder, fact["profile"], zero)
        runs: Sequence[int | None] = predictions_of(part, fact["session"], kernels)
        first = fact.get("first", 1)
        before = _first_runs(part, fact["session"], first - 1 if isinstance(first, int) else 0)
        pairs = zip(kernels, runs, strict=True)
        yield models.name(fact), [(one, run) for one, run in pairs if run not in before]
    names = {fact["session"]: models.name(fact) for fact in part.facts_with("session")}
    for fact in part.facts_with("layers"):
        kernels = read_profile(folder, fact["layers"], fact["zero"])
        if fact["of"] in names and 0 <= fact["prediction"] < MOST_RUNS:
            yield names[fact["of"]], [(one, fact["prediction"]) for one in kernels]


def _first_runs(part: Part, session: int, count: int) -> set[int | None]:
    """Return the numbers of the first runs of a session; the profile is not about them.

    What the runtime did before them is not about a run at all.
    """
    if count <= 0:
        return set()
    of = sorted(row for row in part.rows if row[3] == session and row[7] >= 0)
    return {None, *(row[7] for row in of[:count])}


def _last(facts: Iterable[dict[str, int]]) -> list[dict[str, int]]:
    return list(facts)[-1:]


def _who(count: int, parts: tuple[Part, ...], whole: bool) -> str:
    if len(parts) > 1:
        return f"{count} of the {len(parts)} processes"
    return "The program" if whole else "A process of the program"


def _notes(folder: Path, parts: tuple[Part, ...], failed: bool, damaged: bool) -> list[str]:
    notes: list[str] = []
    stopped = len(list(folder.glob("part-*.stopped")))
    if stopped:
        notes.append(
            "There was no space left in the temporary folder, so the recording stopped early."
        )
    broken = sum(part.killed for part in parts)
    if broken > stopped and (failed or not damaged):
        who = _who(broken, parts, failed)
        was = "was" if broken == 1 else "were"
        notes.append(f"{who} {was} killed or crashed; calls that had not finished are missing.")
    running = sum(part.runs for part in parts)
    if running:
        verb = "is" if running == 1 else "are"
        who = _who(running, parts, False)
        notes.append(
            f"{who} {verb} still running; events after the end of the program are missing."
        )
    if missing := unrecorded_python.sentence(folder):
        notes.append(missing)
    unknown = {
        (fact["runtime"], fact["newest"])
        for part in parts
        for fact in part.facts_with("runtime")
        if not fact["known"]
    }
    notes += [
        Sentence(
            "ONNX Runtime {version} is newer than {known}, the last version that Inspector was "
            "compared with; calls of its new functions were not recorded.",
            version=Name(version),
            known=known,
        )
        for version, known in sorted(unknown)
    ]
    unprofiled = {fact["model"] for part in parts for fact in part.facts_with("unprofiled")}
    notes += [
        Sentence(
            "Only the first {first} of {model} were profiled: profiles of all would slow the "
            "program. With {option}, the tenth one is profiled, for example.",
            first=Count(MOST_PROFILED, "session"),
            model=Name(model),
            option="`--nodes #10:50`",
        )
        for model in sorted(unprofiled)
    ]
    dropped = sum(part.dropped for part in parts)
    if dropped:
        notes.append(
            f"The oldest {dropped:,} events were dropped to limit the size of the recording."
        )
    return notes
