import numpy as np
import pytest

from inspector.model.model import Axis, TensorInfo
from inspector.preview.inputs import feeds
from inspector.preview.inputs.default_values import fixed_lengths, lengths, value


def info(name: str, *shape: Axis, dtype: str = "float32") -> TensorInfo:
    return TensorInfo(name, "tensor", dtype, shape)


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (info("x", 1, 3), "random:0"),
        (info("ids", 1, 3, dtype="int64"), "zeros"),
        (info("attention_mask", 1, 3, dtype="int64"), "ones"),
        (info("past_key_values.0.key", 1, 3), "zeros"),
        (info("h0", 1, 3), "zeros"),
        (info("height_map", 1, 3), "random:0"),
        (info("use_cache", 1, dtype="bool"), "zeros"),
        (info("name", 1, dtype="string"), "zeros"),
        (info("sr", dtype="int64"), "16000"),
        (info("decoded_sample_data:1", 1, dtype="int32"), "16000"),
        (info("sr", 1, 3), "random:0"),
    ],
)
def test_name_and_type_tell_what_usually_works(one, expected):
    recipe, words = value(one, [one], {})
    assert recipe == expected
    assert words


def test_lengths_agree_with_the_other_input():
    tokens = info("tokens", "batch", "length", dtype="int64")
    count = info("input_lengths", "batch", dtype="int64")
    assert value(count, [tokens, count], {"length": 9})[0] == "9"
    assert value(count, [info("mel", 1, 80, 12), count], {})[0] == "80"


def test_a_free_picture_gets_a_side_that_networks_like():
    picture = info("image", "batch", 3, "height", "width")
    assert lengths([picture], {"height": 64}) == {"height": 64, "width": 224}
    unnamed = info("image", None, None, None, 3)
    assert lengths([unnamed], {}) == {"image[1]": 224, "image[2]": 224}


@pytest.mark.parametrize(
    ("name", "dtype", "expected"),
    [
        ("orig_target_sizes", "int64", [[640, 480]]),
        ("image_shape", "float32", [[480, 640]]),
        ("im_shape", "float32", [[480, 640]]),
        ("scale_factor", "float32", [[1, 1]]),
    ],
)
@pytest.mark.parametrize("free", [False, True])
def test_a_detector_gets_the_size_of_its_image(name, dtype, expected, free):
    sides = ("height", "width") if free else (480, 640)
    image, size = info("images", "batch", 3, *sides), info(name, "batch", 2, dtype=dtype)
    known = {"height": 480, "width": 640}
    filled = feeds.fill_all([image, size], {}, known if free else {})[1]
    assert filled.array.tolist() == expected
    assert filled.array.dtype == dtype
    assert not filled.given


def test_the_size_of_an_image_that_is_filled_already_counts_too():
    image, size = info("images", 1, 3, "height", "width"), info("image_shape", 1, 2)
    made = feeds.Filled("images", "typed", np.zeros((1, 3, 480, 640), np.float32))
    _, filled = feeds.fill_all([image, size], {"images": made}, {})
    assert filled.array.tolist() == [[480, 640]]


def test_a_row_of_samples_is_a_frame_only_beside_a_sample_rate():
    samples = info("input", "batch", "samples")
    assert lengths([samples], {}) == {}
    rate = info("sr", dtype="int64")
    assert lengths([samples, rate], {}) == {"samples": 512}


@pytest.mark.parametrize(
    ("inputs", "wanted"),
    [
        ([info("input", "batch", "length", dtype="uint8")], {"batch": 1, "length": 128}),
        (
            [
                info("input_ids", "batch", "n", dtype="int64"),
                info("attention_mask", "batch", "total", dtype="int64"),
                info("past_key_values.0.key", "batch", 2, "past", 8),
            ],
            {"batch": 1, "n": 128, "total": 128, "past": 0},
        ),
        ([info("table", "rows", 13)], {"rows": 1}),
        ([info("image", "batch", 3, "h", "w")], {"batch": 1, "h": 224, "w": 224}),
    ],
    ids=["bytes", "decoder", "table", "picture"],
)
def test_a_text_model_is_fixed_at_the_length_of_a_text(inputs, wanted):
    assert fixed_lengths(inputs) == wanted
