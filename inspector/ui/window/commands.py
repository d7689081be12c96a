"""What stands in the window's menus, with the keys."""

from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from inspector import units
from inspector.ui.documents.document import Document
from inspector.ui.documents.workspace import Workspace
from inspector.ui.kit.theme import Theme
from inspector.ui.window.menus import Command
from inspector.ui.window.tabs import Tab
from inspector.ui.window.top_bar import FORMATS, PICTURES, SWEEPS, TopBar

Standard = QKeySequence.StandardKey
LINE = Command()


class Window(Protocol):
    """What the commands need of the window."""

    theme: Theme
    workspace: Workspace
    top_bar: TopBar

    @property
    def document(self) -> Document | None: ...  # noqa: D102
    def ask_for_files(self) -> None: ...  # noqa: D102
    def ask_to_record(self) -> None: ...  # noqa: D102
    def open_pasted(self) -> None: ...  # noqa: D102
    def ask_to_export(self, form: str) -> None: ...  # noqa: D102
    def compare_reports(self) -> None: ...  # noqa: D102
    def go_to_search(self) -> None: ...  # noqa: D102
    def choose_tab(self, tab: int) -> None: ...  # noqa: D102
    def measure(self) -> None: ...  # noqa: D102
    def close_document(self) -> None: ...  # noqa: D102
    def close(self) -> bool: ...  # noqa: D102


def commands(window: Window) -> tuple[Command, ...]:
    """The three menus."""
    return (
        Command("&File", within=_file(window)),
        Command("&View", within=_view(window)),
        Command("&Model", within=_model(window)),
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
        Command("Open pasted path", window.open_pasted, ("Ctrl+Shift+V",)),
        Command("Record a program…", window.ask_to_record, ("Ctrl+Shift+R",)),
        LINE,
        Command("Export report", within=exports),
        Command("Save picture", within=pictures),
        Command("Export sweep", within=sweeps),
        Command("Compare reports", window.compare_reports),
        LINE,
        Command("Close", window.close_document, (Standard.Close,)),
        Command("Quit", window.close, ("Ctrl+Q",)),
    )


def _view(window: Window) -> tuple[Command, ...]:
    bar, theme = window.top_bar, window.theme
    tabs = (
        Command(tab.words, partial(window.choose_tab, tab), (f"Ctrl+{tab + 1}",)) for tab in Tab
    )
    themes = (("Light", "light"), ("Dark", "dark"), ("As the system", "system"))
    return (
        *tabs,
        LINE,
        Command("Find", window.go_to_search, (Standard.Find,)),
        LINE,
        Command("List of models", bar.sidebar_button.toggle, ("Ctrl+Alt+S",)),
        Command("Inspector", bar.inspector_button.toggle, ("Ctrl+Alt+I",)),
        LINE,
        *(Command(words, partial(theme.choose, choice)) for words, choice in themes),
    )


def _model(window: Window) -> tuple[Command, ...]:
    return (
        Command("Measure", window.measure, ("Ctrl+R",)),
        Command("Cancel", partial(_cancel, window), ("Ctrl+.",)),
        LINE,
        Command("Previous selection", partial(_step, window, back=True), ("Alt+Left",)),
        Command("Next selection", partial(_step, window, back=False), ("Alt+Right",)),
    )


def _fill_recent(workspace: Workspace, menu: QMenu) -> None:
    menu.clear()
    for path in workspace.recent:
        words = units.clip(path.name, 60).replace("&", "&&")
        menu.addAction(words, partial(_open, workspace, path))
    if menu.isEmpty():
        menu.addAction("Nothing opened yet").setEnabled(False)


def _open(workspace: Workspace, path: Path) -> None:
    workspace.open(path)


def _cancel(window: Window) -> None:
    if window.document is not None:
        window.document.cancel()


def _step(window: Window, back: bool) -> None:
    if window.document is not None:
        selection = window.document.selection
        selection.back() if back else selection.forward()
