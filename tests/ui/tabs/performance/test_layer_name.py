import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from inspector.model.display_names import fit_line, fit_lines
from inspector.pages.charts.palette import LIGHT
from inspector.ui.widgets.table import draw_name


def inked(name: str, width: int) -> int:
    """The last column that draws anything."""
    image = QImage(400, 28, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    draw_name(painter, QRectF(0, 0, width, 28), name, LIGHT)
    painter.end()
    columns = (x for x in range(400) for y in range(28) if image.pixel(x, y) >> 24)
    return max(columns, default=0)


def test_a_long_name_stays_within_its_box(qtbot):
    assert 40 < inked("one/very/long/scope/of/many/parts/leaf", 160) <= 160
    assert 10 < inked("one/leaf_that_is_far_too_long_for_this_box", 60) <= 60


BLOCKS = [
    f"{outer}fire{n}/{leaf}"
    for outer in ("", "model/features/")
    for n in range(2, 10)
    for leaf in ("squeeze1x1", "expand1x1", "expand3x3")
]


@pytest.mark.parametrize("outer", ["", "model/features/"])
@pytest.mark.parametrize("room", [12, 14, 16, 20, 24])
def test_names_that_are_cut_still_tell_rows_apart(outer, room):
    rows = [name for name in BLOCKS if name.startswith(f"{outer}fire")]
    shown = fit_lines(rows, room, len)
    assert max(map(len, shown)) <= room
    assert len(set(shown)) == len(rows), shown


def test_a_cut_name_keeps_its_number():
    assert fit_line("fire2/expand3x3", 15, len) == "fire2/expand3x3"
    assert fit_line("model/features/fire2/expand3x3", 20, len) == "…/fire2/expand3x3"
