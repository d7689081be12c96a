"""The field that finds layers in the graph, and the list of what it found."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit

from inspector.analysis.layer_search import HINT, LayerIndex
from inspector.errors import BadInput
from inspector.ui import units
from inspector.ui.background import Debounce
from inspector.ui.graph.hits import Hits
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import Card, follow, label, row, tip, tool
from inspector.ui.widgets.table_card import SEARCH_HELP, name_buttons
from inspector.ui.widgets.theme import Theme

_WAIT_MS = 120
_LEAST_WITH_BUTTONS = 236  # px; still fits "conv 3x3" beside "1 of 3" and two buttons


class SearchField(QLineEdit):
    """Return and Down go to the next, Shift+Return and Up to the one before, Escape empties it.

    focused: whether it has the keys, as that changes.
    """

    stepped = Signal(int)
    left = Signal()
    focused = Signal(bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setPlaceholderText(tr("Find: conv 3x3, A -> B"))
        self.setToolTip(tip(*map(tr, SEARCH_HELP)))
        self.setProperty("find", True)
        self.setAccessibleName(tr("Search the graph"))
        self.setMinimumWidth(80)
        self.setStyleSheet("border: none; background: transparent;")
        sign = QAction(self)
        self.addAction(sign, QLineEdit.ActionPosition.LeadingPosition)
        name_buttons(self)
        follow(theme, self, lambda: sign.setIcon(theme.icon("search", "tertiary")))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step through what was found."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.stepped.emit(-1 if back else 1)
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.stepped.emit(-1 if event.key() == Qt.Key.Key_Up else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell that the keys come here."""
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell that the keys go elsewhere."""
        super().focusOutEvent(event)
        self.focused.emit(False)


class Search(Card):
    """A field, how many were found, and buttons for the next and the one before."""

    EDGE = "control"  # it is the outline of the field
    chosen = Signal(int)
    found_changed = Signal()

    def __init__(self, theme: Theme, index: LayerIndex) -> None:
        super().__init__(theme, padding=4)
        self.index = index
        self.matches: tuple[int, ...] = ()
        self.place, self.problem, self.nothing = -1, "", False
        self.field = SearchField(theme)
        self.hits = Hits(theme)
        self.count_label = label("", "caption")
        self.count_label.setMinimumWidth(50)
        self.count_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.before = tool(theme, "up", tr("Previous match (Shift+Return)"))
        self.next = tool(theme, "down", tr("Next match (Enter)"), then=lambda: self.step(1))
        line = row((self.field, 1), self.count_label, self.before, self.next, spacing=2)
        self.body.addLayout(line)
        self.problem_label = label("", "caution")
        hint = tr("No matches. {hint}.").format(hint=HINT)
        self.hint_label = label(hint, "secondary")
        for below in (self.problem_label, self.hint_label):
            below.setWordWrap(True)
            below.setContentsMargins(8, 0, 8, 4)
            self.body.addWidget(below)
        self._debounce = Debounce(self._search, self, _WAIT_MS)
        self.field.textChanged.connect(self._debounce.call)
        self.field.stepped.connect(self.step)
        self.field.focused.connect(self._show_hits)
        self.hits.chosen.connect(self._go_to)
        self.before.clicked.connect(lambda: self.step(-1))
        self._update_count()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the buttons where there is room for them beside what is typed."""
        super().resizeEvent(event)
        self._update_count()

    def set_index(self, index: LayerIndex) -> None:
        """Search in another model, or in more of the same."""
        self.index = index
        self._search()

    def step(self, step: int) -> None:
        """Choose the next match, or the one before, around the end."""
        self._debounce.flush()
        if self.matches:
            start = self.place if self.place >= 0 or step > 0 else 0
            self._go_to((start + step) % len(self.matches))
        self._update_count()

    def _go_to(self, number: int) -> None:
        """Choose a match by its number."""
        self.place = number
        self.chosen.emit(self.matches[number])
        self.hits.mark(number)
        self._update_count()

    def _show_hits(self, shown: bool) -> None:
        """Show the list while the field has the keys."""
        self.hits.show_matches(self.index, self.matches if shown else ())
        self.hits.mark(self.place)
        self.found_changed.emit()

    def _search(self) -> None:
        """Find anew; the place stays where the same is found."""
        before = self.matches
        try:
            self.matches, self.problem = self.index.find(self.field.text()), ""
        except BadInput as error:
            self.matches, self.problem = (), f"{error.why}. {error.hint}".strip(". ")
        self.place = self.place if self.matches == before else -1
        self._update_count()
        self._show_hits(self.field.hasFocus())

    def _update_count(self) -> None:
        has_query = bool(self.field.text().strip()) and not self.problem
        self.nothing = has_query and not self.matches and bool(self.index.layers)
        self.problem_label.setText(self.problem)
        self.problem_label.setVisible(bool(self.problem))
        self.hint_label.setVisible(self.nothing)
        self.count_label.setVisible(has_query)
        for widget in (self.before, self.next):  # Return does it, too
            has_room = self.width() >= _LEAST_WITH_BUTTONS
            widget.setVisible(has_query and bool(self.matches) and has_room)
        number = tr("{place:,} of ").format(place=self.place + 1) if self.place >= 0 else ""
        self.count_label.setText(
            f"{number}{units.number(len(self.matches))}" if self.matches else tr("none")
        )
        self.before.setEnabled(bool(self.matches))
        self.next.setEnabled(bool(self.matches))
