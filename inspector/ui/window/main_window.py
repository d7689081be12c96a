"""The window: bars and panes around the document in front."""

from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QWidget

from inspector.errors import InspectorError
from inspector.formats.names import named
from inspector.platform.cooperative_yielding import first
from inspector.ui.background import delete_when_idle
from inspector.ui.documents.diff_document import ComparedModel, DiffDocument
from inspector.ui.documents.document import Document, Topic
from inspector.ui.documents.trace_document import TraceDocument
from inspector.ui.documents.workspace import Opening, Workspace
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.layouts import resize_on_screen
from inspector.ui.widgets.parts import column_of, row
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.panes import Middle, Panes, Switch
from inspector.ui.window.status import StatusLine
from inspector.ui.window.tabs import Tab, TabEntry, all_tabs
from inspector.ui.window.top_bar import TopBar
from inspector.ui.window.welcome import Welcome

if TYPE_CHECKING:  # what the first picture does not need is imported after it
    from inspector.report.report import PerformanceReport
    from inspector.ui.graph.view_link import ViewLink
    from inspector.ui.tabs.diff.view import DiffView
    from inspector.ui.tabs.trace.tab import TraceTab
    from inspector.ui.widgets.notice import Notice
    from inspector.ui.window.commands.menus import Menus
    from inspector.ui.window.dialogs.showing import Dialogs
    from inspector.ui.window.document_parts import DocumentParts
    from inspector.ui.window.document_view import DocumentView
    from inspector.ui.window.inspector_pane import InspectorPane
    from inspector.ui.window.messages import WindowMessages
    from inspector.ui.window.session import Session
    from inspector.ui.window.sidebar import Sidebar


Shown = Document | TraceDocument | DiffDocument
# A screen of 1080 lines at 200 % leaves so much below title bar and task bar.
_LEAST_SIZE = QSize(900, 460)
_STOP_SECONDS = 5.0  # for engines to end and reports to be written; mostly half a second
_STOP_INTERVAL_MS = 50
_LAYOUT_EVENTS = {QEvent.Type.UpdateRequest, QEvent.Type.LayoutRequest}


