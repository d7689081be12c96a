"""Bins tell the busy time of very many spans as the spans themselves do."""

import numpy as np
import pytest

from inspector.bins import FINE, binned
from inspector.strip import Strip, edges

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
def test_columns_of_bins_cover_what_the_spans_cover(bursts: bool) -> None:
    start, length = crowd(1, bursts)
    strip = Strip(start, length, np.cumsum(length) - length)
    bins = binned(start, length, length)
    assert bins is not None
    columns = int((start[-1] - start[0]) / bins.width_ns / 8)
    marks = edges(start[0] - 5_000.5, start[-1] + 70_000.25, columns)
    assert bins.suit(marks[1] - marks[0])
    far = np.abs(bins.coverage(marks) - strip.coverage(marks))
    assert far.max() < 0.15
    assert far.mean() < 0.02
    assert bins.coverage(marks).sum() == pytest.approx(strip.coverage(marks).sum(), rel=1e-9)


def test_bins_are_exact_at_their_bounds() -> None:
    start, length = crowd(2, True)
    own = np.where(np.arange(COUNT) % 3 == 0, length, 0)
    bins = binned(start, length, own)
    assert bins is not None
    marks = bins.begin_ns + bins.width_ns * np.arange(0.0, len(bins.busy_ns), 4)
    kept = own > 0
    strip = Strip(start[kept], own[kept], np.cumsum(own[kept]) - own[kept])
    np.testing.assert_allclose(bins.coverage(marks), strip.coverage(marks), atol=1e-9)


def test_few_spans_have_no_bins_and_narrow_columns_do_not_suit_them() -> None:
    start, length = crowd(3, False)
    assert binned(start[:100], length[:100], length[:100]) is None
    bins = binned(start, length, length)
    assert bins is not None
    assert not bins.suit(bins.width_ns * FINE * 0.9)
    assert bins.longest_ns == length.max()


def test_rows_of_some_thousand_spans_have_two_bins_for_each_pixel_of_a_wide_window() -> None:
    start, length = crowd(4, False)
    for count in (5_900, 13_000, 27_000):
        bins = binned(start[:count], length[:count], length[:count])
        assert bins is not None
        assert 2 * 1_440 <= len(bins.busy_ns) - 1 <= count // 2
