"""Cards in as many columns as there is room for, about equally long."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QLayoutItem, QWidget

from inspector.ui.kit.items import Items
from inspector.ui.kit.parts import GAP

NARROWEST, MOST = 400, 3
_TRIED = 1_000


@dataclass(frozen=True, slots=True)
class _Plan:
    """Where each item goes, and how high the whole is."""

    boxes: tuple[QRect, ...]
    height: int


class Columns(Items):
    """Lays cards out; the last card of a column reaches down to where the longest ends."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chosen: dict[tuple[int, int], tuple[int, ...]] = {}

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

    def deal_again(self) -> None:
        """Balance anew, for once: cards have become others."""
        self._chosen.clear()
        self.invalidate()

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _plan(self, rect: QRect) -> _Plan:
        items = self._shown()
        columns = max(1, min(MOST, len(items), (rect.width() + GAP) // (NARROWEST + GAP)))
        width = (rect.width() - (columns - 1) * GAP) / columns
        edges = [round(column * (width + GAP)) for column in range(columns + 1)]
        heights = [_height(item, edges[1] - GAP) for item in items]
        ends, last = [0] * columns, [-1] * columns
        boxes: list[QRect] = []
        for i, column in enumerate(self._columns(columns, heights)):
            left, across = edges[column], edges[column + 1] - GAP - edges[column]
            boxes.append(QRect(rect.x() + left, rect.y() + ends[column], across, heights[i]))
            ends[column] += heights[i] + GAP
            last[column] = i
        bottom = max(ends, default=GAP) - GAP
        for i in last:
            if i >= 0:
                boxes[i].setBottom(rect.y() + bottom - 1)
        return _Plan(tuple(boxes), bottom)

    def _columns(self, columns: int, heights: list[int]) -> tuple[int, ...]:
        """The column of each card; kept, so that no card jumps when another one grows."""
        key = columns, len(heights)
        if key not in self._chosen:
            self._chosen[key] = balanced(heights, columns)
        return self._chosen[key]


def balanced(heights: Sequence[int], columns: int) -> tuple[int, ...]:
    """Deal cards out so that the longest column is as short as can be.

    The first cards stay side by side at the top, and the next one goes below the shortest
    of them; more than a few others go one by one to the column that is shortest so far.
    """
    first = _one_by_one(heights[: columns + 1], columns)
    rest = range(len(first), len(heights))
    if columns ** len(rest) > _TRIED:
        return _one_by_one(heights, columns)
    dealt = (first + others for others in product(range(columns), repeat=len(rest)))
    return min(dealt, key=lambda chosen: max(_ends(heights, chosen, columns)))


def _one_by_one(heights: Sequence[int], columns: int) -> tuple[int, ...]:
    chosen: tuple[int, ...] = ()
    for i in range(len(heights)):
        ends = _ends(heights[:i], chosen, columns)
        chosen = (*chosen, ends.index(min(ends)))
    return chosen


def _ends(heights: Sequence[int], chosen: Sequence[int], columns: int) -> list[int]:
    ends = [0] * columns
    for height, column in zip(heights, chosen, strict=True):
        ends[column] += height + GAP
    return ends


def _height(item: QLayoutItem, width: int) -> int:
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()
