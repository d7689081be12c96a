"""The tabs of one document; each is made when it is first looked at."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from inspector.conversion.action import Step
from inspector.errors import InspectorError
from inspector.preview.preprocessing.recipe import ImagePreprocessing
from inspector.report.report import Device
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.document import Document, Topic
from inspector.ui.tabs.overview.next_steps import install_button
from inspector.ui.translate import tr
from inspector.ui.widgets.comparison_links import ACCURACY, OUTPUTS
from inspector.ui.widgets.parts import PADDING, label
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.dialogs.engine_dialog import ask_to_install
from inspector.ui.window.tabs import TABS, Tab, TabEntry

if TYPE_CHECKING:  # asyncio comes with the first other machine
    from inspector.remote.uploads import Upload

_TEXT_PX = 560  # width of a sentence that is easy to read


@runtime_checkable
class DeviceChooser(Protocol):
    """A tab on which a device can be chosen."""

    def set_devices(self, devices: tuple[Device, ...]) -> None: ...  # noqa: D102


@runtime_checkable
class Comparing(Protocol):
    """A tab that compares the run it shows with another one."""

    def show_comparison(self, other: Path | None = None) -> None: ...  # noqa: D102


@runtime_checkable
class FileTaker(Protocol):
    """A tab that runs the model on a file."""

    def try_file(self, path: Path) -> None: ...  # noqa: D102


@runtime_checkable
class StepTaker(Protocol):
    """A tab that can offer a step of a recipe."""

    def offer_step(self, step: Step) -> None: ...  # noqa: D102


class NotRun(QWidget):
    """Stands in a tab that needs a run, for a model that Inspector does not run.

    install: a button that installs what is missing; None where nothing helps.
    """

    def __init__(self, why: str, hint: str, install: QWidget | None = None) -> None:
        super().__init__()
        column = QVBoxLayout()
        column.addStretch(1)
        for text, role in ((why, "heading"), (hint, "secondary")):
            line = label(text, role)
            line.setWordWrap(True)
            line.setFixedWidth(_TEXT_PX)
            line.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(line)
        if install is not None:
            column.addSpacing(PADDING)
            column.addWidget(install, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(2)
        across = QHBoxLayout(self)
        across.setContentsMargins(PADDING, PADDING, PADDING, PADDING)
        across.addStretch(1)
        across.addLayout(column)
        across.addStretch(1)


@runtime_checkable
class FolderShower(Protocol):
    """A tab that runs the files of a folder."""

    def show_folder(self) -> None: ...  # noqa: D102


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
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        self.current = Tab.OVERVIEW if document.path is not None else Tab.PERFORMANCE
        self.model_tab = Tab.OVERVIEW  # the last one that was shown of the model itself
        document.changed(Topic.REPORT).connect(self._show_report)
        document.tab_asked.connect(self._show_asked)
        document.step_asked.connect(self._offer_step)
        document.file_tried.connect(self._try_file)
        document.watch(self._forget_useless, Topic.MODEL, Topic.SPEC, Topic.ENGINE)
        document.engine_asked.connect(self._ask_to_install)
        document.upload_asked.connect(self._ask_to_upload)

    def showEvent(self, event: QShowEvent) -> None:
        """Let file dialogs begin where the model is."""
        super().showEvent(event)
        if self.document.reopen_path is not None:
            file_dialogs.start_in(self.document.reopen_path.parent)

    def show_tab(self, tab: TabEntry) -> None:
        """Bring a tab to the front; it is loaded and built now if it never was."""
        if self.document.path is None and tab.needs_model:
            tab = Tab.PERFORMANCE
        self._stack.setCurrentWidget(self.tab(tab))
        self.current = tab
        if tab is not Tab.PERFORMANCE:
            self.model_tab = tab
        self.tab_changed.emit(TABS.index(tab))

    def tab(self, tab: TabEntry) -> QWidget:
        """The widget of a tab."""
        if tab not in self._tabs:
            refusal = self._refusal(tab)
            if refusal is None:
                # Each part that gets another parent has its style worked out anew, so the tab
                # is made where it stays.
                widget = tab.make(self._theme, self.document, self._stack)
            else:
                install = None
                if tab.runs_model and self.document.missing_engine is not None:
                    install = install_button(self._theme, self.document)
                widget = NotRun(*refusal, install)
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

    def _show_asked(self, id_: str) -> None:
        """Show the tab that a view sends the user to."""
        self.show_tab(next(tab for tab in TABS if tab.id == id_))

    def compare(self, kind: str, other: Path | None = None) -> None:
        """Show where outputs, or the values of layers, are compared with another run.

        other: the model to compare with, if it is known.
        """
        place = Tab.PREVIEW if kind in (ACCURACY, OUTPUTS) else Tab.ACTIVATIONS
        self.show_tab(place)
        tab = self.tab(place)
        if isinstance(tab, NotRun):
            return  # it says why
        assert isinstance(tab, Comparing), "both compare"
        tab.show_comparison(other)
        if kind == ACCURACY:
            assert isinstance(tab, FolderShower), "Preview runs folders"
            tab.show_folder()

    def _try_file(self, path: Path) -> None:
        """Run a file that was chosen or dropped elsewhere, in Preview."""
        self.show_tab(Tab.PREVIEW)
        tab = self.tab(Tab.PREVIEW)
        if isinstance(tab, NotRun):
            return  # it says why
        assert isinstance(tab, FileTaker), "Preview takes files"
        tab.try_file(path)

    def _offer_step(self, step: Step) -> None:
        """Show a step in Improve that would help, with its options, before it is added."""
        self.show_tab(Tab.IMPROVE)
        tab = self.tab(Tab.IMPROVE)
        if isinstance(tab, NotRun):
            return  # it says why
        assert isinstance(tab, StepTaker), "Improve takes steps"
        tab.offer_step(step)

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
        if self.document.not_run is not None and tab.runs_model:
            return self.document.not_run
        return self.document.not_changed if tab.changes_model else None

    def _forget_useless(self) -> None:
        """Make tabs anew that were made before the model was known and do not suit it."""
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

    def _ask_to_install(self) -> None:
        """Offer to install the runtime of the model."""
        engine = self.document.missing_engine
        installed = partial(self.document.tell, Topic.ENGINE)
        if engine is not None:
            ask_to_install(self._theme, engine, installed, self.window())

    def _ask_to_upload(self, upload: "Upload", device: str) -> None:
        """Ask whether the model may be uploaded to a service that measures it."""
        # asyncio comes with the first other machine
        from inspector.ui.widgets.upload_question import allow_uploads

        try:
            allow_uploads(self.window(), [upload], device)
        except InspectorError as error:
            self.document.failed.emit(error)

    def set_devices(self, devices: tuple[Device, ...]) -> None:
        """Pass on which devices can be chosen; an engine may have been installed."""
        self._devices = devices
        self._forget_useless()
        for widget in self._tabs.values():
            if isinstance(widget, DeviceChooser):
                widget.set_devices(devices)
