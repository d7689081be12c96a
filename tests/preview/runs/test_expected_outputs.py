from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import numpy_helper

from inspector.errors import BadInput, UnreadableFile
from inspector.formats.opening import open_model
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.runs.expected_outputs import (
    DataSet,
    Difference,
    compare,
    data_sets,
    data_sets_next_to,
    read,
    rounding,
)
from tests.analysis.build import layers, model, weight

X = TensorInfo("x", "tensor", "float32", ("n", 3))
Y = TensorInfo("y", "tensor", "float32", ("n", 3))
Array = NDArray[np.generic]


def held(
    wanted: object, got: object, dtype: str = "float32", **tolerances: float
) -> Difference:
    data = DataSet("d", {}, {"y": np.array(wanted, dtype)})
    values = OutputValue("y", "tensor", dtype, np.array(got, dtype))
    (difference,) = compare(data, [values], **tolerances)
    return difference


def store(folder: Path, name: str, array: Array) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(numpy_helper.from_array(array).SerializeToString())


def test_a_folder_holds_inputs_and_outputs_in_their_order(tmp_path):
    folder = tmp_path / "test_data_set_0"
    store(folder, "input_0.pb", np.ones((2, 3), np.float32))
    store(folder, "output_0.pb", np.zeros((2, 3), np.float32))
    data = read(folder, (X,), (Y,))
    assert data.feeds["x"].shape == (2, 3)
    assert not data.expected["y"].any()
    assert data_sets_next_to(tmp_path / "model.onnx") == data_sets(tmp_path) == (folder,)


def test_files_may_be_named_as_older_tools_did(tmp_path):
    store(tmp_path, "test_data_0_input.pb", np.ones((2, 3), np.float32))
    store(tmp_path, "test_data_0_output.pb", np.ones((2, 3), np.float32))
    assert set(read(tmp_path, (X,), (Y,)).expected) == {"y"}


def test_an_archive_names_them_or_has_one_answer_only(tmp_path):
    rows = np.ones((2, 3), np.float32)
    np.savez(tmp_path / "named.npz", x=rows, y=rows * 2)
    np.savez(tmp_path / "other.npz", x=rows, Add_26=rows * 2)
    for name in ("named.npz", "other.npz"):
        assert read(tmp_path / name, (X,), (Y,)).expected["y"].max() == 2
    np.savez(tmp_path / "none.npz", x=rows)
    with pytest.raises(BadInput, match="none of the model's outputs"):
        read(tmp_path / "none.npz", (X,), (Y,))


def test_sequences_of_equal_shapes_are_stacked(tmp_path):
    kind = TensorInfo("y", "sequence", "sequence(tensor(float32))", None)
    store(tmp_path, "input_0.pb", np.ones((1, 3), np.float32))
    parts = [np.full(2, i, np.float32) for i in range(3)]
    body = numpy_helper.from_list(parts).SerializeToString()
    (tmp_path / "output_0.pb").write_bytes(body)
    assert read(tmp_path, (X,), (kind,)).expected["y"].tolist() == [[0, 0], [1, 1], [2, 2]]


def test_a_folder_for_another_model_is_refused(tmp_path):
    store(tmp_path, "input_1.pb", np.ones(3, np.float32))
    with pytest.raises(BadInput, match="1 input"):
        read(tmp_path, (X,), (Y,))
    with pytest.raises(UnreadableFile):
        data_sets(tmp_path / "nowhere")


def test_values_within_the_tolerances_agree():
    assert held([1.0, 2.0], [1.0005, 2.0]).passed
    assert not held([1.0, 2.0], [1.002, 2.0]).passed
    assert held([1.0, 2.0], [1.002, 2.0], rtol=0.01).passed
    assert held([0.0], [0.01], atol=0.1).passed
    assert held([np.nan, np.inf], [np.nan, np.inf]).passed
    assert not held([np.inf], [1.0]).passed
    assert held(np.float32(1.0), np.float32(1.0)).passed


def test_coarse_types_may_be_off_by_a_step():
    assert held([0.397949], [0.398438], "float16").passed
    assert not held([0.397949], [0.40], "float16").passed


def test_where_an_output_is_wrong_is_told():
    difference = held([[1, 2], [3, 4]], [[1, 2], [3, 9]])
    assert difference.worst == (1, 1)
    assert difference.text() == "1 of 4 elements differ; at [1, 1] 9 instead of 4 (off by 5)"
    assert "not" not in held([1], [1]).text()


def test_texts_shapes_and_missing_outputs_are_told_apart():
    data = DataSet("d", {}, {"y": np.array(["a", "b"], object)})
    texts = OutputValue("y", "tensor", "string", np.array(["a", "c"], object))
    (difference,) = compare(data, [texts])
    assert (difference.wrong, difference.worst) == (1, (1,))
    assert "2×2" in held([1, 2], [[1, 2], [3, 4]]).problem
    assert "no tensor" in compare(data, [])[0].problem


def test_an_optional_may_be_empty(tmp_path):
    kind = TensorInfo("x", "optional", "optional(tensor(float32))", None)
    store(tmp_path, "output_0.pb", np.ones((1, 3), np.float32))
    empty = onnx.OptionalProto(name="x", elem_type=1)
    (tmp_path / "input_0.pb").write_bytes(empty.SerializeToString())
    assert read(tmp_path, (kind,), (Y,)).feeds == {}
    full = numpy_helper.from_optional(np.ones(2, np.float32))
    (tmp_path / "input_0.pb").write_bytes(full.SerializeToString())
    assert read(tmp_path, (kind,), (Y,)).feeds["x"].tolist() == [1, 1]


def test_rounding_grows_with_depth_and_with_fewer_bits(samples):
    def of(*operators: str, **more: object) -> float:
        chain = layers(*((name, f"v{n}", f"v{n + 1}") for n, name in enumerate(operators)))
        return rounding(model(chain, **more))

    weights = (weight("w", "float32", 4, 16),)
    assert of("Conv", weights=weights) == pytest.approx(4 * 1.2e-7)
    assert of(*["Conv"] * 9, weights=weights) == pytest.approx(3 * 4 * 1.2e-7)
    pair = ("QuantizeLinear", "DequantizeLinear")
    assert of(*pair, "Conv") == pytest.approx(2 / 127 * 2**0.5)
    assert of(*pair * 2, "Conv") == pytest.approx(2 / 127 * 2)
    assert of(*pair * 2000, "Conv") == 0.15
    assert 2 / 127 < rounding(open_model(samples / "digits_int8_qdq.onnx")) < 0.15


def test_elements_that_quantization_explains_pass_and_say_so():
    wrong = held([1.0, 2.0], [1.0, 2.5])
    accepted = replace(wrong, quantization=True)
    assert (wrong.passed, accepted.passed) == (False, True)
    assert accepted.text() == "1 of 2 elements differ as quantization makes them, max error 0.5"
    assert not replace(accepted, problem="its shape is 3").passed
