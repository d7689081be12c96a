"""What screen readers find in widgets that paint their items by themselves.

Qt describes its own controls. A tab bar, a graph or a timeline that is painted in one widget is
for it an empty area; here each of its items becomes a child with a role, a name and a place.
A widget takes part by the methods of `Items`, calls `tell_current` when another item becomes
the current one, and `forget_items` when it shows others. Nothing is made unless an assistive
program asks.

Pages, lists and tables that got the focus by a key have an outline: Qt's styles draw none.
"""

from typing import Protocol, runtime_checkable
from weakref import WeakKeyDictionary, ref

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QAccessibleInterface,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QWindow,
)
from PySide6.QtWidgets import QAbstractScrollArea, QAccessibleWidget, QApplication, QWidget

Role = QAccessible.Role


@runtime_checkable
class Items(Protocol):
    """The items of a widget. Their numbers are 0 to item_count() - 1."""

    ITEM_ROLES: tuple[QAccessible.Role, QAccessible.Role]  # of the widget, and of an item

    def item_count(self) -> int:
        """Return how many items there are now."""

    def item_name(self, number: int) -> str:
        """Return the name of an item, with what a sighted person reads on it."""

    def item_box(self, number: int) -> QRect:
        """Return where an item is, in coordinates of the widget; empty if out of view."""

    def current_item(self) -> int:
        """Return the item that is selected or has the focus; -1 for none."""


class _Item(QAccessibleInterface):
    """An item of a widget."""

    def __init__(self, owner: QWidget, number: int) -> None:
        super().__init__()
        self._ref, self.number = ref(owner), number

    @property
    def _owner(self) -> QWidget:
        owner = self._ref()
        assert owner is not None, "Qt asks of living widgets only"
        return owner

    def isValid(self) -> bool:
        """Return whether the widget still has the item."""
        owner = self._ref()
        alive = owner is not None and shiboken6.isValid(owner)
        return alive and self.number < _items(self._owner).item_count()

    def object(self) -> QObject | None:  # type: ignore[override]
        """Return nothing: an item is no object of Qt."""
        return None

    def window(self) -> QWindow | None:  # type: ignore[override]
        """Return the window of the widget."""
        return self._owner.window().windowHandle()

    def parent(self) -> QAccessibleInterface:
        """Return the widget."""
        return QAccessible.queryAccessibleInterface(self._owner)

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return nothing: items have no items."""
        return None

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return nothing, as `child` does."""
        return None

    def childCount(self) -> int:
        """Return 0."""
        return 0

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """Return that there is no such child."""
        return -1

    def rect(self) -> QRect:
        """Return where the item is on the screen."""
        box = _items(self._owner).item_box(self.number)
        return QRect(self._owner.mapToGlobal(box.topLeft()), box.size()) if box else QRect()

    def role(self) -> QAccessible.Role:
        """Return what the item is."""
        return _items(self._owner).ITEM_ROLES[1]

    def state(self) -> QAccessible.State:
        """Return whether the item is the current one, and whether it is in view."""
        state = QAccessible.State()
        items = _items(self._owner)
        current = items.current_item() == self.number
        state.selectable = state.focusable = 1
        state.selected = int(current)
        state.focused = int(current and self._owner.hasFocus())
        seen = self._owner.rect().intersects(items.item_box(self.number))
        state.offscreen = int(not seen)
        return state

    def text(self, which: QAccessible.Text) -> str:
        """Return the name."""
        return (
            _items(self._owner).item_name(self.number) if which == QAccessible.Text.Name else ""
        )

    def setText(self, which: QAccessible.Text, text: str) -> None:
        """Change nothing."""


class _ItemsWidget(QAccessibleWidget):
    """A widget whose children are its items."""

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner, _items(owner).ITEM_ROLES[0])
        self._ref = ref(owner)  # a strong one would keep the widget for good
        self.made: dict[int, tuple[_Item, int]] = {}  # with the ids that Qt knows them by

    @property
    def _owner(self) -> QWidget:
        owner = self._ref()
        assert owner is not None, "Qt asks of living widgets only"
        return owner

    def childCount(self) -> int:
        """Return how many items there are."""
        return _items(self._owner).item_count()

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return an item."""
        if not 0 <= index < self.childCount():
            return None
        if index not in self.made:
            item = _Item(self._owner, index)
            self.made[index] = (item, QAccessible.registerAccessibleInterface(item))
        return self.made[index][0]

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """Return the number of an item."""
        return next((n for n, (item, _) in self.made.items() if item == child), -1)

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return the item at a point of the screen."""
        point = self._owner.mapFromGlobal(QPoint(x, y))
        items = _items(self._owner)
        numbers = range(items.item_count())
        return self.child(next((n for n in numbers if items.item_box(n).contains(point)), -1))

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return the current item."""
        return self.child(_items(self._owner).current_item())


# Qt owns what a factory returns, but Python's half of it would be gone without this.
_made: "WeakKeyDictionary[QWidget, _ItemsWidget]" = WeakKeyDictionary()


def install() -> None:
    """Describe the items of our widgets from now on, to whoever asks."""
    QAccessible.installFactory(_interface)


class FocusOutline(QWidget):
    """The outline of a page, list or table that has the focus; it lets the mouse through."""

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        area.installEventFilter(self)
        self.setGeometry(area.rect())
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay as large as the area, and go when the focus does or the mouse takes over."""
        kind = event.type()
        if kind is QEvent.Type.Resize and isinstance(watched, QWidget):
            self.setGeometry(watched.rect())
        elif kind in (QEvent.Type.FocusOut, QEvent.Type.MouseButtonPress):
            watched.removeEventFilter(self)
            self.hide()
            self.deleteLater()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a line inside of the edge."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Accent), 2))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)


def show_focus(application: QApplication) -> None:
    """Outline the area that gets the focus by a key, from now on."""
    application.focusChanged.connect(_outline)


def _outline(_: QWidget | None, now: QWidget | None) -> None:
    by_key = Qt.WidgetAttribute.WA_KeyboardFocusChange
    if isinstance(now, QAbstractScrollArea) and now.window().testAttribute(by_key):
        FocusOutline(now)


def tell_current(widget: QWidget) -> None:
    """Tell assistive programs that another item is the current one."""
    if not QAccessible.isActive() or not isinstance(widget, Items):
        return
    number = widget.current_item()
    if number >= 0 and widget.hasFocus():
        event = QAccessibleEvent(widget, QAccessible.Event.Focus)
        event.setChild(number)
        QAccessible.updateAccessibility(event)


def forget_items(widget: QWidget) -> None:
    """Forget the items of a widget: it shows others."""
    made = _made.get(widget)
    if made is not None:
        for _, id_ in made.made.values():
            QAccessible.deleteAccessibleInterface(id_)
        made.made.clear()


def _interface(class_name: str, target: QObject) -> QAccessibleInterface | None:
    if isinstance(target, QWidget) and isinstance(target, Items):
        made = _made[target] = _ItemsWidget(target)
        return made
    return None


def _items(owner: QWidget) -> Items:
    assert isinstance(owner, Items), "only such widgets get an interface"
    return owner
