import numpy as np
import pytest

from inspector.statistics.intervals import Quantile, median

COUNTS = (1, 2, 3, 8, 9, 20, 101, 590)


@pytest.mark.parametrize("count", COUNTS)
def test_the_median_of_each_row_is_that_of_numpy(count: int) -> None:
    values = np.random.default_rng(count).lognormal(size=(30, count)) * 1e6
    assert median(values) == pytest.approx(np.median(values, axis=-1), rel=1e-12)
    assert float(median(values[0])) == pytest.approx(np.median(values[0]), rel=1e-12)


@pytest.mark.parametrize("q", [0.0, 0.025, 0.5, 0.9, 0.95, 0.99, 1.0])
@pytest.mark.parametrize("count", COUNTS)
def test_a_quantile_of_each_row_is_that_of_numpy(count: int, q: float) -> None:
    values = np.random.default_rng(count).lognormal(size=(30, count)) * 1e6
    expected = np.quantile(values, q, axis=-1)
    assert Quantile(q)(values) == pytest.approx(expected, rel=1e-12)


def test_values_are_left_in_their_order() -> None:
    values = np.array([3.0, 1.0, 2.0])
    assert (float(median(values)), float(Quantile(0.5)(values))) == (2.0, 2.0)
    assert values.tolist() == [3.0, 1.0, 2.0]
