"""Checks of converted models at every optimization level."""

from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, save

from inspector.conversion.action import Step
from inspector.engine.client.engine_process import EngineProcess
from inspector.experiments import conversion as conversions

pytestmark = pytest.mark.engine
FEEDS = {"x": np.array([[1.0, 0.0]], np.float32)}


def model(folder: Path, operator: str) -> Path:
    """Write y = operator(x): Log of 0 is minus infinity by design."""
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, (1, 2)) for name in "xy"]
    node = helper.make_node(operator, ["x"], ["y"], "only")
    graph = helper.make_graph([node], "graph", values[:1], values[1:])
    opsets = [helper.make_opsetid("", 17)]
    path = folder / f"{operator}.onnx"
    save(helper.make_model(graph, opset_imports=opsets, ir_version=8), path)
    return path


def test_infinities_of_the_original_are_no_fault_of_the_conversion(tmp_path: Path) -> None:
    path = model(tmp_path, "Log")
    with EngineProcess() as engine:
        made = conversions.convert(engine, path, [Step("opset")], tmp_path, name="new.onnx")
        assert conversions.checked(engine, made, [FEEDS]).problem == ""


def test_infinities_that_only_the_result_has_are_its_problem(tmp_path: Path) -> None:
    path, other = model(tmp_path, "Relu"), model(tmp_path, "Log")
    with EngineProcess() as engine:
        made = conversions.convert(engine, path, [Step("opset")], tmp_path, name="new.onnx")
        made.path.write_bytes(other.read_bytes())
        checked = conversions.checked(engine, made, [FEEDS])
    assert "1 value of output 'y' is NaN or infinite" in checked.problem
    assert all(check.not_finite for check in checked.levels)


def test_a_model_that_does_not_open_fails_at_each_level(tmp_path: Path) -> None:
    path = model(tmp_path, "NoSuchOperator")
    with EngineProcess() as engine:
        checks = conversions.level_checks(engine, path, [FEEDS])
    assert [check.level for check in checks] == list(conversions.LEVELS)
    assert all(check.problem and not check.not_finite for check in checks)
