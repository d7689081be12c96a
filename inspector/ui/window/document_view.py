"""The tabs of one document; each is made when it is first looked at."""

from typing import Protocol, runtime_checkable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from inspector.backends import registry
from inspector.errors import InspectorError
from inspector.formats import model_formats
from inspector.model.model import EVERY_RUNTIME
from inspector.preview.preprocessing.recipe import ImagePreprocessing
from inspector.report.report import Device
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.document import Document, Topic
from inspector.ui.tabs.overview.next_steps import remedies
from inspector.ui.translate import tr
from inspector.ui.views.machines.upload_question import allow_uploads
from inspector.ui.widgets.command_hints import in_window
from inspector.ui.widgets.parts import PADDING, add_to, column_of, label
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.tabs import Tab, TabEntry, place_of

_TEXT_PX = 560  # width of a sentence that is easy to read


@runtime_checkable
class DeviceChooser(Protocol):
    """A tab on which a device can be chosen."""

    def set_devices(self, devices: tuple[Device, ...]) -> None: ...  # noqa: D102


class NotRun(QWidget):
    """Stands in a tab that needs a run, for a model that Inspector does not run.

    remedies: buttons that install what is missing, or choose a device that runs it.
    """

    def __init__(self, why: str, hint: str, *remedies: QWidget) -> None:
        super().__init__()
        column = column_of(None)
        for text, role in ((why, "heading"), (in_window(hint), "secondary")):
            line = label(text, role)
            line.setWordWrap(True)
            line.setFixedWidth(_TEXT_PX)
            line.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(line)
        column.addSpacing(PADDING)
        for each in remedies:
            column.addWidget(each, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(2)
        across = QHBoxLayout(self)
        across.setContentsMargins(PADDING, PADDING, PADDING, PADDING)
        add_to(across, None, column, None)


class DocumentView(QWidget):
    """Shows one tab of one document."""

    tab_changed = Signal(int)

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__()
        self.document = document
        self._theme = theme
        self._devices: tuple[Device, ...] = ()
        self._tabs: dict[TabEntry, QWidget] = {}
        self._made_for: dict[TabEntry, tuple[str, bool]] = {}  # see `_engine_state`
        self._stack = QStackedWidget()
        column_of(self._stack, on=self)
        self.current = Tab.OVERVIEW if document.path is not None else Tab.PERFORMANCE
        self.model_tab = Tab.OVERVIEW  # the last one that was shown of the model itself
        document.changed(Topic.REPORT).connect(self._show_report)
        document.changed(Topic.MODEL).connect(self._note_engine)
        document.watch(self._forget_useless, Topic.MODEL, Topic.SPEC, Topic.ENGINE)
        document.changed(Topic.UPLOAD).connect(self._ask_to_upload)

    def showEvent(self, event: QShowEvent) -> None:
        """Let file dialogs begin where the model is."""
        super().showEvent(event)
        if self.document.reopen_path is not None:
            file_dialogs.start_in(self.document.reopen_path.parent)

    def show_tab(self, tab: TabEntry) -> None:
        """Bring a tab to the front; it is loaded and built now if it never was."""
        if self.document.path is None and tab.needs_model:
            tab = Tab.PERFORMANCE
        if tab is Tab.CHAT and self.document.model and not self.document.is_language_model:
            tab = Tab.PREVIEW  # as when a file was replaced by another model
        self._stack.setCurrentWidget(self.tab(tab))
        self.current = tab
        if tab is not Tab.PERFORMANCE:
            self.model_tab = tab
        self.tab_changed.emit(place_of(tab))

    def useful_tab(self, tab: TabEntry) -> QWidget | None:
        """Return the widget of a tab; None where it says why it has nothing to show."""
        widget = self.tab(tab)
        return None if isinstance(widget, NotRun) else widget

    def tab(self, tab: TabEntry) -> QWidget:
        """The widget of a tab."""
        if tab not in self._tabs:
            refusal = self._refusal(tab)
            if refusal is None:
                # Each part that gets another parent has its style worked out anew, so the tab
                # is made where it stays.
                widget = tab.make(self._theme, self.document, self._stack)
            else:
                ways = remedies(self._theme, self.document) if tab.runs_model else ()
                widget = NotRun(*refusal, *ways)
            self._tabs[tab] = widget
            self._made_for[tab] = self._engine_state
            self._stack.addWidget(widget)
            if isinstance(widget, DeviceChooser):
                widget.set_devices(self._devices)
        return self._tabs[tab]

    @property
    def image_preprocessing(self) -> dict[str, ImagePreprocessing]:
        """Return how Preview prepares images now, by input; empty while it was never shown."""
        preview = self._tabs.get(Tab.PREVIEW)
        inputs = getattr(preview, "inputs", None)  # None until a model is open
        return {} if inputs is None else dict(inputs.prepared.pictures)

    def _show_report(self) -> None:
        """Show a report that was chosen.

        The tab stays where the last report was closed, and where a measurement has ended that
        the user left for another tab.
        """
        left = self.document.measured_now and self.current is not Tab.PERFORMANCE
        if self.document.report is not None and not left:
            self.show_tab(Tab.PERFORMANCE)

    def _refusal(self, tab: TabEntry) -> tuple[str, str] | None:
        """Return why a tab has nothing to show of this model, and what helps."""
        model = self.document.model
        if tab is Tab.GRAPH and model is not None and model.details and not model.layers:
            return (
                tr("This file has no graph"),
                tr("The network is defined by the program that loads this file. "
                "Overview and Weights show "
                   "the content of the file."),
            )  # fmt: skip
        not_run = self.document.not_run
        if not_run is not None and tab.runs_model:
            finding = model.refusal(self.document.runtime.id) if model is not None else None
            repairable = finding is not None and finding.refused_by != EVERY_RUNTIME
            if not (repairable and tab.changes_model):
                known = model_formats.by_id(model.format) if model is not None else None
                if known is None or not known.runs_with:
                    return not_run
                # Overview says the rest, once for all tabs.
                return not_run[0], tr("Overview says what runs it, and what can be done here.")
        return self.document.not_changed if tab.changes_model else None

    def _note_engine(self) -> None:
        """Remember for which runtime Overview, which may be older than the model, shows it."""
        if Tab.OVERVIEW in self._made_for:
            self._made_for[Tab.OVERVIEW] = self._engine_state

    def _forget_useless(self) -> None:
        """Make tabs anew that were made before the model was known and do not suit it."""
        if self.current is Tab.CHAT and Tab.CHAT in self._tabs:
            self.show_tab(Tab.CHAT)
        runtime, runs = self._engine_state
        for tab in [*self._tabs]:
            other_runtime, ran = self._made_for[tab]
            other = tab.runs_model and other_runtime != runtime
            other = other or (
                tab is Tab.OVERVIEW and runs and not ran
            )  # it says what is missing
            useless = self._refusal(tab) is not None
            if not other and useless == isinstance(self._tabs[tab], NotRun):
                continue
            old = self._tabs.pop(tab)
            shown = self._stack.currentWidget() is old
            self._stack.removeWidget(old)
            old.deleteLater()
            if shown:
                self.show_tab(tab)

    @property
    def _engine_state(self) -> tuple[str, bool]:
        """Return the id of the model's runtime, and whether it is there."""
        return self.document.backend.id, self.document.not_run is None

    def _ask_to_upload(self) -> None:
        """Ask whether the model may be uploaded to a service that measures it."""
        upload, place = self.document.upload, self.document.place
        assert upload is not None, "it is told of where it is known"
        assert place is not None, "this machine gets no upload"
        try:
            allow_uploads(self.window(), [upload], place.machine.name)
        except InspectorError as error:
            self.document.failed.emit(error)

    def set_devices(self, devices: tuple[Device, ...]) -> None:
        """Pass on which devices can be chosen; an engine may have been installed."""
        self._devices = registry.offered(devices, self.document.path)
        self._forget_useless()
        for widget in self._tabs.values():
            if isinstance(widget, DeviceChooser):
                widget.set_devices(self._devices)
