"""The four numbers over the Overview: parameters, weights, layers, and the runtime it needs."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from inspector import units
from inspector.analysis import Facts
from inspector.model import Model
from inspector.ui.kit.parts import GAP, Metric
from inspector.ui.kit.theme import Theme

WIDE = 700


class NumbersRow(QWidget):
    """Four cards in a row, or two by two where it is narrow."""

    def __init__(self, theme: Theme, model: Model, facts: Facts) -> None:
        super().__init__()
        self._columns = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(GAP)
        self.parameters = Metric(theme, "Parameters")
        self.weights = Metric(theme, "Weights")
        self.layers = Metric(theme, "Layers")
        self.runtime = Metric(theme, "ONNX Runtime")
        self._cards = (self.parameters, self.weights, self.layers, self.runtime)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._fill(model, facts)
        self._arrange(2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take as many columns as there is room for."""
        super().resizeEvent(event)
        self._arrange(4 if self.width() >= WIDE else 2)

    def sizeHint(self) -> QSize:
        """As high as the rows it has."""
        rows = 4 // max(1, self._columns)
        return QSize(WIDE, rows * Metric.HEIGHT + (rows - 1) * GAP)

    def _fill(self, model: Model, facts: Facts) -> None:
        tensors = sum(weight.origin != "constant" for weight in model.weights)
        number, _, unit = units.count(model.parameters).partition(" ")
        also = f" · {units.count(facts.constants)} in constants" if facts.constants else ""
        below = f"{units.plural(tensors, 'tensor')}{also}"
        self.parameters.show_value(number, unit, below)
        storage, whole = facts.precision.storage, facts.weights_bytes
        first = f"{storage[0][0]} {units.share(storage[0][1], whole)}" if storage else "none"
        self.weights.show_value(*units.size_parts(whole), first)
        kinds = units.plural(len(facts.operators), "operator")
        nested = sum(layer.parent is not None for layer in model.layers)
        more = f" · {nested:,} nested" if nested else ""
        self.layers.show_value(f"{len(model.layers):,}", "", kinds + more)
        needs = facts.requirements
        if needs.runtime:
            self.runtime.show_value(needs.runtime, "or newer", needs.reason or "any release")
        else:
            self.runtime.show_value("none yet", "", needs.reason)

    def _arrange(self, columns: int) -> None:
        if columns != self._columns:
            self._columns = columns
            for i, card in enumerate(self._cards):
                self._grid.addWidget(card, i // columns, i % columns)
            self.updateGeometry()
