"""A sweep of threads x level x float type, broken off and resumed, and its best measured again.

`python -m benchmarks.sweep` sweeps the digits; with `--model NET.onnx --cache DIR`, a network
in float16, float32 and int8 variants of it are made in DIR first. It is stopped half way by
a kill of its process and taken up again, then the best cells of each model are measured again
beside the runtime's own settings, `--starts` each, in turns of mixed order: the best of the
sweep is confirmed where none of the others is faster. `--again` does only that, with what
the cache has. `--check` draws starts whose truth is known, and says how often the interval of
a gain holds it (limit: 93 of 100).
"""

import argparse
import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

from inspector.analysis.measured import sweep_results
from inspector.analysis.measured import sweep_results as numbers
from inspector.analysis.measured.tuning_results import OWN, settings_text
from inspector.app.measurements import measure_function
from inspector.app.runner import round_of
from inspector.app.subjects import subjects
from inspector.engine.client.engine_process import EngineProcess
from inspector.report import sweep as sweeps
from inspector.report.run_spec import RunSpec
from inspector.statistics.significance import Verdict
from inspector.units import duration

SAMPLES = Path(__file__).parent.parent / "sample_models"
DIGITS = tuple(SAMPLES / f"digits_{kind}.onnx" for kind in ("float32", "float16", "int8_qdq"))
AXES = ("--threads", "1,2", "--optimization", "none,basic,all")
STARTS = 8


def variants(model: Path, cache: Path) -> tuple[Path, ...]:
    """Float32, float16 and int8 of a float16 network; what is in the cache stays."""
    cache.mkdir(parents=True, exist_ok=True)
    stem = model.stem.removesuffix("_fp16")
    half, single, whole = (cache / f"{stem}_{kind}.onnx" for kind in _KINDS)
    half.write_bytes(model.read_bytes())
    if not single.exists():
        onnx.save(in_float32(onnx.load(model)), single)
    if not whole.exists():
        _quantize(single, whole)
    return single, half, whole


_KINDS = ("float16", "float32", "int8")


def in_float32(model: onnx.ModelProto) -> onnx.ModelProto:
    """The same network with every float16 tensor in float32."""
    for weight in model.graph.initializer:
        if weight.data_type == TensorProto.FLOAT16:
            array = numpy_helper.to_array(weight).astype(np.float32)
            weight.CopyFrom(numpy_helper.from_array(array, weight.name))
    for value in (*model.graph.input, *model.graph.output, *model.graph.value_info):
        if value.type.tensor_type.elem_type == TensorProto.FLOAT16:
            value.type.tensor_type.elem_type = TensorProto.FLOAT
    return model


def _quantize(source: Path, target: Path) -> None:
    from onnx import version_converter
    from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_static

    # Per-channel scales came with opset 13.
    model = version_converter.convert_version(onnx.load(source), 13)
    weights = {weight.name for weight in model.graph.initializer}
    (info,) = (v for v in model.graph.input if v.name not in weights)
    shape = [axis.dim_value or 1 for axis in info.type.tensor_type.shape.dim]

    class Noise(CalibrationDataReader):  # type: ignore[misc]
        def __init__(self) -> None:
            draw = np.random.default_rng(0)
            self.left = [draw.random(shape).astype(np.float32) for _ in range(8)]

        def get_next(self) -> dict[str, np.ndarray] | None:
            return {info.name: self.left.pop()} if self.left else None

    quantize_static(
        model, target, Noise(), per_channel=True, weight_type=QuantType.QInt8,
        activation_type=QuantType.QUInt8,
    )  # fmt: skip


def broken_off(models: tuple[Path, ...], file: Path) -> None:
    """Sweep, kill the process with half of the cells done, and resume."""
    command = [
        sys.executable, "-m", "inspector", "sweep", *map(str, models), *AXES,
        "--processes", "2", "--runs", "20", "-o", str(file),
    ]  # fmt: skip
    file.unlink(missing_ok=True)
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    done = whole = 0
    for line in child.stdout:
        if line.startswith("["):
            done, whole = (int(part) for part in line[1:].split("]")[0].split("/"))
        if whole and done == whole // 2:
            os.kill(child.pid, signal.SIGKILL)
            break
    child.wait()
    half = sweeps.load(file)
    kept = sum(len(cell.rounds) for cell in half.cells)
    print(f"killed after {done} of {whole} measurements: the file holds {kept}")
    again = subprocess.run([*command, "--resume"], capture_output=True, text=True, check=True)
    old = half.by_place
    same = all(
        cell.rounds[: len(old[cell.at].rounds)] == old[cell.at].rounds
        for cell in sweeps.load(file).cells
    )
    left = sum(line.startswith("[") for line in again.stdout.splitlines())
    print(f"resumed: {left} more measurements; those kept are unchanged: {same}")


