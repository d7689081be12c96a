import pytest

from inspector.model import Axis, TensorInfo
from inspector.preview.usual import lengths, value


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
        (info("sr", 1, 3), "random:0"),
    ],
)
def test_name_and_type_tell_what_usually_works(one: TensorInfo, expected: str) -> None:
    recipe, words = value(one, [one], {})
    assert recipe == expected
    assert words


def test_lengths_agree_with_the_other_input() -> None:
    tokens = info("tokens", "batch", "length", dtype="int64")
    count = info("input_lengths", "batch", dtype="int64")
    assert value(count, [tokens, count], {"length": 9})[0] == "9"
    assert value(count, [info("mel", 1, 80, 12), count], {})[0] == "80"


def test_a_free_picture_gets_a_side_that_networks_like() -> None:
    picture = info("image", "batch", 3, "height", "width")
    assert lengths([picture], {"height": 64}) == {"height": 64, "width": 224}
    unnamed = info("image", None, None, None, 3)
    assert lengths([unnamed], {}) == {"image[1]": 224, "image[2]": 224}


def test_a_row_of_samples_is_a_frame_only_beside_a_sample_rate() -> None:
    samples = info("input", "batch", "samples")
    assert lengths([samples], {}) == {}
    rate = info("sr", dtype="int64")
    assert lengths([samples, rate], {}) == {"samples": 512}
