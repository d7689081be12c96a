"""What stands in the window's menus, with the keys."""

from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from inspector import units
from inspector.ui.documents.document import Document
from inspector.ui.documents.workspace import Workspace
from inspector.ui.kit.theme import Theme
from inspector.ui.window.menus import Command
from inspector.ui.window.session import Session
from inspector.ui.window.sidebar import when
from inspector.ui.window.tabs import NEED_MODEL, Tab
from inspector.ui.window.top_bar import FORMATS, PICTURES, SWEEPS, TopBar

Standard = QKeySequence.StandardKey
LINE = Command()


class Window(Protocol):
    """What the commands need of the window."""

    theme: Theme
    workspace: Workspace
    top_bar: TopBar
    session: Session

    @property
    def document(self) -> Document | None: ...  # noqa: D102
    @property
    def trace(self) -> QWidget | None: ...  # noqa: D102
    def ask_for_files(self) -> None: ...  # noqa: D102
    def ask_to_record(self) -> None: ...  # noqa: D102
    def open_pasted(self) -> None: ...  # noqa: D102
    def ask_to_export(self, form: str) -> None: ...  # noqa: D102
    def compare_reports(self) -> None: ...  # noqa: D102
    def go_to_search(self) -> None: ...  # noqa: D102
    def choose_tab(self, tab: int) -> None: ...  # noqa: D102
    def measure(self) -> None: ...  # noqa: D102
    def show_keys(self) -> None: ...  # noqa: D102
    def close_current(self) -> None: ...  # noqa: D102
    def shows_report(self) -> bool: ...  # noqa: D102
    def reload(self) -> None: ...  # noqa: D102
    def close(self) -> bool: ...  # noqa: D102


def commands(window: Window) -> tuple[Command, ...]:
    """The menus."""
    return (
        Command("&File", within=_file(window)),
        Command("&View", within=_view(window)),
        Command("&Model", within=_model(window)),
        Command("&Help", within=(Command("Keys and version", window.show_keys, ("F1",)),)),
    )


def _file(window: Window) -> tuple[Command, ...]:
    exports = tuple(
        Command(
            words,
            partial(window.ask_to_export, form),
            (Standard.Save,) if form == "json" else (),
        )
        for words, form in FORMATS
    )
    pictures = tuple(
        Command(words, partial(window.ask_to_export, f"picture/{plot}"))
        for words, plot in PICTURES
    )
    sweeps = tuple(
        Command(words, partial(window.ask_to_export, form)) for words, form in SWEEPS
    )
    return (
        Command("Open…", window.ask_for_files, (Standard.Open,)),
        Command("Open recent", fill=partial(_fill_recent, window.workspace)),
        Command("Open from library", fill=partial(_fill_library, window.session)),
        Command("Open pasted path", window.open_pasted, ("Ctrl+Shift+V",)),
        Command("Record a program…", window.ask_to_record, ("Ctrl+Shift+R",)),
        LINE,
        Command("Export report", within=exports, possible=partial(_has_report, window)),
        Command("Save picture", within=pictures, possible=partial(_has_report, window)),
        Command("Export sweep", within=sweeps),
        Command("Compare reports", window.compare_reports, possible=partial(_has_two, window)),
        LINE,
        Command("Reload", window.reload, ("F5",), possible=partial(_has_any, window)),
        Command(
            "Close",
            window.close_current,
            ("Ctrl+W", "Ctrl+F4"),  # the system's own key is one of them, and not the same
            possible=partial(_has_any, window),
        ),
        Command(
            "Reopen closed",
            window.session.reopen_closed,
            ("Ctrl+Shift+T",),
            possible=window.session.can_reopen,
        ),
        LINE,
        Command(
            "Restore earlier session",
            window.session.restore_earlier,
            possible=window.session.can_restore,
        ),
        Command(
            "Restore session at start",
            partial(_switch_restoring, window.session),
            ticked=partial(_restores, window.session),
        ),
        LINE,
        Command("Quit", window.close, ("Ctrl+Q",)),
    )


