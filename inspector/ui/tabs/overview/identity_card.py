"""What a model is: one sentence, and below it each statement with its reason."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy

from inspector import units
from inspector.preview.identity import ASSUMED, CERTAIN, LIKELY, Evidence, Identity
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.parts import Card, follow, label
from inspector.ui.widgets.theme import Theme

# Shape, color and word together, so that none of them has to be told by its color.
_MARKS = {
    CERTAIN: ("certain", "good", mark("Certain")),
    LIKELY: ("likely", "good", mark("Likely")),
    ASSUMED: ("assumed", "caution", mark("Assumed")),
}
_TIPS = {
    CERTAIN: mark("The file says so, or its structure allows nothing else."),
    LIKELY: mark("The structure is that of a known family of models."),
    ASSUMED: mark(
        "It fits, but nothing in the file says so. Change it in Preview if it is wrong."
    ),
}


class IdentityCard(Card):
    """The sentence of a model in two lines, and its evidence as rows."""

    def __init__(self, theme: Theme, identity: Identity) -> None:
        super().__init__(theme)
        self.headline = _wrapped(identity.headline, "metric")
        details = identity.details
        self.details = _wrapped(details[:1].upper() + details[1:], "subtitle")
        self.body.setSpacing(0)
        self.body.addWidget(self.headline)
        self.body.addSpacing(2)
        self.body.addWidget(self.details)
        self.body.addSpacing(10)
        self._rows = QGridLayout()
        self._rows.setHorizontalSpacing(8)
        self._rows.setVerticalSpacing(6)
        self._rows.setColumnStretch(3, 1)
        for row, evidence in enumerate(identity.evidence):
            self._add_row(theme, row, evidence)
        self.body.addLayout(self._rows)
        self.setAccessibleName(identity.sentence)

    def _add_row(self, theme: Theme, row: int, evidence: Evidence) -> None:
        icon, role, word = _MARKS[evidence.confidence]
        sign = QLabel()
        sign.setFixedWidth(16)
        follow(theme, sign, lambda: sign.setPixmap(theme.pixmap(icon, role)))
        confidence = label(tr(word), "secondary")
        for widget in (sign, confidence):
            widget.setToolTip(tr(_TIPS[evidence.confidence]))
        statement = evidence.statement
        if evidence.subject != "precision":  # whose first word is a type's name
            statement = statement[:1].upper() + statement[1:]
        top = Qt.AlignmentFlag.AlignTop
        self._rows.addWidget(sign, row, 0, top)
        self._rows.addWidget(confidence, row, 1, top)
        self._rows.addWidget(label(statement, "value", selectable=True), row, 2, top)
        reason = _wrapped(units.clip(evidence.reason, 200), "secondary")
        reason.setContentsMargins(8, 0, 0, 0)
        self._rows.addWidget(reason, row, 3, top)


def _wrapped(text: str, role: str) -> QLabel:
    made = label(text, role, selectable=True)
    made.setWordWrap(True)
    made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return made
