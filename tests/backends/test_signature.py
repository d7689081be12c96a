from types import SimpleNamespace

import pytest

from inspector.backends.generation.roles import find_roles
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
        ({"image": given("float64", 1, 3, 224, 8)}, "float64, but the model expects float32"),
        ({"image": given("float32", 1, 4, 224, 8)},
         "has shape 1×4×224×8, but the model expects batch"),
        ({"image": given("float32", 3, 224, 8)}, "the value has shape 3×224×8"),
        ({"imag": given("float32", 1, 3, 224, 8)}, "Did you mean 'image'?"),
    ],
)  # fmt: skip
def test_feeds_that_do_not_fit_are_told_apart(feeds, message):
    with pytest.raises(BadInput) as caught:
        check_feeds([IMAGE], feeds)
    assert message in str(caught.value)


def test_an_opaque_value_cannot_be_given():
    info = TensorInfo("m", "opaque", "opaque(int64, something)", None)
    with pytest.raises(BadInput, match=r"expects a opaque\(int64"):
        check_feeds([info], {"m": given("float32", 3)})


def info(name, dtype, *shape):
    return TensorInfo(name, "tensor", dtype, shape)


LOGITS = info("logits", "float32", 1, "sequence", 50)


@pytest.mark.parametrize(
    ("shape", "step"), [((1, "sequence"), 0), ((1, 16), 16), (("batch", "n"), 0), ((16,), 16)]
)
def test_a_fixed_length_is_the_number_of_tokens_of_a_call(shape, step):
    roles = find_roles([info("input_ids", "int64", *shape)], [LOGITS], "m")
    assert (roles.step, roles.vocabulary, roles.states) == (step, 50, ())


def test_two_texts_at_once_are_refused():
    with pytest.raises(BadInput, match="takes 2 texts at once"):
        find_roles([info("input_ids", "int64", 2, "sequence")], [LOGITS], "m")


@pytest.mark.parametrize(
    ("shape", "axis"),
    [(("batch_size", 4, "past", 8), 2), ((1, 4, 16, 8), None),
     (("batch", "heads", "past_sequence_length", 8), 2)],
)  # fmt: skip
def test_the_axis_of_a_state_that_grows_is_found(shape, axis):
    ids = info("input_ids", "int64", 1, "sequence")
    past = info("past_key_values.0.key", "float32", *shape)
    present = info("present.0.key", "float32", *shape)
    (state,) = find_roles([ids, past], [LOGITS, present], "m").states
    assert (state.output, state.length_axis) == ("present.0.key", axis)
