"""The context menu of edit mode: each entry is previewed under the pointer, or says why not."""

from collections.abc import Callable, Sequence

from msgspec import Struct
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QFontMetrics,
    QHideEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QMenu, QWidget, QWidgetAction

from inspector.conversion.action import Step
from inspector.ui.widgets.theme import Theme, fill_round, font, qt_color

_TITLE_PX = 13
_BELOW_PX = 11
_SINGLE_PX = 28  # height of an entry of one line
_DOUBLE_PX = 44  # height of an entry with a second line
_TRIPLE_PX = 59  # height of one whose second line is too long for the widest menu
_EDGE_PX = 12  # left and right of the words
_APART_PX = 28  # least distance between a title and its keys
_NARROWEST_PX = 208
_WIDEST_PX = 340
_WIDEST_INSIDE_PX = _WIDEST_PX - 2 * _EDGE_PX
_CHEVRON_PX = 4


class Entry(Struct, frozen=True):
    """An entry of the menu.

    step: what it does, which is previewed. act: what is called instead, as where a form opens.
    below: a second line. reason: why it cannot be done now, in place of the second line. line:
    whether a line stands before it.
    """

    title: str
    keys: str = ""
    step: Step | None = None
    act: Callable[[], object] | None = None
    entries: "tuple[Entry, ...]" = ()
    below: str = ""
    reason: str = ""
    line: bool = False


def steps_of(entries: Sequence[Entry]) -> tuple[Step, ...]:
    """Return the steps of entries, also of those in their menus."""
    steps: list[Step] = []
    for each in entries:
        if each.step is not None:
            steps.append(each.step)
        steps += steps_of(each.entries)
    return tuple(steps)


