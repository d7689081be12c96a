"""A picture that is drawn again and again: brought to its size on the screen only once."""

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter

from inspector.preview.picture import Picture

_FORMATS = {
    1: QImage.Format.Format_Grayscale8,
    3: QImage.Format.Format_RGB888,
    4: QImage.Format.Format_RGBA8888,
}


class DrawnPicture:
    """uint8 (height, width, 1, 3 or 4), whose memory it borrows; None draws nothing."""

    def __init__(self, picture: Picture | None = None) -> None:
        self._pixels = None if picture is None else np.ascontiguousarray(picture)
        self._whole = QImage() if self._pixels is None else _borrowed(self._pixels)
        self._drawn, self._how = QImage(), (QSize(), False)

    @property
    def empty(self) -> bool:
        """Whether there is no picture."""
        return self._whole.isNull()

    @property
    def size(self) -> QSize:
        """Width and height in its own pixels."""
        return self._whole.size()

    @property
    def has_alpha(self) -> bool:
        """Whether parts may be transparent."""
        return self._whole.hasAlphaChannel()

    def draw(self, painter: QPainter, box: QRectF, smooth: bool) -> None:
        """Fill a box; without `smooth` single pixels stay squares."""
        ratio = painter.device().devicePixelRatioF()
        size = (box.size() * ratio).toSize().expandedTo(QSize(1, 1))
        if self._how != (size, smooth):
            self._how = size, smooth
            self._drawn = _scaled(self._whole, size, smooth)
        painter.drawImage(box, self._drawn)


def _borrowed(pixels: Picture) -> QImage:
    height, width, channels = pixels.shape
    return QImage(pixels.data, width, height, width * channels, _FORMATS[channels])


def _scaled(image: QImage, size: QSize, smooth: bool) -> QImage:
    """In the format that is drawn without looking at each pixel again."""
    how = Qt.TransformationMode
    wanted = how.SmoothTransformation if smooth else how.FastTransformation
    scaled = image.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, wanted)
    formats = QImage.Format
    clear = image.hasAlphaChannel()
    return scaled.convertToFormat(
        formats.Format_ARGB32_Premultiplied if clear else formats.Format_RGB32
    )
