"""Whether `tune` finds the better of two settings on a busy machine, and nothing where none is.

`python -m benchmarks.tune` searches beside processes that keep all cores busy, RUNS times
among settings of which one makes a prediction twice as fast, and RUNS times among settings that
do not differ. The model does half of its work on constants, which the runtime does beforehand
as soon as it optimizes at all: the factor of two is that of the model, on any machine. Settings
of the inter-op thread pool change nothing where operators run one after the other. The first
search has to find the better settings each time, the second to keep the runtime's own.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

from inspector.analysis.measured.tuning_results import chosen, gained, sentences
from inspector.app import measurements, subjects
from inspector.app.tuner import Bounds, Settings, tune
from inspector.engine.client.engine_process import EngineProcess
from inspector.report.run_spec import RunSpec
from inspector.report.tuning import Tuning

RUNS = 10
BUSY_PROCESSES = 3
SECONDS = 20.0  # of a search
# One side of a product: two of them take about 1 ms on one core.
ROWS, WIDTH, PRODUCTS = 64, 512, 2

SLOW = RunSpec(threads=1, optimization="none", profiled_runs=0)
FAST = "basic"
TWICE: Settings = (("optimization", ({"optimization": FAST},)),)
EQUAL: Settings = (("inter-op threads", ({"inter_threads": 2},)),)


def half_constant(file: Path) -> None:
    """Write a model that multiplies its input and a constant by the same matrices."""
    random = np.random.default_rng(0)
    start = random.normal(size=(ROWS, WIDTH)).astype(np.float32)
    constants = [numpy_helper.from_array(start, "start")]
    nodes, ends = [], ["x", "start"]
    for number in range(PRODUCTS):
        matrix = random.normal(size=(WIDTH, WIDTH)).astype(np.float32) / WIDTH**0.5
        constants.append(numpy_helper.from_array(matrix, f"matrix{number}"))
        names = [f"{end}{number}" for end in ("variable", "constant")]
        pairs = zip(ends, names, strict=True)
        nodes += [
            helper.make_node("MatMul", [end, f"matrix{number}"], [name]) for end, name in pairs
        ]
        ends = names
    nodes.append(helper.make_node("Add", ends, ["y"]))
    values = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, (ROWS, WIDTH)) for name in "xy"
    ]
    graph = helper.make_graph(nodes, "half_constant", values[:1], values[1:], constants)
    opsets = [helper.make_opsetid("", 17)]
    save(helper.make_model(graph, opset_imports=opsets, ir_version=8), file)


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keep so many processes computing while the block runs."""
    command = [sys.executable, "-c", "while True: pass"]
    children = [subprocess.Popen(command) for _ in range(processes)]
    try:
        yield
    finally:
        for child in children:
            child.kill()
            child.wait()


def search(model: Path, settings: Settings, seed: int) -> Tuning:
    """Search among settings, each time in another order."""
    (subject,) = subjects.subjects([model])
    with EngineProcess() as engine:
        alone = measurements.measure_function(engine, [subject])
        pair = measurements.pair_function(engine, subject)
        bounds = Bounds(SECONDS, 0, seed, lambda: monotonic() - engine.waited_seconds, settings)
        *_, last = tune(subject.identity, SLOW, lambda spec: alone(0, spec), pair, bounds)
    return last


def tell(title: str, model: Path, settings: Settings, better: bool, runs: int) -> bool:
    """Print a line for each search, and how many were right; whether all were."""
    print(title)
    right = 0
    for seed in range(runs):
        began = monotonic()
        done = search(model, settings, seed)
        changed = chosen(done) != done.default
        right += changed == better
        found = gained(done)
        mark = "ok" if changed == better else "WRONG"
        print(
            f"  {mark:<5}  time {found.ratio:.3f} of the start's, {found.filter.value}, "
            f"{monotonic() - began:.0f} s: {sentences(done)[0]}",
            flush=True,
        )
    state = "OK" if right == runs else "MISSED"
    print(f"{state}: {right} of {runs} right\n", flush=True)
    return right == runs


def main() -> None:
    """Search beside a load, and end with 1 where a search was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help="searches of each kind")
    parser.add_argument("--busy", type=int, default=BUSY_PROCESSES, help="processes beside")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, busy(options.busy):
        model = Path(folder) / "half_constant.onnx"
        half_constant(model)
        beside = f"beside {options.busy} busy processes"
        twice = tell(f"Twice as fast, {beside}", model, TWICE, True, options.runs)
        equal = tell(f"Equal settings, {beside}", model, EQUAL, False, options.runs)
    sys.exit(0 if twice and equal else 1)


if __name__ == "__main__":
    main()
