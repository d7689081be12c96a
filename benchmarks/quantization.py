"""Static int8 by Inspector beside that of onnxruntime.quantization, on the same inputs.

`python -m benchmarks.quantization [MODEL ...]` quantizes the sample models, or those given,
with 16 random inputs, and prints for each way: SQNR in dB of the worst output and optimization
level on 8 other inputs, the fastest of 15 calls relative to the original, file size relative
to the original, and seconds; or why there is no result. The library gets the same ranges of
inputs, once with its default options and once with those that are Inspector's: channels have
own scales and weights 7 bits. Status 1 if Inspector's worst SQNR is more than 3 dB below both.
"""

import argparse
import logging
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import onnxruntime
from onnxruntime.quantization import (
    CalibrationDataReader,
    QuantFormat,
    QuantType,
    quantize_static,
)
from onnxruntime.quantization.shape_inference import quant_pre_process

from benchmarks.corpus.variants import feeds_of
from inspector.conversion import apply
from inspector.conversion.action import HIGHEST, LOWEST, parse_step
from inspector.conversion.registry import ACTIONS
from inspector.report.sensitivity import decibels

Feeds = Mapping[str, Any]
CALIBRATION, TEST, CALLS = 16, 8, 15
TOLERANCE_DB = 3.0  # of Inspector below the better result of the library; less is chance
LEVELS = (
    onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL,
    onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC,
    onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED,
    onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL,
)
_FLOATS = "fV"  # kinds of numpy types; bfloat16 is V


class Result(NamedTuple):
    """What one way of quantizing gave; problem: why there is no model that runs."""

    way: str
    sqnr_db: float | None = None
    time: float = 0.0
    size: float = 0.0
    seconds: float = 0.0
    problem: str = ""


class _Reader(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self, inputs: Sequence[Feeds]) -> None:
        self._rest: Iterator[Feeds] = iter(inputs)

    def get_next(self) -> Any:
        return next(self._rest, None)


def session(path: Path, level: Any = LEVELS[-1]) -> Any:
    """Open a model on one thread."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.graph_optimization_level = level
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"])


def own(step: str) -> Callable[[Path, Path, Sequence[Feeds]], None]:
    """Return the function that quantizes by a step of a recipe."""

    def quantize(source: Path, target: Path, inputs: Sequence[Feeds]) -> None:
        steps = [parse_step(step, ACTIONS)]
        made = apply.convert(source, steps, target.parent, name=target.name)
        if not made.observe:
            raise ValueError(made.effects[0].text)
        runtime = session(target.parent / made.files[0], LEVELS[1])
        ranges: dict[str, tuple[float, float]] = {}
        names = [name + ending for name in made.observe for ending in (LOWEST, HIGHEST)]
        for feeds in inputs:
            values = [float(value) for value in runtime.run(names, dict(feeds))]
            for name, low, high in zip(made.observe, values[::2], values[1::2], strict=True):
                if np.isfinite([low, high]).all():
                    before = ranges.get(name, (low, high))
                    ranges[name] = min(low, before[0]), max(high, before[1])
        apply.convert(source, steps, target.parent, ranges, name=target.name)

    return quantize


def library(**options: Any) -> Callable[[Path, Path, Sequence[Feeds]], None]:
    """Return the function that quantizes with onnxruntime.quantization."""

    def quantize(source: Path, target: Path, inputs: Sequence[Feeds]) -> None:
        prepared = target.with_name("prepared.onnx")
        with redirect_stdout(StringIO()):
            quant_pre_process(source, prepared, skip_symbolic_shape=True)
            quantize_static(
                prepared,
                target,
                _Reader(inputs),
                quant_format=QuantFormat.QDQ,
                activation_type=QuantType.QUInt8,
                weight_type=QuantType.QInt8,
                **options,
            )

    return quantize


WAYS = {
    "Inspector": own("int8"),
    "Inspector, uint8 weights": own("int8:weights=uint8"),
    "library": library(),
    "library, same options": library(per_channel=True, reduce_range=True),
}


def compare(source: Path, inputs: Sequence[Feeds]) -> Iterator[Result]:
    """Yield the result of each way on a model."""
    original = session(source)
    tested = inputs[CALIBRATION:]
    expected = [original.run(None, dict(feeds)) for feeds in tested]
    before = _fastest(original, tested[0])
    for name, quantize in WAYS.items():
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "quantized.onnx"
            start = perf_counter()
            try:
                quantize(source, target, inputs[:CALIBRATION])
                seconds = perf_counter() - start
                found = [_sqnr(session(target, level), tested, expected) for level in LEVELS]
                ratio = _fastest(session(target), tested[0]) / before
            except Exception as error:  # noqa: BLE001  what the library raises is its result
                text = " ".join(str(getattr(error, "why", "") or error).split())
                yield Result(name, problem=f"{type(error).__name__}: {text[:90]}")
                continue
            size = target.stat().st_size / source.stat().st_size
            level = min((each for each in found if each is not None), default=None)
            yield Result(name, level, ratio, size, seconds)


def _sqnr(runtime: Any, tested: Sequence[Feeds], expected: Sequence[Any]) -> float | None:
    signals: dict[int, float] = {}
    errors: dict[int, float] = {}
    for feeds, before in zip(tested, expected, strict=True):
        for place, (one, two) in enumerate(
            zip(before, runtime.run(None, dict(feeds)), strict=True)
        ):
            if isinstance(one, np.ndarray) and one.dtype.kind in _FLOATS:
                first, second = one.astype(float), two.astype(float)
                signals[place] = signals.get(place, 0.0) + float((first**2).sum())
                errors[place] = errors.get(place, 0.0) + float(((first - second) ** 2).sum())
    ratios = [10 * np.log10(signals[p] / error) for p, error in errors.items() if error]
    return float(min(ratios)) if ratios else None


def _fastest(runtime: Any, feeds: Feeds) -> float:
    times = []
    for _ in range(CALLS):
        start = perf_counter()
        runtime.run(None, dict(feeds))
        times.append(perf_counter() - start)
    return min(times)


def show(name: str, results: Sequence[Result]) -> bool:
    """Print the results of a model; return whether Inspector's is good enough."""
    print(name)
    for each in results:
        if each.problem:
            print(f"  {each.way:<26} {each.problem}")
            continue
        print(
            f"  {each.way:<26} {decibels(each.sqnr_db):>14}  time x{each.time:.2f}"
            f"  size x{each.size:.2f}  {each.seconds:5.1f} s",
            flush=True,
        )
    levels = {each.way: each.sqnr_db for each in results if not each.problem}
    theirs = [level for way, level in levels.items() if "library" in way and level is not None]
    mine = levels.get("Inspector")
    if not theirs or ("Inspector" in levels and mine is None):
        return True
    return mine is not None and mine >= max(theirs) - TOLERANCE_DB


def _noise(path: Path, seed: int) -> Feeds:
    random = np.random.default_rng(seed)
    return {
        name: random.standard_normal(array.shape).astype(array.dtype)
        if array.dtype.kind == "f"
        else array
        for name, array in feeds_of(path).items()
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", type=Path, metavar="MODEL")
    options = parser.parse_args(arguments)
    logging.disable(logging.WARNING)
    samples = Path(__file__).parent.parent / "sample_models"
    good = True
    for path in options.models or sorted(samples.glob("*_float32.onnx")):
        inputs = [_noise(path, seed) for seed in range(CALIBRATION + TEST)]
        good &= show(path.name, [*compare(path, inputs)])
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
