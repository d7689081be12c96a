"""Commands that show a tab, a pane, or the window in other colors."""

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit

from inspector.ui.graph import view_link
from inspector.ui.translate import mark
from inspector.ui.widgets.parts import visible_parts
from inspector.ui.window.commands.conditions import has_link, has_tab, shown_file
from inspector.ui.window.commands.model import GraphShower
from inspector.ui.window.commands.registry import LINE, Command, add, command
from inspector.ui.window.host import Window
from inspector.ui.window.tabs import TabEntry, all_tabs, tab_for

VIEW = "view"
THEMES = ((mark("Light"), "light"), (mark("Dark"), "dark"), (mark("Follow system"), "system"))


def _tabs() -> Iterator[Command]:
    for tab in all_tabs():
        yield Command(
            f"tab/{tab.id}",
            tab.title,
            partial(_show_tab, tab=tab),
            (tab.shortcut,) if tab.shortcut else (),
            tab.title,
            partial(has_tab, tab=tab),
            partial(_shows_tab, tab=tab),
        )


def _show_tab(window: Window, itself: bool = False, *, tab: TabEntry) -> None:
    """Show a tab. itself: not the one that takes its place."""
    document = window.document
    window.choose_tab(tab if itself or document is None else tab_for(tab, document))


def _shows_tab(window: Window, tab: TabEntry) -> bool:
    return window.view is not None and window.view.current is tab


add(_tabs, VIEW)
add(LINE, VIEW)


@command("find", mark("Find"), VIEW, keys="Ctrl+F", about=mark("Find in the current tab"))
def find(window: Window) -> None:
    """Put the cursor into the search or filter field of what is shown."""
    for field in visible_parts(window.pages()):
        if isinstance(field, QLineEdit) and field.property("find"):
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            field.selectAll()
            return


@command(
    "copy-link",
    mark("Copy link to this view"),
    VIEW,
    keys="Ctrl+Shift+L",
    about=mark("Copy the command that opens this tab, layer and zoom"),
    refusal=has_link,
)
def copy_link(window: Window) -> None:
    """Copy a command that opens what is in front: its file, tab and layer, and the zoom."""
    path, document, view = shown_file(window), window.document, window.view
    assert path is not None, "the command is refused where there is no file"
    link = None
    if document is not None and view is not None:
        layer, zoom, tab = document.selection.now.layer, None, view.useful_tab(view.current)
        if isinstance(tab, GraphShower) and tab.seen is not None:
            layer, zoom = tab.seen.layer, tab.seen.zoom
        link = view_link.link_to(document, view.current.id, layer, zoom)
    text = view_link.command(path, link)
    QGuiApplication.clipboard().setText(text)
    window.messages.tell_copied(text)


add(LINE, VIEW)


@command(
    "sidebar",
    mark("Model list"),
    VIEW,
    keys="Ctrl+Alt+S",
    about=mark("Show or hide the model list"),
    checked=lambda window: window.panes.models.on,
)
def switch_model_list(window: Window) -> None:
    """Show the list at the left, or hide it."""
    window.panes.models.toggle()


@command(
    "inspector",
    mark("Details pane"),
    VIEW,
    keys="Ctrl+Alt+I",
    about=mark("Show or hide the details pane"),
    checked=lambda window: window.panes.details.on,
)
def switch_details(window: Window) -> None:
    """Show the pane at the right, or hide it."""
    window.panes.details.toggle()


add(LINE, VIEW)


def _add_theme(title: str, choice: str) -> None:
    @command(
        f"theme/{choice}", title, VIEW, checked=lambda window: window.theme.choice == choice
    )
    def choose_theme(window: Window) -> None:
        """Show the window in other colors."""
        window.theme.choose(choice)


for title, choice in THEMES:
    _add_theme(title, choice)