class EditMenu(QMenu):
    """Shows entries; tells which step is under the pointer or chosen with the arrow keys.

    previewed: a Step, or None where nothing is. applied: a Step that was chosen.
    """

    previewed = Signal(object)
    applied = Signal(object)
    refused = Signal(str)  # why the entry under the pointer cannot be done; "" where it can

    def __init__(self, theme: Theme, entries: Sequence[Entry], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setMinimumWidth(_NARROWEST_PX)
        self.hovered.connect(self._preview)
        for each in entries:
            if each.line:
                self.addSeparator()
            self._add(each)

    def _add(self, entry: Entry) -> None:
        action = _EntryAction(self._theme, entry, self)
        self.addAction(action)
        if entry.entries:
            menu = EditMenu(self._theme, entry.entries, self)
            menu.previewed.connect(self.previewed)
            menu.applied.connect(self.applied)
            menu.refused.connect(self.refused)
            menu.aboutToHide.connect(lambda: self.previewed.emit(None))
            action.setMenu(menu)
        elif entry.act is not None:
            action.triggered.connect(lambda _=False, act=entry.act: act())
        elif entry.step is not None:
            action.triggered.connect(lambda _=False, step=entry.step: self.applied.emit(step))

    def explain(self, explained: Callable[[Entry], Entry]) -> None:
        """Say what is known of the entries by now; none of them moves."""
        for action in self.actions():
            if not isinstance(action, _EntryAction):
                continue
            action.show_entry(explained(action.entry))
            menu = action.menu()
            if isinstance(menu, EditMenu):
                menu.explain(explained)

    def _preview(self, action: QAction) -> None:
        for each in self.actions():
            if isinstance(each, _EntryAction):
                each.repaint()
        if isinstance(action, _EntryAction) and self.activeAction() is action:
            entry = action.entry
            if not entry.entries:  # its menu tells
                self.previewed.emit(None if entry.reason else entry.step)
                self.refused.emit(entry.reason)

    def hideEvent(self, event: QHideEvent) -> None:
        """Preview nothing any more."""
        super().hideEvent(event)
        self.previewed.emit(None)


class _EntryAction(QWidgetAction):
    def __init__(self, theme: Theme, entry: Entry, menu: EditMenu) -> None:
        super().__init__(menu)
        self.entry = entry
        self._line = _EntryLine(theme, menu, self)
        self.setDefaultWidget(self._line)
        self.show_entry(entry)

    def show_entry(self, entry: Entry) -> None:
        """Show what else is known of the entry."""
        self.entry = entry
        aside = (entry.reason or entry.below).strip()
        text = f"{entry.title}: {aside}" if aside else entry.title
        self.setText(text.replace("&", "&&"))  # for screen readers
        self.setEnabled(not entry.reason)
        self._line.update()

    def repaint(self) -> None:
        self._line.update()


class _EntryLine(QWidget):
    """Paints an entry; the menu itself gets all events of the pointer."""

    def __init__(self, theme: Theme, menu: EditMenu, action: _EntryAction) -> None:
        super().__init__()
        self._theme, self._menu, self._action = theme, menu, action
        self._height = _DOUBLE_PX if self._below else _SINGLE_PX
        if QFontMetrics(font(_BELOW_PX)).horizontalAdvance(self._below) > _WIDEST_INSIDE_PX:
            self._height = _TRIPLE_PX
        keys = QKeySequence(self._entry.keys)
        self._keys = keys.toString(QKeySequence.SequenceFormat.NativeText)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    @property
    def _entry(self) -> Entry:
        return self._action.entry

    @property
    def _below(self) -> str:
        return self._entry.reason or self._entry.below

    def sizeHint(self) -> QSize:
        """Return room for both lines."""
        title = QFontMetrics(font(_TITLE_PX)).horizontalAdvance(self._entry.title)
        keys = QFontMetrics(font(_BELOW_PX)).horizontalAdvance(self._keys)
        below = QFontMetrics(font(_BELOW_PX)).horizontalAdvance(self._below)
        aside = keys if keys else 2 * _CHEVRON_PX if self._entry.entries else 0
        wide = max(title + (_APART_PX + aside if aside else 0), below) + 2 * _EDGE_PX
        # Where a second line comes later, it finds room.
        least = _NARROWEST_PX if self._height == _SINGLE_PX else _WIDEST_PX
        return QSize(min(max(wide, least), _WIDEST_PX), self._height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw title, keys and the second line."""
        look, entry = self._theme.palette, self._entry
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        active = self._menu.activeAction() is self._action and not entry.reason
        if active:
            fill_round(painter, QRectF(self.rect()), 5, qt_color(look.selection))
        text = look.tertiary if entry.reason else look.on_selection if active else look.text
        aside = look.on_selection if active else look.secondary
        inner = self.rect().adjusted(_EDGE_PX, 0, -_EDGE_PX, 0)
        first = inner
        if self._height > _SINGLE_PX:
            first = inner.adjusted(0, 5, 0, 0)
            first.setHeight(18)
        middle, left = Qt.AlignmentFlag.AlignVCenter, Qt.AlignmentFlag.AlignLeft
        painter.setFont(font(_TITLE_PX))
        painter.setPen(qt_color(text))
        painter.drawText(first, middle | left, entry.title)
        painter.setFont(font(_BELOW_PX))
        painter.setPen(qt_color(aside))
        if self._keys:
            painter.drawText(first, middle | Qt.AlignmentFlag.AlignRight, self._keys)
        elif entry.entries:
            painter.setPen(QPen(qt_color(aside), 1.5))
            tip = QRectF(first).center()
            x, y, half = float(first.right()), tip.y() + 0.5, float(_CHEVRON_PX)
            painter.drawLine(int(x - half), int(y - half), int(x), int(y))
            painter.drawLine(int(x), int(y), int(x - half), int(y + half))
        if self._below:
            second = inner.adjusted(0, 22, 0, -4)
            painter.setPen(qt_color(look.secondary if entry.reason else aside))
            room = second.width() if self._height < _TRIPLE_PX else 2 * second.width() - 48
            shown = painter.fontMetrics().elidedText(
                self._below, Qt.TextElideMode.ElideRight, room
            )
            painter.drawText(second, middle | left | Qt.TextFlag.TextWordWrap, shown)
