"""The second half of a measurement: the same runs with the runtime's profiler enabled."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter_ns, process_time_ns, sleep
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace
from onnx import ModelProto

from inspector.backends.measuring import process_state
from inspector.backends.measuring.clean_pass import Tell
from inspector.backends.measuring.cpu_speed_probe import CpuSpeedProbe, wait_for_full_speed
from inspector.backends.measuring.machine_load import MachineLoad
from inspector.backends.onnxruntime.graphs import layer_names
from inspector.backends.onnxruntime.measuring.session_timing import Feeds
from inspector.backends.onnxruntime.profiling import profile, provider_profilers
from inspector.backends.onnxruntime.profiling import profile as profile_module
from inspector.backends.onnxruntime.profiling.kernel_times import (
    kernel_usages,
    precise,
    select_runs,
)
from inspector.backends.onnxruntime.profiling.profile import Profile
from inspector.backends.onnxruntime.profiling.profiler_cost import ProfilerCost, measure_cost
from inspector.backends.onnxruntime.sessions import io_binding, predict, refusals
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.backends.onnxruntime.sessions.refusals import REFUSALS
from inspector.backends.onnxruntime.sessions.session import assignments, create_session
from inspector.errors import EngineFailed
from inspector.formats import opening
from inspector.model.operator_traits import CONTROL_FLOW, LOOPS
from inspector.report.layer_timing import WITHOUT_PROFILER
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import CoreUse, CpuSpeed, had_core, join_cpu_speeds
from inspector.trace.trace import Kind
from inspector.units import duration, plural
from inspector.wording.values import Sentence

MOST_EVENTS = 50_000  # the runtime keeps 2.4 kB for each
WARM_UPS = 1
_EMBEDDED_BYTES = 1 << 30  # weights in the optimised graph's own file; protobuf ends at 2 GiB
_LEAST_KERNEL_NS = 1000
_SIDE_FILE = "optimised.bin"
# Where layers are to be known to a precision (`RunSpec.layer_precision`), sessions are profiled
# one after the other until the layers that matter are, or a time or number ends it. A session's
# layers show only when its profiler has ended, and a kernel may be 4 times as fast in one
# session as in the next. A model that loads slowly is profiled in one session.
# Beside three busy processes the worst layer above 1% of ultraface was off by 1.6 times with
# 80 and 2.1 with 20; of squeezenet, whose kernels are longer, by 2.7 and 11.9.
_ENOUGH_RUNS = 80
_MOST_RUNS = 400
_SESSIONS = 2
_SHORT_NS = 100_000_000
_BUDGET_NS = 4_000_000_000
_MOST_BUDGET_NS = 10_000_000_000
_QUICK_LOAD = (
    0.1  # of the time for profiling: a model that loads within it has several sessions
)
_ENOUGH_EVENTS = 20_000  # a report holds some 50 bytes of each
_UNPROFILED_NS = 200_000_000
_MOST_UNPROFILED = 100
_LOOK_NS = 1_000_000  # asking for memory takes 20 µs and cools the caches down
_LAST = 10  # steps, so that the first prediction does not count where there are more
# A prediction that took so many times as long as the fastest waited for a core. Back to back,
# the next ones wait at the same kernels: the scheduler's time slices go with their rhythm. A
# random pause of up to a time slice (3 to 4 ms on Linux) puts each at another point of it. Once
# one has waited the machine is busy, and there are pauses until the end. After a pause caches
# are cold: the first layers of ultraface then took up to 2.1 times as long, of squeezenet 2.6.
# So the next prediction follows at once, and layer times are taken from that one.
_HELD_UP = 1.25
_LONGEST_PAUSE = 0.004
_COMPILED_NOTE = (
    "A device compiled partitions of this model as a whole. ONNX Runtime does not report the "
    "layers inside, so each partition has one time, shown at its first layer."
)
_NAMES_NOTE = (
    "ONNX Runtime could not load this model with the temporary names by which Inspector "
    "identifies layers. Layers were matched by their original names, which is less certain."
)


class Step(Struct, frozen=True):
    """Something this program did, on perf_counter's clock; run: of the profiled ones.

    memory_bytes, cpu_ns: of this process when it was done; 0 where nobody looked.
    """

    name: str
    start_ns: int
    duration_ns: int
    kind: Kind = Kind.CALL
    run: int | None = None
    size_bytes: int = 0
    memory_bytes: int = 0
    cpu_ns: int = 0


class ProfiledPass(Struct, frozen=True):
    """The result of the profiled pass.

    zero_ns: when the profile's clock began, on perf_counter's. runs: how many of the
    predictions count, the last ones. optimised: the graph that ran; None when the runtime
    could not write it. renamed: whether the names in it are ours. assigned: provider and
    names of nodes for each part of the graph, as the runtime divided it. inside: what the
    provider's own profiler counted in parts that it compiled. wall_ns, cpu_ns: of each of
    the predictions that count. pace: the CPU's speed between them. cost: of the profiler.
    unprofiled_ns: of predictions in the same session afterwards, when its profiler was off.
    sessions: how many of the predictions that count each session made; empty for one session.
    after_pause: which of the predictions that count began after a pause. machine_load: of all
    programs meanwhile; None where nobody looked.
    """

    profile: Profile
    zero_ns: int
    steps: tuple[Step, ...]
    runs: int
    optimised: ModelProto | None
    renamed: bool
    assigned: tuple[tuple[str, tuple[str, ...]], ...]
    notes: tuple[str, ...]
    inside: tuple[provider_profilers.ProviderCounters, ...] = ()
    wall_ns: tuple[int, ...] = ()
    cpu_ns: tuple[int, ...] = ()
    pace: CpuSpeed = field(default_factory=CpuSpeed)
    cost: ProfilerCost = field(default_factory=ProfilerCost)
    unprofiled_ns: tuple[int, ...] = ()
    sessions: tuple[int, ...] = ()
    after_pause: tuple[int, ...] = ()
    machine_load: MachineLoad | None = None


class _Session(Struct, frozen=True):
    """The result of one session; fields as in `ProfiledPass`."""

    profile: Profile
    zero_ns: int
    wall_ns: tuple[int, ...]
    cpu_ns: tuple[int, ...]
    pace: CpuSpeed
    unprofiled_ns: tuple[int, ...]
    after_pause: tuple[int, ...]


class _Limits(Struct, frozen=True):
    """The stopping rule of one session.

    fewest: always made. After `budget_ns` these are enough; after `short_ns`, `least` are.
    most: of short predictions.
    """

    fewest: int
    least: int
    most: int
    short_ns: int
    budget_ns: int

    def reached(self, predictions: int, spent_ns: int, after_pause: int = 0) -> bool:
        """Return whether so many predictions in that time are enough; some count less."""
        if predictions < self.fewest or predictions >= self.most:
            return predictions >= self.fewest
        enough = predictions - after_pause >= self.least and spent_ns >= self.short_ns
        return enough or spent_ns >= self.budget_ns


class _Predicted(Struct, frozen=True):
    """The predictions that count: how long each took, and the CPU's speed between them.

    run: what predicts once more. after_pause: which of them began after a pause.
    """

    wall_ns: tuple[int, ...]
    cpu_ns: tuple[int, ...]
    pace: CpuSpeed
    run: predict.Run
    after_pause: tuple[int, ...]


class Loaded(Struct, frozen=True, eq=False):
    """A session with its profiler on; fields as in `ProfiledPass`."""

    session: Any
    optimised: ModelProto | None
    renamed: bool
    zero_ns: int
    note: str


def profiled_pass(
    model: Path,
    renamed: ModelProto | None,
    spec: RunSpec,
    units: Sequence[DeviceHandle],
    feeds: Feeds,
    folder: Path,
    prediction_ns: int,
    tell: Tell,
    pace_ns: int = 0,
    clean_ns: int = 0,
) -> ProfiledPass:
    """Load a model with the profiler on and predict a few times.

    renamed: the model with names that survive; None where it cannot have them. folder: private,
    for the runtime. prediction_ns: of a clean prediction. pace_ns: of a probe at full pace,
    which is waited for a little; 0: not at all. clean_ns: how long the clean pass took: this
    one may take twice as long. Raises EngineFailed: it refused.
    """
    steps: list[Step] = []
    tell("profile", -1, ())
    asking = provider_profilers.switched_on(spec, units, folder)
    begun = perf_counter_ns()
    with note_step(steps, "create session"):
        loaded = load_with_profiler(model, renamed, asking, units, folder)
    load_ns = perf_counter_ns() - begun
    graph, assigned = loaded.optimised or renamed, assigned_parts(loaded.session)
    runs, note = affordable(graph, spec.profiled_runs, prediction_ns)
    whole = _Limits(runs, runs, runs, 0, 0)
    if spec.layer_precision and not note:
        most = max(runs, affordable(graph, _MOST_RUNS, prediction_ns, _ENOUGH_EVENTS)[0])
        enough = max(runs, min(most, _ENOUGH_RUNS))
        budget_ns = min(max(_BUDGET_NS, 2 * clean_ns), _MOST_BUDGET_NS)
        whole = _Limits(runs, enough, most, _SHORT_NS, budget_ns)
    several = whole.least > runs and spec.only_cpu and load_ns < _QUICK_LOAD * whole.budget_ns
    limits = _part(whole) if several else whole
    sessions = list[_Session]()
    joined: Profile | None = None
    while True:
        try:
            each = _profiled(loaded, feeds, spec, limits, sessions, steps, tell, pace_ns)
        except REFUSALS as error:
            raise refusals.runtime_failure(
                error, "Could not run the model", "profile"
            ) from error
        sessions.append(each)
        joined = _joined(joined, each, sessions[0])
        made, spent_ns = _predictions(sessions), perf_counter_ns() - begun
        if not several or made + limits.least > whole.most:
            break
        if spent_ns + spent_ns // len(sessions) > whole.budget_ns + limits.budget_ns // 2:
            break
        if len(sessions) >= _SESSIONS and _precise(joined, sessions, spec):
            break
        loaded = replace(loaded, session=None)  # its weights go before they are loaded again
        with note_step(steps, "create session again"):
            loaded = _load_again(loaded, model, renamed, asking, units, folder)
    notes = (loaded.note, note, _copies_note(steps), _waiting_note(steps))
    first = sessions[0]
    return ProfiledPass(
        joined,
        first.zero_ns,
        tuple(steps),
        _predictions(sessions),
        loaded.optimised,
        loaded.renamed,
        assigned,
        tuple(filter(None, notes)),
        provider_profilers.read(folder, 1 + WARM_UPS),
        tuple(ns for each in sessions for ns in each.wall_ns),
        tuple(ns for each in sessions for ns in each.cpu_ns),
        _joined_pace(sessions),
        measure_cost(spec, folder),
        tuple(ns for each in sessions for ns in each.unprofiled_ns),
        tuple(len(each.wall_ns) for each in sessions) if len(sessions) > 1 else (),
        tuple(place for each in sessions for place in each.after_pause),
    )


def _part(whole: _Limits) -> _Limits:
    """Return the limits of one of several sessions."""
    least = -(-whole.least // _SESSIONS)
    most, short = max(least, whole.most // _SESSIONS), whole.short_ns // _SESSIONS
    return _Limits(min(whole.fewest, least), least, most, short, whole.budget_ns // _SESSIONS)


def _predictions(sessions: Sequence[_Session]) -> int:
    return sum(len(each.wall_ns) for each in sessions)


def _precise(profile: Profile, sessions: Sequence[_Session], spec: RunSpec) -> bool:
    """Return whether the important layers have reached the target precision."""
    runs = _predictions(sessions)
    wall = tuple(ns for each in sessions for ns in each.wall_ns)
    cpu = tuple(ns for each in sessions for ns in each.cpu_ns)
    nodes = kernel_usages(profile.kernels, [None] * len(profile.kernels), 1 + WARM_UPS, runs)
    cores = CoreUse.ONE if spec.alone else CoreUse.ALL
    after_pause = [place for each in sessions for place in each.after_pause]
    chosen = select_runs(runs, wall, cpu, _joined_pace(sessions), cores, after_pause)
    return precise(nodes, chosen, spec.layer_precision)


def _joined_pace(sessions: Sequence[_Session]) -> CpuSpeed:
    return join_cpu_speeds([(each.pace, len(each.wall_ns)) for each in sessions])


def _joined(whole: Profile | None, each: _Session, first: _Session) -> Profile:
    """Return one profile with the predictions that count of one more session.

    Loading, first prediction and warm-up are those of the first session; times are on the clock
    of its profile.
    """
    if whole is None:
        return each.profile
    shift, skipped = each.zero_ns - first.zero_ns, 1 + WARM_UPS
    ahead, before = len(whole.runs) - skipped, len(whole.kernels)
    runs = (
        replace(call, start_ns=call.start_ns + shift) for call in each.profile.runs[skipped:]
    )
    places = [i for i, one in enumerate(each.profile.kernels) if one.run >= skipped]
    numbers = {place: before + n for n, place in enumerate(places)}
    kernels = (
        kernel.moved(shift, ahead, None if kernel.parent is None else numbers[kernel.parent])
        for kernel in map(each.profile.kernels.__getitem__, places)
    )
    return replace(
        whole,
        runs=(*whole.runs, *runs),
        kernels=(*whole.kernels, *kernels),
        arena_used_bytes=max(whole.arena_used_bytes, each.profile.arena_used_bytes),
        arena_held_bytes=max(whole.arena_held_bytes, each.profile.arena_held_bytes),
    )


def _waiting_note(steps: Sequence[Step]) -> str:
    """Return a note on the times to submit work to the device, to wait, and to copy outputs."""
    times = {
        name: [step.duration_ns for step in steps if step.name == name][-_LAST:]
        for name in (io_binding.SUBMIT, io_binding.WAIT, io_binding.FETCH)
    }
    if not all(times.values()):
        return ""
    return Sentence(
        "Submitting a profiled run to the device took {submit}; the program then waited "
        "{wait} for the device, and copying the outputs took {fetch}.",
        *(duration(round(median(some))) for some in times.values()),
    )


def _copies_note(steps: Sequence[Step]) -> str:
    """Return a note on copies made once here that a program may make in every run."""
    copies = [step for step in steps if step.kind in (Kind.COPY, Kind.CAST)]
    if not copies:
        return ""
    spent = duration(sum(step.duration_ns for step in copies))
    return Sentence(
        "Copying or casting the inputs took {spent}, once before the runs; a program that "
        "passes them unconverted spends this time in every run.",
        spent,
    )


def _predict(
    session: Any,
    feeds: Feeds,
    spec: RunSpec,
    limits: _Limits,
    before: int,
    steps: list[Step],
    tell: Tell,
    pace_ns: int,
) -> _Predicted:
    """Predict once, warm up, and predict; before: predictions of earlier sessions."""

    def noted(name: str, kind: Kind, size_bytes: int) -> AbstractContextManager[None]:
        return note_step(steps, name, kind, size_bytes=size_bytes)

    run = predict.prepare_run(session, feeds, spec.binding, spec.cast, noted)
    with note_step(steps, "first prediction"):
        run()
    if pace_ns and not before:
        wait_for_full_speed(pace_ns, spec.alone)
    for _ in range(WARM_UPS):
        with note_step(steps, "warm-up"):
            run()
    pacer, wall, cpu = (
        CpuSpeedProbe(pace_ns, spec.only_cpu, spec.alone),
        list[int](),
        list[int](),
    )
    begun, ran, looked, pause = perf_counter_ns(), not spec.alone, 0, Random(before)
    busy, after_pause = False, list[int]()
    while not limits.reached(len(wall), perf_counter_ns() - begun, len(after_pause)):
        tell("profile", -1 if before else min(1.0, len(wall) / limits.least), ())
        if pacer.due(perf_counter_ns()):
            pacer.take(len(wall), ran)
            ran = not spec.alone
        busy = busy or bool(wall and wall[-1] > _HELD_UP * min(wall))
        if busy and (not after_pause or after_pause[-1] < len(wall) - 1):
            after_pause.append(len(wall))
            sleep(pause.uniform(0.0, _LONGEST_PAUSE))
        cpu_began, began = process_time_ns(), perf_counter_ns()
        run()
        ended, cpu_ended = perf_counter_ns(), process_time_ns()
        wall.append(ended - began)
        cpu.append(cpu_ended - cpu_began)
        ran = ran or had_core(wall[-1], cpu[-1])
        held = 0
        if ended - looked >= _LOOK_NS:
            held, looked = process_state.resident_bytes(), ended
        number = before + len(wall)
        name = f"run {number}"
        steps.append(Step(name, began, wall[-1], Kind.CALL, number - 1, 0, held, cpu_ended))
    pacer.take(len(wall), ran)
    return _Predicted(tuple(wall), tuple(cpu), pacer.pace(), run, tuple(after_pause))


def _unprofiled(done: _Predicted, steps: list[Step], moment_ns: int) -> tuple[int, ...]:
    """Predict on without the profiler, which has ended, for `moment_ns`: nanoseconds of each.

    The same session at the same time tells what the profiler adds. Not where one prediction
    takes longer than that moment.
    """
    if min(done.wall_ns) > moment_ns:
        return ()
    wall = list[int]()
    begun = ended = perf_counter_ns()
    while len(wall) < _MOST_UNPROFILED and ended - begun < moment_ns:
        began = perf_counter_ns()
        done.run()
        ended = perf_counter_ns()
        wall.append(ended - began)
        steps.append(Step(f"{WITHOUT_PROFILER} {len(wall)}", began, wall[-1]))
    return tuple(wall)


@contextmanager
def note_step(
    steps: list[Step], name: str, kind: Kind = Kind.CALL, size_bytes: int = 0
) -> Iterator[None]:
    """Note what the block does and how long it takes."""
    began = perf_counter_ns()
    yield
    took, held, cpu = (
        perf_counter_ns() - began,
        process_state.resident_bytes(),
        process_time_ns(),
    )
    steps.append(Step(name, began, took, kind, None, size_bytes, held, cpu))


def load_with_profiler(
    model: Path,
    renamed: ModelProto | None,
    spec: RunSpec,
    units: Sequence[DeviceHandle],
    folder: Path,
) -> Loaded:
    """Create a session with its profiler on, in the most telling way that the runtime
    accepts. Raises EngineFailed: it accepts none."""
    failures: list[EngineFailed] = []
    for body, written, note in _attempts(renamed, folder / "optimised.onnx"):
        begun = profile_module.now()
        try:
            session = create_session(
                model if body is None else body.SerializeToString(),
                spec,
                units,
                profile_prefix=folder / "profile",
                optimized_path=written,
                config=_config(model),
                external_folder=None if body is None else opening.home(model),
            )
        except EngineFailed as error:
            failures.append(error)
            continue
        zero = profile_module.profile_zero(
            session.get_profiling_start_time_ns(), begun, profile_module.now()
        )
        graph = _read_once(written) if written else None
        return Loaded(session, graph, body is not None, zero, note)
    raise failures[0]


def _load_again(
    first: Loaded,
    model: Path,
    renamed: ModelProto | None,
    spec: RunSpec,
    units: Sequence[DeviceHandle],
    folder: Path,
) -> Loaded:
    """Create a second session like the first; the optimized graph is known by then."""
    whole = first.renamed and renamed is not None
    begun = profile_module.now()
    session = create_session(
        renamed.SerializeToString() if whole and renamed is not None else model,
        spec,
        units,
        profile_prefix=folder / "profile",
        config=_config(model),
        external_folder=opening.home(model) if whole else None,
    )
    zero = profile_module.profile_zero(
        session.get_profiling_start_time_ns(), begun, profile_module.now()
    )
    return replace(first, session=session, zero_ns=zero)


def _read_once(optimised: Path) -> ModelProto:
    """Read the optimised graph and give its room back: it may hold all weights again."""
    graph = opening.skeleton(optimised)
    optimised.unlink()
    (optimised.parent / _SIDE_FILE).unlink(missing_ok=True)
    return graph


def _attempts(
    renamed: ModelProto | None, path: Path
) -> Iterator[tuple[ModelProto | None, Path | None, str]]:
    """Yield model, path of the optimised graph and what to tell, the most telling first."""
    if renamed is not None:
        yield renamed, path, ""
        yield renamed, None, _COMPILED_NOTE
    yield None, path, _NAMES_NOTE
    yield None, None, f"{_NAMES_NOTE} {_COMPILED_NOTE}"


def _config(model: Path) -> dict[str, str]:
    if model.stat().st_size < _EMBEDDED_BYTES:
        return {}
    return {
        "session.optimized_model_external_initializers_file_name": _SIDE_FILE,
        "session.optimized_model_external_initializers_min_size_in_bytes": "1024",
    }


def affordable(
    graph: ModelProto | None, runs: int, prediction_ns: int, most_events: int = MOST_EVENTS
) -> tuple[int, str]:
    """Return how many runs to profile, limited by the events they record, and a note if fewer.

    graph: the one that runs, None when unknown. prediction_ns: without the profiler.
    """
    inner = list(layer_names.graphs(graph.graph)) if graph else []
    events = sum(len(each.node) for each in inner)
    if any(node.op_type in LOOPS for each in inner for node in each.node):
        # Nobody knows how often a body runs, but hardly a kernel takes less than this.
        events = max(events, prediction_ns // _LEAST_KERNEL_NS)
    runs = max(1, runs)
    able = max(1, most_events // max(1, events) - 1 - WARM_UPS)
    if able >= runs:
        return runs, ""
    return able, (
        f"Only {plural(able, 'run')} of {runs:,} {'was' if able == 1 else 'were'} profiled, "
        f"because each run records up to {events:,} events."
    )


def _profiled(
    loaded: Loaded,
    feeds: Feeds,
    spec: RunSpec,
    limits: _Limits,
    before: Sequence[_Session],
    steps: list[Step],
    tell: Tell,
    pace_ns: int,
) -> _Session:
    """Predict in a session and read what the runtime wrote of it; its file goes."""
    ahead = _predictions(before)
    done = _predict(loaded.session, feeds, spec, limits, ahead, steps, tell, pace_ns)
    written = Path(loaded.session.end_profiling())
    parsed = profile.read(written, with_bodies(loaded.optimised))
    written.unlink()
    moment_ns = _UNPROFILED_NS // _SESSIONS if before else _UNPROFILED_NS
    unprofiled = _unprofiled(done, steps, moment_ns) if spec.layer_precision else ()
    return _Session(
        parsed,
        loaded.zero_ns,
        done.wall_ns,
        done.cpu_ns,
        done.pace,
        unprofiled,
        tuple(ahead + place for place in done.after_pause),
    )


def with_bodies(optimised: ModelProto | None) -> frozenset[str]:
    """Return the operators that run subgraphs; the usual ones where the graph is unknown."""
    if optimised is None:
        return CONTROL_FLOW
    return frozenset(
        node.op_type
        for graph in layer_names.graphs(optimised.graph)
        for node in graph.node
        if any(layer_names.bodies(node))
    )


def assigned_parts(session: Any) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return provider and names of nodes for each part of the graph."""
    return tuple(
        (part.ep_name, tuple(node.name for node in part.get_nodes()))
        for part in assignments(session)
    )
