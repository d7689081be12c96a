"""Room for what changes often: the page around it is laid out anew only where that is due."""

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget


class Steady(QWidget):
    """As wide as there is room, as high as its one part needs to be.

    A changed text lays out every widget above it; here that ends, unless the height changes or
    the part needs more width than before.
    """

    def __init__(self, part: QWidget) -> None:
        super().__init__()
        self._part = part
        part.setParent(self)
        self.setSizePolicy(part.sizePolicy())
        self._known: tuple[QSize, int] | None = None

    def sizeHint(self) -> QSize:
        """What the part wishes for."""
        return self._part.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """The least that the part needs."""
        return self._part.minimumSizeHint()

    def hasHeightForWidth(self) -> bool:
        """Whether the part is higher where it is narrower."""
        return self._part.hasHeightForWidth()

    def heightForWidth(self, width: int) -> int:
        """How high the part is at a width."""
        return self._part.heightForWidth(width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the part all the room."""
        super().resizeEvent(event)
        self._part.setGeometry(self.rect())
        self._known = self._needed()

    def event(self, event: QEvent) -> bool:
        """Hear that the part has changed, and pass it on where it matters outside."""
        if event.type() == QEvent.Type.LayoutRequest:
            needed = self._needed()
            if needed != self._known:
                self._known = needed
                self.updateGeometry()
            return True
        return super().event(event)

    def _needed(self) -> tuple[QSize, int]:
        part, width = self._part, self.width()
        tall = part.heightForWidth(width) if part.hasHeightForWidth() else -1
        return part.minimumSizeHint(), tall
