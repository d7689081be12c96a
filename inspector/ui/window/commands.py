"""The menus of the window and the commands in them."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolButton, QWidget

from inspector.export import code_languages
from inspector.ui import units
from inspector.ui.documents.document import Document
from inspector.ui.documents.workspace import Workspace
from inspector.ui.translate import mark, tr, when
from inspector.ui.widgets.comparison_links import COMPARISONS, LAYERS, MODELS, OUTPUTS, REPORTS
from inspector.ui.widgets.export_forms import PICTURES, report_forms, sweep_forms
from inspector.ui.widgets.parts import set_available
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.session import Session
from inspector.ui.window.shortcuts import shortcuts
from inspector.ui.window.tabs import TABS, TabEntry
from inspector.ui.window.top_bar import TopBar


@dataclass(frozen=True, slots=True)
class Command:
    """An entry of a menu: an action, or a submenu.

    shortcut: id in the registry of shortcuts.
    children, fill: a submenu of these, or one that `fill` fills each time before it opens.
    refusal: why it is not possible now, as a sentence for its tooltip, or "" where it is.
    refusal, is_checked: evaluated before the menu opens. Shortcuts are never switched off:
        an action that is not possible now does nothing.
    """

    text: str = ""
    action: Callable[[], object] | None = None
    shortcut: str = ""
    fill: Callable[[QMenu], None] | None = None
    children: tuple["Command", ...] = ()
    refusal: Callable[[], str] | None = None
    is_checked: Callable[[], bool] | None = None


def add_menus(window: QMainWindow, button: QToolButton, menus: tuple[Command, ...]) -> None:
    """Add menus and shortcuts to the window: a menu bar on macOS, else the button's menu."""
    button_menu = QMenu(window)
    parent = window.menuBar() if sys.platform == "darwin" else button_menu
    for menu in menus:
        _fill(window, parent.addMenu(menu.text), menu.children)
    button.setVisible(parent is button_menu)
    button.setMenu(button_menu)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)


def _fill(window: QMainWindow, menu: QMenu, commands: tuple[Command, ...]) -> None:
    entries: list[tuple[QAction, Command]] = []
    menu.setToolTipsVisible(True)  # where the reasons are
    for command in commands:
        if not command.text:
            menu.addSeparator()
        elif command.children:
            submenu = menu.addMenu(command.text)
            _fill(window, submenu, command.children)
            entries.append((submenu.menuAction(), command))
        elif command.fill is not None:
            submenu = menu.addMenu(command.text)
            submenu.aboutToShow.connect(partial(command.fill, submenu))
        else:
            action = _action(menu, command)
            window.addAction(action)  # shortcuts work though no menu is open
            entries.append((action, command))
    menu.aboutToShow.connect(partial(_update_states, entries))
    menu.aboutToHide.connect(partial(_enable_all, entries))


def _update_states(entries: list[tuple[QAction, Command]]) -> None:
    for action, command in entries:
        if command.refusal is not None:
            set_available(action, command.refusal())
        if command.is_checked is not None:
            action.setChecked(command.is_checked())


def _enable_all(entries: list[tuple[QAction, Command]]) -> None:
    """Enable the shortcuts again: the states may change while the menu is closed."""
    for action, _ in entries:
        action.setEnabled(True)


def _action(menu: QMenu, command: Command) -> QAction:
    action = menu.addAction(command.text)
    action.setCheckable(command.is_checked is not None)
    if command.shortcut:
        keys = shortcuts()[command.shortcut].keys
        action.setShortcuts([QKeySequence(key) for key in keys])
    run = command.action
    assert run is not None, "a command without a submenu has an action"
    action.triggered.connect(lambda: run())
    if command.shortcut == "preferences":  # macOS shows it in the menu of the program
        action.setMenuRole(QAction.MenuRole.PreferencesRole)
    return action


SEPARATOR = Command()  # a line between the entries around it


