"""Whether p50, p95 and p99 of all predictions are those that a program of yours would meet.

`python -m benchmarks.tails [MODEL ...]` measures six models in rounds. In each round a bare
loop of a few lines predicts for half a second, then Inspector measures for half a second, then
a second bare loop does what the first one did: each in a process of its own, with the session
settings that both have by default. The bare loop's own interval of a quantile is what its
rounds show of it: 95% around their geometric mean, by Student's t over the rounds of both bare
loops. Printed are the quantiles of all predictions of ours, the geometric mean over the rounds,
beside that interval, and those of the second bare loop alone beside the first: how often two of
the same agree, which nothing can beat. Models that are not there are left out.
"""

import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.measured.latency import latency
from inspector.engine.client.engine_process import EngineProcess
from inspector.formats.opening import open_model
from inspector.preview.inputs.feeds import defaults
from inspector.report.report import ModelIdentity, PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.statistics.intervals import student_t_95

HERE = Path(__file__).parent.parent
SAMPLES = ("digits_float32", "digits_int8_qdq", "language_bert")
REAL = ("squeezenet1.1_fp16", "ultraface_rfb_320_ort_optimized", "openseeface_lm_model0")
ROUNDS, SECONDS, WARMUP = 8, 0.5, 3
QUANTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
BARE = """
import json, sys
from time import perf_counter_ns
import numpy, onnxruntime
model, folder, names, seconds, warmup = json.loads(sys.argv[1])
session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
feeds = {name: numpy.load(f"{folder}/{i}.npy") for i, name in enumerate(names)}
for _ in range(warmup):
    session.run(None, feeds)
times, until = [], perf_counter_ns() + int(seconds * 1e9)
while perf_counter_ns() < until:
    began = perf_counter_ns()
    session.run(None, feeds)
    times.append(perf_counter_ns() - began)
print(json.dumps(times))
"""

Feeds = Mapping[str, NDArray[np.generic]]
Told = dict[str, float]  # name of a quantile -> nanoseconds


def bare(model: Path, feeds: Feeds) -> Told:
    """Predict in a plain program: the quantiles of all its predictions."""
    with tempfile.TemporaryDirectory() as folder:
        for place, array in enumerate(feeds.values()):
            np.save(Path(folder) / f"{place}.npy", array)
        request = json.dumps([str(model), folder, list(feeds), SECONDS, WARMUP])
        command = [sys.executable, "-c", BARE, request]
        # In a session of its own, as the engine is: Linux shares the CPU between sessions.
        done = subprocess.run(
            command, check=True, capture_output=True, text=True, start_new_session=True
        )
    times = json.loads(done.stdout)
    return {name: float(np.quantile(times, q)) for name, q in QUANTILES.items()}


def ours(model: Path, feeds: Feeds) -> Told:
    """Measure: the quantiles of all predictions, as every report says them."""
    spec = RunSpec(runs=30, seconds=SECONDS, warmup=WARMUP, profiled_runs=0)
    identity = ModelIdentity(model.name, "0" * 64, model.stat().st_size, 0, 0)
    with EngineProcess() as engine:
        report: PerformanceReport = engine.measure(model, identity, spec, feeds)
    found = latency(report)
    assert found is not None, "half a second has predictions"
    every = found.all_predictions
    return {"p50": every.p50_ns, "p95": every.p95_ns, "p99": every.p99_ns}


def interval(values_ns: Sequence[float]) -> tuple[float, float]:
    """Where the mean of ROUNDS more values of the same lies with 95%, by their logarithms."""
    logs = [math.log(value) for value in values_ns]
    wide = student_t_95(len(logs) - 1) * stdev(logs) * math.sqrt(1 / len(logs) + 1 / ROUNDS)
    return math.exp(mean(logs) - wide), math.exp(mean(logs) + wide)


def middle(values_ns: Sequence[float]) -> float:
    """The geometric mean."""
    return math.exp(mean(math.log(value) for value in values_ns))


def told(within: bool) -> str:
    """Return the word for a quantile that is in an interval, or is not."""
    return "within" if within else "OUTSIDE"


def compare(model: Path) -> tuple[int, int]:
    """Measure a model and print its quantiles; how many of ours and the control are within."""
    values = defaults(open_model(model).inputs, {})
    feeds = {each.name: each.array for each in values}
    rounds: list[tuple[Told, Told, Told]] = []
    for _ in range(ROUNDS):
        first = bare(model, feeds)
        rounds.append((first, ours(model, feeds), bare(model, feeds)))
    inside = control = 0
    for name in QUANTILES:
        before, own, after = ([row[place][name] for row in rounds] for place in range(3))
        low, high = interval([*before, *after])
        within = low <= middle(own) <= high
        alone = interval(before)
        same = alone[0] <= middle(after) <= alone[1]
        inside, control = inside + within, control + same
        print(
            f"{model.stem:<32} {name}  ours {middle(own) / 1e3:9.1f} µs   bare "
            f"{low / 1e3:9.1f} to {high / 1e3:9.1f} µs   {told(within):<7} "
            f"second bare loop {middle(after) / 1e3:9.1f} µs, {told(same)} the first one's",
            flush=True,
        )
    return inside, control


def main(names: Sequence[str]) -> None:
    """Measure all models and print how many quantiles are within."""
    real = HERE.parent / "shared" / "models" / "real"
    models = [Path(name) for name in names] or [
        *(HERE / "sample_models" / f"{name}.onnx" for name in SAMPLES),
        *(real / f"{name}.onnx" for name in REAL),
    ]
    present = [model for model in models if model.exists()]
    for model in models:
        if model not in present:
            print(f"{model.stem:<32} left out: it is not here")
    counts = [compare(model) for model in present]
    whole = len(counts) * len(QUANTILES)
    inside, control = (sum(each) for each in zip(*counts, strict=True))
    print(f"{inside} of {whole} within the bare loop's own interval; of the control {control}")


if __name__ == "__main__":
    main(sys.argv[1:])
