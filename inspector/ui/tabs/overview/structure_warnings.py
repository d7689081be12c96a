"""What is odd about a model, or missing for it to run."""

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from inspector import units
from inspector.analysis.facts.model_facts import Facts
from inspector.model.model import Model
from inspector.ui.tabs.overview.about import wrapped
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import Card, follow, label, row
from inspector.ui.widgets.table_card import ShowMoreButton
from inspector.ui.widgets.theme import Theme

SHOWN, NAMED = 5, 4


def findings(model: Model, facts: Facts) -> tuple[str, ...]:
    """One sentence for each thing that a reader or the analysis noticed."""
    return tuple(_sentences(model, facts))


def _sentences(model: Model, facts: Facts) -> Iterator[str]:
    for library in facts.requirements.libraries:
        named = ", ".join(units.clip(name, 60) for name in library.operators[:NAMED])
        more = len(library.operators) - NAMED
        names = (
            tr("{named} and {more} more").format(named=named, more=more) if more > 0 else named
        )
        domain = units.clip(library.domain, 80)
        source = library.package or tr("a custom operator library")
        yield f"Needs {source} to run: {names} from domain {domain}."
    for note in facts.requirements.notes:
        yield units.clip(note)
    for finding in model.findings:
        text = f"{finding.subject}: {finding.text}" if finding.subject else finding.text
        yield units.clip(text)


class NotesCard(Card):
    """A line with a warning sign for each."""

    def __init__(self, theme: Theme, sentences: tuple[str, ...]) -> None:
        super().__init__(theme)
        self._theme, self._sentences = theme, sentences
        self._lines: list[QWidget] = []
        self._column = QVBoxLayout()
        self._column.setSpacing(8)
        self.body.addWidget(label(tr("Notes"), "heading"))
        self.body.addLayout(self._column)
        self._show_first(SHOWN)
        self.body.addWidget(
            ShowMoreButton(len(sentences), SHOWN, tr("findings"), self._show_first)
        )
        self.body.addStretch(1)

    def _show_first(self, number: int) -> None:
        for sentence in self._sentences[len(self._lines) : number]:
            self._lines.append(_line(self._theme, sentence))
            self._column.addWidget(self._lines[-1])
        for place, line in enumerate(self._lines):
            line.setVisible(place < number)


def _line(theme: Theme, sentence: str) -> QWidget:
    made, icon = QWidget(), QLabel()
    icon.setFixedWidth(16)
    follow(theme, icon, lambda: icon.setPixmap(theme.pixmap("warning", "caution")))
    layout = row()
    layout.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
    layout.addWidget(wrapped(sentence), 1)
    made.setLayout(layout)
    return made
