"""The runtime's own profile: which node of the optimised graph ran when, and in which run.

The file is an array of Chrome-trace events; times are whole microseconds. A node's event is
written when it ends, so that those of a subgraph stand before the node that runs it.
"""

from bisect import bisect_right
from collections.abc import Container
from functools import lru_cache
from pathlib import Path
from time import monotonic_ns, perf_counter_ns, time_ns

import msgspec
from msgspec import Struct

from inspector.backends.base import DISK_HINT
from inspector.errors import EngineFailed
from inspector.model.operator_traits import CONTROL_FLOW

SUFFIX = "_kernel_time"
_US = 1000
_RUN = "model_run"

Shaped = tuple[str, tuple[int, ...]]  # the runtime's type name and the lengths of the axes
_NO_SHAPES = msgspec.Raw(b"[]")
_TRIES = 50
_SLACK_NS = 1_000_000_000


class Call(Struct, frozen=True):
    """An event of the session: loading, or one run; times as in Kernel."""

    name: str
    start_ns: int
    duration_ns: int


class Kernel(Struct, frozen=True):
    """One execution of a node.

    name: the node's; of an unnamed one operator and number ("Mul_6"). number: the runtime's
    within the node's graph. start_ns: since the profile's beginning. self_ns: without the
    nodes of its subgraphs. parent: index of the kernel whose subgraph this is part of.
    run: number of the run, from 0. output_bytes: what it gave out. arena_bytes: in use in the
    arena when it ended; 0 where the runtime does not tell.
    """

    name: str
    operator: str
    provider: str
    number: int
    start_ns: int
    duration_ns: int
    self_ns: int
    parent: int | None
    run: int
    output_bytes: int
    inputs: tuple[Shaped, ...]
    outputs: tuple[Shaped, ...]
    arena_bytes: int = 0

    def moved(self, later_ns: int, runs: int, parent: int | None) -> "Kernel":
        """Return it on the clock and among the runs and kernels of another profile.

        There are tens of thousands, for which `dataclasses.replace` takes 4 times as long.
        """
        return Kernel(
            self.name,
            self.operator,
            self.provider,
            self.number,
            self.start_ns + later_ns,
            self.duration_ns,
            self.self_ns,
            parent,
            self.run + runs,
            self.output_bytes,
            self.inputs,
            self.outputs,
            self.arena_bytes,
        )


class OnDevice(Struct, frozen=True):
    """One interval of work on a device, by the device's own clock.

    node: what it belongs to. name: of the program that ran. stream: in which; "" for the only
    one.
    """

    node: str
    start_ns: int
    duration_ns: int
    name: str = ""
    stream: str = ""


class Profile(Struct, frozen=True):
    """All that one profile tells.

    loading: events before the first run. runs: one event a run, in order.
    kernels: in the order in which they ended. on_device: what devices tell of their own work.
    arena_used_bytes, arena_held_bytes: the most that tensors took of the runtime's arenas, and
    that those took of the system; 0 where an older runtime does not tell.
    """

    loading: tuple[Call, ...]
    runs: tuple[Call, ...]
    kernels: tuple[Kernel, ...]
    arena_used_bytes: int = 0
    arena_held_bytes: int = 0
    on_device: tuple[OnDevice, ...] = ()


class _Arguments(msgspec.Struct):
    op_name: str = ""
    provider: str = ""
    parent_name: str = ""
    stream: str = ""
    node_index: int = -1
    output_size: int = 0
    input_type_shape: msgspec.Raw = _NO_SHAPES
    output_type_shape: msgspec.Raw = _NO_SHAPES
    mem_bytes_in_use: int = 0
    mem_in_use_peak: int = 0
    mem_arena_held: int = 0


class _Event(msgspec.Struct):
    cat: str = ""
    name: str = ""
    ts: int = 0
    dur: int = 0
    tid: int = 0
    args: _Arguments = msgspec.field(default_factory=_Arguments)


