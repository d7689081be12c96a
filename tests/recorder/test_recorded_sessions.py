import numpy as np

from inspector.preview.inputs import npy_files
from inspector.recorder.recorded_sessions import Captures, nbytes, saved_inputs, signature, text
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


def test_the_first_feeds_of_each_session_are_kept(tmp_path):
    captures = Captures(tmp_path, 2)
    for number in range(3):
        captures.take(0, {"x": np.full((2, 2), number, np.float32), "file": np.array(["a"])})
    captures.take(7, {"y": np.arange(3)})
    captures.take(7, "no feed")
    found = [(session, number) for _, session, number, _ in saved_inputs(tmp_path)]
    assert found == [(0, 0), (0, 1), (7, 0)]
    first = next(saved_inputs(tmp_path))[3]
    assert npy_files.names_of(first) == ("x", "file")
    assert npy_files.read_npz(first, "x").tolist() == [[0, 0], [0, 0]]


def test_texts_are_kept_without_objects(tmp_path):
    Captures(tmp_path, 1).take(0, {"t": np.array([["a", "bc"]], object)})
    (*_, path) = next(saved_inputs(tmp_path))
    assert npy_files.read_npz(path, "t").tolist() == [["a", "bc"]]


def test_nothing_is_kept_unless_asked(tmp_path):
    Captures(tmp_path, 0).take(0, {"x": np.zeros(1)})
    assert list(tmp_path.iterdir()) == []


def test_no_more_than_the_limit_is_kept(tmp_path):
    captures = Captures(tmp_path, 9)
    captures.take(0, {"x": np.broadcast_to(np.float32(0), (1 << 30,))})
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_takes_no_more_stops_the_keeping_and_not_the_program(tmp_path, capsys):
    captures = Captures(tmp_path / "gone", 9)
    captures.take(0, {"x": np.zeros(1)})
    captures.take(0, {"x": np.zeros(1)})
    assert capsys.readouterr().err.count("inspector: inputs are no longer saved: ") == 1
    assert not captures.enabled
