"""A card with the identity of the model: one sentence, and its statements with reasons."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from inspector.preview.identity import (
    ASSUMED,
    CERTAIN,
    LIKELY,
    UNKNOWN,
    UNREADABLE_WEIGHTS,
    Evidence,
    Identity,
)
from inspector.ui import units
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.parts import Card, button, follow, label, row, tip
from inspector.ui.widgets.theme import Theme

# Shape, color and word together, so that none of them has to be told by its color.
_MARKS = {
    CERTAIN: ("certain", "good", mark("Certain")),
    LIKELY: ("likely", "good", mark("Likely")),
    ASSUMED: ("assumed", "caution", mark("Assumed")),
    UNKNOWN: ("info", "secondary", mark("Unknown")),
}
_PROBLEM = "warning", "bad", mark("Problem")
_LONGEST = 56  # characters of a statement, so that its reason has room
_TIPS = {
    CERTAIN: mark(
        "Stated in the file, or the only possibility given the structure of the model."
    ),
    LIKELY: mark("The structure matches a known model family."),
    ASSUMED: mark(
        "These match the model, but nothing in the file confirms them. Change or undo them if "
        "they are wrong."
    ),
    UNKNOWN: mark("The file does not state it, and its structure matches no known family."),
}


class IdentityCard(Card):
    """The sentence of a model in two lines, and its evidence as rows.

    chosen: whether somebody chose the names of the classes.
    """

    change_requested = Signal()  # of the names of the classes
    undone = Signal()  # the assumed or chosen names of the classes

    def __init__(self, theme: Theme, identity: Identity, chosen: bool = False) -> None:
        super().__init__(theme)
        self._chosen = chosen
        self.headline = _wrapped(identity.headline, "metric")
        details = identity.details
        self.details = _wrapped(units.capitalized(details), "subtitle")
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self.headline)
        column.addSpacing(2)
        column.addWidget(self.details)
        column.addSpacing(10)
        self._across = QHBoxLayout()
        self._across.setSpacing(24)
        self._across.addLayout(column, 1)
        self.body.addLayout(self._across)
        self._rows = QGridLayout()
        self._rows.setHorizontalSpacing(8)
        self._rows.setVerticalSpacing(6)
        self._rows.setColumnStretch(3, 1)
        for line, evidence in enumerate(identity.evidence):
            self._add_row(theme, line, evidence)
        column.addLayout(self._rows)
        column.addStretch(1)
        self.setAccessibleName(identity.sentence)

    def show_proof(self, proof: QWidget) -> None:
        """Put at the right what the model answers."""
        self._across.addWidget(proof)

    def _add_row(self, theme: Theme, line: int, evidence: Evidence) -> None:
        problem = evidence.statement == UNREADABLE_WEIGHTS
        icon, role, word = _PROBLEM if problem else _MARKS[evidence.confidence]
        sign = QLabel()
        sign.setFixedWidth(16)
        follow(theme, sign, lambda: sign.setPixmap(theme.pixmap(icon, role)))
        confidence = label(tr(word), "secondary")
        for widget in () if problem else (sign, confidence):
            widget.setToolTip(tr(_TIPS[evidence.confidence]))
        statement = evidence.statement
        if evidence.subject != "precision":  # whose first word is a type's name
            statement = units.capitalized(statement)
        top = Qt.AlignmentFlag.AlignTop
        changeable = evidence.subject == "classes" and (
            self._chosen or evidence.confidence == ASSUMED
        )
        if changeable:  # the buttons are higher than a line
            top = Qt.AlignmentFlag.AlignVCenter
            self._rows.addLayout(self._class_name_buttons(theme), line, 4, top)
        self._rows.addWidget(sign, line, 0, top)
        self._rows.addWidget(confidence, line, 1, top)
        shown = label(units.clip(statement, _LONGEST), "value", selectable=True)
        shown.setToolTip(tip(statement) if len(statement) > _LONGEST else "")
        self._rows.addWidget(shown, line, 2, top)
        reason = _wrapped(units.clip(evidence.reason, 200), "secondary")
        reason.setContentsMargins(8, 0, 0, 0)
        self._rows.addWidget(reason, line, 3, top)

    def _class_name_buttons(self, theme: Theme) -> QHBoxLayout:
        change, undo = button(theme, tr("Change…")), button(theme, tr("Undo"))
        change.setAccessibleName(tr("Change the class names"))
        undo.setAccessibleName(
            tr("Restore the previous class names")
            if self._chosen
            else tr("Show numbers instead of the assumed class names")
        )
        change.clicked.connect(self.change_requested)
        undo.clicked.connect(self.undone)
        self.change, self.undo = change, undo
        return row(change, undo)


def _wrapped(text: str, role: str) -> QLabel:
    made = label(text, role, selectable=True)
    made.setWordWrap(True)
    made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return made
