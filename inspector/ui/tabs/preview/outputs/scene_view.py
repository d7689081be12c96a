"""A picture with boxes, points or an overlay on it, or wiped from before to after."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector import units
from inspector.preview.detectors.boxes import Box
from inspector.preview.outputs.dense_maps import Overlay, colour_of
from inspector.preview.outputs.scene import OPACITY, Point, name_of
from inspector.ui.tabs.preview.outputs.image_view import to_image
from inspector.ui.tabs.preview.read_outputs import SceneReading
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.theme import Theme, colour, font

TALLEST, LEGEND, MOST_PARTS = 380, 22, 6


class SceneView(QWidget):
    """As wide as it may be, as tall as the picture then is."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._reading: SceneReading | None = None
        self._ground, self._over = QImage(), QImage()
        self._wiped, self._opacity = 0.5, OPACITY
        self._lines = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Detections"))
        theme.changed.connect(self.update)

    def show_reading(self, reading: SceneReading) -> None:
        """Show another scene."""
        self._reading = reading
        scene = reading.scene
        self._ground = to_image(reading.seen.shown)
        over = None if scene is None else scene.merged
        if scene is not None and scene.overlay is not None:
            over = scene.overlay.picture
        self._over = QImage() if over is None else to_image(over)
        self._lines = 1 if scene is not None and scene.overlay and scene.overlay.parts else 0
        self.setAccessibleDescription(scene_text(reading))
        self._fit()
        self.update()

    def wipe(self, share: float) -> None:
        """Show the part left of `share` as it was before, the rest as it is after."""
        self._wiped = share
        self.update()

    def fade(self, opacity: float) -> None:
        """Lay masks and maps over the picture with this opacity, 0 to 1."""
        self._opacity = opacity
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the picture's proportions."""
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the picture, then what is on it."""
        if self._reading is None or self._ground.isNull():
            return
        painter = QPainter(self)
        painter.setRenderHints(
            QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform
        )
        box = self._box()
        painter.drawImage(box, self._ground)
        scene = self._reading.scene
        painter.save()
        painter.setClipRect(box)
        if scene is not None and scene.merged is not None:
            self._paint_wiped(painter, box)
        elif scene is not None and scene.overlay is not None:
            painter.setOpacity(self._opacity)
            painter.drawImage(self._place(box), self._over)
        painter.restore()
        if scene is not None:
            self._paint_boxes(painter, box, scene.boxes, self._reading.labels)
            self._paint_points(painter, box, scene.points)
            self._paint_legend(painter, box, scene.overlay, self._reading.labels)

    def _paint_wiped(self, painter: QPainter, box: QRectF) -> None:
        line = box.left() + box.width() * self._wiped
        painter.setClipRect(QRectF(line, box.top(), box.right() - line, box.height()))
        painter.drawImage(self._place(box), self._over)
        painter.setClipRect(box)
        painter.setPen(QPen(QColor(255, 255, 255), 2))
        painter.drawLine(QPointF(line, box.top()), QPointF(line, box.bottom()))

    def _paint_boxes(
        self, painter: QPainter, box: QRectF, boxes: Sequence[Box], labels: Sequence[str]
    ) -> None:
        place, tags = self._place(box), list[QRectF]()
        painter.setFont(font(11, 600))
        for found in boxes:
            left = place.left() + found.left * place.width()
            top = place.top() + found.top * place.height()
            wide = (found.right - found.left) * place.width()
            high = (found.bottom - found.top) * place.height()
            edges = QRectF(left, top, wide, high).intersected(box)
            tint = QColor(*colour_of(found.kind))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(tint, 2))
            painter.drawRect(edges)
            name = units.clip(name_of(found.kind, labels), 30)
            words = f"{name} {found.score:.2f}"
            size = painter.fontMetrics().horizontalAdvance(words) + 8
            tag = QRectF(edges.left() - 1, max(box.top(), edges.top() - 17), size, 17)
            tag.moveRight(min(tag.right(), box.right()))
            while any(tag.intersects(other) for other in tags) and tag.bottom() < box.bottom():
                tag.translate(0, 18)
            tags.append(tag)
            painter.fillRect(tag, tint)
            painter.setPen(QColor(0, 0, 0) if tint.lightness() > 140 else QColor(255, 255, 255))
            painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, words)

    def _paint_points(self, painter: QPainter, box: QRectF, points: Sequence[Point]) -> None:
        place = self._place(box)
        painter.setPen(QPen(QColor(0, 0, 0, 160), 1))
        painter.setBrush(QColor(0, 220, 120))
        for point in points:
            x = place.left() + point.x * place.width()
            y = place.top() + point.y * place.height()
            painter.drawEllipse(QPointF(x, y), 2.5, 2.5)

    def _paint_legend(
        self, painter: QPainter, box: QRectF, overlay: Overlay | None, labels: Sequence[str]
    ) -> None:
        parts = [part for part in overlay.parts if part[0]][:MOST_PARTS] if overlay else []
        x = box.left()
        painter.setFont(font(11))
        for kind, share, tint in parts:
            words = f"{units.clip(name_of(kind, labels), 30)} {100 * share:.1f} %"
            square = QRectF(x, box.bottom() + 10, 9, 9)
            painter.fillRect(square, QColor(*tint))
            painter.setPen(colour(self._theme.palette.secondary))
            place = QRectF(x + 14, box.bottom() + 4, self.width(), LEGEND)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, words)
            x += 14 + painter.fontMetrics().horizontalAdvance(words) + 16

    def _place(self, box: QRectF) -> QRectF:
        """Where the model's picture lies."""
        assert self._reading is not None, "only what is shown is painted"
        place = self._reading.seen.place
        left, top = box.left() + place.left * box.width(), box.top() + place.top * box.height()
        wide = (place.right - place.left) * box.width()
        return QRectF(left, top, wide, (place.bottom - place.top) * box.height())

    def _box(self) -> QRectF:
        height = self.height() - self._lines * (LEGEND + 4)
        width = min(self.width(), height * self._ground.width() / self._ground.height())
        return QRectF((self.width() - width) / 2, 0, width, height)

    def _fit(self) -> None:
        if self._ground.isNull():
            return
        tall = self.width() * self._ground.height() / self._ground.width()
        self.setFixedHeight(round(min(TALLEST, tall)) + self._lines * (LEGEND + 4))


def scene_text(reading: SceneReading) -> str:
    """A scene in one line: '4 found: person 0.89, person 0.89, dog 0.82'."""
    scene = reading.scene
    if scene is None:
        return ""
    if scene.decoder.kind == "boxes":
        listed = [f"{name_of(b.kind, reading.labels)} {b.score:.2f}" for b in scene.boxes[:8]]
        more = ", …" if len(scene.boxes) > len(listed) else ""
        found = (
            tr("{count} found").format(count=len(scene.boxes))
            if scene.boxes
            else tr("Nothing above this score")
        )
        return units.clip(f"{found}: {', '.join(listed)}{more}" if listed else found, 400)
    if scene.decoder.kind == "points":
        return tr("{point_count} above this score").format(
            point_count=plural(len(scene.points), "point")
        )
    if scene.overlay is not None and not scene.overlay.parts:
        return tr("Dark is {low:.4g}, bright is {high:.4g}").format(
            low=scene.overlay.low, high=scene.overlay.high
        )
    if scene.overlay is not None:
        return plural(len(scene.overlay.parts), "value")
    return tr("Left of the line before, right of it after")
