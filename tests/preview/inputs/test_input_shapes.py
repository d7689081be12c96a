from dataclasses import replace

import numpy as np
import pytest

from inspector.errors import BadInput
from inspector.model.model import Axis, TensorInfo
from inspector.preview.inputs import input_shapes


def info(*shape: Axis, dtype: str = "float32") -> TensorInfo:
    return TensorInfo("x", "tensor", dtype, shape)


def test_free_axes_get_the_given_length_or_one():
    free = info("batch", None, 4)
    assert input_shapes.shape_of(free, {}) == (1, 1, 4)
    assert input_shapes.shape_of(free, {"batch": 2, "x[1]": 3}) == (2, 3, 4)
    assert input_shapes.shape_of(TensorInfo("x", "tensor", "float32", None), {}) == (1,)
    assert input_shapes.shape_of(info(), {}) == ()


def test_values_for_an_input_of_unknown_rank_keep_their_shape():
    given, unknown = np.zeros((2, 3)), TensorInfo("x", "tensor", "float32", None)
    assert input_shapes.reshaped(given, unknown, {}, "x.csv").shape == (2, 3)


def test_a_dimension_that_is_too_long_is_named():
    with pytest.raises(BadInput, match=r"limit of 2\.00 GiB; batch is 1,000,000,000") as raised:
        input_shapes.shape_of(info("batch", 4), {"batch": 10**9})
    assert "batch" in raised.value.hint


def test_a_dimension_nobody_has_is_corrected():
    with pytest.raises(BadInput, match="Did you mean 'batch'"):
        input_shapes.check_dimensions([info("batch", 4)], {"bacth": 1})
    with pytest.raises(BadInput, match="Available: 'x\\[0\\]'"):
        input_shapes.check_dimensions([info(None, 4)], {"batch": 1})
    with pytest.raises(BadInput, match="cannot be -1"):
        input_shapes.check_dimensions([info("batch", 4)], {"batch": -1})


def test_an_array_of_the_right_type_and_shape_passes_as_it_is():
    array = np.arange(8, dtype=np.float32).reshape(2, 4)
    assert input_shapes.checked(array, "", info("batch", 4), {}, "x.npy") is not None
    assert input_shapes.lengths_in(info("batch", 4), array) == {"batch": 2}


def test_byte_order_is_made_native_and_memory_order_left_to_the_engine():
    foreign = np.asfortranarray(np.arange(8, dtype=">f4").reshape(2, 4))
    native = input_shapes.checked(foreign, "", info("batch", 4), {}, "x.npy")
    assert native.dtype == np.dtype("<f4" if np.little_endian else ">f4")
    assert native.dtype.isnative
    assert native.flags.f_contiguous
    assert np.array_equal(native, foreign)
    cut = np.arange(16, dtype=np.float32).reshape(2, 8)[:, ::2]
    assert input_shapes.checked(cut, "", info("batch", 4), {}, "x.npy").flags.c_contiguous


def test_other_real_numbers_may_stay_where_the_engine_casts():
    array = np.zeros((2, 4), np.float32)
    half = replace(info("batch", 4), dtype="float16")
    with pytest.raises(BadInput, match=r"(?s)Convert the values with .* --cast; or"):
        input_shapes.checked(array, "", half, {}, "x.npy")
    assert input_shapes.checked(array, "", half, {}, "x.npy", cast=True).dtype == np.float32
    with pytest.raises(BadInput):
        input_shapes.checked(array.astype(np.int32), "", half, {}, "x.npy", cast=True)


@pytest.mark.parametrize(
    ("shape", "dimensions", "reason"),
    [
        ((2, 5), {}, "its shape is 2×5, but the input expects batch×4"),
        ((2, 4), {"batch": 3}, "expects 3×4"),
        ((4,), {}, "Add the missing first axis"),
        ((1, 2, 4), {}, "its shape is 1×2×4"),
    ],
)
def test_another_shape_is_refused(shape, dimensions, reason):
    with pytest.raises(BadInput, match=reason):
        input_shapes.checked(
            np.zeros(shape, np.float32), "", info("batch", 4), dimensions, "x.npy"
        )


def test_another_type_is_refused_with_the_way_out():
    array = np.zeros((1, 4), np.int32)
    with pytest.raises(BadInput, match=r"astype\('int64'\)"):
        input_shapes.checked(array, "", info(1, 4, dtype="int64"), {}, "x.npy")
    half = info(1, 4, dtype="float16")
    with pytest.raises(BadInput, match=r"Convert the values.*float16.*float32"):
        input_shapes.checked(array.astype(np.float32), "", half, {}, "x.npy")


def test_types_that_numpy_files_cannot_name_are_taken_by_their_size():
    raw = np.array([1.5, -2], np.float32).view(np.uint16)[1::2].view("V2").reshape(1, 2)
    read = input_shapes.checked(raw, "", info(1, 2, dtype="bfloat16"), {}, "x.npy")
    assert read.astype(np.float32).tolist() == [[1.5, -2]]


def test_fixed_width_texts_become_strings():
    read = input_shapes.checked(
        np.array(["a", "bc"]), "", info("n", dtype="string"), {}, "x.npy"
    )
    assert read.dtype == object
    assert read.tolist() == ["a", "bc"]


def test_values_without_a_shape_take_the_one_of_the_input():
    values = np.arange(12)
    assert input_shapes.reshaped(values, info("batch", 4), {}, "x").shape == (3, 4)
    assert input_shapes.reshaped(values, info("b", "c", 3), {}, "x").shape == (4, 1, 3)
    assert input_shapes.reshaped(values, info(1, 12), {}, "x").shape == (1, 12)
    with pytest.raises(BadInput, match="12 values"):
        input_shapes.reshaped(values, info(1, 5), {}, "x")
    with pytest.raises(BadInput, match="12 values"):
        input_shapes.reshaped(values, info("batch", 5), {}, "x")


@pytest.mark.parametrize(
    ("shape", "dimensions", "laid", "words"),
    [
        (("n",), {}, (6,), "6"),
        (("batch", "n"), {}, (1, 6), "6"),
        (("batch", "n"), {"n": 4}, (1, 4), "the first 4 of 6"),
        ((1, 8), {}, (1, 8), "6 and 2 zeros"),
        ((None, 8, 1), {}, (1, 8, 1), "6 and 2 zeros"),
    ],
)
def test_a_row_is_cut_or_padded_and_says_so(shape, dimensions, laid, words):
    row, told = input_shapes.laid_out(np.arange(1, 7), info(*shape), dimensions, "x")
    assert (row.shape, told) == (laid, words)
    assert row.ravel()[:4].tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize("shape", [(1, 3, 3), ()])
def test_a_row_goes_neither_into_a_plane_nor_into_a_scalar(shape):
    with pytest.raises(BadInput, match="not a single row"):
        input_shapes.laid_out(np.arange(6), info(*shape), {}, "x")
