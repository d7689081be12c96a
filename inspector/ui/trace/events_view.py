"""How the table of events is drawn: names, swatches of tracks, and numbers."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from inspector.ui.kit.layer_name import draw_name
from inspector.ui.kit.table import EDGE, INSET, Cells
from inspector.ui.kit.theme import Theme, colour, font
from inspector.ui.trace.columns import What
from inspector.ui.trace.events_model import EventsModel

SWATCH = 4


class EventCells(Cells[What]):
    """Draws what is told of a group of events."""

    def __init__(self, theme: Theme, model: EventsModel) -> None:
        super().__init__(theme, model)
        self._model = model

    def inset(self, box: QRectF, column: What) -> QRectF:
        """The last column stands away from the edge as well."""
        inner = super().inset(box, column)
        return inner.adjusted(0, 0, INSET - EDGE, 0) if column is What.SHARE else inner

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: What, chosen: bool
    ) -> None:
        """Draw a name, a track with its swatch, or a number."""
        look, model = self._theme.palette, self._model
        if column is What.NAME:
            self._draw_name(painter, box, row, chosen)
            return
        if column is What.TRACK:
            self._draw_swatch(painter, box, row)
            box.setLeft(box.left() + SWATCH + 8)
        strong = column is model.sorted_column and column.numeric
        painter.setFont(font(12, 500 if strong else 400))
        tint = look.on_selection if chosen else look.text if strong else look.secondary
        self.draw_text(painter, box, model.text(row, column), tint, column)

    def _draw_name(self, painter: QPainter, box: QRectF, row: int, chosen: bool) -> None:
        look, text = self._theme.palette, self._model.text(row, What.NAME)
        painter.setFont(font(12, 500))
        if self._model.groups.found.operators[self._model.place_of(row)]:
            draw_name(painter, box, text, look, chosen)  # only layers lie in scopes
        else:
            tint = look.on_selection if chosen else look.text
            self.draw_text(painter, box, text, tint, What.NAME)

    def _draw_swatch(self, painter: QPainter, box: QRectF, row: int) -> None:
        groups, group = self._model.groups, self._model.place_of(row)
        track = groups.trace.tracks[int(groups.found.tracks[group])]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(self._theme.palette.lane(track.family)))
        bar = QRectF(box.left(), box.center().y() - 6, SWATCH, 12)
        painter.drawRoundedRect(bar, 2, 2)
