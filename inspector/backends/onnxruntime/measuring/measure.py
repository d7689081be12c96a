"""A measurement: a clean pass, a profiled pass, and what they say about each layer."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from mmap import ACCESS_READ, mmap
from pathlib import Path

import numpy as np
import onnxruntime
from msgspec import structs
from onnx import ModelProto

from inspector.backends import array_files, partial_reports
from inspector.backends.machine import environment
from inspector.backends.measuring.clean_pass import CleanPass, Tell
from inspector.backends.measuring.machine_load import MachineLoad
from inspector.backends.measuring.turn_taking import TurnTaker
from inspector.backends.onnxruntime.graphs.layer_names import Naming, rename
from inspector.backends.onnxruntime.graphs.tensor_types import tensor_types
from inspector.backends.onnxruntime.measuring.async_calls import async_calls
from inspector.backends.onnxruntime.measuring.load_phases import load_in_detail
from inspector.backends.onnxruntime.measuring.profiled_pass import ProfiledPass, profiled_pass
from inspector.backends.onnxruntime.measuring.session_timing import Feeds, clean_pass
from inspector.backends.onnxruntime.measuring.several_sessions import (
    NOT_SHARED,
    several_sessions,
)
from inspector.backends.onnxruntime.measuring.synchronized_layers import with_synchronized_times
from inspector.backends.onnxruntime.profiling.evaluation import Evaluation, evaluate
from inspector.backends.onnxruntime.profiling.profile import Profile
from inspector.backends.onnxruntime.profiling.report_trace import phases_of, steps_of_load
from inspector.backends.onnxruntime.sessions import devices, forced_to_cpu, providers
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.backends.onnxruntime.sessions.session import receives_options
from inspector.formats import opening
from inspector.model.model import Model
from inspector.report.environment import BUSY_CPU_SHARE, Environment, MemoryUse
from inspector.report.report import (
    Device,
    LoadPhase,
    ModelIdentity,
    PerformanceReport,
    separate_submissions,
)
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import CoreUse, select_full_speed
from inspector.statistics.intervals import Quantile
from inspector.trace.trace import COLUMNS, from_columns
from inspector.units import clip
from inspector.wording.values import Sentence

_LIBRARIES = (".so", ".pyd", ".dll", ".dylib")
_AROUND_MEDIAN = 0.4  # share of the predictions on each side that are left out
_ORT = (
    "Layers are not timed, because those of an ORT-format file cannot be identified. To "
    "time them, measure the ONNX model from which it was converted."
)


def ignored_options(spec: RunSpec, units: Sequence[DeviceHandle]) -> tuple[str, ...]:
    """Return a note on each option that the provider ignores without a word.

    Those are keys that no word in the provider's library equals.
    """
    unit = next((unit for unit in units if receives_options(spec, unit)), None)
    if unit is None:
        return ()
    places = tuple(_libraries(unit))
    name = providers.builtin(unit.device.provider).name
    return tuple(
        Sentence(
            "{name} does not document the option '{clip}'. The option was passed, "
            "but probably ignored.",
            name,
            clip(option.key, 60),
        )
        for option in spec.provider_options
        if places and not any(_has(place, option.key) for place in places)
    )


def _libraries(unit: DeviceHandle) -> Iterator[Path]:
    """Yield the plugin's library, or those of the runtime."""
    own = "" if unit.handle is None else str(unit.handle.ep_metadata.get("library_path", ""))
    if own:
        yield Path(own)
        return
    for path in (Path(onnxruntime.__file__).parent / "capi").iterdir():
        if any(suffix in path.name for suffix in _LIBRARIES):
            yield path


@cache
def _has(library: Path, key: str) -> bool:
    """Return whether a library contains a word, delimited by bytes that are not part of
    words."""
    word = rb"(?<![A-Za-z0-9_])" + re.escape(key.encode()) + rb"(?![A-Za-z0-9_])"
    with library.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as body:
        return re.search(word, body) is not None


