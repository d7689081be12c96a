"""Whether what Inspector measures is what a program of yours would see.

`python -m benchmarks.measure [MODEL ...]` measures sample models on one thread, in turn with a
bare Python loop over the same session, each time in a process of its own. Of both all
predictions count, whatever the processor's pace, as a bare loop does not know it. A round is
one of our medians less the mean of the two bare ones around it, so that a machine that becomes
slower favours neither. Printed is the middle of all rounds with its 95% interval, beside the
limit: 1% and 5 µs, too slow or too fast. "within" has its whole interval within the limit,
"over" its whole interval outside, and what else was measured is "not told apart". Then what
the profiler adds. The last column tells in how many rounds nothing else was in the way.
"""

import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.measured.noise import disturbances
from inspector.engine.client.engine_process import EngineProcess
from inspector.formats.opening import open_model
from inspector.preview.inputs.feeds import defaults
from inspector.report.report import ModelIdentity, PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.trace.trace import Lane

SAMPLES = ("digits_float32", "digits_int8_qdq", "language_bert", "tones_sound")
ROUNDS, RUNS, PROFILED = 61, 300, 30
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
    """Middle predictions in nanoseconds: of Inspector, and of the bare loop around it."""

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
    """Measure by turns: each of ours stands between two bare loops."""
    feeds = {each.name: each.array for each in defaults(open_model(model).inputs, {})}
    identity = ModelIdentity(model.name, "0" * 64, model.stat().st_size, 0, 0)
    spec = RunSpec(threads=1, runs=RUNS, warmup=20, profiled_runs=PROFILED)
    found, before = [], bare_medians(model, feeds, spec)
    for _ in range(ROUNDS):
        with EngineProcess() as engine:
            report = engine.measure(model, identity, spec, feeds)
        after = bare_medians(model, feeds, spec)
        wall, cpu = (mean(pair) for pair in zip(before, after, strict=True))
        ours = median(report.prediction_ns), median(report.prediction_cpu_ns)
        found.append(Round(ours[0], wall, ours[1], cpu, report))
        before = after
    return found


def bare_medians(model: Path, feeds: Feeds, spec: RunSpec) -> tuple[float, float]:
    """Middle wall and processor time of one bare loop, in nanoseconds."""
    wall, cpu = bare_loop(model, feeds, spec)
    return median(wall), median(cpu)


def middle(values: Sequence[float]) -> tuple[float, float, float]:
    """The median, and where it lies with 95% by the ranks of the values around it."""
    ranked = sorted(values)
    reach = math.ceil(0.98 * math.sqrt(len(ranked)))  # 1.96 standard deviations of a rank
    low, high = max(0, len(ranked) // 2 - reach), min(len(ranked) - 1, len(ranked) // 2 + reach)
    return median(ranked), ranked[low], ranked[high]


def verdict(low: float, high: float, limit: float) -> str:
    """What an interval says of a limit that holds both ways."""
    if max(-low, high) <= limit:
        return "within"
    return "over" if low > limit or high < -limit else "not told apart"


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
        (found_ns, low, high), limit = middle(differences), SHARE * median(bare) + SLACK_NS
        print(
            f"{model.stem:<18} {name:<10} bare {median(bare) / 1e3:9.1f} µs   "
            f"ours {found_ns / 1e3:+6.1f} ({low / 1e3:+6.1f} to {high / 1e3:+6.1f}) µs   "
            f"limit {limit / 1e3:4.1f} µs   {verdict(low, high, limit):<14} "
            f"{len(quiet)} of {len(found)} rounds quiet",
            flush=True,
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
