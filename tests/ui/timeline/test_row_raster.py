"""The picture of all rows holds what each of its spans and columns should show."""

import numpy as np
import pytest

from inspector.pages.charts.palette import DARK, LIGHT, Palette
from inspector.ui.timeline.model.column_coverage import spread
from inspector.ui.timeline.render import row_raster
from inspector.ui.timeline.render.row_raster import Ground, Rows, Singles, opaque, shade

WIDE, TOPS, HEIGHTS = 60, (0, 12), (10, 10)
NONE = (
    np.zeros(0, np.intp), np.zeros(0), np.zeros(0), np.zeros(0, np.uint32),
    np.zeros(0, np.bool_),
)  # fmt: skip


def singles(*told: tuple[int, float, float, str, bool]) -> Singles:
    row, begin, end, fill, copies = zip(*told, strict=True)
    return Singles(
        np.array(row), np.array(begin), np.array(end),
        np.array([opaque(value) for value in fill], np.uint32), np.array(copies),
    )  # fmt: skip


def drawn(
    palette: Palette,
    some: Singles,
    shares: dict[int, np.ndarray],
    copies: dict[int, np.ndarray],
    radius: float = 0.0,
) -> np.ndarray:
    rows = Rows(
        TOPS, HEIGHTS, [shares.get(n) for n in (0, 1)], [None, None],
        [copies.get(n) for n in (0, 1)], [palette.cpu] * 2, [palette.cpu] * 2,
    )  # fmt: skip
    return row_raster.draw(rows, some, Ground(WIDE, 1.0, palette.surface, 0, radius))


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_rows_show_density_and_single_spans_and_nothing_between(palette):
    share = np.linspace(0, 1, WIDE)
    share[20:40] = 0
    some = singles((0, 21.0, 30.5, palette.gpu, False), (1, 3.25, 9.0, palette.gpu, False))
    canvas = drawn(palette, some, {0: share}, {})
    line = shade(share, palette.cpu, palette.surface)
    assert (canvas[:10, :20] == line[:20]).all()
    assert (canvas[:10, 21:30] == opaque(palette.gpu)).all()
    assert (canvas[:10, 30] >> 24 == 127).all(), "half a pixel is half as strong"
    assert not canvas[:10, 31:40].any()
    assert not canvas[10:12].any()
    assert len(canvas) == 22
    assert (canvas[12:22, 3] >> 24 == 191).all()
    assert (canvas[12:22, 4:9] == opaque(palette.gpu)).all()


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_coverage_a_little_above_all_or_below_none_is_all_or_none(palette):
    share = np.linspace(0, 1, WIDE)
    share[20:24], share[30:34] = 1.1, -0.05
    found = np.zeros(WIDE)
    found[:10], found[10:20] = 1.1, -0.05
    for searched in (None, found):
        rows = Rows(
            TOPS, HEIGHTS, [share] * 2, [searched] * 2, [None] * 2,
            [palette.cpu, palette.gpu], [palette.data, palette.activity],
        )  # fmt: skip
        canvas = row_raster.draw(rows, Singles(*NONE), Ground(WIDE, 1.0, palette.surface))
        for top, pale, fill in ((0, palette.cpu, palette.data),
                                (12, palette.gpu, palette.activity)):  # fmt: skip
            line = shade(share, pale, palette.surface)
            assert (canvas[top, 20:24] == opaque(pale)).all()
            assert not canvas[top, 30:34].any()
            assert (canvas[top, 10:] == line[10:]).all()
            known = line[:10] if searched is None else opaque(fill)
            assert (canvas[top, :10] == known).all()


@pytest.mark.parametrize("copies", [False, True])
def test_many_single_spans_are_drawn_as_each_of_them_is(copies):
    wide, count = 1200, 80
    begin = 2.25 + np.arange(count) * 14.5
    end, row = begin + 11, np.arange(count) // (count // 2)
    fill = np.where(np.arange(count) % 3, opaque(LIGHT.cpu), opaque(LIGHT.gpu))
    fill, flags = fill.astype(np.uint32), np.full(count, copies)
    shares = [np.linspace(0, 1, wide), None]
    rows = Rows(TOPS, HEIGHTS, shares, [None] * 2, [None] * 2, [LIGHT.npu] * 2, [LIGHT.npu] * 2)
    ground = Ground(wide, 1.0, LIGHT.surface, 0, 3.5)
    canvas = row_raster.draw(rows, Singles(row, begin, end, fill, flags), ground)
    none = row_raster.draw(rows, Singles(*NONE), ground)
    wanted = none.copy()
    for n in range(count):
        one = slice(n, n + 1)
        alone = Singles(row[one], begin[one], end[one], fill[one], flags[one])
        drawn = row_raster.draw(rows, alone, ground)
        np.copyto(wanted, drawn, where=drawn != none)
    np.testing.assert_array_equal(canvas, wanted)
    assert np.count_nonzero(canvas != none) > count * 9 * 10


def test_corners_are_round_and_the_middle_is_not():
    canvas = drawn(LIGHT, singles((1, 10.0, 40.0, LIGHT.gpu, False)), {}, {}, 3.5)
    alpha = canvas[12:22] >> 24
    assert alpha[0, 10] < 20
    assert alpha[0, 10] < alpha[1, 10] < alpha[2, 10]
    assert (alpha[:, 14:36] == 255).all()
    np.testing.assert_array_equal(alpha, alpha[::-1])
    np.testing.assert_array_equal(alpha[:, 10:40], alpha[:, 10:40][:, ::-1])


def test_copies_are_hatched_where_they_are_seen_and_nowhere_else():
    share, copies = np.zeros(WIDE), np.ones(WIDE, np.bool_)
    share[:10] = 1
    some = singles((0, 20.0, 30.0, LIGHT.cpu, True), (0, 40.0, 50.0, LIGHT.cpu, False))
    canvas = drawn(LIGHT, some, {0: share}, {0: copies})[:10]
    for begin, tints in ((0, 3), (20, 3), (40, 1), (10, 1)):
        assert len(np.unique(canvas[:, begin : begin + 10])) == tints
    assert not canvas[:, 10:20].any()
    assert (canvas[:9, 1:10] == canvas[1:, :9]).all(), "the lines rise to the right"


def test_intervals_are_spread_over_their_columns_exactly():
    random = np.random.default_rng(7)
    edges = np.sort(random.uniform(0, 30, (3, 80)), axis=1)
    begin, end = edges[:, ::2], edges[:, 1::2]
    row = np.repeat(np.arange(3), begin.shape[1])
    found = spread(row, begin.ravel(), end.ravel(), (3, 30))
    columns = np.arange(30)[:, None]
    for n in range(3):
        inside = np.minimum(end[n], columns + 1) - np.maximum(begin[n], columns)
        np.testing.assert_allclose(found[n], np.clip(inside, 0, None).sum(axis=1), atol=1e-12)
