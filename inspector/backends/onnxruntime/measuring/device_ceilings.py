"""Measure the peak rates of a device, as the runtime reaches them. For engine processes.

Two small models do nothing but multiply matrices, and nothing but add long rows of numbers,
each once with few and once with many such layers. The difference leaves out what a prediction
costs besides: passing values, making the first tensor, fetching the answer. A profile of one
prediction says first whether the runtime multiplies on that device and in that type at all: it
may take the CPU, or another type, without a word.
"""

import os
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from inspector import units
from inspector.analysis.measured.noise import MAX_LOAD
from inspector.backends.machine import load_average
from inspector.backends.measuring.process_state import SystemLoadMonitor
from inspector.backends.onnxruntime.profiling import profile
from inspector.backends.onnxruntime.sessions import devices, predict, refusals
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.backends.onnxruntime.sessions.refusals import REFUSALS
from inspector.backends.onnxruntime.sessions.session import create_session
from inspector.errors import EngineFailed
from inspector.report.environment import BUSY_CPU_SHARE
from inspector.report.roofline import FLOAT16, FLOAT32, INT8, Ceiling
from inspector.report.run_spec import RunSpec

SIDE = 1024
ROW = 1 << 24
# Also tried: wide devices reach their peak with large matrices only, and a busy CPU is left
# alone for long enough with small ones only.
_SMALL_SIDE = 384
# a device in software would take minutes
_SLOW_NS = 400_000_000
_SMALLER = 4
# Rows for a busy CPU: it leaves one alone for a millisecond, if not for five; three of them are
# still more than most last-level caches hold (48 MiB). Beside eight busy programs on two cores
# these reached 43 of 46 GB/s, the long ones 5.
_SHORT_ROW = 1 << 22
_FEW = 1
_MANY = 5
_TWO = 2
_LEAST_ROUNDS = 7
_SECONDS = 1.5
_OPSET = 13
_IR = 8
_HINT = "Choose another data type, or another device."
_CPU = "CPUExecutionProvider"
_TAKES = {FLOAT32: "float", FLOAT16: "float16", INT8: "uint8"}  # as a profile names them
Tell = Callable[[str, float, tuple[int, ...]], None]
_SEED = {"seed": np.ones((1,), np.float32)}


def ceiling(
    device: str,
    threads: int,
    dtype: str,
    bytes_per_second: float,
    folder: Path,
    report_progress: Tell,
) -> Ceiling:
    """Measure what a device can do at most with numbers of one type.

    bytes_per_second: what its memory is known to reach; 0 to measure that as well. folder: for
    the runtime's profile. Raises BadInput: no such device. EngineFailed: the runtime does not
    multiply there in that type, or refused.
    """
    spec = RunSpec(devices=(device,), threads=threads)
    chosen = devices.resolve(spec.devices)
    report_progress("ceilings", 0.0, ())
    watch, load = SystemLoadMonitor(), load_average()
    smaller = _SMALLER if _checked_ns(spec, chosen, dtype, folder) > _SLOW_NS else 1
    matrix_size, row = SIDE // smaller, ROW // smaller
    operations_per_second = max(
        2 * side**3 * 1e9 / _each_ns(partial(_products, dtype=dtype, size=side), spec, chosen)
        for side in dict.fromkeys((matrix_size, min(_SMALL_SIDE, matrix_size)))
    )
    report_progress("ceilings", 0.5, ())
    if not bytes_per_second:
        add_ns = _each_ns(partial(_sums, row=row), spec, chosen)
        bytes_per_second = 3 * 4 * row * 1e9 / add_ns
        if (watch.load().others or 0.0) > BUSY_CPU_SHARE and row > _SHORT_ROW:
            add_ns = _each_ns(partial(_sums, row=_SHORT_ROW), spec, chosen, _TWO)
            bytes_per_second = max(bytes_per_second, 3 * 4 * _SHORT_ROW * 1e9 / add_ns)
        watch.resume()
    others = watch.load().others or 0.0
    return Ceiling(
        device,
        dtype,
        threads,
        operations_per_second=operations_per_second,
        bytes_per_second=bytes_per_second,
        measured=datetime.now().astimezone().isoformat(timespec="seconds"),
        busy=others > BUSY_CPU_SHARE or load > MAX_LOAD * (os.cpu_count() or 1),
    )


def _checked_ns(spec: RunSpec, chosen: Sequence[DeviceHandle], dtype: str, folder: Path) -> int:
    """Return how long one multiplication takes, about.

    Raises EngineFailed: it runs elsewhere, or in another type.
    """
    prefix = folder / "ceiling"
    session = create_session(_products(1, dtype, SIDE), spec, chosen, profile_prefix=prefix)
    name = units.device(spec.devices[0])
    what = f"Could not measure the peak {dtype} rate of {name}"
    run = predict.prepare_run(session, _SEED)
    try:
        spent = [_timed(run), _timed(run)]  # the first compiles
    except REFUSALS as error:
        raise refusals.runtime_failure(error, what, "prediction") from error
    written = Path(session.end_profiling())
    kernels = profile.read(written).kernels
    written.unlink()
    providers = {kernel.provider for kernel in kernels if _is_product(kernel, dtype)}
    if not providers:
        raise EngineFailed(
            what, "ONNX Runtime does not support this data type on this device", _HINT
        )
    if spec.devices[0] != "cpu" and providers == {_CPU}:
        raise EngineFailed(what, "ONNX Runtime runs this data type only on the CPU", _HINT)
    return spent[1]


