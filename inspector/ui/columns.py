"""Cards in as many columns as there is room for, each in the column that is shortest so far."""

from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

from inspector.ui.parts import GAP

NARROWEST, MOST = 400, 3


@dataclass(frozen=True, slots=True)
class _Plan:
    """Where each item goes, and how high the whole is."""

    boxes: tuple[QRect, ...]
    height: int


class Columns(QLayout):
    """Lays cards out; the last card of a column reaches down to where the longest ends."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        """Take in one more card."""
        self._items.append(item)

    def count(self) -> int:
        """Number of cards."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """One card."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Give a card back."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """Takes the width it gets and the height it needs."""
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        """Fewer columns are longer."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of the longest column."""
        return self._plan(QRect(0, 0, width, 0)).height

    def sizeHint(self) -> QSize:
        """Two columns."""
        return QSize(2 * NARROWEST + GAP, self.heightForWidth(2 * NARROWEST + GAP))

    def minimumSize(self) -> QSize:
        """As narrow as the widest card can be."""
        widths = [item.minimumSize().width() for item in self._shown()]
        return QSize(max(widths, default=0), 0)

    def setGeometry(self, rect: QRect) -> None:
        """Place the cards."""
        super().setGeometry(rect)
        for item, box in zip(self._shown(), self._plan(rect).boxes, strict=True):
            item.setGeometry(box)

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _plan(self, rect: QRect) -> _Plan:
        items = self._shown()
        columns = max(1, min(MOST, len(items), (rect.width() + GAP) // (NARROWEST + GAP)))
        width = (rect.width() - (columns - 1) * GAP) / columns
        ends, last = [0] * columns, [-1] * columns
        boxes: list[QRect] = []
        for i, item in enumerate(items):
            column = min(range(columns), key=ends.__getitem__)
            left, right = round(column * (width + GAP)), round(column * (width + GAP) + width)
            needs = _height(item, right - left)
            boxes.append(QRect(rect.x() + left, rect.y() + ends[column], right - left, needs))
            ends[column] += needs + GAP
            last[column] = i
        bottom = max(ends, default=GAP) - GAP
        for i in last:
            if i >= 0:
                boxes[i].setBottom(rect.y() + bottom - 1)
        return _Plan(tuple(boxes), bottom)


def _height(item: QLayoutItem, width: int) -> int:
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()
