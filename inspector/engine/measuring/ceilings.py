"""How fast a device is at most, as the runtime reaches it. Runs in the engine process.

Two small models do nothing but multiply matrices, and nothing but add long rows of numbers,
each once with few and once with many such layers. The difference leaves out what a prediction
costs besides: passing values, making the first tensor, fetching the answer.
"""

import os
from collections.abc import Callable
from datetime import datetime
from time import perf_counter_ns
from typing import Any

import numpy as np
import onnx
import psutil
from onnx import TensorProto, helper, numpy_helper

from inspector.analysis.disturbance import MUCH_LOAD, MUCH_USED
from inspector.engine.measuring.surroundings import Watch
from inspector.engine.sessions import devices, predict
from inspector.engine.sessions.session import create_session
from inspector.errors import EngineFailed
from inspector.report import Ceiling, RunSpec

SIDE, ROW = 1024, 1 << 24
_FEW, _MANY = 1, 5
_LEAST_ROUNDS, _SECONDS = 7, 1.5
_OPSET, _IR = 13, 8
Tell = Callable[[str, float, tuple[int, ...]], None]


def ceiling(device: str, threads: int, tell: Tell) -> Ceiling:
    """Measure both limits of a device. Raises BadInput: no such device. EngineFailed."""
    spec = RunSpec(devices=(device,), threads=threads)
    tell("ceilings", 0.0, ())
    watch, load = Watch(), psutil.getloadavg()[0]
    multiply_ns = _each_ns(_products, spec)
    tell("ceilings", 0.5, ())
    add_ns = _each_ns(_sums, spec)
    others = watch.seen().others or 0.0
    return Ceiling(
        device,
        "float32",
        threads,
        operations_per_second=2 * SIDE**3 * 1e9 / multiply_ns,
        bytes_per_second=3 * 4 * ROW * 1e9 / add_ns,
        measured=datetime.now().astimezone().isoformat(timespec="seconds"),
        busy=others > MUCH_USED or load > MUCH_LOAD * (os.cpu_count() or 1),
    )


def _each_ns(made: Callable[[int], bytes], spec: RunSpec) -> float:
    """The least time of one layer: least of many such less least of few."""
    units = devices.resolve(spec.devices)
    seed = {"seed": np.ones((1,), np.float32)}
    runs = [
        predict.runner(create_session(made(count), spec, units), seed)
        for count in (_FEW, _MANY)
    ]
    least = [_timed(run) for run in runs]
    begun, rounds = perf_counter_ns(), 0
    while rounds < _LEAST_ROUNDS or perf_counter_ns() - begun < _SECONDS * 1e9:
        least = [min(known, _timed(run)) for known, run in zip(least, runs, strict=True)]
        rounds += 1
    each = (least[1] - least[0]) / (_MANY - _FEW)
    if each <= 0:
        what = f"Could not find out how fast {spec.devices[0]} is"
        raise EngineFailed(what, "many layers took no longer than few", "Try it again.")
    return each


def _timed(run: Callable[[], object]) -> int:
    began = perf_counter_ns()
    run()
    return perf_counter_ns() - began


def _products(count: int) -> bytes:
    """A matrix times another one, so many times; the numbers stay 1."""
    factor = np.full((SIDE, SIDE), 1 / SIDE, np.float32)
    return _chain("MatMul", count, [SIDE, SIDE], numpy_helper.from_array(factor, "factor"))


def _sums(count: int) -> bytes:
    """A row of numbers plus another one, so many times; both are far longer than caches."""
    return _chain("Add", count, [ROW], None)


def _chain(operator: str, count: int, shape: list[int], factor: TensorProto | None) -> bytes:
    """seed -> a tensor of this shape -> `count` layers -> its largest number."""
    nodes: list[Any] = [helper.make_node("Expand", ["seed", "shape"], ["v0"], name="first")]
    weights = [numpy_helper.from_array(np.array(shape, np.int64), "shape")]
    if factor is None:
        nodes.append(helper.make_node("Expand", ["seed", "shape"], ["factor"], name="second"))
    else:
        weights.append(factor)
    for number in range(count):
        source, made = f"v{number}", f"v{number + 1}"
        nodes.append(helper.make_node(operator, [source, "factor"], [made], name=made))
    nodes.append(helper.make_node("ReduceMax", [f"v{count}"], ["most"], keepdims=0))
    graph = helper.make_graph(
        nodes,
        "ceiling",
        [helper.make_tensor_value_info("seed", TensorProto.FLOAT, [1])],
        [helper.make_tensor_value_info("most", TensorProto.FLOAT, [])],
        weights,
    )
    imports = [helper.make_opsetid("", _OPSET)]
    model: onnx.ModelProto = helper.make_model(graph, opset_imports=imports, ir_version=_IR)
    body: bytes = model.SerializeToString()
    return body
