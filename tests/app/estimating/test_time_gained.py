"""The change in latency by an action is told where it was validated, and nowhere else."""

from pathlib import Path
from typing import Any

import onnx
import pytest
from onnx import parser

from inspector.app.estimating import time_gained
from inspector.backends.onnxruntime.graphs.shape_inference import infer
from inspector.conversion.action import parse_step
from inspector.conversion.registry import ACTIONS
from inspector.conversion.result import Conversion
from inspector.report.improvement import Foretold
from inspector.report.run_spec import RunSpec

MODEL = """<ir_version: 8, opset_import: ["" : 17]>
net (float[1, 64] x) => (float[1, 64] y) <float[64, 64] w = {%s}> { %s }"""


class Engine:
    """Infers shapes in this process."""

    def shapes(self, path: Path, dimensions: Any, _: float) -> Any:
        return infer(path, dimensions)


def model(path: Path, layers: str) -> Path:
    onnx.save(parser.parse_model(MODEL % (", ".join(["1"] * 4096), layers)), path)
    return path


@pytest.fixture
def told(tmp_path, monkeypatch):
    """Return what is foretold of a model of which half the layers are gone."""
    one = model(tmp_path / "a.onnx", "a = MatMul (x, w) y = MatMul (a, w)")
    other = model(tmp_path / "b.onnx", "y = MatMul (x, w)")

    def foretold(spec: RunSpec, *steps: str, same: bool = True) -> Foretold | None:
        monkeypatch.setattr(
            time_gained, "measured_here", lambda _, __, device: (device.rates, same)
        )
        recipe = tuple(parse_step(step, ACTIONS) for step in steps)
        made = Conversion(other, recipe, (), (), (), original=one)
        return time_gained.time_gained(Engine(), made, spec)  # type: ignore[arg-type]

    return foretold


def test_the_ratio_is_that_of_the_layers_with_the_error_of_the_action(told):
    (error,) = (each for each in time_gained.known_errors() if each.action == "int8")
    found = told(RunSpec(threads=2), "int8:weights=uint8")
    assert 0.4 < found.ratio / error.factor < 0.95
    assert found.high / found.ratio == pytest.approx(error.bound)
    assert found.ratio / found.low == pytest.approx(error.bound)


@pytest.mark.parametrize(
    ("spec", "steps", "same"),
    [
        (RunSpec(threads=2), ("strip",), True),
        (RunSpec(threads=2), ("int8", "float16"), True),
        (RunSpec(threads=1), ("int8",), True),
        (RunSpec(threads=2, devices=("openvino:cpu",)), ("int8",), True),
        (RunSpec(threads=2), ("int8",), False),
    ],
    ids=["another action", "two actions", "threads", "device", "processor"],
)
def test_nothing_is_told_that_was_not_validated(told, spec, steps, same):
    assert told(spec, *steps, same=same) is None
