"""A small table of plain cells, as tall as its rows up to ten of them."""

from PySide6.QtCore import QAbstractTableModel
from PySide6.QtWidgets import QAbstractItemView, QTableView

from inspector.ui.kit.theme import font

LINE, SHOWN_LINES = 24, 10


class ShortTable(QTableView):
    """Shows a model as it is; whoever extends it says what its headers and keys do.

    around: height of all that is no line, in pixels.
    """

    def __init__(
        self,
        name: str,
        model: QAbstractTableModel,
        selection: QAbstractItemView.SelectionMode,
        around: int,
    ) -> None:
        super().__init__()
        self._around = around
        self.setModel(model)
        self.setAccessibleName(name)
        self.setFont(font(11, mono=True))
        self.setSelectionMode(selection)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().setDefaultSectionSize(LINE)
        for signal in (model.modelReset, model.rowsInserted):
            signal.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        lines = min(SHOWN_LINES, max(1, self.model().rowCount()))
        self.setFixedHeight(self._around + lines * LINE)
