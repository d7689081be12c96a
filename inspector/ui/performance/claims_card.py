"""What devices take of a model that could not be measured on them: a mark for each layer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from inspector import units
from inspector.marking import Mark
from inspector.report import Support
from inspector.ui.documents.selection import Selection
from inspector.ui.kit.marks import draw_mark
from inspector.ui.kit.parts import PADDING, label, row, tip
from inspector.ui.kit.table import Cells, Table
from inspector.ui.kit.table_card import FilterField, TableCard
from inspector.ui.kit.table_model import Keys, TableModel, ranks
from inspector.ui.kit.theme import Theme, font

if TYPE_CHECKING:
    from inspector.engine.claims import Claims

_FEWEST_ROWS, _MARK, _APART = 6, 14, 7
_ROOMY, _NAMES = 620, 120
_TRIED = "One prediction came to its end, with the layers that failed kept on the CPU."
_ALONE = "No prediction came to its end, so each layer was asked about by itself: {}."
_TAKEN = "Taken alone"
# What went wrong stands on top.
_FIRST = (Mark.FAILED, Mark.UNSUPPORTED, Mark.UNKNOWN, Mark.EXCLUDED)


@dataclass(frozen=True, slots=True)
class Column:
    """One column; `device` is the id of the one whose marks it shows, "" of none."""

    title: str
    device: str = ""
    numeric: bool = False
    largest_first: bool = False

    def __str__(self) -> str:
        """The title."""
        return self.title


NUMBER, NAME, OPERATOR = Column("#", numeric=True), Column("Layer"), Column("Operator")


class ClaimsModel(TableModel[Column]):
    """The layers in the order of the model, those that failed first."""

    def __init__(self, found: "Claims") -> None:
        own = (Column(units.device(device.id), device.id) for device in found.devices)
        self.found = found
        super().__init__((NUMBER, NAME, OPERATOR, *own), len(found.layers), sorted_by=3)
        self.arrange()

    def support(self, row: int, column: Column) -> Support:
        """How a layer relates to the device of a column."""
        return self.found.marks[self.place_of(row)][column.device]

    def text(self, row: int, column: Column) -> str:
        """What a cell says."""
        layer = self.found.layers[self.place_of(row)]
        if column == NUMBER:
            return str(layer.index)
        if column == NAME:
            return units.clip(layer.label, 200)
        if column == OPERATOR:
            return units.clip(layer.operator, 80)
        return words_of(self.found, self.support(row, column))

    def hint(self, row: int, column: Column) -> str:
        """A mark also tells its reason and how it is known."""
        if not column.device:
            return super().hint(row, column)
        said = self.support(row, column)
        return tip(f"{self.text(row, column)}: {said.reason} ({said.source.value})")

    def spoken(self, row: int, column: Column) -> str:
        """The same for who cannot see it."""
        said = self.text(row, column)
        return f"{column.title}: {said}" if column.device else said

    def keys(self, column: Column) -> Keys:
        """What a column sorts by."""
        layers = self.found.layers
        if column == NUMBER:
            return np.arange(len(layers))
        if column == NAME:
            return ranks([layer.label for layer in layers])
        if column == OPERATOR:
            return ranks([layer.operator for layer in layers])
        marks = (said[column.device].mark for said in self.found.marks)
        places = (_FIRST.index(mark) if mark in _FIRST else len(_FIRST) for mark in marks)
        return np.fromiter(places, np.int64, len(layers))

    def haystack(self) -> Sequence[str]:
        """Name, operator, marks and reasons."""
        pairs = zip(self.found.layers, self.found.marks, strict=True)
        return [
            " ".join(
                (
                    layer.label,
                    layer.operator,
                    *(f"{words_of(self.found, one)} {one.reason}" for one in said.values()),
                )
            ).casefold()
            for layer, said in pairs
        ]


def words_of(found: "Claims", said: Support) -> str:
    """A mark in words; where nothing ran there was nothing to choose."""
    return _TAKEN if said.mark is Mark.SUPPORTED and not found.ran else said.words


class ClaimsCells(Cells[Column]):
    """Draws words, and marks beside theirs."""

    ELIDE = Qt.TextElideMode.ElideRight

    def __init__(self, theme: Theme, model: ClaimsModel) -> None:
        super().__init__(theme, model)
        self._model = model
        self._kinds = {device.id: device.kind for device in model.found.devices}

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: Column, chosen: bool
    ) -> None:
        """Draw one cell."""
        look = self._theme.palette
        painter.setFont(font(12, 500 if column == NAME else 400))
        if column.device:
            place = QRectF(box.left(), box.center().y() - _MARK / 2, _MARK, _MARK)
            unit = look.lane(self._kinds[column.device])
            draw_mark(painter, place, self._model.support(row, column).mark, unit, look)
            box = box.adjusted(_MARK + _APART, 0, 0, 0)
        tint = look.text if column in (NAME, OPERATOR) else look.secondary
        shown = look.on_selection if chosen else tint
        self.draw_text(painter, box, self._model.text(row, column), shown, column)


class ClaimsCard(TableCard):
    """The table, and how its marks came about; a row selects its layer."""

    def __init__(self, theme: Theme, found: "Claims", selection: Selection) -> None:
        self.model = ClaimsModel(found)
        self._found, self._selection = found, selection
        table = Table(
            theme, "What the devices take", self.model, ClaimsCells(theme, self.model)
        )
        words = "Filter, or “failed”, “not supported”"
        field = FilterField(theme, "Filter layers", words, wide=250, small=120, roomy=_ROOMY)
        super().__init__(theme, table, "What the devices take", field, _FEWEST_ROWS)
        told = _TRIED if found.ran else _ALONE.format(units.clip(found.why.rstrip("."), 400))
        below = label(told, "secondary", selectable=True)
        below.setWordWrap(True)
        line = row(below)
        line.setContentsMargins(PADDING - 1, 7, PADDING - 1, 4)
        self.body.addLayout(line)
        selection.changed.connect(self.follow_selection)
        self.refresh()

    def widths(self, room: int) -> tuple[int, ...]:
        """The names take what the others leave."""
        devices = len(self._found.devices)
        operator = 130 if room >= _ROOMY else 0
        each = min(170, (room - 44 - operator - _NAMES) // devices)
        return (44, room - 44 - operator - devices * each, operator, *[each] * devices)

    def counted(self) -> str:
        """How many layers are shown."""
        shown, total = self.model.rowCount(), self.model.total
        return f"{shown:,}" if shown == total else f"{shown:,} of {total:,}"

    def selected_row(self) -> int | None:
        """The row of the selected layer."""
        layer = self._selection.now.layer
        return None if layer is None else self.model.row_at(layer)

    def choose_row(self, row: int) -> None:
        """Select a layer."""
        self._selection.choose(layer=self.model.place_of(row))
