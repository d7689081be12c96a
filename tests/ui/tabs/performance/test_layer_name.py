import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from inspector.export.charts.palette import LIGHT
from inspector.model.display_names import fit_line, fitted, fitted_leaf
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


def test_a_long_name_stays_within_its_box(qtbot: QtBot) -> None:
    assert 40 < inked("one/very/long/scope/of/many/parts/leaf", 160) <= 160
    assert 10 < inked("one/leaf_that_is_far_too_long_for_this_box", 60) <= 60


@pytest.mark.parametrize(
    ("room", "shown"),
    [
        (99, "encoder.layer.10.attention.self"),
        (30, "e.layer.10.attention.self"),
        (20, "e.l.10.a.self"),
        (5, "e.l.10.a.self"),
    ],
)
def test_a_scope_without_room_keeps_the_numbers_of_its_blocks(room: int, shown: str) -> None:
    assert fitted("encoder.layer.10.attention.self", room, len) == shown


def test_blocks_numbered_within_a_word_are_told_apart() -> None:
    assert fitted("model/block_1/conv", 10, len) != fitted("model/block_2/conv", 10, len)
    assert fitted("h.12/ln_1/x", 1, len) == "h.12/l1/x"


def test_names_with_a_number_inside_are_told_apart() -> None:
    assert fitted_leaf("Constant_12_output_0", 99, len) == "Constant_12_output_0"
    assert fitted_leaf("Constant_12_output_0", 16, len) == "Constant_12_o_0"
    assert fitted_leaf("ramp", 1, len) == "ramp"


BLOCKS = [
    f"{outer}fire{n}/{leaf}"
    for outer in ("", "model/features/")
    for n in range(2, 10)
    for leaf in ("squeeze1x1", "expand1x1", "expand3x3")
]


@pytest.mark.parametrize("outer", ["", "model/features/"])
@pytest.mark.parametrize("room", [12, 14, 16, 20, 24])
def test_names_that_are_cut_still_tell_rows_apart(outer: str, room: int) -> None:
    rows = [name for name in BLOCKS if name.startswith(f"{outer}fire")]
    shown = [fit_line(name, room, len) for name in rows]
    assert max(map(len, shown)) <= room
    assert len(set(shown)) == len(rows), shown


def test_a_cut_name_keeps_its_block_and_its_number() -> None:
    assert fit_line("fire2/expand3x3", 15, len) == "fire2/expand3x3"
    assert fit_line("fire2/expand3x3", 12, len) == "f2/expand3x3"
    assert fit_line("model/features/fire2/expand3x3", 20, len) == "m/f/fire2/expand3x3"
    assert fit_line("a" * 40 + "7", 9, len) == "aaa…aaaa7"
