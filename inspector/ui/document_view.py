"""The tabs of one document; each is made when it is first looked at."""

from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from inspector.ui.document import Document
from inspector.ui.kit.theme import Theme

if TYPE_CHECKING:
    from inspector.report import Device

TABS = (
    ("inspector.ui.overview.tab", "OverviewTab"),
    ("inspector.ui.preview.tab", "PreviewTab"),
    ("inspector.ui.performance.tab", "PerformanceTab"),
)
OVERVIEW, PREVIEW, PERFORMANCE = range(3)


class DocumentView(QWidget):
    """Shows one tab of one document."""

    tab_changed = Signal(int)

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__()
        self.document = document
        self._theme = theme
        self._devices: tuple[Device, ...] = ()
        self._tabs: dict[int, QWidget] = {}
        self._stack = QStackedWidget()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        self.current = OVERVIEW if document.path is not None else PERFORMANCE
        document.report_chosen.connect(lambda: self.show_tab(PERFORMANCE))

    def show_tab(self, index: int) -> None:
        """Bring a tab to the front; it is loaded and built now if it never was."""
        if self.document.path is None:
            index = PERFORMANCE
        self._stack.setCurrentWidget(self.tab(index))
        self.current = index
        self.tab_changed.emit(index)

    def tab(self, index: int) -> QWidget:
        """The widget of a tab."""
        if index not in self._tabs:
            room, name = TABS[index]
            made: QWidget = getattr(import_module(room), name)(self._theme, self.document)
            self._tabs[index] = made
            self._stack.addWidget(made)
            self.set_devices(self._devices)
        return self._tabs[index]

    def set_devices(self, devices: "tuple[Device, ...]") -> None:
        """Tell the tabs which devices can be chosen."""
        self._devices = devices
        performance = self._tabs.get(PERFORMANCE)
        if performance is not None:
            performance.set_devices(devices)  # type: ignore[attr-defined]
