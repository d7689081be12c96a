"""Outputs that a model stores as integers come as the real numbers that they stand for."""

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.cli import main
from inspector.engine.client.engine_process import EngineProcess
from inspector.formats import output_scales
from inspector.model.tensors.prediction import Scale
from inspector.report.run_spec import RunSpec
from tests import models
from tests.command_line import output_of
from tests.formats.tflite import build
from tests.formats.tflite.build import Number, code, operator, subgraph, tensor

pytestmark = pytest.mark.engine
KINDS = {np.uint8: TensorProto.UINT8, np.int8: TensorProto.INT8, np.uint16: TensorProto.UINT16}
SCALE, LOGITS = np.float32(1 / 256), np.array([[2.0, 0.5, 1.0, -3.0]], np.float32)


def shares() -> np.ndarray:
    powers = np.exp(LOGITS - LOGITS.max())
    return powers / powers.sum()


def quantized(
    path: Path,
    kind: type[np.generic] = np.uint8,
    zero: int = 0,
    after: str = "",
    operators: bool = False,
) -> Path:
    """A Softmax whose result is stored as integers; after: an operator behind."""
    weights = {
        "bias": LOGITS,
        "scale": SCALE,
        "zero": kind(zero),
        "in_scale": np.float32(0.05),
        "in_zero": np.uint8(128),
        "shape": np.array([4, 1], np.int64),
    }
    last = "raw" if after else "y"
    nodes = [helper.make_node("Add", ["x", "bias"], ["logits"])]
    if operators:
        nodes += [
            helper.make_node("QuantizeLinear", ["logits", "in_scale", "in_zero"], ["codes"]),
            helper.make_node(
                "QLinearSoftmax", ["codes", "in_scale", "in_zero", "scale", "zero"], [last],
                domain="com.microsoft", opset=17, axis=-1,
            ),
        ]  # fmt: skip
    else:
        nodes += [
            helper.make_node("Softmax", ["logits"], ["shares"]),
            helper.make_node("QuantizeLinear", ["shares", "scale", "zero"], [last]),
        ]
    if after == "Reshape":
        nodes.append(helper.make_node("Reshape", [last, "shape"], ["y"]))
    elif after:
        nodes.append(helper.make_node(after, [last], ["y"]))
    return models.save(
        path,
        nodes,
        [models.value("x", [1, 4])],
        [models.value("y", [4, 1] if after else [1, 4], KINDS[kind])],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in weights.items()],
        opset=21,
    )


@pytest.mark.parametrize(
    ("kind", "zero", "after", "operators"),
    [
        (np.uint8, 0, "", False),
        (np.int8, -128, "", False),
        (np.uint16, 7, "", False),
        (np.uint8, 0, "Reshape", False),
        (np.int8, -128, "Transpose", False),
        (np.uint8, 0, "", True),
    ],
)
def test_integers_of_onnx_become_the_numbers_of_their_scale(
    kind, zero, after, operators, tmp_path
):
    path = quantized(tmp_path / "q.onnx", kind, zero, after, operators)
    feeds = {"x": np.zeros((1, 4), np.float32)}
    (codes,) = onnxruntime.InferenceSession(path).run(None, feeds)
    with EngineProcess() as engine:
        (output,) = engine.predict(path, RunSpec(), feeds).outputs
    assert output.array.dtype == np.float32
    assert (output.dtype, output.value_type) == (np.dtype(kind).name, "float32")
    assert (output.scale, output.zero_point) == (float(SCALE), zero)
    assert (output.array == (codes.astype(np.int32) - zero) * SCALE).all()
    assert np.abs(output.array.ravel() - shares().ravel()).max() < 0.02
    assert output.codes.dtype == kind
    assert (output.codes == codes).all()


def test_integers_without_a_known_scale_stay_integers(tmp_path):
    """DynamicQuantizeLinear computes its scale; an image of bytes has none."""
    node = helper.make_node("DynamicQuantizeLinear", ["x"], ["y", "scale", "zero"])
    path = models.save(
        tmp_path / "dynamic.onnx",
        [node],
        [models.value("x", [1, 4])],
        [models.value("y", [1, 4], TensorProto.UINT8)],
    )
    assert output_scales.of_outputs(path) == {}
    with EngineProcess() as engine:
        feeds = {"x": np.array([[0, 1, 2, 3]], np.float32)}
        (output,) = engine.predict(path, RunSpec(), feeds).outputs
    assert output.scale == 0
    assert output.array.dtype == np.uint8
    assert output.codes is output.array


