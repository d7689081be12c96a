"""A measurement: a clean pass, a profiled pass, and what they say about each layer."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import numpy as np
from onnx import ModelProto

from inspector import readers
from inspector.engine import handover, partial
from inspector.engine.graphs.naming import Naming, rename
from inspector.engine.graphs.tensor_types import tensor_types
from inspector.engine.measuring.clean_pass import CleanPass, Feeds, Tell, clean_pass
from inspector.engine.measuring.environment import environment
from inspector.engine.measuring.evaluation import Evaluation, evaluate
from inspector.engine.measuring.load_detail import LoadDetail, load_in_detail
from inspector.engine.measuring.profile import Profile
from inspector.engine.measuring.profiled_pass import ProfiledPass, profiled_pass
from inspector.engine.measuring.taking import Taking
from inspector.engine.measuring.tracks import phases_of, steps_of_load
from inspector.engine.sessions import devices, kept, providers
from inspector.engine.sessions.devices import Unit
from inspector.engine.sessions.provider_options import unheard
from inspector.engine.synchronized import with_synchronized_times
from inspector.machine import MUCH_USED
from inspector.model import Model
from inspector.pace import Cores, paced
from inspector.report import (
    Device,
    Environment,
    LoadPhase,
    Memory,
    ModelIdentity,
    PerformanceReport,
    RunSpec,
    submissions_apart,
)
from inspector.trace import COLUMNS, from_columns

_ORT = (
    "Layers are not timed: the runtime cannot be given the nodes of a file in its own format "
    "(.ort) by name. Measure the ONNX model from which it was made to see them."
)


def measure(
    model: Path,
    identity: ModelIdentity,
    spec: RunSpec,
    feeds: Feeds,
    folder: Path,
    progress: Tell,
    known_ns: int = 0,
    taking: Taking | None = None,
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
    known = _with_cpu(units)
    ways = kept.notes(model, spec)  # a layer that is not there is told before anything runs
    machine = environment(device.source for device in _devices(known))

    def checkpoint(so_far: CleanPass) -> None:
        bare = replace(spec, profiled_runs=0)
        report = _report(identity, bare, machine, so_far, _untold(known), ())
        partial.write(folder, report)

    clean = clean_pass(
        model, spec, units, feeds, folder, progress, known_ns, taking, checkpoint
    )
    clean = replace(clean, notes=(*clean.notes, *ways, *unheard(spec, units)))
    if spec.profiled_runs and readers.is_ort(model):
        clean, spec = replace(clean, notes=(*clean.notes, _ORT)), replace(spec, profiled_runs=0)
    if not spec.profiled_runs:
        return _report(identity, spec, machine, clean, _untold(known), ())
    described, given = readers.open_model(model), readers.skeleton(model)
    staying = kept.indices(described.layers, spec.on_cpu)
    renamed, naming = _renamed(given, staying)
    done, phases = _profiled(model, renamed, spec, units, feeds, folder, clean, progress)
    proto, names = (renamed, naming) if done.renamed else (given, None)
    types = tensor_types(renamed, spec, handover.shapes_of(feeds), readers.home(model))
    kept_back, cores = frozenset(staying), _cores(spec, clean)
    quartile_ns, known_devices = _quartile_ns(clean, cores), _devices(known)
    told = evaluate(
        described, proto, names, done, known_devices, types, kept_back, cores, quartile_ns
    )
    clean = replace(clean, memory=_held(clean.memory, described, done.profile))
    report = _report(identity, spec, machine, clean, told, done.notes)
    report = replace(report, load_phases=phases)
    if spec.synchronize:
        report = with_synchronized_times(report, model, spec, feeds, progress)
    return report


def _profiled(
    model: Path,
    renamed: ModelProto,
    spec: RunSpec,
    units: Sequence[Unit],
    feeds: Feeds,
    folder: Path,
    clean: CleanPass,
    progress: Tell,
) -> tuple[ProfiledPass, tuple[LoadPhase, ...]]:
    """Load in detail, if that is wanted, then profile; phases of loading from either."""
    typical_ns = min(clean.prediction_ns, default=clean.first_prediction_ns)
    detail = load_in_detail(model, spec, units, folder, progress) if spec.phases else None
    pace_ns = clean.pace.reference_ns if spec.steady else 0
    done = profiled_pass(
        model, renamed, spec, units, feeds, folder, typical_ns, progress, pace_ns
    )
    progress("layers", -1, ())
    return _with_load(done, detail)


def _renamed(given: ModelProto, staying: Sequence[int]) -> tuple[ModelProto, Naming]:
    renamed, naming = rename(given)
    return (kept.remarked(renamed, staying) if staying else renamed), naming


def _untold(known: tuple[Unit, ...]) -> Evaluation:
    """What is known of layers and devices without a profiled pass."""
    bare = from_columns((), (), dict.fromkeys(COLUMNS, ()))
    return Evaluation(_devices(known), (), (), 0, bare, ())


def _devices(known: tuple[Unit, ...]) -> tuple[Device, ...]:
    return tuple(unit.device for unit in known)


def _with_load(
    done: ProfiledPass, detail: LoadDetail | None
) -> tuple[ProfiledPass, tuple[LoadPhase, ...]]:
    """Put one more load, if there was one, before what the profiled pass did."""
    if detail is None:
        return done, phases_of(done.profile)
    steps = (*steps_of_load(detail), *done.steps)
    notes = (*done.notes, *detail.notes)
    return replace(done, steps=steps, notes=notes), detail.phases


def _held(memory: Memory, model: Model, profile: Profile) -> Memory:
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
    told: Evaluation,
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
        pace=clean.pace,
        throughput=clean.throughput,
        devices=told.devices,
        layers=told.layers,
        inserted=told.inserted,
        kernel_ns=told.kernel_ns,
        trace=told.trace,
        notes=(*clean.notes, *notes, *told.notes),
        profiling=told.profiling,
        layer_timing=told.layer_timing,
    )
    return submissions_apart(report)


def _quartile_ns(clean: CleanPass, cores: Cores) -> float:
    """Return the lower quartile of the clean predictions that the latency is told of."""
    wall, cpu = clean.prediction_ns, clean.prediction_cpu_ns
    samples = paced(clean.pace, wall, cpu, cores=cores).samples_ns if wall else ()
    return float(np.quantile(samples, 0.25)) if samples else 0.0


def _cores(spec: RunSpec, clean: CleanPass) -> Cores:
    """Return what a prediction computes on, as the report says of the clean predictions."""
    if spec.alone:
        return Cores.ONE
    return Cores.SHARED if (clean.surroundings.others or 0) > MUCH_USED else Cores.ALL


def _with_cpu(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    if any(unit.device.provider == providers.CPU for unit in units):
        return units
    return (*units, *devices.resolve(["cpu"]))
