"""The second half of a measurement: the same predictions with the runtime's profiler on."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter_ns, process_time_ns
from typing import Any

from onnx import ModelProto

from inspector import readers
from inspector.engine.graphs import naming
from inspector.engine.measuring import clock, memory, profile, provider_profile
from inspector.engine.measuring.clean_pass import Feeds, Tell
from inspector.engine.measuring.pacing import settle
from inspector.engine.measuring.profile import Profile
from inspector.engine.sessions import binding, predict, refusals
from inspector.engine.sessions.devices import Unit
from inspector.engine.sessions.raised import REFUSALS
from inspector.engine.sessions.session import create_session
from inspector.errors import EngineFailed
from inspector.report import RunSpec
from inspector.trace import Kind
from inspector.units import duration, plural

MOST_EVENTS = 50_000  # the runtime keeps 2.4 kB for each
WARM_UPS = 1
_EMBEDDED_BYTES = 1 << 30  # weights in the optimised graph's own file; protobuf ends at 2 GiB
_LEAST_KERNEL_NS = 1000
_SIDE_FILE = "optimised.bin"
_LOOPS = ("Loop", "Scan")
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


@dataclass(frozen=True, slots=True)
class ProfiledPass:
    """What the profiled pass brought.

    zero_ns: when the profile's clock began, on perf_counter's. runs: how many of the
    predictions count, the last ones. optimised: the graph that ran; None when the runtime
    could not write it. renamed: whether the names in it are ours. assigned: provider and
    names of nodes for each part of the graph, as the runtime divided it. inside: what the
    provider's own profiler counted in parts that it compiled.
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
    runs, note = affordable(loaded.optimised or renamed, spec.profiled_runs, prediction_ns)
    try:
        _predict(loaded.session, feeds, spec, runs, steps, tell, pace_ns)
    except REFUSALS as error:
        raise refusals.refused(error, "Could not predict", "profile") from error
    notes = (loaded.note, note, _copies_note(steps), _waiting_note(steps))
    return ProfiledPass(
        _profiled(loaded),
        loaded.zero_ns,
        tuple(steps),
        runs,
        loaded.optimised,
        loaded.renamed,
        _assigned(loaded.session),
        tuple(filter(None, notes)),
        provider_profile.read(folder, 1 + WARM_UPS),
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
    runs: int,
    steps: list[Step],
    tell: Tell,
    pace_ns: int,
) -> None:
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
    for number in range(runs):
        tell("profile", number / runs, ())
        with _noted(steps, f"predict {number + 1}", run=number):
            run()


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


def affordable(graph: ModelProto | None, runs: int, prediction_ns: int) -> tuple[int, str]:
    """Bound the number of profiled runs by the events that they will bring; say so.

    graph: the one that runs, None when unknown. prediction_ns: without the profiler.
    """
    inner = list(naming.graphs(graph.graph)) if graph else []
    events = sum(len(each.node) for each in inner)
    if any(node.op_type in _LOOPS for each in inner for node in each.node):
        # Nobody knows how often a body runs, but hardly a kernel takes less than this.
        events = max(events, prediction_ns // _LEAST_KERNEL_NS)
    runs = max(1, runs)
    able = max(1, MOST_EVENTS // max(1, events) - 1 - WARM_UPS)
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
