"""The weights of a model as rows of a table; sorting and filtering move an index of numpy."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from inspector import units
from inspector.model import Model, WeightInfo
from inspector.ui.kit.parts import tip
from inspector.ui.weights import columns as cells
from inspector.ui.weights.columns import COLUMNS, What

_Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()


class WeightsModel(QAbstractTableModel):
    """All weights in the file's order, or some of them in another.

    uses: for each weight the layers that take it.
    """

    def __init__(self, model: Model, uses: tuple[tuple[int, ...], ...]) -> None:
        super().__init__()
        self.model, self.uses = model, uses
        self.sizes = np.fromiter(
            (weight.size_bytes or 0 for weight in model.weights), np.int64, len(model.weights)
        )
        self.whole_bytes = int(self.sizes.sum())
        self.largest_bytes = int(self.sizes.max(initial=0))
        self.sorted_by: int | None = None
        self.downwards = False
        self._order = np.arange(len(model.weights))
        self._texts = [_words(weight) for weight in model.weights]
        self._wanted = ""
        self._keys: dict[What, NDArray[np.float64]] = {}

    def index_of(self, row: int) -> int:
        """Place in `Model.weights` of what a row shows."""
        return int(self._order[row])

    def weight(self, row: int) -> WeightInfo:
        """What a row shows."""
        return self.model.weights[self.index_of(row)]

    def row_of(self, index: int) -> int | None:
        """Where a weight is shown; None where it is left out."""
        found = np.flatnonzero(self._order == index)
        return int(found[0]) if len(found) else None

    def shown_bytes(self) -> int:
        """Bytes of all weights that are shown."""
        return int(self.sizes[self._order].sum())

    def pick(self, text: str) -> None:
        """Show only weights that hold every word in name, type, file or origin."""
        self._wanted = text.casefold()
        self._arrange()

    def sort_by(self, column: int) -> None:
        """Order by a column; again: the other way round; a third time: as in the file."""
        first = COLUMNS[column].largest_first
        if column != self.sorted_by:
            self.sorted_by, self.downwards = column, first
        elif self.downwards == first:
            self.downwards = not first
        else:
            self.sorted_by = None
        self._arrange()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)

    def text(self, row: int, what: What) -> str:
        """What a cell says."""
        weight, index = self.weight(row), self.index_of(row)
        match what:
            case What.NAME:
                return cells.name(weight)
            case What.TYPE:
                return units.clip(weight.dtype, 40)
            case What.SHAPE:
                return units.shape(weight.shape)
            case What.BYTES:
                return "–" if weight.size_bytes is None else units.size(weight.size_bytes)
            case What.SHARE:
                return units.share(int(self.sizes[index]), self.whole_bytes)
            case What.PLACE:
                return cells.place(weight)
            case What.USERS:
                return cells.users(self.model, self.uses[index])

    def rowCount(self, parent: _Index = _NONE) -> int:
        """Weights that are shown."""
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: _Index = _NONE) -> int:
        """All columns, also those that find no room."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles."""
        horizontal = orientation is Qt.Orientation.Horizontal
        if horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section].value
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Words of a cell; the tooltip also tells the problem and the origin."""
        what = COLUMNS[index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            words = self.text(index.row(), what)
            problem = self.weight(index.row()).problem if what is What.NAME else ""
            spoken = role == Qt.ItemDataRole.AccessibleTextRole and problem
            return f"{words}: {units.clip(problem)}" if spoken else words
        if role == Qt.ItemDataRole.ToolTipRole:
            weight = self.weight(index.row())
            if what is What.NAME:
                return tip(cells.name(weight), weight.origin, weight.problem)
            return tip(self.text(index.row(), what))
        return None

    def _arrange(self) -> None:
        """Choose and order the rows; the whole view starts over."""
        order = np.arange(len(self._texts))
        for word in self._wanted.split():
            held = np.fromiter((word in text for text in self._texts), np.bool_)
            order = order[held[order]]
        if self.sorted_by is not None:
            keys = self._sort_keys(COLUMNS[self.sorted_by])[order]
            order = order[np.argsort(-keys if self.downwards else keys, kind="stable")]
        self.beginResetModel()
        self._order = order
        self.endResetModel()

    def _sort_keys(self, what: What) -> NDArray[np.float64]:
        if what not in self._keys:
            self._keys[what] = cells.keys(what, self.model, self.uses, self.sizes)
        return self._keys[what]


def _words(weight: WeightInfo) -> str:
    file = weight.place.file if weight.place is not None else ""
    problem = "problem" if weight.problem else ""
    return f"{weight.name}\n{weight.dtype}\n{file}\n{weight.origin}\n{problem}".casefold()
