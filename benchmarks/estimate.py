"""How long it takes to estimate cost, memory and structure of many layers.

`python -m benchmarks.estimate` makes models of 10,000 and 100,000 layers, infers their shapes
in the engine process and prints the time of every part, and of all of them beside its limit,
which is one of processor time. The worst case: every length is a formula.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from inspector.analysis.cost.estimate import estimate
from inspector.analysis.cost.memory_plan import memory_plan
from inspector.analysis.cost.model_cost import cost
from inspector.analysis.cost.scopes import scopes
from inspector.analysis.facts.quantization import quantization
from inspector.analysis.facts.shapes import Shapes, with_shapes
from inspector.engine.client.engine_process import EngineProcess
from inspector.formats.opening import open_model

LIMITS = {10_000: 0.3, 100_000: 2.0}
_OPERATORS = ("Conv", "Relu", "Add", "Sigmoid", "Identity")


def save(path: Path, layers: int) -> Path:
    """Write a chain of layers in scopes of 5, 50 and 500."""
    nodes = []
    for index in range(layers):
        operator = _OPERATORS[index % 5]
        taken = [f"t{index}"]
        if operator == "Conv":
            taken.append(f"w{index % 50}")
        elif operator == "Add":
            taken.append(f"t{index - 1}")
        name = f"/stage.{index // 500}/block.{index // 50}/unit.{index // 5}/{operator}"
        nodes.append(helper.make_node(operator, taken, [f"t{index + 1}"], name))
    zeros = np.zeros((8, 8, 1, 1), np.float32)
    stored = [numpy_helper.from_array(zeros, f"w{number}") for number in range(0, 50, 5)]
    shape = ["batch", 8, 14, 14]
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name in ("t0", f"t{layers}")
    ]
    graph = helper.make_graph(nodes, "many", ends[:1], ends[1:], stored)
    opsets = [helper.make_opsetid("", 17)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
    path.write_bytes(model.SerializeToString())
    return path


def timed(name: str, work: Callable[[], object]) -> float:
    """Print wall and processor time of the second call; return the latter, in seconds."""
    work()
    began, busy = perf_counter(), process_time()
    work()
    spent, worked = perf_counter() - began, process_time() - busy
    print(f"  {name:30} {worked:7.3f} s of processor, {spent:7.3f} s")
    return worked


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder, EngineProcess() as engine:
        for layers, limit in LIMITS.items():
            path = save(Path(folder) / f"{layers}.onnx", layers)
            print(f"{layers:,} layers")
            model = open_model(path)
            timed("inference in the engine", lambda path=path: engine.shapes(path))  # type: ignore[misc]
            shapes: Shapes = engine.shapes(path)
            known, found = with_shapes(model, shapes), cost(model, shapes)
            timed("cost", lambda m=model, s=shapes: cost(m, s))  # type: ignore[misc]
            timed("peak memory", lambda m=model, s=shapes: memory_plan(m, s, {}))  # type: ignore[misc]
            timed("quantisation", lambda m=known: quantization(m))  # type: ignore[misc]
            timed("scopes and blocks", lambda m=known, c=found: scopes(m, c))  # type: ignore[misc]
            spent = timed(
                "all but inference",
                lambda m=model, s=shapes: estimate(m, lambda _: s, {}),  # type: ignore[misc]
            )
            print(f"  {'limit':30} {limit:7.3f} s  {'kept' if spent <= limit else 'MISSED'}")


if __name__ == "__main__":
    main()
