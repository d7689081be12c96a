"""What recording costs a program that is not Python, beside the same without it.

Run: python -m benchmarks.native_recording [--rounds 9] [--runs 20000]
A program in C runs a small model so often and takes its own time; processes with and without
the recorder take turns. Prints the mean time of a run of each, the median of what a recorded
process takes more than its neighbor, with the spread of these differences, and their least:
by the clock, and in time on the CPU, which other programs disturb less. Status 1 above
`MOST_NS` of CPU time.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime

from inspector.recorder import launch, native_programs
from inspector.recorder.profiled_runs import ProfiledRuns

MOST_NS = 1000  # a run (issue 41): of the median of all pairs
ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "tests" / "recorder" / "programs" / "native.c"
DIGITS = ROOT / "sample_models" / "digits_float32.onnx"


def mean_ns(
    program: Path, library: Path, runs: int, folder: Path | None
) -> tuple[float, float]:
    """Return the mean time of a run in a new process, by the program's own clock, and on the
    CPU."""
    surroundings = dict(os.environ)
    if folder is not None:
        surroundings = (
            launch.environment(folder, 1_000_000, ProfiledRuns()) | native_programs.variables()
        )
    command = [str(program), str(library), str(DIGITS), str(runs), "plain"]
    done = subprocess.run(command, env=surroundings, capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    return told["total_ns"] / told["runs"], told["cpu_ns"] / runs


def main() -> int:
    """Return 1 where a recorded run takes too much longer."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--runs", type=int, default=20_000)
    options = parser.parse_args()
    library = next(Path(onnxruntime.__file__).parent.glob("capi/libonnxruntime.so.1.*"))
    pairs: list[tuple[tuple[float, float], tuple[float, float]]] = []
    with tempfile.TemporaryDirectory() as made:
        program = Path(made) / "native"
        places = f"-I{Path(native_programs.__file__).parent / 'native'}"
        subprocess.run(["cc", "-O2", places, "-o", program, SOURCE, "-ldl"], check=True)
        for number in range(options.rounds + 1):
            folder = Path(made) / f"recording-{number}"
            folder.mkdir(0o700)
            turns: tuple[Path | None, ...] = (None, folder) if number % 2 else (folder, None)
            took = {each: mean_ns(program, library, options.runs, each) for each in turns}
            if number:  # the first is a warm-up
                pairs.append((took[None], took[folder]))
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; {options.runs:,} runs")
    for place, clock in enumerate(("by the clock", "on the CPU")):
        plain, recorded = np.array(pairs)[:, :, place].T
        low, middle, high = np.percentile(recorded - plain, [25, 50, 75])
        print(
            f"{clock}: plain {np.median(plain):,.0f} ns, recorded {np.median(recorded):,.0f} "
            f"ns; more in a pair: median {middle:,.0f} ns ({low:,.0f} to {high:,.0f}), least "
            f"of each: {recorded.min() - plain.min():,.0f} ns; limit {MOST_NS:,} ns"
        )
    return int(middle > MOST_NS)


if __name__ == "__main__":
    sys.exit(main())
