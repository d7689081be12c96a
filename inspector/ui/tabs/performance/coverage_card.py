"""The support of each layer on devices on which the model could not be measured."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from inspector import units
from inspector.report.report import Support
from inspector.report.support_marks import Mark
from inspector.ui.selection import Selection
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.parts import PADDING, label, row, tip
from inspector.ui.widgets.support_legend import draw_mark
from inspector.ui.widgets.table import Cells, Table
from inspector.ui.widgets.table_card import FilterField, TableCard
from inspector.ui.widgets.table_model import Keys, TableModel, ranks
from inspector.ui.widgets.theme import Theme, font

if TYPE_CHECKING:
    from inspector.engine.client.placement_queries import PlacementAnswers


_FEWEST_ROWS, _MARK, _APART = 6, 14, 7
_ROOMY, _NAMES = 620, 120
_RAN_AROUND = mark("A run succeeded with the failing layers forced to the CPU.")
_CHECKED_ALONE = mark("No run succeeded, so each layer was checked on its own: {}.")
_SUPPORTED_ALONE = mark("Supported when run alone")
# What went wrong stands on top.
_SORTED_FIRST = (Mark.FAILED, Mark.UNSUPPORTED, Mark.UNKNOWN, Mark.EXCLUDED)


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


NUMBER, NAME, OPERATOR = (
    Column("#", numeric=True),
    Column(mark("Layer")),
    Column(mark("Operator")),
)


class CoverageModel(TableModel[Column]):
    """The layers in the order of the model, those that failed first."""

    def __init__(self, claims: "PlacementAnswers") -> None:
        own = (Column(units.device(device.id), device.id) for device in claims.devices)
        self.claims = claims
        super().__init__((NUMBER, NAME, OPERATOR, *own), len(claims.layers), sorted_by=3)
        self.arrange()

    def support(self, row: int, column: Column) -> Support:
        """Return how a layer relates to the device of a column."""
        return self.claims.marks[self.place_of(row)][column.device]

    def text(self, row: int, column: Column) -> str:
        """Return the text of a cell."""
        layer = self.claims.layers[self.place_of(row)]
        if column == NUMBER:
            return str(layer.index)
        if column == NAME:
            return units.clip(layer.label, 200)
        if column == OPERATOR:
            return units.clip(layer.operator, 80)
        return mark_text(self.claims, self.support(row, column))

    def hint(self, row: int, column: Column) -> str:
        """A mark also tells its reason and how it is known."""
        if not column.device:
            return super().hint(row, column)
        support = self.support(row, column)
        return tip(f"{self.text(row, column)}: {support.reason} ({support.source.value})")

    def spoken(self, row: int, column: Column) -> str:
        """Return the text of a cell for screen readers."""
        support = self.text(row, column)
        return f"{column.title}: {support}" if column.device else support

    def keys(self, column: Column) -> Keys:
        """Return what a column sorts by."""
        layers = self.claims.layers
        if column == NUMBER:
            return np.arange(len(layers))
        if column == NAME:
            return ranks([layer.label for layer in layers])
        if column == OPERATOR:
            return ranks([layer.operator for layer in layers])
        marks = (marks_of_layer[column.device].mark for marks_of_layer in self.claims.marks)
        places = (
            _SORTED_FIRST.index(mark) if mark in _SORTED_FIRST else len(_SORTED_FIRST)
            for mark in marks
        )
        return np.fromiter(places, np.int64, len(layers))

    def haystack(self) -> Sequence[str]:
        """Name, operator, marks and reasons."""
        pairs = zip(self.claims.layers, self.claims.marks, strict=True)
        return [
            " ".join(
                (
                    layer.label,
                    layer.operator,
                    *(f"{mark_text(self.claims, one)} {one.reason}" for one in marks.values()),
                )
            ).casefold()
            for layer, marks in pairs
        ]


def mark_text(claims: "PlacementAnswers", support: Support) -> str:
    """A mark as text; where nothing ran there was nothing to choose."""
    return (
        tr(_SUPPORTED_ALONE)
        if support.mark is Mark.SUPPORTED and not claims.ran
        else support.label
    )


class CoverageCells(Cells[Column]):
    """Draws words, and marks beside theirs."""

    ELIDE = Qt.TextElideMode.ElideRight

    def __init__(self, theme: Theme, model: CoverageModel) -> None:
        super().__init__(theme, model)
        self._model = model
        self._kinds = {device.id: device.kind for device in model.claims.devices}

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: Column, chosen: bool
    ) -> None:
        """Draw one cell."""
        palette = self._theme.palette
        painter.setFont(font(12, 500 if column == NAME else 400))
        if column.device:
            place = QRectF(box.left(), box.center().y() - _MARK / 2, _MARK, _MARK)
            unit = palette.lane(self._kinds[column.device])
            draw_mark(painter, place, self._model.support(row, column).mark, unit, palette)
            box = box.adjusted(_MARK + _APART, 0, 0, 0)
        tint = palette.text if column in (NAME, OPERATOR) else palette.secondary
        shown = palette.on_selection if chosen else tint
        self.draw_text(painter, box, self._model.text(row, column), shown, column)


class CoverageCard(TableCard):
    """The table, and how its marks came about; a row selects its layer."""

    def __init__(self, theme: Theme, claims: "PlacementAnswers", selection: Selection) -> None:
        self.model = CoverageModel(claims)
        self._claims, self._selection = claims, selection
        table = Table(theme, tr("Device support"), self.model, CoverageCells(theme, self.model))
        message = tr("Filter, or type “failed” or “not supported”")
        field = FilterField(
            theme, tr("Filter layers"), message, wide=250, small=120, roomy=_ROOMY
        )
        super().__init__(theme, table, tr("Device support"), field, _FEWEST_ROWS)
        text = (
            tr(_RAN_AROUND)
            if claims.ran
            else tr(_CHECKED_ALONE).format(units.clip(claims.why.rstrip("."), 400))
        )
        below = label(text, "secondary", selectable=True)
        below.setWordWrap(True)
        line = row(below)
        line.setContentsMargins(PADDING - 1, 7, PADDING - 1, 4)
        self.body.addLayout(line)
        selection.changed.connect(self.follow_selection)
        self.refresh()

    def widths(self, room: int) -> tuple[int, ...]:
        """The names take what the others leave."""
        devices = len(self._claims.devices)
        operator = 130 if room >= _ROOMY else 0
        each = min(170, (room - 44 - operator - _NAMES) // devices)
        return (44, room - 44 - operator - devices * each, operator, *[each] * devices)

    def counted(self) -> str:
        """Return how many layers are shown."""
        shown, total = self.model.rowCount(), self.model.total
        return (
            f"{shown:,}"
            if shown == total
            else tr("{shown:,} of {total:,}").format(shown=shown, total=total)
        )

    def selected_row(self) -> int | None:
        """The row of the selected layer."""
        layer = self._selection.now.layer
        return None if layer is None else self.model.row_at(layer)

    def choose_row(self, row: int) -> None:
        """Select a layer."""
        self._selection.choose(layer=self.model.place_of(row))
