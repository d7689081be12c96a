"""Whether layer times of one model agree from one measurement to the next on a busy machine.

`python -m benchmarks.layer_times [MODEL ...]` measures each model four times while three
processes keep all cores busy. Before and after each measurement it profiles the model for 60
predictions without load, with as many threads as in the measurements and with one: beside busy
processes the second thread of the runtime mostly has no core, and layers take up to twice as
long. It prints OK or MISSED for each claim: the first five layers agree in at least 4 of 5
places in every pair of measurements, where a layer that the other measurement has within 10%
of its fifth agrees too (the third to eighth layers of squeezenet lie within 5%; how many agree
without that rule is printed in brackets); the time of every layer above 1% of the time, and its
share of all layers, lie between the profiles around that measurement or within 1.5 times of
one; what layers add up to and the latency are reconciled within 10%. Each part of that sum is
measured, not what is left over.

A profile without load is one that no other program can interrupt, by a real-time priority on
Linux. Where that is not allowed, it is one in which other programs used less than 10% of the
CPU: where they used more, it is made again after a pause, for up to two minutes, and then
MISSED is printed. A layer's reference is its median in such a profile of 60 predictions or
more, without what the profiler costs, as of all times. Profiles are taken around each
measurement, since a virtual machine may get 1.5 times faster or slower from one second to the
next; the measurement and its references then see the same machine. How far times are from the
profiles with all threads alone is printed too.

First it adds 40 ms to one kernel in 2 of 10 profiled predictions, which must not change the
ranking.

Without models: those of ../shared/models/real that the claims are about, as far as they are
there, and a transformer of 148 layers that is made here.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from inspector.analysis.measured.layer_sum import layer_sum, sum_sentence
from inspector.engine.client.engine_process import EngineProcess
from inspector.formats.opening import open_model
from inspector.preview.inputs.feeds import defaults
from inspector.report.report import ModelIdentity, PerformanceReport
from inspector.report.run_spec import DEFAULT_SPEC
from tests.backends.onnxruntime.profiling.test_kernel_times import ranking_unchanged

REAL = Path(__file__).parents[1] / ".." / "shared" / "models" / "real"
MODELS = (
    "ultraface_rfb_320_ort_optimized.onnx", "squeezenet1.1_fp16.onnx",
    "fastestdet_opset11.onnx",
)  # fmt: skip
TIMES, BUSY_PROCESSES, LONG_RUNS = 4, 3, 60
QUIET_SHARE, MOST_WAIT, PAUSE = 0.1, 120, 2  # of the CPU by others; seconds
FIRST, AGREE, ABOVE, WITHIN = 5, 4, 0.01, 1.5
TIED = 0.9  # of the fifth layer's time
_BURN = "while True: sum(range(10_000))"
_WIDTHS = (64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536)


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keep cores busy with so many processes meanwhile."""
    burning = [subprocess.Popen([sys.executable, "-c", _BURN]) for _ in range(processes)]
    try:
        yield
    finally:
        for each in burning:
            each.kill()
            each.wait()


