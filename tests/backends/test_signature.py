from types import SimpleNamespace

import pytest

from inspector.backends.signature import check_feeds, tensor_infos
from inspector.errors import BadInput
from inspector.model.model import TensorInfo

IMAGE = TensorInfo("image", "tensor", "float32", ("batch", 3, 224, None))
MASK = TensorInfo("mask", "tensor", "bfloat16", (1,))
EXTRA = TensorInfo("extra", "optional", "optional(tensor(float32))", None)


def given(dtype, *shape):
    return SimpleNamespace(dtype=dtype, shape=shape)


def test_a_session_describes_its_values_in_the_models_words():
    nodes = [
        SimpleNamespace(name="x", type="tensor(float)", shape=["n", 3, None, ""]),
        SimpleNamespace(name="p", type="seq(map(int64,tensor(float)))", shape=[]),
    ]
    x, p = tensor_infos(nodes)
    assert (x.kind, x.dtype, x.shape) == ("tensor", "float32", ("n", 3, None, None))
    assert (p.kind, p.dtype) == ("sequence", "sequence(map(int64, tensor(float32)))")
    assert p.shape is None


def test_feeds_that_fit_pass():
    feeds = {"image": given("float32", 9, 3, 224, 17), "mask": given("float32", 1)}
    check_feeds([IMAGE, MASK, EXTRA], feeds)


@pytest.mark.parametrize(
    ("feeds", "message"),
    [
        ({}, "'image' has no value"),
        (
            {"image": given("float64", 1, 3, 224, 8)},
            "float64, but the model expects float32",
        ),
        (
            {"image": given("float32", 1, 4, 224, 8)},
            "has shape 1×4×224×8, but the model expects batch",
        ),
        ({"image": given("float32", 3, 224, 8)}, "the value has shape 3×224×8"),
        ({"imag": given("float32", 1, 3, 224, 8)}, "Did you mean 'image'?"),
    ],
)
def test_feeds_that_do_not_fit_are_told_apart(feeds, message):
    with pytest.raises(BadInput) as caught:
        check_feeds([IMAGE], feeds)
    assert message in str(caught.value)


def test_an_opaque_value_cannot_be_given():
    info = TensorInfo("m", "opaque", "opaque(int64, something)", None)
    with pytest.raises(BadInput, match=r"expects a opaque\(int64"):
        check_feeds([info], {"m": given("float32", 3)})
