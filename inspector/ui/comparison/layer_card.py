"""The layers of a comparison in a card: which kind to list, filter, table."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from inspector import units
from inspector.compare import Comparison
from inspector.layer_changes import Change
from inspector.ui.comparison.layer_rows import Column, Kind, LayerRows, What
from inspector.ui.kit.layer_name import draw_name
from inspector.ui.kit.parts import Segmented
from inspector.ui.kit.table import Cells, Table
from inspector.ui.kit.table_card import FilterField, TableCard
from inspector.ui.kit.theme import Theme, font

_OPERATOR, _TIME, _CHANGE, _NOTE, _NAME = 128, 84, 158, 220, 200
_FIRST_TO_GO = (What.OPERATOR, What.NOTE)


class LayerCells(Cells[Column]):
    """Draws names, times, and changes in their colour."""

    ELIDE = Qt.TextElideMode.ElideRight

    def __init__(self, theme: Theme, model: LayerRows) -> None:
        super().__init__(theme, model)
        self._model = model

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: Column, chosen: bool
    ) -> None:
        """Draw a name; or words, red where slower and green where faster."""
        look, model = self._theme.palette, self._model
        if column.what is What.LAYER:
            part = model.block(row) is None
            painter.setFont(font(12, 400 if part else 500))
            if part:
                box.setLeft(box.left() + 12)
            draw_name(painter, box, model.text(row, column), look, chosen)
            return
        painter.setFont(font(12, 500 if column.what is What.TIME else 400))
        tint = look.text if column.what is What.TIME else look.secondary
        change = model.change(row, column) if column.what is What.CHANGE else Change.NONE
        tint = {Change.SLOWER: look.bad, Change.FASTER: look.good}.get(change, tint)
        self.draw_text(
            painter, box, model.text(row, column), look.on_selection if chosen else tint, column
        )


class LayerCard(TableCard):
    """Layers of all reports, aligned; the kinds above the table pick some of them."""

    def __init__(self, theme: Theme, found: Comparison, letters: Sequence[str]) -> None:
        self.rows = LayerRows(found, letters)
        self.offered = tuple(kind for kind in Kind if kind is Kind.ALL or self.rows.count(kind))
        words = [
            kind.value if kind is Kind.ALL else f"{kind.value} {self.rows.count(kind):,}"
            for kind in self.offered
        ]
        self.kinds = Segmented(theme, words, 0)
        self.kinds.setAccessibleName("Which layers to list")
        table = Table(theme, "Layers side by side", self.rows, LayerCells(theme, self.rows))
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        field = FilterField(
            theme, "Filter layers", "Filter by name or operator", wide=220, small=110, roomy=900
        )
        super().__init__(theme, table, "Layers", field, 6, self.kinds)
        self._chosen: int | None = None
        self.kinds.chosen.connect(lambda index: self.rows.show_kind(self.offered[index]))
        self.rows.show_kind(Kind.ALL)
        self.rows.sort_by(_most_changed(self.rows), downwards=True)
        self.refresh()

    def widths(self, room: int) -> tuple[int, ...]:
        """The names take what is over; operators and notes go first, then times.

        A change tells the time as well. Where even changes find no room, the table scrolls.
        """
        needs = {
            What.LAYER: _NAME, What.OPERATOR: _OPERATOR, What.TIME: _TIME,
            What.CHANGE: _CHANGE, What.NOTE: _NOTE,
        }  # fmt: skip
        columns = self.rows.columns
        found = [needs[column.what] for column in columns]
        for what in _FIRST_TO_GO:
            if sum(found) > room:
                found[next(i for i, c in enumerate(columns) if c.what is what)] = 0
        if sum(found) > room:
            for place, column in enumerate(columns):
                if column.what is What.TIME and column.side:
                    found[place] = 0
        over = max(0, room - sum(found))
        found[0] += over if found[-1] == 0 else over * 3 // 5
        found[-1] += 0 if found[-1] == 0 else over - over * 3 // 5
        return tuple(found)

    def counted(self) -> str:
        """How many are shown."""
        return f"{self.rows.rowCount():,} of {units.plural(self.rows.total, 'layer')}"

    def selected_row(self) -> int | None:
        """The row that was chosen last, if it is shown."""
        return None if self._chosen is None else self.rows.row_at(self._chosen)

    def choose_row(self, row: int) -> None:
        """Keep it chosen while the table is sorted and filtered."""
        self._chosen = self.rows.place_of(row)


def _most_changed(rows: LayerRows) -> int:
    """The column of changes of the report that differs most from the first."""

    def apart(place: int) -> int:
        side = rows.columns[place].side
        return sum(abs(block.delta_ns(side) or 0) for block in rows.found.blocks)

    changes = [i for i, column in enumerate(rows.columns) if column.what is What.CHANGE]
    return max(changes, key=apart)
