"""The field for finding layers by name, operator, value and type."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit

from inspector.ui.graph.search_index import Index
from inspector.ui.kit.parts import Card, follow, label, row, tool
from inspector.ui.kit.theme import Theme

_WAIT_MS = 120


class SearchField(QLineEdit):
    """Return goes to the next, Shift+Return to the one before, Escape empties it."""

    stepped = Signal(int)
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setPlaceholderText("Name, operator, tensor or type")
        self.setProperty("find", True)
        self.setAccessibleName("Search the graph")
        self.setMinimumWidth(150)
        self.setStyleSheet("border: none; background: transparent;")
        sign = QAction(self)
        self.addAction(sign, QLineEdit.ActionPosition.LeadingPosition)
        follow(theme, self, lambda: sign.setIcon(theme.icon("search", "tertiary")))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step through what was found."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.stepped.emit(-1 if back else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.left.emit()
        else:
            super().keyPressEvent(event)


class Search(Card):
    """A field, how many were found, and buttons for the next and the one before."""

    chosen = Signal(int)
    found_changed = Signal()

    def __init__(self, theme: Theme, index: Index) -> None:
        super().__init__(theme, padding=4)
        self.index = index
        self.found: tuple[int, ...] = ()
        self.place = -1
        self.field = SearchField(theme)
        self.told = label("", "caption")
        self.told.setMinimumWidth(56)
        self.told.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.before = tool(theme, "up", "Previous match (Shift+Return)")
        self.next = tool(theme, "down", "Next match (Return)")
        self._shown = (self.told, self.before, self.next)
        line = row(self.field, *self._shown, spacing=2)
        line.setStretch(0, 1)
        self.body.addLayout(line)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_WAIT_MS)
        self._timer.timeout.connect(self._look)
        self.field.textChanged.connect(self._timer.start)
        self.field.stepped.connect(self.step)
        self.before.clicked.connect(lambda: self.step(-1))
        self.next.clicked.connect(lambda: self.step(1))
        self._tell()

    def set_index(self, index: Index) -> None:
        """Search in another model."""
        self.index = index
        self._look()

    def step(self, by: int) -> None:
        """Choose the next match, or the one before, around the end."""
        if self._timer.isActive():
            self._timer.stop()
            self._look()
        if self.found:
            start = self.place if self.place >= 0 or by > 0 else 0
            self.place = (start + by) % len(self.found)
            self.chosen.emit(self.found[self.place])
        self._tell()

    def _look(self) -> None:
        self.found, self.place = self.index.find(self.field.text()), -1
        self.found_changed.emit()
        self._tell()

    def _tell(self) -> None:
        sought = bool(self.field.text().strip())
        for widget in self._shown:
            widget.setVisible(sought)
        number = f"{self.place + 1:,} of " if self.place >= 0 else ""
        self.told.setText(f"{number}{len(self.found):,}" if self.found else "none")
        self.before.setEnabled(bool(self.found))
        self.next.setEnabled(bool(self.found))
