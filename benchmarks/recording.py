"""What `inspector record` costs the program that it records, beside the same without it.

Run: python -m benchmarks.recording [--rounds N]
For predictions of about 0.02, 0.2 and 1 ms: median microseconds of a call bare, recorded, and
recorded with the nodes profiled, interleaved in one process; what recording adds to a call
(limit 20 µs without nodes) and the ratio (limit 1.05 at 1 ms). CPU time of the process, so that
other work on the machine matters less and writing to disk counts; one thread a session.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.capi import onnxruntime_inference_collection as runtime

from inspector.instrument.store import Store
from inspector.instrument.watch import Watch

SIZES = (64, 512, 1200)
LIMIT_US, LIMIT_RATIO = 20.0, 1.05
CALLS = 200


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
    return model.SerializeToString()


def session(model: bytes) -> Any:
    """A session on one thread."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def cost_us(one: Any, feed: dict[str, Any], end: Callable[[], None] = lambda: None) -> float:
    """Microseconds of CPU for one call, a mean over some; `end` is part of it."""
    begin = time.process_time_ns()
    for _ in range(CALLS):
        one.run(None, feed)
    end()
    return (time.process_time_ns() - begin) / 1000 / CALLS


class Watched:
    """A session made under a watch that can be put on and taken off."""

    def __init__(self, model: bytes, nodes: int) -> None:
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        self._store = Store(folder, 1_000_000)
        self._watch = Watch(self._store, folder, nodes)
        self._watch.attach(runtime)
        self.session = session(model)
        self._watch.detach()

    def cost_us(self, feed: dict[str, Any]) -> float:
        """Like the function, recorded."""
        self._watch.attach(runtime)
        found = cost_us(self.session, feed, self._store.flush)
        self._watch.detach()
        return found

    def close(self) -> None:
        """Write the rest, and forget it."""
        self._watch.finish()
        self._folder.cleanup()


def measure(size: int, rounds: int) -> tuple[float, float, float]:
    """Median microseconds of a call: bare, recorded, recorded with nodes."""
    model = product(size)
    feed = {"a": np.ones((max(1, size // 32), size), np.float32)}
    bare = session(model)
    plain, nodes = Watched(model, 0), Watched(model, CALLS * (rounds + 1))
    taken = [
        (cost_us(bare, feed), plain.cost_us(feed), nodes.cost_us(feed))
        for _ in range(rounds + 1)
    ]
    plain.close()
    nodes.close()
    columns = list(zip(*taken[1:], strict=True))  # the first round warms up
    return median(columns[0]), median(columns[1]), median(columns[2])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    print(f"{'bare µs':>10}{'recorded':>10}{'added':>8}{'ratio':>8}{'nodes':>10}{'ratio':>8}")
    for size in SIZES:
        bare, plain, nodes = measure(size, rounds)
        print(
            f"{bare:10.1f}{plain:10.1f}{plain - bare:8.1f}{plain / bare:8.3f}"
            f"{nodes:10.1f}{nodes / bare:8.3f}"
        )
    print(f"limits: {LIMIT_US:.0f} µs added; ratio {LIMIT_RATIO} at 1 ms, both without nodes")


if __name__ == "__main__":
    main()
