"""The tabs of one document; each is made when it is first looked at."""

from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from inspector.ui.documents.document import Document
from inspector.ui.kit.theme import Theme
from inspector.ui.reading_ahead import module_of
from inspector.ui.window.tabs import Tab

if TYPE_CHECKING:
    from inspector.report import Device

WIDGETS = {
    Tab.OVERVIEW: "OverviewTab",
    Tab.GRAPH: "GraphTab",
    Tab.WEIGHTS: "WeightsTab",
    Tab.PREVIEW: "PreviewTab",
    Tab.VALUES: "ValuesTab",
    Tab.PERFORMANCE: "PerformanceTab",
}


class DocumentView(QWidget):
    """Shows one tab of one document."""

    tab_changed = Signal(int)

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__()
        self.document = document
        self._theme = theme
        self._devices: tuple[Device, ...] = ()
        self._tabs: dict[Tab, QWidget] = {}
        self._stack = QStackedWidget()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        self.current = Tab.OVERVIEW if document.path is not None else Tab.PERFORMANCE
        self.model_tab = Tab.OVERVIEW  # the last one that was shown of the model itself
        document.report_chosen.connect(self._show_report)

    def show_tab(self, tab: Tab) -> None:
        """Bring a tab to the front; it is loaded and built now if it never was."""
        if self.document.path is None:
            tab = Tab.PERFORMANCE
        self._stack.setCurrentWidget(self.tab(tab))
        self.current = tab
        if tab is not Tab.PERFORMANCE:
            self.model_tab = tab
        self.tab_changed.emit(tab)

    def tab(self, tab: Tab) -> QWidget:
        """The widget of a tab."""
        if tab not in self._tabs:
            room = import_module(module_of(tab))
            made: QWidget = getattr(room, WIDGETS[tab])(self._theme, self.document)
            self._tabs[tab] = made
            self._stack.addWidget(made)
            self.set_devices(self._devices)
        return self._tabs[tab]

    def _show_report(self) -> None:
        """Show a report that was chosen; where the last one was closed, the tab stays."""
        if self.document.report is not None:
            self.show_tab(Tab.PERFORMANCE)

    def set_devices(self, devices: "tuple[Device, ...]") -> None:
        """Tell the tabs which devices can be chosen."""
        self._devices = devices
        for choosing in (Tab.PERFORMANCE, Tab.PREVIEW):
            made = self._tabs.get(choosing)
            if made is not None:
                made.set_devices(devices)  # type: ignore[attr-defined]
