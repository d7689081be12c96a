import os

import ml_dtypes
import numpy as np
import pytest

from inspector.errors import BadInput, UnreadableFile
from inspector.formats.opening import open_model
from inspector.model.model import Axis, TensorInfo
from inspector.preview.inputs.feeds import (
    ImageOptions,
    caution,
    defaults,
    feeds_by_name,
    fill,
    fill_all,
)
from inspector.preview.inputs.image_files import png
from inspector.preview.inputs.input_files import inputs_in
from tests.conversion.conversions import saved


def info(name: str, *shape: Axis, dtype: str = "float32") -> TensorInfo:
    return TensorInfo(name, "tensor", dtype, shape)


def test_a_recipe_fills_the_shape_that_the_dimensions_give():
    assert fill(info("x", "batch", 3), "ones", {"batch": 2}).array.tolist() == [[1, 1, 1]] * 2
    assert fill(info("x", "batch", 3), "zeros", {}).array.shape == (1, 3)
    assert fill(info("x", 4, dtype="int32"), "random:5", {}).array.dtype == np.int32


def test_a_file_decides_the_free_axes(tmp_path):
    np.save(tmp_path / "x.npy", np.ones((5, 3), np.float32))
    filled = fill(info("x", "batch", 3), str(tmp_path / "x.npy"), {})
    assert filled.array.shape == (5, 3)
    assert filled.value == "x.npy"


def test_a_picture_is_prepared_as_guessed_or_as_told(tmp_path):
    pixels = np.zeros((8, 8, 3), np.uint8)
    pixels[:, :, 0] = 255
    (tmp_path / "red.png").write_bytes(png(pixels))
    image, path = info("x", "batch", 3, 8, 8), str(tmp_path / "red.png")
    guessed = fill(image, path, {})
    assert guessed.array[0, :, 0, 0].tolist() == [1, 0, 0]
    assert "8 × 8" in guessed.description
    told = fill(image, path, {"batch": 2}, ImageOptions(order="bgr", scale="-1..1")).array
    assert told[1, :, 0, 0].tolist() == [-1, -1, 1]


def test_a_typing_error_is_corrected():
    with pytest.raises(BadInput, match="Did you mean 'zeros'"):
        fill(info("x", 1), "zeroes", {})
    with pytest.raises(BadInput, match="Did you mean 'image'"):
        fill_all([info("image", 1)], {"imgae": "zeros"}, {})
    with pytest.raises(BadInput, match="Did you mean 'batch'"):
        fill_all([info("image", "batch")], {}, {"bach": 2})


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(UnreadableFile, match="no such file"):
        fill(info("x", 1), str(tmp_path / "x.npy"), {})


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_told_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.npy")
    with pytest.raises(UnreadableFile, match="not a regular file"):
        fill(info("x", 1), str(tmp_path / "pipe.npy"), {})


def test_an_opaque_value_is_refused_by_name():
    values = TensorInfo("x", "opaque", "opaque(a, b)", None)
    for attempt in (lambda: fill(values, "zeros", {}), lambda: defaults([values], {})):
        with pytest.raises(BadInput, match=r"'x'.*opaque"):
            attempt()


def test_inputs_that_share_an_axis_agree_with_the_file(tmp_path):
    np.save(tmp_path / "ids.npy", np.zeros((2, 7), np.int64))
    ids = info("ids", "batch", "length", dtype="int64")
    mask = info("mask", "batch", "length", dtype="int64")
    noise = info("noise", "batch", 4)
    values = {"noise": "random:1", "ids": str(tmp_path / "ids.npy")}
    filled = fill_all([mask, ids, noise], values, {})
    assert [(one.name, one.array.shape) for one in filled] == [
        ("mask", (2, 7)),
        ("ids", (2, 7)),
        ("noise", (2, 4)),
    ]
    assert [one.given for one in filled] == [False, True, True]


def test_files_that_disagree_about_an_axis_are_refused(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((2, 3), np.float32))
    np.save(tmp_path / "b.npy", np.zeros((4, 3), np.float32))
    both = [info("a", "batch", 3), info("b", "batch", 3)]
    values = {name: str(tmp_path / f"{name}.npy") for name in "ab"}
    with pytest.raises(BadInput, match="its shape is 4×3, but the input expects 2×3"):
        fill_all(both, values, {})


def test_what_nobody_gives_is_chosen_to_work_and_says_how():
    filled = {
        one.name: one
        for one in defaults(
            [info("input", None, None), info("state", 2, None, 128), info("sr", dtype="int64")],
            {},
        )
    }
    assert filled["input"].array.shape == (1, 576)  # a window of Silero VAD
    assert filled["input"].array.std() > 0.2
    assert not filled["state"].array.any()
    assert filled["sr"].array == 16000
    assert filled["sr"].array.dtype == np.int64
    assert all(one.description and not one.given for one in filled.values())


def test_a_length_nobody_could_hold_is_refused_before_anything_is_made():
    with pytest.raises(BadInput, match="batch is 100,000,000,000"):
        fill_all([info("x", "batch", 3, 224, 224)], {}, {"batch": 10**11})


def test_recorded_inputs_of_one_run_fill_all_inputs_that_the_file_names(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    sums (float[n] x, float[n] y, float[n] z) => (float[n] all) {
        some = Add (x, y)
        all = Add (some, z)
    }"""
    model = open_model(saved(tmp_path, text))
    x, y = np.array([1, 2, 3], np.float32), np.array([4, 5, 6], np.float32)
    np.savez(tmp_path / "run-0.npz", x=x, y=y)
    path = tmp_path / "run-0.npz"
    named = dict.fromkeys(inputs_in(path, model.inputs), str(path))
    feeds = feeds_by_name(fill_all(model.inputs, named, {}))
    np.testing.assert_array_equal(feeds["x"], x)
    np.testing.assert_array_equal(feeds["y"], y)
    assert feeds["z"].shape == (3,), "the default has the length that the file brings"


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


INPUTS = tuple(TensorInfo(n, "tensor", "float32", ("n", 1)) for n in ("age", "height", "mass"))


def test_a_table_an_archive_and_an_object_name_inputs(tmp_path):
    (tmp_path / "a.csv").write_text("age;mass;other\n1;2;3\n")
    (tmp_path / "a.json").write_text('{"age": [1], "mass": [2]}')
    np.savez(tmp_path / "a.npz", mass=np.ones(1), age=np.ones(1))
    for name in ("a.csv", "a.json", "a.npz"):
        assert inputs_in(tmp_path / name, INPUTS) == ("age", "mass")


@pytest.mark.parametrize(
    ("name", "body"), [("a.txt", "age"), ("a.json", "[1]"), ("b.json", "{")]
)
def test_other_files_name_none(tmp_path, name, body):
    (tmp_path / name).write_text(body)
    assert inputs_in(tmp_path / name, INPUTS) == ()


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, ml_dtypes.bfloat16])
def test_nan_and_infinite_elements_are_counted(kind):
    array = np.array([1, np.nan, np.inf, -np.inf], kind)
    assert caution(array).startswith("1 NaN and 2 infinite of 4 elements")
    assert caution(np.ones(3, kind)) == ""


def test_an_empty_tensor_names_its_axis():
    assert caution(np.zeros((2, 0, 3), np.float32)).startswith("empty: axis 1 has size 0")


def test_whole_numbers_and_texts_are_never_odd():
    assert caution(np.array(["nan"], object)) == ""
    assert caution(np.zeros(3, np.int8)) == ""
