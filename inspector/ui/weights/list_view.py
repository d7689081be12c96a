"""How the list of weights is drawn: names in two tones, problems, and bars of bytes."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from inspector.look import Palette
from inspector.ui.kit.layer_name import draw_name
from inspector.ui.kit.table import Cells, draw_bar
from inspector.ui.kit.theme import Theme, colour, font
from inspector.ui.weights import columns as cells
from inspector.ui.weights.columns import What
from inspector.ui.weights.list_model import WeightsModel

WORDS, ROOMY = 70, 230
_DOWN = QPointF(0, 5.5)


class WeightCells(Cells[What]):
    """Draws what is told of a weight."""

    def __init__(self, theme: Theme, model: WeightsModel) -> None:
        super().__init__(theme, model)
        self._model = model

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: What, chosen: bool
    ) -> None:
        """Draw a name with its badge, a bar with bytes, or words."""
        look = self._theme.palette
        if column is What.NAME:
            self._draw_name(painter, box, row, chosen)
            return
        if column is What.BYTES:
            self._draw_bar(painter, box, row, chosen)
        painter.setFont(font(11, mono=True) if column is What.SHAPE else font(12))
        tint = look.on_selection if chosen else self._tint(column, row, look)
        self.draw_text(painter, box, self._model.text(row, column), tint, column)

    def _tint(self, what: What, row: int, look: Palette) -> str:
        if what is What.BYTES:
            return look.text
        if what is What.USERS and not self._model.uses[self._model.place_of(row)]:
            return look.tertiary
        return look.secondary

    def _draw_name(self, painter: QPainter, box: QRectF, row: int, chosen: bool) -> None:
        weight = self._model.weight(row)
        if weight.problem:
            painter.drawPixmap(box.topLeft() + _DOWN, self._theme.pixmap("warning", "caution"))
            box.setLeft(box.left() + 22)
        if weight.origin != "initializer":
            box.setRight(box.right() - self._draw_badge(painter, box, weight.origin, chosen))
        painter.setFont(font(12, 500))
        draw_name(painter, box, cells.name(weight), self._theme.palette, chosen)

    def _draw_badge(self, painter: QPainter, box: QRectF, origin: str, chosen: bool) -> float:
        """Mark what is no plain initializer; the room that took."""
        look, words = self._theme.palette, origin.split()[0]
        if box.width() < ROOMY:
            words = words[0].upper()
        painter.setFont(font(11))
        width = painter.fontMetrics().horizontalAdvance(words) + 12.0
        badge = QRectF(box.right() - width, box.center().y() - 8, width, 16)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.text, 0.1) if chosen else colour(look.track))
        painter.drawRoundedRect(badge, 5, 5)
        painter.setPen(colour(look.on_selection if chosen else look.secondary))
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, words)
        return width + 8

    def _draw_bar(self, painter: QPainter, box: QRectF, row: int, chosen: bool) -> None:
        look, size = self._theme.palette, self._model.weight(row).size_bytes
        width = box.width() - WORDS
        if width < 12 or size is None:
            return
        track = QRectF(box.left(), box.center().y() - 3, width, 6)
        part = size / max(1, self._model.largest_bytes) if size else None
        draw_bar(painter, track, part, look.accent, look, chosen)
