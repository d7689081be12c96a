from collections.abc import Callable
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from inspector.statistics.intervals import (
    Quantile,
    interval_ranks,
    mean,
    median,
    relative_half_width,
    variance_inflation,
)

COUNTS = (1, 2, 3, 8, 9, 20, 101, 590)


@pytest.mark.parametrize("count", COUNTS)
def test_the_median_of_each_row_is_that_of_numpy(count):
    values = np.random.default_rng(count).lognormal(size=(30, count)) * 1e6
    assert median(values) == pytest.approx(np.median(values, axis=-1), rel=1e-12)
    assert float(median(values[0])) == pytest.approx(np.median(values[0]), rel=1e-12)


@pytest.mark.parametrize("q", [0.0, 0.025, 0.5, 0.9, 0.95, 0.99, 1.0])
@pytest.mark.parametrize("count", COUNTS)
def test_a_quantile_of_each_row_is_that_of_numpy(count, q):
    values = np.random.default_rng(count).lognormal(size=(30, count)) * 1e6
    expected = np.quantile(values, q, axis=-1)
    assert Quantile(q)(values) == pytest.approx(expected, rel=1e-12)


def test_values_are_left_in_their_order():
    values = np.array([3.0, 1.0, 2.0])
    assert (float(median(values)), float(Quantile(0.5)(values))) == (2.0, 2.0)
    assert values.tolist() == [3.0, 1.0, 2.0]


# Intervals: how often they hold the truth, which the generator knows.

Draw = Callable[[np.random.Generator, int], NDArray[np.float64]]
SPEEDS = 100.0, 300.0
SLOW_SHARE = 0.3
# The median of a mix of two normal distributions: the quantile 0.5 / 0.7 of the fast one.
FAST_MEDIAN = 100 + 2 * 0.565949


def skewed(random: np.random.Generator, count: int) -> NDArray[np.float64]:
    return np.asarray(100 * np.exp(random.normal(0, 0.8, count)))


def with_outliers(random: np.random.Generator, count: int) -> NDArray[np.float64]:
    times = random.normal(100, 3, count)
    return np.where(random.random(count) < 0.05, 20 * times, times)


def at_two_speeds(random: np.random.Generator, count: int) -> NDArray[np.float64]:
    fast, slow = random.normal(SPEEDS[0], 2, count), random.normal(SPEEDS[1], 5, count)
    return np.where(random.random(count) < SLOW_SHARE, slow, fast)


def correlated(random: np.random.Generator, count: int, by: float = 0.5) -> NDArray[np.float64]:
    shocks, times = random.normal(0, (1 - by**2) ** 0.5, count), np.empty(count)
    last = random.normal()
    for place in range(count):
        times[place] = last = by * last + shocks[place]
    return 100 + 4 * times


# Of 95% normal(100, 3) and 5% twenty times that: the quantile 0.5 / 0.95 of the former.
MEDIANS = {skewed: 100.0, with_outliers: 100 + 3 * 0.0660, at_two_speeds: FAST_MEDIAN}


def coverage(draw: Draw, truth: float, count: int, draws: int) -> float:
    """Percent of draws whose interval holds the truth; each lies within what was drawn."""
    random, held = np.random.default_rng(count), 0
    for _ in range(draws):
        times = draw(random, count)
        low, high = median.interval(times) or (np.nan, np.nan)
        assert times.min() <= low <= high <= times.max()
        held += low <= truth <= high
    return 100 * held / draws


@pytest.mark.parametrize("draw", MEDIANS)
@pytest.mark.parametrize("count", [6, 9, 31])
def test_the_interval_of_a_median_holds_it_in_95_percent_of_cases(draw, count):
    assert 92 <= coverage(draw, MEDIANS[draw], count, 600) <= 99


@pytest.mark.slow  # some sizes and fewer draws are tried above
@pytest.mark.parametrize("draw", MEDIANS)
@pytest.mark.parametrize("count", [6, 7, 8, 10, 20, 100, 1000, 10_000])
def test_intervals_hold_the_median_for_all_sizes(draw, count):
    assert 93 <= coverage(draw, MEDIANS[draw], count, 2000) <= 98.5


