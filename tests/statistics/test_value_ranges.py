"""Ranges without outliers, from histograms of several inputs."""

import numpy as np
import pytest

from inspector.statistics.value_ranges import Histogram


def collected(*inputs: np.ndarray) -> Histogram:
    histogram = Histogram()
    for values in inputs:
        counts, edges = np.histogram(values, 2048)
        histogram.add(float(edges[0]), float(edges[-1]), counts)
    return histogram


def test_percentiles_of_merged_inputs_are_those_of_all_values():
    random = np.random.default_rng(0)
    inputs = [random.normal(n, 1 + n, 20_000) for n in range(3)]
    histogram, everything = collected(*inputs), np.concatenate(inputs)
    assert histogram.counts.sum() == everything.size
    for percentile in (90.0, 99.0, 99.9):
        cut = (100 - percentile) / 2
        low, high = np.percentile(everything, [cut, 100 - cut])
        found = histogram.percentile_range(percentile)
        assert found == pytest.approx((low, high), abs=0.05)
    assert histogram.percentile_range(100.0) == pytest.approx(
        (everything.min(), everything.max()), abs=0.01
    )


def test_entropy_cuts_off_a_long_tail_and_keeps_an_even_distribution():
    random = np.random.default_rng(0)
    tail = np.append(np.abs(random.normal(0, 1, 100_000)), [60.0, 80.0, 100.0])
    low, high = collected(tail).entropy_range()
    assert low == pytest.approx(0, abs=1e-3)
    assert 3 < high < 30
    low, high = collected(random.uniform(-1, 1, 100_000)).entropy_range()
    assert high > 0.9
    assert low < -0.9


def test_constant_and_empty_values_keep_their_range():
    constant = Histogram()
    constant.add(2.0, 2.0, np.array([5.0]))
    assert constant.percentile_range(99.0) == (2.0, 2.0)
    assert constant.entropy_range() == (2.0, 2.0)
    assert Histogram().entropy_range() == (0.0, 0.0)
