"""Many lines under predictions, drawn in one step, look like as many drawn one by one."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from inspector.look import DARK, LIGHT, Palette
from inspector.strip import Times
from inspector.ui.timeline.brackets import draw_brackets
from inspector.ui.timeline.layout import Scale

WIDE, TOP, LEFT, CHUNK = 300, 11, 40, 10
Values = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


def drawn(
    begin: Times, end: Times, warm: int, chunk: int, palette: Palette, ratio: float
) -> Values:
    image = QImage(round((LEFT + WIDE) * ratio), round(20 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.white)
    scale = Scale(1_000.3, 61_000.3, LEFT, WIDE)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(QRectF(LEFT, 0, WIDE, 20))
    for at in range(0, len(begin), chunk):
        some = slice(at, at + chunk)
        before = max(0, warm - at)
        draw_brackets(painter, begin[some], end[some], before, TOP, scale, palette)
    painter.end()
    lines = np.frombuffer(image.constBits(), np.uint8)
    return lines.reshape(image.height(), -1, 4)[:, : image.width(), :3].astype(np.int64)


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize("long", [200, 900, 1_900])
def test_many_brackets_look_like_as_many_one_by_one(
    qtbot: QtBot, long: int, palette: Palette, ratio: float
) -> None:
    begin = np.arange(40, dtype=np.int64) * 2_003 - 500  # some lie outside
    end, warm = begin + long, 13
    wanted = drawn(begin, end, warm, CHUNK, palette, ratio)
    assert wanted.min() < 200, "there are lines"
    many = drawn(begin, end, warm, len(begin), palette, ratio)
    assert np.abs(many - wanted).max() <= 6