class Dialogs(Protocol):
    """The dialogs that the commands show."""

    def show_guide(self, page: str) -> None: ...  # noqa: D102
    def show_glossary(self) -> None: ...  # noqa: D102
    def show_shortcuts(self) -> None: ...  # noqa: D102
    def show_about(self) -> None: ...  # noqa: D102
    def show_preferences(self) -> None: ...  # noqa: D102
    def show_machine_matrix(self) -> None: ...  # noqa: D102


class Window(Protocol):
    """The part of the main window that the commands use."""

    theme: Theme
    workspace: Workspace
    top_bar: TopBar

    @property
    def dialogs(self) -> Dialogs: ...  # noqa: D102
    @property
    def session(self) -> Session: ...  # noqa: D102
    @property
    def document(self) -> Document | None: ...  # noqa: D102
    @property
    def trace(self) -> QWidget | None: ...  # noqa: D102
    def front(self) -> object: ...  # noqa: D102
    def show_document(self, document: Document) -> None: ...  # noqa: D102
    def ask_for_files(self) -> None: ...  # noqa: D102
    def ask_to_record(self) -> None: ...  # noqa: D102
    def open_pasted(self) -> None: ...  # noqa: D102
    def ask_for_folder(self) -> None: ...  # noqa: D102
    def ask_for_address(self) -> None: ...  # noqa: D102
    def ask_to_export(self, form: str) -> None: ...  # noqa: D102
    def compare_reports(self) -> None: ...  # noqa: D102
    def show_history(self) -> None: ...  # noqa: D102
    def compare(self, kind: str) -> None: ...  # noqa: D102
    def go_to_search(self) -> None: ...  # noqa: D102
    def choose_tab(self, tab: TabEntry) -> None: ...  # noqa: D102
    def measure(self) -> None: ...  # noqa: D102
    def check_support(self) -> None: ...  # noqa: D102
    def show_code(self) -> None: ...  # noqa: D102
    def show_palette(self) -> None: ...  # noqa: D102
    def open_settings(self) -> None: ...  # noqa: D102
    def open_sweep(self) -> None: ...  # noqa: D102
    def close_current(self) -> None: ...  # noqa: D102
    def shows_report(self) -> bool: ...  # noqa: D102
    def reload(self) -> None: ...  # noqa: D102
    def close(self) -> bool: ...  # noqa: D102


def commands(window: Window) -> tuple[Command, ...]:
    """Return the menus."""
    help_menu = (
        Command(tr("User guide"), partial(_explain, window), "guide"),
        Command(tr("Find a command…"), window.show_palette, "palette"),
        Command(
            tr("Keyboard shortcuts"),
            lambda: window.dialogs.show_shortcuts(),
            "shortcuts",
        ),
        Command(tr("Glossary"), lambda: window.dialogs.show_glossary()),
        Command(tr("About Inspector"), lambda: window.dialogs.show_about()),
    )
    return (
        Command(tr("&File"), children=_file(window)),
        Command(tr("&View"), children=_view(window)),
        Command(tr("&Model"), children=_model(window)),
        Command(tr("&Help"), children=help_menu),
    )


