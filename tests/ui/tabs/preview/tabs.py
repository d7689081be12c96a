"""The Preview on the screen, as large as it is in a window of 1440 × 900."""

from pytestqt.qtbot import QtBot

from inspector.ui.documents.document import Document
from inspector.ui.tabs.preview.tab import PreviewTab
from inspector.ui.widgets.theme import Theme


def shown(qtbot: QtBot, theme: Theme, document: Document) -> PreviewTab:
    tab = PreviewTab(theme, document)
    qtbot.addWidget(tab)
    tab.resize(916, 822)
    tab.show()
    return tab


def answered(qtbot: QtBot, theme: Theme, document: Document) -> PreviewTab:
    """The same, once it has predicted with what its inputs usually get."""
    tab = PreviewTab(theme, document)
    qtbot.addWidget(tab)
    tab.resize(916, 822)
    with qtbot.waitSignal(tab.predicting.answered, timeout=30_000):
        tab.show()
    return tab
