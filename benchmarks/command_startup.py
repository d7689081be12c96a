"""Processor time of short commands, beside what they stand on, in the same run.

    python benchmarks/command_startup.py [ROUNDS]

User and system time of the process and of the engine that it started, which a busy machine
lengthens for all alike: each round runs everything once, and the ratios are what counts.
Bounds: `info` at most 2.5 times `import onnx`, `predict` at most 3.75 times a bare session.
"""

import compileall
import os
import resource
import subprocess
import sys
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
MODEL = "sample_models/digits_float32.onnx"
SESSION = f"""
import numpy, onnxruntime
session = onnxruntime.InferenceSession({MODEL!r}, providers=["CPUExecutionProvider"])
session.run(None, {{"picture": numpy.zeros((1, 1, 8, 8), numpy.float32)}})
"""
PROCESSES: dict[str, tuple[str, ...]] = {
    "import onnx": ("-c", "import onnx"),
    "bare session": ("-c", SESSION),
    "info": ("-m", "inspector", "info", MODEL),
    "info --no-shapes": ("-m", "inspector", "info", "--no-shapes", MODEL),
    "predict": ("-m", "inspector", "predict", MODEL),
    "devices": ("-m", "inspector", "devices"),
    "--help": ("-m", "inspector", "--help"),
}
PEERS = {"info": "import onnx", "predict": "bare session", "devices": "bare session"}


def main() -> None:
    """Print minimum and median of each, and its ratio to the one it stands on."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    # Engines are confined and save no bytecode: pip compiles at the installation.
    compileall.compile_dir(ROOT / "inspector", quiet=1)
    seconds: dict[str, list[float]] = {name: [] for name in PROCESSES}
    for _ in range(rounds):
        for name, arguments in PROCESSES.items():
            seconds[name].append(_cpu_seconds(arguments))
    for name, values in seconds.items():
        ratio = ""
        if name in PEERS:
            each = [
                ours / bare for ours, bare in zip(values, seconds[PEERS[name]], strict=True)
            ]
            ratio = f"{median(each):5.2f} times {PEERS[name]}"
        print(f"{name:<17} min {min(values):.3f} s  median {median(values):.3f} s  {ratio}")


def _cpu_seconds(arguments: tuple[str, ...]) -> float:
    """Return the processor time of a process and of those that it waited for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, *arguments]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
