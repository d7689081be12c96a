"""The cells of a sweep as rows of a table that fills in as they are measured."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from inspector import units
from inspector.analysis.measured import sweep_results
from inspector.export.tables.sweep_tables import (
    HEAD,
    LOAD,
    MEDIAN,
    MEMORY,
    RATE,
    SPREAD,
    SPREAD_RATIO,
    axis_label,
    latency_note,
    rows,
)
from inspector.report.sweep import Cell, CellIndex, CellState, Sweep
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.parts import tip
from inspector.ui.widgets.table import Cells, Table
from inspector.ui.widgets.table_card import FilterField, TableCard
from inspector.ui.widgets.table_model import Keys, TableModel, ranks
from inspector.ui.widgets.theme import Theme, font

_NARROW, _WIDE = 84, 150
_ROOMS = {"state": 74, MEDIAN: 84, SPREAD: 150, SPREAD_RATIO: 64, RATE: 96}
_TITLES = {RATE: mark("Inferences/s"), MEMORY: mark("Memory")}
_MEANINGS = {
    RATE: mark("For consecutive runs: 1 / mean latency"),
    MEMORY: mark(
        "Peak model memory: how far the peak memory of the process rose above its level "
        "before loading"
    ),
    SPREAD_RATIO: mark("The 95th percentile of the latency divided by the 5th"),
}
_LATENCIES = (MEDIAN, SPREAD, SPREAD_RATIO, RATE)
_LEFT_OUT = (MEMORY, LOAD, RATE, SPREAD_RATIO, SPREAD)


@dataclass(frozen=True, slots=True)
class CellColumn:
    """A column: an axis, or a number of the cell."""

    name: str
    words: str
    axis: bool

    def __str__(self) -> str:
        if self.name in _TITLES or (not self.axis and self.words[1:2].isdigit()):
            return _TITLES.get(self.name, self.words)  # p5 and p95 are written small
        return units.capitalized(self.words)

    @property
    def numeric(self) -> bool:
        """Numbers stand right."""
        return not self.axis and self.name != "state"

    @property
    def largest_first(self) -> bool:
        """The fastest is what one looks for first."""
        return self.name == RATE


class CellModel(TableModel[CellColumn]):
    """One row a cell."""

    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        self._rows = tuple(rows(sweep))
        axes = [CellColumn(axis.name, tr(axis_label(axis.name)), True) for axis in sweep.axes]
        super().__init__([*axes, *(CellColumn(n, n, False) for n in HEAD)], len(sweep.cells))

    def show_sweep(self, sweep: Sweep) -> None:
        """Show another state of the same sweep."""
        self.sweep, self._rows = sweep, tuple(rows(sweep))
        self.start_over(len(sweep.cells))

    def cell(self, row: int) -> Cell:
        """Return what a row shows."""
        return self.sweep.cells[self.place_of(row)]

    def text(self, row: int, column: CellColumn) -> str:
        """Return what a cell of the table says."""
        return self._rows[self.place_of(row)][self.columns.index(column)]

    def hint(self, row: int, column: CellColumn) -> str:
        """Return why a cell failed or is skipped."""
        return tip(self.text(row, column), self.cell(row).why)

    def meaning(self, column: CellColumn) -> str:
        """Return what a column is of, and of which runs."""
        text = tr(_MEANINGS[column.name]) if column.name in _MEANINGS else ""
        note = latency_note(self.sweep) if column.name in _LATENCIES else ""
        return ". ".join(filter(None, (text, note)))

    def keys(self, column: CellColumn) -> Keys:
        """Axes by the order of their values, the rest by numbers."""
        place = self.columns.index(column)
        if column.axis:
            return np.array([cell.at[place] for cell in self.sweep.cells], np.int64)
        if column.name == "state":
            return ranks([str(cell.state) for cell in self.sweep.cells])
        return np.array([_number(cell, column.name) for cell in self.sweep.cells], np.float64)

    def haystack(self) -> Sequence[str]:
        """All words of a row."""
        return [" ".join(row).casefold() for row in self._rows]


def _number(cell: Cell, name: str) -> float:
    result, wide = sweep_results.numbers(cell), sweep_results.spread(cell)
    if result is None or (wide is None and name in (SPREAD, SPREAD_RATIO)):
        return float("nan")
    first = cell.rounds[0]
    return {
        MEDIAN: result.p50_ns,
        SPREAD: wide.p95_ns - wide.p5_ns if wide else 0.0,
        SPREAD_RATIO: wide.ratio if wide else 0.0,
        RATE: result.per_second,
        LOAD: float(first.load_ns),
        MEMORY: float(first.model_bytes),
    }[name]


class CellPainter(Cells[CellColumn]):
    """Words; the best in bold, what is not measured dim."""

    def __init__(self, theme: Theme, model: CellModel) -> None:
        super().__init__(theme, model)
        self._model = model

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: CellColumn, chosen: bool
    ) -> None:
        """Draw what a cell says."""
        look, cell = self._theme.palette, self._model.cell(row)
        best = sweep_results.best(self._model.sweep)
        first = best is not None and best.at == cell.at
        tint = look.text if cell.rounds else look.tertiary
        if column.name == "state":
            tint = {CellState.FAILED: look.bad, CellState.DONE: look.good}.get(cell.state, tint)
        elif column.name != MEDIAN and not column.axis:
            tint = look.secondary
        if chosen:
            tint = look.on_selection
        painter.setFont(font(12, 600 if first and column.name == MEDIAN else 400))
        self.draw_text(painter, box, self._model.text(row, column), tint, column)


class CellTable(TableCard):
    """All cells in a card; choosing a row chooses the cell."""

    def __init__(self, theme: Theme, sweep: Sweep) -> None:
        self.model = CellModel(sweep)
        table = Table(
            theme, tr("Combinations of the sweep"), self.model, CellPainter(theme, self.model)
        )
        field = FilterField(
            theme, tr("Filter combinations"), tr("Filter by any value"), 200, 120, 500
        )
        super().__init__(theme, table, tr("Combinations"), field, min(10, len(sweep.cells)))
        self.place: CellIndex | None = None
        self.refresh()

    def show_place(self, place: CellIndex | None) -> None:
        """Select the row of a cell."""
        self.place = place
        self.follow_selection()

    def widths(self, room: int) -> tuple[int, ...]:
        """Numbers first; what finds no room is left out from the right."""
        columns = self.model.columns
        wide = {c.name: _ROOMS.get(c.name, _NARROW) for c in columns}
        wide |= {c.name: _WIDE if c.name == "model" else 100 for c in columns if c.axis}
        for name in _LEFT_OUT:
            if sum(wide.values()) > room:
                wide[name] = 0
        rest = max(0, room - sum(wide.values()))
        wide[columns[0].name] += rest
        return tuple(wide[column.name] for column in columns)

    def counted(self) -> str:
        """Return how many are shown."""
        return tr("{rowcount:,} of {total:,}").format(
            rowcount=self.model.rowCount(), total=self.model.total
        )

    def selected_row(self) -> int | None:
        """The row of the chosen cell."""
        places = [cell.at for cell in self.model.sweep.cells]
        existing = self.place is not None and self.place in places
        return self.model.row_at(places.index(self.place)) if existing and self.place else None

    def choose_row(self, row: int) -> None:
        """Choose the cell of a row."""
        self.place = self.model.cell(row).at
        self.chose(self.place)

    def chose(self, place: CellIndex) -> None:
        """Handle a choice; whoever shows the table replaces this function."""
