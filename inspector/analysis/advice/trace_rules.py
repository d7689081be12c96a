"""Advice rules on a recorded program: usage patterns that cost time or memory.

They read the span names that `inspector record` writes; traces of other programs match none.
A new rule is one function that yields `Finding`, and one line in `RULES` at the end.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from statistics import median

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.analysis.advice.program_time import TimeParts, length, union
from inspector.platform.data_struct import DataStruct
from inspector.trace.trace import KINDS, Kind, Lane, NamedLayer, Trace
from inspector.wording.values import Count, Duration, Name, Sentence, Size, joined

_MIN_REPEATS = 3  # what happens less often is no pattern
# of a finding, to keep lists short
_MAX_SPANS = 1000
_MAX_SENTENCE_LENGTH = 400
# Runs per session up to which the session counts as made for each run, or as short-lived.
_RUNS_PER_LOAD = 1.5
_SHORT_LIVED_RUNS = 10
# A first run of a shape is slow if it takes this many times the median, and this much more.
_SLOW_FACTOR = 4
_SLOW_NS = 5_000_000
# A first run is slow by itself, and not for other programs, from here on (judgments): this much
# longer than the median, and so many times as long as the slowest other run.
_COLD_NS = 50_000_000
_COLD_FACTOR = 2
_LARGE_BYTES = 1 << 20  # of outputs (a judgment)
_CALLS = {
    "create": ("create session,",),
    "run": ("run(", "run_with_", "run_async("),
    "release": ("release session",),
    "end_profiling": ("end_profiling",),
    "recorder": ("save profile (Inspector)", "note session (Inspector)"),
}
# Span names of the checks that the recorder writes; older recordings say "wanted" and "wrong".
SESSION_PROFILED = "check session: profiling is on"
SESSION_UNOPTIMIZED = "check session: optimization is disabled"
RUN_IN_EVENT_LOOP = "check run: in an event loop"
STATES_RETURNED = "check states: returned through NumPy"
_PROVIDERS = re.compile(r"check providers: (.+) requested but not used: (.+); used: (.*)")
# What programs make, and the rule on making one for each run; with what to do instead.
_MADE_PER_RUN = {
    "CreateTensorAsOrtValue|ortvalue_from_numpy": (
        "tensor-per-run",
        "tensors in ONNX Runtime's memory",
        "Give it the program's own memory (CreateTensorWithDataAsOrtValue; in Python the NumPy "
        "array), or fill one tensor again for each run.",
    ),
    "CreateIoBinding": (
        "binding-per-run",
        "I/O bindings",
        "Make one binding for each thread, and bind again only what changes.",
    ),
    "CreateAllocator": (
        "allocator-per-run",
        "allocators",
        "Make one with the session and keep it; the default allocator needs none at all.",
    ),
}
CPU_LOAD = "CPU load"  # the counter of a process, in hundredths of a core
# Of a core: the mean load from which a program computes, on a busy machine, too, and does not
# wait for somebody (a judgment).
_BUSY_SHARE = 0.1
_LEAST_OUTSIDE_NS = 50_000_000  # less time outside ONNX Runtime is no pattern (a judgment)
_MUCH_BEFORE = 0.2  # share of the recording (a judgment)
_MUCH_OUTSIDE = 0.3  # share of the time between runs and in them (a judgment)
_MANY_RUNS = 32  # single inputs from which batches are worth a thought (a judgment)
_FIRST_SIZE = re.compile(r" (\d+)(?:×\d+)+(?=[,)])")  # of each input in a call's name
_MIN_FLOAT64 = 2  # runs of the few that are looked at
_LEAST_STATE_BYTES = 1 << 16  # of all outputs that come back to one run (a judgment)
_INSERTED_CAST = ("InsertedPrecisionFreeCast_", "InsertedCast_")
# The name of a session's creation, and that of older recordings. Batches: the first axis of
# all inputs is the same free one.
_CREATION = re.compile(
    r"create session, (?P<threads>\d+) threads? on (?P<cores>\d+) cores?"
    r"(?P<batches>, (?:accepts )?batches)?"
    r"|create session, (?P<of>\d+) of (?P<all>\d+) threads"
)
_WRONG_TYPE = re.compile(r"check (.*): (\w+) given, (\w+) (?:expected|wanted)")
_WRONG_BYTE_ORDER = re.compile(r"check (.*): (?:non-native|wrong) byte order")
_CALL = KINDS.index(Kind.CALL)
_COPIES = [KINDS.index(k) for k in (Kind.COPY, Kind.WAIT)]
_KERNEL = KINDS.index(Kind.KERNEL)
_DEVICE = "D"
_CPU = "C"
_MOVE = "M"
_EXCURSION = re.compile(f"(?<={_DEVICE}){_MOVE}+{_CPU}[{_CPU}{_MOVE}]*{_MOVE}(?={_DEVICE})")


# These make results wrong, or all of a program slow: they come first, whatever they cost.
_WRONG = ("wrong-type", "float16-fed-float32", "byte-order", "provider-missing")
_LITTLE = 0.01  # share of the recording that is not worth the work (a judgment)
# These let the first run wait, and take as long afterwards.
DELAYS = ("late-first-run",)
# Worth a thought, but no sign of a fault: a camera has one image at a time.
HINTS = ("single-inputs",)
TITLES = {
    "load-per-prediction": "A session for each run",
    "session-per-call": "A session for a few runs",
    "model-twice": "More than one session of a model",
    "provider-missing": "A provider that is not used",
    "more-threads-than-cores": "More threads than CPU cores",
    "threads-oversubscribed": "Models that compete for CPU cores",
    "float16-fed-float32": "An input of the wrong type",
    "wrong-type": "An input of the wrong type",
    "byte-order": "An input in the wrong byte order",
    "input-not-contiguous": "Copying an input for each run",
    "input-converted": "Converting an input for each run",
    "outputs-copied": "Copying outputs",
    "states-through-numpy": "Returning outputs through NumPy",
    "input-from-float64": "An input computed in float64",
    "tensor-per-run": "Copying inputs into new tensors",
    "binding-per-run": "An I/O binding for each run",
    "allocator-per-run": "An allocator for each run",
    "run-in-event-loop": "Runs inside an event loop",
    "late-first-run": "Preparing inputs",
    "outside-runtime": "Work between the runs",
    "first-run-in-loop": "A slow first run of each input shape",
    "no-warm-up": "A slow first run",
    "single-inputs": "One input in each run",
    "initializers-as-inputs": "Weights among the inputs",
    "profiling-left-on": "A profiler that is never stopped",
    "optimization-disabled": "Disabled graph optimization",
    "cpu-fallback": "Switching to the CPU in between",
    "casts-in-model": "Casting from and to float16",
}


class Finding(DataStruct, frozen=True):
    """A usage pattern that costs time or memory.

    rule: its id. spans: indices of spans that show it, in order of time. advice: what to do.
    saves_ns: the most that following the advice saves of the recorded time; 0 for unknown.
    gaps: begin and end of the times between spans that show it, the longest first.
    """

    rule: str
    sentence: str
    spans: tuple[int, ...]
    advice: str
    saves_ns: int = 0
    gaps: tuple[tuple[int, int], ...] = ()

    @property
    def title(self) -> str:
        """Return the name of the pattern, in a few words."""
        return TITLES[self.rule]


def program_findings(trace: Trace, layers: Sequence[NamedLayer] = ()) -> tuple[Finding, ...]:
    """Return all findings on a recorded program, the worst first.

    Wrong inputs and providers lead, as `RULES` has them; then what saves most, what saves
    nobody knows how much, and at last what saves next to nothing, and hints. layers: the ones
    that spans refer to, for their operators.
    """
    recording = _Recording(trace, layers)
    findings = (finding for rule in RULES for finding in rule(recording))
    # Names of models and inputs come from files: control characters are removed.
    clipped = (
        replace(each, sentence=_without_control_characters(each.sentence)) for each in findings
    )
    little_ns = _LITTLE * recording.parts.whole if recording.parts is not None else 0

    def rank(finding: Finding) -> tuple[bool, bool, bool, int]:
        saves_ns = finding.saves_ns
        little = 0 < saves_ns < little_ns
        return finding.rule not in _WRONG, finding.rule in HINTS, little, -saves_ns

    return tuple(sorted(clipped, key=rank))


def _without_control_characters(sentence: str) -> str:
    clipped = units.clip(sentence, _MAX_SENTENCE_LENGTH)
    return sentence if clipped == sentence else clipped  # a sentence can be translated


def time_parts(trace: Trace) -> TimeParts | None:
    """Return what the time of a recorded program went to; None for one without runs."""
    return _Recording(trace).parts


class _Recording(DataStruct, frozen=True, eq=False, dict=True, weakref=True):
    """A recorded trace with the calls of each model, as indices of spans in order of time."""

    trace: Trace
    layers: Sequence[NamedLayer] = ()

    @cached_property
    def calls(self) -> NDArray[np.bool_]:
        """A mask of the spans that are calls, also of the recorder."""
        calls = np.array([track.lane is Lane.ACTIVITY for track in self.trace.tracks], bool)
        called: NDArray[np.bool_] = calls[self.trace.track] & (self.trace.kind == _CALL)
        return called

    @cached_property
    def parts(self) -> TimeParts | None:
        """What the time went to; None without runs."""
        trace = self.trace
        if not self.is_call["run"].any():
            return None
        call = self.calls
        is_run = call & self.is_call["run"][trace.name]
        if not is_run.any():
            return None
        running = union(trace, is_run)
        created = union(trace, is_run | (call & self.is_call["create"][trace.name]))
        released = union(
            trace,
            is_run | (call & (self.is_call["create"] | self.is_call["release"])[trace.name]),
        )
        by_program = union(trace, call & ~self.is_call["recorder"][trace.name])
        called = union(trace, call)
        first, last = int(running[0, 0]), int(running[-1, 1])
        before, until_last, whole = (
            length(called, called[0, 0], end) for end in (first, last, called[-1, 1])
        )
        return TimeParts(
            runs=length(running),
            creating=length(created) - length(running),
            releasing=length(released) - length(created),
            other_calls=length(by_program) - length(released),
            recorder=length(called) - length(by_program),
            before=int(first - called[0, 0]) - before,
            between=last - first - (until_last - before),
            after=int(called[-1, 1]) - last - (whole - until_last),
        )

    def gaps(self, begin_ns: int, end_ns: int, least_ns: float) -> tuple[tuple[int, int], ...]:
        """Return the times in a range in which no call lasts, the longest first.
        least_ns: shorter ones are left out."""
        called = np.clip(union(self.trace, self.calls), begin_ns, end_ns)
        gaps = np.column_stack((called[:-1, 1], called[1:, 0]))
        longest = np.argsort(-np.diff(gaps)[:, 0], kind="stable")
        return tuple(
            (begin, end) for begin, end in gaps[longest].tolist() if end - begin >= least_ns
        )

    def computes(self, begin_ns: int, end_ns: int) -> bool:
        """Return whether the program computes in a time range, as far as is known.
        Time on a CPU counts, since a busy machine lets a program wait."""
        cpu_ns = 0.0
        for counter in (each for each in self.trace.counters if each.name == CPU_LOAD):
            edges = np.append(counter.times_ns, max(self.trace.end_ns, end_ns))
            inside = np.diff(np.clip(edges, begin_ns, end_ns))
            cpu_ns += float(inside @ counter.values) / 100
        return cpu_ns >= max(_LEAST_OUTSIDE_NS, _BUSY_SHARE * (end_ns - begin_ns))

    @cached_property
    def is_call(self) -> dict[str, NDArray[np.bool_]]:
        """For each kind of call, a mask over the span names of the trace."""
        return {
            call: np.array([name.startswith(starts) for name in self.trace.names], bool)
            for call, starts in _CALLS.items()
        }

    @cached_property
    def models(self) -> dict[str, NDArray[np.intp]]:
        """The spans of the calls of each model."""
        of = defaultdict(list)
        for number, track in enumerate(self.trace.tracks):
            if track.lane is Lane.ACTIVITY:
                of[track.model or track.name.partition(" · ")[0]].append(number)
        return {
            model: self.in_time(np.isin(self.trace.track, tracks))
            for model, tracks in of.items()
        }

    def in_time(self, mask: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Return the indices of the spans of a mask, in order of their starts."""
        return self.by_start(np.flatnonzero(mask))

    def called(self, model: str, call: str) -> NDArray[np.intp]:
        """Return the successful calls of one kind of a model."""
        spans = self.models[model]
        return spans[self.is_call[call][self.trace.name[spans]]]

    def runs(self, model: str) -> NDArray[np.intp]:
        """Return the runs of a model."""
        return self.called(model, "run")

    def processes(self) -> tuple[str, ...]:
        """Return the names of the recorded processes, in the order of the tracks."""
        return tuple(dict.fromkeys(track.process for track in self.trace.tracks))

    def by_start(self, spans: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return spans in order of their starts."""
        return spans[np.argsort(self.trace.start_ns[spans], kind="stable")]

    def in_process(self, spans: NDArray[np.intp], process: str) -> NDArray[np.intp]:
        """Return the spans that are on tracks of a process."""
        own = np.array([track.process == process for track in self.trace.tracks], bool)
        matching: NDArray[np.intp] = spans[own[self.trace.track[spans]]]
        return matching

    def threads_of(self, spans: NDArray[np.intp]) -> int:
        """Return on how many threads some spans are."""
        tracks = np.unique(self.trace.track[spans]).tolist()
        return len({self.trace.tracks[track].thread for track in tracks})

    def operators(self, operator: str) -> NDArray[np.intp]:
        """Return the kernels of an operator, in order of their starts."""
        numbers = [layer.index for layer in self.layers if layer.operator == operator]
        kernels = self.trace.kind == KINDS.index(Kind.KERNEL)
        return self.in_time(kernels & np.isin(self.trace.layer, numbers))

    def name(self, span: int) -> str:
        """Return the name of a span."""
        return self.trace.span(span).name

    def total_ns(self, spans: NDArray[np.intp]) -> int:
        """Return the total time of spans in nanoseconds."""
        return int(self.trace.duration_ns[spans].sum())

    def total(self, spans: NDArray[np.intp]) -> str:
        """Return the total time of spans as text."""
        return units.duration(self.total_ns(spans))

    def threads(self, creation: int) -> tuple[int, int] | None:
        """Return the threads that a new session computes with, and the CPU cores."""
        m = _CREATION.fullmatch(self.name(creation))
        return m and (int(m["threads"] or m["of"]), int(m["cores"] or m["all"]))

    def by_name(self, kind: Kind, pattern: str) -> Iterator[tuple[str, NDArray[np.intp]]]:
        """Yield the names of a kind that match a pattern, each with its spans."""
        of_kind = self.trace.kind == KINDS.index(kind)
        for number, name in enumerate(self.trace.names):
            if re.fullmatch(pattern, name):
                spans = self.in_time(of_kind & (self.trace.name == number))
                if len(spans):
                    yield name, spans


def _indices(spans: NDArray[np.intp]) -> tuple[int, ...]:
    return tuple(spans[:_MAX_SPANS].tolist())


def _repeated_loading(recording: _Recording) -> Iterator[Finding]:
    """Report a model that is loaded before each run, or sessions that serve only a few runs.
    Within one process these could be one session. Processes cannot share sessions, so several
    that load the model once each are reported only where they make hardly any runs."""
    for model in recording.models:
        calls = [
            (
                recording.in_process(recording.called(model, "create"), process),
                recording.in_process(recording.runs(model), process),
            )
            for process in recording.processes()
        ]
        repeated = [pair for pair in calls if len(pair[0]) >= _MIN_REPEATS]
        several = not repeated and sum(bool(len(created)) for created, _ in calls)
        created, runs = map(np.concatenate, zip(*(repeated or calls), strict=True))
        if len(created) < _MIN_REPEATS or not len(runs):
            continue
        runs_per_session = len(runs) / len(created)
        advice = "Create the session once and use it for all runs."
        if runs_per_session <= _RUNS_PER_LOAD:
            rule, sentence = "load-per-prediction", f"{model} is loaded before each run"
        elif runs_per_session <= _SHORT_LIVED_RUNS and not several:
            rule = "session-per-call"
            sentence = f"Each session of {model} serves only {runs_per_session:.0f} runs"
        else:
            continue
        if several:
            sentence = f"{model} is loaded before each run by {several:,} processes"
            advice = "Use one process that keeps the session open and performs all runs."
        loading = f"{len(created):,} sessions took {recording.total(created)} to create"
        sentence = f"{sentence}: {loading}, and the runs took {recording.total(runs)}."
        times = recording.trace.duration_ns[created]
        released = recording.called(model, "release")
        both = np.concatenate((created, released))
        saves_ns = max(0, length(union(recording.trace, both)) - int(times.max()))
        yield Finding(rule, sentence, _indices(np.sort(created)), advice, saves_ns)


def _loaded_twice(recording: _Recording) -> Iterator[Finding]:
    """Report several sessions of one model in one process while it runs.
    Only while it runs: assigning a new session to a variable keeps the old one alive until the
    new one exists. Processes cannot share sessions, so each is counted separately."""
    start = recording.trace.start_ns
    for model in recording.models:
        most, spans, threads = 0, list[NDArray[np.intp]](), 0
        for process in recording.processes():
            created = recording.in_process(recording.called(model, "create"), process)
            ends = start[recording.in_process(recording.called(model, "release"), process)]
            load_ends_ns = np.sort(start[created] + recording.trace.duration_ns[created])
            runs_of_model = recording.in_process(recording.runs(model), process)
            runs = start[runs_of_model]
            alive = np.searchsorted(load_ends_ns, runs, "right") - np.searchsorted(
                ends, runs, "right"
            )
            if len(alive) and alive.max() > 1:
                before = np.searchsorted(ends, start[created], "right")
                spans.append(created[np.arange(len(created)) > before])
                most = max(most, int(alive.max()))
                threads = max(threads, recording.threads_of(runs_of_model))
        if spans:
            where = " in one process" if len(recording.processes()) > 1 else ""
            sentence = f"{most:,} sessions of {model} are in memory at the same time{where}."
            if threads > 1:
                sentence = Sentence(
                    "{sessions} of {model} are in memory at the same time, for {threads}.",
                    sessions=Count(most, "session"),
                    model=Name(model),
                    threads=Count(threads, "thread"),
                )
            advice = "Share one session: several threads may call run at the same time."
            extra = np.concatenate(spans)
            saves_ns = length(union(recording.trace, extra))  # threads create them at once
            yield Finding("model-twice", sentence, _indices(extra), advice, saves_ns)


def _prepared_inputs(recording: _Recording) -> Iterator[Finding]:
    """Report inputs that ONNX Runtime's Python API copies or converts for each run."""
    for name, spans in recording.by_name(Kind.COPY, "copy .*: not contiguous"):
        if len(spans) >= _MIN_REPEATS:
            input_name = name.removeprefix("copy ").removesuffix(": not contiguous")
            yield Finding(
                "input-not-contiguous",
                Sentence(
                    "Input {input_name} is not contiguous and is copied before each of "
                    "{len} runs ({total} in total).",
                    input_name,
                    Count(len(spans)),
                    recording.total(spans),
                ),
                _indices(spans),
                "Make it contiguous with numpy.ascontiguousarray, if possible before the loop.",
                recording.total_ns(spans),
            )
    for name, spans in recording.by_name(Kind.CAST, "convert .*: list"):
        if len(spans) >= _MIN_REPEATS:
            input_name = name.removeprefix("convert ").removesuffix(": list")
            yield Finding(
                "input-converted",
                Sentence(
                    "Input {input_name} is a list, which is converted to an array for each of "
                    "{len} runs ({total} in total).",
                    input_name,
                    Count(len(spans)),
                    recording.total(spans),
                ),
                _indices(spans),
                "Pass a NumPy array of the data type that the model expects.",
                recording.total_ns(spans),
            )


def _wrong_types(recording: _Recording) -> Iterator[Finding]:
    """Report inputs whose data type or byte order is not what the model expects."""
    for name, spans in recording.by_name(Kind.CHECK, "check .*"):
        if match := _WRONG_TYPE.fullmatch(name):
            input_name, passed, expected = match.groups()
            half = (passed, expected) == ("float32", "float16")
            yield Finding(
                "float16-fed-float32" if half else "wrong-type",
                f"Input {input_name} expects {expected} but gets {passed}: "
                f"{units.plural(len(spans), 'run')} failed.",
                _indices(spans),
                Sentence("Convert it once with astype(numpy.{expected}).", expected),
            )
        elif match := _WRONG_BYTE_ORDER.fullmatch(name):
            yield Finding(
                "byte-order",
                Sentence(
                    "Input {value} is not in native byte order, so ONNX Runtime misreads its "
                    "values.",
                    match[1],
                ),
                _indices(spans),
                'Convert it with astype(dtype.newbyteorder("=")).',
            )


def _copied_outputs(recording: _Recording) -> Iterator[Finding]:
    """Report large outputs that are copied out of an I/O binding."""
    for _, spans in recording.by_name(Kind.COPY, "copy outputs"):
        size = int(recording.trace.size_bytes[spans].sum())
        if len(spans) >= _MIN_REPEATS and size >= _LARGE_BYTES:
            yield Finding(
                "outputs-copied",
                Sentence(
                    "Bound outputs are copied {len} times ({size} and {total} in total).",
                    Count(len(spans)),
                    Size(size),
                    recording.total(spans),
                ),
                _indices(spans),
                "Bind your own array with bind_ortvalue_output, or read "
                "get_outputs()[0].numpy(), which does not copy on the CPU.",
                recording.total_ns(spans),
            )


def _too_many_threads(recording: _Recording) -> Iterator[Finding]:
    """Report models that run at the same time with more threads in total than CPU cores."""
    trace, threads_of_model, cores = recording.trace, {}, 0
    for model in recording.models:
        for span in recording.called(model, "create").tolist():
            if threads := recording.threads(span):
                threads_of_model[model], cores = threads
    changes = []
    for model in threads_of_model:
        runs = recording.runs(model)
        begin = trace.start_ns[runs]
        changes += [(start, 1, model) for start in begin.tolist()]
        changes += [(end, -1, model) for end in (begin + trace.duration_ns[runs]).tolist()]
    most, running = 0, dict.fromkeys(threads_of_model, 0)
    for _, change, model in sorted(changes):
        running[model] += change
        # Concurrent runs of one session share its threads.
        most = max(
            most, sum(threads_of_model[name] for name, number in running.items() if number)
        )
    if most > max((cores, *threads_of_model.values())):
        calls = np.concatenate([recording.runs(model) for model in threads_of_model])
        yield Finding(
            "threads-oversubscribed",
            Sentence(
                "Models that run at the same time use {most} threads on {cores} CPU cores.",
                most,
                cores,
            ),
            _indices(np.sort(calls)),
            "Set intra_op_num_threads so that all sessions together use at most one thread "
            "per core.",
        )


def _more_threads_than_cores(recording: _Recording) -> Iterator[Finding]:
    """Report sessions that ask for more threads than there are CPU cores."""
    for model in recording.models:
        creations = recording.called(model, "create")
        asked = [(span, recording.threads(span)) for span in creations.tolist()]
        found = [(span, both) for span, both in asked if both and both[0] > both[1]]
        if found and len(recording.runs(model)) >= _MIN_REPEATS:
            threads, cores = max(both for _, both in found)
            yield Finding(
                "more-threads-than-cores",
                Sentence(
                    "A session of {model} asks for {threads} threads on {cores}.",
                    model,
                    threads,
                    Count(cores, "CPU core"),
                ),
                tuple(span for span, _ in found[:_MAX_SPANS]),
                "Leave SessionOptions.intra_op_num_threads at 0, or set it to the number of "
                "cores at most: further threads only wait for a core.",
            )


def _missing_providers(recording: _Recording) -> Iterator[Finding]:
    """Report execution providers that were requested and are not used."""
    for name, spans in recording.by_name(Kind.CHECK, _PROVIDERS.pattern):
        match = _PROVIDERS.fullmatch(name)
        assert match is not None, "by_name yields what matches"
        missing, why, used = match.groups()
        models = [
            recording.trace.tracks[n].model for n in recording.trace.track[spans].tolist()
        ]
        of = " and ".join(dict.fromkeys(filter(None, models)))
        absent = "not in this build" in why
        yield Finding(
            "provider-missing",
            Sentence(
                "{value} requested {missing}, but runs on {used}: it is {why}.",
                of or "A session",
                missing,
                used,
                why,
            )
            if absent
            else Sentence(
                "{value} requested {missing}, but runs on {used}: it {why}.",
                of or "A session",
                missing,
                used,
                why,
            ),
            _indices(spans),
            "Install a build of ONNX Runtime that has it (onnxruntime-gpu for CUDA and "
            "TensorRT), or remove it from providers."
            if absent
            else "ONNX Runtime's messages say what is missing, often a driver or a library.",
        )


def _blocked_event_loops(recording: _Recording) -> Iterator[Finding]:
    """Report runs that block an event loop."""
    trace = recording.trace
    for _, checks in recording.by_name(Kind.CHECK, re.escape(RUN_IN_EVENT_LOOP)):
        for model in recording.models:
            runs = recording.runs(model)
            runs = runs[np.isin(trace.run[runs], trace.run[checks])]
            if len(runs) >= _MIN_REPEATS:
                longest = units.duration(int(trace.duration_ns[runs].max()))
                yield Finding(
                    "run-in-event-loop",
                    Sentence(
                        "{model} runs inside an event loop, which does nothing else meanwhile: "
                        "{len} runs took {total}, at most {longest} each.",
                        model,
                        Count(len(runs)),
                        recording.total(runs),
                        longest,
                    ),
                    _indices(runs),
                    "Call it with await asyncio.to_thread(session.run, ...), or use run_async.",
                )


def _returned_states(recording: _Recording) -> Iterator[Finding]:
    """Report large outputs that come back as inputs of the next run as NumPy arrays."""
    for _, spans in recording.by_name(Kind.CHECK, re.escape(STATES_RETURNED)):
        size = int(np.median(recording.trace.size_bytes[spans]))
        if len(spans) >= _MIN_REPEATS and size >= _LEAST_STATE_BYTES:
            yield Finding(
                "states-through-numpy",
                Sentence(
                    "Outputs come back as inputs of the next run through NumPy: "
                    "{size} in each run, such as a key-value cache.",
                    Size(size),
                ),
                _indices(spans),
                "Keep them inside ONNX Runtime with an I/O binding (bind_output and "
                "bind_ortvalue_input), above all on a GPU, where each array is copied twice.",
            )


def _cast_inputs(recording: _Recording) -> Iterator[Finding]:
    """Report inputs that the program computes in float64 and then casts."""
    for name, spans in recording.by_name(Kind.CHECK, "check .*: cast from float64"):
        if len(spans) >= _MIN_FLOAT64:
            input_name = name.removeprefix("check ").removesuffix(": cast from float64")
            yield Finding(
                "input-from-float64",
                Sentence(
                    "Input {input_name} is computed in float64 and cast before each run, which "
                    "takes twice the memory and about twice the time.",
                    input_name,
                ),
                _indices(spans),
                "Cast first and compute in float32: image.astype(numpy.float32) / 255 instead "
                "of (image / 255).astype(numpy.float32).",
            )


def _slow_first_runs(recording: _Recording) -> Iterator[Finding]:
    """Report slow first runs of new input shapes among the other runs."""
    trace = recording.trace
    for model in recording.models:
        runs = recording.runs(model)
        slow, saves_ns = [], 0
        for name in np.unique(trace.name[runs]).tolist():
            same = runs[trace.name[runs] == name]
            took = trace.duration_ns[same].tolist()
            late = len(runs) and same[0] != runs[0]
            more_ns = took[0] - median(took[1:]) if len(took) > _MIN_REPEATS else 0
            if more_ns > _SLOW_NS and took[0] > _SLOW_FACTOR * (took[0] - more_ns):
                slow += [same[0]] if late else []
                saves_ns += int(more_ns) if late else 0
                if not late and more_ns > _COLD_NS and took[0] > _COLD_FACTOR * max(took[1:]):
                    yield _cold_run(recording, model, int(same[0]), median(took[1:]))
        if slow:
            spans = np.array(slow)
            yield Finding(
                "first-run-in-loop",
                Sentence(
                    "{model} is slow for each new input shape: {runs} took {total}.",
                    model,
                    Count(len(slow), "first run"),
                    recording.total(spans),
                ),
                _indices(spans),
                "Run each shape once before the loop, or pad inputs to a few shapes.",
                saves_ns,
            )


def _cold_run(recording: _Recording, model: str, first: int, usual_ns: float) -> Finding:
    """Return the finding on the first run of a model, which is much slower than the others."""
    took_ns = int(recording.trace.duration_ns[first])
    return Finding(
        "no-warm-up",
        Sentence(
            "The first run of {model} takes {first}, the median of the next ones {usual}.",
            Name(model),
            Duration(took_ns),
            Duration(usual_ns),
        ),
        (first,),
        "Run the model once with zeros when the program starts, so that nobody waits for it.",
    )


def _late_first_run(recording: _Recording) -> Iterator[Finding]:
    """Report a program that computes for long between its sessions and its first run."""
    parts, trace = recording.parts, recording.trace
    created = [recording.called(model, "create") for model in recording.models]
    runs = [recording.runs(model) for model in recording.models]
    if parts is None or not any(map(len, created)) or parts.before < _LEAST_OUTSIDE_NS:
        return
    every = np.concatenate(runs)
    first = int(every[np.argmin(trace.start_ns[every])])
    begin = int(trace.start_ns[first])
    sessions = np.concatenate(created)
    ends = trace.start_ns[sessions] + trace.duration_ns[sessions]
    if not (ends <= begin).any():
        return
    ready_ns = int(ends[ends <= begin].max())
    around = int(sessions[ends == ready_ns][0]), first
    gap_ns = begin - ready_ns
    least_ns = max(_LEAST_OUTSIDE_NS, _MUCH_BEFORE * parts.whole)
    if recording.computes(ready_ns, begin) and gap_ns >= least_ns:
        yield Finding(
            "late-first-run",
            Sentence(
                "The program computes for {gap} between creating its sessions and its first "
                "run; all {runs} together take {total}.",
                Duration(gap_ns),
                Count(len(every), "run"),
                Duration(parts.runs),
            ),
            around,
            "Prepare each input right before its run, or all of them on another thread while "
            "the sessions are created.",
            gap_ns,
        )


def _time_outside(recording: _Recording) -> Iterator[Finding]:
    """Report a program that computes much between its runs, while ONNX Runtime waits."""
    parts, trace = recording.parts, recording.trace
    runs = [recording.runs(model) for model in recording.models]
    every = np.concatenate(runs) if runs else np.zeros(0, np.intp)
    if parts is None or len(every) < _MIN_REPEATS or parts.between < _LEAST_OUTSIDE_NS:
        return
    begin, end = int(trace.start_ns[every].min()), int(trace.start_ns[every].max())
    if recording.computes(begin, end) and parts.between >= _MUCH_OUTSIDE * (
        parts.between + parts.runs
    ):
        yield Finding(
            "outside-runtime",
            Sentence(
                "Between its runs, the program spends {outside} outside ONNX Runtime; the runs "
                "take {runs}.",
                Duration(parts.between),
                Duration(parts.runs),
            ),
            _indices(recording.by_start(every)),
            "Prepare the next input on another thread while a run computes, and look for slow "
            "steps with a profiler such as py-spy.",
            gaps=recording.gaps(begin, end, _LITTLE * parts.between),
        )


def _single_inputs(recording: _Recording) -> Iterator[Finding]:
    """Report many runs of one input each where the model takes several at once."""
    trace = recording.trace
    states = recording.by_name(Kind.CHECK, re.escape(STATES_RETURNED))
    tracks = [track for _, spans in states for track in trace.track[spans].tolist()]
    excluded = {trace.tracks[track].model for track in tracks}
    single = list[str]()
    for model in (each for each in recording.models if each not in excluded):
        created = (_CREATION.fullmatch(recording.name(span))
                   for span in recording.called(model, "create").tolist())  # fmt: skip
        if not any(match and match["batches"] for match in created):
            continue
        calls = {trace.names[name] for name in trace.name[recording.runs(model)].tolist()}
        sizes = [_FIRST_SIZE.findall(call) for call in calls]
        if len(recording.runs(model)) >= _MANY_RUNS and all(set(s) == {"1"} for s in sizes):
            single.append(model)
    if single:
        runs = recording.by_start(np.concatenate([recording.runs(model) for model in single]))
        yield Finding(
            "single-inputs",
            Sentence(
                "{count} of {models} have one input each, although several fit in one run.",
                Count(len(runs), "run"),
                joined(*map(Name, single), separator=" and "),
            ),
            _indices(runs),
            Sentence(
                "Where several inputs are at hand, run them together. {command} measures what "
                "that saves.",
                "`inspector sweep MODEL --batch 1,8`",
            ),
        )


def _made_for_each_run(recording: _Recording) -> Iterator[Finding]:
    """Report bindings and allocators that native programs make again for each run."""
    for name, (rule, things, advice) in _MADE_PER_RUN.items():
        for _, made in recording.by_name(Kind.CALL, name):
            starts = recording.trace.start_ns
            all_runs = np.concatenate([starts[recording.runs(m)] for m in recording.models])
            first, last = np.searchsorted(np.sort(all_runs), starts[made[[0, -1]]]).tolist()
            runs = min(last + 1, len(all_runs)) - first  # to the one after the last was made
            size = int(recording.trace.size_bytes[made].sum())
            few = len(made) < _MIN_REPEATS or 0 < size < _LARGE_BYTES  # only tensors have one
            if not few and 0 < runs <= _RUNS_PER_LOAD * len(made):
                yield Finding(
                    rule,
                    Sentence(
                        "{made} {things} were made for {runs}, which took {time}.",
                        made=f"{len(made):,}",
                        things=things,
                        runs=Count(runs, "run"),
                        time=Duration(recording.total_ns(made)),
                    ),
                    _indices(made),
                    advice,
                    recording.total_ns(made),
                )


def _overridable_weights(recording: _Recording) -> Iterator[Finding]:
    """Report weights that are graph inputs as well, which blocks constant folding."""
    for name, spans in recording.by_name(
        Kind.CHECK, r"check initializers: \d+ among the inputs"
    ):
        model = recording.trace.span(int(spans[0])).track.model or "the model"
        number = int(name.split()[2])
        yield Finding(
            "initializers-as-inputs",
            f"{units.plural(number, 'weight')} of {model} "
            f"{'is also a graph input' if number == 1 else 'are also graph inputs'}, which "
            "blocks constant folding and some fusions.",
            _indices(spans),
            "Remove them from the graph inputs and save the model with IR version 4 or later.",
        )


def _fallback(recording: _Recording) -> Iterator[Finding]:
    """Report layers that run on the CPU between layers on a device, with copies each time."""
    trace = recording.trace
    for model, tracks in _models(trace).items():
        spans, letters = _sequence(trace, tracks)
        trips = [match.span() for match in _EXCURSION.finditer(letters)]
        if len(trips) < _MIN_REPEATS:
            continue
        inside = np.concatenate([spans[begin:end] for begin, end in trips])
        copies = inside[np.isin(trace.kind[inside], _COPIES)]
        layers = inside[trace.kind[inside] == _KERNEL]
        names = dict.fromkeys(trace.names[name] for name in trace.name[layers].tolist())
        first = ", ".join(units.clip(name, 40) for name in list(names)[:2])
        size, spent = int(trace.size_bytes[copies].sum()), trace.duration_ns[copies].sum()
        moved = Sentence("{size} and ", Size(size)) if size else ""
        listed = f"{first}{', ...' if len(names) > 2 else ''}"
        yield Finding(
            "cpu-fallback",
            Sentence(
                "{model} switches from its device to the CPU and back {times} times "
                "({layers}): {copies}, {size}{time} in total.",
                Name(model) if model else "The model",
                Count(len(trips)),
                Name(listed),
                Count(len(copies), "copy"),
                moved,
                Duration(int(spent)),
            ),
            tuple(np.sort(copies)[:_MAX_SPANS].tolist()),
            "Keep these layers on the device: use an opset or data type that it supports, or "
            "replace the layers.",
            int(spent),
        )


def _models(trace: Trace) -> dict[str, list[int]]:
    """Return the tracks of computation and data transfer of each model."""
    by_model: defaultdict[str, list[int]] = defaultdict(list)
    for number, track in enumerate(trace.tracks):
        if track.lane is not Lane.ACTIVITY:
            by_model[track.model].append(number)
    return by_model


def _sequence(trace: Trace, tracks: list[int]) -> tuple[NDArray[np.int64], str]:
    """Return kernels and copies in order of time, and a letter for the place of each."""
    devices = [n for n in tracks if trace.tracks[n].family in ("gpu", "npu")]
    letter = np.full(len(trace.tracks), ord(_CPU), np.uint8)
    letter[devices] = ord(_DEVICE)
    computes = np.array([track.lane is Lane.COMPUTE for track in trace.tracks] or [False])
    of_model = np.isin(trace.track, tracks)
    kernel = of_model & (trace.kind == _KERNEL) & computes[trace.track]
    copy = of_model & np.isin(trace.kind, _COPIES)
    spans = np.flatnonzero(kernel | copy)
    spans = spans[np.argsort(trace.start_ns[spans], kind="stable")]
    codes = np.where(copy[spans], np.uint8(ord(_MOVE)), letter[trace.track[spans]])
    return spans, codes.astype(np.uint8).tobytes().decode("ascii")


def _checked_sessions(
    recording: _Recording, name: str
) -> Iterator[tuple[str, NDArray[np.intp]]]:
    """Yield each model with the spans of a named check of its sessions."""
    for _, spans in recording.by_name(Kind.CHECK, re.escape(name)):
        models = np.array([track.model for track in recording.trace.tracks])[
            recording.trace.track[spans]
        ]
        for model in dict.fromkeys(models.tolist()):
            if model in recording.models and len(recording.runs(model)) >= _MIN_REPEATS:
                yield model, spans[models == model]


def _profiling(recording: _Recording) -> Iterator[Finding]:
    """Report sessions that run with ONNX Runtime's profiler enabled and never stop it."""
    for model, checks in _checked_sessions(recording, SESSION_PROFILED):
        if len(checks) > len(recording.called(model, "end_profiling")):
            yield Finding(
                "profiling-left-on",
                "ONNX Runtime's profiler is enabled in "
                f"{units.plural(len(checks), 'session')} of {model} and never stopped: it "
                "slows down the runs and writes a file.",
                _indices(checks),
                "Leave SessionOptions.enable_profiling off, or call end_profiling.",
            )


def _unoptimized(recording: _Recording) -> Iterator[Finding]:
    """Report sessions that run the graph without graph optimization."""
    for model, checks in _checked_sessions(recording, SESSION_UNOPTIMIZED):
        yield Finding(
            "optimization-disabled",
            Sentence(
                "Graph optimization is disabled in {sessions} of "
                "{model}: no layers are fused and no constants folded.",
                Count(len(checks), "session"),
                model,
            ),
            _indices(checks),
            "Leave SessionOptions.graph_optimization_level at its default (ORT_ENABLE_ALL), "
            "unless the saved model is already optimized.",
        )


def _half_cast(recording: _Recording) -> Iterator[Finding]:
    """Report the Cast nodes that ONNX Runtime adds to float16 models without float16 kernels.
    The operator decides, because kernels of other operators may be named after such a node."""
    trace, casts = recording.trace, recording.operators("Cast")
    inserted = np.array([name.startswith(_INSERTED_CAST) for name in trace.names], bool)
    casts = casts[inserted[trace.name[casts]]]
    nodes, times = np.unique(trace.name[casts], return_counts=True)
    if len(nodes) and times.max() >= _MIN_REPEATS:
        yield Finding(
            "casts-in-model",
            Sentence(
                "ONNX Runtime inserted {nodes} between float16 "
                "and float32, which took {total} in {max} runs.",
                Count(len(nodes), "Cast node"),
                recording.total(casts),
                Count(times.max()),
            ),
            _indices(casts),
            "On CPUs without native float16, the float32 model is usually faster.",
            recording.total_ns(casts),
        )


RULES: tuple[Callable[[_Recording], Iterator[Finding]], ...] = (
    _repeated_loading,
    _loaded_twice,
    _missing_providers,
    _more_threads_than_cores,
    _too_many_threads,
    _wrong_types,
    _prepared_inputs,
    _copied_outputs,
    _made_for_each_run,
    _returned_states,
    _cast_inputs,
    _blocked_event_loops,
    _late_first_run,
    _time_outside,
    _slow_first_runs,
    _single_inputs,
    _overridable_weights,
    _profiling,
    _unoptimized,
    _fallback,
    _half_cast,
)
