"""What a generated token costs in the engine, beside bare loops over the same graph.

Run: python -m benchmarks.generation [FOLDER] [--prompt 64] [--tokens 64] [--rounds 6]
FOLDER: of ONNX Runtime GenAI; without it a random decoder of 0.13 GB is made. Each way has a
process of its own, since thread pools of two runtimes in one process disturb each other:
Inspector's engine, with tokens told as they come; a bare loop of ONNX Runtime with I/O binding
and a shared cache; ONNX Runtime GenAI, where it is installed. They take turns with two threads
each and greedy tokens, which have to be equal. Prints medians of the first token and of the
time between tokens, and of the ratios of rounds side by side. Status 1 above `MAX_RATIO`.
"""

import argparse
import importlib
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import numpy as np

from inspector.engine.client.engine_process import EngineProcess
from inspector.report.run_spec import RunSpec
from sample_models.making.decoder import DecoderSize
from tests import language_folders

THREADS = 2
SEED = 0
MAX_ID = 250  # of random prompts: every vocabulary has so many tokens
# Tokens travel to the client in a time that does not grow with the
# model: 0.03 to 0.1 ms, of a step of 3 ms here.
MAX_RATIO = 1.05
SIZE = DecoderSize(
    hidden=768, layers=8, heads=12, kv_heads=4, feed_forward=2048, vocabulary=8000, context=2048
)
Round = tuple[list[int], list[int]]  # tokens, and times in ns: of the first one, then between


def bare(folder: Path, prompt: list[int], count: int) -> Callable[[], Round]:
    """Return a round of a loop that does nothing but generate: memory is bound once, and only
    the mask, which grows, again at each step."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(folder / "model.onnx", options)
    past = [info for info in session.get_inputs() if info.name.startswith("past")]
    names = {info.name: info.name.replace("past_key_values", "present") for info in past}
    _, heads, _, width = past[0].shape
    dtype = np.float16 if "16" in past[0].type else np.float32
    length = len(prompt) + count
    mask = np.ones((1, length), np.int64)

    def once() -> Round:
        binding = session.io_binding()
        zeros = np.zeros((1, heads, length, width), dtype)
        for name, present in names.items():
            value = onnxruntime.OrtValue.ortvalue_from_numpy(zeros.copy())
            binding.bind_ortvalue_input(name, value)
            binding.bind_ortvalue_output(present, value)
        tokens: list[int] = []
        times: list[int] = []
        ids, at = np.array([prompt], np.int64), perf_counter_ns()
        binding.bind_cpu_input("input_ids", ids)
        binding.bind_cpu_input("attention_mask", mask[:, : len(prompt)])
        binding.bind_output("logits", "cpu")
        session.run_with_iobinding(binding)
        logits = binding.get_outputs()[len(names)].numpy()
        tokens.append(int(logits[0, -1].argmax()))
        times.append(perf_counter_ns() - at)
        token, row = np.zeros((1, 1), np.int64), np.zeros((1, 1, logits.shape[-1]), np.float32)
        binding.bind_cpu_input("input_ids", token)
        binding.bind_output("logits", "cpu", 0, np.float32, row.shape, row.ctypes.data)
        at = perf_counter_ns()
        for step in range(1, count):
            token[0, 0] = tokens[-1]
            binding.bind_cpu_input("attention_mask", mask[:, : len(prompt) + step])
            session.run_with_iobinding(binding)
            tokens.append(int(row.argmax()))
            now = perf_counter_ns()
            times.append(now - at)
            at = now
        return tokens, times

    return once


def genai(folder: Path, prompt: list[int], count: int) -> Callable[[], Round]:
    """Return a round of ONNX Runtime GenAI."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    onnxruntime_genai: Any = importlib.import_module("onnxruntime_genai")
    config = onnxruntime_genai.Config(str(folder))
    threads = {"session_options": {"intra_op_num_threads": THREADS}}
    config.overlay(json.dumps({"model": {"decoder": threads}}))
    model, length = onnxruntime_genai.Model(config), len(prompt) + count
    parameters = onnxruntime_genai.GeneratorParams(model)
    parameters.set_search_options(max_length=length, min_length=length, do_sample=False)
    # One for all rounds, as in a chat: a new one has a cache whose memory is touched for the
    # first time, which takes as long as the prompt of a tiny model.
    generator = onnxruntime_genai.Generator(model, parameters)

    def once() -> Round:
        generator.rewind_to(0)
        tokens, times, at = list[int](), list[int](), perf_counter_ns()
        generator.append_tokens(np.array(prompt, np.int32))
        for _ in range(count):
            generator.generate_next_token()
            tokens.append(int(generator.get_next_tokens()[0]))
            now = perf_counter_ns()
            times.append(now - at)
            at = now
        return tokens, times

    return once


