"""Habits of a recorded program that cost it time or memory, each pointing at spans.

Reads the words that `inspector record` gives to calls; a trace of anything else has none.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.analysis.fallback import to_and_fro
from inspector.analysis.finding import Finding as Finding
from inspector.trace import KINDS, Kind, Lane, NamedLayer, Trace

_FEW, _SHOWN, _LONGEST = 3, 1000, 400
_PER_CALL, _SHORT_LIVED = 1.5, 10
_SLOW_FACTOR, _SLOW_NS, _LARGE_BYTES = 4, 5_000_000, 1 << 20
_CALLS = {
    "create": ("create session,",),
    "run": ("run(", "run_with_", "run_async("),
    "release": ("release session",),
    "end_profiling": ("end_profiling",),
}
# Checks that the recorder writes when a session is made; watch.py has the same words.
SESSION_PROFILED = "check session: profiling is on"
SESSION_UNOPTIMIZED = "check session: optimization is disabled"
_INSERTED_CAST = ("InsertedPrecisionFreeCast_", "InsertedCast_")
_THREADS = re.compile(r"create session, (\d+) of (\d+) threads")
_WRONG_TYPE = re.compile(r"check (.*): (\w+) given, (\w+) wanted")


def habits(trace: Trace, layers: Sequence[NamedLayer] = ()) -> tuple[Finding, ...]:
    """Return all findings of a recording, what costs the whole program first.

    layers: those that the spans belong to, which know their operators.
    """
    told = _Told(trace, layers)
    found = (finding for rule in RULES for finding in rule(told))
    # Names of models and inputs are words of files.
    return tuple(replace(one, sentence=units.clip(one.sentence, _LONGEST)) for one in found)


@dataclass(frozen=True, eq=False)
class _Told:
    """A trace and the calls in it, by model: indices of spans in order of time."""

    trace: Trace
    layers: Sequence[NamedLayer] = ()

    @cached_property
    def words(self) -> dict[str, NDArray[np.bool_]]:
        """For each kind of call: which names are of it."""
        return {
            call: np.array([name.startswith(starts) for name in self.trace.names], bool)
            for call, starts in _CALLS.items()
        }

    @cached_property
    def models(self) -> dict[str, NDArray[np.intp]]:
        """The spans of calls of each model."""
        of = defaultdict(list)
        for number, track in enumerate(self.trace.tracks):
            if track.lane is Lane.ACTIVITY:
                of[track.model or track.name.partition(" · ")[0]].append(number)
        return {
            model: self.in_time(np.isin(self.trace.track, tracks))
            for model, tracks in of.items()
        }

    def in_time(self, some: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Where spans are, in order of their starts."""
        places = np.flatnonzero(some)
        return places[np.argsort(self.trace.start_ns[places], kind="stable")]

    def called(self, model: str, call: str) -> NDArray[np.intp]:
        """The calls of one kind of a model; failed ones are left out."""
        spans = self.models[model]
        return spans[self.words[call][self.trace.name[spans]]]

    def runs(self, model: str) -> NDArray[np.intp]:
        """The predictions of a model."""
        return self.called(model, "run")

    def processes(self) -> tuple[str, ...]:
        """Return the names of the recorded processes, in the order of the tracks."""
        return tuple(dict.fromkeys(track.process for track in self.trace.tracks))

    def in_process(self, spans: NDArray[np.intp], process: str) -> NDArray[np.intp]:
        """Return those of some spans that lie on tracks of a process."""
        own = np.array([track.process == process for track in self.trace.tracks], bool)
        kept: NDArray[np.intp] = spans[own[self.trace.track[spans]]]
        return kept

    def operators(self, operator: str) -> NDArray[np.intp]:
        """Return the kernels of an operator, in order of their starts."""
        numbers = [layer.index for layer in self.layers if layer.operator == operator]
        kernels = self.trace.kind == KINDS.index(Kind.KERNEL)
        return self.in_time(kernels & np.isin(self.trace.layer, numbers))

    def name(self, span: int) -> str:
        """What a span is called."""
        return self.trace.span(span).name

    def total(self, spans: NDArray[np.intp]) -> str:
        """The time that spans took, in words."""
        return units.duration(int(self.trace.duration_ns[spans].sum()))

    def noted(self, kind: Kind, words: str) -> Iterator[tuple[str, NDArray[np.intp]]]:
        """The spans of a kind whose name matches a pattern, by name."""
        pattern = re.compile(words)
        of_kind = self.trace.kind == KINDS.index(kind)
        for number, name in enumerate(self.trace.names):
            if pattern.fullmatch(name):
                spans = self.in_time(of_kind & (self.trace.name == number))
                if len(spans):
                    yield name, spans