def transformer(path: Path) -> Path:
    """Write a transformer of 148 layers: ten blocks, each with a wider inner layer."""
    random, length, size, heads = np.random.default_rng(0), 64, 128, 4
    nodes, weights, last = list[onnx.NodeProto](), dict[str, onnx.TensorProto](), "x"

    def weight(name: str, value: NDArray[np.generic]) -> str:
        weights[name] = numpy_helper.from_array(np.asarray(value), name)
        return name

    def matrix(name: str, rows: int, columns: int) -> str:
        values = random.standard_normal((rows, columns)) / np.sqrt(rows)
        return weight(name, values.astype(np.float32))

    def node(operator: str, *inputs: str, **settings: Any) -> str:
        name = f"{operator}_{len(nodes)}"
        nodes.append(helper.make_node(operator, inputs, [f"{name}_y"], name=name, **settings))
        return f"{name}_y"

    apart = weight("apart", np.array([1, length, heads, size // heads], np.int64))
    joined = weight("joined", np.array([1, length, size], np.int64))
    root = weight("root", np.array(np.sqrt(size // heads), np.float32))
    for block, wide in enumerate(_WIDTHS):
        parts = []
        for part, order in (("q", (0, 2, 1, 3)), ("k", (0, 2, 3, 1)), ("v", (0, 2, 1, 3))):
            made = node("MatMul", last, matrix(f"{part}{block}", size, size))
            parts.append(node("Transpose", node("Reshape", made, apart), perm=order))
        scores = node("Div", node("MatMul", parts[0], parts[1]), root)
        mixed = node("MatMul", node("Softmax", scores, axis=-1), parts[2])
        mixed = node("Reshape", node("Transpose", mixed, perm=(0, 2, 1, 3)), joined)
        inner = node("Relu", node("MatMul", mixed, matrix(f"up{block}", size, wide)))
        last = node("MatMul", inner, matrix(f"down{block}", wide, size))
    while len(nodes) < 147:
        last = node("Tanh", last)
    nodes.append(helper.make_node("Tanh", [last], ["y"], name="last"))
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, length, size])
        for name in ("x", "y")
    ]
    graph = helper.make_graph(nodes, "transformer", ends[:1], ends[1:], weights.values())
    opset = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=8), path)
    return path


def measured(model: Path, runs: int = 0, threads: int = 0) -> PerformanceReport:
    """Measure once in a process of its own; runs: profile at least so many predictions."""
    feeds = {each.name: each.array for each in defaults(open_model(model).inputs, {})}
    identity = ModelIdentity(model.name, "0" * 64, model.stat().st_size, 0, 0)
    spec = replace(
        DEFAULT_SPEC, threads=threads, profiled_runs=max(runs, DEFAULT_SPEC.profiled_runs)
    )
    with EngineProcess() as engine:
        return engine.measure(model, identity, spec, feeds)


def medians(report: PerformanceReport) -> dict[int, int]:
    """Return the time of each layer that has one, by its index."""
    return {layer.index: layer.time_ns for layer in report.layers if layer.time_ns}


def first(report: PerformanceReport) -> set[int]:
    """Return the layers with the most time."""
    times = medians(report)
    return set(sorted(times, key=lambda index: -times[index])[:FIRST])


def agreeing(one: PerformanceReport, other: PerformanceReport) -> int:
    """Return how many of the first layers of one are among those of the other, or tied."""

    def among(some: set[int], times: dict[int, int]) -> int:
        fifth = sorted(times.values(), reverse=True)[:FIRST][-1]
        return sum(times.get(index, 0) >= TIED * fifth for index in some)

    return min(among(first(one), medians(other)), among(first(other), medians(one)))


def told(claim: str, good: bool, figure: str) -> bool:
    """Print a claim with its figure."""
    print(f"{'OK' if good else 'MISSED':6}  {claim}: {figure}", flush=True)
    return good


@contextmanager
def first_at_the_cpu() -> Iterator[bool]:
    """Have this process and its children interrupted by none; yields whether that is allowed.

    Only Linux has it, for root and who may set priorities.
    """
    try:
        before = os.sched_getscheduler(0), os.sched_getparam(0)
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except (AttributeError, PermissionError):
        yield False
        return
    try:
        yield True
    finally:
        os.sched_setscheduler(0, *before)


def reference(model: Path, threads: int, give_up: float) -> dict[int, float]:
    """Return each layer's median in a profile without load; give_up: on `monotonic`'s clock."""
    while True:
        with first_at_the_cpu() as uninterrupted:
            report = measured(model, LONG_RUNS, threads)
        others = report.surroundings.others or 0.0
        if uninterrupted or others <= QUIET_SHARE:
            break
        if monotonic() > give_up:
            told("reference without load", False, f"others used {100 * others:.0f}%")
            break
        sleep(PAUSE)
    return dict[int, float](medians(report))


def shares(times: dict[int, float]) -> dict[int, float]:
    """Return times as shares of their sum."""
    whole = sum(times.values())
    return {index: time / whole for index, time in times.items()}


def outside(times: dict[int, float], known: list[dict[int, float]]) -> tuple[float, int]:
    """Return how far outside of the references the worst layer is, and its index."""
    worst = (1.0, -1)
    parts = [shares(one) for one in known]
    for index, time in times.items():
        around = [one[index] for one in known if index in one]
        if around and max(part.get(index, 0.0) for part in parts) > ABOVE:
            worst = max(worst, (max(time / max(around), min(around) / time), index))
    return worst


def both_references(model: Path) -> list[dict[int, float]]:
    """Return the references with all threads and with one."""
    give_up = monotonic() + MOST_WAIT
    return [reference(model, threads, give_up) for threads in (0, 1)]


def checked(model: Path) -> bool:
    """Measure a model beside busy processes and print what holds."""
    reports, references = list[PerformanceReport](), [both_references(model)]
    for _ in range(TIMES):
        with busy(BUSY_PROCESSES):
            reports.append(measured(model))
        references.append(both_references(model))
    name = model.stem[:24]
    agree = [agreeing(a, b) for a, b in combinations(reports, 2)]
    plain = [len(first(a) & first(b)) for a, b in combinations(reports, 2)]
    claim = f"{name} first {FIRST} agree in {AGREE}"
    good = told(claim, min(agree) >= AGREE, f"{agree} (without ties {plain})")
    for what, make in (("times", dict[int, float]), ("shares", shares)):
        worst, alone = (1.0, -1), (1.0, -1)
        for report, around in zip(reports, pairwise(references), strict=True):
            times = make(dict[int, float](medians(report)))
            known = [[make(one) for one in each] for each in around]
            worst = max(worst, outside(times, [one for each in known for one in each]))
            alone = max(alone, outside(times, [each[0] for each in known]))
        figure = f"{worst[0]:.2f} times at layer {worst[1]} ({alone[0]:.2f} of all threads')"
        claim = f"{name} {what} within {WITHIN} times of {LONG_RUNS} runs"
        good &= told(claim, worst[0] <= WITHIN, figure)
    for report in reports:
        found = layer_sum(report)
        reconciled = found is not None and found.reconciled
        good &= told(f"{name} reconciled", reconciled, str(sum_sentence(report)))
    return good


def main() -> int:
    """Check all models; 1 where a claim is missed."""
    good = told(
        "40 ms in 2 of 10 predictions leave the ranking", ranking_unchanged(), "as said"
    )
    with tempfile.TemporaryDirectory() as folder:
        models = [Path(name) for name in sys.argv[1:]]
        if not models:
            models = [REAL / name for name in MODELS]
            models.append(transformer(Path(folder) / "transformer.onnx"))
        for model in models:
            if not model.is_file():
                print(f"skip    {model.name} is not there")
                continue
            good &= checked(model)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