def _view(window: Window) -> tuple[Command, ...]:
    bar, theme = window.top_bar, window.theme
    tabs = (
        Command(
            tab.words,
            partial(window.choose_tab, tab),
            (f"Ctrl+{tab + 1}",),
            possible=partial(_has_tab, window, tab),
            ticked=partial(_shows_tab, window, tab),
        )
        for tab in Tab
    )
    themes = (("Light", "light"), ("Dark", "dark"), ("As the system", "system"))
    return (
        *tabs,
        LINE,
        Command("Find", window.go_to_search, (Standard.Find,)),
        LINE,
        Command(
            "List of models",
            bar.sidebar_button.toggle,
            ("Ctrl+Alt+S",),
            ticked=bar.sidebar_button.isChecked,
        ),
        Command(
            "Inspector",
            bar.inspector_button.toggle,
            ("Ctrl+Alt+I",),
            ticked=bar.inspector_button.isChecked,
        ),
        LINE,
        *(
            Command(words, partial(theme.choose, choice), ticked=partial(_wears, theme, choice))
            for words, choice in themes
        ),
    )


def _model(window: Window) -> tuple[Command, ...]:
    return (
        Command("Measure", window.measure, ("Ctrl+R",), possible=partial(_is_idle, window)),
        Command(
            "Cancel", partial(_cancel, window), ("Ctrl+.",), possible=partial(_is_busy, window)
        ),
        LINE,
        Command("Previous selection", partial(_step, window, back=True), ("Alt+Left",)),
        Command("Next selection", partial(_step, window, back=False), ("Alt+Right",)),
    )


def _has_any(window: Window) -> bool:
    return window.document is not None or window.trace is not None


def _has_report(window: Window) -> bool:
    return window.document is not None and window.document.report is not None


def _has_two(window: Window) -> bool:
    return sum(len(document.reports) for document in window.workspace.documents) > 1


def _has_tab(window: Window, tab: Tab) -> bool:
    document = window.document
    return document is not None and (document.path is not None or tab not in NEED_MODEL)


def _shows_tab(window: Window, tab: Tab) -> bool:
    return window.document is not None and window.top_bar.tabs.current == tab


def _wears(theme: Theme, choice: str) -> bool:
    return theme.choice == choice


def _is_idle(window: Window) -> bool:
    document = window.document
    return document is not None and document.model is not None and document.work is None


def _is_busy(window: Window) -> bool:
    return window.document is not None and window.document.work is not None


def _fill_recent(workspace: Workspace, menu: QMenu) -> None:
    menu.clear()
    for path in workspace.recent:
        words = units.clip(path.name, 60).replace("&", "&&")
        menu.addAction(words, partial(_open, workspace, path))
    if menu.isEmpty():
        menu.addAction("Nothing opened yet").setEnabled(False)


def _fill_library(session: Session, menu: QMenu) -> None:
    """List the newest reports of the library that are not open."""
    menu.clear()
    for entry in session.kept():
        parts = (
            units.clip(entry.model, 48),
            when(entry.created),
            units.duration(entry.median_ns),
            "not exported" if entry.unsaved else "",
        )
        title = " · ".join(filter(None, parts)).replace("&", "&&")
        menu.addAction(title, partial(session.open_kept, entry))
    if menu.isEmpty():
        menu.addAction("No other reports").setEnabled(False)


def _switch_restoring(session: Session) -> None:
    session.set_restores(not session.restores)


def _restores(session: Session) -> bool:
    return session.restores


def _open(workspace: Workspace, path: Path) -> None:
    workspace.open(path)


def _cancel(window: Window) -> None:
    if window.document is not None:
        window.document.cancel()


def _step(window: Window, back: bool) -> None:
    if window.document is not None:
        selection = window.document.selection
        selection.back() if back else selection.forward()
