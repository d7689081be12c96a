"""Stretches in which nothing happened are found among many spans."""

import numpy as np

from inspector.trace.intervals import Intervals
from inspector.ui.timeline.model.geometry import Scale
from inspector.ui.timeline.model.predictions import Iterations
from inspector.ui.timeline.render.canvas import gap_at, gap_in_run, gaps


def test_gaps_are_those_of_brute_force():
    starts, long = np.arange(0, 1000, 100), np.arange(5, 55, 5)
    strip = Intervals(starts, long, np.cumsum(long) - long)
    ends, following = (starts + long).tolist(), starts[1:].tolist()
    every = list(zip(ends[:-1], following, strict=True))
    for least in (20, 60, 80, 200):
        wanted = [gap for gap in every if gap[1] - gap[0] >= least]
        assert gaps(strip, -50, 2000, least) == wanted
    assert gap_at(strip, 150) == (110, 200)
    assert gap_at(strip, 105) is None
    assert gap_at(strip, 5000) is None


def test_a_gap_that_only_touches_the_window_is_not_in_it():
    starts, lasts = np.array([0, 100, 300]), np.array([50, 10, 50])
    strip = Intervals(starts, lasts, np.cumsum(lasts) - lasts)
    assert gaps(strip, 100, 110, 20) == []
    assert gaps(strip, 99, 111, 20) == [(50, 100), (110, 300)]


def test_of_a_gap_that_leaves_the_window_the_part_in_the_shown_run_counts():
    run = Iterations("a", np.array([0, 100]), np.array([50, 160]), 0, np.array([False, True]))
    scale = Scale(98, 162, 0, 640)
    assert gap_in_run((20, 130), (run,), scale) == (100, 130)
    assert gap_in_run((150, 400), (run,), scale) == (150, 160)
    assert gap_in_run((20, 130), (run,), Scale(0, 200, 0, 640)) == (20, 130), "all is seen"
    assert gap_in_run((20, 130), (), scale) == (20, 130), "no run is known"