def _indices(spans: NDArray[np.intp]) -> tuple[int, ...]:
    return tuple(spans[:_SHOWN].tolist())


def _loaded_again(told: _Told) -> Iterator[Finding]:
    """The model is loaded before each prediction, or a session serves a few calls only."""
    for model in told.models:
        created, runs = told.called(model, "create"), told.runs(model)
        if len(created) < _FEW or not len(runs):
            continue
        each = len(runs) / len(created)
        if each <= _PER_CALL:
            sentence = f"{model} is loaded before each prediction"
            rule = "load-per-prediction"
        elif each <= _SHORT_LIVED:
            sentence, rule = (
                f"Sessions of {model} serve {each:.0f} calls each",
                "session-per-call",
            )
        else:
            continue
        times = f"{len(created):,} times, {told.total(created)} in all"
        runs_took = f"the predictions took {told.total(runs)}"
        advice = "Create the session once, keep it, and call run on it."
        yield Finding(rule, f"{sentence}: {times}; {runs_took}.", _indices(created), advice)


def _twice_in_memory(told: _Told) -> Iterator[Finding]:
    """Find two sessions of one model in one process at the same time, while it predicts.

    Only then: a variable that is given a new session holds the old one until that is made.
    Sessions of different processes cannot be shared, so each process is counted by itself.
    """
    start = told.trace.start_ns
    for model in told.models:
        most, spans = 0, list[NDArray[np.intp]]()
        for process in told.processes():
            created = told.in_process(told.called(model, "create"), process)
            ends = start[told.in_process(told.called(model, "release"), process)]
            made = np.sort(start[created] + told.trace.duration_ns[created])
            runs = start[told.in_process(told.runs(model), process)]
            alive = np.searchsorted(made, runs, "right") - np.searchsorted(ends, runs, "right")
            if len(alive) and alive.max() > 1:
                before = np.searchsorted(ends, start[created], "right")
                spans.append(created[np.arange(len(created)) > before])
                most = max(most, int(alive.max()))
        if spans:
            where = " of one process" if len(told.processes()) > 1 else ""
            sentence = f"{model} is in memory {most:,} times at once{where}."
            advice = "Share one session: run may be called from several threads at a time."
            yield Finding("model-twice", sentence, _indices(np.concatenate(spans)), advice)


def _prepared_inputs(told: _Told) -> Iterator[Finding]:
    """Inputs that are copied or converted at the border."""
    for name, spans in told.noted(Kind.COPY, "copy .*: not contiguous"):
        if len(spans) >= _FEW:
            what = name.removeprefix("copy ").removesuffix(": not contiguous")
            yield Finding(
                "input-not-contiguous",
                f"Input {what} is copied before each of {len(spans):,} predictions, "
                f"{told.total(spans)} in all: it is not contiguous.",
                _indices(spans),
                "Lay it out once with numpy.ascontiguousarray, before the loop if it can be.",
            )
    for name, spans in told.noted(Kind.CAST, "convert .*: list"):
        if len(spans) >= _FEW:
            what = name.removeprefix("convert ").removesuffix(": list")
            yield Finding(
                "input-converted",
                f"Input {what} is a list that is converted for each of {len(spans):,} "
                f"predictions, {told.total(spans)} in all.",
                _indices(spans),
                "Give a numpy array of the type that the model wants.",
            )


