"""What `inspector record` costs the program that it records, beside the same without it.

Run: python -m benchmarks.recording [--rounds N]
For predictions of about 0.01, 0.1 and 1 ms, in one process and on one thread: the same session
is called in blocks of a fifth of a second, bare and recorded in turns (bare, recorded,
recorded, bare), so that neither other work on the machine nor where a session's weights lie in
memory is taken for a cost. Prints, of processor time and of wall time, the median of the bare
call, the median of what the recorded neighbour of each bare block takes more, with its 95%
interval, and the ratio: limits 20 µs a call, and 1.05 at 1 ms. What the writer's thread does
and all that is written to disk is part of it. Then what the recording itself says that it cost,
and the same with the nodes profiled, in a session of its own, for which there is no limit.
"""

import argparse
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.capi import onnxruntime_inference_collection as runtime

from inspector.recorder.profiled_runs import ProfiledRuns
from inspector.recorder.store import Store
from inspector.recorder.wrappers import RuntimeWrapper

SIZES = (64, 512, 1200)
LIMIT_US, LIMIT_RATIO = 20.0, 1.05
BLOCK_S = 0.2


def product(size: int) -> bytes:
    """A model of one product with a square matrix."""
    rows = max(1, size // 32)
    weight = numpy_helper.from_array(np.ones((size, size), np.float32), "w")
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["a", "w"], ["b"])],
        "product",
        [helper.make_tensor_value_info("a", TensorProto.FLOAT, [rows, size])],
        [helper.make_tensor_value_info("b", TensorProto.FLOAT, [rows, size])],
        [weight],
    )
    opsets = [helper.make_opsetid("", 17)]
    model: onnx.ModelProto = helper.make_model(graph, opset_imports=opsets, ir_version=8)
    return bytes(model.SerializeToString())


@dataclass(frozen=True)
class Taken:
    """Microseconds of a call: of processor time and of wall time."""

    cpu_us: float
    wall_us: float


class Watched:
    """A session made under a watch that can be put on and taken off."""

    def __init__(self, size: int, nodes: int = 0) -> None:
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        self.store = Store(folder, 1_000_000)
        self._watch = RuntimeWrapper(self.store, folder, ProfiledRuns(last=nodes))
        self._watch.attach(runtime)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            product(size), options, providers=["CPUExecutionProvider"]
        )
        self._watch.detach()
        self._feed = {"a": np.ones((max(1, size // 32), size), np.float32)}
        self.calls = max(1, int(BLOCK_S * 1e6 / self._block(20).wall_us))

    def bare(self) -> Taken:
        """Call it unwatched."""
        return self._block(self.calls)

    def recorded(self) -> Taken:
        """Call it watched; writing the last spans is part of it."""
        self._watch.attach(runtime)
        found = self._block(self.calls, end=True)
        self._watch.detach()
        return found

    def close(self) -> None:
        """Write the rest, and forget it."""
        self._watch.finish()
        self._folder.cleanup()

    def _block(self, calls: int, end: bool = False) -> Taken:
        run, feed = self._session.run, self._feed
        wall, cpu = time.perf_counter_ns(), time.process_time_ns()
        for _ in range(calls):
            run(None, feed)
        if end:
            self.store.flush()
        cpu, wall = time.process_time_ns() - cpu, time.perf_counter_ns() - wall
        return Taken(cpu / 1000 / calls, wall / 1000 / calls)


def pairs(one: Watched, rounds: int) -> tuple[list[Taken], list[Taken]]:
    """Blocks of bare and recorded calls, each pair next to each other."""
    bare, recorded = [], []
    for turn in range(2 * rounds):
        first, second = (one.bare, one.recorded)[:: -1 if turn % 2 else 1]
        before, after = first(), second()
        bare.append(after if turn % 2 else before)
        recorded.append(before if turn % 2 else after)
    return bare, recorded


def told(bare: NDArray[np.float64], recorded: NDArray[np.float64]) -> tuple[str, float, float]:
    """A cell of the table, what is added and the ratio."""
    more = recorded - bare
    usual, added = float(np.median(bare)), float(np.median(more))
    low, high = interval(more)
    ratio = (usual + added) / usual
    return f"{usual:9.1f} {added:+7.1f} ({low:+.1f} to {high:+.1f})", added, ratio


def interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """The 95% interval of the median, from the ranks of the values."""
    ordered, half = np.sort(values), 0.98 * np.sqrt(len(values))
    low = max(0, int(np.floor(len(values) / 2 - half)))
    return float(ordered[low]), float(ordered[-1 - low])


def measure(size: int, rounds: int) -> None:
    """Print the line of a size."""
    one = Watched(size)
    one.recorded()
    bare, recorded = pairs(one, rounds)
    cells = [
        told(
            *(
                np.array([getattr(taken, key) for taken in column])
                for column in (bare, recorded)
            )
        )
        for key in ("cpu_us", "wall_us")
    ]
    says = one.store.own_ns / max(1, one.store.timed) / 1000
    one.close()
    profiled = Watched(size, nodes=1 << 30)
    nodes = float(np.median([profiled.recorded().cpu_us for _ in range(3)]))
    profiled.close()
    (cpu, added, ratio), (wall, _, _) = cells
    kept = added <= LIMIT_US if size < SIZES[-1] else ratio <= LIMIT_RATIO
    word = "OK" if kept else "MISSED"
    print(f"{cpu:>34}{ratio:8.3f}{wall:>36}{says:9.1f}{nodes:10.1f}  {word}", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    rounds = parser.parse_args().rounds
    heads = f"{'bare, added: µs of CPU':>34}{'ratio':>8}{'the same of wall time':>36}"
    print(f"{heads}{'own word':>9}{'nodes':>10}")
    for size in SIZES:
        measure(size, rounds)
    print(f"limits: {LIMIT_US:.0f} µs of CPU added to short calls, ratio {LIMIT_RATIO} at 1 ms")


if __name__ == "__main__":
    main()
