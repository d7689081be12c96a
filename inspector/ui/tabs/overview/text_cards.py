"""Cards with named texts of the file, long ones folded: metadata, functions, ..."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QToolButton, QVBoxLayout, QWidget

from inspector import units
from inspector.model.model import Model
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import Card, Elided, label, row, tool
from inspector.ui.widgets.table_card import ShowMoreButton
from inspector.ui.widgets.theme import Theme, font

SHOWN, SHORT, LONGEST = 10, 40, 20_000


def texts(model: Model) -> tuple[tuple[str, str], ...]:
    """Every free text of a model with its name: documentation first, then metadata."""
    documents = ((tr("Description"), model.doc), (tr("Graph description"), model.graph_doc))
    return (*(d for d in documents if d[1]), *model.metadata, *model.graph_metadata)


class TextsCard(Card):
    """A line for each text; a long one opens below its line."""

    def __init__(self, theme: Theme, title: str, named: tuple[tuple[str, str], ...]) -> None:
        super().__init__(theme)
        self._theme, self._texts, self._made = theme, named, 0
        self.body.setSpacing(4)
        self.body.addLayout(
            row(label(title, "heading"), label(f"{len(self._texts):,}", "caption"), None)
        )
        self._lines = QVBoxLayout()
        self._lines.setSpacing(0)
        self.body.addLayout(self._lines)
        self._show_first(SHOWN)
        self.body.addWidget(
            ShowMoreButton(len(self._texts), SHOWN, tr("entries"), self._show_first)
        )
        self.body.addStretch(1)

    def _show_first(self, number: int) -> None:
        for key, value in self._texts[self._made : number]:
            self._lines.addWidget(TextLine(self._theme, key, value))
        self._made = max(self._made, min(number, len(self._texts)))
        for i in range(self._lines.count()):
            item = self._lines.itemAt(i)
            line = item.widget() if item is not None else None
            if line is not None:
                line.setVisible(i < number)


class TextLine(QWidget):
    """Key and value; the whole of a long value in a field that can be copied from."""

    def __init__(self, theme: Theme, key: str, value: str) -> None:
        super().__init__()
        self._value = value
        self._whole: QPlainTextEdit | None = None
        self.turn: QToolButton = tool(
            theme, "down", tr("Show the full text of {key}").format(key=units.clip(key, 40))
        )
        if len(value) <= SHORT and "\n" not in value:
            policy = self.turn.sizePolicy()
            policy.setRetainSizeWhenHidden(True)  # all values begin at one line
            self.turn.setSizePolicy(policy)
            self.turn.hide()
        name = Elided(key, "secondary", Qt.TextElideMode.ElideRight)
        first = value.partition("\n")[0][:2000]
        start = Elided(first, "value", Qt.TextElideMode.ElideRight)
        head = row(name, start, self.turn)
        head.setStretch(0, 2)
        head.setStretch(1, 3)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self._column.addLayout(head)
        self.setMinimumHeight(28)
        self.turn.clicked.connect(self._turn)

    def _turn(self) -> None:
        if self._whole is None:
            self._whole = _field(self._value)
            self._column.addWidget(self._whole)
            self._whole.show()
        else:
            self._whole.setVisible(self._whole.isHidden())


def _field(value: str) -> QPlainTextEdit:
    field = QPlainTextEdit()
    cut = value[:LONGEST]
    rest = len(value) - len(cut)
    field.setPlainText(
        cut + (tr("\n… {rest:,} more characters").format(rest=rest) if rest else "")
    )
    field.setReadOnly(True)
    field.setFrameShape(QFrame.Shape.NoFrame)
    field.setFont(font(11, mono=True))
    field.setFixedHeight(120)
    field.setAccessibleName(tr("Full text"))
    return field
