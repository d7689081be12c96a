"""The frame around the window looks as if it were stroked, wherever it lies."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from inspector.ui.timeline.render.pixel_blocks import in_pixels
from inspector.ui.timeline.widget.overview_strip import draw_frame

WIDE, HIGH, TINT = 400, 36, "#2A62D9"
Values = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


def blank(ratio: float) -> QImage:
    made = QImage(round(WIDE * ratio), round(HIGH * ratio), QImage.Format.Format_RGB32)
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.white)
    return made


def values(image: QImage) -> Values:
    lines = np.frombuffer(image.constBits(), np.uint8)
    return lines.reshape(image.height(), -1, 4)[:, : image.width(), :3].astype(np.int64)


def stroked(frame: QRectF, ratio: float) -> Values:
    image = blank(ratio)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(TINT), 1.5))
    painter.drawRoundedRect(frame, 4, 4)
    painter.setPen(QPen(QColor(TINT), 4, c=Qt.PenCapStyle.RoundCap))
    for x in (frame.left(), frame.right()) if frame.width() > 18 else ():
        painter.drawLine(QPointF(x, HIGH / 2 - 5), QPointF(x, HIGH / 2 + 5))
    painter.end()
    return values(image)


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("width", [8.0, 13.3, 18.5, 19.9, 20.1, 24.6, 60.2, 390.0])
@pytest.mark.parametrize("left", [4.0, 4.25, 4.7])
def test_a_frame_of_pictures_looks_as_if_it_were_stroked(qtbot, left, width, ratio):
    frame, image = QRectF(left, 2.5, width, HIGH - 5), blank(ratio)
    painter = QPainter(image)
    with in_pixels(painter, ratio):
        draw_frame(painter, frame, WIDE, TINT, ratio)
    painter.end()
    drawn, wanted = values(image), stroked(frame, ratio)
    assert np.abs(drawn - wanted).max() <= 255 / 8 + 8, "an end lies at a quarter of a pixel"
    assert np.abs(drawn - wanted).mean() < 1.5


def test_it_is_the_same_as_stroked_where_its_ends_are_quarters_of_pixels(qtbot):
    for left, right in ((4.0, 200.0), (4.5, 30.25), (5.75, 19.0)):
        frame, image = QRectF(left, 2.5, right - left, HIGH - 5), blank(1)
        painter = QPainter(image)
        draw_frame(painter, frame, WIDE, TINT, 1)
        painter.end()
        assert np.abs(values(image) - stroked(frame, 1)).max() <= 6
