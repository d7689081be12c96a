import numpy as np

from inspector.recorder.recorded_sessions import nbytes, signature, text
from inspector.recorder.wrappers import mismatches, needed


def test_arrays_as_they_should_be_need_nothing():
    assert needed({"a": "float32"}, {"a": np.zeros((2, 3), np.float32)}) == []


def test_what_the_runtime_would_do_is_done_in_sight():
    turned = np.arange(6, dtype=np.float32).reshape(2, 3).T
    feed = {"a": turned, "b": [1, 2], "c": np.zeros(2, ">f4"), "d": ["x"]}
    steps = needed({"a": "float32", "b": "float32", "c": "float32", "d": ""}, feed)
    assert [(step.name, step.kind) for step in steps] == [
        ("a", "copy"),
        ("b", "cast"),
        ("c", "check"),
    ]
    copied, cast = steps[0].make, steps[1].make
    assert copied(turned).flags.c_contiguous
    assert cast([1, 2]).dtype == np.float32
    assert cast([[1], [2, 3]]) == [[1], [2, 3]], (
        "what does not convert is the runtime's to refuse"
    )


def test_inputs_of_another_type_are_named():
    feed = {"a": np.zeros(2, np.float32), "b": np.zeros(2, np.float32)}
    told = mismatches({"a": "float16", "b": "float32"}, feed)
    assert told == ["check a: float32 given, float16 expected"]


def test_a_call_tells_its_arguments_without_their_values():
    given = signature({"a": np.zeros((2, 3), np.float32), "b": [1], "c": np.float32(1)})
    assert text("run", given) == "run(a float32 2×3, b list, c float32 scalar)"
    assert nbytes([np.zeros(4, np.float32), "x"]) == 16
