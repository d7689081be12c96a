"""Long columns are numbered in pieces as numpy numbers them at once."""

import numpy as np
import pytest

from inspector.trace import grouping
from inspector.trace.grouping import factorize, group_bounds, group_sums, look_up


@pytest.mark.parametrize("reach", [3, 50, 10**12])
@pytest.mark.parametrize("count", [0, 1, 1_000])
def test_columns_are_numbered_as_numpy_says(count, reach, monkeypatch):
    monkeypatch.setattr(grouping.chunks, "__defaults__", (64,))
    column = np.random.default_rng(4).integers(-reach, reach, count)
    wanted = np.unique(column, return_index=True, return_inverse=True)
    for one, other in zip(factorize(column), wanted, strict=True):
        np.testing.assert_array_equal(one, other)


def test_sums_and_bounds_of_each_number_are_exact(monkeypatch):
    monkeypatch.setattr(grouping.chunks, "__defaults__", (64,))
    random = np.random.default_rng(5)
    number, value = random.integers(0, 7, 500), random.integers(1 << 60, (1 << 60) + 9, 500)
    added = group_sums(value >> 8, number, 7)
    least, most = group_bounds(value, value + 5, number, 7)
    for n in range(7):
        mine = value[number == n]
        assert added[n] == sum((mine >> 8).tolist())
        assert (least[n], most[n]) == (mine.min(), mine.max() + 5)


def test_looking_up_takes_no_memory_by_the_size_of_a_number():
    column = np.array([4, -1, 2**62, 7, 4], np.int64)
    found = look_up(column, {4: 10, 2**62: 11, 2**200: 12, -1: 13}, 0)
    assert found.tolist() == [10, 0, 11, 0, 10]
    assert look_up(column[:0], {4: 10}, 0).tolist() == []
