import numpy as np
import pytest

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.outputs.time_series import Series, series_of


def value(array: object) -> OutputValue:
    return OutputValue("p", "tensor", "float32", np.array(array, np.float32))


def test_a_curve_tells_its_mean_and_when_it_is_high():
    series = series_of(value([[0.1], [0.9], [0.8], [0.2], [0.7]]), 5, 0.5)
    assert series.mean == pytest.approx(0.54)
    assert series.share_over(0.5) == 0.6
    assert series.spans(0.5) == ((0.5, 1.5), (2.0, 2.5))
    assert series.seconds == 2.5
    assert series.probable


def test_many_steps_are_thinned_and_keep_their_extremes():
    values = np.zeros(1000)
    values[777] = 3
    parts = Series(values, 1).thinned(10)
    assert len(parts) == 10
    assert parts[7] == (0, 3)


def test_several_values_a_step_or_one_step_are_no_curve():
    assert series_of(value([[1, 2], [3, 4]]), 2, 1) is None
    assert series_of(value([[1]]), 1, 1) is None
    assert series_of(value([[1], [np.nan]]), 2, 1) is None
