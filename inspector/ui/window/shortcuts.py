"""The registry of keyboard shortcuts: menus, tooltips and the shortcuts dialog follow it."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtGui import QKeySequence

from inspector.ui.translate import mark
from inspector.ui.window.tabs import TABS

WINDOW, TAB, TIMELINE, TABLES = mark("Window"), mark("Tabs"), mark("Timeline"), mark("Tables")


@dataclass(frozen=True, slots=True)
class Shortcut:
    """Keys and what they do. keys: as QKeySequence reads them; on macOS Ctrl is Command.

    group: heading in the dialog. Those of WINDOW and TAB belong to a menu command; the others
    are handled by the widget that has the focus.
    """

    group: str
    keys: tuple[str, ...]
    description: str


_SHORTCUTS = {
    "open": Shortcut(WINDOW, ("Ctrl+O",), mark("Open a model, report or trace")),
    "open_pasted": Shortcut(WINDOW, ("Ctrl+Shift+V",), mark("Open the path on the clipboard")),
    "record": Shortcut(WINDOW, ("Ctrl+Shift+R",), mark("Record a program")),
    "palette": Shortcut(WINDOW, ("Ctrl+K",), mark("Find and run a command")),
    "find": Shortcut(WINDOW, ("Ctrl+F",), mark("Find in the current tab")),
    "history": Shortcut(WINDOW, ("Ctrl+H",), mark("Show the report history")),
    "measure": Shortcut(WINDOW, ("Ctrl+R",), mark("Measure the model")),
    "cancel": Shortcut(WINDOW, ("Ctrl+.",), mark("Cancel the current job")),
    "export/json": Shortcut(WINDOW, ("Ctrl+S",), mark("Save the report as JSON")),
    "reload": Shortcut(WINDOW, ("F5",), mark("Reload the file")),
    "close": Shortcut(
        WINDOW,
        # On Windows the standard key is Ctrl+F4 alone.
        ("Ctrl+W", "Ctrl+F4"),
        mark("Close the current report, model or trace"),
    ),
    "reopen": Shortcut(WINDOW, ("Ctrl+Shift+T",), mark("Reopen the last closed item")),
    "back": Shortcut(WINDOW, ("Alt+Left",), mark("Previous selection")),
    "forward": Shortcut(WINDOW, ("Alt+Right",), mark("Next selection")),
    "sidebar": Shortcut(WINDOW, ("Ctrl+Alt+S",), mark("Show or hide the model list")),
    "inspector": Shortcut(WINDOW, ("Ctrl+Alt+I",), mark("Show or hide the details pane")),
    "guide": Shortcut(
        WINDOW, ("F1",), mark("Explain the current page, or the term under the pointer")
    ),
    "shortcuts": Shortcut(WINDOW, ("Ctrl+/",), mark("Show this list")),
    "preferences": Shortcut(WINDOW, ("Ctrl+,",), mark("Preferences")),
    "quit": Shortcut(WINDOW, ("Ctrl+Q",), mark("Quit")),
    "timeline/zoom": Shortcut(TIMELINE, ("W", "S", "+", "-"), mark("Zoom in or out")),
    "timeline/pan": Shortcut(TIMELINE, ("A", "D"), mark("Scroll left or right")),
    "timeline/ends": Shortcut(TIMELINE, ("Home", "End"), mark("Go to start or end")),
    "timeline/fit": Shortcut(TIMELINE, ("F",), mark("Zoom to fit")),
    "timeline/step": Shortcut(
        TIMELINE, ("[", "]"), mark("Previous or next event; on Activations: layer")
    ),
    "timeline/find": Shortcut(TIMELINE, ("/",), mark("Find an event")),
    "timeline/measure": Shortcut(TIMELINE, ("M",), mark("Measure the time between two points")),
    "timeline/fold": Shortcut(TIMELINE, ("Space",), mark("Collapse or expand a lane")),
    "timeline/pin": Shortcut(TIMELINE, ("P",), mark("Pin a lane")),
    "timeline/clear": Shortcut(TIMELINE, ("Esc",), mark("Clear the selection")),
    "tables/copy": Shortcut(TABLES, ("Ctrl+C",), mark("Copy the row")),
    "tables/column": Shortcut(
        TABLES, ("Ctrl+Left", "Ctrl+Right"), mark("Sort by the previous or next column")
    ),
    "tables/order": Shortcut(TABLES, ("Ctrl+Up", "Ctrl+Down"), mark("Change the sort order")),
}


def shortcuts() -> dict[str, Shortcut]:
    """Return all shortcuts by id; those of the tabs come from their registry."""
    tabs = {f"tab/{tab.id}": Shortcut(TAB, (tab.shortcut,), tab.title) for tab in TABS}
    return {**_SHORTCUTS, **tabs}


def groups() -> Iterator[tuple[str, tuple[Shortcut, ...]]]:
    """Yield each group with its shortcuts, in the order of the dialog."""
    for group in (WINDOW, TAB, TIMELINE, TABLES):
        yield group, tuple(each for each in shortcuts().values() if each.group == group)


def native_text(keys: str) -> str:
    """Return keys as this system writes them: Ctrl+O, or ⌘O on macOS."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def with_keys(text: str, id_: str) -> str:
    """Return a tooltip with the first keys of a shortcut: "Measure (Ctrl+R)"."""
    return f"{text} ({native_text(_SHORTCUTS[id_].keys[0])})"
