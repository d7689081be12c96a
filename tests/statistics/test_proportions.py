"""Intervals of shares: published values, and their coverage by simulation."""

import numpy as np
import pytest

from inspector.statistics.proportions import mean_interval, paired_difference, wilson


def test_wilson_gives_published_intervals():
    # Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263, 15 of 148, 0 of 20.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson(20, 20)[1] == 1.0
    assert wilson(0, 0) == (0.0, 1.0)


def test_no_change_on_few_inputs_is_a_wide_interval_and_on_many_a_narrow_one():
    low, high = paired_difference(0, 0, 30)
    assert low < -0.06 < 0.06 < high
    low, high = paired_difference(0, 0, 5000)
    assert -0.001 < low < 0 < high < 0.001
    assert paired_difference(0, 0, 0) == (-1.0, 1.0)


@pytest.mark.parametrize(("lost", "gained"), [(0.02, 0.02), (0.05, 0.01), (0.0, 0.03)])
def test_the_interval_of_a_paired_difference_holds_the_true_one(lost, gained):
    random, inside = np.random.default_rng(1), 0
    for _ in range(400):
        counts = random.multinomial(300, [lost, gained, 1 - lost - gained])
        low, high = paired_difference(int(counts[0]), int(counts[1]), 300)
        inside += low <= gained - lost <= high
    assert inside / 400 > 0.92


def test_the_interval_of_a_mean_holds_it_and_shrinks():
    random = np.random.default_rng(2)
    few, many = random.normal(0.9, 0.1, 40), random.normal(0.9, 0.1, 4000)
    low, high = mean_interval(list(few))
    assert low < few.mean() < high
    narrow = mean_interval(list(many))
    assert narrow[1] - narrow[0] < (high - low) / 5
    assert mean_interval([0.2, 0.8]) == (0.2, 0.8)
    assert mean_interval([0.5]) == (0.5, 0.5)