def _wrong_types(told: _Told) -> Iterator[Finding]:
    """Inputs of another type or byte order than the model wants."""
    for name, spans in told.noted(Kind.CHECK, "check .*"):
        if found := _WRONG_TYPE.fullmatch(name):
            what, given, wants = found.groups()
            half = (given, wants) == ("float32", "float16")
            yield Finding(
                "float16-fed-float32" if half else "wrong-type",
                f"Input {what} wants {wants} and is given {given}: "
                f"{units.plural(len(spans), 'prediction')} refused.",
                _indices(spans),
                f"Convert it once with astype(numpy.{wants}).",
            )
        elif name.endswith(": wrong byte order"):
            what = name.removeprefix("check ").removesuffix(": wrong byte order")
            yield Finding(
                "byte-order",
                f"Input {what} has the other byte order; the runtime misreads its numbers.",
                _indices(spans),
                'Convert it with astype(dtype.newbyteorder("=")).',
            )


def _copied_outputs(told: _Told) -> Iterator[Finding]:
    """Large outputs that are copied out of a binding."""
    for _, spans in told.noted(Kind.COPY, "copy outputs"):
        size = int(told.trace.size_bytes[spans].sum())
        if len(spans) >= _FEW and size >= _LARGE_BYTES:
            yield Finding(
                "outputs-copied",
                f"Bound outputs are copied {len(spans):,} times, {units.size(size)} and "
                f"{told.total(spans)} in all.",
                _indices(spans),
                "Bind an array of your own with bind_ortvalue_output, or read "
                "get_outputs()[0].numpy(), which does not copy on the CPU.",
            )


def _too_many_threads(told: _Told) -> Iterator[Finding]:
    """Models that run at the same time and together want more threads than there are."""
    trace, wanted, cores = told.trace, {}, 0
    for model in told.models:
        for span in told.called(model, "create").tolist():
            if found := _THREADS.fullmatch(told.name(span)):
                wanted[model], cores = int(found[1]), int(found[2])
    changes = []
    for model in wanted:
        runs = told.runs(model)
        begin = trace.start_ns[runs]
        changes += [(start, 1, model) for start in begin.tolist()]
        changes += [(end, -1, model) for end in (begin + trace.duration_ns[runs]).tolist()]
    most, running = 0, dict.fromkeys(wanted, 0)
    for _, change, model in sorted(changes):
        running[model] += change
        # Predictions of one session at the same time share its threads.
        most = max(most, sum(wanted[one] for one, number in running.items() if number))
    if most > max((cores, *wanted.values())):
        calls = np.concatenate([told.runs(model) for model in wanted])
        yield Finding(
            "threads-oversubscribed",
            f"Models that run at the same time want {most} threads; there are {cores} cores.",
            _indices(np.sort(calls)),
            "Set intra_op_num_threads so that the sessions together use no more than that.",
        )


def _slow_first_runs(told: _Told) -> Iterator[Finding]:
    """The first prediction of a new shape, in the middle of the others, is much slower."""
    trace = told.trace
    for model in told.models:
        runs = told.runs(model)
        slow = []
        for name in np.unique(trace.name[runs]).tolist():
            same = runs[trace.name[runs] == name]
            took = trace.duration_ns[same].tolist()
            late = len(runs) and same[0] != runs[0]
            if late and len(took) > _FEW and took[0] - median(took[1:]) > _SLOW_NS:
                slow += [same[0]] if took[0] > _SLOW_FACTOR * median(took[1:]) else []
        if slow:
            spans = np.array(slow)
            yield Finding(
                "first-run-in-loop",
                f"{model} is slow whenever a new shape comes: {told.total(spans)} for "
                f"{units.plural(len(slow), 'first prediction')} among the others.",
                _indices(spans),
                "Run each shape once before the loop, or pad inputs to a few shapes.",
            )


