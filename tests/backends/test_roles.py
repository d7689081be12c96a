"""What the inputs of a decoder are for."""

import pytest

from inspector.backends.generation.roles import find_roles
from inspector.errors import BadInput
from inspector.model.model import TensorInfo


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
    [
        (("batch_size", 4, "past", 8), 2),
        ((1, 4, 16, 8), None),
        (("batch", "heads", "past_sequence_length", 8), 2),
    ],
)
def test_the_axis_of_a_state_that_grows_is_found(shape, axis):
    ids = info("input_ids", "int64", 1, "sequence")
    past = info("past_key_values.0.key", "float32", *shape)
    present = info("present.0.key", "float32", *shape)
    (state,) = find_roles([ids, past], [LOGITS, present], "m").states
    assert (state.output, state.length_axis) == ("present.0.key", axis)
