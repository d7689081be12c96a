import ml_dtypes
import numpy as np
import pytest

from inspector.preview.inputs.feeds import caution


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, ml_dtypes.bfloat16])
def test_nan_and_infinite_elements_are_counted(kind):
    array = np.array([1, np.nan, np.inf, -np.inf], kind)
    assert caution(array).startswith("1 NaN and 2 infinite of 4 elements")
    assert caution(np.ones(3, kind)) == ""


def test_an_empty_tensor_names_its_axis():
    assert caution(np.zeros((2, 0, 3), np.float32)).startswith("empty: axis 1 has size 0")


def test_whole_numbers_and_texts_are_never_odd():
    assert caution(np.array(["nan"], object)) == ""
    assert caution(np.zeros(3, np.int8)) == ""
