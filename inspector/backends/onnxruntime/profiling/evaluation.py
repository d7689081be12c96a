"""Evaluate a profiled pass: layers, inserted nodes and trace in terms of the model.

Kernels of the profile are matched with nodes of the optimized graph first.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import median

import numpy as np
from msgspec import Struct, field, structs
from onnx import ModelProto, TypeProto

from inspector import units
from inspector.analysis.measured.computed_precision import changes
from inspector.backends.onnxruntime.attribution.attribution import (
    Attribution,
    Body,
    Executed,
    attribute_kernels,
    explain_by_names,
)
from inspector.backends.onnxruntime.graphs.layer_names import Naming
from inspector.backends.onnxruntime.measuring.profiled_pass import ProfiledPass
from inspector.backends.onnxruntime.measuring.synchronized_layers import SYNCHRONIZE_HINT
from inspector.backends.onnxruntime.profiling import provider_profilers
from inspector.backends.onnxruntime.profiling.kernel_times import (
    KernelUsage,
    SelectedRuns,
    calibrated,
    estimate,
    kernel_usages,
    select_runs,
)
from inspector.backends.onnxruntime.profiling.profile import Kernel, Profile
from inspector.backends.onnxruntime.profiling.profiler_cost import ProfilerCost
from inspector.backends.onnxruntime.profiling.report_layers import (
    final_outcomes,
    inserted_nodes,
    layer_uses,
    layers_off_cpu,
    observed_marks,
    with_arena_bytes,
)
from inspector.backends.onnxruntime.profiling.report_trace import build_trace, clock_shift
from inspector.backends.onnxruntime.sessions import providers
from inspector.model.model import Model
from inspector.report.layer_timing import CLOCK_NS, LOW_QUANTILE, Profiling
from inspector.report.report import ON_DEVICE, Device, InsertedNode, LayerUse, as_submission
from inspector.statistics.cpu_speed import CoreUse
from inspector.statistics.intervals import Quantile
from inspector.trace.trace import Trace
from inspector.wording.values import Count, Sentence

_NEARLY_ALL = 0.9  # of the profiled predictions


def match_kernels(
    kernels: Sequence[Kernel], attribution: Attribution
) -> tuple[int | None, ...]:
    """Find for each kernel its place in `attribution.executed`; None where there is none.

    Names decide. Nodes of the same name, or of none, ran in the order in which they stand in
    the file of the optimised graph, which is the one the runtime goes by.
    """
    nodes_of_kernels: list[int | None] = [None] * len(kernels)
    children: dict[int | None, list[int]] = defaultdict(list)
    for index, kernel in enumerate(kernels):
        children[kernel.parent].append(index)
    owned: dict[int | None, list[Body]] = defaultdict(list)
    for graph in attribution.graphs:
        owned[graph.owner].append(graph)
    # A node with subgraphs ends after the nodes in them: backwards, it comes first.
    waiting: list[tuple[int | None, list[int]]] = [(None, children[None])]
    while waiting:
        owner, members = waiting.pop()
        for graph, indices in _by_graph(members, kernels, owned[owner], attribution):
            for index, node in _pairs(indices, kernels, graph, attribution):
                nodes_of_kernels[index] = node
        below: dict[int | None, list[int]] = defaultdict(list)
        for index in members:
            if children[index] and nodes_of_kernels[index] is not None:
                below[nodes_of_kernels[index]] += children[index]
        waiting += below.items()
    return tuple(nodes_of_kernels)


def _by_graph(
    members: list[int], kernels: Sequence[Kernel], graphs: list[Body], attribution: Attribution
) -> Iterable[tuple[Body, list[int]]]:
    """Return each subgraph of a node with the kernels that ran in it.

    members: places of the kernels inside the node. Those of one call of a subgraph stay
    together: they belong to the subgraph most of whose nodes have their names.
    """
    if len(graphs) <= 1:
        return [(graph, members) for graph in graphs]
    names = [{_key(attribution.executed[i]) for i in graph.nodes} for graph in graphs]
    calls: dict[int | None, list[int]] = defaultdict(list)
    for index in members:
        calls[kernels[index].parent].append(index)
    shares: list[list[int]] = [[] for _ in graphs]
    for indices in calls.values():
        descriptions = {_spoken(kernels[index], names) for index in indices}
        best = max(range(len(graphs)), key=lambda i: len(descriptions & names[i]))
        shares[best] += indices
    return zip(graphs, shares, strict=True)


def _pairs(
    indices: list[int], kernels: Sequence[Kernel], graph: Body, attribution: Attribution
) -> Iterable[tuple[int, int]]:
    nodes: dict[str, list[int]] = defaultdict(list)
    for place in graph.nodes:
        nodes[_key(attribution.executed[place])].append(place)
    order: dict[str, dict[int, int]] = defaultdict(dict)
    keys = {}
    for index in sorted(indices, key=lambda i: kernels[i].start_ns):
        keys[index] = key = _spoken(kernels[index], [nodes.keys()])
        numbers = order[key]
        numbers.setdefault(kernels[index].number, len(numbers))
    for index, key in keys.items():
        alike, place = nodes.get(key, []), order[key][kernels[index].number]
        if place < len(alike):
            yield index, alike[place]


def _key(node: Executed) -> str:
    return node.name or Sentence("an unnamed {operator}", node.operator)


def _spoken(kernel: Kernel, names: Sequence[Iterable[str]]) -> str:
    """Return the key of the node that a kernel's name means; an unnamed node shows as
    "Mul_6"."""
    if any(kernel.name in layer_names for layer_names in names):
        return kernel.name
    if kernel.name in ("", f"{kernel.operator}_{kernel.number}"):
        return Sentence("an unnamed {operator}", kernel.operator)
    return kernel.name


def unmatched(kernels: Sequence[Kernel], matches: Sequence[int | None]) -> Counter[str]:
    """Count by operator the kernels that no node of the optimised graph explains."""
    pairs = zip(kernels, matches, strict=True)
    return Counter(kernel.operator for kernel, node in pairs if node is None)


def times_on_device(
    profile: Profile, nodes: Sequence[int | None], attribution: Attribution, counted: int
) -> Mapping[int, int]:
    """Return the time of each layer on its device in nanoseconds, by the layer's index.

    This is the median over the last `counted` predictions; the mean over all of them where a
    node's events do not divide into as many equal parts as there were predictions. Clocks of
    devices are not aligned with ours, so the order of a node's events tells its predictions.
    nodes: for each kernel its place in `attribution.executed`.
    """
    runs = len(profile.runs)
    leads: dict[str, int] = {}
    for kernel, place in zip(profile.kernels, nodes, strict=True):
        lead = None if place is None else attribution.executed[place].lead
        if lead is not None:
            leads.setdefault(kernel.name, lead)
    events: dict[str, list[int]] = defaultdict(list)
    for one in profile.on_device:
        if one.node in leads:
            events[one.node].append(one.duration_ns)
    times: dict[int, float] = defaultdict(float)
    for node, durations in events.items():
        times[leads[node]] += _in_a_prediction(durations, runs, counted)
    return {layer: round(time) for layer, time in times.items()}


def _in_a_prediction(durations: Sequence[int], runs: int, counted: int) -> float:
    each, rest = divmod(len(durations), max(1, runs))
    if rest or not each:
        return sum(durations) / max(1, runs)
    sums = [sum(durations[run * each : (run + 1) * each]) for run in range(runs)]
    return float(median(sums[-counted:]))


def with_device_times(
    uses: Sequence[LayerUse], times: Mapping[int, int], asynchronous: frozenset[str]
) -> tuple[tuple[LayerUse, ...], frozenset[str]]:
    """Return the layers with their times on the device, and the devices that timed all of
    theirs.

    A device that tells the times of some layers only keeps those of submissions: a table with
    both would compare what cannot be compared. asynchronous: ids of devices.
    """
    reported = set()
    for device in asynchronous:
        device_uses = [use for use in uses if use.ran_on == device and use.time_ns is not None]
        if device_uses and all(use.index in times for use in device_uses):
            reported.add(device)
    changed = tuple(
        replace(use, time_ns=times[use.index], spread=None, submitted_ns=use.time_ns)
        if use.ran_on in reported and use.index in times
        else use
        for use in uses
    )
    return changed, frozenset(reported)


class Evaluation(Struct, frozen=True):
    """Fields as in PerformanceReport; `layers` have the marks that the session shows."""

    devices: tuple[Device, ...]
    layers: tuple[LayerUse, ...]
    inserted: tuple[InsertedNode, ...]
    kernel_ns: int
    trace: Trace
    notes: tuple[str, ...]
    profiling: Profiling = field(default_factory=Profiling)
    layer_timing: dict[str, str] = field(default_factory=dict)


def evaluate(
    model: Model,
    proto: ModelProto,
    naming: Naming | None,
    done: ProfiledPass,
    devices: Sequence[Device],
    types: Mapping[str, TypeProto],
    staying: frozenset[int] = frozenset(),
    cores: CoreUse = CoreUse.ALL,
    clean_ns: float = 0.0,
    busy_ns: float = 0.0,
) -> Evaluation:
    """Attribute all kernels of a profiled pass.

    proto: the model as the profiled pass loaded it. naming: of its names, when they are ours.
    devices: those of the session, the CPU included. types: of tensors, by their new names.
    staying: layers that were to stay on the CPU. cores: that a prediction computes on.
    clean_ns: lower quartile of the clean predictions that the latency is told of. busy_ns:
    their median less the wait for a core, which layer times are brought to where the CPU is
    shared with other programs: it is the time that their sum is held against.
    """
    kernels, attribution = done.profile.kernels, _attribution(proto, done)
    nodes = match_kernels(kernels, attribution)
    first = len(done.profile.runs) - done.runs
    usages = kernel_usages(kernels, nodes, first, done.runs)
    chosen = select_runs(
        done.runs, done.wall_ns, done.cpu_ns, done.pace, cores, done.after_pause
    )
    chosen = structs.replace(chosen, sessions=done.sessions)
    unprofiled = _short_ns(done.unprofiled_ns, chosen)
    inner_ns = max(unprofiled / 2, unprofiled - _call_ns(done))
    busy = chosen.at_full_speed is False or cores is CoreUse.SHARED
    target_ns = busy_ns if busy and busy_ns else clean_ns
    cost = calibrated(done.cost, usages, chosen, (unprofiled, inner_ns), target_ns)
    # Providers that were not requested, but ran kernels.
    strangers = {each.provider for each in kernels} - {each.provider for each in devices}
    named = ((provider, providers.builtin(provider)) for provider in sorted(strangers))
    more = (Device(b.id, b.name, b.kind, provider, b.vendor) for provider, b in named)
    devices = (*devices, *more)
    homes = {device.provider: device.id for device in reversed(devices)}
    declared = _declared(proto, types) if naming else {}
    fates = final_outcomes(attribution, usages)
    uses = layer_uses(model, fates, attribution, usages, chosen, cost, homes, declared)
    uses = with_arena_bytes(uses, attribution, kernels, nodes)
    assigned = {name: homes.get(owner, "") for owner, part in done.assigned for name in part}
    marks = observed_marks(uses, attribution, usages, assigned, devices, staying)
    own_clock = frozenset(device.id for device in devices if device.asynchronous)
    on_device = times_on_device(done.profile, nodes, attribution, done.runs)
    uses, timed = with_device_times(uses, on_device, own_clock)
    put_in = tuple(
        as_submission(node, layers_are_timed=True) if node.device in timed else node
        for node in inserted_nodes(attribution, usages, chosen, cost, homes, naming, own_clock)
    )
    whole = sum(use.time_ns or 0 for use in uses) + sum(node.time_ns for node in put_in)
    notes = _notes(done, nodes, devices, {usage.provider for usage in usages}, timed)
    notes += (
        *layers_off_cpu(uses, staying, homes.get(providers.CPU, "")),
        *changes(uses, put_in),
        *clock_shift(done.profile).notes,
    )
    within = provider_profilers.inside(done.inside, [use.operator for use in uses])
    return Evaluation(
        tuple(devices),
        tuple(
            replace(use, devices=mark, inside=within.get(use.index))
            for use, mark in zip(uses, marks, strict=True)
        ),
        put_in,
        whole,
        build_trace(done, nodes, attribution, model.layers, devices, homes, naming),
        notes,
        _profiling(done, usages, chosen, cost, whole, unprofiled),
        dict.fromkeys(sorted(timed), ON_DEVICE),
    )


def _profiling(
    done: ProfiledPass,
    usages: Sequence[KernelUsage],
    chosen: SelectedRuns,
    cost: ProfilerCost,
    kernels_ns: int,
    unprofiled_ns: float,
) -> Profiling:
    """Return the parts of a profiled run other than its kernels.

    kernels_ns: the sum of the times of layers and inserted nodes. unprofiled_ns: of a
    prediction in the same session without the profiler, 0 where that is not known.
    """
    used = list(chosen.used)
    if len(done.wall_ns) != done.runs:
        return Profiling(chosen.runs, chosen.used, chosen.at_full_speed)
    wall = np.asarray(done.wall_ns, np.int64)
    none = np.zeros(done.runs, np.int64)  # of a graph that loading folded into its outputs
    calls = np.sum([none, *(each.calls for each in usages)], axis=0)[used]
    inner = np.sum([none, *(each.inner for each in usages)], axis=0)[used]
    events = float(np.median(calls))
    own_ns = cost.between_ns * events
    around = _around_ns(done, used) - CLOCK_NS / 2 * events - own_ns
    if unprofiled_ns:
        left = unprofiled_ns - kernels_ns * cost.slowdown
        around = min(max(around, _call_ns(done)), left)
    between = max(0, round(around / cost.slowdown))
    profiler = cost.inside_ns * events + own_ns
    parts = (kernels_ns + between) * cost.slowdown
    spent = np.sum([none, *(each.self_ns for each in usages)], axis=0)[used]
    spent = spent + (CLOCK_NS / 2 - cost.inside_ns) * calls - cost.between_ns * inner
    shares = spent / np.maximum(1.0, wall[used] - (cost.inside_ns + cost.between_ns) * calls)
    over = float(Quantile(_NEARLY_ALL)(np.asarray(wall, np.float64))) - profiler - parts
    return Profiling(
        chosen.runs,
        chosen.used,
        chosen.at_full_speed,
        round(float(np.median(wall))),
        between,
        max(0, round(over)),
        round(events),
        round(profiler),
        round(cost.inside_ns * events),
        round(cost.slowdown, 4),
        round(cost.excess, 4),
        unprofiled_ns=round(unprofiled_ns),
        together_ns=estimate(usages, chosen, cost).time_ns if usages else 0,
        low_quantile=LOW_QUANTILE,
        kernel_share=round(min(1.0, max(0.0, float(np.median(shares)))), 4),
    )


def _call_ns(done: ProfiledPass) -> float:
    """Return what a call of the runtime takes before and after its own work; 0: not known."""
    calls = done.profile.runs[len(done.profile.runs) - done.runs :]
    pairs = zip(done.wall_ns, calls, strict=False)
    # The least: writing the call itself down comes on top now and then.
    return float(min((max(0, wall - call.duration_ns) for wall, call in pairs), default=0))


def _short_ns(samples_ns: Sequence[int], chosen: SelectedRuns) -> float:
    """Return a short one of some predictions; 0 of none."""
    low = LOW_QUANTILE if chosen.at_full_speed is False else 0.25
    return float(Quantile(low)(np.asarray(samples_ns, np.float64))) if samples_ns else 0.0


def _around_ns(done: ProfiledPass, used: Sequence[int]) -> float:
    """Return the time in a prediction in which no kernel runs, as the profiler shows it.

    Gap by gap, the mean of the middle half over the predictions, since a wait for a core in
    one of a hundred gaps is no typical time between kernels.
    """
    first = len(done.profile.runs) - done.runs
    rows = [[done.profile.runs[first + run].start_ns] for run in range(done.runs)]
    gaps: list[list[int]] = [[] for _ in rows]
    for kernel in sorted(done.profile.kernels, key=lambda kernel: kernel.start_ns):
        run = kernel.run - first
        if run >= 0 and kernel.parent is None:
            gaps[run].append(max(0, kernel.start_ns - rows[run][0]))
            rows[run][0] = max(rows[run][0], kernel.start_ns + kernel.duration_ns)
    for run, (reached,) in enumerate(rows):
        call = done.profile.runs[first + run]
        gaps[run].append(max(0, call.start_ns + call.duration_ns - reached))
        gaps[run].append(max(0, done.wall_ns[run] - call.duration_ns))
    chosen = [gaps[run] for run in used]
    if len(set(map(len, chosen))) > 1:  # loops or branches that differ: no gap has a partner
        return float(np.median([sum(each) for each in chosen]))
    ranked = np.sort(np.array(chosen, np.int64), axis=0)
    edge = len(chosen) // 4
    return float(ranked[edge : len(chosen) - edge].mean(axis=0).sum())


def _attribution(proto: ModelProto, done: ProfiledPass) -> Attribution:
    if done.optimised is not None:
        return attribute_kernels(proto, done.optimised)
    kernels = ((k.name, k.operator, k.provider) for k in done.profile.kernels)
    return explain_by_names(proto, kernels, done.assigned)


def _declared(renamed: ModelProto, types: Mapping[str, TypeProto]) -> dict[int, TypeProto]:
    first = ((int(node.name[1:]), node.output[0]) for node in renamed.graph.node if node.output)
    return {layer: types[name] for layer, name in first if name in types}


def _notes(
    done: ProfiledPass,
    nodes: Sequence[int | None],
    devices: Sequence[Device],
    used: set[str],
    timed: frozenset[str],
) -> tuple[str, ...]:
    notes = list[str]()
    for device in devices:
        if device.id in timed:
            notes.append(
                Sentence(
                    "Layer times on {device} come from the device clock, as "
                    "reported by the ONNX Runtime profiler.",
                    units.device(device.id),
                )
            )
        elif device.asynchronous and device.provider in used:
            notes.append(
                f"Layer times on {units.device(device.id)} are not available: ONNX Runtime "
                "only reports how long submitting the layers took. The device runs "
                "asynchronously, and only copying the outputs back waits for it. "
                f"{SYNCHRONIZE_HINT}"
            )
        elif device.provider not in used:
            notes.append(Sentence("No layer ran on {device}.", units.device(device.id)))
    missing = unmatched(done.profile.kernels, nodes)
    if missing:
        names = ", ".join(sorted(missing))
        notes.append(
            Sentence(
                "{executions} could not be matched to "
                "the optimized graph ({names}); they count as added by the runtime.",
                Count(missing.total(), "kernel execution"),
                names,
            )
        )
    return (*notes, provider_profilers.NOTE) if done.inside else tuple(notes)
