"""The trace of a report: steps of ours, the runtime's calls, kernels, on one clock."""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

import numpy as np
from msgspec import Struct

from inspector.backends.onnxruntime.attribution.attribution import Attribution
from inspector.backends.onnxruntime.graphs.layer_names import Naming
from inspector.backends.onnxruntime.measuring.load_phases import LoadDetail
from inspector.backends.onnxruntime.measuring.profiled_pass import ProfiledPass, Step
from inspector.backends.onnxruntime.profiling.profile import Kernel, OnDevice, Profile
from inspector.backends.onnxruntime.profiling.report_layers import inserted_kind, inserted_name
from inspector.model.model import Layer
from inspector.report.report import Device, LoadPhase
from inspector.trace.device_clock import ClockShift, align, pair_by_order
from inspector.trace.trace import FlowKind, Kind, Lane, Trace, Track
from inspector.trace.trace_builder import TraceBuilder

ACTIVITY = Track(Lane.ACTIVITY, "Activity", family="activity")
DATA = Track(Lane.DATA, "Data", family="data")
SUBMISSIONS = Track(Lane.ACTIVITY, "Submissions", family="activity")
CPU_LOAD = "CPU load"
LEAST_BETWEEN_NS = 1_000_000
_KINDS = ("cpu", "gpu", "npu")
_WORDS = {
    "model_loading_uri": "read the model",
    "model_loading_array": "read the model",
    "session_initialization": "optimize and prepare",
}


class _Row(Struct, frozen=True):
    """A kernel as the trace shows it, on perf_counter's clock."""

    track: Track
    name: str
    start_ns: int
    duration_ns: int
    kind: Kind
    layer: int | None
    run: int | None
    size_bytes: int
    nested: bool
    forced_by: int | None = None

    @property
    def end_ns(self) -> int:
        return self.start_ns + self.duration_ns


def build_trace(
    done: ProfiledPass,
    nodes: Sequence[int | None],
    attribution: Attribution,
    layers: Sequence[Layer],
    devices: Sequence[Device],
    homes: Mapping[str, str],
    naming: Naming | None,
) -> Trace:
    """Lay out loading and all predictions of the profiled pass; zero is its beginning.

    nodes: for each kernel its place in `attribution.executed`. homes: provider -> device id.
    """
    build = TraceBuilder()
    units = compute_tracks(devices)
    for track in (ACTIVITY, DATA, *units.values()):
        build.track(track)
    _add_steps(build, done)
    _add_counters(build, done.steps)
    if done.machine_load is not None:
        done.machine_load.count_into(build)
    rows = list[_Row]()
    work = _device_work(done, nodes, attribution, homes, units)
    working_alone = {device.id for device in devices if device.asynchronous}
    for kernel, place in zip(done.profile.kernels, nodes, strict=True):
        node = None if place is None else attribution.executed[place]
        if node is None or node.lead is None:
            own_clock = homes[kernel.provider] in working_alone
            name = inserted_name(kernel.operator, node, naming, own_clock)
            kind = inserted_kind(kernel.operator, node, own_clock)
            forced_by = (node.after if node.before is None else node.before) if node else None
            rows.append(_row_of_kernel(done, kernel, DATA, name, kind, None, forced_by))
        elif homes[kernel.provider] in work.devices:
            name = layers[node.lead].label
            rows.append(_row_of_kernel(done, kernel, SUBMISSIONS, name, Kind.CALL, node.lead))
        else:
            unit, name = units[homes[kernel.provider]], layers[node.lead].label
            rows.append(_row_of_kernel(done, kernel, unit, name, Kind.KERNEL, node.lead))
    # Of two equal spans the first is the outer one.
    for partition in _partitions([*rows, *work.rows]):
        _add(build, partition)
    numbers = [_add(build, row) for row in rows]
    # Each inserted node leads to the execution that it was for: the next, else the last.
    times = defaultdict(list)
    for row, number in zip(rows, numbers, strict=True):
        if row.layer is not None:
            times[row.layer, row.run].append((row.start_ns, number))
    for row, number in zip(rows, numbers, strict=True):
        ran = times[row.forced_by, row.run] if row.forced_by is not None else []
        if ran:
            ran.sort()
            later = (one for start, one in ran if start >= row.end_ns)
            build.flow(number, next(later, ran[-1][1]), FlowKind.FORCED)
    for row, launcher in zip(work.rows, work.launchers, strict=True):
        build.flow(numbers[launcher], _add(build, row), FlowKind.LAUNCH)
    return build.trace(done.steps[0].start_ns)


