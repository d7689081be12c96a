"""A small report as a measurement would give it: two devices, copies, three profiled runs."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from inspector.report.environment import Environment, MemoryUse
from inspector.report.report import (
    ON_DEVICE,
    Device,
    InsertedNode,
    LayerUse,
    ModelIdentity,
    PerformanceReport,
    Support,
)
from inspector.report.run_spec import InputSource, RunSpec
from inspector.statistics.cpu_speed import CpuSpeed
from inspector.trace.trace import Kind, Lane, Trace, Track
from inspector.trace.trace_builder import TraceBuilder
from inspector.wording.support_marks import Mark, Rule, Source, Status

RUNS = 3
CPU, GPU = "cpu", "webgpu:0"
ACTIVITY = Track(Lane.ACTIVITY, "Activity", family="activity")
DATA = Track(Lane.DATA, "Data", family="data")
UNITS = {
    CPU: Track(Lane.COMPUTE, "CPU", CPU, "cpu"),
    GPU: Track(Lane.COMPUTE, "GPU", GPU, "gpu"),
}
DEVICES = (
    Device(GPU, "Example Graphics 7", "gpu", "WebGpuExecutionProvider", "Example", "0.4.0"),
    Device(CPU, "Example CPU, 8 cores", "cpu", "CPUExecutionProvider", "Example", "built in"),
)
ENVIRONMENT = Environment(
    "0.1.0", "1.31.1", ("onnxruntime-ep-webgpu 0.4.0",), "3.11.7", "Linux x86_64",
    "Example CPU", 8, 16 << 30, 0.42,
)  # fmt: skip
MEMORY = MemoryUse(61 << 20, 96 << 20, 118 << 20, 119 << 20, (155 << 20) + 210_000, 11_673_600)


@dataclass(frozen=True)
class _Step:
    """One kernel of a prediction; `layer` None for a node that the runtime put in."""

    name: str
    operator: str
    unit: str
    us: float
    output: str = ""
    layer: int | None = None
    kind: Kind = Kind.KERNEL
    size_bytes: int = 0
    after: int | None = None
    before: int | None = None


def _kernel(layer: int, name: str, operator: str, unit: str, us: float, output: str) -> _Step:
    return _Step(name, operator, unit, us, f"float32 {output}", layer)


def _copy(name: str, after: int | None, before: int | None, us: float, size: int) -> _Step:
    return _Step(name, "MemcpyToHost", GPU, us, "", None, Kind.COPY, size, after, before)


STEPS = (
    _Step("to_nhwc", "Transpose", GPU, 41, "", None, Kind.LAYOUT, 602_112, None, 0),
    _kernel(0, "stem/conv", "Conv", GPU, 214, "1×32×112×112"),
    _kernel(2, "blocks.0/expand/conv", "Conv", GPU, 163, "1×96×112×112"),
    _kernel(4, "blocks.0/depthwise/conv", "Conv", GPU, 187, "1×96×56×56"),
    _kernel(6, "blocks.0/project/conv", "Conv", GPU, 96, "1×32×56×56"),
    _kernel(7, "blocks.0/add", "Add", GPU, 18, "1×32×56×56"),
    _kernel(8, "blocks.1/squeeze/pool", "GlobalAveragePool", GPU, 33, "1×32×1×1"),
    _copy("gate_to_host", 8, 9, 27, 128),
    _kernel(9, "blocks.1/squeeze/gate", "HardSigmoid", CPU, 6, "1×32×1×1"),
    _copy("gate_to_device", 9, 10, 22, 128),
    _kernel(10, "blocks.1/scale", "Mul", GPU, 24, "1×32×56×56"),
    _kernel(11, "blocks.1/expand/conv", "Conv", GPU, 142, "1×192×28×28"),
    _kernel(13, "head/conv", "Conv", GPU, 318, "1×1280×28×28"),
    _kernel(15, "head/pool", "GlobalAveragePool", GPU, 61, "1×1280×1×1"),
    _kernel(17, "head/flatten", "Reshape", GPU, 9, "1×1280"),
    _kernel(18, "head/classifier", "Gemm", GPU, 152, "1×1000"),
    _copy("scores_to_host", 18, 19, 31, 4000),
    _kernel(19, "head/top", "TopK", CPU, 47, "1×5"),
    _kernel(20, "head/softmax", "Softmax", CPU, 4, "1×5"),
)
MERGED = {
    1: ("stem/clip", "Clip", 0), 3: ("blocks.0/expand/clip", "Clip", 2),
    5: ("blocks.0/depthwise/clip", "Clip", 4), 12: ("blocks.1/expand/clip", "Clip", 11),
    14: ("head/clip", "Clip", 13),
}  # fmt: skip
UNSUPPORTED = {9: "no kernel for HardSigmoid", 19: "no kernel for TopK"}
EXCLUDED = {20: "too small to be worth a copy"}


def example_trace(seed: int = 7) -> Trace:
    """Loading and RUNS predictions of STEPS, with copies in the data lane."""
    random, build = np.random.default_rng(seed), TraceBuilder()
    for track in (ACTIVITY, DATA, *UNITS.values()):
        build.track(track)
    build.add(ACTIVITY, "load", 0, 4_100_000)
    build.add(ACTIVITY, "read file", 30_000, 900_000)
    build.add(ACTIVITY, "optimise", 960_000, 3_000_000)
    now = 4_400_000
    for run in range(RUNS):
        now = _predict(build, random, now, run) + 160_000
    return build.trace()


def _predict(build: TraceBuilder, random: np.random.Generator, start: int, run: int) -> int:
    build.add(DATA, "check inputs", start + 9_000, 60_000, Kind.CHECK, run=run)
    build.add(
        DATA, "bind data", start + 75_000, 150_000, Kind.COPY, run=run, size_bytes=602_112
    )
    now = begin = start + 240_000
    partition, unit = now, ""
    for step in STEPS:
        if step.unit != unit:
            _close(build, unit, partition, now, run)
            now, unit = now + 5_000, step.unit
            partition = now
        length = int(step.us * 1000 * random.lognormal(0, 0.06))
        track = UNITS[step.unit] if step.kind is Kind.KERNEL else DATA
        build.add(track, step.name, now, length, step.kind, step.layer, run, step.size_bytes)
        now += length + 3_000
    _close(build, unit, partition, now, run)
    build.add(ACTIVITY, f"predict {run + 1}", start, now + 30_000 - start, run=run)
    build.add(ACTIVITY, "prepare inputs", start + 5_000, 225_000, run=run)
    build.add(ACTIVITY, "run", begin, now + 10_000 - begin, run=run)
    return now + 30_000


def _close(build: TraceBuilder, unit: str, start: int, end: int, run: int) -> None:
    if unit:
        build.add(UNITS[unit], "partition", start, end - start, Kind.PARTITION, run=run)


def _marks(index: int, ran: bool, unit: str) -> dict[str, Support]:
    here = Mark.RAN if ran else Mark.FUSED
    if unit == GPU:
        return {
            GPU: Support(here, Source.MEASURED),
            CPU: Support(Mark.SUPPORTED, Source.PROBED),
        }
    if index in EXCLUDED:
        other = Support(Mark.EXCLUDED, Source.PROBED, EXCLUDED[index])
    else:
        other = Support(Mark.UNSUPPORTED, Source.PROBED, UNSUPPORTED[index])
    return {GPU: other, CPU: Support(here, Source.MEASURED)}


def example_layers(times: dict[str, int]) -> tuple[LayerUse, ...]:
    """The layers of the model, with the mean self time of each name."""
    found = {}
    for step in STEPS:
        if step.layer is not None:
            found[step.layer] = LayerUse(
                step.layer, step.name, step.operator, Status.EXECUTED, step.unit,
                times[step.name], _marks(step.layer, True, step.unit),
                executed_as=step.operator, calls=1.0, output=step.output,
            )  # fmt: skip
    for index, (name, operator, into) in MERGED.items():
        marks = _marks(index, False, GPU)
        output = found[into].output
        found[index] = LayerUse(
            index, name, operator, Status.FUSED, None, None, marks, into, output=output
        )
    folded = {device: Support(Mark.FOLDED, Source.MEASURED) for device in (GPU, CPU)}
    found[16] = LayerUse(16, "head/shape", "Constant", Status.FOLDED, None, None, folded)
    unknown = {device: Support(Mark.UNKNOWN, Source.MEASURED) for device in (GPU, CPU)}
    found[21] = LayerUse(21, "", "Identity", Status.DEAD, None, None, unknown)
    return tuple(found[index] for index in sorted(found))


def _means(trace: Trace) -> dict[str, int]:
    totals = np.bincount(trace.name, trace.duration_ns * (trace.run >= 0), len(trace.names))
    return {name: int(total) // RUNS for name, total in zip(trace.names, totals, strict=True)}


def _samples(median_ns: int, seed: int) -> tuple[int, ...]:
    random = np.random.default_rng(seed)
    samples = median_ns * random.lognormal(0, 0.04, 30)
    samples[[11, 23]] *= (1.22, 1.41)  # somebody else's work on the machine
    return tuple(int(sample) for sample in samples)


def example_report(
    median_ns: int = 1_870_000, seed: int = 7, **changes: Any
) -> PerformanceReport:
    """A whole report whose clean predictions lie around `median_ns`, with fields changed."""
    trace = example_trace(seed)
    times = _means(trace)
    layers = example_layers(times)
    inserted = tuple(
        InsertedNode(
            step.name, step.operator, step.kind.value, step.unit, times[step.name],
            step.size_bytes, step.after, step.before,
        )
        for step in STEPS
        if step.layer is None
    )  # fmt: skip
    samples = _samples(median_ns, seed)
    report = PerformanceReport(
        model=ModelIdentity(
            "mobile_small.onnx", "5e" * 32, 11_744_051, 2_918_400, len(layers), "ai.onnx 17",
            "Image classifier: 1,000 classes (assumed ImageNet). 224 × 224 RGB image, float32.",
        ),
        spec=RunSpec(
            (GPU, CPU), runs=30, profiled_runs=RUNS, inputs=(InputSource("image", "random:0"),)
        ),
        environment=ENVIRONMENT,
        created="2026-03-14T09:26:53+01:00",
        load_ns=182_400_000,
        first_prediction_ns=21_300_000,
        prediction_ns=samples,
        prediction_cpu_ns=tuple(sample // 3 for sample in samples),
        memory=MEMORY,
        devices=DEVICES,
        layers=layers,
        inserted=inserted,
        layer_timing={GPU: ON_DEVICE},
        kernel_ns=sum(layer.time_ns or 0 for layer in layers)
        + sum(node.time_ns for node in inserted),
        trace=trace,
        notes=("The machine was busy: load 0.42 of 8 cores when it began.",),
    )  # fmt: skip
    return replace(report, **changes)


def predicted_report() -> PerformanceReport:
    """The example with what a table says of a device that is not here."""
    report = example_report()
    said = Support(
        Mark.SUPPORTED, Source.TABLE, "It has a kernel. Estimated from a table: 1 of 2026."
    )
    free = Support(Mark.UNSUPPORTED, Source.TABLE, "It needs fixed shapes.", Rule.DYNAMIC_SHAPE)
    layers = tuple(
        replace(layer, devices=layer.devices | {"cuda": free if layer.index == 9 else said})
        for layer in report.layers
    )
    device = Device(
        "cuda", "CUDA", "gpu", "CUDAExecutionProvider", "NVIDIA", "table, 1 of 2026"
    )
    return replace(report, layers=layers, predicted=(device,))


# Predictions of half_slow in nanoseconds: at full CPU speed, and most of the others.
FULL, SLOW = 1_000_000, 1_600_000


def half_slow() -> PerformanceReport:
    """190 predictions of 1 ms at full CPU speed, then 220 on a slower CPU, most of 1.6 ms."""
    times = [4000] * 20 + [6400] * 22
    wall = tuple(ns * 250 for ns in times[:-1] for _ in range(10))
    pace = CpuSpeed(tuple(times), tuple(range(0, 420, 10)), 4000)
    return example_report(
        spec=RunSpec(threads=1), pace=pace, prediction_ns=wall, prediction_cpu_ns=wall
    )
