"""The layers that a step harms most, and what keeping the worst of them in float gains."""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QResizeEvent

from inspector import units
from inspector.conversion.registry import ACTIONS
from inspector.report.sensitivity import GOOD_DB, LayerSensitivity, Sensitivity, decibels
from inspector.ui.documents.improving import Improving
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.parts import PADDING, Card, Elided, button, label, row
from inspector.ui.widgets.table import Cells, Table
from inspector.ui.widgets.table_model import Keys, TableModel, ranks
from inspector.ui.widgets.theme import Theme, font

_FIRST_ROWS = 8
_COUNTS = (1, 2, 4, 8, 16)  # of layers to keep, while nothing is known of their gain
_OPERATOR_PX, _LOSS_PX, _FIELD_PX = 120, 112, 190
_LOST_PX, _LEAST_NAME_PX = 240, 150
_NO_LOSS_DB = 1e9  # sorts behind every loss


class Column(StrEnum):
    """A column of the list."""

    LAYER = mark("Layer")
    OPERATOR = mark("Operator")
    LOSS = mark("SQNR")
    WEIGHTS = mark("Weights only")
    VALUES = mark("Activations only")
    LOST = mark("Rounded to zero")

    @property
    def numeric(self) -> bool:
        """Whether it is aligned to the right."""
        return self in _RATIOS

    @property
    def largest_first(self) -> bool:
        """Whether the first click sorts downwards: the worst layers have the least SQNR."""
        return False


_RATIOS = (Column.LOSS, Column.WEIGHTS, Column.VALUES)


def _ratio(layer: LayerSensitivity, column: Column) -> float | None:
    if column is Column.LOSS:
        return layer.sqnr_db
    return layer.weights_db if column is Column.WEIGHTS else layer.values_db


class _Model(TableModel[Column]):
    """Layers, worst first."""

    def __init__(self) -> None:
        super().__init__(tuple(Column), 0)
        self.state = Sensitivity("", "")

    def show_layers(self, state: Sensitivity) -> None:
        """Show other layers."""
        self.state = state
        self.start_over(len(state.layers))

    def text(self, row: int, column: Column) -> str:
        """Return the text of a cell."""
        layer = self.state.layers[self.place_of(row)]
        return {
            Column.LAYER: units.clip(layer.name, 120),
            Column.OPERATOR: layer.operator,
            Column.LOSS: decibels(layer.sqnr_db),
            Column.WEIGHTS: decibels(layer.weights_db) if layer.apart else "",
            Column.VALUES: decibels(layer.values_db) if layer.apart else "",
            Column.LOST: layer.lost_text,
        }[column]

    def meaning(self, column: Column) -> str:
        """Return what a number is."""
        if column is Column.LOSS:
            return tr(
                "Signal-to-quantization-noise ratio of the outputs "
                "if only this layer is quantized"
            )
        if column is Column.WEIGHTS:
            return tr("SQNR if only the weights of this layer are quantized")
        if column is Column.VALUES:
            return tr("SQNR if only the activations that this layer produces are quantized")
        if column is Column.LOST:
            return tr("Channels or weights that are too small for the quantization step size")
        return ""

    def keys(self, column: Column) -> Keys:
        """Return the sort keys of a column."""
        layers = self.state.layers
        if column in _RATIOS:
            held = (_ratio(one, column) for one in layers)
            known = (_NO_LOSS_DB if each is None else each for each in held)
            return np.fromiter(known, np.float64, len(layers))
        if column is Column.LOST:
            return ranks([one.lost_text for one in layers])
        by_name = column is Column.LAYER
        return ranks([(one.name if by_name else one.operator).casefold() for one in layers])

    def haystack(self) -> Sequence[str]:
        """Return names and operators."""
        return [f"{one.name} {one.operator}".casefold() for one in self.state.layers]


class _Cells(Cells[Column]):
    """Draws a layer; a loss that matters in the color of a caution."""

    def __init__(self, theme: Theme, model: _Model) -> None:
        super().__init__(theme, model)
        self._model = model

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: Column, chosen: bool
    ) -> None:
        """Draw one cell."""
        look, model = self._theme.palette, self._model
        layer = model.state.layers[model.place_of(row)]
        level = _ratio(layer, column) if column in _RATIOS else None
        harmed = column is Column.LOST or (level is not None and level < GOOD_DB)
        tint = look.text if column is Column.LAYER else look.secondary
        tint = look.caution if harmed else tint
        bold = column in (Column.LAYER, Column.LOSS)
        painter.setFont(font(12, 500 if bold else 400))
        text = model.text(row, column)
        self.draw_text(painter, box, text, look.on_selection if chosen else tint, column)


