"""Latency by Inspector beside a bare loop: python -m benchmarks.bare_loops [MODEL ...]

For each installed runtime and each of its models, `inspector measure` and a loop of the
runtime's own calls take turns, each in a process of its own with the same precision, threads
and inputs. Prints the medians of all turns, and the ratio with its 95% interval.
Status 1 where an interval lies above `MOST_RATIO` as a whole. Without models, it takes two
samples for each runtime that runs ONNX; name a .tflite file to try LiteRT.
`--threads N` sets the threads of both (default: the runtime's own choice).
"""

import argparse
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from inspector.backends import registry
from inspector.engine.client.engine_process import EngineProcess
from inspector.formats.opening import open_model
from inspector.preview.identity import measured_model
from inspector.preview.inputs.feeds import feeds_by_name, fill_all
from inspector.preview.inputs.image import ImageOptions
from inspector.report.run_spec import RunSpec
from inspector.units import duration

SAMPLES = Path(__file__).parents[1] / "sample_models"
MODELS = (SAMPLES / "digits_float32.onnx", SAMPLES / "wine_tabular.onnx")
TURNS, SECONDS, LEAST_RUNS = 6, 1.0, 30
STUDENT_T = 2.571  # 97.5th percentile with TURNS - 1 = 5 degrees of freedom
# Inspector reads three clocks around each run: up to 2 us, much of the quickest models.
MOST_RATIO = 1.1

# What a bare loop does before it and in it; `feeds` are the arrays by the names of the inputs.
ONNXRUNTIME = """
import onnxruntime
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = threads
session = onnxruntime.InferenceSession(model, options, ["CPUExecutionProvider"])
run = lambda: session.run(None, feeds)
"""
OPENVINO = """
sys.modules["openvino_telemetry"] = None
import openvino
properties = {"INFERENCE_PRECISION_HINT": "f32", "PERFORMANCE_HINT": "LATENCY"}
properties |= {"INFERENCE_NUM_THREADS": threads} if threads else {}
compiled = openvino.Core().compile_model(model, "CPU", properties)
request = compiled.create_infer_request()
for name, array in feeds.items():
    request.set_tensor(name, openvino.Tensor(array, shared_memory=True))
run = lambda: request.infer(share_outputs=True)
"""
LITERT = """
from ai_edge_litert.interpreter import Interpreter
interpreter = Interpreter(model, num_threads=threads or None)
for detail, array in zip(interpreter.get_input_details(), feeds.values()):
    interpreter.resize_tensor_input(detail["index"], array.shape)
interpreter.allocate_tensors()
for detail, array in zip(interpreter.get_input_details(), feeds.values()):
    interpreter.set_tensor(detail["index"], array)
run = interpreter.invoke
"""
LOOP = f"""
import sys, time
import numpy as np
model, threads = sys.argv[1], int(sys.argv[3])
feeds = dict(np.load(sys.argv[2]))
{{setup}}
for _ in range(10):
    run()
times, end = [], time.perf_counter() + {SECONDS}
while time.perf_counter() < end or len(times) < {LEAST_RUNS}:
    began = time.perf_counter_ns()
    run()
    times.append(time.perf_counter_ns() - began)
print(int(np.median(times)))
"""
# Device, format of its models, and its loop, by the id of the runtime.
RUNTIMES = {
    "onnxruntime": ("cpu", "onnx", ONNXRUNTIME),
    "openvino": ("openvino:cpu", "onnx", OPENVINO),
    "litert": ("cpu", "tflite", LITERT),
}


def main() -> int:
    """Compare each runtime on each of its models; 1 where one is slower than its loop."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", type=Path, default=MODELS)
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args()
    slower = False
    for name, (device, kind, setup) in RUNTIMES.items():
        if not registry.BACKENDS[name].here:
            print(f"{name}: not installed")
            continue
        for path in (path for path in options.models if path.suffix == f".{kind}"):
            slower |= not holds(name, path, device, setup, options.threads)
    return int(slower)


def holds(name: str, path: Path, device: str, setup: str, threads: int) -> bool:
    """Print what both measure, and return whether Inspector's may be as short as the loop's."""
    model = open_model(path)
    feeds = feeds_by_name(fill_all(model.inputs, {}, {}, ImageOptions.of(model, False)))
    spec = RunSpec((device,), threads=threads, seconds=SECONDS, profiled_runs=0, steady=0.0)
    ours, bare = list[int](), list[int]()
    with EngineProcess() as engine, TemporaryDirectory() as folder:
        saved = Path(folder) / "feeds.npz"
        arrays: Mapping[str, Any] = {key: np.asarray(value) for key, value in feeds.items()}
        np.savez(saved, **arrays)
        code = LOOP.replace("{setup}", setup)
        command = [sys.executable, "-c", code, str(path), str(saved), str(threads)]
        for _ in range(TURNS):
            report = engine.measure(path, measured_model(path, model), spec, feeds)
            ours.append(int(np.median(report.prediction_ns)))
            bare.append(int(subprocess.run(command, capture_output=True, check=True).stdout))
    ratios = np.log(np.array(ours) / np.array(bare))
    half = STUDENT_T * ratios.std(ddof=1) / TURNS**0.5
    low, high = np.exp(ratios.mean() + np.array([-half, half]))
    both = (f"{what} {duration(int(np.median(each)))}" for what, each in
            (("Inspector", ours), ("loop", bare)))  # fmt: skip
    print(f"{name:<12} {path.name:<28} {'   '.join(both)}   "
          f"ratio {np.exp(ratios.mean()):.3f} (95% CI {low:.3f} to {high:.3f})")  # fmt: skip
    return bool(low <= MOST_RATIO)


if __name__ == "__main__":
    sys.exit(main())
