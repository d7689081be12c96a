"""Bars of samples."""

import numpy as np

from inspector.ui.widgets.small_charts import Histogram, bars


def test_every_sample_is_in_a_bar_and_the_median_in_the_one_that_stands_out():
    samples = tuple(int(n) for n in np.random.default_rng(5).normal(1e6, 2e4, 200))
    shown = bars(samples)
    assert shown is not None
    assert sum(shown.counts) == 200
    width = (shown.high_ns - shown.low_ns) / len(shown.counts)
    begin = shown.low_ns + shown.middle * width
    assert begin <= np.median(samples) <= begin + width


def test_one_hiccup_does_not_squeeze_the_rest_into_one_bar():
    samples = (*range(1_000_000, 1_030_000, 1000), 90_000_000)
    shown = bars(samples)
    assert shown is not None
    assert sum(shown.counts) == 31
    assert max(shown.counts) < 10


def test_equal_samples_are_one_bar_and_no_samples_none():
    shown = bars((500,) * 40)
    assert shown is not None
    assert max(shown.counts) == 40
    assert bars(()) is None


def test_the_widget_says_what_it_shows(qtbot, theme):
    histogram = Histogram(theme)
    qtbot.addWidget(histogram)
    histogram.show_samples((1_000_000, 1_100_000, 1_200_000))
    assert histogram.accessibleDescription() == "3 from 1.00 ms to 1.20 ms"
    assert not histogram.grab().isNull()
