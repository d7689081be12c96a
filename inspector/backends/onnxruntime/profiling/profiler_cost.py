"""Measure the overhead of the runtime's profiler for each kernel that it records.

Its end of a kernel's time comes after it has written the shapes of the outputs as text, so a
part of its own work counts as the kernel's: 2.6 to 4.2 µs on the machines seen, more than a
small kernel takes. A chain of kernels that do next to nothing tells how much it is.
"""

from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter_ns

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from onnx import TensorProto, helper

from inspector.backends.onnxruntime.profiling import profile
from inspector.backends.onnxruntime.profiling.profile import Profile
from inspector.backends.onnxruntime.sessions import devices
from inspector.backends.onnxruntime.sessions.session import create_session
from inspector.report.layer_timing import CLOCK_NS
from inspector.report.run_spec import RunSpec

_NODES = 48  # enough that the call itself, some 10 µs, is small beside them
_RUNS = 24
_WARM_UPS = 3


class ProfilerCost(Struct, frozen=True):
    """The overhead that is subtracted from the times in a profile.

    inside_ns, between_ns: for each kernel, inside of the time that it is told to take and after
    it. slowdown: how many times as long as in the clean pass predictions took then, without
    the profiler: the CPU had another speed. excess: how many times as long as such a
    prediction all kernels together still took: the profiler's cost was not told apart from
    their own time for each of them, and they are brought down together.
    """

    inside_ns: float = 0.0
    between_ns: float = 0.0
    slowdown: float = 1.0
    excess: float = 1.0


def measure_cost(spec: RunSpec, folder: Path) -> ProfilerCost:
    """Profile a chain of tiny kernels on the CPU with the threads of `spec`, then without.

    folder: private, for the runtime. Takes about 30 ms.
    """
    plain = replace(RunSpec(), threads=spec.threads, spinning=spec.spinning)
    names = ["x", *(f"x{place}" for place in range(1, _NODES)), "y"]
    nodes = [
        helper.make_node("Neg" if place % 2 else "Abs", [names[place]], [names[place + 1]])
        for place in range(_NODES)
    ]
    ends = [
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1])] for name in ("x", "y")
    ]
    graph = helper.make_graph(nodes, "chain", *ends)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7)
    body: bytes = model.SerializeToString()
    session = create_session(
        body, plain, devices.resolve(["cpu"]), profile_prefix=folder / "cost"
    )
    feeds = {"x": np.ones(1, np.float32)}

    def walls() -> list[int]:
        walls_ns = []
        for _ in range(_WARM_UPS + _RUNS):
            began = perf_counter_ns()
            session.run(None, feeds)
            walls_ns.append(perf_counter_ns() - began)
        return walls_ns[_WARM_UPS:]

    walls()
    written = Path(session.end_profiling())
    parsed = profile.read(written)
    written.unlink()
    return of_chain(parsed, median(walls()) / _NODES)


def of_chain(chain_profile: Profile, node_ns: float) -> ProfilerCost:
    """Return the cost that a profile of the chain shows; node_ns: of a kernel without it."""
    kernels = [kernel for kernel in chain_profile.kernels if kernel.run >= _WARM_UPS]
    if not kernels:
        return ProfilerCost()
    durations = np.array([kernel.duration_ns for kernel in kernels], np.int64)
    inside = grouped_median(durations) + CLOCK_NS / 2
    spent: dict[int, int] = {}
    for kernel in kernels:
        spent[kernel.run] = spent.get(kernel.run, 0) + kernel.duration_ns + CLOCK_NS // 2
    gaps = [chain_profile.runs[run].duration_ns - ns for run, ns in spent.items()]
    between = median(gaps) / (len(kernels) / len(spent))
    return ProfilerCost(max(0.0, inside - node_ns), max(0.0, between))


def grouped_median(truncated_ns: NDArray[np.int64]) -> float:
    """Return the median of times that are truncated to CLOCK_NS, interpolated within its step.

    The formula for grouped data: lower edge of the step with the median, plus the share of
    the step's values below the middle. Less CLOCK_NS / 2, so that it stays on the scale of
    the truncated values. Where the middle lies between two steps, it is the mean of these.
    """
    values = np.sort(truncated_ns)
    lower, middle = values[(len(values) - 1) // 2], values[len(values) // 2]
    if lower != middle:
        return float(lower + middle) / 2
    below = int((values < middle).sum())
    same = int((values == middle).sum())
    return float(middle + CLOCK_NS * ((len(values) / 2 - below) / same - 0.5))
