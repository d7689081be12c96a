"""The field for finding layers by name, operator, value and type."""

from collections.abc import Mapping
from itertools import compress, repeat
from operator import contains

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit

from inspector.analysis.cost.estimate import Estimate
from inspector.model.model import Layer, Model
from inspector.platform.cooperative_yielding import polite
from inspector.ui.background import Debounce
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import Card, follow, label, row, tool
from inspector.ui.widgets.theme import Theme

# Which layers hold words: name, operator, values, and the types of what they make.


class Index:
    """The words of every layer in small letters.

    types: element types of values by name; a layer is found by those of its outputs.
    """

    def __init__(self, layers: tuple[Layer, ...], types: Mapping[str, str]) -> None:
        self._layers, self._types = layers, types
        self._texts: tuple[str, ...] = ()

    def prepare(self) -> None:
        """Put the words together, unless that has been done."""
        if not self._texts:
            self._texts = tuple(map(self._text_of, polite(self._layers)))

    def find(self, text: str) -> tuple[int, ...]:
        """Layers that hold every word of a text, in order.

        Each is asked, by functions that are no Python: a tenth of a microsecond.
        """
        self.prepare()
        terms = sorted(set(text.lower().split()), key=len, reverse=True)  # long ones are rare
        if not terms:
            return ()
        texts = self._texts
        matches = [*compress(range(len(texts)), map(contains, texts, repeat(terms[0])))]
        for word in terms[1:]:
            candidates = map(texts.__getitem__, matches)
            matches = [*compress(matches, map(contains, candidates, repeat(word)))]
        return tuple(matches)

    def _text_of(self, layer: Layer) -> str:
        types = {self._types.get(name, "") for name in layer.outputs}
        parts = (
            layer.label,
            layer.operator,
            layer.domain,
            *layer.inputs,
            *layer.outputs,
            *types,
        )
        return "\n".join(parts).lower()


def types_of(model: Model, estimate: Estimate | None) -> dict[str, str]:
    """Element types of values by name: what the file declares, and what was inferred."""
    inferred = estimate.shapes.values if estimate is not None else ()
    declared = (*model.values, *model.defaults, *model.inputs, *model.outputs)
    return {value.name: value.dtype for value in polite((*inferred, *declared)) if value.dtype}


_WAIT_MS = 120


class SearchField(QLineEdit):
    """Return goes to the next, Shift+Return to the one before, Escape empties it."""

    stepped = Signal(int)
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setPlaceholderText(tr("Name, operator, tensor or type"))
        self.setProperty("find", True)
        self.setAccessibleName(tr("Search the graph"))
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
        self.matches: tuple[int, ...] = ()
        self.place = -1
        self.field = SearchField(theme)
        self.count_label = label("", "caption")
        self.count_label.setMinimumWidth(56)
        self.count_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.before = tool(theme, "up", tr("Previous match (Shift+Return)"))
        self.next = tool(theme, "down", tr("Next match (Return)"))
        self._step_widgets = (self.count_label, self.before, self.next)
        line = row(self.field, *self._step_widgets, spacing=2)
        line.setStretch(0, 1)
        self.body.addLayout(line)
        self._debounce = Debounce(self._search, self, _WAIT_MS)
        self.field.textChanged.connect(self._debounce.call)
        self.field.stepped.connect(self.step)
        self.before.clicked.connect(lambda: self.step(-1))
        self.next.clicked.connect(lambda: self.step(1))
        self._update_count()

    def set_index(self, index: Index) -> None:
        """Search in another model."""
        self.index = index
        self._search()

    def step(self, step: int) -> None:
        """Choose the next match, or the one before, around the end."""
        self._debounce.flush()
        if self.matches:
            start = self.place if self.place >= 0 or step > 0 else 0
            self.place = (start + step) % len(self.matches)
            self.chosen.emit(self.matches[self.place])
        self._update_count()

    def _search(self) -> None:
        self.matches, self.place = self.index.find(self.field.text()), -1
        self.found_changed.emit()
        self._update_count()

    def _update_count(self) -> None:
        has_query = bool(self.field.text().strip())
        for widget in self._step_widgets:
            widget.setVisible(has_query)
        number = tr("{place:,} of ").format(place=self.place + 1) if self.place >= 0 else ""
        self.count_label.setText(
            f"{number}{len(self.matches):,}" if self.matches else tr("none")
        )
        self.before.setEnabled(bool(self.matches))
        self.next.setEnabled(bool(self.matches))
