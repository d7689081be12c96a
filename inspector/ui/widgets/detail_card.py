"""A scrolling card with the details of the selected row, next to the list or below it."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QBoxLayout, QScrollArea, QVBoxLayout, QWidget

from inspector.ui.widgets.layouts import scroll_down
from inspector.ui.widgets.parts import GAP, PADDING, Card, add_to, label
from inspector.ui.widgets.theme import Theme

SIDE_BY_SIDE = 850  # px, width from which on the detail stands beside the list
ROOMY = 1150  # px, width from which on the detail is a wide one
ROOMY_DETAIL = 440  # px, width of a wide detail
_UNLIMITED = 16_777_215  # px; QWIDGETSIZE_MAX of Qt
_LAID_OUT = QEvent.Type.LayoutRequest


class DetailCard(Card):
    """A card around one page, which is scrolled where it is too long.

    name: how the page is called to those who cannot see it.
    """

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme, padding=1)
        self.pane = QScrollArea()
        scroll_down(self.pane)
        self.pane.setAccessibleName(name)
        self.body.addWidget(self.pane)

    def new_page(self, invitation: str = "") -> tuple[QWidget, QVBoxLayout]:
        """An empty page to fill; one with nothing chosen has only an invitation to choose."""
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(PADDING, PADDING - 2, PADDING, PADDING)
        column.setSpacing(12)
        if invitation:
            text = label(invitation, "secondary")
            column.addWidget(text, 1, Qt.AlignmentFlag.AlignCenter)
        return page, column

    def show_page(self, page: QWidget) -> None:
        """Show another page in place of the last."""
        self.pane.setWidget(page)
        self.updateGeometry()

    def natural_height(self) -> int:
        """Height at which nothing has to be scrolled."""
        page = self.pane.widget()
        if page is None:
            return 0
        wrapped = page.heightForWidth(self.width() - 2) if page.hasHeightForWidth() else 0
        return max(wrapped, page.sizeHint().height()) + 2


class ListWithDetail(QBoxLayout):
    """A list and its detail, laid out by the width of the area that scrolls them both.

    width: of the detail in px, beside the list where there is no room to spare.
    """

    def __init__(self, area: QScrollArea, width: int) -> None:
        super().__init__(QBoxLayout.Direction.LeftToRight)
        self.setSpacing(GAP)
        self._area, self._width = area, width
        self._detail: DetailCard | None = None
        area.viewport().installEventFilter(self)

    def show_both(self, entries: QWidget, detail: DetailCard) -> None:
        """Put `detail` beside `entries`, and keep it where there is room for it."""
        add_to(self, (entries, 1), detail)
        self._detail = detail
        detail.installEventFilter(self)
        detail.pane.viewport().installEventFilter(self)
        self._arrange()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the width of the area and the height of the detail."""
        awaited = QEvent.Type.Resize if watched is self._area.viewport() else _LAID_OUT
        if event.type() == awaited:
            self._arrange()
        return super().eventFilter(watched, event)

    def _arrange(self) -> None:
        detail = self._detail
        if detail is None:
            return
        available = self._area.viewport().width()
        side_by_side = available >= SIDE_BY_SIDE
        directions = QBoxLayout.Direction
        self.setDirection(directions.LeftToRight if side_by_side else directions.TopToBottom)
        if side_by_side:
            detail.setFixedWidth(ROOMY_DETAIL if available >= ROOMY else self._width)
            detail.setMinimumHeight(0)
        else:
            detail.setMinimumWidth(0)
            detail.setMaximumWidth(_UNLIMITED)
            detail.setMinimumHeight(detail.natural_height())
