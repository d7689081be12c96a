"""Synchronized mode: each layer by itself on its device, from handing it over until it is done.

A device that works on its own gives no times of layers. Here each layer, with those fused into
it, becomes a model of its own that gets what it gets in the whole one; a call of it ends when
its outputs are back. That is slow, and the times hold a round trip to the device each.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter_ns
from typing import Any

import numpy as np
from msgspec import Struct
from onnx import ModelProto, TensorProto, ValueInfoProto, helper

from inspector.backends.onnxruntime.sessions import devices, io_binding, predict, refusals
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.backends.onnxruntime.sessions.refusals import REFUSALS
from inspector.backends.onnxruntime.sessions.session import create_session
from inspector.backends.onnxruntime.stepping import exposed_outputs, single_layer
from inspector.backends.onnxruntime.stepping.exposed_outputs import Feeds, LayerPosition
from inspector.errors import BadInput, EngineFailed
from inspector.formats import opening
from inspector.report.report import (
    SYNCHRONIZED,
    SYNCHRONIZED_RUNS,
    LayerUse,
    PerformanceReport,
    as_submission,
)
from inspector.report.run_spec import RunSpec
from inspector.trace.trace import Kind, Lane, Trace
from inspector.trace.trace_builder import TraceBuilder, with_spans
from inspector.units import duration, plural

SYNCHRONIZE_HINT = (
    "Measure with “Synchronize layers” (--synchronize) to time each layer until it is done."
)
_GAP_NS = 1_000_000  # between the last run of a trace and the layers one by one
WARM_UPS = 2  # calls of each layer that do not count
_WHAT = "Could not synchronize layers"
_NONE = "No layer ran on an asynchronous device, so there was nothing to synchronize."
_NOTE = (
    "Synchronized mode: each layer on {} ran alone {} times, timed from submission until its "
    "outputs were back (median). Each time includes the {} of an empty call; in a normal run "
    "layers overlap, so the sum is longer. In the timeline, runs show when layers were "
    "submitted, and a separate track after the last run shows these times; layers inside "
    "subgraphs are not timed."
)
_LOST = "{} could not be timed alone and {} no time: {}."
Tell = Callable[[str, float, tuple[int, ...]], None]


class _Group(Struct, frozen=True):
    """A layer with those that are fused into it, and what they take and give."""

    lead: LayerUse
    places: tuple[LayerPosition, ...]
    takes: tuple[str, ...]
    gives: tuple[str, ...]


def with_synchronized_times(
    report: PerformanceReport, path: Path, spec: RunSpec, feeds: Feeds, tell: Tell
) -> PerformanceReport:
    """Return a report with the times of layers on asynchronous devices taken one by one.

    Layers that a device refuses alone, and those of subgraphs, keep having no time; a note
    tells how many. Raises InspectorError: the whole model does not run.
    """
    own_clock = {device.id for device in report.devices if device.asynchronous}
    model = opening.skeleton(path)
    groups = _groups(model, report.layers, own_clock)
    used = {group.lead.ran_on or "" for group in groups}
    if not groups:
        return replace(report, notes=(*report.notes, _NONE))
    units = devices.resolve(spec.devices)
    times, failures = dict[int, int](), dict[int, str]()
    for number, (group, given) in enumerate(_with_inputs(model, path, spec, feeds, groups)):
        tell("synchronize", number / len(groups), ())
        try:
            times[group.lead.index] = _time_alone(model, path, group, given, spec, units)
        except (BadInput, EngineFailed) as error:
            failures[group.lead.index] = error.why
    # What a call takes that changes the sign of one number.
    ends = [helper.make_tensor_value_info(n, TensorProto.FLOAT, [1]) for n in ("x", "y")]
    graph = helper.make_graph(
        [helper.make_node("Neg", ["x"], ["y"])], "nothing", ends[:1], ends[1:]
    )
    opsets = [helper.make_opsetid("", 13)]
    body = helper.make_model(graph, opset_imports=opsets, ir_version=7).SerializeToString()
    nothing = _median_ns(create_session(body, spec, units), {"x": np.ones(1, np.float32)})
    names = " and ".join(sorted(used))
    notes = [_NOTE.format(names, SYNCHRONIZED_RUNS, duration(nothing))]
    if failures:
        verb = "has" if len(failures) == 1 else "have"
        why = next(iter(failures.values())).rstrip(".")
        notes.append(_LOST.format(plural(len(failures), "layer"), verb, why))
    layers = tuple(_timed(use, times, used) for use in report.layers)
    inserted = tuple(
        as_submission(node, layers_are_timed=True)
        if node.device in used and node.submitted_ns is None
        else node
        for node in report.inserted
    )
    return replace(
        report,
        trace=_with_track(report, layers, times),
        layers=layers,
        inserted=inserted,
        kernel_ns=sum(use.time_ns or 0 for use in layers)
        + sum(node.time_ns for node in inserted),
        notes=(*(note for note in report.notes if SYNCHRONIZE_HINT not in note), *notes),
        layer_timing=report.layer_timing | dict.fromkeys(sorted(used), SYNCHRONIZED),
    )


def _with_track(
    report: PerformanceReport, layers: Sequence[LayerUse], times: Mapping[int, int]
) -> Trace:
    """Return the trace with a track for each device that shows the median calls one by one.

    They begin after all else, since their inputs are made in between.
    """
    trace = report.trace
    begin_ns = trace.end_ns + _GAP_NS
    tracks = {track.unit: track for track in trace.tracks if track.lane is Lane.COMPUTE}
    calls = TraceBuilder()
    for layer in layers:
        track = tracks.get(layer.ran_on or "")
        took = times.get(layer.index)
        if track is None or took is None:
            continue
        alone = replace(track, name=f"{track.name}, one by one")
        calls.add(alone, layer.name, begin_ns, took, Kind.KERNEL, layer.index)
        begin_ns += took
    return with_spans(trace, calls.trace(zero_ns=0))


def _timed(use: LayerUse, times: Mapping[int, int], used: set[str]) -> LayerUse:
    if use.ran_on not in used:
        return use
    submitted = use.submitted_ns if use.time_ns is None else use.time_ns
    return replace(use, time_ns=times.get(use.index), spread=None, submitted_ns=submitted)


def _groups(
    model: ModelProto, uses: Sequence[LayerUse], own_clock: set[str]
) -> tuple[_Group, ...]:
    """Return the layers of the main graph that ran on such a device, each with its own."""
    order = exposed_outputs.layer_positions(model)
    leads = {use.index: use for use in uses if use.ran_on in own_clock and use.into is None}
    members: dict[int, list[LayerPosition]] = {}
    for place in order:
        use = uses[place.index]
        lead = place.index if use.into is None else use.into
        if lead in leads:
            members.setdefault(lead, []).append(place)
    outputs = {value.name for value in model.graph.output}
    readers_of: dict[str, set[int]] = {}
    for place in order:
        for name in place.needs:
            readers_of.setdefault(name, set()).add(place.index)
    return tuple(
        _group(leads[lead], some, outputs, readers_of) for lead, some in members.items()
    )


def _group(
    lead: LayerUse,
    some: Sequence[LayerPosition],
    outputs: set[str],
    readers_of: Mapping[str, set[int]],
) -> _Group:
    made = {name for place in some for name in place.gives}
    inside = {place.index for place in some}
    takes = tuple(dict.fromkeys(n for place in some for n in place.needs if n not in made))
    gives = tuple(
        name
        for place in some
        for name in place.gives
        if name in outputs or readers_of.get(name, set()) - inside
    )
    return _Group(lead, tuple(some), takes, gives or some[-1].gives)


def _with_inputs(
    model: ModelProto, path: Path, spec: RunSpec, feeds: Feeds, groups: Sequence[_Group]
) -> Iterator[tuple[_Group, dict[str, Any]]]:
    """Yield each group with the arrays that it takes, which the CPU computes."""
    initializers = {tensor.name for tensor in model.graph.initializer}
    initializers |= {
        n for node in model.graph.node if node.op_type == "Constant" for n in node.output
    }
    on_cpu = replace(spec, devices=("cpu",), on_cpu=(), provider_options=())
    order = tuple(place for group in groups for place in group.places)
    by_place = {group.places[0].index: group for group in groups}
    parts = exposed_outputs.parts(model, order, spec, feeds, opening.home(path))
    for part in parts:
        positions = [by_place[place.index] for place in part if place.index in by_place]
        requested = [
            n for g in positions for n in g.takes if n not in initializers and n not in feeds
        ]
        names = tuple(dict.fromkeys(requested))
        companions = exposed_outputs.expose_outputs(path, on_cpu, names) if names else None
        values = exposed_outputs.values(companions, on_cpu, feeds, _WHAT) if companions else {}
        for group in positions:
            arrays: dict[str, Any] = {}
            for name in group.takes:
                if name in feeds:
                    arrays[name] = feeds[name]
                elif name in values:
                    arrays[name] = single_layer.array_of(values[name], _WHAT)
            yield group, arrays


def _time_alone(
    model: ModelProto,
    path: Path,
    group: _Group,
    given: Mapping[str, Any],
    spec: RunSpec,
    units: Sequence[DeviceHandle],
) -> int:
    """Return the median time of calls of a group, in nanoseconds."""
    constants = [t for t in model.graph.initializer if t.name in group.takes]
    makers = [
        node
        for node in model.graph.node
        if node.op_type == "Constant" and node.output[0] in group.takes
    ]
    inputs = [single_layer.declared(name, array) for name, array in given.items()]
    alone = ModelProto(ir_version=max(4, model.ir_version), functions=model.functions)
    alone.opset_import.extend(model.opset_import)
    alone.graph.name = "layer"
    alone.graph.node.extend([*makers, *(place.node for place in group.places)])
    alone.graph.initializer.extend(constants)
    alone.graph.input.extend(inputs)
    alone.graph.output.extend(ValueInfoProto(name=name) for name in group.gives)
    body = alone.SerializeToString()
    session = create_session(body, spec, units, external_folder=opening.home(path))
    return _median_ns(session, given)


def _median_ns(session: Any, given: Mapping[str, Any]) -> int:
    try:
        try:
            run = predict.prepare_run(session, given, io_binding.DEVICE)
        except BadInput:  # a type that cannot be bound there
            run = predict.prepare_run(session, given)
        for _ in range(WARM_UPS):
            run()
        samples = []
        for _ in range(SYNCHRONIZED_RUNS):
            began = perf_counter_ns()
            run()
            samples.append(perf_counter_ns() - began)
    except REFUSALS as error:
        raise refusals.runtime_failure(error, _WHAT, "prediction") from error
    return round(median(samples))