def _file(window: Window) -> tuple[Command, ...]:
    session = window.session
    reports = tuple(
        Command(
            text,
            partial(window.ask_to_export, form),
            "export/json" if form == "json" else "",
        )
        for text, form in report_forms()
    )
    included = window.top_bar.include_preview
    preview = Command(tr("Include preview"), included.toggle, is_checked=included.isChecked)
    plots = tuple(
        Command(tr(text), partial(window.ask_to_export, f"picture/{plot}"))
        for text, plot in PICTURES
    )
    sweeps = tuple(
        Command(text, partial(window.ask_to_export, form)) for text, form in sweep_forms()
    )
    return (
        Command(tr("Open…"), window.ask_for_files, "open"),
        Command(tr("Open recent"), fill=partial(_fill_recent, window.workspace)),
        Command(tr("Open from library"), fill=partial(_fill_library, session)),
        Command(tr("Report history…"), window.show_history, "history"),
        Command(tr("Open folder…"), window.ask_for_folder),
        Command(tr("Open URL…"), window.ask_for_address),
        Command(tr("Open path from clipboard"), window.open_pasted, "open_pasted"),
        Command(tr("Record program…"), window.ask_to_record, "record"),
        SEPARATOR,
        Command(
            tr("Export report"),
            children=(*reports, preview),
            refusal=partial(_has_report, window),
        ),
        Command(tr("Export plot"), children=plots, refusal=partial(_has_report, window)),
        Command(tr("Export sweep"), children=sweeps, refusal=partial(_has_sweep, window)),
        Command(
            tr("Compare reports…"),
            window.compare_reports,
            refusal=partial(_has_two, window),
        ),
        SEPARATOR,
        Command(tr("Reload"), window.reload, "reload", refusal=partial(_has_any, window)),
        Command(tr("Close"), window.close_current, "close", refusal=partial(_has_any, window)),
        Command(
            tr("Reopen last closed"),
            session.reopen_closed,
            "reopen",
            refusal=partial(_if, session.can_reopen, mark("Nothing has been closed yet")),
        ),
        SEPARATOR,
        Command(
            tr("Restore previous session"),
            session.restore_earlier,
            refusal=partial(_if, session.can_restore, mark("There is no previous session")),
        ),
        Command(
            tr("Restore session at startup"),
            partial(_switch_restoring, session),
            is_checked=partial(_restores, session),
        ),
        Command(tr("Preferences…"), partial(_prefer, window), "preferences"),
        SEPARATOR,
        Command(tr("Quit"), window.close, "quit"),
    )


def _view(window: Window) -> tuple[Command, ...]:
    bar, theme = window.top_bar, window.theme
    tabs = (
        Command(
            tr(tab.title),
            partial(window.choose_tab, tab),
            f"tab/{tab.id}",
            refusal=partial(_has_tab, window, tab),
            is_checked=partial(_shows_tab, window, tab),
        )
        for tab in TABS
    )
    themes = ((tr("Light"), "light"), (tr("Dark"), "dark"), (tr("Follow system"), "system"))
    return (
        *tabs,
        SEPARATOR,
        Command(tr("Find"), window.go_to_search, "find"),
        SEPARATOR,
        Command(
            tr("Model list"),
            bar.sidebar_button.toggle,
            "sidebar",
            is_checked=bar.sidebar_button.isChecked,
        ),
        Command(
            tr("Details pane"),
            bar.inspector_button.toggle,
            "inspector",
            is_checked=bar.inspector_button.isChecked,
        ),
        SEPARATOR,
        *(
            Command(
                text,
                partial(theme.choose, choice),
                is_checked=partial(_is_theme, theme, choice),
            )
            for text, choice in themes
        ),
    )


def _model(window: Window) -> tuple[Command, ...]:
    return (
        Command(tr("Measure"), window.measure, "measure", refusal=partial(_is_idle, window)),
        Command(
            tr("Cancel"),
            partial(_cancel, window),
            "cancel",
            refusal=partial(_is_busy, window),
        ),
        SEPARATOR,
        Command(tr("Compare"), children=comparisons(window)),
        Command(
            tr("Check device support…"),
            window.check_support,
            refusal=partial(_has_model, window),
        ),
        Command(tr("Generate code…"), window.show_code, refusal=partial(_has_code, window)),
        Command(
            tr("Measurement settings…"),
            window.open_settings,
            refusal=partial(_has_model, window),
        ),
        Command(tr("Sweep…"), window.open_sweep, refusal=partial(_has_model, window)),
        Command(
            tr("Measure on several machines…"), lambda: window.dialogs.show_machine_matrix()
        ),
        SEPARATOR,
        Command(tr("Previous selection"), partial(_step, window, back=True), "back"),
        Command(tr("Next selection"), partial(_step, window, back=False), "forward"),
    )


def _if(possible: Callable[[], bool], reason: str) -> str:
    return "" if possible() else tr(reason)