class SensitivityCard(Card):
    """Hidden until layers are ranked; fills while they are."""

    def __init__(self, theme: Theme, improving: Improving) -> None:
        super().__init__(theme, padding=1)
        self._improving = improving
        self.model = _Model()
        self.table = Table(theme, tr("Ranked layers"), self.model, _Cells(theme, self.model))
        self.table.lay_flat(_FIRST_ROWS)
        self.title, self.count = Elided("", "heading"), Elided("", "secondary")
        self.verdict = label("", "secondary", selectable=True)
        self.verdict.setWordWrap(True)
        self.kept = ChoiceField(tr("Layers to keep in float"), (), ())
        self.kept.setFixedWidth(_FIELD_PX)
        self.keep_button = button(theme, tr("Keep in float"))
        head = row(self.title, 4, self.count, self.kept, self.keep_button, stretch=2)
        head.setStretch(0, 5)  # the title needs more room than the count
        head.setContentsMargins(PADDING - 1, 8, PADDING - 1, 4)
        text = row(self.verdict)
        text.setContentsMargins(PADDING - 1, 0, PADDING - 1, 8)
        self.body.setSpacing(0)
        self.body.addLayout(head)
        self.body.addLayout(text)
        self.body.addWidget(self.table)
        self.body.setContentsMargins(1, 1, 1, 8)
        self.keep_button.clicked.connect(self._keep)
        improving.ranked.connect(self._show)
        for signal in (improving.worked, improving.changed):
            signal.connect(self._show_states)
        self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the names what is over."""
        super().resizeEvent(event)
        self._place_columns()

    def _place_columns(self) -> None:
        layers, room = self.model.state.layers, self.width() - 2 - _OPERATOR_PX - _LOSS_PX
        apart = _LOSS_PX if any(one.apart for one in layers) else 0
        lost = _LOST_PX if any(one.lost_text for one in layers) else 0
        # What there is no room for is left out: first the reasons of the error.
        apart = apart if room - lost - 2 * apart >= _LEAST_NAME_PX else 0
        lost = lost if room - lost >= _LEAST_NAME_PX else 0
        name = max(_LEAST_NAME_PX, room - lost - 2 * apart)
        self.table.place_columns((name, _OPERATOR_PX, _LOSS_PX, apart, apart, lost))

    def _show(self) -> None:
        state = self._improving.sensitivity
        self.setVisible(state is not None)
        if state is None:
            return
        self.model.show_layers(state)
        self._place_columns()
        action = tr(ACTIONS[state.action].title)
        self.title.set_text(tr("Layers most affected by {action}").format(action=action))
        count = tr("{done:,} of {total:,}").format(done=len(state.layers), total=state.total)
        self.count.set_text(count)
        inputs = plural(state.inputs, "calibration input")
        about = tr(
            "Each layer is quantized by itself, and the outputs are compared on {inputs}."
        )
        self.verdict.setText(
            " ".join((state.verdict or about.format(inputs=inputs), *state.notes))
        )
        self._fill_counts(state)
        self._show_states()

    def _fill_counts(self, state: Sensitivity) -> None:
        levels = {point.kept: point.sqnr_db for point in state.curve if point.kept}
        counts = [*levels] or [count for count in _COUNTS if count <= len(state.layers)]
        chosen = self.kept.value if self.kept.count() else ""
        self.kept.clear()
        for count in counts:
            text = plural(count, "layer")
            level = f" · {decibels(levels[count])}" if count in levels else ""
            self.kept.addItem(f"{text}{level}", str(count))
        best = str(max(1, state.best_kept)) if state.curve else chosen
        self.kept.setCurrentIndex(max(0, self.kept.findData(best)))

    def _show_states(self) -> None:
        improving, state = self._improving, self._improving.sensitivity
        fits = state is not None and any(s.action == state.action for s in improving.steps)
        able = fits and not improving.work and self.kept.count() > 0
        self.kept.setEnabled(able)
        self.keep_button.setEnabled(able)

    def _keep(self) -> None:
        self._improving.keep_in_float(int(self.kept.value))
