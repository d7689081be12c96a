import numpy as np
from numpy.typing import NDArray

from inspector.model.tensors.prediction import OutputValue
from inspector.ui.tabs.preview.read_outputs import Reading, read


def reading(array: NDArray[np.generic], labels: tuple[str, ...] = ()) -> Reading:
    return read(OutputValue("scores", "tensor", array.dtype.name, array), labels)


def test_one_row_shows_ten_classes_and_many_rows_their_best():
    one = reading(np.random.default_rng(0).random((1, 50), np.float32))
    assert [len(row.top) for row in one.classes] == [10]
    many = reading(np.random.default_rng(0).random((6, 50), np.float32))
    assert [len(row.top) for row in many.classes] == [1] * 6


def test_labels_are_noticed():
    values = np.array([[0.2, 0.8]], np.float32)
    assert not reading(values).labelled
    assert reading(values, ("cat", "dog")).labelled


def test_the_first_elements_are_rows_of_the_last_axis():
    found = reading(np.arange(60, dtype=np.float32).reshape(3, 4, 5))
    assert found.cells[0] == ("0", "1", "2", "3", "4")
    assert found.cells[1][0] == "5"
    assert len(found.cells) == 12
    assert found.curve == ()


def test_one_long_row_is_broken_into_lines_and_drawn_as_a_curve():
    values = np.zeros((1, 1000), np.float32)
    values[0, [3, 4]] = 5, np.nan
    found = reading(values)
    assert found.cells[0] == ("0", "0", "0", "5", "nan", "0")
    assert len(found.cells) == 4
    assert len(found.curve) == 400
    assert found.curve[1] == (0, 5)


def test_odd_numbers_and_scalars_are_written_as_they_are():
    found = reading(np.array([np.nan, -np.inf, 1.5, 12_345.6, 1e-7], np.float64))
    assert found.cells == (("nan", "-inf", "1.5", "12346", "1e-07"),)
    assert reading(np.array(3, np.int64)).cells == (("3",),)
    assert reading(np.zeros((0, 4), np.float32)).cells == ()


def test_texts_are_clipped_and_cannot_move_the_page():
    texts = np.array(["Barolo", "\u202egnp.exe", "x" * 9_000], object)
    output = OutputValue("wine", "tensor", "string", texts)
    lines = read(output, ()).text.splitlines()
    assert lines[:2] == ["Barolo", "\\u202egnp.exe"]
    assert len(lines[2]) == 400
