"""Pages that scroll: the room of their bar is kept, whether it shows or not.

Where a page's height depends on its width, a bar that comes and goes can change its mind for
ever: with it the page is high enough to need it, without it no more. Qt then calls itself until
the stack is full. With its room kept, a page does not jump either when it grows.
"""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QScrollArea, QScrollBar

from inspector.ui.kit.parts import PADDING

BESIDE_BAR = PADDING - 10  # margin of a page towards its bar: both sides look alike
BELOW_HEAD = 8  # of what stands still, so that what scrolls does not touch it


class _Bar(QScrollBar):
    """Shows only where there is something to scroll."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw nothing where all is in view."""
        if self.maximum() > self.minimum():
            super().paintEvent(event)


def scroll_down(area: QScrollArea) -> None:
    """Let a page be as wide as its area, and scroll downwards alone."""
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setVerticalScrollBar(_Bar(Qt.Orientation.Vertical))
    area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
