"""Cells of a sweep over two axes as coloured boxes: time, spread, and the best with a ring."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector import units
from inspector.analysis import sweeps
from inspector.export.sweep_plot import Seen, heat_tint, rows_of
from inspector.export.sweep_tables import value_words, words_of
from inspector.look import on_top
from inspector.sweep import Cell, Place, State, Sweep
from inspector.ui.kit.theme import Theme, colour, font

_HIGH, _APART, _LEFT, _TOP, _WIDEST = 48, 3, 56, 24, 260


class HeatView(QWidget):
    """Draws a slice of a sweep; a click or the arrow keys choose a cell."""

    chosen = Signal(object)  # Place

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._sweep: Sweep | None = None
        self._rows: tuple[tuple[Cell, ...], ...] = ()
        self._axes = (0, 0)
        self._best: Cell | None = None
        self._range = (1.0, 1.0)
        self.place: Place | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Median prediction by settings")
        theme.changed.connect(self.update)

    def show_slice(self, sweep: Sweep, fixed: Place, across: int, down: int | None) -> None:
        """Show the cells over one or two axes, all others as in `fixed`."""
        self._sweep, self._axes = sweep, (across, -1 if down is None else down)
        self._rows = rows_of(sweep, Seen(across, down, fixed))
        known = [m for c in sweep.cells if (m := sweeps.median_ns(c)) is not None]
        self._range = (min(known), max(known)) if known else (1.0, 1.0)
        self._best = sweeps.best(sweep)
        self.setFixedHeight(_TOP + len(self._rows) * (_HIGH + _APART))
        self._describe()
        self.update()

    @property
    def cells(self) -> tuple[tuple[Cell, ...], ...]:
        """What is shown, row by row."""
        return self._rows

    def show_place(self, place: Place | None) -> None:
        """Mark a cell as chosen."""
        self.place = place
        self._describe()
        self.update()

    def sizeHint(self) -> QSize:
        """Wide enough to read."""
        return QSize(400, self.height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose what is below the pointer."""
        for y, cells in enumerate(self._rows):
            for x, cell in enumerate(cells):
                if self._box(x, y).contains(event.position()):
                    self.chosen.emit(cell.at)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys choose a neighbour."""
        step = _STEPS.get(Qt.Key(event.key()))
        spots = {c.at: (x, y) for y, r in enumerate(self._rows) for x, c in enumerate(r)}
        if step is None or not spots:
            super().keyPressEvent(event)
            return
        x, y = spots.get(self.place or (), (-step[0], -step[1]))
        x = min(max(0, x + step[0]), len(self._rows[0]) - 1)
        y = min(max(0, y + step[1]), len(self._rows) - 1)
        self.chosen.emit(self._rows[y][x].at)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw titles and boxes."""
        if self._sweep is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_titles(painter)
        for y, cells in enumerate(self._rows):
            for x, cell in enumerate(cells):
                self._paint_cell(painter, self._box(x, y), cell)

    def _paint_titles(self, painter: QPainter) -> None:
        assert self._sweep is not None, "there is something to draw"
        painter.setFont(font(11, 500))
        painter.setPen(colour(self._theme.palette.secondary))
        across, down = self._axes
        axis = self._sweep.axes[across]
        middle = Qt.TextElideMode.ElideMiddle
        for x, value in enumerate(axis.values):
            box = self._box(x, 0)
            title = QRectF(box.x(), 0, box.width(), _TOP - 4)
            words = painter.fontMetrics().elidedText(
                value_words(axis.name, value), middle, int(title.width())
            )
            painter.drawText(title, Qt.AlignmentFlag.AlignCenter, words)
        if down < 0:
            return
        axis = self._sweep.axes[down]
        for y, value in enumerate(axis.values):
            box = self._box(0, y)
            title = QRectF(0, box.y(), box.x() - 10, box.height())
            words = painter.fontMetrics().elidedText(
                value_words(axis.name, value), middle, int(title.width())
            )
            painter.drawText(title, int(_RIGHT), words)

    def _paint_cell(self, painter: QPainter, box: QRectF, cell: Cell) -> None:
        look = self._theme.palette
        middle, wide = sweeps.median_ns(cell), sweeps.spread(cell)
        fill = self.tint(middle)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(fill))
        painter.drawRoundedRect(box, 5, 5)
        if self._best is not None and cell.at == self._best.at:
            painter.setPen(QPen(colour(look.good), 2.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(1.2, 1.2, -1.2, -1.2), 4.5, 4.5)
        if cell.at == self.place:
            painter.setPen(QPen(colour(look.text), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(3.8, 3.8, -3.8, -3.8), 3, 3)
        upper = QRectF(box.x(), box.y() + 7, box.width(), 18)
        lower = QRectF(box.x(), box.y() + 25, box.width(), 15)
        if middle is None or wide is None:
            painter.setFont(font(11))
            painter.setPen(colour(look.bad if cell.state is State.FAILED else look.tertiary))
            words = {State.PENDING: "…"}.get(cell.state, str(cell.state))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
            return
        painter.setPen(colour(on_top(fill)))
        painter.setFont(font(13, 600))
        painter.drawText(upper, Qt.AlignmentFlag.AlignCenter, units.duration(middle))
        painter.setFont(font(10))
        low, high = units.duration_parts(wide.p5_ns), units.duration_parts(wide.p95_ns)
        first = low[0] if low[1] == high[1] else " ".join(low)
        words = f"{first} – {' '.join(high)}"
        painter.drawText(lower, Qt.AlignmentFlag.AlignCenter, words)

    def tint(self, middle: float | None) -> str:
        """The colour of a time: the faster, the fuller, by its logarithm."""
        look = self._theme.palette
        if middle is None:
            return look.track
        return heat_tint(look, middle, *self._range)

    def _room_left(self) -> float:
        """Room for the titles of the rows, at most two fifths of all."""
        if self._sweep is None or self._axes[1] < 0:
            return 0.0
        axis, metrics = self._sweep.axes[self._axes[1]], QFontMetrics(font(11, 500))
        texts = (value_words(axis.name, value) for value in axis.values)
        widest = max(metrics.horizontalAdvance(text) for text in texts)
        return min(max(_LEFT, widest + 14), 0.4 * self.width())

    def _box(self, x: int, y: int) -> QRectF:
        columns = len(self._rows[0]) if self._rows else 1
        left = self._room_left()
        width = min(_WIDEST, (self.width() - left) / columns)
        return QRectF(left + x * width, _TOP + y * (_HIGH + _APART), width - _APART, _HIGH)

    def _describe(self) -> None:
        if self._sweep is None or self.place not in self._sweep.by_place:
            return
        assert self.place is not None, "it is among the cells"
        cell = self._sweep.by_place[self.place]
        middle = sweeps.median_ns(cell)
        told = str(cell.state) if middle is None else units.duration(middle)
        self.setAccessibleDescription(f"{words_of(self._sweep, cell)}: {told}")


_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_STEPS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
