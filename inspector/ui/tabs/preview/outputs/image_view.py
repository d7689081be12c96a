"""Pictures on the screen: arrays shown sharp and whole, and a place to drop them."""

from pathlib import Path

import numpy as np
from PySide6.QtCore import QMimeData, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QSizePolicy

from inspector.pages.charts.palette import CHECK_SQUARE, WHITE
from inspector.preview.inputs.image_files import Picture
from inspector.ui.translate import tr
from inspector.ui.widgets.dropped import paths_in
from inspector.ui.widgets.theme import Painted, Theme, font, painter_on, qt_color

_FORMATS = {
    1: QImage.Format.Format_Grayscale8,
    3: QImage.Format.Format_RGB888,
    4: QImage.Format.Format_RGBA8888,
}
_CHECK = 8


class DrawnImage:
    """uint8 (height, width, 1, 3 or 4), whose memory it borrows; None draws nothing."""

    def __init__(self, picture: Picture | None = None) -> None:
        self._pixels = None if picture is None else np.ascontiguousarray(picture)
        self._whole = QImage() if self._pixels is None else _borrowed(self._pixels)
        self._drawn, self._how = QImage(), (QSize(), False)

    @property
    def empty(self) -> bool:
        """Return whether there is no picture."""
        return self._whole.isNull()

    @property
    def size(self) -> QSize:
        """Width and height in its own pixels."""
        return self._whole.size()

    @property
    def has_alpha(self) -> bool:
        """Return whether parts may be transparent."""
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
    mode = how.SmoothTransformation if smooth else how.FastTransformation
    scaled = image.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, mode)
    formats = QImage.Format
    clear = image.hasAlphaChannel()
    return scaled.convertToFormat(
        formats.Format_ARGB32_Premultiplied if clear else formats.Format_RGB32
    )


def to_image(picture: Picture) -> QImage:
    """A QImage of its own memory from uint8 (height, width, 1, 3 or 4)."""
    height, width, channels = picture.shape
    formats = {
        1: QImage.Format.Format_Grayscale8,
        3: QImage.Format.Format_RGB888,
        4: QImage.Format.Format_RGBA8888,
    }
    pixels = np.ascontiguousarray(picture)
    made = QImage(pixels.data, width, height, width * channels, formats[channels])
    return made.copy()  # QImage only borrows the array's memory


def to_picture(image: QImage) -> Picture:
    """The pixels of a QImage: uint8 (height, width, 3), or 4 where it is transparent."""
    channels = 4 if image.hasAlphaChannel() else 3
    image_format = (
        QImage.Format.Format_RGBA8888 if channels == 4 else QImage.Format.Format_RGB888
    )
    plain = image.convertToFormat(image_format)
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), -1)
    pixels = rows[:, : plain.width() * channels]
    return pixels.reshape(plain.height(), plain.width(), channels).copy()


class ImageView(Painted):
    """Shows a picture as large as its room allows; single pixels stay squares.

    fills: the whole room is its picture, whatever the proportions, as of a plot.
    """

    def __init__(self, theme: Theme, text: str, height: int, fills: bool = False) -> None:
        super().__init__(theme)
        self._fills = fills
        self._picture = DrawnImage()
        self._words = text
        self.setFixedHeight(height)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text)

    @property
    def empty(self) -> bool:
        """Return whether there is no picture."""
        return self._picture.empty

    def show_picture(self, picture: Picture | None) -> None:
        """Show another picture, or none."""
        self._picture = DrawnImage(picture)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the picture on a well."""
        painter = painter_on(self)
        look = self._theme.palette
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(qt_color(look.hairline), 1))
        painter.setBrush(qt_color(look.window))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        if self.empty:
            self._paint_words(painter)
        else:
            self._paint_picture(painter)

    def _paint_words(self, painter: QPainter) -> None:
        painter.setFont(font(12))
        painter.setPen(qt_color(self._theme.palette.tertiary))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._words)

    def _paint_picture(self, painter: QPainter) -> None:
        picture, room = self._picture, self.size() - QSize(12, 12)
        if self._fills:
            picture.draw(painter, QRectF(self.rect()).adjusted(1, 1, -1, -1), smooth=True)
            return
        size = picture.size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
        corner = QPoint(
            (self.width() - size.width()) // 2, (self.height() - size.height()) // 2
        )
        box = QRectF(corner, size)
        if picture.has_alpha:
            _paint_checks(painter, box)
        picture.draw(painter, box, smooth=size.width() <= 2 * picture.size.width())


class ImageDrop(ImageView):
    """A picture that can be dropped, pasted, or opened by a click while there is none."""

    file_given = Signal(Path)
    picture_given = Signal(object)  # Picture
    requested = Signal()

    def __init__(self, theme: Theme, text: str, height: int) -> None:
        super().__init__(theme, text, height)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def paste(self) -> bool:
        """Take the picture or the file that the clipboard holds, if it holds one."""
        return self.take(QApplication.clipboard().mimeData())

    def take(self, data: QMimeData | None) -> bool:
        """Take a picture out of a drop or the clipboard; a file goes before pixels."""
        paths = paths_in(data)
        if paths:
            self.file_given.emit(paths[0])
            return True
        image = QImage(data.imageData()) if data is not None and data.hasImage() else QImage()
        if image.isNull():
            return False
        self.picture_given.emit(to_picture(image))
        return True

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the click; it counts when it ends."""
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open a dialog."""
        if self.rect().contains(event.position().toPoint()):
            self.requested.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open a dialog."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.requested.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the picture, or a dashed frame with what to do."""
        super().paintEvent(event)
        look = self._theme.palette
        painter = painter_on(self, smooth=True)
        active = self.hasFocus()
        if self.empty or active:
            pen = QPen(qt_color(look.accent if active else look.border), 1.5)
            if self.empty:
                pen.setDashPattern([4, 3])
            painter.setPen(pen)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)

    def _paint_words(self, painter: QPainter) -> None:
        look, middle = self._theme.palette, QRectF(self.rect()).center()
        painter.drawPixmap(
            QPoint(int(middle.x()) - 8, int(middle.y()) - 34), self._theme.pixmap("picture")
        )
        lines = (
            (tr("Drop an image here"), 13, look.text),
            (tr("or paste one, or click"), 12, look.tertiary),
        )
        for i, (text, size, tint) in enumerate(lines):
            painter.setFont(font(size, 500 if i == 0 else 400))
            painter.setPen(qt_color(tint))
            box = QRectF(4, middle.y() - 10 + i * 20, self.width() - 8, 20)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _paint_checks(painter: QPainter, box: QRectF) -> None:
    """The usual chequers behind what is transparent."""
    painter.fillRect(box, qt_color(WHITE))
    for row in range(int(box.height() / _CHECK) + 1):
        for column in range(row % 2, int(box.width() / _CHECK) + 1, 2):
            corner = QPoint(int(box.x()) + column * _CHECK, int(box.y()) + row * _CHECK)
            square = QRectF(corner, QSize(_CHECK, _CHECK)).intersected(box)
            painter.fillRect(square, qt_color(CHECK_SQUARE))