class _Work(Struct, frozen=True):
    """What ran on devices that tell of it, on perf_counter's clock.

    launchers: the kernel of the profile that launched each of `rows`. devices: their ids.
    """

    rows: list[_Row]
    launchers: list[int]
    devices: frozenset[str]


def clock_shift(profile: Profile) -> ClockShift:
    """Return how far the clock of what ran on devices is off that of the runs."""
    pairs = _launches(profile)
    times = (
        (work.start_ns, work.start_ns + work.duration_ns, *_bounds(profile, launcher))
        for work, launcher in pairs
    )
    return align(*np.array(list(times), np.int64).reshape(-1, 4).T)


def _bounds(profile: Profile, launcher: int) -> tuple[int, int]:
    """Return when a kernel of the profile began, and when its run returned."""
    kernel = profile.kernels[launcher]
    if kernel.run < 0:
        return kernel.start_ns, -1
    run = profile.runs[kernel.run]
    return kernel.start_ns, run.start_ns + run.duration_ns


def _launches(profile: Profile) -> list[tuple[OnDevice, int]]:
    """Return the work on devices, each with the kernel that launched it, by their order."""
    executions, works = defaultdict(list), defaultdict(list)
    for place, kernel in enumerate(profile.kernels):
        executions[kernel.name].append(place)
    for work in profile.on_device:
        works[work.node].append(work)
    pairs = list[tuple[OnDevice, int]]()
    for node, own in works.items():
        order = sorted(executions[node], key=lambda place: profile.kernels[place].start_ns)
        launchers = pair_by_order(np.array(order, np.int64), len(own))
        if launchers is not None:
            pairs += zip(own, launchers.tolist(), strict=True)
    return pairs


def _device_work(
    done: ProfiledPass,
    nodes: Sequence[int | None],
    attribution: Attribution,
    homes: Mapping[str, str],
    units: Mapping[str, Track],
) -> _Work:
    """Return what devices tell of their own work, on the clock of the calls."""
    profile, rows, launchers, devices = done.profile, list[_Row](), list[int](), set[str]()
    later_ns = done.zero_ns + clock_shift(profile).shift_ns
    first = len(profile.runs) - done.runs
    streams = sorted({work.stream for work in profile.on_device})
    for work, launcher in _launches(profile):
        kernel, place = profile.kernels[launcher], nodes[launcher]
        lead = None if place is None else attribution.executed[place].lead
        if lead is None:
            continue
        device = homes[kernel.provider]
        track = units[device]
        if len(streams) > 1:
            track = replace(track, name=f"{track.name}, stream {work.stream}")
        run = kernel.run - first if kernel.run >= first else None
        rows.append(
            _Row(
                track, work.name, later_ns + work.start_ns, work.duration_ns, Kind.KERNEL, lead,
                run, 0, nested=False,
            )
        )  # fmt: skip
        launchers.append(launcher)
        devices.add(device)
    return _Work(rows, launchers, frozenset(devices))


def _add(build: TraceBuilder, row: _Row) -> int:
    return build.add(
        row.track, row.name, row.start_ns, row.duration_ns, row.kind, row.layer, row.run,
        row.size_bytes,
    )  # fmt: skip


