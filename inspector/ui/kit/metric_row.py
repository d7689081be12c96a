"""Numbers that matter side by side, over a tab."""

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from inspector.ui.kit.parts import GAP, Metric

WIDE = 700


class MetricRow(QWidget):
    """Four cards in a row, or two by two where it is narrow."""

    def __init__(self, cards: Sequence[Metric]) -> None:
        super().__init__()
        self._cards, self._columns = tuple(cards), 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(GAP)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._arrange(2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take as many columns as there is room for."""
        super().resizeEvent(event)
        self._arrange(4 if self.width() >= WIDE else 2)

    def sizeHint(self) -> QSize:
        """As high as the rows it has."""
        rows = 4 // max(1, self._columns)
        return QSize(WIDE, rows * Metric.HEIGHT + (rows - 1) * GAP)

    def _arrange(self, columns: int) -> None:
        if columns != self._columns:
            self._columns = columns
            for i, card in enumerate(self._cards):
                self._grid.addWidget(card, i // columns, i % columns)
            self.updateGeometry()