def measure(
    model: Path,
    identity: ModelIdentity,
    spec: RunSpec,
    feeds: Feeds,
    folder: Path,
    progress: Tell,
    known_ns: int = 0,
    taking: TurnTaker | None = None,
) -> PerformanceReport:
    """Measure a model as a spec asks; meant for a fresh process.

    Latency, load time and memory come from a clean pass over the file as it is. Times of
    layers come from a second pass with the profiler on, over the same model renamed, so that
    every layer can be found again. folder: private, for the runtime. progress: hears steps.
    known_ns, taking: as `clean_pass` has them.

    Raises BadInput: a device, a setting or a feed. EngineFailed: the runtime refused.
    UnreadableFile: the runtime reads the model, but this program does not.
    """
    progress("devices", -1, ())
    units = devices.resolve(spec.devices)
    with_cpu = _with_cpu(units)
    forced_notes = forced_to_cpu.notes(
        model, spec
    )  # a layer that is not there is told before anything runs
    sources = (providers.runtime_source(), *(device.source for device in _devices(with_cpu)))
    version = onnxruntime.__version__
    machine = environment(sources, f"ONNX Runtime {version}", version)

    def checkpoint(so_far: CleanPass) -> None:
        bare = replace(spec, profiled_runs=0)
        report = _report(identity, bare, machine, so_far, _without_profile(with_cpu), ())
        partial_reports.write(folder, report)

    clean = clean_pass(
        model, spec, units, feeds, folder, progress, known_ns, taking, checkpoint
    )
    clean = structs.replace(
        clean, notes=(*clean.notes, *forced_notes, *ignored_options(spec, units))
    )
    if spec.profiled_runs and opening.is_ort(model):
        clean, spec = (
            structs.replace(clean, notes=(*clean.notes, _ORT)),
            replace(spec, profiled_runs=0),
        )
    if not spec.profiled_runs:
        report = _report(identity, spec, machine, clean, _without_profile(with_cpu), ())
        return _with_more(report, model, units, feeds, progress)
    described, given = opening.open_model(model), opening.skeleton(model)
    staying = forced_to_cpu.indices(described.layers, spec.on_cpu)
    renamed, naming = _renamed(given, staying)
    done, phases = _profiled(model, renamed, spec, units, feeds, folder, clean, progress)
    proto, names = (renamed, naming) if done.renamed else (given, None)
    types = tensor_types(renamed, spec, array_files.shapes_of(feeds), opening.home(model))
    kept_back, cores = frozenset(staying), _cores(spec, clean)
    quartile_ns, known_devices = _quantile_ns(clean, cores, 0.25), _devices(with_cpu)
    busy_ns = max(
        quartile_ns, _quantile_ns(clean, cores, 0.5) - (waiting_ns(spec, clean, cores) or 0)
    )
    evaluation = evaluate(
        described,
        proto,
        names,
        done,
        known_devices,
        types,
        kept_back,
        cores,
        quartile_ns,
        busy_ns,
    )
    clean = structs.replace(clean, memory=_held(clean.memory, described, done.profile))
    report = _report(identity, spec, machine, clean, evaluation, done.notes)
    report = replace(report, load_phases=phases)
    if spec.synchronize:
        report = with_synchronized_times(report, model, spec, feeds, progress)
    return _with_more(report, model, units, feeds, progress)


def _with_more(
    report: PerformanceReport,
    model: Path,
    units: Sequence[DeviceHandle],
    feeds: Feeds,
    progress: Tell,
) -> PerformanceReport:
    """Measure asynchronous calls and several sessions if requested.

    Several sessions come last: this process is of no other use after them.
    """
    if report.spec.run_async:
        calls, notes = async_calls(model, report.spec, units, feeds, progress)
        report = replace(report, async_calls=calls, notes=(*report.notes, *notes))
    if report.spec.sessions:
        sessions = several_sessions(model, report.spec, units, feeds, progress)
        report = replace(report, sessions=sessions, notes=(*report.notes, NOT_SHARED))
    return report


def _profiled(
    model: Path,
    renamed: ModelProto,
    spec: RunSpec,
    units: Sequence[DeviceHandle],
    feeds: Feeds,
    folder: Path,
    clean: CleanPass,
    progress: Tell,
) -> tuple[ProfiledPass, tuple[LoadPhase, ...]]:
    """Load with the runtime's log if requested, then profile; return load phases from
    either."""
    typical_ns = min(clean.prediction_ns, default=clean.first_prediction_ns)
    detail = load_in_detail(model, spec, units, folder, progress) if spec.phases else None
    pace_ns = clean.pace.reference_ns if spec.steady else 0
    took_ns = sum((*clean.loads_ns, clean.first_prediction_ns, *clean.prediction_ns))
    with MachineLoad() as load:
        done = profiled_pass(
            model, renamed, spec, units, feeds, folder, typical_ns, progress, pace_ns, took_ns
        )
    progress("layers", -1, ())
    done = structs.replace(done, machine_load=load)
    if detail is None:
        return done, phases_of(done.profile)
    steps = (*steps_of_load(detail), *done.steps)
    notes = (*done.notes, *detail.notes)
    return structs.replace(done, steps=steps, notes=notes), detail.phases


