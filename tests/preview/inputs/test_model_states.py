import pytest

from inspector.model.model import TensorInfo
from inspector.preview.inputs.model_states import states


def info(name: str, *shape: int | str | None) -> TensorInfo:
    return TensorInfo(name, "tensor", "float32", shape)


@pytest.mark.parametrize(
    ("given", "answered"),
    [
        ("state", "stateN"),
        ("h_in", "h_out"),
        ("h0", "hn"),
        ("past_key_values.0.key", "present.0.key"),
        ("past.1.value", "present.1.value"),
        ("cache_last_channel", "cache_last_channel_next"),
        ("hidden_state", "new_hidden_state"),
    ],
)
def test_a_memory_is_known_by_its_names(given, answered):
    inputs = info("x", 1, 80), info(given, 2, "batch", 128)
    outputs = info("y", 1, 5), info(answered, 2, None, 128)
    (found,) = states(inputs, outputs)
    assert (found.input, found.output) == (given, answered)


def test_each_layer_of_a_cache_gets_its_own():
    inputs = [
        info(f"past_key_values.{i}.{p}", 1, 4, "t", 8) for i in (0, 1) for p in ("key", "value")
    ]
    outputs = [info(f"present.{i}.{p}", 1, 4, "n", 8) for p in ("value", "key") for i in (1, 0)]
    found = {state.input: state.output for state in states(inputs, outputs)}
    assert found["past_key_values.1.key"] == "present.1.key"
    assert found["past_key_values.0.value"] == "present.0.value"


def test_shapes_tell_where_names_do_not():
    inputs = info("input_2", 1, 1, 257), info("input_3", 1, 2, 128, 2)
    outputs = info("activation", 1, 1, 257), info("stack", 1, 2, 128, 2)
    (found,) = states(inputs, outputs)
    assert (found.input, found.output) == ("input_3", "stack")
    assert "shape" in found.why


def test_other_models_have_no_memory():
    assert not states((info("input", 1, 3, 224, 224),), (info("output", 1, 3, 224, 224),))
    two = info("a", "n", 8), info("b", "n", 8)
    assert not states(two, (info("sum", "n", 8),))
    assert not states((info("state", 2, 1, 64),), (info("stateN", 2, 1, 128),))
