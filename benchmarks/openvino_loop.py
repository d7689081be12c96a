"""Latency with OpenVINO beside a bare loop: python -m benchmarks.openvino_loop MODEL

Both run with one thread and the same precision and inputs, in processes of their own that take
turns. Prints the medians of each turn and the ratio of Inspector's to the loop's with its 95%
interval; exits with 1 if the interval does not hold 1.
"""

import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np

from inspector.engine.client.engine_process import EngineProcess
from inspector.formats.opening import open_model
from inspector.preview.identity import measured_model
from inspector.preview.inputs.feeds import feeds_by_name, fill_all
from inspector.preview.inputs.image import ImageOptions
from inspector.report.run_spec import RunSpec
from inspector.units import duration

TURNS, SECONDS = 6, 1.0
SPEC = RunSpec(
    devices=("openvino:cpu",), threads=1, seconds=SECONDS, profiled_runs=0, steady=0.0
)
LOOP = f"""
import sys, time
sys.modules["openvino_telemetry"] = None
import numpy as np, openvino
feeds = dict(np.load(sys.argv[2]))
properties = {{
    "INFERENCE_NUM_THREADS": 1,
    "INFERENCE_PRECISION_HINT": "f32",
    "PERFORMANCE_HINT": "LATENCY",
}}
compiled = openvino.Core().compile_model(sys.argv[1], "CPU", properties)
request = compiled.create_infer_request()
values = list(feeds.values())
for _ in range(4):
    request.infer(values, share_inputs=True, share_outputs=True)
times, end = [], time.perf_counter() + {SECONDS}
while time.perf_counter() < end or len(times) < 30:
    began = time.perf_counter_ns()
    request.infer(values, share_inputs=True, share_outputs=True)
    times.append(time.perf_counter_ns() - began)
print(int(np.median(times)))
"""


def main(path: Path) -> int:
    """Print both medians turn by turn, and the verdict."""
    model = open_model(path)
    feeds = feeds_by_name(fill_all(model.inputs, {}, {}, ImageOptions.of(model, False)))
    identity = measured_model(path, model)
    ours, bare = list[int](), list[int]()
    with EngineProcess() as engine:
        saved = Path(mkdtemp(prefix="openvino-loop-")) / "feeds.npz"
        arrays: dict[str, Any] = {name: np.asarray(array) for name, array in feeds.items()}
        np.savez(saved, **arrays)
        for _ in range(TURNS):
            ours.append(engine.measure(path, identity, SPEC, feeds).median_ns)
            command = [sys.executable, "-c", LOOP, str(path), str(saved)]
            bare.append(int(subprocess.run(command, capture_output=True, check=True).stdout))
            print(f"Inspector {duration(ours[-1]):>9}   loop {duration(bare[-1]):>9}")
    ratios = np.log(np.array(ours) / np.array(bare))
    half = 2.57 * ratios.std(ddof=1) / TURNS**0.5  # Student's t of six pairs
    low, high = np.exp(ratios.mean() + np.array([-half, half]))
    print(f"Inspector / loop: {np.exp(ratios.mean()):.3f} (95% CI {low:.3f} to {high:.3f})")
    return int(not low <= 1.0 <= high)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
