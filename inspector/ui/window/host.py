"""The parts of the window that its commands use, and the dialogs that they show."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtWidgets import QWidget

from inspector.ui.documents.diff_document import ComparedModel, DiffDocument
from inspector.ui.documents.document import Document
from inspector.ui.documents.trace_document import TraceDocument
from inspector.ui.documents.workspace import Workspace
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.messages import WindowMessages
from inspector.ui.window.panes import Panes
from inspector.ui.window.session import Session
from inspector.ui.window.tabs import TabEntry

if TYPE_CHECKING:  # numpy, and views that come with what they show
    from inspector.report.report import PerformanceReport
    from inspector.ui.tabs.diff.view import DiffView
    from inspector.ui.tabs.trace.tab import TraceTab
    from inspector.ui.window.document_view import DocumentView

Shown = Document | TraceDocument | DiffDocument


class Dialogs(Protocol):
    """The dialogs that commands show."""

    def choose_files(self) -> tuple[Path, ...]: ...  # noqa: D102
    def choose_folder(self) -> Path | None: ...  # noqa: D102
    def ask_for_address(self, address: str = "") -> None: ...  # noqa: D102
    def record(self) -> None: ...  # noqa: D102
    def export(self, form: str) -> None: ...  # noqa: D102
    def export_graph(self) -> None: ...  # noqa: D102
    def save_conversation(self) -> None: ...  # noqa: D102
    def open_conversation(self) -> None: ...  # noqa: D102
    def show_history(self) -> None: ...  # noqa: D102
    def show_problems(self) -> None: ...  # noqa: D102
    def ask(self, question: str) -> None: ...  # noqa: D102
    def show_machine_matrix(self) -> None: ...  # noqa: D102
    def show_other_machines(self, changed: Callable[[], object]) -> None: ...  # noqa: D102
    def compare_models(self) -> None: ...  # noqa: D102
    def check_support(self) -> None: ...  # noqa: D102
    def install_engine(self) -> None: ...  # noqa: D102
    def repair(self) -> None: ...  # noqa: D102
    def show_code(self) -> None: ...  # noqa: D102
    def show_guide(self, page: str) -> None: ...  # noqa: D102
    def show_page(self, page: str) -> None: ...  # noqa: D102
    def show_palette(self) -> None: ...  # noqa: D102
    def show_glossary(self, term: str = "") -> None: ...  # noqa: D102
    def show_shortcuts(self) -> None: ...  # noqa: D102
    def show_about(self) -> None: ...  # noqa: D102
    def show_preferences(self, name: str = "") -> None: ...  # noqa: D102


class Window(Protocol):
    """The main window, as its commands and dialogs see it."""

    theme: Theme
    workspace: Workspace
    panes: Panes
    with_preview: bool

    @property
    def dialogs(self) -> Dialogs: ...  # noqa: D102
    @property
    def session(self) -> Session: ...  # noqa: D102
    @property
    def messages(self) -> WindowMessages: ...  # noqa: D102
    @property
    def document(self) -> Document | None: ...  # noqa: D102
    @property
    def view(self) -> "DocumentView | None": ...  # noqa: D102
    @property
    def trace(self) -> "TraceTab | None": ...  # noqa: D102
    @property
    def diff(self) -> "DiffView | None": ...  # noqa: D102
    def run_command(self, id_: str, *arguments: object) -> None: ...  # noqa: D102
    def front(self) -> Shown | None: ...  # noqa: D102
    def pages(self) -> QWidget: ...  # noqa: D102
    def show_document(self, document: Document) -> None: ...  # noqa: D102
    def bring_to_front(self, shown: Shown) -> None: ...  # noqa: D102
    def show_reports(self, reports: "Sequence[PerformanceReport]") -> None: ...  # noqa: D102
    def choose_tab(self, tab: TabEntry) -> None: ...  # noqa: D102
    def open_models(self) -> list[ComparedModel]: ...  # noqa: D102
    def opened_tab(self, tab: TabEntry) -> QWidget | None: ...  # noqa: D102
    def shows_report(self) -> bool: ...  # noqa: D102
    def follow_detail(self) -> None: ...  # noqa: D102
    def close_report(  # noqa: D102
        self, document: Document, report: "PerformanceReport | None"
    ) -> None: ...
    def close_document(self, document: Shown | None = None) -> None: ...  # noqa: D102
    def close(self) -> bool: ...  # noqa: D102
