import numpy as np

from inspector.preview.inputs import npy_files
from inspector.recorder.recorded_sessions import Captures, saved_inputs


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