def again(models: tuple[Path, ...], file: Path, starts: int) -> bool:
    """Measure the best cells of each model and the runtime's own settings, in turns."""
    done, opened, fine = sweeps.load(file), subjects(models), True
    with EngineProcess() as engine:
        measure = measure_function(engine, opened)
        for number, model in enumerate(done.models):
            sides = candidates(done, number)
            taken: dict[str, list[tuple[int, ...]]] = {words: [] for words in sides}
            for start in range(starts):
                for words in Random(start).sample(list(sides), len(sides)):
                    taken[words].append(round_of(measure(number, sides[words])).prediction_ns)
            print(f"{model.name}, {starts} starts each, in turns")
            fine &= told(taken)
    return fine


def candidates(done: sweeps.Sweep, number: int) -> dict[str, RunSpec]:
    """The best cell of a model, the next three, the worst, and the runtime's own settings."""
    cells = [c for c in done.cells if done.model_of(c) == number and c.rounds]
    first = numbers.best(done, cells)
    assert first is not None, "a cell of each model was measured"
    ranked = sorted(cells, key=lambda cell: numbers.median_ns(cell) or np.inf)
    plain = RunSpec(runs=done.spec.runs, profiled_runs=0, steady=done.spec.steady)
    specs = [done.spec_of(cell) for cell in (first, *ranked[:3], ranked[-1])]
    return {settings_text(spec): spec for spec in specs} | {OWN: plain}


def told(taken: dict[str, list[tuple[int, ...]]]) -> bool:
    """A line for each setting, in shares of the best's time; whether none is faster."""
    best, *others = taken
    print(f"  {duration(np.median(np.concatenate(taken[best]))):>8}  {best}, best of the sweep")
    beaten = []
    for words in others:
        found = sweep_results.gain(taken[best], taken[words])
        middle = duration(np.median(np.concatenate(taken[words])))
        ratio = f"{found.ratio:.3f} ({found.low:.3f} to {found.high:.3f})"
        print(f"  {middle:>8}  {words}: {ratio}, {found.verdict}")
        beaten += [words] if found.verdict is Verdict.FASTER else []
    print(f"  not confirmed: {'; '.join(beaten)}" if beaten else "  confirmed")
    return not beaten


def check(pairs: int = 100) -> None:
    """How often the 95% interval holds the truth, and equal settings are told apart."""
    draw = np.random.default_rng(1)
    for starts, between in ((4, 0.0), (4, 0.03), (8, 0.03)):
        held = apart = 0
        for _ in range(pairs):
            sides = [
                [
                    tuple((2e6 * s * draw.lognormal(0, 0.04, 25)).astype(np.int64))
                    for s in draw.lognormal(0, between, starts)
                ]
                for _ in range(2)
            ]
            found = sweep_results.gain(*sides)
            held += (found.low or 0) <= 1 <= (found.high or 0)
            apart += found.verdict.value in ("faster", "slower")
        line = f"{starts:2} starts, {between:.0%} between starts: interval holds the truth"
        print(f"{line} in {100 * held / pairs:.1f}%, equal ones told apart {apart}/{pairs}")


def main() -> None:
    """Run what is asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--cache", type=Path, default=Path("out/sweep"))
    parser.add_argument("--starts", type=int, default=STARTS)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.starts < sweep_results.LEAST_STARTS:
        parser.error(
            f"--starts takes {sweep_results.LEAST_STARTS} at least: fewer tell nothing"
        )
    if options.check:
        check()
        return
    options.cache.mkdir(parents=True, exist_ok=True)
    models = variants(options.model, options.cache) if options.model else DIGITS
    file = options.cache / f"{models[0].stem}.sweep.json"
    if not options.again:
        broken_off(models, file)
    if not again(models, file, options.starts):
        sys.exit(1)


if __name__ == "__main__":
    main()
