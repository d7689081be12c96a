"""Cards in as many columns as there is room for, about equally long."""

from collections.abc import Sequence
from itertools import product

from msgspec import Struct
from PySide6.QtCore import QChildEvent, QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLayout, QLayoutItem, QScrollArea, QScrollBar, QWidget

from inspector.ui.widgets.parts import GAP, PADDING

# No screen tells how wide the frame of a window will be.
_TITLE_BAR_PX = 40
_SIDES_PX = 16
NARROWEST = 400  # px, width of a column
MOST = 3  # columns
_TRIED = 1_000
BESIDE_BAR = PADDING - 10  # margin of a page towards its bar: both sides look alike
BELOW_HEAD = 8  # of what stands still, so that what scrolls does not touch it


class Items(QLayout):
    """Keeps the items; where they go, and how high all are, says who derives it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        """Take in one more item."""
        self._items.append(item)

    def count(self) -> int:
        """Number of items."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """One item."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Give an item back."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """Takes the width it gets and the height it needs."""
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        """Return where it is narrower it is higher."""
        return True


class _Plan(Struct, frozen=True):
    """The positions of all items, and the height of the layout."""

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
        """Return the smallest width of the widest card."""
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
    """Distribute cards so that the longest column is as short as possible.

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


class Flow(Items):
    """Lays items out from left to right, with gaps, and begins a new line when one is full."""

    def __init__(self, across: int, down: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._across, self._down = across, down

    def heightForWidth(self, width: int) -> int:
        """Height of all lines."""
        return max((box.bottom() + 1 for box in self._boxes(width)), default=0)

    def sizeHint(self) -> QSize:
        """Return the width of the widest item."""
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
        boxes: list[QRect] = []
        x = y = line = 0
        for item in self._items:
            size = item.sizeHint()
            if item.isEmpty():  # hidden: no gap either
                boxes.append(QRect(x, y, 0, 0))
                continue
            if x and x + size.width() > width:
                x, y, line = 0, y + line + self._down, 0
            boxes.append(QRect(x, y, min(size.width(), max(width, 1)), size.height()))
            x += size.width() + self._across
            line = max(line, size.height())
        return boxes


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
    area.viewport().installEventFilter(_Growing(area))


def grow_page(area: QScrollArea) -> None:
    """Make the page of an area as high as what is in it, at once."""
    page = area.widget()
    layout = page.layout() if page is not None else None
    if page is None or layout is None:
        return
    high = layout.totalMinimumSize().height()
    if layout.hasHeightForWidth():
        high = layout.totalHeightForWidth(page.width())
    if high > page.height():
        page.resize(page.width(), high)


class _Growing(QObject):
    """Makes the page of an area higher before its new parts are laid out.

    Qt lays them out in the height of before, and makes the page higher in a second step: if it
    paints in between, parts lie on each other.
    """

    def __init__(self, area: QScrollArea) -> None:
        super().__init__(area)
        self._area = area

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the page that the area gets, and what is asked of its layout."""
        if isinstance(event, QChildEvent) and event.added():
            event.child().installEventFilter(self)
        elif event.type() == QEvent.Type.LayoutRequest and watched == self._area.widget():
            grow_page(self._area)
        return False


class SteadyHeight(QWidget):
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
        """Return what the part wishes for."""
        return self._part.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """The least that the part needs."""
        return self._part.minimumSizeHint()

    def hasHeightForWidth(self) -> bool:
        """Return whether the part is higher where it is narrower."""
        return self._part.hasHeightForWidth()

    def heightForWidth(self, width: int) -> int:
        """Return how high the part is at a width."""
        return self._part.heightForWidth(width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the part all the room."""
        super().resizeEvent(event)
        self._part.setGeometry(self.rect())
        self._known = self._needed()

    def event(self, event: QEvent) -> bool:
        """Handle a change of the part; forward it if it matters outside."""
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


def fitting(size: QSize, screen: QSize) -> QSize:
    """Return a size for a window that fits on a screen, title bar included."""
    return size.boundedTo(screen - QSize(_SIDES_PX, _TITLE_BAR_PX))


def resize_on_screen(window: QWidget, width: int, height: int) -> None:
    """Give a window a size in pixels, or what its screen has room for."""
    window.resize(fitting(QSize(width, height), window.screen().availableSize()))


class FittedScroll(QScrollArea):
    """Wishes for the size of its page, or what a screen has room for: then it scrolls.

    around: pixels of a window's height that are needed above and below.
    """

    def __init__(self, page: QWidget, around: int) -> None:
        super().__init__()
        self._page, self._around = page, around
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll_down(self)
        self.setWidget(page)

    def sizeHint(self) -> QSize:
        """Return the size of the page with the bar beside it."""
        bar = self.verticalScrollBar().sizeHint().width()
        wished = self._page.sizeHint() + QSize(bar, 0)
        room = self.screen().availableSize() - QSize(0, self._around)
        return fitting(wished, room)
