from pathlib import Path

import numpy as np
import pytest
from onnx import numpy_helper

from inspector.errors import BadInput
from inspector.model.model import Axis, TensorInfo
from inspector.preview.inputs.feeds import fill
from inspector.preview.inputs.image import ImageOptions
from inspector.preview.inputs.image_files import png


def info(*shape: Axis, dtype: str = "float32") -> TensorInfo:
    return TensorInfo("x", "tensor", dtype, shape)


def written(folder: Path, name: str, body: bytes) -> str:
    (folder / name).write_bytes(body)
    return str(folder / name)


def test_a_tensor_of_onnx_must_have_the_type_of_the_input(tmp_path):
    body = numpy_helper.from_array(np.ones((1, 2), np.float32)).SerializeToString()
    path = written(tmp_path, "x.pb", body)
    assert fill(info(1, 2), path, {}).array.tolist() == [[1, 1]]
    with pytest.raises(BadInput, match="it contains float32, but the input expects float16"):
        fill(info(1, 2, dtype="float16"), path, {})


def test_text_is_one_string_or_one_a_line_or_bytes(tmp_path):
    path = written(tmp_path, "x.txt", "grün\nblau".encode())
    assert fill(info(1, dtype="string"), path, {}).array.tolist() == ["grün\nblau"]
    assert fill(info("n", dtype="string"), path, {}).array.tolist() == ["grün", "blau"]
    octets = fill(info("batch", "n", dtype="uint8"), path, {})
    assert octets.array.tobytes() == "grün\nblau".encode()
    with pytest.raises(BadInput, match="cannot be stored as float32"):
        fill(info("n"), path, {})


def test_a_model_that_takes_a_file_gets_its_bytes(tmp_path):
    body = png(np.zeros((4, 4, 3), np.uint8))
    filled = fill(info("n", dtype="uint8"), written(tmp_path, "x.png", body), {})
    assert filled.array.tobytes() == body
    filled = fill(info("n", dtype="uint8"), written(tmp_path, "x.bin", b"abc"), {})
    assert filled.array.tolist() == [97, 98, 99]


def test_a_picture_for_a_table_is_refused(tmp_path):
    path = written(tmp_path, "x.png", png(np.zeros((4, 4, 3), np.uint8)))
    with pytest.raises(BadInput, match="type and shape are float32 batch×13"):
        fill(info("batch", 13), path, {})


def test_a_picture_fills_one_square_without_an_axis_of_channels(tmp_path):
    path = written(tmp_path, "x.png", png(np.full((28, 28, 3), 255, np.uint8)))
    assert fill(info(1, 28, 28), path, {}).array.tolist() == np.ones((1, 28, 28)).tolist()
    with pytest.raises(BadInput, match="an image cannot fill this input"):
        fill(info(1, 20, 28), path, {})


def test_an_unknown_kind_of_file_lists_the_known_ones(tmp_path):
    with pytest.raises(BadInput, match=r"\.npy, \.npz, \.pb"):
        fill(info(1), written(tmp_path, "x.docx", b"x"), {})


def test_rows_of_a_table_are_the_batch(tmp_path):
    path = written(tmp_path, "x.csv", b"a,b\n1,2\n3,4\n5,6\n")
    filled = fill(info("batch", 2), path, {})
    assert filled.array.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert "header" in filled.description
    assert fill(info(1, 2, 3), path, {}).array.shape == (1, 2, 3)


def test_sound_is_laid_along_the_samples_at_the_rate_of_the_metadata(shared):
    path = str(shared / "media/audio/yes_1000ms.wav")
    whole = fill(info("batch", "samples"), path, {})
    assert whole.array.shape == (1, 16000)
    assert "16,000 Hz" in whole.description
    framed = fill(info("batch", "samples"), path, {"samples": 512})
    assert np.array_equal(framed.array, whole.array[:, :512])
    options = ImageOptions(metadata=(("sample_rate", "8000"),))
    half = fill(info("batch", 12000, 1, dtype="int16"), path, {}, options)
    assert half.array.shape == (1, 12000, 1)
    assert not half.array[:, 8000:].any()
    assert "8,000 and 4,000 zeros" in half.description
    with pytest.raises(BadInput, match="expects int64"):
        fill(info("batch", "samples", dtype="int64"), path, {})
    with pytest.raises(BadInput, match="it is a sound, but the input expects 1×3×224×224"):
        fill(info(1, 3, 224, 224), path, {})


def test_the_size_of_a_free_picture_can_be_set_by_dimension(tmp_path):
    path = written(tmp_path, "x.png", png(np.zeros((20, 30, 3), np.uint8)))
    free = info("batch", 3, "height", "width")
    assert fill(free, path, {}).array.shape == (1, 3, 20, 30)
    sized = fill(free, path, {"height": 10, "width": 12, "batch": 2})
    assert sized.array.shape == (2, 3, 10, 12)
