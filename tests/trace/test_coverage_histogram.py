"""Bins tell the busy time of very many spans as the spans themselves do."""

import numpy as np
import pytest

from inspector.trace.coverage_histogram import FINE_BINS_PER_COLUMN, build_histogram
from inspector.trace.intervals import Intervals, edges

COUNT = 40_000


def crowd(seed: int, bursts: bool) -> tuple[np.ndarray, np.ndarray]:
    """Starts and durations of spans that never overlap, evenly or in bursts."""
    random = np.random.default_rng(seed)
    length = random.exponential(900, COUNT).astype(np.int64) + 1
    gap = random.exponential(600, COUNT).astype(np.int64)
    if bursts:
        gap[::500] += 4_000_000
    return np.cumsum(length + gap) - length, length


@pytest.mark.parametrize("bursts", [False, True])
def test_columns_of_bins_cover_what_the_spans_cover(bursts):
    start, length = crowd(1, bursts)
    strip = Intervals(start, length, np.cumsum(length) - length)
    bins = build_histogram(start, length, length)
    columns = int((start[-1] - start[0]) / bins.width_ns / 8)
    marks = edges(start[0] - 5_000.5, start[-1] + 70_000.25, columns)
    assert bins.suit(marks[1] - marks[0])
    far = np.abs(bins.coverage(marks) - strip.coverage(marks))
    assert far.max() < 0.15
    assert far.mean() < 0.02
    assert bins.coverage(marks).sum() == pytest.approx(strip.coverage(marks).sum(), rel=1e-9)


def test_bins_are_exact_at_their_bounds():
    start, length = crowd(2, True)
    own = np.where(np.arange(COUNT) % 3 == 0, length, 0)
    bins = build_histogram(start, length, own)
    marks = bins.begin_ns + bins.width_ns * np.arange(0.0, len(bins.busy), 4)
    kept = own > 0
    strip = Intervals(start[kept], own[kept], np.cumsum(own[kept]) - own[kept])
    np.testing.assert_allclose(bins.coverage(marks), strip.coverage(marks), atol=1e-5)


def test_few_spans_have_no_bins_and_narrow_columns_do_not_suit_them():
    start, length = crowd(3, False)
    assert build_histogram(start[:100], length[:100], length[:100]) is None
    bins = build_histogram(start, length, length)
    assert not bins.suit(bins.width_ns * FINE_BINS_PER_COLUMN * 0.9)
    assert bins.longest_ns == length.max()


def test_rows_of_some_thousand_spans_have_two_bins_for_each_pixel_of_a_wide_window():
    start, length = crowd(4, False)
    for count in (5_900, 13_000, 27_000):
        bins = build_histogram(start[:count], length[:count], length[:count])
        assert 2 * 1_440 <= len(bins.busy) - 1 <= count


@pytest.mark.parametrize("bursts", [False, True])
def test_a_few_long_spans_are_kept_beside_and_told_exactly(bursts):
    start, length = crowd(5, bursts)
    length[::1_000] = 900_000
    start = np.cumsum(length + 700) - length
    strip = Intervals(start, length, np.cumsum(length) - length)
    bins = build_histogram(start, length, length)
    assert bins.longest_ns < 5 * bins.width_ns * FINE_BINS_PER_COLUMN < 900_000
    assert bins.long.places.tolist() == list(range(0, COUNT, 1_000))
    marks = edges(start[0], start[-1] + length[-1], int(len(bins.busy) / 4))
    assert np.abs(bins.coverage(marks) - strip.coverage(marks)).max() < 0.3
    bounds = bins.begin_ns + bins.width_ns * np.arange(0.0, len(bins.busy), 4)
    np.testing.assert_allclose(bins.coverage(bounds), strip.coverage(bounds), atol=1e-5)


def test_wide_columns_are_told_from_coarse_bins_which_hold_all_spans():
    start, length = crowd(6, False)
    length[::1_000] = 90_000
    start = np.cumsum(length + 600) - length
    strip = Intervals(start, length, np.cumsum(length) - length)
    bins = build_histogram(start, length, length)
    wide = 64.0 * bins.width_ns
    coarse = bins.fit(wide, 5 * wide)
    assert coarse is not bins
    assert 3 * len(coarse.busy) < len(bins.busy)
    assert bins.fit(4.0 * bins.width_ns, 1e9) is bins
    assert bins.fit(wide, 90_000) is bins  # the long ones are to be seen by themselves
    assert len(bins.long.places) > len(coarse.long.places) == 0
    bounds = coarse.begin_ns + coarse.width_ns * np.arange(0.0, len(coarse.busy), 4)
    np.testing.assert_allclose(coarse.coverage(bounds), strip.coverage(bounds), atol=1e-5)


@pytest.mark.parametrize("few", [7, 900, 1_000, 39_000])
def test_bins_of_one_part_lie_on_the_grid_of_all(few):
    start, length = crowd(7, False)
    length[::900] *= 200
    start = np.cumsum(length + 700) - length
    own = np.where(np.arange(COUNT) % few == few - 1, length, 0)
    some = np.flatnonzero(own)
    whole, part = build_histogram(start, length, length), build_histogram(start, length, own)
    assert part is not None
    taken = whole.of_some(some, start[some], length[some])
    for bins in (part, taken):
        assert (whole.first, whole.width_ns) == (bins.first, bins.width_ns)
        assert whole.long.places.tolist() == bins.long.places.tolist()
        assert bins.long.duration_ns.tolist() == own[bins.long.places].tolist()
        assert whole.coarse is not None
        assert bins.coarse is not None
        for all_, one in ((whole, bins), (whole.coarse, bins.coarse)):
            bounds = all_.begin_ns + all_.width_ns * np.arange(0.0, len(all_.busy), 3)
            strip = Intervals(start[some], length[some], np.cumsum(length[some]) - length[some])
            np.testing.assert_allclose(one.coverage(bounds), strip.coverage(bounds), atol=1e-5)


def test_nothing_is_busy_before_the_first_span_and_after_the_last():
    start, length = crowd(8, False)
    bins = build_histogram(start + 12_345, length, length)
    begin, end = bins.whole_ns
    for low, high in ((begin - 1, end + 1), (begin - 40_000, end + 30_000), (begin, end)):
        marks = edges(low, high, 300)
        busy = bins.coverage(marks).sum() * (marks[1] - marks[0])
        assert busy == pytest.approx(length.sum(), rel=1e-9)