@pytest.mark.parametrize("count", range(6, 60))
def test_the_confidence_is_at_least_93_percent_whatever_the_distribution(count):
    """By the binomial distribution: ranks between the ends count for the one within."""
    low, high = interval_ranks(count, 0.5) or (0.0, 0.0)
    chances = [comb(count, below) / 2**count for below in range(count + 1)]
    # The median lies above sample i, counted from 0, where at least i + 1 lie below it.
    inner = sum(chances[int(np.ceil(low)) + 1 : int(np.floor(high)) + 1])
    outer = sum(chances[int(np.floor(low)) + 1 : int(np.ceil(high)) + 1])
    assert 0.929 <= inner <= 0.985
    assert outer >= 0.95


@pytest.mark.parametrize(("by", "count"), [(0.3, 100), (0.5, 150)])
def test_correlated_samples_have_a_wider_interval(by, count):
    found = coverage(lambda random, n: correlated(random, n, by), 100, count, 300)
    assert 91 <= found <= 99
    random = np.random.default_rng(1)
    times = correlated(random, 2000, by)
    mixed = random.permutation(times)
    (low, high), (least, most) = (median.interval(each) or (0, 0) for each in (times, mixed))
    assert (high - low) > 1.05 * (most - least)


@pytest.mark.slow  # shorter and less correlated series are tried above
@pytest.mark.parametrize(("by", "count"), [(0.3, 300), (0.5, 300), (0.8, 1000)])
def test_correlated_samples_are_covered(by, count):
    found = coverage(lambda random, n: correlated(random, n, by), 100, count, 2000)
    assert 93 <= found <= 98


def test_an_interval_stays_within_two_speeds():
    low, high = median.interval([40_000_000] * 14 + [80_000] * 16) or (0, 0)
    assert 80_000 <= low <= high <= 40_000_000
    assert median.interval([7] * 20) == (7, 7)


@pytest.mark.parametrize("count", range(6))
def test_fewer_than_six_samples_have_no_interval(count):
    assert median.interval([5, 6, 7, 8, 9][:count]) is None
    assert mean.interval([5, 6, 7, 8, 9][:count]) is None
    assert relative_half_width([5, 6, 7, 8, 9][:count]) is None


@pytest.mark.parametrize(("q", "fewest"), [(0.9, 36), (0.95, 72), (0.99, 367)])
def test_a_tail_has_an_interval_where_the_samples_reach_beyond_it(q, fewest):
    times = np.random.default_rng(2).lognormal(size=fewest + 60)
    short = next(count for count in range(fewest, 0, -1) if q**count > 0.05)
    assert Quantile(q).interval(times[:short]) is None
    low, high = Quantile(q).interval(times) or (0, 0)
    assert low < np.quantile(times, q) < high <= times.max()
    random = np.random.default_rng(3)
    truth = np.exp({0.9: 1.2816, 0.95: 1.6449, 0.99: 2.3263}[q])
    held = 0
    for _ in range(300):
        ends = Quantile(q).interval(random.lognormal(size=fewest + 60)) or (0, 0)
        held += ends[0] <= truth <= ends[1]
    assert 91 <= held / 3 <= 99


def test_the_interval_of_a_mean_is_that_of_student():
    times = np.random.default_rng(4).normal(100, 5, 30)
    low, high = mean.interval(times) or (0, 0)
    assert (low + high) / 2 == pytest.approx(times.mean())
    assert (high - low) / 2 == pytest.approx(2.0452 * times.std(ddof=1) / 30**0.5, rel=0.01)
    heavy = [100] * 20 + [100_000]
    assert (mean.interval(heavy) or (0, 0))[0] == 100, "no mean below all samples"


@pytest.mark.parametrize("count", [6, 7, 40, 1001, 5000])
def test_the_half_width_of_a_running_measurement_is_that_of_the_interval(count):
    times = [int(ns) for ns in np.random.default_rng(count).normal(1e6, 3e4, count)]
    low, high = median.interval(times) or (0, 0)
    half = (high - low) / 2 / float(np.median(times))
    assert relative_half_width(times) == pytest.approx(half, rel=0.15, abs=2e-5)


def test_independent_samples_inflate_no_variance_and_drift_does():
    random = np.random.default_rng(6)
    factors = [variance_inflation(random.normal(size=200)) for _ in range(100)]
    assert np.median(factors) < 1.1
    assert variance_inflation(np.arange(200.0)) > 50
    assert variance_inflation(np.ones(50)) == 1
    assert variance_inflation(np.array([1.0, 2, 3])) == 1
