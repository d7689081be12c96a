"""Cards of the Overview about a folder that is one model: facts, weights, parts, memory."""

from pathlib import Path

from PySide6.QtWidgets import QWidget

from inspector.app.language.folder import OpenedFolder
from inspector.app.language.memory import memory_of_opened
from inspector.pages.blocks import Section
from inspector.pages.language.folder import folder_sections
from inspector.pages.language.memory import memory_sections
from inspector.ui import commands
from inspector.ui.documents.document import Document, Topic
from inspector.ui.widgets.layouts import Columns
from inspector.ui.widgets.page_view import SectionCard
from inspector.ui.widgets.parts import GAP, column_of, show_in_place
from inspector.ui.widgets.theme import Theme

_BESIDE = ("architecture", "tokenizer")  # sections that stand side by side
_NUMBERS = "summary"  # what the row of numbers above says


class FolderCards(QWidget):
    """Shows them once the parts of the document's folder are read; a click on a part opens it.

    Without a folder, it is not there.
    """

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__()
        self._theme, self._document = theme, document
        self._column = column_of(on=self, spacing=GAP)
        self.cards: dict[str, SectionCard] = {}
        self.hide()
        document.changed(Topic.PARTS).connect(self._show)
        self._show()

    def _show(self) -> None:
        opened = self._document.opened_folder
        if opened is None or self.cards:
            return
        beside = Columns()
        self._column.addLayout(beside)
        for section in filter(None, _sections(opened)):
            card = SectionCard(self._theme, section)
            card.chosen.connect(self._open)
            self.cards[section.id] = card
            if section.id in _BESIDE:
                card.body.addStretch(1)
                beside.addWidget(card)
            elif section.id == "problems":
                self._column.insertWidget(0, card)
            else:
                self._column.addWidget(card)
        show_in_place(self, bool(self.cards))

    def _open(self, key: str) -> None:
        """Open a part as a model of its own."""
        path = Path(key)
        if key and path != self._document.path:
            commands.run(self, "open", path)


def _sections(opened: OpenedFolder) -> list[Section]:
    memory = memory_of_opened(opened)
    sections = [*folder_sections(opened.folder, opened.graphs, opened.facts)]
    if memory is not None:
        sections += memory_sections(memory)
    return [section for section in sections if section.id != _NUMBERS]
