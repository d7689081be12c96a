"""The window: bars and panes around the document in front."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QMimeData, QObject, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QPaintEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLineEdit,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from inspector.courtesy import first
from inspector.ui.documents.document import Document
from inspector.ui.documents.jobs import leave
from inspector.ui.documents.workspace import Workspace
from inspector.ui.kit.theme import Theme
from inspector.ui.opening import choose_files, paths_in
from inspector.ui.trace.document import TraceDocument
from inspector.ui.window.notice import Notice
from inspector.ui.window.status import StatusLine
from inspector.ui.window.tabs import Tab
from inspector.ui.window.top_bar import TopBar
from inspector.ui.window.welcome import Welcome

if TYPE_CHECKING:  # numpy comes with the first document, after the first paint
    from inspector.report import PerformanceReport
    from inspector.ui.trace.tab import TraceTab
    from inspector.ui.window.document_view import DocumentView
    from inspector.ui.window.inspector_pane import InspectorPane
    from inspector.ui.window.sidebar import Sidebar

NARROW = 1250
_LONG = {QEvent.Type.UpdateRequest, QEvent.Type.LayoutRequest}


class MainWindow(QMainWindow):
    """Shows the open documents, one at a time, and passes on what the user asks for."""

    def __init__(self, theme: Theme, workspace: Workspace) -> None:
        super().__init__()
        self.theme, self.workspace = theme, workspace
        self._views: dict[Document, DocumentView] = {}
        self._traces: dict[TraceDocument, TraceTab] = {}
        self._complete = False
        self.top_bar = TopBar(theme, workspace)
        self._sidebar: Sidebar | None = None
        self._inspector: InspectorPane | None = None
        self.notice = Notice(theme)
        self.status = StatusLine(theme)
        self.welcome = Welcome(theme, workspace)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.welcome)
        self._lay_out()
        self._wire()
        self._restore()

    @property
    def document(self) -> Document | None:
        """The document in front."""
        view = self.view
        return view.document if view is not None else None

    @property
    def view(self) -> "DocumentView | None":
        """The view in front; None on the welcome page."""
        current = self._stack.currentWidget()
        return next((view for view in self._views.values() if view is current), None)

    @property
    def trace(self) -> "TraceTab | None":
        """The trace in front; None where there is something else."""
        current = self._stack.currentWidget()
        return next((tab for tab in self._traces.values() if tab is current), None)

    @property
    def sidebar(self) -> "Sidebar":
        """The list at the left; made with the first document."""
        if self._sidebar is None:
            from inspector.ui.window.sidebar import Sidebar

            self._sidebar = sidebar = Sidebar(self.theme, self.workspace)
            sidebar.setFixedWidth(228)
            sidebar.chosen.connect(self._show_entry)
            sidebar.close_asked.connect(self.close_document)
            sidebar.compare_asked.connect(self.compare_reports)
            self._across.insertWidget(0, sidebar)
        return self._sidebar

    @property
    def inspector(self) -> "InspectorPane":
        """The pane at the right; made with the first document."""
        if self._inspector is None:
            from inspector.ui.window.inspector_pane import InspectorPane

            self._inspector = InspectorPane(self.theme)
            self._across.addWidget(self._inspector)
        return self._inspector

    def show_document(
        self, document: Document, report: "PerformanceReport | None" = None
    ) -> None:
        """Bring a document to the front, and one of its reports if named."""
        view = self._views.get(document)
        if view is None:
            from inspector.ui.window.document_view import DocumentView

            view = self._views[document] = DocumentView(self.theme, document)
            view.set_devices(self.workspace.devices)
            view.tab_changed.connect(self._tab_changed)
            self._stack.addWidget(view)
        self._stack.setCurrentWidget(view)
        for part in (self.top_bar, self.inspector, self.status):
            part.show_document(document)
        if document.path is None:
            report = report or document.report
        if report is not None:
            document.choose_report(report)
        view.show_tab(Tab.PERFORMANCE if report is not None else view.current)
        self.sidebar.show_choice(document, report)
        self._place_panes()
        self.setWindowTitle(f"{document.name} — Inspector")

    def show_trace(self, trace: TraceDocument) -> None:
        """Bring a trace to the front."""
        tab = self._traces.get(trace)
        if tab is None:
            from inspector.ui.trace.tab import TraceTab

            tab = self._traces[trace] = TraceTab(self.theme, trace)
            self._stack.addWidget(tab)
        self._stack.setCurrentWidget(tab)
        self.status.show_document(None)
        self.inspector.show_trace(trace)
        self.top_bar.show_trace(trace)
        self.sidebar.show_choice(trace, None)
        self._place_panes()
        self.setWindowTitle(f"{trace.name} — Inspector")

    def choose_tab(self, index: int) -> None:
        """Bring a tab of the document in front to the front."""
        if self.view is not None:
            with first():
                self.view.show_tab(Tab(index))

    def go_to_search(self) -> None:
        """Put the cursor into the search or filter field of what is shown."""
        for field in self._stack.findChildren(QLineEdit):
            if field.property("find") and field.isVisible():
                field.setFocus(Qt.FocusReason.ShortcutFocusReason)
                field.selectAll()
                return

    def ask_for_files(self) -> None:
        """Let the user choose files and open them."""
        for path in choose_files(self):
            self.workspace.open(path)

    def ask_to_record(self) -> None:
        """Let the user choose a program and record what it does with ONNX Runtime."""
        from inspector.ui.trace.record_dialog import RecordDialog

        RecordDialog(self.theme, self.workspace, self).show()

    def ask_to_export(self, form: str) -> None:
        """Let the user save the report, the sweep or the trace in front."""
        document = self.document
        if self.trace is not None:
            self._ask_to_export_trace(self.trace, form)
        elif document is not None:
            from inspector.ui.exporting import SWEEP, Exporter

            exporter = Exporter(self)
            exporter.failed.connect(self.notice.show_error)
            exporter.done.connect(self.notice.show_done)
            sweep = document.sweeping.sweep if form.startswith(SWEEP) else None
            if sweep is not None:
                exporter.ask_for_sweep(sweep, form)
            elif document.report is not None and not form.startswith(SWEEP):
                exporter.ask(document.report, form)

    def compare_reports(self) -> None:
        """Put the open reports side by side."""
        reports = [report for d in self.workspace.documents for report in d.reports]
        if len(reports) > 1:
            from inspector.ui.comparison.view import ComparisonView

            ComparisonView(self.theme, tuple(reports), self).show()

    def open_pasted(self) -> None:
        """Open the files or the path on the clipboard."""
        self._open_all(QApplication.clipboard().mimeData())

    def show_keys(self) -> None:
        """List all keys."""
        from inspector.ui.window.keys import KeysDialog

        KeysDialog(self.theme, self).show()

    def measure(self) -> None:
        """Measure the document in front, if it can be measured now."""
        document = self.document
        if document is not None and document.model is not None and document.work is None:
            self.choose_tab(Tab.PERFORMANCE)
            document.measure()

    def close_document(self, document: Document | TraceDocument | None = None) -> None:
        """Close a document or a trace, by default the one in front."""
        document = document or self.document or (self.trace.document if self.trace else None)
        if isinstance(document, TraceDocument):
            self.workspace.close_trace(document)
        elif document is not None:
            self.workspace.close(document)

    def event(self, event: QEvent) -> bool:
        """Let no thread keep the painting of the window waiting."""
        if event.type() in _LONG:
            with first():
                return super().event(event)
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Take the focus, so that no button wears a ring before Tab is pressed."""
        super().showEvent(event)
        self.setFocus()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Do the rest after the first picture: nobody waits for menus and devices."""
        super().paintEvent(event)
        if not self._complete:
            self._complete = True
            QTimer.singleShot(0, self._finish)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember how the window was, and end the engines."""
        settings = self.workspace.settings
        settings.setValue("geometry", self.saveGeometry())
        settings.setValue("sidebar", self.top_bar.sidebar_button.isChecked())
        settings.setValue("inspector", self.top_bar.inspector_button.isChecked())
        settings.setValue("theme", self.theme.choice)
        self.workspace.end()
        super().closeEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        if paths_in(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        self._open_all(event.mimeData())

    def _finish(self) -> None:
        from inspector.ui.window.commands import commands
        from inspector.ui.window.menus import add_menus

        add_menus(self, self.top_bar.menu_button, commands(self))
        self.workspace.find_devices()

    def _open_all(self, data: QMimeData) -> None:
        for path in paths_in(data):
            self.workspace.open(path)

    def _lay_out(self) -> None:
        self.setAcceptDrops(True)
        self.setMinimumSize(900, 560)
        middle = QWidget()
        centre = QVBoxLayout(middle)
        centre.setContentsMargins(0, 0, 0, 0)
        centre.setSpacing(0)
        centre.addWidget(self.notice)
        centre.addWidget(self._stack, 1)
        across = QHBoxLayout()
        across.setSpacing(0)
        across.addWidget(middle, 1)
        self._across = across
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.top_bar)
        column.addLayout(across, 1)
        column.addWidget(self.status)
        self.setCentralWidget(whole)
        self.setWindowTitle("Inspector")

    def _wire(self) -> None:
        bar, workspace = self.top_bar, self.workspace
        bar.open_button.clicked.connect(self.ask_for_files)
        bar.record_button.clicked.connect(self.ask_to_record)
        bar.tab_chosen.connect(self.choose_tab)
        bar.measure_asked.connect(self.measure)
        bar.export_asked.connect(self.ask_to_export)
        bar.sidebar_button.toggled.connect(self._place_panes)
        bar.inspector_button.toggled.connect(self._place_panes)
        self.welcome.open_asked.connect(self.ask_for_files)
        self.welcome.file_asked.connect(workspace.open)
        workspace.opened.connect(self.show_document)
        workspace.closed.connect(self._forget)
        workspace.trace_opened.connect(self.show_trace)
        workspace.trace_closed.connect(self._forget_trace)
        workspace.failed.connect(self.notice.show_error)
        workspace.devices_changed.connect(self._share_devices)
        workspace.reading_changed.connect(self._tell_reading)
        workspace.step_told.connect(self.status.show_reading)

    def _restore(self) -> None:
        settings = self.workspace.settings
        self.resize(1440, 900)
        geometry = settings.value("geometry")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        bar = self.top_bar
        bar.sidebar_button.setChecked(settings.value("sidebar", True, type=bool) is True)
        wide = self.width() >= NARROW
        bar.inspector_button.setChecked(settings.value("inspector", wide, type=bool) is True)
        self._place_panes()

    def _place_panes(self) -> None:
        """Show the panes that are switched on, once there is something to show in them."""
        bar = self.top_bar
        something = self.document is not None or self.trace is not None
        if something or self._sidebar is not None:
            self.sidebar.setVisible(something and bar.sidebar_button.isChecked())
            self.inspector.setVisible(something and bar.inspector_button.isChecked())
        bar.sidebar_button.setVisible(something)
        bar.inspector_button.setVisible(something)

    def _show_entry(
        self, document: Document | TraceDocument, report: "PerformanceReport | None"
    ) -> None:
        if isinstance(document, TraceDocument):
            self.show_trace(document)
        else:
            self.show_document(document, report)

    def _ask_to_export_trace(self, tab: "TraceTab", form: str) -> None:
        from inspector.ui.trace.exporting import FORMS, TraceExporter

        if form in FORMS:
            exporter = TraceExporter(self)
            exporter.failed.connect(self.notice.show_error)
            exporter.done.connect(self.notice.show_done)
            exporter.ask(tab, form)

    def _tab_changed(self, index: int) -> None:
        self.top_bar.tabs.choose(index)

    def _tell_reading(self) -> None:
        reading = self.workspace.reading
        self.status.show_reading(reading[-1].name if reading else "")

    def _share_devices(self) -> None:
        for view in self._views.values():
            view.set_devices(self.workspace.devices)

    def _forget(self, document: Document) -> None:
        self._put_away(self._views.pop(document, None), document)

    def _forget_trace(self, trace: TraceDocument) -> None:
        self._put_away(self._traces.pop(trace, None), trace.selection)

    def _put_away(self, view: QWidget | None, shown: QObject) -> None:
        if view is not None:
            self._stack.removeWidget(view)
            view.hide()
            shown.setParent(view)  # they go together, when the jobs of both have ended
            leave(view)
        workspace = self.workspace
        if workspace.documents:
            self.show_document(workspace.documents[-1])
            return
        if workspace.traces:
            self.show_trace(workspace.traces[-1])
            return
        self._stack.setCurrentWidget(self.welcome)
        for part in (self.top_bar, self.inspector, self.status):
            part.show_document(None)
        self._place_panes()
        self.setWindowTitle("Inspector")