def _renamed(given: ModelProto, staying: Sequence[int]) -> tuple[ModelProto, Naming]:
    renamed, naming = rename(given)
    return (forced_to_cpu.annotated(renamed, staying) if staying else renamed), naming


def _without_profile(handles: tuple[DeviceHandle, ...]) -> Evaluation:
    """Return what is known of layers and devices without a profiled pass."""
    bare = from_columns((), (), dict.fromkeys(COLUMNS, ()))
    return Evaluation(_devices(handles), (), (), 0, bare, ())


def _devices(handles: tuple[DeviceHandle, ...]) -> tuple[Device, ...]:
    return tuple(unit.device for unit in handles)


def _held(memory: MemoryUse, model: Model, profile: Profile) -> MemoryUse:
    return replace(
        memory,
        weights_bytes=sum(weight.size_bytes or 0 for weight in model.weights),
        arena_used_bytes=profile.arena_used_bytes,
        arena_held_bytes=profile.arena_held_bytes,
    )


def _report(
    identity: ModelIdentity,
    spec: RunSpec,
    machine: Environment,
    clean: CleanPass,
    evaluation: Evaluation,
    notes: tuple[str, ...],
) -> PerformanceReport:
    report = PerformanceReport(
        model=identity,
        spec=spec,
        environment=machine,
        created=datetime.now().astimezone().isoformat(timespec="seconds"),
        load_ns=clean.load_ns,
        first_prediction_ns=clean.first_prediction_ns,
        prediction_ns=clean.prediction_ns,
        prediction_cpu_ns=clean.prediction_cpu_ns,
        memory=clean.memory,
        surroundings=clean.surroundings,
        loads_ns=clean.loads_ns,
        warmup_ns=clean.warmup_ns,
        first_predictions_ns=clean.first_predictions_ns,
        compilations_ns=clean.compilations_ns,
        load_cache=clean.load_cache,
        pace=clean.pace,
        throughput=clean.throughput,
        devices=evaluation.devices,
        layers=evaluation.layers,
        inserted=evaluation.inserted,
        kernel_ns=evaluation.kernel_ns,
        trace=evaluation.trace,
        notes=(*clean.notes, *notes, *evaluation.notes),
        profiling=replace(
            evaluation.profiling, waiting_ns=waiting_ns(spec, clean, _cores(spec, clean))
        ),
        layer_timing=evaluation.layer_timing,
    )
    return separate_submissions(report)


def waiting_ns(spec: RunSpec, clean: CleanPass, cores: CoreUse) -> int | None:
    """Return how long a prediction of median length waits for a CPU core; None: not known.

    That is the median less the processor time of this thread, the mean over the middle fifth of
    the predictions that the latency is told of: some systems count a thread's time in steps of
    many milliseconds. Not known where the thread that asks for a prediction also waits for
    others, or for a device.
    """
    waits_for_others = spec.threads != 1 and not spec.spinning
    if not clean.off_core_ns or not spec.only_cpu or waits_for_others:
        return None
    if spec.execution_mode != "sequential":
        return None
    wall, cpu = clean.prediction_ns, clean.prediction_cpu_ns
    places = select_full_speed(clean.pace, wall, cpu, cores=cores).places
    ranked = places[np.argsort(np.asarray(wall, np.int64)[places])]
    edge = int(_AROUND_MEDIAN * len(ranked))
    middle = ranked[edge : len(ranked) - edge]
    lengths = np.asarray(wall, np.int64)[middle]
    own = lengths - np.asarray(clean.off_core_ns, np.int64)[middle]
    return max(0, round(float(np.median(lengths)) - float(own.mean())))


def _quantile_ns(clean: CleanPass, cores: CoreUse, q: float) -> float:
    wall, cpu = clean.prediction_ns, clean.prediction_cpu_ns
    samples = select_full_speed(clean.pace, wall, cpu, cores=cores).samples_ns if wall else ()
    return float(Quantile(q)(np.asarray(samples, np.float64))) if samples else 0.0


def _cores(spec: RunSpec, clean: CleanPass) -> CoreUse:
    """Return which cores a run computes on: one, all, or all of them shared with other
    programs."""
    if spec.alone:
        return CoreUse.ONE
    return CoreUse.SHARED if (clean.surroundings.others or 0) > BUSY_CPU_SHARE else CoreUse.ALL


def _with_cpu(units: tuple[DeviceHandle, ...]) -> tuple[DeviceHandle, ...]:
    if any(unit.device.provider == providers.CPU for unit in units):
        return units
    return (*units, *devices.resolve(["cpu"]))