def _free_initializers(told: _Told) -> Iterator[Finding]:
    """Weights that a caller may replace, so that nothing is computed from them beforehand."""
    for name, spans in told.noted(Kind.CHECK, r"check initializers: \d+ among the inputs"):
        model = told.trace.span(int(spans[0])).track.model or "The model"
        number = int(name.split()[2])
        yield Finding(
            "initializers-as-inputs",
            f"{units.plural(number, 'initializer')} of {model} {_are(number)} among its "
            "inputs: the runtime must take them for changeable, so it folds no constants "
            "and fuses less.",
            _indices(spans),
            "Remove them from the inputs of the graph and save the model again.",
        )


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _fallback(told: _Told) -> Iterator[Finding]:
    """Layers that run on the CPU between others on a device."""
    yield from to_and_fro(told.trace)


def _checked_sessions(told: _Told, name: str) -> Iterator[tuple[str, NDArray[np.intp]]]:
    """Yield each model with the checks of its sessions that have a name."""
    for _, spans in told.noted(Kind.CHECK, re.escape(name)):
        models = np.array([track.model for track in told.trace.tracks])[told.trace.track[spans]]
        for model in dict.fromkeys(models.tolist()):
            if model in told.models and len(told.runs(model)) >= _FEW:
                yield model, spans[models == model]


def _profiling(told: _Told) -> Iterator[Finding]:
    """Find sessions that predict with the runtime's own profiler on, which nobody ends."""
    for model, checks in _checked_sessions(told, SESSION_PROFILED):
        if len(checks) > len(told.called(model, "end_profiling")):
            yield Finding(
                "profiling-left-on",
                f"The runtime's profiler is on in {units.plural(len(checks), 'session')} of "
                f"{model} and is never ended: it slows down the predictions and writes a file.",
                _indices(checks),
                "Leave SessionOptions.enable_profiling off, or call end_profiling.",
            )


def _unoptimized(told: _Told) -> Iterator[Finding]:
    """Find sessions that run the graph as it is in the file."""
    for model, checks in _checked_sessions(told, SESSION_UNOPTIMIZED):
        yield Finding(
            "optimization-disabled",
            f"Graph optimization is disabled in {units.plural(len(checks), 'session')} of "
            f"{model}: nothing is fused or folded before its predictions.",
            _indices(checks),
            "Leave SessionOptions.graph_optimization_level as it is (ORT_ENABLE_ALL), "
            "unless the model was optimized when it was saved.",
        )


def _half_cast(told: _Told) -> Iterator[Finding]:
    """Find the casts that the runtime puts into a float16 model where it has no kernels.

    Their operator decides, since a kernel of another one may be named after such a cast.
    """
    trace, casts = told.trace, told.operators("Cast")
    inserted = np.array([name.startswith(_INSERTED_CAST) for name in trace.names], bool)
    casts = casts[inserted[trace.name[casts]]]
    nodes, times = np.unique(trace.name[casts], return_counts=True)
    if len(nodes) and times.max() >= _FEW:
        yield Finding(
            "casts-in-model",
            f"The runtime inserted {units.plural(len(nodes), 'Cast')} between float16 and "
            f"float32; {'it takes' if len(nodes) == 1 else 'they take'} {told.total(casts)} "
            f"in {times.max():,} predictions.",
            _indices(casts),
            "On a CPU without float16 arithmetic the float32 model is faster.",
        )


RULES: tuple[Callable[[_Told], Iterator[Finding]], ...] = (
    _loaded_again,
    _twice_in_memory,
    _too_many_threads,
    _wrong_types,
    _prepared_inputs,
    _copied_outputs,
    _slow_first_runs,
    _free_initializers,
    _profiling,
    _unoptimized,
    _fallback,
    _half_cast,
)
