"""The heat map of a sweep with its axes to choose, and the numbers of the chosen cell."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from inspector.analysis.measured import sweep_results
from inspector.analysis.measured.sample_statistics import table
from inspector.analysis.measured.sweep_labels import axis_label, settings_label, value_label
from inspector.pages.blocks import Chart
from inspector.pages.charts.sweep_plot import Seen, heat_plot, key_of
from inspector.report.sweep import Cell, CellIndex, Sweep
from inspector.ui import units
from inspector.ui.translate import plural, tr, tr_message
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.layouts import Flow
from inspector.ui.widgets.parts import Card, Elided, add_to, button, grid_of, label, row
from inspector.ui.widgets.theme import Theme

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
        self.view = ChartView(theme)
        self.count = label("", "secondary")
        self._bar = QWidget()
        self._flow = Flow(10, 6, self._bar)
        self.body.setSpacing(10)
        self.body.addLayout(row(label(tr("Heat map"), "heading"), 4, self.count, None))
        add_to(self.body, self._bar, self.view)
        self.view.chosen.connect(self._choose)

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
        self._draw()
        self.view.choose("" if place is None else key_of(sweep.by_place[place]))

    def _choose(self, key: str) -> None:
        if self._sweep is not None:
            self.chosen.emit(next(c.at for c in self._sweep.cells if key_of(c) == key))

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
                texts = [tr_message(value_label(axis.name, value)) for value in axis.values]
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
        draw = partial(heat_plot, sweep, self.seen)
        self.view.show_chart(Chart("heat", draw, "Median latency by setting"))
        self.drawn.emit()


def _title(axis: str) -> str:
    return units.capitalized(tr(axis_label(axis)))


class CellCard(Card):
    """All numbers of one cell, and the buttons that take its settings over."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.title = Elided("", "heading")
        self.take = button(theme, tr("Use these settings"))
        self.words = label("", "secondary", selectable=True, wraps=True)
        self._numbers = QWidget()
        self._grid = grid_of(16, 2, on=self._numbers)
        add_to(self.body, row(self.title, self.take, stretch=0), self.words, self._numbers)
        self._cells: tuple[tuple[str, str], ...] = ()
        self._columns = 5

    def show_cell(self, sweep: Sweep, cell: Cell) -> None:
        """Show another cell."""
        self.title.set_text(settings_label(sweep, cell))
        used = sweep_results.samples(cell)
        # The interval over all starts stands in place of one over neighboring predictions.
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
                (tr("Processes"), units.number(len(cell.rounds))),
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
            below = label(value, selectable=True)
            for part, at in ((above, 2 * line), (below, 2 * line + 1)):
                self._grid.addWidget(part, at, column)
                part.show()  # a layout shows it a moment later, and the page would shrink
        for column in range(12):
            self._grid.setColumnStretch(column, int(column < self._columns))
