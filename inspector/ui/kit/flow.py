"""Small widgets in lines, like words: as many in a line as there is room for."""

from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QWidget

from inspector.ui.kit.items import Items


class Flow(Items):
    """Lays items out from left to right, with gaps, and begins a new line when one is full."""

    def __init__(self, across: int, down: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._across, self._down = across, down

    def heightForWidth(self, width: int) -> int:
        """Height of all lines."""
        return max((box.bottom() + 1 for box in self._boxes(width)), default=0)

    def sizeHint(self) -> QSize:
        """As wide as the widest item."""
        width = max((item.sizeHint().width() for item in self._items), default=0)
        return QSize(width, self.heightForWidth(max(width, self.geometry().width())))

    def minimumSize(self) -> QSize:
        """One item in each line."""
        return QSize(max((item.minimumSize().width() for item in self._items), default=0), 0)

    def setGeometry(self, rect: QRect) -> None:
        """Place the items."""
        super().setGeometry(rect)
        for item, box in zip(self._items, self._boxes(rect.width()), strict=True):
            item.setGeometry(box.translated(rect.topLeft()))

    def _boxes(self, width: int) -> list[QRect]:
        found: list[QRect] = []
        x = y = line = 0
        for item in self._items:
            size = item.sizeHint()
            if x and x + size.width() > width:
                x, y, line = 0, y + line + self._down, 0
            found.append(QRect(x, y, min(size.width(), max(width, 1)), size.height()))
            x += size.width() + self._across
            line = max(line, size.height())
        return found