def read(path: Path, with_bodies: Container[str] = CONTROL_FLOW) -> Profile:
    """Read a profile that this process made; `with_bodies`: operators that run subgraphs.

    Raises EngineFailed: the disk took only a part of it, of which the runtime says nothing.
    """
    try:
        # Numbers in `args` are written as texts, hence not strict.
        events = msgspec.json.decode(path.read_bytes(), type=list[_Event], strict=False)
    except msgspec.DecodeError as error:
        what, why = (
            "Could not read the ONNX Runtime profile",
            "there was not enough space for temporary files",
        )
        raise EngineFailed(what, why, DISK_HINT, "profile") from error
    session = [event for event in events if event.cat == "Session"]
    calls = sorted((_call(event) for event in session), key=lambda call: call.start_ns)
    runs = tuple(call for call in calls if call.name == _RUN)
    first = runs[0].start_ns if runs else None
    loading = tuple(call for call in calls if first is None or call.start_ns < first)
    nodes = [e for e in events if e.cat == "Node" and e.name.endswith(SUFFIX)]
    parents: list[int | None] = [None] * len(nodes)
    waiting: dict[int, list[int]] = {}
    for index, event in enumerate(nodes):
        row = waiting.setdefault(event.tid, [])
        if event.args.op_name in with_bodies:
            while row and nodes[row[-1]].ts >= event.ts:
                parents[row.pop()] = index
        row.append(index)
    inside = [0] * len(nodes)
    for event, parent in zip(nodes, parents, strict=True):
        if parent is not None:
            inside[parent] += event.dur
    starts = [run.start_ns for run in runs]
    kernels = tuple(
        _kernel(event, max(0, event.dur - inner), parent, starts)
        for event, inner, parent in zip(nodes, inside, parents, strict=True)
    )
    used = max((event.args.mem_in_use_peak for event in nodes), default=0)
    held = max((event.args.mem_arena_held for event in nodes), default=0)
    return Profile(loading, runs, kernels, used, held, _on_device(events))


def _on_device(events: list[_Event]) -> tuple[OnDevice, ...]:
    """Return the work of devices in the order of their clocks.

    CUDA and ROCm write events of category Kernel, which name their node as `parent_name`, or
    by number and operator.
    WebGPU writes them as Api, named node&operator&program.
    https://github.com/microsoft/onnxruntime/blob/main/onnxruntime/core/providers/webgpu/webgpu_context.cc
    """
    numbered = {
        (event.args.node_index, event.args.op_name): event.name.removesuffix(SUFFIX)
        for event in events
        if event.cat == "Node" and event.name.endswith(SUFFIX)
    }
    spans = []
    for event in events:
        node, name = "", event.name
        if event.cat == "Kernel":
            node = event.args.parent_name.removesuffix(SUFFIX)
            node = node or numbered.get((event.args.node_index, event.args.op_name), "")
        elif event.cat == "Api" and event.name.count("&") > 1:
            node, _, name = event.name.rsplit("&", 2)
        if node:
            took = max(0, event.dur) * _US
            spans.append(OnDevice(node, event.ts * _US, took, name, event.args.stream))
    return tuple(sorted(spans, key=lambda one: one.start_ns))


def _call(event: _Event) -> Call:
    return Call(event.name, event.ts * _US, event.dur * _US)


def _kernel(event: _Event, self_us: int, parent: int | None, starts: list[int]) -> Kernel:
    arguments = event.args
    return Kernel(
        event.name.removesuffix(SUFFIX),
        arguments.op_name,
        arguments.provider,
        arguments.node_index,
        event.ts * _US,
        event.dur * _US,
        self_us * _US,
        parent,
        bisect_right(starts, event.ts * _US) - 1,
        arguments.output_size,
        _shaped(bytes(arguments.input_type_shape)),
        _shaped(bytes(arguments.output_type_shape)),
        arguments.mem_bytes_in_use,
    )


@lru_cache(4096)  # each run of a node writes the same again
def _shaped(type_shapes: bytes) -> tuple[Shaped, ...]:
    entries = msgspec.json.decode(type_shapes, type=list[dict[str, list[int]]], strict=False)
    return tuple((name, tuple(axes)) for entry in entries for name, axes in entry.items())


class Instant(Struct, frozen=True):
    """One moment on three clocks, in nanoseconds."""

    perf_ns: int
    wall_ns: int
    monotonic_ns: int


def now() -> Instant:
    """Read the clocks as close together as a few tries allow: about 0.1 µs."""
    best: tuple[int, Instant] | None = None
    for _ in range(_TRIES):
        before = perf_counter_ns()
        wall, steady = time_ns(), monotonic_ns()
        after = perf_counter_ns()
        if best is None or after - before < best[0]:
            best = after - before, Instant((before + after) // 2, wall, steady)
    assert best is not None
    return best[1]


def profile_zero(start_ns: int, begun: Instant, ended: Instant) -> int:
    """Return when on perf_counter's clock a profile began.

    start_ns: what the session says. Which clock it is on differs between systems; the one on
    which it falls between `begun` and `ended` is meant. perf_counter is tried first: on Windows
    it is that clock, and `time.monotonic`, near to it, steps by 15.6 ms before Python 3.13.
    """
    for first, last in (
        (begun.perf_ns, ended.perf_ns),
        (begun.wall_ns, ended.wall_ns),
        (begun.monotonic_ns, ended.monotonic_ns),
    ):
        if first - _SLACK_NS <= start_ns <= last + _SLACK_NS:
            return start_ns - first + begun.perf_ns
    return begun.perf_ns
