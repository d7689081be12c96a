"""What the model was recognized as, what its family's answer is, and what was assumed."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel

from inspector import units
from inspector.preview.families.family_answers import FamilyAnswer
from inspector.ui.tabs.overview.about import wrapped
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import Card, button, label, row, tip
from inspector.ui.widgets.theme import Theme

MOST_LINES, LONGEST = 8, 200


class FamilyCard(Card):
    """Hidden where no family was recognized, nothing was tried and no labels were assumed."""

    undone = Signal()  # the assumed labels
    retry_undone = Signal()  # the preprocessing that was tried without being asked

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.name = label("", "heading")
        self.name.setAccessibleName(tr("Family of the model"))
        self.preprocessing, self.answer = wrapped("", "caption"), wrapped("")
        self.assumed, self.tried = wrapped("", "caption"), wrapped("", "caution")
        self.labels = wrapped("", "caption")
        self.undo = button(theme, tr("Undo"))
        self.undo.setAccessibleName(tr("Show numbers instead of the assumed labels"))
        self.undo.clicked.connect(self.undone)
        parts: tuple[QLabel, ...] = (
            self.name,
            self.preprocessing,
            self.answer,
            self.assumed,
        )
        for part in parts:
            self.body.addWidget(part)
        self.undo_retry = button(theme, tr("Undo"))
        self.undo_retry.setAccessibleName(tr("Use the guessed preprocessing again"))
        self.undo_retry.setToolTip(
            tr("Predict with the guessed preprocessing, and try no other")
        )
        self.undo_retry.clicked.connect(self.retry_undone)
        line = row(self.tried, self.undo_retry)
        line.setStretch(0, 1)
        self.body.addLayout(line)
        line = row(self.labels, self.undo)
        line.setStretch(0, 1)
        self.body.addLayout(line)
        self.hide()

    def show_answer(
        self, answer: FamilyAnswer | None, tried: str, labels: str, replaced: bool = False
    ) -> None:
        """Show another answer.

        tried: the sentence on other preprocessing; labels: on the assumed ones, or "".
        replaced: other preprocessing than the guessed one was used, which can be undone.
        """
        family = answer.family if answer is not None else None
        self.name.setText(
            "" if family is None else tr("Recognized as {name}").format(name=family.name)
        )
        self.preprocessing.setText(
            ""
            if family is None
            else tr("Input: {preprocessing}.").format(preprocessing=family.preprocessing)
        )
        self.preprocessing.setToolTip(
            "" if family is None else tip(tr("Source: {source}").format(source=family.source))
        )
        lines = answer.lines[:MOST_LINES] if answer is not None else ()
        self.answer.setText("\n".join(units.clip(line, LONGEST) for line in lines))
        assumed = "; ".join(answer.assumed) if answer is not None else ""
        self.assumed.setText(
            tr("Assumed: {assumed}.").format(assumed=assumed) if assumed else ""
        )
        nothing = answer.flat if answer is not None else ""
        told = tried or (
            tr("no clear result: {nothing}").format(nothing=nothing) if nothing else ""
        )
        self.tried.setText(f"{told[:1].upper()}{told[1:]}." if told else "")
        self.labels.setText(labels)
        for part in (self.name, self.preprocessing, self.answer, self.assumed, self.tried):
            part.setVisible(bool(part.text()))
        self.labels.setVisible(bool(labels))
        self.undo.setVisible(bool(labels))
        self.undo_retry.setVisible(replaced)
        self.setVisible(bool(family or told or labels))
