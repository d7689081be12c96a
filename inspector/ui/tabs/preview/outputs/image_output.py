"""An output as a picture: beside the one it was made from, or wiped from it."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.preview.inputs.image_files import Picture
from inspector.ui.tabs.preview.outputs.image_view import ImageView, to_image
from inspector.ui.tabs.preview.read_outputs import Reading
from inspector.ui.translate import tr
from inspector.ui.widgets.fields import Slider
from inspector.ui.widgets.parts import Elided, Segmented, add_to, column_of, label, row
from inspector.ui.widgets.theme import Painted, Theme, qt_color

HEIGHT = 220  # px
WIPE_HEIGHT = 320  # px, of one picture over the other
SIDES, SLIDER = range(2)


class WipeView(Painted):
    """The picture before at the left of a line, the one after at its right; the line moves."""

    moved = Signal(float)  # share of the width, 0 to 1

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._share = 0.5
        self._before, self._after = QImage(), QImage()
        self.setFixedHeight(WIPE_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Before on the left, after on the right"))
        self.setCursor(Qt.CursorShape.SplitHCursor)

    def show_pictures(self, before: Picture, after: Picture) -> None:
        """Show another pair; both fill the same box."""
        self._before, self._after = to_image(before), to_image(after)
        self.update()

    def wipe(self, share: float) -> None:
        """Move the line."""
        self._share = share
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Bring the line to the pointer."""
        self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Draw the line along."""
        box = self._box()
        if box.width() > 0:
            share = (event.position().x() - box.left()) / box.width()
            self.moved.emit(min(1.0, max(0.0, share)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw both and the line."""
        if self._after.isNull():
            return
        painter, box = QPainter(self), self._box()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(box, self._before)
        line = box.left() + box.width() * self._share
        painter.setClipRect(QRectF(line, box.top(), box.right() - line, box.height()))
        painter.drawImage(box, self._after)
        painter.setClipping(False)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(255, 255, 255), 2))
        painter.drawLine(QPointF(line, box.top()), QPointF(line, box.bottom()))
        painter.setPen(QPen(qt_color(self._theme.palette.accent), 2))
        painter.setBrush(QColor(255, 255, 255))
        painter.drawEllipse(QPointF(line, box.center().y()), 7, 7)

    def _box(self) -> QRectF:
        size = self._after.size().scaled(
            QSize(self.width(), self.height()), Qt.AspectRatioMode.KeepAspectRatio
        )
        left, top = (self.width() - size.width()) / 2, (self.height() - size.height()) / 2
        return QRectF(left, top, size.width(), size.height())


class ImageBody(QWidget):
    """Two pictures side by side, or one over the other with a slider."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        column = column_of(on=self, spacing=8)
        self.view_switch = Segmented(theme, (tr("Side by side"), tr("Slider")), 0)
        self.view_switch.setAccessibleName(tr("Before and after view"))
        self._pair = QWidget()
        pictures = row(on=self._pair)
        self._before = ImageView(theme, tr("Before"), HEIGHT)
        self._after = ImageView(theme, tr("After"), HEIGHT)
        self._before_words, self._after_words = Elided("", "caption"), Elided("", "caption")
        self._first = QWidget()
        for home, picture, caption in (
            (self._first, self._before, self._before_words),
            (QWidget(), self._after, self._after_words),
        ):
            column_of(picture, caption, on=home, spacing=4)
            pictures.addWidget(home, 1)
        self.wipe = WipeView(theme)
        self.slider = Slider(tr("Drag to compare before and after"), 1000, 500)
        self._wiping = QWidget()
        self._ways = row(self.view_switch, None)
        add_to(column, self._ways, self._pair, self._wiping_card())
        self.view_switch.chosen.connect(self._turn)
        self.slider.valueChanged.connect(lambda value: self.wipe.wipe(value / 1000))
        self.wipe.moved.connect(lambda share: self.slider.setValue(round(share * 1000)))

    def _wiping_card(self) -> QWidget:
        """The two pictures in one, with what moves the border between them."""
        below = row(
            label(tr("Before"), "secondary"), (self.slider, 1), label(tr("After"), "secondary")
        )
        column_of(self.wipe, below, on=self._wiping, spacing=6)
        return self._wiping

    def show_reading(self, reading: Reading, before: Picture | None, labels: str) -> None:
        """Show another answer."""
        shown = reading.shown
        assert shown is not None, "only an output that reads as an image gets here"
        self.view_switch.setVisible(before is not None)
        self._first.setVisible(before is not None)
        self._before.show_picture(before)
        if before is not None:
            self._before_words.set_text(
                tr("Before · {shape} × {shape_2}").format(
                    shape=before.shape[1], shape_2=before.shape[0]
                )
            )
            self.wipe.show_pictures(before, shown.picture)
        self._after.show_picture(shown.picture)
        height, width = shown.picture.shape[:2]
        values = tr("black = {low:.4g}, white = {high:.4g}").format(
            low=shown.low, high=shown.high
        )
        after = tr("After · ") if before is not None else ""
        self._after_words.set_text(f"{after}{width} × {height} · {values}")
        self._turn()

    def _turn(self) -> None:
        sliding = self.view_switch.current == SLIDER and self._first.isVisibleTo(self._pair)
        self._pair.setVisible(not sliding)
        self._wiping.setVisible(sliding)
