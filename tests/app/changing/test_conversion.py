"""Checks of converted models at every optimization level."""

from pathlib import Path

import numpy as np
import pytest
from onnx import helper, save

from inspector.app.changing import calibration
from inspector.app.changing import conversion as conversions
from inspector.conversion.action import (
    AVERAGE,
    HIGHEST,
    LOWEST,
    MINMAX,
    Converted,
    Picture,
    Step,
)
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput, EngineFailed
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.report.run_spec import LEVELS
from tests import models as onnx_models

pytestmark = pytest.mark.engine
FEEDS = {"x": np.array([[1.0, 0.0]], np.float32)}


def model(folder: Path, operator: str) -> Path:
    """Write y = operator(x): Log of 0 is minus infinity by design."""
    values = [onnx_models.value(name, (1, 2)) for name in "xy"]
    node = helper.make_node(operator, ["x"], ["y"], "only")
    path = folder / f"{operator}.onnx"
    save(onnx_models.model([node], values[:1], values[1:]), path)
    return path


def test_infinities_of_the_original_are_no_fault_of_the_conversion(tmp_path):
    path = model(tmp_path, "Log")
    with EngineProcess() as engine:
        made = conversions.convert(engine, path, [Step("opset")], tmp_path, name="new.onnx")
        assert conversions.checked(engine, made, [FEEDS]).problem == ""


def test_infinities_that_only_the_result_has_are_its_problem(tmp_path):
    path, other = model(tmp_path, "Relu"), model(tmp_path, "Log")
    with EngineProcess() as engine:
        made = conversions.convert(engine, path, [Step("opset")], tmp_path, name="new.onnx")
        made.path.write_bytes(other.read_bytes())
        checked = conversions.checked(engine, made, [FEEDS])
    assert "1 value of output 'y' is NaN or infinite" in checked.problem
    assert all(check.not_finite for check in checked.levels)


class Observed:
    """Stands for an engine: one input has a range, one fails, one has no finite value."""

    def __init__(self, *ranges: tuple[float, float] | None) -> None:
        self._ranges = iter(ranges)

    def predict(self, *_: object) -> Prediction:
        given = next(self._ranges)
        if given is None:
            raise EngineFailed("Could not run m.onnx", "its shape does not fit")
        ends = zip(("a" + LOWEST, "a" + HIGHEST), given, strict=True)
        return Prediction(
            tuple(array_output(name, value) for name, value in ends), ("cpu",), 1, 0
        )


def array_output(name: str, value: float) -> OutputValue:
    return OutputValue(name, "tensor", "float32", np.array([value], np.float32))


@pytest.mark.parametrize(
    ("method", "given", "found"),
    [
        (MINMAX, [(-1.0, 2.0), (-3.0, 1.0)], {"a": (-3.0, 2.0)}),
        (AVERAGE, [(-1.0, 2.0), (-3.0, 1.0)], {"a": (-2.0, 1.5)}),
        (MINMAX, [None, (0.0, 1.0)], {"a": (0.0, 1.0)}),
        (MINMAX, [(0.0, 1.0), None], {"a": (0.0, 1.0)}),
        (MINMAX, [(np.nan, 1.0), (0.0, np.inf)], {}),
    ],
)
def test_ranges_hold_the_values_of_all_inputs_that_ran(method, given, found):
    engine, converted = (
        Observed(*given),
        Converted(("m.onnx",), (), observe=("a",), method=method),
    )
    feeds = calibration.named([FEEDS] * len(given))
    ranges = calibration.measured_ranges(engine, Path("m.onnx"), converted, feeds)
    assert ranges == found


def test_where_no_input_runs_the_last_reason_is_told():
    converted = Converted(("m.onnx",), (), observe=("a",))
    with pytest.raises(BadInput, match=r"2 of 2 calibration inputs .* its shape does not fit"):
        calibration.measured_ranges(
            Observed(None, None), Path("m.onnx"), converted, calibration.named([FEEDS, FEEDS])
        )


@pytest.mark.parametrize(("layout", "axis"), [("nchw", 1), ("nhwc", 3)])
def test_a_picture_is_made_of_a_models_values_and_back(layout, axis):
    picture = Picture("p", "x", (2.0, 4.0, 8.0), (1.0, 0.0, -1.0), (2, 1, 0), layout)
    codes = np.arange(24, dtype=np.uint8).reshape(1, 2, 4, 3)  # red, green, blue
    values = codes[..., ::-1] * np.array([2.0, 4.0, 8.0]) + np.array([1.0, 0.0, -1.0])
    values = np.moveaxis(values, 3, axis).astype(np.float32)
    found, exact = conversions._as_picture(picture, values + np.float32(0.4))
    assert found.dtype == np.uint8
    np.testing.assert_array_equal(found, codes)
    np.testing.assert_allclose(exact, values)
    beyond, _ = conversions._as_picture(picture, np.full_like(values, 1e6))
    assert (beyond == 255).all()


def test_a_model_that_does_not_open_fails_at_each_level(tmp_path):
    path = model(tmp_path, "NoSuchOperator")
    with EngineProcess() as engine:
        checks = conversions.level_checks(engine, path, [FEEDS])
    assert [check.level for check in checks] == list(LEVELS)
    assert all(check.problem and not check.not_finite for check in checks)
