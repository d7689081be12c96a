"""Layers of a decoder timed in each phase: prompts, then single steps, with the profiler on.

One session does both, as a user's loop would. Which call of the runtime belongs to which phase
is known, since the calls are made here.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter_ns, process_time_ns

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from onnx import ModelProto

from inspector.backends.array_files import Feed
from inspector.backends.measuring.clean_pass import Tell
from inspector.backends.measuring.cpu_speed_probe import CpuSpeedProbe
from inspector.backends.measuring.token_times import PIECE, Ids, TokenTimes, likeliest
from inspector.backends.onnxruntime.generation.decoder import Decoder, Graphs
from inspector.backends.onnxruntime.graphs.layer_names import Naming, rename
from inspector.backends.onnxruntime.graphs.tensor_types import tensor_types
from inspector.backends.onnxruntime.measuring import profiled_pass
from inspector.backends.onnxruntime.measuring.profiled_pass import ProfiledPass, Step
from inspector.backends.onnxruntime.profiling import profile
from inspector.backends.onnxruntime.profiling.evaluation import Evaluation, evaluate
from inspector.backends.onnxruntime.profiling.profile import Call
from inspector.backends.onnxruntime.profiling.profiler_cost import measure_cost
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.formats import opening
from inspector.model.model import Model
from inspector.report.environment import BUSY_CPU_SHARE
from inspector.report.language.speed import GenerationSpeed, PhaseLayers, SpeedRow
from inspector.report.report import Device
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import CoreUse, CpuSpeed
from inspector.statistics.intervals import Quantile
from inspector.trace.trace import Kind
from inspector.wording.values import Count, Sentence

_BUDGET_NS = 4_000_000_000  # for the steps, and for the prompts; as of other profiled passes
_MOST_EVENTS = 50_000  # of steps, and of prompts: the runtime keeps 2.4 kB for each
_MOST_STEPS = 80
_LEAST_STEPS = 8  # of fewer, none is left out as slow
_MOST_PROMPTS = 10
_LEAST_PROMPTS = 2
_UNPROFILED_NS = 200_000_000  # of steps, and of prompts, when the profiler has ended
_LEAST_UNPROFILED = 2
_MOST_UNPROFILED = 100
_SPARE = 2  # tokens of the cache beyond the last step: those of warm-ups
_JUMP_STEPS = 12  # on each side of a jump of the time over the context
_EVENTS_BETWEEN = 20_000  # of the steps between prompts, which nobody looks at

LayerTimes = tuple[int | None, ...]  # of each layer of the report; None without a time


class PhasesRequest(Struct, frozen=True, eq=False):
    """What is profiled: the headline's prompt and steps of a clean pass, with its results.

    units: devices of the session; devices: the same, with the CPU. tokens: as `token_times`
    has them. folder: private, for the runtime. given: inputs that an encoder filled.
    """

    path: Path
    model: Model
    graphs: Graphs
    spec: RunSpec
    units: Sequence[DeviceHandle]
    devices: Sequence[Device]
    folder: Path
    tokens: Callable[[int, int], Ids]
    speed: GenerationSpeed
    times: TokenTimes
    pace: CpuSpeed
    tell: Tell
    given: Mapping[str, Feed] = field(default_factory=dict)


class Phases(Struct, frozen=True):
    """Layers in decode, as a report has them, and their times in both phases.

    jump_ns: times of each before the largest jump of the clean pass, and behind it.
    """

    evaluation: Evaluation
    decode: PhaseLayers | None
    prefill: PhaseLayers | None
    notes: tuple[str, ...]
    jump_ns: tuple[LayerTimes, LayerTimes] = ((), ())


class _Calls(Struct, frozen=True):
    """Calls of the decoder in one phase: the numbers of the runtime's runs in each, and times.

    unprofiled_ns: of further calls when the profiler had ended.
    """

    runs: list[tuple[int, ...]] = field(default_factory=list)
    wall_ns: list[int] = field(default_factory=list)
    cpu_ns: list[int] = field(default_factory=list)
    pace: CpuSpeed = field(default_factory=CpuSpeed)
    unprofiled_ns: list[int] = field(default_factory=list)


def profile_phases(request: PhasesRequest) -> Phases:
    """Profile prompts and steps, and time the layers in each. Raises what the runtime does."""
    request.tell("profile", -1, ())
    given = opening.skeleton(request.path)
    renamed, naming = rename(given)
    steps: list[Step] = []
    with profiled_pass.note_step(steps, "create session"):
        loaded = profiled_pass.load_with_profiler(
            request.path, renamed, request.spec, request.units, request.folder
        )
    decoder = Decoder(replace(request.graphs, session=loaded.session), request.given)
    calls = _Profiling(decoder, request, steps)
    prefill, beside, decode = calls.prompts(), calls.jump(), calls.steps()
    written = Path(loaded.session.end_profiling())
    bodies = profiled_pass.with_bodies(loaded.optimised)
    parsed = profile.read(written, bodies)
    written.unlink()
    calls.without_profiler(prefill, decode)
    whole = ProfiledPass(
        parsed, loaded.zero_ns, tuple(steps), len(decode.runs), loaded.optimised,
        loaded.renamed, profiled_pass.assigned_parts(loaded.session),
        (loaded.note,) if loaded.note else (), (), tuple(decode.wall_ns),
        tuple(decode.cpu_ns), decode.pace, measure_cost(request.spec, request.folder),
        tuple(decode.unprofiled_ns),
    )  # fmt: skip
    request.tell("layers", -1, ())
    known = _Known(request, decoder, given, renamed, naming if loaded.renamed else None)
    return known.phases(whole, prefill, beside)


class _Profiling:
    """Feeds prompts and tokens, and notes which runs of the runtime each took."""

    def __init__(self, decoder: Decoder, request: PhasesRequest, steps: list[Step]) -> None:
        self._decoder, self._request, self._steps = decoder, request, steps
        self._made = 0  # runs of the runtime so far
        self._between = 0  # steps before each prompt
        self._main, self._prompt = request.speed.decode, request.speed.prompt
        self._context = self._main.context if self._main else 0
        self._asked = self._prompt.prompt if self._prompt else 0
        self._batch = (self._main or self._prompt or SpeedRow(0, 0)).batch
        self._jump = request.speed.jumps[0].context if request.speed.jumps else 0
        longest = max(self._context, self._asked, self._jump)
        self._ids = request.tokens(longest + 1, self._batch)
        self._room = longest + max(request.spec.new_tokens, _MOST_STEPS) + _SPARE
        if request.graphs.context_limit:  # steps go back where the graph counts no further
            self._room = min(self._room, request.graphs.context_limit)
        decoder.begin(self._room, self._batch)

    def prompts(self) -> _Calls:
        """Profile the headline's prompt a few times; nothing where none was measured."""
        if self._prompt is None:
            return _Calls()
        ids = self._ids[:, : self._asked]
        self._feed(ids, "warm-up")
        most = self._affordable(self._prompt.prefill_ns, _LEAST_PROMPTS, _MOST_PROMPTS)
        # As many steps between as the clean pass took: a prompt right after another finds the
        # threads awake and takes less time.
        taken = max(1, *map(len, self._prompt.step_ns), 0)
        events = max(1, len(self._request.model.layers)) * (most + 1)
        self._between = min(taken, max(1, _EVENTS_BETWEEN // events))
        return self._timed(
            most, self._settle, lambda: ids, f"prefill, {self._asked} tokens", None
        )

    def _settle(self) -> None:
        """Take some steps, as after a prompt, and go back to the beginning."""
        decoder, chosen = self._decoder, self._ids[:, :1]
        decoder.rewind(min(decoder.length, self._asked))
        with profiled_pass.note_step(self._steps, "steps between prompts"):
            for _ in range(self._between):
                chosen, _ = decoder.step(chosen)
        self._made += self._between
        decoder.rewind(0)

    def jump(self) -> tuple[_Calls, ...]:
        """Profile steps on both sides of the largest jump; nothing without one."""
        decoder, found = self._decoder, list[_Calls]()
        for context in (self._jump - 1, self._jump) if self._jump else ():
            decoder.rewind(min(decoder.length, context))
            if decoder.length < context:
                self._feed(self._ids[:, decoder.length : context], "fill the context")
            token = self._ids[:, context : context + 1]
            self._feed(token, "first step")
            back = partial(decoder.rewind, context)
            name = f"at context {context}"
            found.append(self._timed(_JUMP_STEPS, back, partial(_same, token), name, None))
            decoder.rewind(context)
        return tuple(found)

    def steps(self) -> _Calls:
        """Profile steps at the headline's context, which is filled before; they come last."""
        decoder = self._decoder
        if self._main is None:
            return _Calls()
        if decoder.length < self._context:
            self._feed(self._ids[:, decoder.length : self._context], "fill the context")
        else:
            decoder.rewind(self._context)
        chosen = self._feed(self._ids[:, self._context : self._context + 1], "first step")
        decoder.rewind(self._context)
        chosen = self._feed(chosen, "warm-up step")
        most = self._affordable(self._request.times.ran_ns, _LEAST_STEPS, _MOST_STEPS)
        token = [chosen]

        def room() -> None:
            if decoder.length >= self._room:
                decoder.rewind(self._context)

        return self._timed(most, room, lambda: token[0], "step {number}", token)

    def without_profiler(self, prefill: _Calls, decode: _Calls) -> None:
        """Go on a little when the profiler has ended: the same session tells what it adds."""
        ids, decoder = self._ids, self._decoder
        one = ids[:, self._context : self._context + 1]
        for calls in (decode, prefill):
            if not calls.wall_ns:
                continue
            part = one if calls is decode else ids[:, : self._asked]
            began = perf_counter_ns()
            while len(calls.unprofiled_ns) < _MOST_UNPROFILED and (
                len(calls.unprofiled_ns) < _LEAST_UNPROFILED
                or perf_counter_ns() - began < _UNPROFILED_NS
            ):
                if calls is prefill:
                    self._settle()
                else:
                    decoder.rewind(self._context)
                before = perf_counter_ns()
                decoder.feed(part, piece=PIECE)
                calls.unprofiled_ns.append(perf_counter_ns() - before)

    def _timed(
        self,
        most: int,
        prepare: Callable[[], None],
        ids: Callable[[], Ids],
        name: str,
        token: list[Ids] | None,
    ) -> _Calls:
        """Feed so many times. token: takes the chosen one; None: runs count for no step."""
        request, calls = self._request, _Calls()
        pacer = CpuSpeedProbe(
            request.pace.reference_ns, request.spec.only_cpu, request.spec.alone
        )
        for place in range(most):
            request.tell("profile", place / most, ())
            prepare()
            if pacer.due(perf_counter_ns()):
                pacer.take(place)
            cpu_began, began = process_time_ns(), perf_counter_ns()
            logits, runs = self._call(ids())
            ended, cpu_ended = perf_counter_ns(), process_time_ns()
            calls.runs.append(runs)
            calls.wall_ns.append(ended - began)
            calls.cpu_ns.append(cpu_ended - cpu_began)
            run = None if token is None else place
            title = name.format(number=place + 1)
            self._steps.append(
                Step(title, began, ended - began, Kind.CALL, run, cpu_ns=cpu_ended)
            )
            chosen = likeliest(logits)
            done = perf_counter_ns()
            self._steps.append(Step("sample", ended, done - ended, Kind.CALL, run))
            if token is not None:
                token[0] = chosen
        pacer.take(most)
        return replace(calls, pace=pacer.pace())

    def _feed(self, ids: Ids, name: str) -> Ids:
        """Feed tokens that no phase counts; return the likeliest next ones."""
        with profiled_pass.note_step(self._steps, name):
            logits, _ = self._call(ids)
        return likeliest(logits)

    def _call(self, ids: Ids) -> tuple[np.ndarray, tuple[int, ...]]:
        """Feed tokens; return the logits, and the numbers of the runs that it took."""
        pieces: list[int] = []
        logits = self._decoder.feed(ids, piece=PIECE, report=pieces.append)
        runs = tuple(range(self._made, self._made + len(pieces)))
        self._made += len(pieces)
        return logits, runs

    def _affordable(self, times_ns: Sequence[int], least: int, most: int) -> int:
        """Return how many calls to profile in the time, and with the events, that there are."""
        each_ns = float(np.median(times_ns)) if times_ns else 1.0
        events = max(1, len(self._request.model.layers))
        return int(min(max(least, _BUDGET_NS // max(1.0, each_ns)), most,
                       max(least, _MOST_EVENTS // events)))  # fmt: skip


class _Known(Struct, frozen=True, eq=False):
    """What layers are recognized by, in both phases.

    naming: of the names in `renamed`; None where the runtime did not accept these.
    """

    request: PhasesRequest
    decoder: Decoder
    given: ModelProto
    renamed: ModelProto
    naming: Naming | None

    def phases(
        self, whole: ProfiledPass, prefill: _Calls, beside: Sequence[_Calls] = ()
    ) -> Phases:
        """Time the layers in both phases. whole: the last of its runs are the steps. beside:
        steps before and after the largest jump."""
        speed, times = self.request.speed, self.request.times
        decode_layers = prefill_layers = None
        main, prompt = speed.decode, speed.prompt
        evaluation = self._evaluated(whole, 1, main.context if main else 0, times.ran_ns)
        notes = (*whole.notes, *evaluation.notes)
        if main is not None:
            decode_layers = _phase("decode", 1, main.context, evaluation, times.ran_ns)
        if prompt is not None and prefill.runs:
            part = _only(whole, prefill)
            read = self._evaluated(part, prompt.prompt, 0, prompt.prefill_ns)
            prefill_layers = _phase("prefill", prompt.prompt, 0, read, prompt.prefill_ns)
            if main is None:
                evaluation = read
        if len(whole.wall_ns) < self.request.spec.profiled_runs and main is not None:
            notes += (_few_note(len(whole.wall_ns)),)
        jump_ns = self._beside_jump(whole, beside) if beside else ((), ())
        return Phases(evaluation, decode_layers, prefill_layers, notes, jump_ns)

    def _beside_jump(
        self, whole: ProfiledPass, beside: Sequence[_Calls]
    ) -> tuple[LayerTimes, LayerTimes]:
        """Return the times of layers before and behind a jump."""
        jump, sides = self.request.speed.jumps[0], list[LayerTimes]()
        clean = ((jump.context - 1, jump.before_ns), (jump.context, jump.after_ns))
        for (past, time_ns), calls in zip(clean, beside, strict=True):
            side = self._evaluated(_only(whole, calls), 1, past, (time_ns,))
            sides.append(tuple(layer.time_ns for layer in side.layers))
        return sides[0], sides[1]

    def _evaluated(
        self, done: ProfiledPass, new: int, past: int, clean_ns: Sequence[int]
    ) -> Evaluation:
        request = self.request
        home = opening.home(request.path)
        found, batch = self.decoder.roles, self.decoder.batch
        shapes: dict[str, tuple[int, ...]] = {found.ids.name: (batch, new)}
        for state in found.states:
            shapes[state.input.name] = state.shape(batch, past)
        for name, (_, make) in found.others.items():
            shapes[name] = make(new, past, batch).shape
        types = tensor_types(self.renamed, request.spec, shapes, home)
        proto = self.renamed if self.naming is not None else self.given
        cores = _cores(request)
        values = np.asarray(clean_ns, np.float64)
        quartile, middle = (
            (float(Quantile(q)(values)) if len(values) else 0.0) for q in (0.25, 0.5)
        )
        return evaluate(
            request.model, proto, self.naming, done, request.devices, types, frozenset(), cores,
            quartile, middle,
        )  # fmt: skip


def _cores(request: PhasesRequest) -> CoreUse:
    if request.spec.alone:
        return CoreUse.ONE
    others = request.times.surroundings.others or 0
    return CoreUse.SHARED if others > BUSY_CPU_SHARE else CoreUse.ALL


def _phase(
    name: str, tokens: int, context: int, evaluation: Evaluation, clean_ns: Sequence[int]
) -> PhaseLayers:
    done = evaluation.profiling
    quantile = Quantile(done.low_quantile if done.at_full_speed is False else 0.5)
    run_ns = float(quantile(np.asarray(clean_ns, np.float64))) if clean_ns else 0.0
    return PhaseLayers(
        name,
        tokens,
        context,
        tuple(use.time_ns for use in evaluation.layers),
        sum(node.time_ns for node in evaluation.inserted),
        evaluation.kernel_ns,
        round(run_ns),
        evaluation.profiling,
    )


def _only(whole: ProfiledPass, calls: _Calls) -> ProfiledPass:
    """Return a pass with the calls of one phase alone, each as one run."""
    numbers = {run: place for place, runs in enumerate(calls.runs) for run in runs}
    kernels = whole.profile.kernels
    places = [place for place, kernel in enumerate(kernels) if kernel.run in numbers]
    kept = {place: number for number, place in enumerate(places)}
    moved = tuple(
        kernel.moved(
            0,
            numbers[kernel.run] - kernel.run,
            None if kernel.parent is None else kept[kernel.parent],
        )
        for kernel in map(kernels.__getitem__, places)
    )
    runs = tuple(_joined([whole.profile.runs[run] for run in each]) for each in calls.runs)
    part = replace(whole.profile, runs=runs, kernels=moved)
    return replace(
        whole, profile=part, runs=len(runs), wall_ns=tuple(calls.wall_ns),
        cpu_ns=tuple(calls.cpu_ns), pace=calls.pace, unprofiled_ns=tuple(calls.unprofiled_ns),
    )  # fmt: skip


def _same(ids: Ids) -> Ids:
    return ids


def _joined(calls: Sequence[Call]) -> Call:
    """Return several runs of the runtime, such as pieces of a prompt, as one."""
    begin = calls[0].start_ns
    end = calls[-1].start_ns + calls[-1].duration_ns
    return Call(calls[0].name, begin, end - begin)


def _few_note(steps: int) -> Sentence:
    return Sentence("Only {steps} were profiled, since each takes long.", Count(steps, "step"))
