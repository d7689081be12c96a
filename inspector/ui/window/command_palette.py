"""The command palette: every command of the menus by a few letters of its name."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QPalette
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from inspector.ui.translate import tr
from inspector.ui.widgets.parts import tip
from inspector.ui.window.commands.listing import palette
from inspector.ui.window.commands.registry import Command, Submenu
from inspector.ui.window.host import Window

_WIDTH_PX = 560
_SHOWN_ROWS = 12
_ROW_PX = 30  # height
_LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


@dataclass(frozen=True, slots=True)
class Entry:
    """A command with the menus that lead to it: "File > Export report > PDF".

    refusal: why it is not possible now, "" where it is.
    """

    path: str
    command: Command
    refusal: str = ""


def entries(window: Window) -> Iterator[Entry]:
    """Yield every command in the order of the menus, at the first place that it has there."""
    listed = set[str]()
    for titles, command, above in palette():
        if command.id in listed:
            continue
        listed.add(command.id)
        within: tuple[Submenu | Command, ...] = (*above, command)
        refusals = (each.why_not(window) for each in within)
        yield Entry(" > ".join(titles), command, next(filter(None, refusals), ""))


def matches(text: str, entry: Entry) -> int | None:
    """Return how far a command is from what was typed, 0 for the nearest; None for no match.

    Each word that was typed must occur; the start of a word counts as nearer.
    """
    name = entry.path.casefold()
    distance = 0
    for word in text.casefold().split():
        place = name.find(word)
        if place < 0:
            return None
        starts = place == 0 or not name[place - 1].isalnum()
        distance += 0 if starts else 1
    return distance


class CommandPalette(QDialog):
    """A field and the commands that match it; Enter carries out the selected one.

    Those that are not possible now come last, gray, with the reason.
    """

    def __init__(self, window: Window, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._window = window
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Commands"))
        self._entries = tuple(entries(window))
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Type a command"))
        self.field.setAccessibleName(tr("Command"))
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Matching commands"))
        self.list.setStyleSheet(
            "QListWidget::item { padding: 6px 8px; border-radius: 5px; }"
            "QListWidget::item:selected { background: palette(highlight); "
            "color: palette(highlighted-text); }"
        )
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        page = QVBoxLayout(self)
        page.setContentsMargins(8, 8, 8, 8)
        page.setSpacing(6)
        page.addWidget(self.field)
        page.addWidget(self.list)
        self.resize(_WIDTH_PX, 60 + _SHOWN_ROWS * _ROW_PX)
        center = parent.rect().center().x() - _WIDTH_PX // 2
        self.move(parent.mapToGlobal(parent.rect().topLeft()).x() + max(0, center),
                  parent.mapToGlobal(parent.rect().topLeft()).y() + 60)  # fmt: skip
        self.field.textChanged.connect(self._filter)
        self.field.returnPressed.connect(self.run)
        self.list.itemClicked.connect(lambda _: self.run())
        self._filter("")
        self.field.setFocus()

    def run(self) -> None:
        """Close and carry out the selected command."""
        item = self.list.currentItem()
        if item is None:
            return
        entry: Entry = item.data(Qt.ItemDataRole.UserRole)
        if entry.refusal:
            return
        self.close()
        self._window.run_command(entry.command.id)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move through the list with the arrow keys while the field has the focus."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            moves = event.key() in _LIST_KEYS
            if moves:
                self.list.keyPressEvent(event)
            return moves
        return super().eventFilter(watched, event)

    def _filter(self, text: str) -> None:
        ranked = []
        for place, entry in enumerate(self._entries):
            distance = matches(text, entry)
            if distance is not None:
                ranked.append((bool(entry.refusal), distance, place, entry))
        self.list.clear()
        gray = self.palette().brush(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
        for _, _, _, entry in sorted(ranked, key=lambda each: each[:3]):
            more = entry.refusal or entry.command.keys_text
            item = QListWidgetItem(f"{entry.path}   {more}" if more else entry.path)
            item.setData(Qt.ItemDataRole.UserRole, entry)
            if entry.refusal:  # it can be found, and says why it is not possible now
                item.setForeground(gray)
                item.setToolTip(tip(entry.refusal))
            self.list.addItem(item)
        self.list.setCurrentRow(0)
