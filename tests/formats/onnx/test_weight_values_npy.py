import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.errors import NotSaved, UnreadableFile
from inspector.formats.onnx.weight_values import save as save_npy
from inspector.formats.opening import open_model
from tests.formats.build import add, model, ramp, save, weight


def test_an_array_comes_back_from_the_file(tmp_path):
    array = ramp(600_000).reshape(3, 1000, 200)
    path = save(model([add()], [weight("w", array)]), tmp_path / "m.onnx")
    save_npy(path, open_model(path).weights[0], tmp_path / "w.npy")
    found = np.load(tmp_path / "w.npy")
    assert found.dtype == np.float32
    assert (found == array).all()


def test_types_that_numpy_has_not_are_saved_exactly_as_another(tmp_path):
    kinds = {
        TensorProto.BFLOAT16: np.float32,
        TensorProto.INT4: np.int8,
        TensorProto.BOOL: bool,
    }
    for kind, saved in kinds.items():
        array = np.array([0, 1, 1]).astype(helper.tensor_dtype_to_np_dtype(kind))
        tensor = numpy_helper.from_array(array, "w")
        path = save(model([add()], [tensor]), tmp_path / "m.onnx")
        save_npy(path, open_model(path).weights[0], tmp_path / "w.npy")
        found = np.load(tmp_path / "w.npy")
        assert found.dtype == saved
        assert found.tolist() == [0, 1, 1]


def test_a_failure_leaves_the_earlier_file(tmp_path):
    target = tmp_path / "w.npy"
    target.write_bytes(b"earlier")
    texts = helper.make_tensor("w", TensorProto.STRING, [1], [b"a"])
    path = save(model([add()], [texts, weight("v", ramp(4))]), tmp_path / "m.onnx")
    text, numbers = open_model(path).weights
    with pytest.raises(UnreadableFile, match="these are strings"):
        save_npy(path, text, target)
    with pytest.raises(NotSaved):
        save_npy(path, numbers, tmp_path / "no such folder" / "w.npy")
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(UnreadableFile, match="was truncated"):
        save_npy(path, numbers, target)
    assert target.read_bytes() == b"earlier"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["m.onnx", "w.npy"]
