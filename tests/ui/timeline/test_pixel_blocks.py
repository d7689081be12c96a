"""Rows drawn from few lines of pixels are the picture of all of them, on every screen."""

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter

from inspector.pages.charts.palette import LIGHT
from inspector.ui.timeline.render import row_raster
from inspector.ui.timeline.render.pixel_blocks import Block, is_raster, laid_out
from inspector.ui.timeline.render.row_raster import Ground, Rows, Singles, opaque
from inspector.ui.timeline.render.rows import draw_lines, draw_over_and_over

WIDE, LEFT, TOP = 90, 6, 4


def rows(ratio: float) -> tuple[Rows, Singles, Ground]:
    """Three rows: density, single spans with corners, and hatched copies of both."""
    random = np.random.default_rng(3)
    tops, heights = [0, round(22 * ratio), round(60 * ratio)], [round(20 * ratio)] * 3
    shares = [random.random(WIDE), None, np.where(np.arange(WIDE) < 40, 1.0, 0.0)]
    copies = [None, None, np.arange(WIDE) < 30]
    told = Rows(tops, heights, shares, [None] * 3, copies, [LIGHT.cpu] * 3, [LIGHT.cpu] * 3)
    some = Singles(
        np.array([1, 1, 2]), np.array([3.3, 30.0, 50.5]), np.array([25.6, 61.0, 80.0]),
        np.array([opaque(LIGHT.gpu)] * 3, np.uint32), np.array([False, True, True]),
    )  # fmt: skip
    return told, some, Ground(WIDE, ratio, LIGHT.surface, 2, 3.5)


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("moved", [0.0, 0.5])
def test_lines_drawn_over_and_over_are_the_whole_picture(ratio, moved, qtbot):
    wanted = row_raster.draw(*rows(ratio))
    canvas = QImage(200, 220, QImage.Format.Format_ARGB32_Premultiplied)
    canvas.fill(0)
    canvas.setDevicePixelRatio(ratio)
    painter = QPainter(canvas)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(moved / ratio, moved / ratio)  # as widgets lie where a scale is not whole
    assert is_raster(painter)
    draw_lines(painter, row_raster.lines(*rows(ratio)), QPointF(LEFT, TOP), ratio)
    painter.end()
    seen = np.frombuffer(canvas.constBits(), np.uint32).reshape(220, 200)
    down, right = np.argwhere(seen).min(axis=0) - np.argwhere(wanted).min(axis=0)
    assert abs(down - TOP * ratio) <= 1
    assert abs(right - LEFT * ratio) <= 1
    high, wide = wanted.shape
    np.testing.assert_array_equal(seen[down : down + high, right : right + wide], wanted)
    assert np.count_nonzero(seen) == np.count_nonzero(wanted)


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_what_is_known_to_lie_behind_rows_shines_through_as_if_they_lay_on_it(ratio, qtbot):
    told, some, ground = rows(ratio)
    behind = np.full(WIDE, opaque(LIGHT.surface), np.uint32)
    behind[::7] = opaque(LIGHT.grid)
    pictures = list[np.ndarray[tuple[int, ...], np.dtype[np.int_]]]()
    for known in (None, behind):
        canvas = QImage(WIDE, 140, QImage.Format.Format_RGB32)
        canvas.fill(QColor(LIGHT.surface))
        canvas.setDevicePixelRatio(ratio)
        painter = QPainter(canvas)
        draw_over_and_over(painter, behind, 0, [(0, 140)], ratio)
        drawn = row_raster.lines(told, some, replace(ground, behind=known))
        draw_lines(painter, drawn, QPointF(0, 0), ratio, known is not None)
        painter.end()
        pictures.append(np.frombuffer(canvas.constBits(), np.uint8).astype(int))
    assert np.abs(pictures[0] - pictures[1]).max() <= 2  # edges are rounded once, not twice
    assert (pictures[1].reshape(140, WIDE, 4)[2:10, 63, 0] < 255).all(), "of density"
    line = pictures[1].reshape(140, WIDE, 4)[round(28 * ratio), 0]
    assert line[:3].tolist() == list(QColor(LIGHT.grid).getRgb()[2::-1]), "where it is clear"


def test_rows_close_together_are_one_block_as_long_as_it_is_small():
    told = laid_out((0, 22, 60), (20, 20, 20), 6, 1.0, WIDE)
    assert told.blocks == (Block(0, 2, 0, 42), Block(2, 3, 60, 80))
    wide = laid_out((0, 22, 60), (20, 20, 20), 6, 1.0, 4000)
    assert wide.blocks == (Block(0, 1, 0, 20), Block(1, 2, 20, 42), Block(2, 3, 60, 80))


def test_lines_of_a_hatched_row_follow_each_other_from_its_top_on():
    which = laid_out((0, 10), (8, 8), 3, 1.0, WIDE).which([1]).tolist()
    assert which == [0] * 8 + [2] * 2 + [3, 4, 5, 3, 4, 5, 3, 4]


def test_what_lies_between_the_rows_is_drawn_once(qtbot):
    canvas = QImage(WIDE, 140, QImage.Format.Format_RGB32)
    canvas.fill(0)
    line = np.full(WIDE, opaque(LIGHT.grid), np.uint32)
    painter = QPainter(canvas)
    draw_over_and_over(painter, line, 4, [(0, 7), (30, 100)], 1.0)
    assert painter.brushOrigin().isNull(), "what is drawn next is not moved"
    painter.end()
    drawn = np.frombuffer(canvas.constBits(), np.uint32).reshape(140, WIDE)[:, 4:] & 0xFFFFFF
    lines = np.flatnonzero((drawn == opaque(LIGHT.grid) & 0xFFFFFF).all(axis=1)).tolist()
    assert lines == [*range(7), *range(30, 100)]
    assert not drawn[7:30].any()
