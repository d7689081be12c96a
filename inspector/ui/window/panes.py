"""Placement of the model list and the details pane: next to the page, over it, or as a rail.

What the user switched on or off in a wide window is remembered; a narrow window shows less of
it, and the same buttons bring it back for as long as it is wanted.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

if TYPE_CHECKING:  # what the first picture does not need is imported after it
    from inspector.ui.window.inspector_pane import InspectorPane
    from inspector.ui.window.sidebar import Sidebar

# Window widths in pixels below which something collapses: a page keeps 760 pixels. 960 pixels
# are half of a usual screen, or all of it at 200 %.
DETAILS_BESIDE_PX = 1200
LIST_BESIDE_PX = 960
LIST_WIDE_PX = 1160


class Middle(QWidget):
    """The page between both panes; tells its size."""

    resized = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell that there is more room, or less."""
        super().resizeEvent(event)
        self.resized.emit()


class Switch(QObject):
    """A button that shows a pane: in a wide window for good, else until the next page.

    wished: whether the pane is shown where there is room for it.
    """

    changed = Signal()

    def __init__(self, button: QToolButton, wished: bool) -> None:
        super().__init__(button)
        self._button, self.wished, self._roomy = button, wished, True
        button.setChecked(wished)
        button.toggled.connect(self._take)

    @property
    def on(self) -> bool:
        """Return whether the pane is shown now."""
        return self._button.isChecked()

    def toggle(self) -> None:
        """Show the pane, or hide it, as its button does."""
        self._button.toggle()

    def set_roomy(self, roomy: bool) -> None:
        """Follow the room that there is."""
        if roomy != self._roomy:
            self._roomy = roomy
            self._show(self.wished and roomy)

    def turn_page(self) -> None:
        """Put away what was shown over the last page."""
        if not self._roomy:
            self._show(False)

    def _show(self, on: bool) -> None:
        self._button.blockSignals(True)
        self._button.setChecked(on)
        self._button.blockSignals(False)

    def _take(self, on: bool) -> None:
        if self._roomy:
            self.wished = on
        self.changed.emit()


class Panes(QObject):
    """Places both panes whenever the window, its page or a switch changes.

    Where the details have no room they lie over the page; the list becomes a rail of icons.
    """

    def __init__(
        self, across: QHBoxLayout, middle: Middle, models: Switch, details: Switch
    ) -> None:
        super().__init__(middle)
        self._across, self._middle = across, middle
        self.models, self.details = models, details
        self._pane: InspectorPane | None = None
        self._page: object = None
        middle.resized.connect(self._cover)

    def place(
        self,
        width: int,
        page: object,
        own_detail: bool,
        made: "tuple[Callable[[], Sidebar], Callable[[], InspectorPane]] | None",
    ) -> None:
        """Show what is wanted. page: what is in front, None for nothing; made: the panes."""
        self.details.set_roomy(width >= DETAILS_BESIDE_PX and not own_detail)
        self.models.set_roomy(width >= LIST_BESIDE_PX)
        if page != self._page:
            self._page = page
            self.details.turn_page()
        if made is None:
            return
        sidebar, pane = made[0](), made[1]()
        self._pane = pane
        rail = width < LIST_BESIDE_PX and not self.models.on
        sidebar.fit(rail, wide=width >= LIST_WIDE_PX)
        sidebar.setVisible(page is not None and (rail or self.models.on))
        beside = width >= DETAILS_BESIDE_PX and not own_detail
        if beside and self._across.indexOf(pane) < 0:
            self._across.addWidget(pane)
        elif not beside and pane.parentWidget() is not self._middle:
            self._across.removeWidget(pane)
            pane.setParent(self._middle)
        pane.setVisible(page is not None and self.details.on)
        self._cover()

    def _cover(self) -> None:
        """Keep a pane that lies over the page at its right edge."""
        pane = self._pane
        if pane is not None and pane.parentWidget() is self._middle:
            height = self._middle.height()
            pane.setGeometry(self._middle.width() - pane.width(), 0, pane.width(), height)
            pane.raise_()
