import warnings

import numpy as np
import pytest
from numpy.typing import NDArray

from inspector.model.tensors.prediction import OutputValue, Statistics

MANY = 100_003  # several of the pieces that are counted one after the other


def statistics(array: NDArray[np.generic]) -> Statistics | None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return OutputValue("x", "tensor", array.dtype.name, array).statistics()


@pytest.mark.parametrize(
    "array",
    [
        np.linspace(-3, 9, MANY).astype(np.float32),
        np.linspace(0, 1, MANY).astype(np.float16),
        np.arange(MANY).reshape(-1, 1)[::-1] % 251,
        np.r_[np.zeros(MANY), np.ones(5)],
        1e6 + np.sin(np.arange(MANY)) * 1e-3,
        np.array(3.0),
        np.array([True, False, True]),
    ],
)
def test_what_is_counted_in_pieces_is_that_of_the_whole(array):
    found, values = statistics(array), array.astype(np.float64)
    assert (found.minimum, found.maximum) == (values.min(), values.max())
    assert found.mean == pytest.approx(values.mean(), rel=1e-12)
    assert found.deviation == pytest.approx(values.std(), rel=1e-6)
    assert (found.nan, found.infinite) == (0, 0)


def test_what_is_not_finite_is_counted_apart_in_every_piece():
    array = np.full(MANY, 2.0, np.float32)
    array[::10_000], array[5::30_000], array[-1] = np.nan, np.inf, -np.inf
    found = statistics(array)
    assert found == Statistics(2.0, 2.0, 2.0, 0.0, 11, 5)


@pytest.mark.parametrize(
    "array", [np.full(MANY, np.nan), np.zeros(0), np.array(["a"]), np.array([np.inf])]
)
def test_without_a_finite_number_there_is_nothing_to_tell(array):
    assert statistics(array) is None


def test_numbers_whose_squares_are_too_large_are_no_mistake():
    found = statistics(np.array([1e308, -1e308]))
    assert (found.minimum, found.maximum, found.mean) == (-1e308, 1e308, 0.0)
