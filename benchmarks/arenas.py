"""How near planned arenas are to those of TensorFlow Lite Micro and of ONNX Runtime.

`python -m benchmarks.arenas [FILE ...]` plans the arena of each .tflite file and has
the interpreter allocate it: the package tflite-micro, in this Python or in the one that
INSPECTOR_TFLITE_MICRO names. Of .onnx files it holds what is planned against what ONNX Runtime
has in use in its arena in a first run, by its profile. Without files: .tflite ones of
../shared/models/other/tflite, and the networks of benchmarks/estimates.py. Left out are models
that a runtime refuses, and those whose loading takes more of the arena than a run, which hides
the run. Prints OK where 9 of 10 are within 15%, else MISSED.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import onnxruntime

from benchmarks.estimates import ALONE, REAL, models, random_input
from inspector.analysis.cost.arena_plan import arena_plan
from inspector.analysis.cost.kernels import AVX2, AVX512
from inspector.app.estimates import cost_at
from inspector.engine.client.engine_process import EngineProcess
from inspector.formats.opening import open_model

FILES = Path(__file__).parents[1] / ".." / "shared" / "models" / "other" / "tflite"
_CPU = Path("/proc/cpuinfo")
BLOCK = AVX512 if _CPU.exists() and "avx512f" in _CPU.read_text("ascii") else AVX2
WITHIN = 0.15
EQUAL = 0.01
SHARE = 0.9
SECONDS = 100
ALLOCATE = """
import sys
from tflite_micro.python.tflite_micro import runtime
runtime.Interpreter.from_file(sys.argv[1], arena_size=256 << 20).print_allocations()
"""
_PARTS = re.compile(r"Arena allocation (head|tail) (\d+) bytes")


def allocated(path: Path) -> tuple[int, int] | None:
    """Return the bytes of values and those kept for layers; None where it is refused."""
    python = os.environ.get("INSPECTOR_TFLITE_MICRO", sys.executable)
    run = subprocess.run(
        [python, "-c", ALLOCATE, str(path)], capture_output=True, text=True, timeout=SECONDS
    )
    found = dict(_PARTS.findall(run.stdout + run.stderr))
    return (int(found["head"]), int(found["tail"])) if len(found) == 2 else None


def in_use(path: Path, lengths: dict[str, int]) -> int | None:
    """Return the most bytes of ONNX Runtime's arena in use in a first run, with the inputs;
    None where loading hides it."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    with tempfile.TemporaryDirectory() as folder:
        options.enable_profiling, options.profile_file_prefix = True, f"{folder}/profile"
        session = onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"])
        feeds = {each.name: random_input(each, lengths) for each in session.get_inputs()}
        session.run(None, feeds)
        events = json.loads(Path(session.end_profiling()).read_text("utf-8"))
    events = [each for each in events if each["name"].endswith("_kernel_time")]
    # A layer begins before those inside of it, which the profile has first.
    kernels = [each["args"] for each in sorted(events, key=lambda each: int(each["ts"]))]
    if not kernels:
        return None
    start = int(kernels[0]["mem_bytes_in_use"]) - int(kernels[0]["mem_in_use_delta"])
    most = max(int(each["mem_in_use_peak"]) for each in kernels)
    if len(kernels) > 1 and int(kernels[0]["mem_in_use_peak"]) == most:
        return None
    return most - start + sum(array.nbytes for array in feeds.values())


def of_micro(engine: EngineProcess, paths: Sequence[Path]) -> Iterator[tuple[Path, int, int]]:
    """Yield each .tflite file with its planned and its allocated bytes."""
    for path in paths:
        model = open_model(path)
        plan = arena_plan(model, cost_at(engine, path, model, {}).memory)
        if (measured := allocated(path)) is not None:
            yield path, plan.bytes, sum(measured)


def of_onnx(engine: EngineProcess, paths: Iterable[Path]) -> Iterator[tuple[Path, int, int]]:
    """Yield each .onnx file with its planned bytes, and those in use."""
    onnxruntime.set_default_logger_severity(4)
    for path in paths:
        try:
            model = open_model(path)
            found = cost_at(engine, path, model, {})
            measured = in_use(path, dict(found.lengths))
            planned = found.arena_bytes_on(model, BLOCK)
        except Exception as error:  # noqa: BLE001 - a runtime may refuse in any way
            print(f"left out: {path.name}: {str(error)[:60]!r}")
            continue
        if planned is not None and measured:
            yield path, planned, measured


def compare(runtime: str, found: Iterable[tuple[Path, int, int]]) -> bool:
    """Print a line for each model; return whether enough of them are near."""
    near = equal = count = 0
    for path, planned, measured in found:
        off = planned / measured - 1
        count, equal, near = count + 1, equal + (abs(off) < EQUAL), near + (abs(off) <= WITHIN)
        print(f"{path.name}: {planned:,} planned, {measured:,} bytes in use ({off:+.1%})")
    if not count:
        print(f"{runtime}: nothing was compared")
        return True
    good = near >= SHARE * count
    print(
        f"{'OK' if good else 'MISSED'}: {runtime}: {near} of {count} arenas within "
        f"{WITHIN:.0%}, {equal} within {EQUAL:.0%}"
    )
    return good


def main() -> None:
    """Print the table; status 1 where too many are off."""
    given = [Path(name) for name in sys.argv[1:]]
    micro = [path for path in given or sorted(FILES.glob("**/*.tflite")) if not is_onnx(path)]
    with tempfile.TemporaryDirectory() as folder, EngineProcess() as engine:
        made = models(Path(folder), [REAL])
        networks = (path for kind, path in made if kind != ALONE)
        files = iter(given) if given else networks
        good = compare("TensorFlow Lite Micro", of_micro(engine, micro))
        good &= compare("ONNX Runtime", of_onnx(engine, (p for p in files if is_onnx(p))))
    sys.exit(not good)


def is_onnx(path: Path) -> bool:
    """Return whether ONNX Runtime opens a file."""
    return path.suffix in (".onnx", ".ort")


if __name__ == "__main__":
    main()
