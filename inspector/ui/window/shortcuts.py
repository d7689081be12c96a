"""All keyboard shortcuts, for their dialog: those of commands, and those of widgets."""

from collections.abc import Iterator

from msgspec import Struct

from inspector.ui.translate import mark
from inspector.ui.window.commands.listing import everything

WINDOW = mark("Window")
MENU = mark("Menu")
TAB = mark("Tabs")
TIMELINE = mark("Timeline")
TABLES = mark("Tables")
CHAT = mark("Chat")
GRAPH = mark("Graph")


class Shortcut(Struct, frozen=True):
    """Keys and what they do. keys: as QKeySequence reads them; on macOS Ctrl is Command.

    group: heading in the dialog.
    """

    group: str
    keys: tuple[str, ...]
    description: str


# Handled by the widget that has the focus.
OF_WIDGETS = (
    Shortcut(MENU, ("F10",), mark("Open the menu; Alt with a letter opens one of its menus")),
    Shortcut(TIMELINE, ("W", "S", "+", "-"), mark("Zoom in or out")),
    Shortcut(TIMELINE, ("A", "D"), mark("Scroll left or right")),
    Shortcut(TIMELINE, ("Home", "End"), mark("Go to start or end")),
    Shortcut(TIMELINE, ("F",), mark("Fit the marked range or the event; again: everything")),
    Shortcut(TIMELINE, ("[", "]"), mark("Previous or next event; on Layer outputs: layer")),
    Shortcut(TIMELINE, ("/",), mark("Find an event")),
    Shortcut(TIMELINE, ("M",), mark("Mark the event, or measure between two points")),
    Shortcut(TIMELINE, ("Space",), mark("Collapse or expand a lane")),
    Shortcut(TIMELINE, ("P",), mark("Pin a lane")),
    Shortcut(TIMELINE, ("Esc",), mark("Clear the selection")),
    Shortcut(GRAPH, ("E",), mark("Begin or end edit mode")),
    Shortcut(GRAPH, ("Shift+F10",), mark("Menu of what is selected")),
    Shortcut(GRAPH, ("F2",), mark("Rename a layer or tensor, in edit mode")),
    Shortcut(GRAPH, ("Del",), mark("Delete layers, in edit mode")),
    Shortcut(GRAPH, ("B",), mark("Bypass a layer, in edit mode")),
    Shortcut(GRAPH, ("I",), mark("Insert a layer, in edit mode")),
    Shortcut(GRAPH, ("Return",), mark("Apply the preview, or edit attributes")),
    Shortcut(CHAT, ("Return",), mark("Send the message, or go on with the alternative")),
    Shortcut(CHAT, ("Esc",), mark("Stop the answer")),
    Shortcut(CHAT, ("Left", "Right"), mark("Previous or next token")),
    Shortcut(CHAT, ("Ctrl+Left", "Ctrl+Right"), mark("Go to a token below 50%")),
    Shortcut(CHAT, ("D",), mark("Go to the first token that differs")),
    Shortcut(CHAT, ("Ctrl+N",), mark("Begin a new chat")),
    Shortcut(TABLES, ("Return",), mark("Open the row; a layer, in the graph")),
    Shortcut(TABLES, ("Ctrl+C",), mark("Copy the row")),
    Shortcut(TABLES, ("Ctrl+Left", "Ctrl+Right"), mark("Sort by the previous or next column")),
    Shortcut(TABLES, ("Ctrl+Up", "Ctrl+Down"), mark("Change the sort order")),
)


def shortcuts() -> Iterator[Shortcut]:
    """Yield all shortcuts, those of commands first, in the order of the menus."""
    for command in everything():
        if command.keys:
            group = TAB if command.id.startswith("tab/") else WINDOW
            yield Shortcut(group, command.keys, command.about or command.title)
    yield from OF_WIDGETS


def groups() -> Iterator[tuple[str, tuple[Shortcut, ...]]]:
    """Yield each group with its shortcuts, in the order of the dialog."""
    every = tuple(shortcuts())
    for group in (WINDOW, TAB, MENU, GRAPH, TIMELINE, CHAT, TABLES):
        yield group, tuple(each for each in every if each.group == group)
