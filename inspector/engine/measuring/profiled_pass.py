"""The second half of a measurement: the same predictions with the runtime's profiler on."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter_ns, process_time_ns, sleep
from typing import Any

from onnx import ModelProto

from inspector import readers
from inspector.engine.graphs import naming
from inspector.engine.measuring import clock, memory, profile, provider_profile
from inspector.engine.measuring.clean_pass import Feeds, Tell
from inspector.engine.measuring.pacing import Pacer, settle
from inspector.engine.measuring.profile import Profile
from inspector.engine.measuring.profiler_cost import ProfilerCost, measure_cost
from inspector.engine.sessions import binding, predict, refusals
from inspector.engine.sessions.devices import Unit
from inspector.engine.sessions.raised import REFUSALS
from inspector.engine.sessions.session import create_session
from inspector.errors import EngineFailed
from inspector.pace import Pace, had_core
from inspector.report import RunSpec
from inspector.trace import Kind
from inspector.units import duration, plural

MOST_EVENTS = 50_000  # the runtime keeps 2.4 kB for each
WARM_UPS = 1
_EMBEDDED_BYTES = 1 << 30  # weights in the optimised graph's own file; protobuf ends at 2 GiB
_LEAST_KERNEL_NS = 1000
_SIDE_FILE = "optimised.bin"
_LOOPS = ("Loop", "Scan")
# Where layers are to be known to a precision, at least `RunSpec.profiled_runs` predictions are
# profiled, then so many as fit into a time: their layers show only when the profiler has ended.
# Beside three busy processes the worst layer above 1 % of ultraface was off by 1.6 times with
# 80 and 2.1 with 20; of squeezenet, whose kernels are longer, by 2.7 and 11.9.
_ENOUGH_RUNS, _MOST_RUNS = 80, 200
_SHORT_NS, _BUDGET_NS = 100_000_000, 3_000_000_000
_ENOUGH_EVENTS = 20_000  # a report holds some 50 bytes of each
_UNPROFILED_NS, _MOST_UNPROFILED = 200_000_000, 100
_LOOK_NS = 1_000_000  # asking for memory takes 20 µs and cools the caches down
_LAST = 10  # steps, so that the first prediction does not count where there are more


@dataclass(frozen=True, slots=True)
class Step:
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


# A prediction that took so many times as long as the fastest waited for a core. Back to back,
# the next ones wait at the same kernels: the scheduler's time slices go with their rhythm. A
# random pause of up to a time slice (3 to 4 ms on Linux) puts each at another point of it.
_HELD_UP, _LONGEST_PAUSE = 1.25, 0.004


@dataclass(frozen=True, slots=True)
class ProfiledPass:
    """What the profiled pass brought.

    zero_ns: when the profile's clock began, on perf_counter's. runs: how many of the
    predictions count, the last ones. optimised: the graph that ran; None when the runtime
    could not write it. renamed: whether the names in it are ours. assigned: provider and
    names of nodes for each part of the graph, as the runtime divided it. inside: what the
    provider's own profiler counted in parts that it compiled. wall_ns, cpu_ns: of each of
    the predictions that count. pace: the CPU's speed between them. cost: of the profiler.
    unprofiled_ns: of predictions in the same session afterwards, when its profiler was off.
    """

    profile: Profile
    zero_ns: int
    steps: tuple[Step, ...]
    runs: int
    optimised: ModelProto | None
    renamed: bool
    assigned: tuple[tuple[str, tuple[str, ...]], ...]
    notes: tuple[str, ...]
    inside: tuple[provider_profile.Counted, ...] = ()
    wall_ns: tuple[int, ...] = ()
    cpu_ns: tuple[int, ...] = ()
    pace: Pace = field(default_factory=Pace)
    cost: ProfilerCost = field(default_factory=ProfilerCost)
    unprofiled_ns: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Predicted:
    """The predictions that count: how long each took, and the CPU's speed between them.

    run: what predicts once more.
    """

    wall_ns: tuple[int, ...]
    cpu_ns: tuple[int, ...]
    pace: Pace
    run: predict.Run


@dataclass(frozen=True, slots=True, eq=False)
class _Loaded:
    session: Any
    optimised: ModelProto | None
    renamed: bool
    zero_ns: int
    note: str


def profiled_pass(
    model: Path,
    renamed: ModelProto | None,
    spec: RunSpec,
    units: Sequence[Unit],
    feeds: Feeds,
    folder: Path,
    prediction_ns: int,
    tell: Tell,
    pace_ns: int = 0,
) -> ProfiledPass:
    """Load a model with the profiler on and predict a few times.

    renamed: the model with names that survive; None where it cannot have them. folder: private,
    for the runtime. prediction_ns: of a clean prediction. pace_ns: of a probe at full pace,
    which is waited for a little; 0: not at all. Raises EngineFailed: it refused.
    """
    steps: list[Step] = []
    tell("profile", -1, ())
    with _noted(steps, "create session"):
        asking = provider_profile.switched_on(spec, units, folder)
        loaded = _load(model, renamed, asking, units, folder)
    graph = loaded.optimised or renamed
    runs, note = affordable(graph, spec.profiled_runs, prediction_ns)
    most = runs
    if spec.layer_precision and not note:
        most = max(runs, affordable(graph, _MOST_RUNS, prediction_ns, _ENOUGH_EVENTS)[0])
    try:
        done = _predict(loaded.session, feeds, spec, (runs, most), steps, tell, pace_ns)
    except REFUSALS as error:
        raise refusals.refused(error, "Could not predict", "profile") from error
    notes = (loaded.note, note, _copies_note(steps), _waiting_note(steps))
    found = _profiled(loaded)
    unprofiled = _unprofiled(done, steps) if spec.layer_precision else ()
    return ProfiledPass(
        found,
        loaded.zero_ns,
        tuple(steps),
        len(done.wall_ns),
        loaded.optimised,
        loaded.renamed,
        _assigned(loaded.session),
        tuple(filter(None, notes)),
        provider_profile.read(folder, 1 + WARM_UPS),
        done.wall_ns,
        done.cpu_ns,
        done.pace,
        measure_cost(spec, folder),
        unprofiled,
    )


def _waiting_note(steps: Sequence[Step]) -> str:
    """Tell how long the program is busy handing work over, and how long it waits for it."""
    times = {
        name: [step.duration_ns for step in steps if step.name == name][-_LAST:]
        for name in (binding.SUBMIT, binding.WAIT)
    }
    if not all(times.values()):
        return ""
    submit, wait = (duration(round(median(some))) for some in times.values())
    return (
        f"A profiled prediction is handed over to the device in {submit}; then the program "
        f"waits {wait} until it is done and the outputs are fetched."
    )


def _copies_note(steps: Sequence[Step]) -> str:
    """Tell of copies that were made once here, and that others make each time."""
    copies = [step for step in steps if step.kind in (Kind.COPY, Kind.CAST)]
    if not copies:
        return ""
    spent = duration(sum(step.duration_ns for step in copies))
    return (
        f"Inputs were copied or cast once before the predictions, in {spent}: a program that "
        "hands them over as they were pays for that each time."
    )


def _predict(
    session: Any,
    feeds: Feeds,
    spec: RunSpec,
    runs: tuple[int, int],
    steps: list[Step],
    tell: Tell,
    pace_ns: int,
) -> _Predicted:
    """Predict once, warm up, and predict; runs: how often at least and at most."""

    def noted(name: str, kind: Kind, size_bytes: int) -> AbstractContextManager[None]:
        return _noted(steps, name, kind, size_bytes=size_bytes)

    run = predict.runner(session, feeds, spec.binding, spec.cast, noted)
    with _noted(steps, "first prediction"):
        run()
    if pace_ns:
        settle(pace_ns, spec.alone)
    for _ in range(WARM_UPS):
        with _noted(steps, "warm-up"):
            run()
    pacer, wall, cpu = Pacer(pace_ns, spec.only_cpu, spec.alone), list[int](), list[int]()
    begun, ran, looked, pause = perf_counter_ns(), not spec.alone, 0, Random(0)
    while not _enough(len(wall), perf_counter_ns() - begun, runs):
        tell("profile", min(1.0, len(wall) / runs[0]), ())
        if pacer.due(perf_counter_ns()):
            pacer.take(len(wall), ran)
            ran = not spec.alone
        if wall and wall[-1] > _HELD_UP * min(wall):
            sleep(pause.uniform(0.0, _LONGEST_PAUSE))
        cpu_began, began = process_time_ns(), perf_counter_ns()
        run()
        ended, cpu_ended = perf_counter_ns(), process_time_ns()
        wall.append(ended - began)
        cpu.append(cpu_ended - cpu_began)
        ran = ran or had_core(wall[-1], cpu[-1])
        held = 0
        if ended - looked >= _LOOK_NS:
            held, looked = memory.resident_bytes(), ended
        run_number, name = len(wall) - 1, f"predict {len(wall)}"
        steps.append(Step(name, began, wall[-1], Kind.CALL, run_number, 0, held, cpu_ended))
    pacer.take(len(wall), ran)
    return _Predicted(tuple(wall), tuple(cpu), pacer.pace(), run)


def _unprofiled(done: _Predicted, steps: list[Step]) -> tuple[int, ...]:
    """Predict on without the profiler, which has ended, for a moment: nanoseconds of each.

    The same session at the same time tells what the profiler adds. Not where one prediction
    takes longer than that moment.
    """
    if min(done.wall_ns) > _UNPROFILED_NS:
        return ()
    wall = list[int]()
    begun = ended = perf_counter_ns()
    while len(wall) < _MOST_UNPROFILED and ended - begun < _UNPROFILED_NS:
        began = perf_counter_ns()
        done.run()
        ended = perf_counter_ns()
        wall.append(ended - began)
        steps.append(Step(f"predict without profiler {len(wall)}", began, wall[-1]))
    return tuple(wall)


def _enough(taken: int, spent_ns: int, runs: tuple[int, int]) -> bool:
    """Return whether enough predictions are profiled; runs: the least and the most."""
    least, most = runs
    if taken < least or taken >= most:
        return taken >= least
    return spent_ns >= _BUDGET_NS or (taken >= _ENOUGH_RUNS and spent_ns >= _SHORT_NS)


@contextmanager
def _noted(
    steps: list[Step],
    name: str,
    kind: Kind = Kind.CALL,
    run: int | None = None,
    size_bytes: int = 0,
) -> Iterator[None]:
    """Note what the block does and how long it takes."""
    began = perf_counter_ns()
    yield
    took, held, cpu = perf_counter_ns() - began, memory.resident_bytes(), process_time_ns()
    steps.append(Step(name, began, took, kind, run, size_bytes, held, cpu))


def _load(
    model: Path,
    renamed: ModelProto | None,
    spec: RunSpec,
    units: Sequence[Unit],
    folder: Path,
) -> _Loaded:
    """Create the session in the most telling way that the runtime accepts."""
    failures: list[EngineFailed] = []
    for body, written, note in _attempts(renamed, folder / "optimised.onnx"):
        begun = clock.now()
        try:
            session = create_session(
                model if body is None else body.SerializeToString(),
                spec,
                units,
                profile_prefix=folder / "profile",
                optimized_path=written,
                config=_config(model),
                external_folder=None if body is None else readers.home(model),
            )
        except EngineFailed as error:
            failures.append(error)
            continue
        zero = clock.profile_zero(session.get_profiling_start_time_ns(), begun, clock.now())
        graph = _read_once(written) if written else None
        return _Loaded(session, graph, body is not None, zero, note)
    raise failures[0]


def _read_once(optimised: Path) -> ModelProto:
    """Read the optimised graph and give its room back: it may hold all weights again."""
    graph = readers.skeleton(optimised)
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


_COMPILED_NOTE = (
    "A device compiles whole parts of this model, so the runtime does not tell what runs in "
    "them: such a part has one time, shown at its first layer."
)
_NAMES_NOTE = (
    "The runtime would not load this model with the names that mark its layers; layers were "
    "recognised by their own names, which is less certain."
)


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
    """Bound the number of profiled runs by the events that they will bring; say so.

    graph: the one that runs, None when unknown. prediction_ns: without the profiler.
    """
    inner = list(naming.graphs(graph.graph)) if graph else []
    events = sum(len(each.node) for each in inner)
    if any(node.op_type in _LOOPS for each in inner for node in each.node):
        # Nobody knows how often a body runs, but hardly a kernel takes less than this.
        events = max(events, prediction_ns // _LEAST_KERNEL_NS)
    runs = max(1, runs)
    able = max(1, most_events // max(1, events) - 1 - WARM_UPS)
    if able >= runs:
        return runs, ""
    return able, (
        f"Only {plural(able, 'prediction')} of {runs} {'was' if able == 1 else 'were'} "
        f"profiled, because one brings up to {events:,} events."
    )


def _profiled(loaded: _Loaded) -> profile.Profile:
    """What the runtime wrote of the session's work; its file goes."""
    written = Path(loaded.session.end_profiling())
    found = profile.read(written, _with_bodies(loaded.optimised))
    written.unlink()
    return found


def _with_bodies(optimised: ModelProto | None) -> frozenset[str]:
    if optimised is None:
        return frozenset({"If", "Loop", "Scan"})
    return frozenset(
        node.op_type
        for graph in naming.graphs(optimised.graph)
        for node in graph.node
        if any(naming.bodies(node))
    )


def _assigned(session: Any) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(
        (part.ep_name, tuple(node.name for node in part.get_nodes()))
        for part in session.get_provider_graph_assignment_info()
    )
