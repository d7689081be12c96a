"""Stretches in which nothing happened are found among many spans."""

import numpy as np

from inspector.strip import Strip
from inspector.ui.timeline.gaps import gap_at, gaps


def test_gaps_are_those_of_brute_force() -> None:
    starts, long = np.arange(0, 1000, 100), np.arange(5, 55, 5)
    strip = Strip(starts, long, np.cumsum(long) - long)
    ends, following = (starts + long).tolist(), starts[1:].tolist()
    every = list(zip(ends[:-1], following, strict=True))
    for least in (20, 60, 80, 200):
        wanted = [gap for gap in every if gap[1] - gap[0] >= least]
        assert gaps(strip, -50, 2000, least) == wanted
    assert gap_at(strip, 150) == (110, 200)
    assert gap_at(strip, 105) is None
    assert gap_at(strip, 5000) is None
