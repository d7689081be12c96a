"""All rows at once show what each shows alone."""

import numpy as np
import pytest

from inspector.trace.intervals import ColumnView, Intervals, pixel_columns
from inspector.trace.trace import KINDS, Kind, Lane, Track
from inspector.trace.trace_builder import TraceBuilder
from inspector.trace.trace_rows import Row, build_level_of_detail
from inspector.ui.timeline.model import visible_spans
from inspector.ui.timeline.model.visible_spans import (
    DetailThresholds,
    Hits,
    cover,
    visible_rows,
)

COLUMNS, LEAST, COPY = 120, DetailThresholds(5, 0.0, 0.0, 24, 0), KINDS.index(Kind.COPY)


def rows(seed: int) -> tuple[Row, ...]:
    """Rows of different density and length, the last ones end early; with copies."""
    random, build = np.random.default_rng(seed), TraceBuilder()
    for n, mean in enumerate((3, 40, 900, 20_000)):
        track, at = Track(Lane.COMPUTE, f"unit {n}", "cpu", "cpu"), int(random.integers(9_000))
        for _ in range(min(2_003, 150_000 // mean)):
            length = int(random.exponential(mean)) + 1
            kind = (Kind.KERNEL, Kind.COPY)[int(random.integers(2))]
            build.add(track, "a", at, length, kind)
            at += length + int(random.integers(0, mean))
    return build_level_of_detail(build.trace(zero_ns=0)).rows


@pytest.mark.parametrize("index", [True, False])
@pytest.mark.parametrize("window", [(0, 160_000), (3_000, 3_900), (50_000, 50_100), (-500, 40)])
def test_rows_asked_together_cover_what_each_covers_alone(window, index, monkeypatch):
    if index:  # as for rows of very many spans
        monkeypatch.setattr(visible_spans, "_MANY", 0)
        monkeypatch.setattr(visible_spans, "_MANY_KINDS", 0)
    columns, shown = pixel_columns(float(window[0]), float(window[1]), COLUMNS), rows(5)
    alone = [ColumnView(row.strip, columns) for row in shown]
    for row, one, found in zip(shown, alone, visible_rows(shown, columns, LEAST), strict=True):
        assert found.places.tolist() == one.wide(LEAST.wide).tolist()
        wanted = one.coverage(one.wide(LEAST.wide))
        np.testing.assert_allclose(
            np.zeros(COLUMNS) if found.shares is None else found.shares, wanted, atol=1e-5
        )
        copies = next(strip for kind, strip in row.kinds if strip.kind == kind == COPY)
        if found.shares is not None:  # of single spans each is hatched or not
            assert found.copies is not None
            assert (found.copies == (one.coverage(of=copies) > wanted / 2)).mean() > 0.98
    none = [np.zeros(0, np.intp)] * len(shown)
    together = cover([row.strip for row in shown], none, columns)
    for one, shares in zip(alone, together, strict=True):
        found_all = np.zeros(COLUMNS) if shares is None else shares
        np.testing.assert_allclose(found_all, one.coverage(), atol=1e-5)


@pytest.mark.parametrize("window", [(0, 160_000), (3_000, 3_900), (50_000, 50_100), (0, 2_000)])
def test_what_is_searched_for_is_seen_as_if_it_were_alone(window):
    columns, shown = pixel_columns(float(window[0]), float(window[1]), COLUMNS), rows(8)
    mask = np.random.default_rng(9).random(shown[-1].last) < 0.2
    mask[shown[0].first : shown[0].last] = False
    masks = [mask[row.first : row.last] for row in shown]
    times = [
        (row.strip.start_ns[held], row.strip.duration_ns[held])
        for row, held in zip(shown, masks, strict=True)
    ]
    strips = [Intervals(start, lasts, np.cumsum(lasts) - lasts) for start, lasts in times]
    assert visible_rows(shown, columns, LEAST)[1].matches is None
    for row, held, one, strip in zip(
        shown,
        masks,
        visible_rows(shown, columns, LEAST, Hits(strips, mask)),
        strips,
        strict=True,
    ):
        drawn = one.places[held[one.places]]
        alone = np.searchsorted(np.flatnonzero(held), drawn)
        wanted = ColumnView(strip, columns).coverage(alone)
        found = np.zeros(COLUMNS) if one.matches is None else one.matches
        np.testing.assert_allclose(found, wanted, atol=1e-5)
        assert row.first or one.matches is None


def test_busy_time_of_a_window_needs_no_columns():
    for row in rows(6):
        for strip in (row.strip, *(strip for _, strip in row.kinds)):
            for begin, end in ((0, 160_000), (777.5, 3_100.25), (-9, 4)):
                before, after = strip.busy_until(np.array([begin, end]))
                assert strip.busy_ns(begin, end) == pytest.approx(after - before)


def long_rows(seed: int) -> tuple[Row, ...]:
    """Rows of so many spans that bins tell them, a few of them long; with copies."""
    random, build = np.random.default_rng(seed), TraceBuilder()
    for n, mean in enumerate((60, 400)):
        track, at = Track(Lane.COMPUTE, f"unit {n}", "cpu", "cpu"), int(random.integers(900))
        for span in range(12_000):
            length = int(random.exponential(mean)) + 1
            length += 300 * mean * (span % 1_511 == 7)
            kind = (Kind.KERNEL, Kind.COPY)[int(random.integers(2))]
            build.add(track, "a", at, length, kind)
            at += length + int(random.integers(0, mean))
    return build_level_of_detail(build.trace(zero_ns=0)).rows


@pytest.mark.parametrize("columns", [120, 1_000, 4_000])
@pytest.mark.parametrize("part", [1.0, 0.3])
def test_long_spans_stand_out_of_rows_of_very_many(columns, part):
    for row in long_rows(11):
        start, lasts = row.strip.start_ns, row.strip.duration_ns
        end = float(start[-1] + lasts[-1])
        view = pixel_columns(end * (1 - part) / 2, end * (1 + part) / 2, columns)
        (found,), alone = visible_rows([row], view, LEAST), ColumnView(row.strip, view)
        assert found.places.tolist() == alone.wide(LEAST.wide).tolist()
        assert columns < 1_000 or len(found.places) > 1
        wanted = alone.coverage(alone.wide(LEAST.wide))
        assert np.abs(found.shares - wanted).max() < 0.3
        assert found.shares[1:-1].sum() == pytest.approx(wanted[1:-1].sum(), abs=0.5)
        held = np.random.default_rng(12).random(row.last) < 0.2
        mask = held[row.first : row.last]
        bins = row.strip.bins.of_some(np.flatnonzero(mask), start[mask], lasts[mask])
        before = np.cumsum(lasts[mask]) - lasts[mask]
        own = Intervals(start[mask], lasts[mask], before, bins=bins)
        (searched,) = visible_rows([row], view, LEAST, Hits([own], held))
        drawn = np.flatnonzero(mask).searchsorted(found.places[mask[found.places]])
        wanted = ColumnView(own, view).coverage(drawn)
        assert np.abs(searched.matches - wanted).max() < 0.3
        assert searched.matches[1:-1].sum() == pytest.approx(wanted[1:-1].sum(), abs=0.5)


def test_spans_that_are_told_from_each_other_reach_out_of_the_window():
    build, track = TraceBuilder(), Track(Lane.COMPUTE, "unit", "cpu", "cpu")
    for at in range(0, 10_000, 1_000):  # ten columns each, of which the last stays empty
        build.add(track, "a", at, 1_000, Kind.KERNEL)
    (row,) = build_level_of_detail(build.trace(zero_ns=0)).rows
    least = DetailThresholds(5, 1e9, 1e9, 24, 100)
    (found,) = visible_rows([row], pixel_columns(2_500.0, 4_500.0, 20), least)
    empty = [4, 14]
    np.testing.assert_allclose(found.shares, [n not in empty for n in range(20)], atol=1e-9)
    (found,) = visible_rows(
        [row], pixel_columns(2_500.0, 3_950.0, 29), least
    )  # ends in an empty one
    np.testing.assert_allclose(found.shares[-2:], [1, 0], atol=1e-9)
