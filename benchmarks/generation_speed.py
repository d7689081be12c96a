"""Is what `inspector measure` says of a language model what a bare loop takes?

Run: python -m benchmarks.generation_speed [FOLDER] [--prompt 64] [--tokens 48] [--rounds 8]
FOLDER: of ONNX Runtime GenAI; without it a random decoder of 0.13 GB is made. A bare loop of
ONNX Runtime, one of ONNX Runtime GenAI, where it is installed, and the code that measures with
each have a process each and take turns with two threads. Prints a low percentile of the first
token and of the time between tokens, and ratios; then what the layers add up to in each
phase. Status 1 where a ratio is farther from 1 than `MAX_APART`, or a sum than `MAX_UNKNOWN`.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.generation import MAX_ID, SIZE, THREADS, Child
from inspector.app.language.speed import token_by_token
from inspector.app.measure import measure, setup
from inspector.app.subjects import Subject
from inspector.backends.measuring.cpu_speed_probe import CpuSpeedProbe
from inspector.backends.measuring.token_times import planned_rows, random_tokens, token_times
from inspector.backends.measuring.turn_taking import TurnTaker
from inspector.formats.opening import open_model
from inspector.report.run_spec import DEFAULT_SPEC, RunSpec
from tests import language_folders

# Of the first token and of a step (issue 38). Other programs on the cores add to that:
# believe a failure on an idle machine only.
MAX_APART = 0.05
MAX_UNKNOWN = 0.10  # of a phase that its layers do not explain
# Other programs make most steps slower: the quick ones compare, of the same number of each.
QUIET = 10  # percentile of all steps
Round = tuple[float, list[float]]  # first token, and each time between tokens, in ms


def opened(name: str, folder: Path, spec: RunSpec) -> Any:
    """Return a decoder of a runtime, as an engine opens it."""
    if name == "GenAI":
        from inspector.backends.genai.backend import GenAi

        genai = replace(spec, devices=("genai:cpu",))
        return GenAi().open(folder, genai, lambda *progress: None).decoder
    from inspector.backends.onnxruntime.generation.decoder import Decoder, graphs_of
    from inspector.backends.onnxruntime.sessions import devices
    from inspector.backends.onnxruntime.sessions.session import create_session

    path = folder / "model.onnx"
    return Decoder(graphs_of(path, create_session(path, spec, devices.resolve(("cpu",)))))


def serve(said: str) -> None:
    """Measure one row for each line that is read, as an engine does."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    name, folder, prompt, tokens = json.loads(said)
    spec = RunSpec(
        threads=THREADS, prompt_tokens=(prompt,), contexts=(prompt,), new_tokens=tokens,
        runs=2, warmup=1,
    )  # fmt: skip
    decoder = opened(name, Path(folder), spec)
    vocabulary = decoder.vocabulary or MAX_ID
    for _ in sys.stdin:
        times = token_times(
            decoder, planned_rows(spec), spec,
            lambda count, batch: random_tokens(count, batch, vocabulary),
            lambda *progress: None, CpuSpeedProbe(0, False), TurnTaker(), False,
        )  # fmt: skip
        (row,) = times.rows
        print(json.dumps([row.first_token_ns[-1], *row.step_ns[-1]]), flush=True)


class Measuring:
    """A process of `serve`."""

    def __init__(self, name: str, folder: Path, prompt: int, tokens: int) -> None:
        said = json.dumps([name, str(folder), prompt, tokens])
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.generation_speed", "--child", said],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self) -> Round:
        """Return the times of one round."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(file=self._process.stdin, flush=True)
        first, *steps = json.loads(self._process.stdout.readline())
        return first / 1e6, [step / 1e6 for step in steps]

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def compare_loops(folder: Path, options: Any) -> bool:
    """Print ratios to bare loops; return whether all are near 1."""
    ids = [int(each) for each in np.random.default_rng(0).integers(16, 250, options.prompt)]
    names = ["ONNX Runtime"]
    names += ["GenAI"] if importlib.util.find_spec("onnxruntime_genai") else []
    ours = {name: Measuring(name, folder, options.prompt, options.tokens) for name in names}
    children = {name: Child(name, folder, ids, options.tokens + 2) for name in names}

    def bare(name: str) -> Round:
        for _ in range(3):  # as often as the measuring code: a warm-up and two repetitions
            _, times = children[name]()
        return times[0] / 1e6, [step / 1e6 for step in times[2:]]

    ways: list[tuple[str, bool]] = [(name, bare) for name in names for bare in (False, True)]
    rounds: dict[tuple[str, bool], list[Round]] = {way: [] for way in ways}
    for number in range(options.rounds + 1):
        for name, is_bare in ways[:: 1 if number % 2 else -1]:
            took = bare(name) if is_bare else ours[name]()
            if number:  # the first is a warm-up
                rounds[name, is_bare].append(took)
    for name in names:
        ours[name].close()
        children[name].close()
    near = True
    for name in names:
        measured, own = (_quick(rounds[name, is_bare]) for is_bare in (False, True))
        first, step = (one / other for one, other in zip(measured, own, strict=True))
        print(
            f"{name:<13} measured: first token {measured[0]:9.3f} ms, between tokens "
            f"{measured[1]:9.4f} ms   bare: {own[0]:9.3f} {own[1]:9.4f}   "
            f"measured/bare {first:.3f} {step:.3f}"
        )
        near = near and abs(first - 1) <= MAX_APART and abs(step - 1) <= MAX_APART
    return near


def _quick(rounds: list[Round]) -> tuple[float, float]:
    """Return a low percentile of the first token and of the time between tokens."""
    steps = [step for _, each in rounds for step in each]
    return float(np.percentile([first for first, _ in rounds], QUIET)), float(
        np.percentile(steps, QUIET)
    )


def reconcile_layers(folder: Path, options: Any) -> bool:
    """Print what layers add up to in each phase; return whether that is nearly all."""
    path = folder / "model.onnx"
    spec = RunSpec(
        threads=THREADS, prompt_tokens=(options.prompt,), contexts=(options.prompt,),
        new_tokens=options.tokens, runs=6, warmup=1, layer_precision=0.1,
        profiled_runs=DEFAULT_SPEC.profiled_runs,
    )  # fmt: skip
    own = setup(token_by_token(Subject.of(path, open_model(path), spec)))
    with own.engine() as engine:
        _, report = measure(engine, own)
    assert report.generation is not None
    good = True
    for phase in (report.generation.prefill_layers, report.generation.decode_layers):
        if phase is not None and phase.explained is not None:
            print(
                f"{phase.phase}: layers {phase.kernel_ns / phase.run_ns:.1%}, with the "
                f"runtime's own work {phase.explained:.1%} of {phase.run_ns / 1e6:.3f} ms"
            )
            good = good and abs(phase.explained - 1) <= MAX_UNKNOWN
    return good


def main() -> int:
    """Return 1 where measured times are not those of bare loops, or layers do not add up."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path)
    for name, number in (("prompt", 64), ("tokens", 48), ("rounds", 8)):
        parser.add_argument(f"--{name}", type=int, default=number)
    parser.add_argument("--child")
    options = parser.parse_args()
    if options.child:
        serve(options.child)
        return 0
    with tempfile.TemporaryDirectory() as made:
        folder = options.folder or language_folders.genai_folder(Path(made) / "lm", size=SIZE)
        near = compare_loops(folder, options)
        good = reconcile_layers(folder, options)
    return int(not (near and good))


if __name__ == "__main__":
    sys.exit(main())