def test_commands_show_probabilities_save_numbers_and_verify_integers(tmp_path):
    path, saved = quantized(tmp_path / "q.onnx"), tmp_path / "saved"
    argv = ["predict", str(path), "--input", "zeros", "--json", "--save", str(saved)]
    (output,) = json.loads(output_of(*argv, "--save-as", "npy,pb,csv"))["outputs"]
    assert output["reading"] == "classes"
    assert (output["dtype"], output["zero_point"]) == ("uint8", 0)
    assert output["scale"] == pytest.approx(1 / 256)
    # 0.598 of the Softmax, and no second softmax of 153 steps.
    assert output["top"][0]["probability"] == pytest.approx(shares().max(), abs=0.005)
    array = np.load(saved / "y.npy")
    assert array.dtype == np.float32
    assert array.max() == pytest.approx(shares().max(), abs=0.005)
    proto = onnx.TensorProto.FromString((saved / "y.pb").read_bytes())
    assert (numpy_helper.to_array(proto) == array).all()
    codes = np.rint(array * 256).astype(np.uint8)
    for name, stored in (("codes", codes), ("numbers", array)):
        np.savez(tmp_path / f"{name}.npz", x=np.zeros((1, 4), np.float32), y=stored)
        assert main.run(["verify", str(path), str(tmp_path / f"{name}.npz")]) == 0
    wrong = codes.copy()
    wrong[0, 0] -= 40
    np.savez(tmp_path / "wrong.npz", x=np.zeros((1, 4), np.float32), y=wrong)
    assert main.run(["verify", str(path), str(tmp_path / "wrong.npz")]) != 0


def tflite(path: Path) -> Path:
    def steps(scale: float, zero: int) -> dict[int, object]:
        return {
            2: np.array([scale], np.float32),
            3: np.array([zero], np.int64),
            6: Number("i4", 0),
        }

    tensors = [
        tensor("logits", (1, 4), build.INT8, quantization=steps(0.05, 0)),
        tensor("StatefulPartitionedCall:0", (1, 4), build.INT8,
               quantization=steps(1 / 256, -128)),
    ]  # fmt: skip
    options = build.Union(9, {0: Number("f4", 1.0)})
    layers = [operator(0, (0,), (1,), options)]
    path.write_bytes(build.model([code(25)], [subgraph(tensors, (0,), (1,), layers)], ()))
    return path


def test_scales_of_tensorflow_lite_are_those_of_the_file(tmp_path):
    path = tflite(tmp_path / "q.tflite")
    assert output_scales.of_outputs(path) == {"StatefulPartitionedCall:0": Scale(1 / 256, -128)}


@pytest.mark.skipif(find_spec("ai_edge_litert") is None, reason="needs the extra litert")
def test_litert_gives_the_numbers_that_its_integers_stand_for(tmp_path):
    from ai_edge_litert.interpreter import Interpreter

    path = tflite(tmp_path / "q.tflite")
    logits = np.array([[40, 10, 20, -60]], np.int8)
    plain = Interpreter(str(path))
    plain.allocate_tensors()
    plain.set_tensor(plain.get_input_details()[0]["index"], logits)
    plain.invoke()
    codes = plain.get_tensor(plain.get_output_details()[0]["index"])
    np.save(tmp_path / "logits.npy", logits)
    argv = ["predict", str(path), "--input", str(tmp_path / "logits.npy"), "--json"]
    (output,) = json.loads(output_of(*argv))["outputs"]
    assert output["values"] == ((codes.astype(np.int32) + 128) / 256).tolist()
    # "Stateful" in TensorFlow's name says nothing of a state.
    assert output["reading"] == "classes"
    assert output["top"][0]["probability"] == pytest.approx(shares().max(), abs=0.01)