def _is_product(kernel: profile.Kernel, dtype: str) -> bool:
    """Return whether a kernel multiplies a matrix of this type; of weights a profile tells
    nothing."""
    return "MatMul" in kernel.operator and kernel.inputs[:1] == ((_TAKES[dtype], (SIDE, SIDE)),)


def _each_ns(
    made: Callable[[int], bytes],
    spec: RunSpec,
    chosen: Sequence[DeviceHandle],
    many: int = _MANY,
) -> float:
    """Return the least time of one layer: least of many such less least of few."""
    runs = [
        predict.prepare_run(create_session(made(count), spec, chosen), _SEED)
        for count in (_FEW, many)
    ]
    least = [_timed(run) for run in runs]
    begun, rounds = perf_counter_ns(), 0
    while rounds < _LEAST_ROUNDS or perf_counter_ns() - begun < _SECONDS * 1e9:
        least = [min(shortest, _timed(run)) for shortest, run in zip(least, runs, strict=True)]
        rounds += 1
    each = (least[1] - least[0]) / (many - _FEW)
    if each <= 0:
        what = f"Could not measure the peak rates of {units.device(spec.devices[0])}"
        raise EngineFailed(what, "the times were too noisy", "Try again.")
    return each


def _timed(run: Callable[[], object]) -> int:
    began = perf_counter_ns()
    run()
    return perf_counter_ns() - began


def _products(count: int, dtype: str, size: int) -> bytes:
    """Return a matrix times another one, so many times; the numbers stay as they are."""
    shape = [size, size]
    if dtype != INT8:
        factor = np.full(shape, 1 / size, np.dtype(dtype))
        return _chain("MatMul", count, shape, dtype, {"factor": factor})
    weights: dict[str, Any] = {
        "one": np.float32(1), "zero": np.uint8(0), "factor": np.ones(shape, np.int8),
        "part": np.float32(1 / size), "none": np.int8(0),
    }  # fmt: skip
    return _chain("QLinearMatMul", count, shape, dtype, weights)


def _sums(count: int, row: int) -> bytes:
    """Return a row of numbers plus another one, so many times; both are far longer than
    caches."""
    return _chain("Add", count, [row], FLOAT32, {})


def _chain(
    operator: str, count: int, shape: list[int], dtype: str, weights: dict[str, Any]
) -> bytes:
    """seed -> a tensor of this shape -> `count` layers -> its largest number."""
    first, last = _edges(dtype)
    nodes = [helper.make_node("Expand", ["seed", "shape"], ["wide"], name="first"), *first]
    weights = {"shape": np.array(shape, np.int64), **weights}
    if "factor" not in weights:
        nodes.append(helper.make_node("Expand", ["seed", "shape"], ["factor"], name="second"))
    for number in range(count):
        source, made = f"v{number}", f"v{number + 1}"
        takes = [source, "factor"]
        if dtype == INT8:
            takes = [source, "one", "zero", "factor", "part", "none", "one", "zero"]
        nodes.append(helper.make_node(operator, takes, [made], name=made))
    nodes += [
        helper.make_node(last[0], [f"v{count}", *last[1]], ["back"], **last[2]),
        helper.make_node("ReduceMax", ["back"], ["most"], keepdims=0),
    ]
    graph = helper.make_graph(
        nodes,
        "ceiling",
        [helper.make_tensor_value_info("seed", TensorProto.FLOAT, [1])],
        [helper.make_tensor_value_info("most", TensorProto.FLOAT, [])],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in weights.items()],
    )
    imports = [helper.make_opsetid("", _OPSET)]
    model: onnx.ModelProto = helper.make_model(graph, opset_imports=imports, ir_version=_IR)
    body: bytes = model.SerializeToString()
    return body


def _edges(dtype: str) -> tuple[list[Any], tuple[str, list[str], dict[str, Any]]]:
    """From float32 to the type of the chain, "wide" -> "v0", and how it goes back."""
    if dtype == INT8:
        into = helper.make_node("QuantizeLinear", ["wide", "one", "zero"], ["v0"])
        return [into], ("DequantizeLinear", ["one", "zero"], {})
    kind = TensorProto.FLOAT16 if dtype == FLOAT16 else TensorProto.FLOAT
    into = helper.make_node("Cast", ["wide"], ["v0"], to=kind)
    return [into], ("Cast", [], {"to": TensorProto.FLOAT})