def _add_counters(build: TraceBuilder, steps: Sequence[Step]) -> None:
    """Memory after each step, and between steps how busy the processors were for us."""
    readings = [(s.start_ns + s.duration_ns, s) for s in steps if s.memory_bytes]
    for at_ns, step in readings:
        build.count("Process memory", at_ns, step.memory_bytes, "bytes")
    # Two clocks are read one after the other: what follows too soon is left out. The last
    # stretch goes on to the last step, since nothing is known to rest before it.
    chosen: list[tuple[int, Step]] = []
    for at_ns, step in readings:
        if not chosen or at_ns - chosen[-1][0] >= LEAST_BETWEEN_NS:
            chosen.append((at_ns, step))
    apart = [*chosen[:-1], readings[-1]] if len(chosen) > 1 else chosen
    cores = os.cpu_count() or 1
    for (begin_ns, step), (end_ns, following) in pairwise(apart):
        # The clocks are not read at the same instant: more than all cores is their error.
        busy = min(cores, (following.cpu_ns - step.cpu_ns) / (end_ns - begin_ns))
        build.count(CPU_LOAD, begin_ns, round(100 * busy, 1), "percent")
    if len(apart) > 1:
        build.count(CPU_LOAD, apart[-1][0], 0, "percent")


def _row_of_kernel(
    done: ProfiledPass,
    kernel: Kernel,
    track: Track,
    name: str,
    kind: Kind,
    layer: int | None,
    forced_by: int | None = None,
) -> _Row:
    """Return a kernel as a row of a track. Only the last runs of the profile count: a kernel of
    an earlier one has no run, the others are numbered from the first that counts."""
    uncounted_runs = len(done.profile.runs) - done.runs
    return _Row(
        track,
        name,
        done.zero_ns + kernel.start_ns,
        kernel.duration_ns,
        kind,
        layer,
        kernel.run - uncounted_runs if kernel.run >= uncounted_runs else None,
        kernel.output_bytes if layer is None else 0,
        kernel.parent is not None,
        forced_by,
    )


def phases_of(profile: Profile) -> tuple[LoadPhase, ...]:
    """Return the load phases in a profile."""
    return tuple(
        LoadPhase(_WORDS.get(call.name, call.name), call.duration_ns)
        for call in profile.loading
    )


def steps_of_load(detail: LoadDetail) -> tuple[Step, ...]:
    """Return a load in its parts as steps of ours, the whole first."""
    parts = (
        Step(part.name, detail.start_ns + part.start_ns, part.duration_ns)
        for part in detail.parts
    )
    return Step("load in detail", detail.start_ns, detail.duration_ns), *parts


def compute_tracks(devices: Iterable[Device]) -> dict[str, Track]:
    """Give each device a track, the CPU's first; two of a kind carry their ids as names."""
    ordered = sorted(devices, key=_family)
    kinds = [device.kind for device in ordered]
    return {
        device.id: Track(
            Lane.COMPUTE,
            device.kind.upper() if kinds.count(device.kind) == 1 else device.id,
            device.id,
            _KINDS[_family(device)],
        )
        for device in ordered
    }


def _family(device: Device) -> int:
    return _KINDS.index(device.kind) if device.kind in _KINDS else len(_KINDS) - 1


def _add_steps(build: TraceBuilder, done: ProfiledPass) -> None:
    for step in done.steps:
        track = ACTIVITY if step.kind is Kind.CALL else DATA
        build.add(
            track, step.name, step.start_ns, step.duration_ns, step.kind, None, step.run,
            step.size_bytes,
        )  # fmt: skip
    for call in done.profile.loading:
        name = _WORDS.get(call.name, call.name)
        build.add(ACTIVITY, name, done.zero_ns + call.start_ns, call.duration_ns)
    first = len(done.profile.runs) - done.runs
    for number, call in enumerate(done.profile.runs):
        run = number - first if number >= first else None
        start = done.zero_ns + call.start_ns
        build.add(ACTIVITY, "run", start, call.duration_ns, run=run)


def _partitions(rows: Sequence[_Row]) -> Iterator[_Row]:
    """Yield the stretches that one device ran without another; none where there is only one."""
    compute = [row for row in rows if row.track.lane is Lane.COMPUTE and not row.nested]
    if len({row.track for row in compute}) < 2:
        return
    compute.sort(key=lambda row: row.start_ns)
    for (track, run), stretch in groupby(compute, lambda row: (row.track, row.run)):
        some = list(stretch)
        start, end = some[0].start_ns, max(row.end_ns for row in some)
        yield _Row(track, "partition", start, end - start, Kind.PARTITION, None, run, 0, False)
