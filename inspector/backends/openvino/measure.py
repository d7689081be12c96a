"""A measurement with OpenVINO: a clean pass, then a profiled pass with its counters on."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import starmap
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import numpy as np
from msgspec import Struct

from inspector.backends import partial_reports
from inspector.backends.array_files import shapes_of
from inspector.backends.base import MeasureRequest
from inspector.backends.machine import environment
from inspector.backends.measuring.clean_pass import (
    CleanPass,
    Timed,
    clean_pass,
    report_without_layers,
)
from inspector.backends.measuring.concurrent_predictions import throughput
from inspector.backends.measuring.machine_load import MachineLoad
from inspector.backends.measuring.turn_taking import TurnTaker
from inspector.backends.openvino import layer_times, runtime
from inspector.backends.openvino.layer_times import ExecutedNode, Origin
from inspector.backends.openvino.opened_model import OpenedModel
from inspector.backends.openvino.runtime import REFUSALS
from inspector.formats import opening
from inspector.model.model import Layer, Model, TensorInfo
from inspector.report.layer_timing import Profiling, TimeSpread
from inspector.report.report import (
    Device,
    InsertedNode,
    LayerUse,
    LoadCache,
    LoadPhase,
    PerformanceReport,
    Support,
)
from inspector.report.run_spec import RunSpec, cache_folder
from inspector.trace.trace import Kind, Lane, Track
from inspector.trace.trace_builder import TraceBuilder
from inspector.units import shape as shape_text
from inspector.wording.support_marks import Mark, Source, Status
from inspector.wording.values import Sentence

# OpenVINO's counters are means over all runs since a model was compiled, so each session gives
# one mean. Several sessions tell how far it varies; each costs a compilation.
_SESSIONS = 5
_COMPILING_NS = 3_000_000_000
# of all sessions together
_ENOUGH_RUNS = 300
_MOST_NS = 4_000_000_000
_WARM_RUNS = 3  # of a session, which do not count
_US = 1000
_MEANS = (
    "Times of layers are means over {:,} profiled runs in {}, because OpenVINO's counters are "
    "means in whole microseconds."
)
_FOLDED = "The layer depends on no input, so OpenVINO computed it when it compiled the model."
_REMOVED = (
    "No kernel runs for the layer: it only changes the shape of a tensor, or OpenVINO made it "
    "part of other layers or of their weights."
)
_INNER = "The layer is in a subgraph, which OpenVINO times as a whole."


class Session(Struct, frozen=True):
    """Mean times of the executed nodes in one session, by their places, and of a run."""

    node_ns: Mapping[int, float]
    run_ns: float
    runs: int


class Profiled(Struct, frozen=True):
    """The sessions that layer times come from, and the nodes that they executed."""

    sessions: tuple[Session, ...]
    nodes: tuple[ExecutedNode, ...]
    origin: Origin
    runs: int


def measure(request: MeasureRequest) -> PerformanceReport:
    """Measure a model as a spec asks; meant for a fresh process."""
    spec, known = request.spec, opening.open_model(request.model)
    what = Sentence("Could not run {name}", request.model.name)
    devices = tuple(
        runtime.device(name, given)
        for name, given in zip(runtime.names(spec), spec.devices, strict=True)
    )
    machine = environment([runtime.SOURCE], runtime.RUNTIME)
    blob: Path | None = None
    compilations: tuple[int, ...] = ()
    if spec.load_from == "compiled":
        request.report_progress("compile", -1, ())
        compiled = OpenedModel(request.model, spec, known)
        compilations, blob = (compiled.load_ns,), request.folder / "compiled.blob"
        compiled.export(blob)
        del compiled

    phases = list[LoadPhase]()  # of the first load
    folder, hits = cache_folder(spec), list[bool]()
    held = len(list(folder.glob("*.blob"))) if folder is not None else 0

    def load() -> OpenedModel:
        opened = OpenedModel(request.model, spec, known, blob=blob)
        hits.append(opened.from_cache)
        phases.extend(() if phases else starmap(LoadPhase, opened.phases))
        return opened

    def report(clean: CleanPass) -> PerformanceReport:
        bare = report_without_layers(
            request, clean, machine, devices, known.weights, compilations
        )
        written = tuple(int(not hit) for hit in hits)
        cache = LoadCache(held, written, told=True) if folder is not None and hits else None
        return replace(bare, load_phases=tuple(phases), load_cache=cache)

    def checkpoint(so_far: CleanPass) -> None:
        bare = replace(report(so_far), spec=replace(spec, profiled_runs=0))
        partial_reports.write(request.folder, bare)

    taking = TurnTaker(request.pass_on if request.interleaved else None)

    def concurrent(opened: OpenedModel) -> Any:
        def prepare() -> Any:
            return opened.prepare(request.feeds, opened.compiled.create_infer_request())

        return throughput(prepare, spec, request.report_progress)

    timed = Timed(
        load,
        lambda opened: opened.prepare(request.feeds),
        concurrent,
        REFUSALS,
        lambda error: runtime.failure(error, what, "prediction"),
    )
    clean = clean_pass(
        timed, spec, request.report_progress, request.reference_ns, taking, checkpoint
    )
    done = report(clean)
    if spec.profiled_runs:
        done = _with_layers(done, request, known)
    turns = taking.turns(request.interleaved, len(done.prediction_ns))
    return replace(done, turns=turns)


def _with_layers(
    report: PerformanceReport, request: MeasureRequest, known: Model
) -> PerformanceReport:
    """Add the times of layers."""
    with MachineLoad() as load:
        profiled = _profiled(request, known)
    types = _types(request, known)
    places = _places(request, known)
    layers, inserted = _layers(known, profiled, types, report.devices, places)
    kernel_ns = sum(use.time_ns or 0 for use in layers) + sum(n.time_ns for n in inserted)
    run_ns = round(float(np.mean([session.run_ns for session in profiled.sessions])))
    samples = report.full_speed_predictions.samples_ns or report.prediction_ns
    unprofiled_ns = round(float(np.quantile(samples, 0.25))) if samples else run_ns
    profiling = Profiling(
        runs=profiled.runs,
        used=tuple(range(profiled.runs)),
        means=True,
        prediction_ns=run_ns,
        between_ns=max(0, unprofiled_ns - kernel_ns),
        events=len(profiled.sessions[0].node_ns),
        profiler_ns=max(0, run_ns - max(unprofiled_ns, kernel_ns)),
        unprofiled_ns=unprofiled_ns,
    )
    count = len(profiled.sessions)
    means = _MEANS.format(profiled.runs, "1 session" if count == 1 else f"{count} sessions")
    return replace(
        report,
        layers=layers,
        inserted=inserted,
        kernel_ns=kernel_ns,
        trace=_trace(profiled, report.devices[0], layers, known, load),
        profiling=profiling,
        notes=(*report.notes, means),
    )


def _profiled(request: MeasureRequest, known: Model) -> Profiled:
    """Run sessions with the counters on. Raises EngineFailed."""
    sessions: list[Session] = []
    began, compiling_ns, origin = perf_counter_ns(), 0, Origin({}, {})
    nodes: tuple[ExecutedNode, ...] = ()
    share = max(request.spec.profiled_runs, _ENOUGH_RUNS // _SESSIONS)
    while len(sessions) < _SESSIONS and compiling_ns <= _COMPILING_NS:
        request.report_progress("profiled", len(sessions) / _SESSIONS, ())

        def prepared(read: Any) -> None:
            nonlocal origin
            origin = layer_times.origin(read, known)
            layer_times.name_operations(read, origin)

        counters = {"PERF_COUNT": True}
        opened = OpenedModel(request.model, request.spec, known, counters, prepared)
        compiling_ns += opened.load_ns * (len(sessions) + 2) // (len(sessions) + 1)
        end = began + compiling_ns + _MOST_NS * (len(sessions) + 1) // _SESSIONS
        nodes = layer_times.executed_nodes(opened.compiled, origin, known)
        sessions.append(_session(opened, request, nodes, share, end))
        del opened
    quickest = sorted(sessions, key=lambda each: each.run_ns)[: (len(sessions) + 1) // 2]
    used = tuple(each for each in sessions if each in quickest)
    return Profiled(used, nodes, origin, sum(each.runs for each in used))


def _session(
    opened: OpenedModel,
    request: MeasureRequest,
    nodes: Sequence[ExecutedNode],
    runs: int,
    end_ns: int,
) -> Session:
    """Return the means of runs after the first ones, which the counters are rid of."""
    run = opened.prepare(request.feeds)
    executed: dict[str, None] = {}
    warm: dict[str, int] = {}
    for _ in range(_WARM_RUNS):
        run()
        warm = _counted(opened.request)
        # Later means below 1 us look like nodes that did not run; first runs take longer.
        executed |= dict.fromkeys(warm)
    count, began = 0, perf_counter_ns()
    while count < runs and (count < request.spec.profiled_runs or perf_counter_ns() < end_ns):
        run()
        count += 1
    spent_ns = perf_counter_ns() - began
    total, means_us = count + _WARM_RUNS, _counted(opened.request)
    executed |= dict.fromkeys(means_us)
    means = {
        name: max(0.0, _US * (means_us.get(name, 0) * total - warm.get(name, 0) * _WARM_RUNS))
        for name in executed
    }
    # Nodes that OpenVINO made have a number in their name, another one in each session.
    places = {node.name: place for place, node in enumerate(nodes)}
    node_ns = {places[name]: time / count for name, time in means.items() if name in places}
    return Session(node_ns, spent_ns / count, count)


def _counted(request: Any) -> dict[str, int]:
    """Return the mean of each executed node over all runs so far, in microseconds."""
    return {
        each.node_name: round(each.real_time.total_seconds() * 1e6)
        for each in request.get_profiling_info()
        if each.status.name == "EXECUTED"  # its type has another place in releases of 2024
    }


def _types(request: MeasureRequest, known: Model) -> dict[str, TensorInfo]:
    """Return type and shape of values with the shapes of the inputs of this run."""
    shapes = {name: list(axes) for name, axes in shapes_of(request.feeds).items()}
    for given in (shapes, None):
        try:
            read = runtime.read_model(str(request.model), given)
            return {value.name: value for value in layer_times.values_of(read, known)}
        except REFUSALS:  # a model that cannot be reshaped still has types
            continue
    return {}


def _places(request: MeasureRequest, known: Model) -> dict[int, str]:
    """Return the device of each layer where OpenVINO divides the model among several."""
    spec: RunSpec = request.spec
    if len(spec.devices) < 2:
        return {}
    by_name = dict(zip(runtime.names(spec), spec.devices, strict=True))
    read = runtime.read_model(str(request.model))
    placed = runtime.core().query_model(read, runtime.target(spec))
    found = layer_times.origin(read, known)
    return {
        found.of[name]: by_name[device]
        for name, device in placed.items()
        if name in found.of and device in by_name
    }


def _layers(
    known: Model,
    profiled: Profiled,
    types: Mapping[str, TensorInfo],
    devices: Sequence[Device],
    places: Mapping[int, str],
) -> tuple[tuple[LayerUse, ...], tuple[InsertedNode, ...]]:
    """Return what became of each layer, and the nodes that OpenVINO added."""
    first = devices[0].id
    times: dict[int, list[int]] = defaultdict(list)
    into: dict[int, int] = {}
    inserted = []
    executed = dict.fromkeys(place for one in profiled.sessions for place in one.node_ns)
    for place in sorted(executed):
        node = profiled.nodes[place]
        if node.layers:
            lead, *others = node.layers
            times[lead].append(place)
            for other in others:
                into.setdefault(other, lead)
            continue
        spent = [session.node_ns.get(place, 0.0) for session in profiled.sessions]
        inserted.append(
            InsertedNode(
                name=layer_times.readable_name(node.name, known),
                operator=node.operator,
                kind=node.added,
                device=first,
                time_ns=round(float(np.mean(spent))),
                after=node.after,
                before=node.before,
                spread=_spread(spent, profiled.runs),
            )
        )
    made_by = {name: layer.index for layer in known.layers for name in layer.outputs}
    # These depend on no input, or only on its shape.
    varying = {info.name for info in known.inputs}
    folded = set()
    for layer in known.layers:
        if layer.parent is None and (
            varying.isdisjoint(layer.inputs)
            or layer.operator.lower() in ("shape", "shapeof", "size")
        ):
            folded.add(layer.index)
        else:
            varying.update(layer.outputs)
    in_graph = {layer for node in profiled.nodes for layer in node.layers}
    uses: list[LayerUse] = []
    for layer in known.layers:
        index = layer.index
        nodes_at = times.get(index, [])
        spent = [
            sum(session.node_ns.get(place, 0.0) for place in nodes_at)
            for session in profiled.sessions
        ]
        lead_index = None if nodes_at else into.get(index)
        gone = index in folded and index not in in_graph
        status = _status(layer, bool(nodes_at), lead_index is not None, gone)
        value = types.get(layer.outputs[0]) if layer.outputs else None
        nodes = [profiled.nodes[place] for place in nodes_at]
        device = places.get(index if lead_index is None else lead_index, first)
        ran = status is Status.EXECUTED
        uses.append(
            LayerUse(
                index=index,
                name=layer.name,
                operator=layer.operator,
                status=status,
                ran_on=device if ran else None,
                time_ns=round(float(np.mean(spent))) if ran else None,
                devices={device: _support(known, status, lead_index, nodes)},
                into=lead_index,
                executed_as=", ".join(dict.fromkeys(node.operator for node in nodes)),
                calls=1.0 if ran else 0.0,
                output=f"{value.dtype} {shape_text(value.shape)}" if value is not None else "",
                parent=layer.parent,
                computed_in=nodes[-1].dtype if nodes else "",
                value=layer.outputs[0] if layer.outputs else "",
                reads=tuple(
                    dict.fromkeys(made_by[name] for name in layer.inputs if name in made_by)
                ),
                spread=_spread(spent, profiled.runs) if ran else None,
            )
        )
    return tuple(uses), tuple(inserted)


def _status(layer: Layer, timed: bool, fused: bool, folded: bool) -> Status:
    if timed:
        return Status.EXECUTED
    if fused:
        return Status.FUSED
    if layer.parent is not None:
        return Status.UNKNOWN
    return Status.FOLDED if folded else Status.ELIMINATED


def _support(
    known: Model, status: Status, into: int | None, nodes: Sequence[ExecutedNode]
) -> Support:
    if status is Status.EXECUTED:
        kernels = ", ".join(dict.fromkeys(node.kernel for node in nodes if node.kernel))
        return Support(Mark.RAN, Source.MEASURED, f"Kernel: {kernels}." if kernels else "")
    if status is Status.FUSED and into is not None:
        reason: str = Sentence("The time is included in '{name}'.", known.layers[into].name)
        return Support(Mark.FUSED, Source.MEASURED, reason)
    if status is Status.UNKNOWN:
        return Support(Mark.UNKNOWN, Source.MEASURED, _INNER)
    reason = _FOLDED if status is Status.FOLDED else _REMOVED
    return Support(Mark.FOLDED, Source.MEASURED, reason)


def _spread(means_ns: Sequence[float], runs: int) -> TimeSpread | None:
    """Return the range of the sessions' means, and the interval of their mean; None of one."""
    values = np.asarray(means_ns, np.float64)
    if len(values) < 2:
        return None
    factor = {2: 12.7, 3: 4.3}.get(len(values), 2.8)  # Student's t at 95 %
    half = factor * float(values.std(ddof=1)) / len(values) ** 0.5
    half = max(half, _US / 2)  # the counters are whole microseconds
    return TimeSpread(
        round(float(values.min())),
        round(float(values.max())),
        round(max(0.0, float(values.mean()) - half)),
        round(float(values.mean()) + half),
        runs,
    )


def _trace(
    profiled: Profiled,
    device: Device,
    layers: Sequence[LayerUse],
    known: Model,
    load: MachineLoad,
) -> Any:
    """Return the mean run of each session, its nodes one after another in their order."""
    build = TraceBuilder()
    load.mean_into(build)
    names = {use.index: use.name or use.operator for use in layers}
    tracks = {
        use.ran_on: Track(Lane.COMPUTE, "OpenVINO", use.ran_on, device.kind)
        for use in layers
        if use.ran_on
    }
    own = Track(Lane.COMPUTE, "OpenVINO", device.id, device.kind)
    data = Track(Lane.DATA, "Data", "", "data")
    now = 0
    for run, session in enumerate(profiled.sessions):
        for place, spent_ns in sorted(session.node_ns.items()):
            node = profiled.nodes[place]
            layer = node.layers[0] if node.layers else None
            took = round(spent_ns)
            if layer is not None:
                track = tracks.get(layers[layer].ran_on or "", own)
                build.add(track, names[layer], now, took, Kind.KERNEL, layer, run)
            else:
                name = layer_times.readable_name(node.name, known)
                build.add(data, name, now, took, Kind(node.added), None, run)
            now += took
    return build.trace()
