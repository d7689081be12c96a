"""Groups of events as rows of a table; sorting and filtering move an index of numpy."""

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from inspector.ui.kit.parts import tip
from inspector.ui.trace.columns import COLUMNS, MEANINGS, Groups, What

_Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()


class EventsModel(QAbstractTableModel):
    """All groups, those with most own time first; or some, in another order."""

    def __init__(self, groups: Groups) -> None:
        super().__init__()
        self.groups = groups
        self.sorted_by, self.downwards = What.OWN, True
        self._wanted = ""
        self._texts: list[str] = []
        self._order = np.arange(0)
        self._arrange()

    def show_groups(self, groups: Groups) -> None:
        """Show other groups in the same order, under the same filter."""
        self.groups, self._texts = groups, []
        self._arrange()

    def group(self, row: int) -> int:
        """Which group a row shows."""
        return int(self._order[row])

    def row_of(self, span: int | None) -> int | None:
        """Where the group of a span is shown; None where it is left out."""
        found = self.groups.found
        if span is None or span >= len(found.group) or found.group[span] < 0:
            return None
        rows = np.flatnonzero(self._order == found.group[span])
        return int(rows[0]) if len(rows) else None

    def shown_ns(self) -> int:
        """Own time of all groups that are shown."""
        return int(self.groups.found.self_ns[self._order].sum())

    def pick(self, text: str) -> None:
        """Show only what holds every word of a text in its name, operator or track."""
        self._wanted = text.casefold()
        self._arrange()

    def sort_by(self, what: What, downwards: bool) -> None:
        """Order the rows by a column."""
        self.sorted_by, self.downwards = what, downwards
        self._arrange()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)

    def rowCount(self, parent: _Index = _NONE) -> int:
        """Groups that are shown."""
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: _Index = _NONE) -> int:
        """All columns, also those that find no room."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles, and what they mean."""
        if orientation is Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                return COLUMNS[section].value
            if role == Qt.ItemDataRole.ToolTipRole:
                return tip(MEANINGS.get(COLUMNS[section], ""))
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Words of a cell; in full as a tooltip."""
        what, group = COLUMNS[index.column()], self.group(index.row())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.groups.text(group, what)
        if role == Qt.ItemDataRole.ToolTipRole and what.is_text:
            return tip(self.groups.text(group, what))
        return None

    def _arrange(self) -> None:
        """Choose and order the groups; the whole view starts over."""
        order, words = np.arange(len(self.groups.found)), self._wanted.split()
        if words:
            if not self._texts:
                self._texts = self.groups.haystack()
            order = np.flatnonzero([all(w in text for w in words) for text in self._texts])
        keys = self.groups.keys(self.sorted_by)[order]
        self.beginResetModel()
        self._order = order[np.argsort(-keys if self.downwards else keys, kind="stable")]
        self.endResetModel()
