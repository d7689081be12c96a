"""A second runtime, small and complete: what a new backend has to provide.

It runs files of a format of its own: one operation in each line ("scale 2", "add 1", "relu"),
applied to the input "x", a float32 vector, in order. `python -m tests.backends.fake_backend` is
an engine process that has it.
"""

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter_ns, process_time_ns

import numpy as np
import psutil
from numpy.typing import NDArray

from inspector.backends import registry
from inspector.backends.array_files import Feed
from inspector.backends.base import (
    Backend,
    BackendInfo,
    Described,
    MeasureRequest,
    Outputs,
    ReportProgress,
)
from inspector.backends.machine import environment, processor_name
from inspector.backends.values import Plugin
from inspector.errors import BadInput, UnreadableFile
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue
from inspector.report.environment import MemoryUse
from inspector.report.report import Device, LayerUse, PerformanceReport, Support
from inspector.report.run_spec import RunSpec
from inspector.report.settings import Setting, SettingKind
from inspector.trace.trace import Kind, Lane, Track
from inspector.trace.trace_builder import TraceBuilder
from inspector.wording.support_marks import Mark, Source, Status

CHAIN = BackendInfo(
    id="chain",
    name="Chain Runtime",
    implementation="tests.backends.fake_backend:ChainRuntime",
    settings=(Setting("Threads", SettingKind.COUNT, name="threads"),),
)
COMMAND = [sys.executable, "-P", "-m", "tests.backends.fake_backend"]
Vector = NDArray[np.float32]
OPERATIONS = {
    "scale": lambda x, amount: x * np.float32(amount),
    "add": lambda x, amount: x + np.float32(amount),
    "relu": lambda x, amount: np.maximum(x, 0),
    "sleep": lambda x, amount: time.sleep(amount) or x,
}
DEVICE = Device("cpu", "", "cpu", "ChainProvider", source="chain-runtime 1.0")


@dataclass(frozen=True, slots=True)
class Layer:
    """One line of a model file."""

    operator: str
    amount: float

    def run(self, x: Vector) -> Vector:
        """Apply it."""
        return OPERATIONS[self.operator](x, self.amount)


class ChainModel:
    """A model of the format, ready to predict."""

    devices = (DEVICE.id,)
    inputs = (TensorInfo("x", "tensor", "float32", ("n",)),)
    outputs = (TensorInfo("y", "tensor", "float32", ("n",)),)
    notes = ("Chain Runtime has no optimizations.",)

    def __init__(self, path: Path) -> None:
        began = perf_counter_ns()
        self.layers = tuple(_layer(path, line) for line in _lines(path))
        self.load_ns = perf_counter_ns() - began

    def check_inputs(self, feeds: Mapping[str, Described], spec: RunSpec) -> None:
        """Check that x is there, a float32 vector."""
        feed = feeds.get("x")
        if feed is None or feed.dtype != "float32" or len(feed.shape) != 1:
            raise BadInput("Input 'x' does not match", "the model expects float32 n")

    def predict(self, feeds: Mapping[str, Feed], spec: RunSpec, warm: bool) -> Outputs:
        """Apply all layers."""
        x = feeds["x"]
        began = perf_counter_ns()
        y = self.run(np.asarray(x, np.float32))
        spent_ns = perf_counter_ns() - began
        return Outputs((OutputValue("y", "tensor", "float32", y),), spent_ns)

    def run(self, x: Vector) -> Vector:
        """Return what the last layer makes of x."""
        for layer in self.layers:
            x = layer.run(x)
        return x


