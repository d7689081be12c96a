"""The values of a plane as a table that copies for a spreadsheet, and may take new ones."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView

from inspector import units
from inspector.ui.translate import tr
from inspector.ui.widgets.table import ShortTable

AROUND, CELL, LONGEST = 41, 84, 100_000
_Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()
_SEVERAL = QAbstractItemView.SelectionMode.ContiguousSelection
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


class PlaneModel(QAbstractTableModel):
    """Cells of an array (rows, columns); `typed` gets a new text for a cell, if any may be
    typed, and says whether it was taken."""

    def __init__(self, typed: Callable[[int, int, str], bool] | None = None) -> None:
        super().__init__()
        self._values: NDArray[Any] = np.zeros((0, 0))
        self._names: Sequence[str] = ()
        self._typed = typed

    def show_values(self, values: NDArray[Any], names: Sequence[str] = ()) -> None:
        """Show other values (rows, columns); names: of the columns, else their numbers."""
        self.beginResetModel()
        self._values, self._names = values, names
        self.endResetModel()

    def rowCount(self, parent: _Index = _NONE) -> int:
        """Rows, as many as a table can show."""
        return 0 if parent.isValid() else min(LONGEST, self._values.shape[0])

    def columnCount(self, parent: _Index = _NONE) -> int:
        """Columns."""
        return 0 if parent.isValid() else min(LONGEST, self._values.shape[1])

    def text(self, row: int, column: int) -> str:
        """What a cell says."""
        return cell_text(self._values[row, column])

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """What a cell says, and where."""
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self.text(index.row(), index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_RIGHT)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            name = self.headerData(index.column(), Qt.Orientation.Horizontal)
            return tr("row {row}, {name}: {text}").format(
                row=index.row(), name=name, text=self.text(index.row(), index.column())
            )
        return None

    def setData(
        self, index: _Index, value: object, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        """Take a typed value."""
        if self._typed is None or role != Qt.ItemDataRole.EditRole:
            return False
        return self._typed(index.row(), index.column(), str(value))

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Cells can be chosen, and typed in where that is wanted."""
        return super().flags(index) | (
            Qt.ItemFlag.ItemIsEditable if self._typed else Qt.ItemFlag.NoItemFlags
        )

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        """The number of a row, the name or number of a column."""
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        named = orientation == Qt.Orientation.Horizontal and section < len(self._names)
        return units.clip(self._names[section], 60) if named else str(section)


class PlaneTable(ShortTable):
    """Copies what is chosen as lines of cells."""

    def __init__(self, name: str, model: PlaneModel) -> None:
        super().__init__(name, model, _SEVERAL, AROUND)
        self.plane = model
        self.horizontalHeader().setDefaultSectionSize(CELL)
        for head in (self.verticalHeader(), self.horizontalHeader()):
            head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.verticalHeader().setDefaultAlignment(_RIGHT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, besides what a table does anyway."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.copied())
        else:
            super().keyPressEvent(event)

    def copied(self) -> str:
        """What is chosen: cells apart by tabulators, one line a row."""
        chosen = self.selectedIndexes()
        rows = sorted({index.row() for index in chosen})
        columns = sorted({index.column() for index in chosen})
        return "\n".join("\t".join(self.plane.text(r, c) for c in columns) for r in rows)


def cell_text(value: Any) -> str:
    """A value with all digits that tell it from others of its type."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (str, bytes)):
        return units.clip(str(value), 200)
    if isinstance(value, float):  # np.float64 is one, too
        return f"{value:.10g}"
    return f"{float(value):.6g}" if "float" in str(getattr(value, "dtype", "")) else str(value)
