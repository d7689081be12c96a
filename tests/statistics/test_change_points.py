"""A step of 5% is found where it is; steady noise has none."""

import numpy as np
import pytest

from inspector.statistics.change_points import change_points


def series(seed: int, step: float, noise: float = 0.01) -> list[float]:
    random = np.random.default_rng(seed)
    times = 1e6 * np.exp(random.normal(0, noise, 30))
    times[15:] *= step
    return times.tolist()


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("step", [1.05, 0.95])
def test_a_step_is_found_where_it_is(seed, step):
    (change,) = change_points(series(seed, step))
    assert abs(change.at - 15) <= 1
    assert change.low <= step <= change.high
    assert change.slower == (step > 1)


@pytest.mark.parametrize("seed", range(10))
def test_steady_noise_has_no_change(seed):
    assert change_points(series(seed, 1.0, 0.02)) == ()


def test_one_slow_measurement_is_no_change():
    times = series(3, 1.0)
    times[20] *= 3
    assert change_points(times) == ()


def test_a_level_ends_where_the_newest_are_back():
    times = series(3, 1.355)
    (since,) = change_points(times)
    assert since.end == len(times)
    (until,) = change_points([*times, 1e6])
    assert (until.at, until.end) == (since.at, len(times))
    assert until.ratio == pytest.approx(1.355, rel=0.02), "the newest one is no part of it"
    both = change_points([*times, *series(4, 1.0)[:15]])
    assert [change.end for change in both] == [both[1].at, len(times) + 15]


@pytest.mark.parametrize("times", [[], [1.0], [1.0] * 5, [1.0, 1.0, 1.0, 0.0, 2.0, 2.0, 2.0]])
def test_too_few_or_impossible_times_have_none(times):
    assert change_points(times) == ()