def _has_any(window: Window) -> str:
    return "" if window.front() is not None else tr("Nothing is open")


def _has_report(window: Window) -> str:
    there = window.document is not None and window.document.report is not None
    return "" if there else tr("No report is shown. Measure the model, or open a report.")


def _has_sweep(window: Window) -> str:
    there = window.document is not None and window.document.swept
    return "" if there else tr("No sweep is shown. Start one in the Performance tab.")


def _has_two(window: Window) -> str:
    count = sum(len(document.reports) for document in window.workspace.documents)
    return "" if count > 1 else tr("Needs two open reports. Measure again, or open another.")


def _has_two_models(window: Window) -> str:
    count = sum(document.model is not None for document in window.workspace.documents)
    return "" if count > 1 else tr("Needs two open models. Open another one first.")


def _has_tab(window: Window, tab: TabEntry) -> str:
    document = window.document
    if document is None:
        return tr("No model is open")
    there = document.path is not None or not tab.needs_model
    return "" if there else tr("The model of this report is not open")


def _shows_tab(window: Window, tab: TabEntry) -> bool:
    return window.document is not None and TABS[window.top_bar.tabs.current] is tab


def _is_theme(theme: Theme, choice: str) -> bool:
    return theme.choice == choice


def _is_idle(window: Window) -> str:
    document = window.document
    busy = document is not None and document.work is not None
    refusal = _can_run(window)
    return tr("Another job is running; wait or cancel it") if busy and not refusal else refusal


def _can_run(window: Window) -> str:
    document = window.document
    if document is not None and document.model is not None and document.not_run is not None:
        return units.clip(": ".join(document.not_run), 300)
    return _has_model(window)


def _has_model(window: Window) -> str:
    there = window.document is not None and window.document.model is not None
    return "" if there else tr("No model is open")


def _has_code(window: Window) -> str:
    known = code_languages.any_programs()
    return _has_model(window) if known else tr("The plugin for code is not installed")


def _is_busy(window: Window) -> str:
    document = window.document
    busy = document is not None and bool(document.work or document.improve_progress)
    return "" if busy else tr("Nothing is running")


def comparisons(window: Window) -> tuple[Command, ...]:
    """Return the ways to compare, in the order of the registry of their links."""
    refusal = {
        MODELS: _has_two_models,
        REPORTS: _has_two,
        OUTPUTS: _can_run,
        LAYERS: _can_run,
    }
    return tuple(
        Command(
            tr(each.command),
            partial(window.compare, id_),
            refusal=partial(refusal[id_], window),
        )
        for id_, each in COMPARISONS.items()
    )


def _prefer(window: Window) -> None:
    window.dialogs.show_preferences()


def _explain(window: Window) -> None:
    window.dialogs.show_guide(_page_of(window))


def _page_of(window: Window) -> str:
    """Return the page of the user guide about what is in front."""
    if window.document is not None:
        return f"tabs/{TABS[window.top_bar.tabs.current].id}.md"
    if window.front() is None:
        return ""
    return "tabs/trace.md" if window.trace is not None else "tabs/diff.md"


def _fill_recent(workspace: Workspace, menu: QMenu) -> None:
    menu.clear()
    for path in workspace.recent:
        text = units.clip(path.name, 60).replace("&", "&&")
        menu.addAction(text, partial(_open, workspace, path))
    if menu.isEmpty():
        menu.addAction(tr("No recent files")).setEnabled(False)


def _fill_library(session: Session, menu: QMenu) -> None:
    """List the newest reports of the library that are not open."""
    menu.clear()
    for entry in session.kept():
        parts = (
            units.clip(entry.model, 48),
            when(entry.created),
            units.duration(entry.median_ns),
            tr("not exported") if entry.unsaved else "",
        )
        title = " · ".join(filter(None, parts)).replace("&", "&&")
        menu.addAction(title, partial(session.open_kept, entry))
    if menu.isEmpty():
        menu.addAction(tr("No other reports")).setEnabled(False)


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
