"""The layers that add most to the error of a candidate, with everything changed at once."""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QResizeEvent

from inspector import units
from inspector.report.improvement import Candidate, LayerError
from inspector.report.sensitivity import GOOD_DB, decibels
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.parts import PADDING, Card, Elided, label, row
from inspector.ui.widgets.table import Cells, Table
from inspector.ui.widgets.table_model import Keys, TableModel, ranks
from inspector.ui.widgets.theme import Theme, font

_FIRST_ROWS = 5
_OPERATOR_PX, _NUMBER_PX = 150, 100
_LEAST_NAME_PX = 120
_NOTHING_DB = 1e9  # sorts behind every error


class Column(StrEnum):
    """A column of the list."""

    LAYER = mark("Layer")
    OPERATOR = mark("Operator")
    RATIO = mark("SQNR")
    DROP = mark("SQNR drop")

    @property
    def numeric(self) -> bool:
        """Whether it is aligned to the right."""
        return self in (Column.RATIO, Column.DROP)

    @property
    def largest_first(self) -> bool:
        """Whether the first click sorts downwards."""
        return self is Column.DROP


class _Model(TableModel[Column]):
    def __init__(self) -> None:
        super().__init__(tuple(Column), 0)
        self.layers: tuple[LayerError, ...] = ()

    def show_layers(self, layers: tuple[LayerError, ...]) -> None:
        """Show other layers."""
        self.layers = layers
        self.start_over(len(layers))

    def text(self, row: int, column: Column) -> str:
        """Return the text of a cell."""
        layer = self.layers[self.place_of(row)]
        drop = "" if layer.drop_db is None else f"{layer.drop_db:.1f} dB"
        return {
            Column.LAYER: units.clip(layer.name, 120),
            Column.OPERATOR: layer.operator,
            Column.RATIO: decibels(layer.sqnr_db),
            Column.DROP: drop,
        }[column]

    def meaning(self, column: Column) -> str:
        """Return what a number is."""
        if column is Column.RATIO:
            return tr(
                "Signal-to-quantization-noise ratio of the layer’s outputs, compared with the "
                "original model"
            )
        if column is Column.DROP:
            return tr("SQNR of the layer’s inputs minus that of its outputs")
        return ""

    def keys(self, column: Column) -> Keys:
        """Return the sort keys of a column."""
        layers = self.layers
        if column.numeric:
            ratio = column is Column.RATIO
            held = (one.sqnr_db if ratio else one.drop_db for one in layers)
            nothing = _NOTHING_DB if ratio else -_NOTHING_DB
            known = (nothing if value is None else value for value in held)
            return np.fromiter(known, np.float64, len(layers))
        by_name = column is Column.LAYER
        return ranks([(one.name if by_name else one.operator).casefold() for one in layers])

    def haystack(self) -> Sequence[str]:
        """Return names and operators."""
        return [f"{one.name} {one.operator}".casefold() for one in self.layers]


class _Cells(Cells[Column]):
    def __init__(self, theme: Theme, model: _Model) -> None:
        super().__init__(theme, model)
        self._model = model

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: Column, chosen: bool
    ) -> None:
        """Draw one cell; a ratio that matters in the color of a caution."""
        look, model = self._theme.palette, self._model
        level = model.layers[model.place_of(row)].sqnr_db
        harmed = column is Column.RATIO and level is not None and level < GOOD_DB
        tint = look.text if column is Column.LAYER else look.secondary
        tint = look.caution if harmed else tint
        painter.setFont(font(12, 500 if column is not Column.OPERATOR else 400))
        text = model.text(row, column)
        self.draw_text(painter, box, text, look.on_selection if chosen else tint, column)


class LayerErrorsCard(Card):
    """Hidden where a candidate's layers were not compared or none differs."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, padding=1)
        self.model = _Model()
        cells = _Cells(theme, self.model)
        self.table = Table(theme, tr("Layers with the largest errors"), self.model, cells)
        self.table.lay_flat(_FIRST_ROWS)
        self.count = Elided("", "secondary")
        head = row(
            label(tr("Layers with the largest errors"), "heading"), 4, self.count, stretch=2
        )
        head.setContentsMargins(PADDING - 1, 8, PADDING - 1, 4)
        self.body.setSpacing(0)
        self.body.addLayout(head)
        self.body.addWidget(self.table)
        self.body.setContentsMargins(1, 1, 1, 8)
        self.hide()

    def show_candidate(self, candidate: Candidate | None) -> None:
        """Show the layers of a candidate; None: of none."""
        worst = candidate.worst_layers if candidate is not None else ()
        self.setVisible(bool(worst))
        if candidate is None or worst == self.model.layers:
            return
        self.model.show_layers(worst)
        text = tr("{worst} of {every} compared with the original")
        every = plural(len(candidate.layers), "layer")
        self.count.set_text(text.format(worst=f"{len(worst):,}", every=every))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the names what is over."""
        super().resizeEvent(event)
        name = max(_LEAST_NAME_PX, self.width() - 2 - _OPERATOR_PX - 2 * _NUMBER_PX)
        self.table.place_columns((name, _OPERATOR_PX, _NUMBER_PX, _NUMBER_PX))
