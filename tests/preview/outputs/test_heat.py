import numpy as np
import pytest

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.inputs.audio_windows import ONCE, Pace
from inspector.preview.outputs.time_series import MOST_COLUMNS, heat_of


def value(array: object) -> OutputValue:
    return OutputValue("y", "tensor", "float32", np.asarray(array, np.float32))


def test_time_goes_right_and_the_first_value_is_at_the_bottom():
    rows = np.zeros((20, 1, 10))
    rows[3, 0, 0] = 2
    shown = heat_of(value(rows), Pace(20, 0.1))
    assert shown.picture.shape == (10, 20, 3)
    bright = shown.picture.sum(axis=2)
    assert np.unravel_index(bright.argmax(), bright.shape) == (9, 3)
    assert (shown.low, shown.high) == (0, 2)


def test_rows_of_one_step_follow_in_time():
    shown = heat_of(value(np.ones((2, 172, 88))), Pace(2, 1.6))
    assert shown.picture.shape[:2] == (88, 344)


def test_a_long_one_is_thinned_and_keeps_what_is_bright():
    rows = np.zeros((7500, 1, 16))
    rows[5000] = 1
    shown = heat_of(value(rows), Pace(7500, 0.008))
    assert shown.picture.shape[1] <= MOST_COLUMNS
    assert shown.picture.sum(axis=2).max() > 690


@pytest.mark.parametrize("shape", [(5, 1), (5, 3), (4, 20, 20), (5, 2, 20, 20)])
def test_other_outputs_are_none(shape):
    assert heat_of(value(np.ones(shape)), Pace(5, 0.1)) is None
    assert heat_of(value(np.ones((20, 20))), ONCE) is None
