"""Releases of ONNX Runtime side by side, for tools that ask each of them.

A release is a folder with its unpacked wheel; a probe puts that first on its path.
"""

import json
import subprocess
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any
from zipfile import ZipFile

# Opens each model of a list in a child, since some files end the process. argv: the folder of
# the release, a JSON file with paths. Prints one JSON line: version and answers, "" or why not.
OPEN = r"""
import json, os, sys
sys.path.insert(0, sys.argv[1])
import onnxruntime
onnxruntime.set_default_logger_severity(4)

def refusal(path):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    try:
        if onnxruntime.__version__.startswith("1.0."):  # which has no choice of providers yet
            onnxruntime.InferenceSession(path, options)
        else:
            onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        return str(error)[:500] or type(error).__name__
    return ""

paths, answers = json.load(open(sys.argv[2])), {}
while len(answers) < len(paths):
    rest = paths[len(answers):]
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        with os.fdopen(writing, "w") as lines:
            for path in rest:
                print(json.dumps([path, refusal(path)]), file=lines, flush=True)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as lines:
        answers.update(json.loads(line) for line in lines if line.endswith("\n"))
    os.waitpid(child, 0)
    if len(answers) < len(paths):
        answers[paths[len(answers)]] = "the process ended"
print(json.dumps({"version": onnxruntime.__version__, "answers": answers}))
"""


def environment(interpreter: str, folder: Path) -> Path:
    """Return the Python of a new environment with all that a release imports."""
    home = folder / Path(interpreter).name
    python = home / "bin" / "python"
    if not python.exists():
        subprocess.run([interpreter, "-m", "venv", str(home)], check=True)
        packages = ["numpy<2", "packaging", "protobuf", "flatbuffers", "sympy", "coloredlogs"]
        subprocess.run([str(python), "-m", "pip", "install", "-q", *packages], check=True)
    return python


def unpacked(python: Path, release: str, folder: Path) -> Path | None:
    """Return the folder of a release's newest wheel; None where PyPI has none."""
    wheels, home = folder / f"wheel-{release}", folder / release
    if home.exists():
        return home
    pip = [str(python), "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:"]
    run = subprocess.run(
        [*pip, "-d", str(wheels), f"onnxruntime=={release}.*"], capture_output=True, text=True
    )
    if run.returncode and "No matching distribution" in run.stderr:
        return None
    if run.returncode:
        raise SystemExit(f"pip failed for {release}:\n{run.stderr}")
    with ZipFile(next(wheels.iterdir())) as wheel:
        wheel.extractall(home)
    return home


def from_release(python: Path, first: int, folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield each release from 1.`first` on, up to the newest, with its folder."""
    for minor in count(first):
        home = unpacked(python, f"1.{minor}", folder)
        if home is None:
            return
        yield f"1.{minor}", home


def answer(python: Path, probe: str, *arguments: str | Path) -> Any:
    """Return the last line, JSON, that a probe prints."""
    command = [str(python), "-c", probe, *map(str, arguments)]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(f"{arguments[0]} failed:\n{run.stderr[-2000:]}")
    return json.loads(run.stdout.splitlines()[-1])


def refusals(python: Path, home: Path, models: Iterable[Path], folder: Path) -> dict[str, str]:
    """Return for each model why a release refuses to open it; empty where it opens it."""
    listed = folder / "models.json"
    listed.write_text(json.dumps([str(path) for path in models]), "utf-8")
    answers: dict[str, str] = answer(python, OPEN, home, listed)["answers"]
    return answers