BARE = {"ONNX Runtime": bare, "GenAI": genai}


class Child:
    """A process that runs rounds of one of the bare loops, one for each line that it reads."""

    def __init__(self, name: str, folder: Path, prompt: list[int], count: int) -> None:
        said = json.dumps([name, str(folder), prompt, count])
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.generation", "--child", said],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self) -> Round:
        """Run a round."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(file=self._process.stdin, flush=True)
        tokens, times = json.loads(self._process.stdout.readline())
        return tokens, times

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def serve(said: str) -> None:
    """Be such a process."""
    name, folder, prompt, count = json.loads(said)
    once = BARE[name](Path(folder), prompt, count)
    for _ in sys.stdin:
        print(json.dumps(once()), flush=True)


def measured(options: Any, folder: Path) -> dict[str, list[Round]]:
    """Return the rounds of each way."""
    random = np.random.default_rng(SEED)
    prompt = [int(each) for each in random.integers(0, MAX_ID, options.prompt)]
    names = ["ONNX Runtime"]
    names += ["GenAI"] if importlib.util.find_spec("onnxruntime_genai") else []
    children = {name: Child(name, folder, prompt, options.tokens) for name in names}
    rounds: dict[str, list[Round]] = {name: [] for name in ("engine", *names)}
    told: list[int] = []
    with EngineProcess(lambda progress: told.extend(t.id for t in progress.tokens)) as engine:

        def in_engine() -> Round:
            made = engine.generate(
                folder / "model.onnx",
                RunSpec(threads=THREADS),
                tuple(prompt),
                max_tokens=options.tokens,
            )
            return [t.id for t in made.tokens], [t.step_ns for t in made.tokens]

        ways: dict[str, Callable[[], Round]] = {"engine": in_engine, **children}
        for once in ways.values():
            once()  # warm-up
        for number in range(options.rounds):
            order = list(ways) if number % 2 else list(ways)[::-1]
            for name in order:
                rounds[name].append(ways[name]())
    for child in children.values():
        child.close()
    return rounds


def main() -> int:
    """Return 1 where a token in the engine takes too much longer than in a bare loop."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path)
    for name, number in (("prompt", 64), ("tokens", 64), ("rounds", 6)):
        parser.add_argument(f"--{name}", type=int, default=number)
    parser.add_argument("--child")
    options = parser.parse_args()
    if options.child:
        serve(options.child)
        return 0
    with tempfile.TemporaryDirectory() as made:
        folder = options.folder or language_folders.genai_folder(Path(made) / "lm", size=SIZE)
        rounds = measured(options, folder)
    expected = rounds["engine"][0][0]
    equal = all(each[0] == expected for every in rounds.values() for each in every)
    # The first step after a prompt takes longer in all of them.
    first = {name: [each[1][0] / 1e6 for each in every] for name, every in rounds.items()}
    step = {
        name: [statistics.median(each[1][2:]) / 1e6 for each in every]
        for name, every in rounds.items()
    }
    slowest = 0.0
    for name in rounds:
        ratios = [
            statistics.median(a / b for a, b in zip(times["engine"], times[name], strict=True))
            for times in (first, step)
        ]
        slowest = max(slowest, ratios[1])
        print(
            f"{name:<12} first token {statistics.median(first[name]):9.2f} ms   "
            f"between tokens {statistics.median(step[name]):8.3f} ms   "
            f"engine/this {ratios[0]:.2f} {ratios[1]:.3f}"
        )
    print(f"equal tokens: {equal}; limit of the ratio between tokens {MAX_RATIO}")
    return int(slowest > MAX_RATIO or not equal)


if __name__ == "__main__":
    sys.exit(main())