class MainWindow(QMainWindow):
    """Shows the open documents, one at a time, and passes on what the user asks for."""

    first_painted = Signal()  # nobody waits for the rest

    def __init__(self, theme: Theme, workspace: Workspace) -> None:
        super().__init__()
        self.theme, self.workspace = theme, workspace
        self._views: dict[Document, DocumentView] = {}
        self._traces: dict[TraceDocument, TraceTab] = {}
        self._diffs: dict[DiffDocument, DiffView] = {}
        self._watched: list[Document] = []
        self._closed: list[tuple[int, int]] = []  # models and reports, in this turn of events
        self._folders: list[Path] = []
        self._before: dict[Document, Shown | None] = {}  # in front before a model was read
        self._tabs_to_show: dict[Document, TabEntry] = {}  # of documents without a view yet
        self._complete = False
        self._closing = QTimer(self, interval=_STOP_INTERVAL_MS)
        self._closing.timeout.connect(self._close_when_stopped)
        self._ends_by, self._closes_anyway = 0.0, False
        self.with_preview = False  # whether exported reports have the image of Preview
        self.top_bar = TopBar(theme, workspace)
        self._middle = Middle()
        self.status = StatusLine(theme)
        self.welcome = Welcome(theme, workspace)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.welcome)
        self._comparison: QWidget | None = None
        self.setAcceptDrops(True)
        self.setMinimumSize(_LEAST_SIZE)
        middle = self._middle
        column_of((self._stack, 1), on=middle, spacing=0)
        across = row((middle, 1), spacing=0)
        self._across = across
        whole = QWidget()
        column_of(self.top_bar, (across, 1), self.status, on=whole, spacing=0)
        self.setCentralWidget(whole)
        self.setWindowTitle(tr("Inspector"))
        bar, settings = self.top_bar, workspace.settings
        self.panes = Panes(
            self._across,
            self._middle,
            Switch(bar.sidebar_button, settings.value("sidebar", True, type=bool) is True),
            Switch(bar.inspector_button, settings.value("inspector", True, type=bool) is True),
        )
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
    def diff(self) -> "DiffView | None":
        """The comparison of models in front; None where there is something else."""
        current = self._stack.currentWidget()
        return next((view for view in self._diffs.values() if view is current), None)

    @cached_property
    def messages(self) -> "WindowMessages":
        """What the window tells; made with the first message, or the first document."""
        # not for the first picture
        from inspector.ui.window.messages import WindowMessages

        return WindowMessages(self.theme, self, self._middle)

    @property
    def notice(self) -> "Notice":
        """The message over the page."""
        return self.messages.notice

    @cached_property
    def session(self) -> "Session":
        """What is open and was closed; made after the first picture, or with a document."""
        # the library comes after the first picture
        from inspector.ui.window.session import Session

        session = Session(self, self.workspace.sessions, self)
        session.offer_changed.connect(self._offer_session)
        return session

    @cached_property
    def dialogs(self) -> "Dialogs":
        """What is shown beside the window when it is asked for."""
        # numpy and 20 dialogs, most of which few starts need
        from inspector.ui.window.dialogs.showing import Dialogs

        return Dialogs(self)

    @cached_property
    def document_parts(self) -> "DocumentParts":
        """The panes beside documents, and what makes their views; made with the first."""
        # numpy comes with the first document
        from inspector.ui.window.document_parts import DocumentParts

        parts = DocumentParts(self.theme, self.workspace)
        parts.sidebar.chosen.connect(self._show_entry)
        parts.sidebar.close_asked.connect(self._close_entry)
        parts.problems.changed.connect(self.status.show_problems)
        parts.jobs.changed.connect(self._tell_jobs)
        self._stack.currentChanged.connect(lambda _: self._tell_jobs())
        self.status.model_chosen.connect(self.show_document)
        parts.inspector.hide()  # until it is known where there is room for it
        self._across.insertWidget(0, parts.sidebar)
        return parts

    @property
    def sidebar(self) -> "Sidebar":
        """The list at the left."""
        return self.document_parts.sidebar

    @property
    def inspector(self) -> "InspectorPane":
        """The pane at the right."""
        return self.document_parts.inspector

    def show_document(
        self, document: Document, report: "PerformanceReport | None" = None
    ) -> None:
        """Bring a document to the front, and one of its reports if named."""
        view = self._views.get(document)
        if view is None:
            view = self._views[document] = self.document_parts.view(document)
            view.set_devices(self.workspace.devices)
            view.tab_changed.connect(partial(self._tab_changed, document))
            view.current = self._tabs_to_show.pop(document, view.current)
            self._stack.addWidget(view)
        self._stack.setCurrentWidget(view)
        for part in (self.top_bar, self.inspector, self.status):
            part.show_document(document)
        self.notice.follow(document)
        if document.path is None:
            report = report or document.report
        if report is not None:
            document.choose_report(report)
        view.show_tab(Tab.PERFORMANCE if report is not None else view.current)
        self._mark_shown()
        self._place_panes()
        self._show_title(document)
        self.session.write_soon()

    def _show_title(self, document: Document) -> None:
        """Name the document in the window's title, if it is in front."""
        if self.front() is document:
            self.setWindowTitle(tr("{name} — Inspector").format(name=document.name))

    def show_trace(self, trace: TraceDocument) -> None:
        """Bring a trace to the front."""
        tab = self._traces.get(trace)
        if tab is None:
            # the timeline: few open a trace
            from inspector.ui.tabs.trace.tab import TraceTab

            tab = self._traces[trace] = TraceTab(self.theme, trace)
            tab.failed.connect(lambda error: self.notice.show_error(error, trace))
            self._stack.addWidget(tab)
            if trace.models and tab.profiled:  # of a program that was recorded just now
                QTimer.singleShot(0, tab, lambda: self.run_command("trace/graph"))
        self._stack.setCurrentWidget(tab)
        self.status.show_document(None)
        self.inspector.show_trace(trace)
        self.top_bar.show_trace(trace)
        self.sidebar.show_choice(trace, None)
        self.notice.follow(trace)
        self._place_panes()
        self.setWindowTitle(tr("{name} — Inspector").format(name=trace.name))
        self.session.write_soon()

    def show_diff(self, diff: DiffDocument) -> None:
        """Bring a comparison of models to the front."""
        view = self._diffs.get(diff)
        if view is None:
            # 43 modules: few compare models
            from inspector.ui.tabs.diff.view import DiffView

            opened, start_engine = lambda: self.workspace.documents, self.workspace.start_engine
            view = DiffView(self.theme, diff, self.open_models, opened, start_engine)
            self._diffs[diff] = view
            view.task_changed.connect(self.status.show_task)
            diff.changed.connect(partial(self._follow_diff, diff))
            self._stack.addWidget(view)
        self._stack.setCurrentWidget(view)
        self.status.show_document(None)
        self.status.show_task(view.task)
        self.inspector.show_document(None)
        self.top_bar.show_diff(diff)
        self.sidebar.show_choice(diff, None)
        self.notice.follow(diff)
        self._place_panes()
        self.setWindowTitle(tr("{name} — Inspector").format(name=diff.name))
        self.session.write_soon()

    def open_models(self) -> list[ComparedModel]:
        """Return the open models, each of which can be compared."""
        workspace = self.workspace
        paths = [d.path for d in workspace.documents if d.model is not None]
        return [workspace.compared_model(path) for path in paths if path is not None]

    def _follow_diff(self, diff: DiffDocument) -> None:
        """Show the names of other models that are compared."""
        if self.diff is not None and self.diff.document is diff:
            self.show_diff(diff)

    def begin_session(self, with_files: bool) -> None:
        """Go on where the last window ended, unless files were named; see `Session.start`."""
        self.session.start(with_files)
        self.session.check_library()

    def _offer_session(self, held: str) -> None:
        self.welcome.offer_session(held)
        if held or "document_parts" in vars(self):
            self.sidebar.offer_session(held)

    def front(self) -> Shown | None:
        """Return what is shown; None on the welcome page."""
        for view in (self.view, self.trace, self.diff):
            if view is not None:
                return view.document
        return None

    def bring_to_front(self, shown: Shown, report: "PerformanceReport | None" = None) -> None:
        """Show a document with one of its reports, a trace, or a comparison of models."""
        if isinstance(shown, TraceDocument):
            self.show_trace(shown)
        elif isinstance(shown, DiffDocument):
            self.show_diff(shown)
        elif shown in self.workspace.documents:
            self.show_document(shown, report)

    def tab_of(self, document: Document) -> str:
        """Return the id of the tab that is shown, also of a document without a view yet."""
        view = self._views.get(document)
        waiting = self._tabs_to_show.get(document, Tab.OVERVIEW)
        return (view.current if view is not None else waiting).id

    def show_tab_of(self, document: Document, tab: str) -> None:
        """Show a tab by its id now, or when the document is brought to the front."""
        requested = next((each for each in all_tabs() if each.id == tab), Tab.OVERVIEW)
        view = self._views.get(document)
        if view is not None:
            view.show_tab(requested)
        else:
            self._tabs_to_show[document] = requested

    def choose_tab(self, tab: TabEntry) -> None:
        """Bring a tab of the document in front to the front."""
        if self.view is not None:
            with first():
                self.view.show_tab(tab)

    def open_named(self, names: Sequence[str], link: "ViewLink | None" = None) -> None:
        """Open what a start was given. link: the view to show of the first."""
        if link is not None:
            self.workspace.opened.connect(
                lambda document: link.show(document, self),
                Qt.ConnectionType.SingleShotConnection,
            )
        self.workspace.open(*map(named, names))

    def open_folder(self, folder: Path) -> None:
        """List the models of a folder."""
        self._folders.append(folder)
        self.dialogs.show_folder(folder).finished.connect(lambda _: self._forget_folder(folder))
        self.session.write_soon()

    def _forget_folder(self, folder: Path) -> None:
        self._folders.remove(folder)
        self.session.write_soon()

    def listed_folders(self) -> tuple[Path, ...]:
        """Return the folders whose models are listed."""
        return tuple(self._folders)

    def show_reports(self, reports: "Sequence[PerformanceReport]") -> None:
        """Show reports side by side, until the view is closed."""
        view = self._comparison = self.dialogs.show_comparison(reports)
        view.destroyed.connect(self._forget_comparison)
        self.session.write_soon()

    @cached_property
    def menus(self) -> "Menus":
        """The commands of this window; made after the first picture."""
        # the registry of exports, and what commands compare
        from inspector.ui.window.commands.menus import Menus

        return Menus(self)

    def run_command(self, id_: str, *arguments: object) -> None:
        """Run a command, or say why it is not possible now."""
        self.menus.run(id_, *arguments)

    def opened_tab(self, tab: TabEntry) -> QWidget | None:
        """Bring a tab to the front and return it; None where it says why it shows nothing."""
        self.choose_tab(tab)
        return self.view.useful_tab(tab) if self.view is not None else None

    def pages(self) -> QWidget:
        """Return what holds the page in front, and all others."""
        return self._stack

    def is_comparing(self) -> bool:
        """Return whether reports are shown side by side."""
        return self._comparison is not None

    def shows_report(self) -> bool:
        """Return whether a report is in front, and not only its model."""
        view = self.view
        shown = view.document.report if view is not None else None
        return view is not None and view.current is Tab.PERFORMANCE and shown is not None

    def close_report(self, document: Document, report: "PerformanceReport | None") -> None:
        """Close one report; its model and the other reports stay."""
        if report is not None:
            self.session.closing_report(document, report)
            self.workspace.close_report(document, report)
            what = tr("Closed the report of {name}").format(name=report.model.name)
            self._notify_closed(what, models=0, reports=1)

    def close_document(self, document: Shown | None = None) -> None:
        """Close a model with its reports, or something else; by default what is in front."""
        document = document or self.front()
        if document is None:
            return
        if (
            isinstance(document, Document)
            and document.unsaved_edits
            and not self.messages.may_drop_edits(self, [document], quits=False)
        ):
            return
        self.session.closing(document)
        if isinstance(document, TraceDocument):
            self.workspace.close_trace(document)
            return
        if isinstance(document, DiffDocument):
            self.workspace.close_diff(document)
            return
        count = len(document.reports)
        self.workspace.close(document)
        several = tr("its report")
        if count > 1:
            several = tr("its {report_count}").format(report_count=plural(count, "report"))
        what = tr("Closed {name} and {several}").format(name=document.name, several=several)
        self._notify_closed(what, models=1, reports=count)

    def event(self, event: QEvent) -> bool:
        """Let no thread keep the painting of the window waiting."""
        if event.type() in _LAYOUT_EVENTS:
            with first():
                return super().event(event)
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show beside the page what there is room for."""
        super().resizeEvent(event)
        self._place_panes()

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
        """Remember how the window was and what was open, and end the engines."""
        if not self._has_stopped() or not self._may_close():
            event.ignore()
            return
        self.session.end()
        settings = self.workspace.settings
        settings.setValue("geometry", self.saveGeometry())
        settings.setValue("place", self.normalGeometry())
        # Only what was changed here: another window may have changed the rest since.
        for key, value in self._choices().items():
            if value != self._choices_at_start[key]:
                settings.setValue(key, value)
        self.workspace.end()
        super().closeEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Follow a drag, also one that is refused: else Qt would not tell when it leaves."""
        self.dragMoveEvent(event)
        event.accept()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Say what a drop would do here."""
        drops = self.messages.drops
        event.setDropAction(Qt.DropAction.CopyAction)
        event.setAccepted(drops.follow(event.mimeData(), self._on_page(event)))

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Say nothing any more."""
        self.messages.drops.leave()

    def dropEvent(self, event: QDropEvent) -> None:
        """Do what was said."""
        event.setDropAction(Qt.DropAction.CopyAction)
        self.messages.drops.take(event.mimeData(), self._on_page(event))
        event.accept()

    def _on_page(self, event: QDropEvent) -> QPoint:
        return self._middle.mapFrom(self, event.position().toPoint())

    def _finish(self) -> None:
        self.first_painted.emit()
        self.top_bar.take_menus(self.menus)
        self.workspace.find_devices()

    def changeEvent(self, event: QEvent) -> None:
        """Check the files when the user returns from another program."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.workspace.check_disk()

    def _wire(self) -> None:
        workspace = self.workspace
        self.panes.models.changed.connect(self._place_panes)
        self.panes.details.changed.connect(self._place_panes)
        workspace.opened.connect(self._show_opened)
        workspace.closed.connect(self._forget)
        workspace.replaced.connect(self._replace)
        workspace.adopted.connect(self._follow_adopted)
        workspace.trace_opened.connect(self._show_opened)
        workspace.trace_closed.connect(self._forget_trace)
        workspace.diff_opened.connect(self._show_opened)
        workspace.diff_closed.connect(self._forget_diff)
        workspace.failed.connect(self._notify_failure)
        workspace.folder_named.connect(self.open_folder)
        workspace.address_named.connect(lambda address: self.dialogs.ask_for_address(address))
        workspace.opening_ended.connect(self._end_opening)
        workspace.reload_failed.connect(self._notify_not_reloaded)
        workspace.not_kept.connect(self._notify_not_saved)
        workspace.devices_changed.connect(self._share_devices)
        workspace.reading_changed.connect(self._show_reading)
        workspace.step_told.connect(self.status.show_reading)

    def _restore(self) -> None:
        settings = self.workspace.settings
        resize_on_screen(self, 1440, 900)
        geometry = settings.value("geometry")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
            place = settings.value("place")
            # Qt supposes a higher title bar than many have: the window would wander down.
            if (
                isinstance(place, QRect)
                and not (self.isMaximized() or self.isFullScreen())
                and self.screen().availableGeometry().contains(place)
            ):
                self.setGeometry(place)
        self._choices_at_start = self._choices()
        self._place_panes()

    def _choices(self) -> dict[str, bool | str]:
        """Return the settings that are written when the window closes, by their keys."""
        return {
            "sidebar": self.panes.models.wished,
            "inspector": self.panes.details.wished,
            "theme": self.theme.choice,
        }

    def _place_panes(self) -> None:
        """Show the panes that are switched on, once there is something to show in them."""
        bar, view = self.top_bar, self.view
        diff = self.diff
        something = self.front() is not None
        current = view.current if view is not None else None
        self.panes.place(
            self.width(),
            (self._stack.currentWidget(), current) if something else None,
            diff is not None or (current is not None and current.own_detail),
            (lambda: self.sidebar, lambda: self.inspector)
            if something or "document_parts" in vars(self)
            else None,
        )
        bar.fit(self.width())
        bar.sidebar_button.setVisible(something)
        bar.inspector_button.setVisible(something and diff is None)

    def _show_entry(self, document: Shown, report: "PerformanceReport | None") -> None:
        if not isinstance(document, Document):
            self.bring_to_front(document)
            return
        self.show_document(document, report)
        if report is None and self.shows_report() and self.view is not None:
            self.view.show_tab(self.view.model_tab)  # the entry of the model, not of a report

    def _mark_shown(self) -> None:
        """Mark in the list what is in front, which is what Ctrl+W closes."""
        document = self.document
        if document is not None:
            report = document.report if self.shows_report() else None
            self.sidebar.show_choice(document, report)

    def tell_news(self, text: str) -> None:
        """Show for a while in the status bar what was done."""
        self.status.show_news(text)

    def _tell_jobs(self) -> None:
        """Show in the status bar what goes on for models that are not in front."""
        jobs = self.document_parts.jobs
        others = [each for each in jobs.texts if each is not self.document]
        self.status.show_jobs(jobs.others(self.document), others[0] if others else None)

    def _tab_changed(self, document: Document, index: int) -> None:
        """Follow the tab of the document in front; another one's is shown once it is there."""
        if document is not self.document:
            return
        self.notice.move_on()
        self.top_bar.tabs.choose(index)
        self.follow_detail()
        self._mark_shown()
        self._place_panes()
        self.session.write_soon()

    def follow_detail(self) -> None:
        """Let the details pane show what the tab in front has chosen, if it says so itself."""
        view = self.view
        tab = view.useful_tab(view.current) if view is not None else None
        self.inspector.follow_tab(tab)
        changes = view is not None and view.current.changes_model  # the tab has a first button
        self.top_bar.fill_measure(not self.inspector.has_own_page and not changes)

    def _show_opened(self, shown: Shown) -> None:
        if isinstance(shown, Document):
            self._watch(shown)
        self.notice.forget_failure()
        if not self.session.is_restoring(shown):
            if isinstance(shown, Document):
                self.workspace.fill_sample(shown)
                if shown.work is None and shown.model is None:
                    self._before[shown] = self.front()
                    shown.changed(Topic.MODEL).connect(partial(self._before.pop, shown, None))
            self.bring_to_front(shown)

    def _watch(self, document: Document) -> None:
        """Follow what happens to the files of a document, once."""
        if document not in self._watched:
            self._watched.append(document)
            document.changed(Topic.DISK).connect(partial(self._notify_disk, document))
            document.changed(Topic.MODEL).connect(partial(self._show_title, document))
            document.report_removed.connect(self.session.write_soon)
            document.watch(self.session.write_soon, Topic.REPORT, Topic.SPEC, Topic.CHAT)
            document.chat_failed.connect(self._notify_failure)

    def _end_opening(self, opening: Opening) -> None:
        """Report the files that could not be opened, and show the last one that could."""
        if self.session.finish(opening) or opening.count < 2:
            return
        if opening.shown:
            self.bring_to_front(*opening.shown[max(opening.shown)])
        if opening.failures:
            self.notice.show_errors(opening.failures, opening.count)

    def _replace(self, earlier: Document, fresh: Document) -> None:
        """Show a model that was read again where its earlier content was."""
        in_front, tab = self.document is earlier, self.tab_of(earlier)
        self.notice.forget(earlier)
        self.show_tab_of(fresh, tab)
        self._watch(fresh)
        self._delete_view(self._views.pop(earlier, None), earlier)
        if earlier in self._watched:
            self._watched.remove(earlier)
        if "document_parts" in vars(self):
            self.sidebar.replace(earlier, fresh)
        if in_front:
            self.show_document(fresh)
            self.show_tab_of(fresh, tab)

    def _follow_adopted(self, alone: Document, home: Document) -> None:
        """Show a report with its model, where it was shown without."""
        if self.document is alone:
            self.show_document(home, home.report)
        elif self.document is home and self.view is not None:
            self.sidebar.refresh()

    def _notify_disk(self, document: Document) -> None:
        """Report that the file of an open model changed or disappeared."""
        self.messages.tell_disk(document, partial(self.workspace.reload, document))

    def _notify_failure(self, error: InspectorError) -> None:
        self.notice.show_error(error)

    def _notify_not_reloaded(self, document: Document, error: InspectorError) -> None:
        again = partial(self.workspace.reload, document)
        self.messages.tell_not_reloaded(document, error, again)

    def _notify_not_saved(self, document: Document, error: InspectorError) -> None:
        self.messages.tell_not_saved(document, error, partial(self.run_command, "export/json"))

    def _notify_closed(self, what: str, models: int, reports: int) -> None:
        """Report reports that were closed; what is closed at once is one message."""
        if not self._closed:
            QTimer.singleShot(0, self, self._closed.clear)
        self._closed.append((models, reports))
        models, reports = map(sum, zip(*self._closed, strict=True))
        if not reports:
            return
        several = len(self._closed) > 1
        if several:
            counts = ((models, "model"), (reports, "report"))
            items = tr(" and ").join(plural(count, noun) for count, noun in counts if count)
            what = tr("Closed {items}").format(items=items)
        undo = self.menus.undo_of("close")
        again = partial(self.run_command, undo.id)
        self.messages.tell_closed(what, undo.keys_text, again, several)

    def _has_stopped(self) -> bool:
        """Return whether nothing is under way that the user would miss; else ask, stop it, and
        close the window when its results are kept."""
        jobs = self.workspace.unfinished()
        if not jobs or self._closes_anyway:
            return True
        if not self._closing.isActive() and self.messages.may_stop(self, jobs):
            self.workspace.stop_unfinished()
            self._ends_by = monotonic() + _STOP_SECONDS
            self._closing.start()
        return False

    def _close_when_stopped(self) -> None:
        late = monotonic() > self._ends_by
        if late or not self.workspace.unfinished():
            self._closing.stop()
            self._closes_anyway = late
            self.close()

    def _may_close(self) -> bool:
        """Return whether nothing is lost by closing the window, or the user wants it so."""
        lost = self.session.unkept()
        edited = [each for each in self.workspace.documents if each.unsaved_edits]
        if edited and not self.messages.may_drop_edits(self, edited, quits=True):
            return False
        return not lost or self.messages.may_quit(self, len(lost))

    def _forget_comparison(self) -> None:
        self._comparison = None
        self.session.write_soon()

    def _close_entry(self, document: Shown, report: "PerformanceReport | None") -> None:
        if report is not None and isinstance(document, Document):
            self.close_report(document, report)
        else:
            self.close_document(document)

    def _show_reading(self) -> None:
        reading = self.workspace.reading
        self.status.show_reading(reading[-1].name if reading else "")

    def _share_devices(self) -> None:
        for view in self._views.values():
            view.set_devices(self.workspace.devices)

    def _forget(self, document: Document) -> None:
        self.notice.forget(document)
        self._tabs_to_show.pop(document, None)
        if document in self._watched:
            self._watched.remove(document)
        before = self._before.pop(document, None)
        self._remove_view(self._views.pop(document, None), document, before)

    def _forget_trace(self, trace: TraceDocument) -> None:
        self.notice.forget(trace)
        self._remove_view(self._traces.pop(trace, None), trace.selection)

    def _forget_diff(self, diff: DiffDocument) -> None:
        self.notice.forget(diff)
        self._remove_view(self._diffs.pop(diff, None), diff)

    def _delete_view(self, view: QWidget | None, shown: QObject) -> None:
        if view is not None:
            self._stack.removeWidget(view)
            view.hide()
            shown.setParent(view)  # they go together, when the jobs of both have ended
            delete_when_idle(view)

    def _remove_view(
        self, view: QWidget | None, shown: QObject, before: Shown | None = None
    ) -> None:
        """Show something else in place of a view. before: what was there before it opened."""
        in_front = view is not None and self._stack.currentWidget() is view
        self._delete_view(view, shown)
        if not in_front:
            return
        workspace = self.workspace
        if before in (*workspace.documents, *workspace.traces, *workspace.diffs):
            assert before is not None, "nothing that is open is None"
            self.bring_to_front(before)
            return
        for others in (workspace.documents, workspace.traces, workspace.diffs):
            if others:
                self.bring_to_front(others[-1])
                return
        self._stack.setCurrentWidget(self.welcome)
        for part in (self.top_bar, self.inspector, self.status):
            part.show_document(None)
        self.notice.follow(None)
        self._place_panes()
        self.setWindowTitle(tr("Inspector"))
