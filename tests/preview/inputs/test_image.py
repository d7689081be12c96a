from dataclasses import replace

import ml_dtypes
import numpy as np
import pytest

from inspector.errors import BadInput
from inspector.model.model import Axis, TensorInfo
from inspector.preview.inputs.image import ImageOptions, ImagePreprocessing, guess, prepare

RAMP = np.arange(256, dtype=np.uint8).reshape(16, 16, 1)
COLORS = np.dstack([RAMP, RAMP[::-1], np.full_like(RAMP, 9)])
SIXTEEN = ImagePreprocessing(16, 16)


def tensor(*shape: Axis, dtype: str = "float32") -> TensorInfo:
    return TensorInfo("x", "tensor", dtype, shape)


@pytest.mark.parametrize("dtype", ["uint8", "float16", "float32", "float64", "int32"])
def test_eight_bit_values_reach_every_type_without_loss(dtype):
    made = prepare(COLORS, SIXTEEN, tensor(1, 3, 16, 16, dtype=dtype))
    assert made.dtype == np.dtype(dtype)
    assert np.array_equal(made[0].transpose(1, 2, 0), COLORS)


def test_bfloat16_is_made_too():
    made = prepare(COLORS, SIXTEEN, tensor(1, 3, 16, 16, dtype="bfloat16"))
    assert made.dtype == ml_dtypes.bfloat16
    assert np.array_equal(made[0].astype(np.uint8).transpose(1, 2, 0), COLORS)


def test_int8_holds_the_values_less_128():
    signed = replace(SIXTEEN, scale="-128..127")
    made = prepare(COLORS, signed, tensor(1, 3, 16, 16, dtype="int8"))
    assert np.array_equal(made[0].astype(int).transpose(1, 2, 0), COLORS.astype(int) - 128)


def test_order_and_layout_are_what_the_preparation_says():
    made = prepare(COLORS, replace(SIXTEEN, order="bgr", layout="nhwc"), tensor("n", 16, 16, 3))
    assert np.array_equal(made[0], COLORS[:, :, ::-1])


def test_the_numbers_are_those_of_the_textbook():
    mean, std = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
    made = prepare(
        COLORS, replace(SIXTEEN, scale="1", mean=mean, std=std), tensor(1, 3, 16, 16)
    )
    expected = (COLORS / np.float32(255) - np.array(mean)) / np.array(std)
    assert np.allclose(made[0].transpose(1, 2, 0), expected, atol=1e-6)


def test_gray_and_color_are_brought_to_what_the_model_takes():
    colorful = prepare(RAMP, SIXTEEN, tensor(1, 3, 16, 16))
    assert np.array_equal(colorful[0, 0], colorful[0, 2])
    gray = prepare(COLORS, replace(SIXTEEN, order="gray"), tensor(1, 1, 16, 16))
    luma = COLORS @ np.array([0.299, 0.587, 0.114])
    assert np.abs(gray[0, 0] - luma).max() < 1


def test_a_fixed_batch_is_filled_with_copies_and_rank_three_has_none():
    four = prepare(COLORS, SIXTEEN, tensor(4, 3, 16, 16))
    assert four.shape == (4, 3, 16, 16)
    assert four.flags.c_contiguous
    assert np.array_equal(four[0], four[3])
    assert prepare(COLORS, SIXTEEN, tensor(3, 16, 16)).shape == (3, 16, 16)


def test_a_free_size_is_the_picture_s_own():
    info = tensor("batch", 3, "height", "width")
    found = guess(info)
    assert found is not None
    assert prepare(COLORS[:12], found, info).shape == (1, 3, 12, 16)


@pytest.mark.parametrize(
    ("change", "info"),
    [
        ({"width": 8}, tensor(1, 3, 16, 16)),
        ({"order": "gray"}, tensor(1, 3, 16, 16)),
        ({"layout": "nhwc"}, tensor(1, 3, 16, 16)),
        ({}, tensor(1, 48)),
    ],
)
def test_a_preparation_of_another_shape_is_refused(change, info):
    with pytest.raises(BadInput, match="the preprocessing returns"):
        prepare(COLORS, replace(SIXTEEN, **change), info)


@pytest.mark.parametrize(
    ("dtype", "change"),
    [("uint8", {"scale": "1"}), ("int8", {}), ("uint8", {"mean": (127.0,)}), ("string", {})],
)
def test_a_type_that_cannot_hold_the_values_is_refused(dtype, change):
    with pytest.raises(BadInput):
        prepare(COLORS, replace(SIXTEEN, **change), tensor(1, 3, 16, 16, dtype=dtype))


def test_a_huge_batch_is_refused_before_it_is_made():
    with pytest.raises(BadInput, match=r"limit of 2\.00 GiB"):
        prepare(COLORS, SIXTEEN, tensor(10**9, 3, 16, 16))


def test_a_chosen_order_or_scale_drops_the_guessed_mean():
    info = tensor(1, 3, 224, 224)
    guessed = ImageOptions().preparation(info)
    assert guessed.mean
    for options in (ImageOptions(order="bgr"), ImageOptions(scale="255")):
        chosen = options.preparation(info)
        assert chosen.mean == chosen.std == ()
    resized = ImageOptions(resize="crop").preparation(info)
    assert resized == replace(guessed, resize="crop")
