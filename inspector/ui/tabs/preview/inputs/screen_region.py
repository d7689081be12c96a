"""A part of the screen as a picture: the window steps aside, a rectangle is drawn."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QColor,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QScreen,
)
from PySide6.QtWidgets import QWidget

from inspector.ui.tabs.preview.outputs.image_view import to_picture
from inspector.ui.translate import mark, tr

PAUSE_MS, SMALLEST = 250, 4
WAYLAND = mark(
    "Wayland does not let programs capture the screen. Use your system's screenshot key, "
    "then paste it."
)
NOTHING = mark("The screen could not be captured. Take a screenshot, then paste it.")
HINT = mark("Draw a rectangle · Enter takes the whole screen · Esc cancels")
_SHADE, _PLATE, _EDGE = QColor(0, 0, 0, 110), QColor(0, 0, 0, 200), QColor("#3b82f6")

Grab = Callable[[QScreen], QPixmap]


def grabbed(screen: QScreen) -> QPixmap:
    """The whole screen as it is now; a null pixmap where the system refuses."""
    return screen.grabWindow(0)


class ScreenRegion(QObject):
    """Hides a window, lets a part of its screen be chosen, and shows the window again.

    Says `taken` with a Picture, or `refused` with a sentence; nothing where it was cancelled.
    """

    taken = Signal(object)
    refused = Signal(str)

    def __init__(self, parent: QObject, grab: Grab = grabbed) -> None:
        super().__init__(parent)
        self._grab = grab
        self.canvas: Canvas | None = None

    def ask(self, window: QWidget) -> None:
        """Begin, once the window is out of the way."""
        if QGuiApplication.platformName().startswith("wayland"):
            self.refused.emit(tr(WAYLAND))
            return
        window.hide()
        QTimer.singleShot(PAUSE_MS, self, lambda: self._begin(window))

    def _begin(self, window: QWidget) -> None:
        screen = window.screen()
        seen = self._grab(screen)
        if seen.isNull():
            window.show()
            self.refused.emit(tr(NOTHING))
            return
        self.canvas = Canvas(seen, screen)
        self.canvas.done.connect(lambda part: self._end(window, part))
        self.canvas.setGeometry(screen.geometry())
        self.canvas.showFullScreen()
        self.canvas.activateWindow()

    def _end(self, window: QWidget, part: QPixmap | None) -> None:
        canvas, self.canvas = self.canvas, None
        window.show()  # first, since a program without windows would end
        window.activateWindow()
        if canvas is not None:
            canvas.hide()
            canvas.deleteLater()
        if part is not None:
            self.taken.emit(to_picture(part.toImage()))


class Canvas(QWidget):
    """The picture of a screen, to draw a rectangle on; `done` with that part or None."""

    done = Signal(object)

    def __init__(self, seen: QPixmap, screen: QScreen) -> None:
        super().__init__(None, Qt.WindowType.FramelessWindowHint | Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.setScreen(screen)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setWindowTitle(tr("Capture a part of the screen"))
        self.setAccessibleName(tr(HINT))
        self._seen = seen
        self._from: QPoint | None = None
        self._part = QRect()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a rectangle."""
        self._from = event.position().toPoint()
        self._part = QRect()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Draw it on."""
        if self._from is not None:
            at, begun = event.position().toPoint(), self._from
            left, right = sorted((at.x(), begun.x()))
            top, bottom = sorted((at.y(), begun.y()))
            self._part = QRect(QPoint(left, top), QPoint(right, bottom))
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Take it, unless it was only a click."""
        part = self._part.intersected(self.rect())
        self._from = None
        if min(part.width(), part.height()) >= SMALLEST:
            self.done.emit(self._seen.copy(self._pixels(part).toAlignedRect()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Cancel, or take the whole screen."""
        if event.key() == Qt.Key.Key_Escape:
            self.done.emit(None)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.done.emit(self._seen)
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Cancel: the window that stepped aside would never come back."""
        super().closeEvent(event)
        self.done.emit(None)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The screen in shade, and what is chosen as it is."""
        painter = QPainter(self)
        painter.drawPixmap(self.rect(), self._seen)
        painter.fillRect(self.rect(), _SHADE)
        if not self._part.isNull():
            painter.drawPixmap(QRectF(self._part), self._seen, self._pixels(self._part))
            painter.setPen(QPen(_EDGE, 2))
            painter.drawRect(self._part)
        words = painter.fontMetrics().boundingRect(tr(HINT)).adjusted(-14, -8, 14, 8)
        words.moveCenter(QPoint(self.width() // 2, 40))
        painter.fillRect(words, _PLATE)
        painter.setPen(Qt.GlobalColor.white)
        painter.drawText(words, Qt.AlignmentFlag.AlignCenter, tr(HINT))
        painter.end()

    def _pixels(self, part: QRect) -> QRectF:
        """A rectangle of the widget in pixels of the picture, which may be finer."""
        across = self._seen.width() / max(1, self.width())
        down = self._seen.height() / max(1, self.height())
        return QRectF(
            part.x() * across, part.y() * down, part.width() * across, part.height() * down
        )
