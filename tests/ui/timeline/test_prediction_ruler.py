"""Many lines under predictions, drawn in one step, look like as many drawn one by one."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from inspector.pages.charts.palette import DARK, LIGHT
from inspector.trace.intervals import Times
from inspector.ui.timeline.model.geometry import Scale
from inspector.ui.timeline.model.predictions import Iterations
from inspector.ui.timeline.widget.prediction_ruler import Ruler, draw_brackets
from inspector.ui.widgets.theme import qt_color

WIDE, TOP, LEFT = 300, 11, 40
Values = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


def drawn(
    begin: Times, end: Times, looks: tuple[tuple[QColor, int], ...], many: bool, ratio: float
) -> Values:
    image = QImage(round((LEFT + WIDE) * ratio), round(20 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.white)
    scale = Scale(1_000.3, 61_000.3, LEFT, WIDE)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(QRectF(LEFT, 0, WIDE, 20))
    if many:
        draw_brackets(painter, begin, end, looks, TOP, scale)
    else:
        tints = [look for look, count in looks for _ in range(count)]
        for at, (first, last) in enumerate(zip(begin.tolist(), end.tolist(), strict=True)):
            long = max(1.0, scale.x(last) - scale.x(first) - 1)
            painter.fillRect(QRectF(scale.x(first), TOP, long, 2), tints[at])
    painter.end()
    lines = np.frombuffer(image.constBits(), np.uint8)
    return lines.reshape(image.height(), -1, 4)[:, : image.width(), :3].astype(np.int64)


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize("long", [200, 900, 1_900])
def test_many_brackets_look_like_as_many_one_by_one(qtbot, long, palette, ratio):
    begin = np.arange(40, dtype=np.int64) * 2_003 - 500  # some lie outside
    looks = (qt_color(palette.caution, 0.9), 13), (qt_color(palette.tertiary, 0.45), 27)
    wanted, told = (drawn(begin, begin + long, looks, many, ratio) for many in (False, True))
    assert wanted.min() < 200, "there are lines"
    assert np.abs(told - wanted).max() <= 6


@pytest.mark.parametrize("count", [20, 60, 3_000])
def test_predictions_have_a_line_and_those_with_room_a_number(qtbot, theme, count):
    begin = np.arange(count, dtype=np.int64) * 10_000
    end = begin + 8_000
    begin[3:], end[2:] = begin[3:] + 600_000, end[2:] + 600_000  # the third lasts long
    told = Iterations("a.onnx", begin, end, 0, np.ones(count, bool))
    scale = Scale(0, 1_500_000, 148, 1_000)
    ruler = Ruler(theme, (told,), (), lambda: scale)
    qtbot.addWidget(ruler)
    ruler.resize(1160, ruler.height())
    image = ruler.grab().toImage()
    ground = image.pixelColor(1_155, 5)
    assert image.pixelColor(300, 12) != ground
    number = image.copy(148 + 14, 0, 14, 11)
    assert number != image.copy(148 + 100, 0, 14, 11), "the long one has a number"
