"""How the list of layers and values is drawn: names in two tones, badges, errors in red."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from inspector.look import Palette
from inspector.ui.kit.layer_name import draw_name
from inspector.ui.kit.table import LEFT, Cells
from inspector.ui.kit.theme import Theme, colour, font
from inspector.ui.values.columns import What
from inspector.ui.values.list_model import StepsModel


class StepCells(Cells[What]):
    """Draws what is told of a layer."""

    def __init__(self, theme: Theme, model: StepsModel) -> None:
        super().__init__(theme, model)
        self._model = model

    def side(self, column: What) -> Qt.AlignmentFlag:
        """Numbers of layers stand at the left edge."""
        return LEFT if column is What.NUMBER else super().side(column)

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: What, chosen: bool
    ) -> None:
        """Draw a name with its badge, or words."""
        look, step = self._theme.palette, self._model.step(row)
        if column is What.LAYER:
            badge = self._model.badge(row)
            if badge:
                box.setRight(box.right() - self._draw_badge(painter, box, badge))
            painter.setFont(font(12, 400 if step.problem else 500))
            draw_name(painter, box, self._model.text(row, column), look, chosen)
            return
        small = column in (What.NUMBER, What.SHAPE)
        painter.setFont(font(11, mono=column is What.SHAPE) if small else font(12))
        tint = look.on_selection if chosen else self._tint(column, row, look)
        self.draw_text(painter, box, self._model.text(row, column), tint, column)

    def _tint(self, column: What, row: int, look: Palette) -> str:
        step = self._model.step(row)
        if column in (What.ERROR, What.SQNR) and step.over:
            return look.bad
        if column is What.ODD and step.nan:
            return look.bad
        if column is What.NUMBER or step.problem:
            return look.tertiary
        return look.text if column is What.ERROR else look.secondary

    def _draw_badge(self, painter: QPainter, box: QRectF, words: str) -> float:
        """A word in the colour of failures; the room that it took."""
        look = self._theme.palette
        painter.setFont(font(11, 500))
        if box.width() < 170:
            words = "first" if words.startswith("first") else "NaN"
        width = painter.fontMetrics().horizontalAdvance(words) + 12.0
        badge = QRectF(box.right() - width, box.center().y() - 8, width, 16)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.bad, 0.14))
        painter.drawRoundedRect(badge, 5, 5)
        painter.setPen(colour(look.bad))
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, words)
        return width + 8
