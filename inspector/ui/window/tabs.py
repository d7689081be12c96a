"""The registry of tabs: bar, View menu, shortcuts, preloading and the tour follow it.

A new tab is a folder under `inspector/ui/tabs` and one entry here. Its widget is made with
`(theme, document, parent)`; a `DeviceChooser` among them gets the devices as they change.
"""

from collections.abc import Iterator

from msgspec import Struct
from PySide6.QtWidgets import QWidget

from inspector.platform import plugins
from inspector.ui.documents.document import Document
from inspector.ui.translate import mark
from inspector.ui.widgets.theme import Theme


class TabEntry(Struct, frozen=True):
    """A tab of a document.

    id: names its pictures. shortcut: its keys, as QKeySequence reads them. module, widget:
    where its class is, imported when the tab is first shown. needs_model: whether there is
    nothing to show of a report without its model. runs_model: whether it is of no use for a
    model that Inspector cannot run. changes_model: whether it is of no use for a model that
    Inspector cannot change. own_detail: whether the tab shows all of what is selected
    by itself, so that the details pane stays away. in_place_of: id of the tab whose place it
    takes for models that it is made for.
    """

    id: str
    title: str
    shortcut: str
    module: str
    widget: str
    needs_model: bool = True
    runs_model: bool = False
    changes_model: bool = False
    own_detail: bool = False
    in_place_of: str = ""

    def make(self, theme: Theme, document: Document, parent: QWidget) -> QWidget:
        """Import the module and make the widget."""
        widget = plugins.load(f"{self.module}:{self.widget}")
        made: QWidget = widget(theme, document, parent)
        return made


class Tab:
    """The tabs of Inspector, in their order; sessions store a tab by its id."""

    OVERVIEW = TabEntry(
        "overview",
        mark("Overview"),
        "Ctrl+1",
        "inspector.ui.tabs.overview.tab",
        "OverviewTab",
        own_detail=True,
    )
    GRAPH = TabEntry("graph", mark("Graph"), "Ctrl+2", "inspector.ui.graph.tab", "GraphTab")
    WEIGHTS = TabEntry(
        "weights",
        mark("Weights"),
        "Ctrl+3",
        "inspector.ui.tabs.weights.tab",
        "WeightsTab",
        own_detail=True,
    )
    PREVIEW = TabEntry(
        "preview",
        mark("Preview"),
        "Ctrl+4",
        "inspector.ui.tabs.preview.tab",
        "PreviewTab",
        runs_model=True,
        own_detail=True,
    )
    CHAT = TabEntry(
        "chat",
        mark("Chat"),
        "",
        "inspector.ui.tabs.chat.tab",
        "ChatTab",
        runs_model=True,
        in_place_of="preview",
    )
    ACTIVATIONS = TabEntry(
        "activations",
        mark("Layer outputs"),
        "Ctrl+5",
        "inspector.ui.tabs.activations.tab",
        "ActivationsTab",
        runs_model=True,
        own_detail=True,
    )
    PERFORMANCE = TabEntry(
        "performance",
        mark("Performance"),
        "Ctrl+6",
        "inspector.ui.tabs.performance.tab",
        "PerformanceTab",
        runs_model=True,
        needs_model=False,
    )
    IMPROVE = TabEntry(
        "improve",
        mark("Improve"),
        "Ctrl+7",
        "inspector.ui.tabs.improve.tab",
        "ImproveTab",
        runs_model=True,
        changes_model=True,
        own_detail=True,
    )


_ENTRIES = [entry for entry in vars(Tab).values() if isinstance(entry, TabEntry)]
TABS = [entry for entry in _ENTRIES if not entry.in_place_of]  # the places in the bar
_STAND_INS = [entry for entry in _ENTRIES if entry.in_place_of]


def all_tabs() -> Iterator[TabEntry]:
    """Yield the tabs in the order of the bar, each before those that may take its place."""
    for tab in TABS:
        yield tab
        yield from (each for each in _STAND_INS if each.in_place_of == tab.id)


def place_of(tab: TabEntry) -> int:
    """Return the place of a tab in the bar: its own, or that of the one it stands in for."""
    return next(n for n, each in enumerate(TABS) if each.id in (tab.id, tab.in_place_of))


def tab_for(tab: TabEntry, document: Document) -> TabEntry:
    """Return what a place in the bar shows of a document: Chat in place of Preview."""
    return Tab.CHAT if tab is Tab.PREVIEW and document.is_language_model else tab
