"""Inputs as numbers that somebody typed, and as files without a header."""

import numpy as np
import pytest

from inspector.errors import BadInput, UnreadableFile
from inspector.model.model import TensorInfo
from inspector.preview.inputs.feeds import fill

ROW = TensorInfo("x", "tensor", "float32", ("batch", 4))
PIXELS = TensorInfo("x", "tensor", "float32", (1, 2, 2, 3))


def test_typed_lists_become_the_tensor():
    filled = fill(ROW, "[[5.1, 3.5, 1.4, 0.2]]", {})
    assert filled.array.dtype == np.float32
    assert filled.array.tolist() == np.array([[5.1, 3.5, 1.4, 0.2]], np.float32).tolist()
    assert filled.value == "[[5.1, 3.5, 1.4, 0.2]]"
    assert fill(ROW, "[1,2,3,4,5,6,7,8]", {}).array.shape == (2, 4)
    words = TensorInfo("t", "tensor", "string", (None,))
    assert fill(words, '["a", "b"]', {}).array.tolist() == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "why"),
    [("[[1, 2, 3]]", "3 values"), ("[[1, 2], [3]]", "length"), ("[1, a]", "it is not a list")],
)
def test_lists_that_do_not_fit_are_refused(text, why):
    with pytest.raises(BadInput, match=why):
        fill(ROW, text, {})


def test_a_raw_file_has_the_type_and_shape_of_the_input(tmp_path):
    values = np.arange(8, dtype="<f4")
    (tmp_path / "x.bin").write_bytes(values.tobytes())
    filled = fill(ROW, str(tmp_path / "x.bin"), {})
    assert filled.array.tolist() == values.reshape(2, 4).tolist()
    assert filled.value == "x.bin"
    (tmp_path / "x.bin").write_bytes(b"12345")
    with pytest.raises(UnreadableFile, match="an element of float32 takes 4"):
        fill(ROW, str(tmp_path / "x.bin"), {})


def test_a_raw_file_can_say_its_own_type_and_shape(tmp_path):
    path = tmp_path / "x.raw"
    path.write_bytes(bytes(range(12)))
    array = fill(PIXELS, f"{path}:uint8:1x2x2x3", {}).array
    assert (array.dtype, array.ravel().tolist()) == (np.float32, list(range(12)))
    with pytest.raises(BadInput, match="its shape is 1×3×2×2"):  # never laid out anew
        fill(PIXELS, f"{path}:uint8:1x3x2x2", {})
    with pytest.raises(UnreadableFile, match="takes 48") as error:
        fill(PIXELS, str(path), {})
    assert "x.raw:uint8" in error.value.hint
