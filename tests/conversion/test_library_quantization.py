"""Quantization by onnxruntime.quantization, as it is offered here."""

import numpy as np
import onnx
import pytest

from inspector.app.changing import conversion
from inspector.conversion.action import parse_step
from inspector.conversion.registry import ACTIONS
from inspector.engine.client.engine_process import EngineProcess
from tests.conversion.conversions import converted, effect, outputs, saved


def pictures(count: int) -> list[dict[str, np.ndarray]]:
    rng = np.random.default_rng(0)
    return [{"picture": rng.random((1, 1, 8, 8), np.float32)} for _ in range(count)]


def test_dynamic_quantization_says_that_convolutions_become_slower(samples, tmp_path):
    path = samples / "digits_float32.onnx"
    said = effect(path, tmp_path, "int8-dynamic")
    assert said.touches == "3 Conv, 1 Gemm"
    assert "slower" in said.caution
    new, made = converted(path, tmp_path / "to", "int8-dynamic")
    assert new.stat().st_size < path.stat().st_size / 2
    assert any(name.startswith("onnxruntime.quantization 1.") for name in made.made_by)
    for feeds in pictures(3):
        before, after = outputs(path, feeds), outputs(new, feeds)
        for name, values in before.items():
            np.testing.assert_allclose(after[name], values, atol=0.05)
    assert [path.name for path in (tmp_path / "to").iterdir()] == [new.name]


def test_dynamic_quantization_reaches_subgraphs_and_float16(shared, samples, tmp_path):
    # The weights of the second are in the graph around the branches.
    for name in ("silero_vad_op16_if", "silero_vad_op18_ifless"):
        source = shared / "real" / f"{name}.onnx"
        new, _ = converted(source, tmp_path / name, "int8-dynamic")
        (layer,) = (node for node in onnx.load(new).graph.node if node.op_type == "If")
        inner = {node.op_type for each in layer.attribute for node in each.g.node}
        assert "ConvInteger" in inner
    new, _ = converted(samples / "digits_float16.onnx", tmp_path / "b", "int8-dynamic")
    assert "ConvInteger" in {node.op_type for node in onnx.load(new).graph.node}


def test_dynamic_quantization_has_nothing_to_do_without_float_weights(samples, tmp_path):
    for name, reason in (
        ("digits_int8_qdq", "already quantized"),
        (
            "wine_tabular",
            "the model has no Conv, MatMul, Gemm or LSTM layers with constant weights",
        ),
    ):
        assert reason in effect(samples / f"{name}.onnx", tmp_path, "int8-dynamic").nothing


@pytest.mark.engine
def test_integer_operators_are_made_with_ranges_of_the_calibration(samples, tmp_path):
    path = samples / "digits_float32.onnx"
    with EngineProcess() as engine:
        steps = [parse_step("int8-qoperator", ACTIONS)]
        made = conversion.convert(engine, path, steps, tmp_path, pictures(8))
        checked = conversion.checked(engine, made, pictures(2))
    assert checked.problem == ""
    operators = [node.op_type for node in onnx.load(made.path).graph.node]
    assert operators.count("QLinearConv") == 3
    assert "DequantizeLinear" in operators
    assert made.effects[0].touches == "3 Conv, 1 Gemm"


def test_integer_operators_inside_of_branches_are_refused_with_another_action(shared, tmp_path):
    found = effect(shared / "real" / "silero_vad_op16_if.onnx", tmp_path, "int8-qoperator")
    assert found.refused == "all layers with weights are in subgraphs of If, Loop or Scan"
    assert "'int8'" in found.hint


def test_expected_size_counts_a_shared_weight_once(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[1,256] x) => (float[1,256] y) {
      a = MatMul (x, w)  b = Relu (a)  y = MatMul (b, w)
    }"""
    weight = np.random.default_rng(0).standard_normal((256, 256)).astype(np.float32)
    path = saved(tmp_path, text, w=weight)
    for step in ("int8-qoperator", "int8-dynamic"):
        planned = effect(path, tmp_path, step)
        assert weight.nbytes / 4 < planned.bytes_after < weight.nbytes / 3
