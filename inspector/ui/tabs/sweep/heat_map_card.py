"""The heat map of a sweep with its axes to choose, and the numbers of the chosen cell."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from inspector import units
from inspector.analysis.measured import sweep_results
from inspector.analysis.measured.sample_statistics import table
from inspector.export.charts.palette import on_top
from inspector.export.charts.sweep_plot import Seen, heat_tint, rows_of
from inspector.export.tables.sweep_tables import axis_label, settings_label, value_label
from inspector.report.sweep import Cell, CellIndex, CellState, Sweep
from inspector.ui.translate import plural, tr, tr_message
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.layouts import Flow
from inspector.ui.widgets.parts import Card, Elided, button, label, row
from inspector.ui.widgets.theme import Theme, colour, font, painter_on

# Cells of a sweep over two axes as coloured boxes: time, spread, and the best with a ring.


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
        self.place: CellIndex | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Median latency by setting"))
        theme.changed.connect(self.update)

    def show_slice(self, sweep: Sweep, fixed: CellIndex, across: int, down: int | None) -> None:
        """Show the cells over one or two axes, all others as in `fixed`."""
        self._sweep, self._axes = sweep, (across, -1 if down is None else down)
        self._rows = rows_of(sweep, Seen(across, down, fixed))
        items = [m for c in sweep.cells if (m := sweep_results.median_ns(c)) is not None]
        self._range = (min(items), max(items)) if items else (1.0, 1.0)
        self._best = sweep_results.best(sweep)
        self.setFixedHeight(_TOP + len(self._rows) * (_HIGH + _APART))
        self._describe()
        self.update()

    @property
    def cells(self) -> tuple[tuple[Cell, ...], ...]:
        """Return what is shown, row by row."""
        return self._rows

    def show_place(self, place: CellIndex | None) -> None:
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
        painter = painter_on(self)
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
            text = painter.fontMetrics().elidedText(
                tr(value_label(axis.name, value)), middle, int(title.width())
            )
            painter.drawText(title, Qt.AlignmentFlag.AlignCenter, text)
        if down < 0:
            return
        axis = self._sweep.axes[down]
        for y, value in enumerate(axis.values):
            box = self._box(0, y)
            title = QRectF(0, box.y(), box.x() - 10, box.height())
            text = painter.fontMetrics().elidedText(
                tr(value_label(axis.name, value)), middle, int(title.width())
            )
            painter.drawText(title, int(_RIGHT), text)

    def _paint_cell(self, painter: QPainter, box: QRectF, cell: Cell) -> None:
        look = self._theme.palette
        middle, wide = sweep_results.median_ns(cell), sweep_results.spread(cell)
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
        if middle is None:
            painter.setFont(font(11))
            painter.setPen(
                colour(look.bad if cell.state is CellState.FAILED else look.tertiary)
            )
            text = {CellState.PENDING: "…"}.get(cell.state, str(cell.state))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
            return
        painter.setPen(colour(on_top(fill)))
        painter.setFont(font(13, 600))
        painter.drawText(upper, Qt.AlignmentFlag.AlignCenter, units.duration(middle))
        if wide is None:
            return
        painter.setFont(font(10))
        low, high = units.duration_parts(wide.p5_ns), units.duration_parts(wide.p95_ns)
        first = low[0] if low[1] == high[1] else " ".join(low)
        text = f"{first} – {' '.join(high)}"
        painter.drawText(lower, Qt.AlignmentFlag.AlignCenter, text)

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
        texts = (tr(value_label(axis.name, value)) for value in axis.values)
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
        middle = sweep_results.median_ns(cell)
        text = str(cell.state) if middle is None else units.duration(middle)
        self.setAccessibleDescription(f"{settings_label(self._sweep, cell)}: {text}")


_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_STEPS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


_CELL = 132


class HeatCard(Card):
    """Two axes as a map, the others as selectors; `chosen` is the place that was clicked."""

    chosen = Signal(object)  # Place
    drawn = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._sweep: Sweep | None = None
        self._fixed: CellIndex = ()
        self.fields: dict[str, ChoiceField] = {}
        self._axes: tuple[object, ...] = ()
        self.view = HeatView(theme)
        self.count = label("", "secondary")
        self._bar = QWidget()
        self._flow = Flow(10, 6, self._bar)
        self.legend = _right("")
        self.body.setSpacing(10)
        self.body.addLayout(
            row(label(tr("Heat map"), "heading"), 4, self.count, 8, self.legend, stretch=4)
        )
        self.body.addWidget(self._bar)
        self.body.addWidget(self.view)
        self.view.chosen.connect(self.chosen)

    def show_sweep(self, sweep: Sweep, place: CellIndex | None) -> None:
        """Show another state of a sweep, or another sweep."""
        self._sweep = sweep
        if sweep.axes != self._axes:
            self._axes = sweep.axes
            self._offer(sweep)
        done = sum(bool(cell.rounds) for cell in sweep.cells)
        all_cells = plural(len(sweep.cells), "combination")
        self.count.setText(
            tr("{done:,} of {all_cells} measured").format(done=done, all_cells=all_cells)
        )
        median = f"{tr('median')} {tr(sweep_results.common_kind(sweep))}".rstrip()
        self.legend.set_text(
            tr("Each cell: {median}, with p5-p95 below; the fastest is outlined").format(
                median=median
            )
        )
        self.view.show_place(place)
        self._draw()

    @property
    def seen(self) -> Seen:
        """Return which cells are shown."""
        return Seen(*self.shown, self._fixed)

    @property
    def shown(self) -> tuple[int, int | None]:
        """Return which axes go across and down."""
        assert self._sweep is not None, "there is a sweep"
        names = [axis.name for axis in self._sweep.axes]
        down = self.fields["down"].value if "down" in self.fields else ""
        across = names.index(self.fields["across"].value) if "across" in self.fields else 0
        return across, names.index(down) if down in names else None

    def _offer(self, sweep: Sweep) -> None:
        """Make a field for each of the two axes, and one for each of the others."""
        while (item := self._flow.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        self.fields = {}
        names = [axis.name for axis in sweep.axes]
        items = [_title(name) for name in names]
        long = sorted(range(len(names)), key=lambda i: -len(sweep.axes[i].values))
        if len(names) > 1:
            down = 0 if names[0] == "model" else long[1]
            across = next(i for i in long if i != down)
            for key, place in (("down", down), ("across", across)):
                field = ChoiceField(tr("Axis {key}").format(key=key), names, items)
                field.show_value(names[place])
                field.activated.connect(lambda _, one=key: self._swap(one))
                self._add(key.capitalize(), key, field)
        if len(names) > 2:
            for axis in sweep.axes:
                texts = [tr(value_label(axis.name, value)) for value in axis.values]
                keys = [str(place) for place in range(len(texts))]
                field = ChoiceField(tr(axis_label(axis.name)), keys, texts)
                best = sweep_results.best(sweep)
                if best is not None:
                    field.show_value(str(best.at[names.index(axis.name)]))
                field.activated.connect(lambda _: self._draw())
                self._add(_title(axis.name), axis.name, field)
        self._bar.setVisible(bool(self.fields))

    def _add(self, text: str, key: str, field: ChoiceField) -> None:
        self.fields[key] = field
        field.setFixedWidth(136)
        pair = QWidget()
        pair.setLayout(row(label(text, "caption"), field, spacing=6))
        self._flow.addWidget(pair)

    def _swap(self, moved: str) -> None:
        """Swap the axes if both would show the same one."""
        other = {"down": "across", "across": "down"}[moved]
        if self.fields["down"].value == self.fields["across"].value and self._sweep:
            names = [axis.name for axis in self._sweep.axes]
            free = next(name for name in names if name != self.fields[moved].value)
            self.fields[other].show_value(free)
        self._draw()

    def _draw(self) -> None:
        sweep = self._sweep
        if sweep is None or not sweep.axes:
            return
        across, down = self.shown
        fixed = [0] * len(sweep.axes)
        for place, axis in enumerate(sweep.axes):
            field = self.fields.get(axis.name)
            if field is not None:
                free = place in (across, down)
                pair = field.parentWidget()
                if pair is not None:
                    pair.setVisible(not free)
                fixed[place] = max(0, int(field.value)) if not free else 0
        self._fixed = tuple(fixed)
        self.view.show_slice(sweep, self._fixed, across, down)
        self.drawn.emit()


def _title(axis: str) -> str:
    text = tr(axis_label(axis))
    return units.capitalized(text)


def _right(text: str) -> Elided:
    made = Elided(text, "caption", Qt.TextElideMode.ElideRight)
    made.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return made


class CellCard(Card):
    """All numbers of one cell, and the buttons that take its settings over."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.title = Elided("", "heading")
        self.take = button(theme, tr("Use these settings"))
        self.words = label("", "secondary", selectable=True)
        self.words.setWordWrap(True)
        self._numbers = QWidget()
        self._grid = QGridLayout(self._numbers)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(2)
        self.body.addLayout(row(self.title, self.take, stretch=0))
        self.body.addWidget(self.words)
        self.body.addWidget(self._numbers)
        self._cells: tuple[tuple[str, str], ...] = ()
        self._columns = 5

    def show_cell(self, sweep: Sweep, cell: Cell) -> None:
        """Show another cell."""
        self.title.set_text(settings_label(sweep, cell))
        used = sweep_results.samples(cell)
        # The interval over all starts stands in place of one over neighbouring predictions.
        cells = [pair for pair in table(used) if "95% CI" not in pair[0]]
        between = sweep_results.median_interval(cell)
        if between is not None:
            low, high = map(units.duration, between)
            cells.append(
                (tr("95% CI of the median"), tr("{low} to {high}").format(low=low, high=high))
            )
        if cell.rounds:
            first = cell.rounds[0]
            kind = tr(sweep_results.latency_kind(cell))
            cells += [(tr("Statistics"), kind)] if kind else []
            cells += [
                (tr("Load"), units.duration(first.load_ns)),
                (tr("First run"), units.duration(first.first_prediction_ns)),
                (tr("Peak model memory"), units.size(first.model_bytes)),
                (tr("Processes"), f"{len(cell.rounds):,}"),
            ]
        text = [cell.why] if cell.why else []
        gained = sweep_results.gain_over_default(sweep, cell)
        if gained is not None:
            text.append(units.capitalized(tr_message(sweep_results.gain_text(gained))))
        self.words.setText(" ".join(text))
        self.words.setVisible(bool(text))
        self._cells = tuple(cells)
        self._arrange()

    def resizeEvent(self, event: object) -> None:
        """Wrap."""
        columns = max(2, (self.width() - 32) // _CELL)
        if columns != self._columns:
            self._columns = columns
            self._arrange()

    def _arrange(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        for place, (name, value) in enumerate(self._cells):
            line, column = divmod(place, self._columns)
            above = label(name, "caption")
            above.setContentsMargins(0, 5, 0, 0)
            self._grid.addWidget(above, 2 * line, column)
            self._grid.addWidget(label(value, selectable=True), 2 * line + 1, column)
        for column in range(12):
            self._grid.setColumnStretch(column, int(column < self._columns))