class ChainRuntime(Backend):
    """The backend."""

    info = CHAIN

    def devices(self, plugin: Plugin | None = None) -> tuple[Device, ...]:
        """List the CPU."""
        return (replace(DEVICE, name=processor_name()),)

    def open(self, model: Path, spec: RunSpec, report_progress: ReportProgress) -> ChainModel:
        """Read a model file."""
        for device in spec.devices:
            if device != DEVICE.id:
                why = f"Chain Runtime offers {DEVICE.id}"
                raise BadInput(f"There is no device '{device}' here", why, phase="devices")
        report_progress("load", -1, ())
        return ChainModel(model)

    def measure(self, request: MeasureRequest) -> PerformanceReport:
        """Time the whole model, then each layer by itself."""
        process, spec = psutil.Process(), request.spec
        start_bytes = process.memory_info().rss
        opened = self.open(request.model, spec, request.report_progress)
        loaded_bytes = process.memory_info().rss
        x = np.asarray(request.feeds["x"], np.float32)
        first_ns = _timed(opened, x)[0]
        after_first_bytes = process.memory_info().rss
        warmup = [_timed(opened, x)[0] for _ in range(spec.warmup)]
        walls, cpus = list[int](), list[int]()
        for number in range(spec.runs):
            wall, cpu = _timed(opened, x)
            walls.append(wall)
            cpus.append(cpu)
            request.report_progress("prediction", (number + 1) / spec.runs, tuple(walls))
        layers, trace = _profiled(opened, x, spec.profiled_runs)
        end_bytes = process.memory_info().rss
        peak = max(start_bytes, loaded_bytes, after_first_bytes, end_bytes)
        return PerformanceReport(
            model=request.identity,
            spec=spec,
            environment=environment([DEVICE.source], "Chain Runtime 1.0"),
            created="2026-01-01T00:00:00+00:00",
            load_ns=opened.load_ns,
            first_prediction_ns=first_ns,
            prediction_ns=tuple(walls),
            prediction_cpu_ns=tuple(cpus),
            memory=MemoryUse(start_bytes, loaded_bytes, after_first_bytes, end_bytes, peak, 0),
            devices=self.devices(),
            layers=layers,
            inserted=(),
            kernel_ns=sum(layer.time_ns or 0 for layer in layers),
            trace=trace,
            loads_ns=(opened.load_ns,),
            warmup_ns=tuple(warmup),
            notes=opened.notes,
        )


def _timed(opened: ChainModel, x: Vector) -> tuple[int, int]:
    began, cpu_began = perf_counter_ns(), process_time_ns()
    opened.run(x)
    return perf_counter_ns() - began, process_time_ns() - cpu_began


def _profiled(opened: ChainModel, x: Vector, runs: int):
    """Return a use of each layer, and a trace of its runs."""
    build, track = TraceBuilder(), Track(Lane.COMPUTE, "CPU", DEVICE.id, "cpu")
    times = [list[int]() for _ in opened.layers]
    for run in range(runs):
        value = x
        for index, layer in enumerate(opened.layers):
            began = perf_counter_ns()
            value = layer.run(value)
            took = perf_counter_ns() - began
            times[index].append(took)
            build.add(track, f"{layer.operator}_{index}", began, took, Kind.KERNEL, index, run)
    support = {DEVICE.id: Support(Mark.RAN, Source.MEASURED)}
    uses = tuple(
        LayerUse(
            index, f"{layer.operator}_{index}", layer.operator, Status.EXECUTED,
            DEVICE.id, int(np.median(each)) if each else None, support, calls=1.0,
        )
        for index, (layer, each) in enumerate(zip(opened.layers, times, strict=True))
    )  # fmt: skip
    return uses if runs else (), build.trace()


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(f"Could not open {path.name}", str(error)) from error


def _layer(path: Path, line: str) -> Layer:
    operator, _, amount = line.partition(" ")
    if operator not in OPERATIONS:
        why = f"Chain Runtime has no operator '{operator}'"
        raise UnreadableFile(f"Could not open {path.name}", why)
    return Layer(operator, float(amount or 0))


def main() -> None:
    """Run an engine process that has this backend."""
    from inspector.engine.__main__ import main as engine_main

    registry.register(CHAIN)
    engine_main()


if __name__ == "__main__":
    main()
