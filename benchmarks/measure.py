"""Whether what Inspector measures is what a program of yours would see.

`python -m benchmarks.measure [MODEL ...]` measures sample models on one thread, each several
times in turn with a bare Python loop over the same session in a process of its own, and prints
the middle predictions of both beside the limit: 1 % and 5 µs, too slow or too fast. Of both all
count, whatever the processor's pace, as a bare loop does not know it. Then what the profiler
adds.
Turns keep a machine that is busy for a while from favouring one of the two; the last column
tells in how many rounds nothing else was in the way.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.disturbance import disturbances
from inspector.engine.process import EngineProcess
from inspector.preview.feeds import defaults
from inspector.readers import open_model
from inspector.report import ModelIdentity, PerformanceReport, RunSpec
from inspector.trace import Lane

SAMPLES = ("digits_float32", "digits_int8_qdq", "language_bert", "tones_sound")
ROUNDS, RUNS, PROFILED = 9, 300, 30
SHARE, SLACK_NS = 0.01, 5_000
BARE = """
import json, sys
from time import perf_counter_ns, process_time_ns
import numpy, onnxruntime
model, folder, names, runs, warmup = json.loads(sys.argv[1])
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
feeds = {name: numpy.load(f"{folder}/{i}.npy") for i, name in enumerate(names)}
for _ in range(warmup):
    session.run(None, feeds)
wall, cpu = [], []
for _ in range(runs):
    started, began = process_time_ns(), perf_counter_ns()
    session.run(None, feeds)
    wall.append(perf_counter_ns() - began)
    cpu.append(process_time_ns() - started)
print(json.dumps([wall, cpu]))
"""

Feeds = Mapping[str, NDArray[np.generic]]


@dataclass(frozen=True)
class Round:
    """Middle predictions in nanoseconds: of Inspector, and of the bare loop after it."""

    ours_ns: float
    bare_ns: float
    ours_cpu_ns: float
    bare_cpu_ns: float
    report: PerformanceReport

    @property
    def quiet(self) -> bool:
        """Whether nothing that shows was in the way."""
        return not disturbances(self.report)


def bare_loop(model: Path, feeds: Feeds, spec: RunSpec) -> tuple[list[int], list[int]]:
    """Predict in a plain program of a few lines: wall and processor time of each."""
    with tempfile.TemporaryDirectory() as folder:
        for place, array in enumerate(feeds.values()):
            np.save(Path(folder) / f"{place}.npy", array)
        asked = json.dumps([str(model), folder, list(feeds), spec.runs, spec.warmup])
        command = [sys.executable, "-c", BARE, asked]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    wall, cpu = json.loads(done.stdout)
    return wall, cpu


def rounds(model: Path) -> list[Round]:
    """Measure by turns; who begins changes."""
    feeds = {each.name: each.array for each in defaults(open_model(model).inputs, {})}
    identity = ModelIdentity(model.name, "0" * 64, model.stat().st_size, 0, 0)
    spec = RunSpec(threads=1, runs=RUNS, warmup=20, profiled_runs=PROFILED)
    found = []
    for number in range(ROUNDS):
        bare = bare_loop(model, feeds, spec) if number % 2 else None
        with EngineProcess() as engine:
            report = engine.measure(model, identity, spec, feeds)
        wall, cpu = bare or bare_loop(model, feeds, spec)
        found.append(
            Round(
                median(report.prediction_ns), median(wall), median(report.prediction_cpu_ns),
                median(cpu), report,
            )
        )  # fmt: skip
    return found


def told(model: Path, found: Sequence[Round]) -> None:
    """Print a line for wall time and one for processor time."""
    quiet = [each for each in found if each.quiet]
    rows = (
        ("wall", [each.ours_ns - each.bare_ns for each in found], [e.bare_ns for e in found]),
        (
            "processor",
            [each.ours_cpu_ns - each.bare_cpu_ns for each in found],
            [each.bare_cpu_ns for each in found],
        ),
    )
    for name, differences, bare in rows:
        middle, limit = median(differences), SHARE * median(bare) + SLACK_NS
        verdict = "within" if abs(middle) <= limit else "over"
        print(
            f"{model.stem:<18} {name:<10} bare {median(bare) / 1e3:9.1f} µs   "
            f"ours {middle / 1e3:+8.1f} µs   limit {limit / 1e3:+7.1f} µs   {verdict:<7}"
            f"{len(quiet)} of {len(found)} rounds quiet"
        )


def profiler(model: Path, found: Sequence[Round]) -> None:
    """Print what a prediction takes with the profiler on, and for each event."""
    ratios, events = [], []
    for each in found:
        trace = each.report.trace
        calls = [
            trace.span(index).duration_ns
            for index in range(len(trace))
            if trace.tracks[trace.track[index]].lane is Lane.ACTIVITY
            and trace.run[index] >= 0
            and trace.depth[index] == 0
        ]
        kernels = int((trace.run == 0).sum()) - 2  # without the call and the run in it
        ratios.append(median(calls) / each.ours_ns)
        events.append((median(calls) - each.ours_ns) / max(1, kernels))
    print(
        f"{model.stem:<18} profiled   {median(ratios):6.2f} times as long, "
        f"{median(events) / 1e3:+.1f} µs for each event"
    )


def main(names: Sequence[str]) -> None:
    """Measure and print."""
    folder = Path(__file__).parent.parent / "sample_models"
    models = [Path(name) for name in names] or [folder / f"{name}.onnx" for name in SAMPLES]
    for model in models:
        found = rounds(model)
        told(model, found)
        profiler(model, found)


if __name__ == "__main__":
    main(sys.argv[1:])
