"""Commands that explain the window."""

from inspector.ui.translate import mark
from inspector.ui.window.commands.registry import command
from inspector.ui.window.host import Window

HELP = "help"


@command(
    "guide",
    mark("User guide"),
    HELP,
    keys="F1",
    about=mark("Explain the current page, or the term under the pointer"),
)
def show_guide(window: Window) -> None:
    """Explain the term under the pointer, or what is in front, in the user guide."""
    page = ""
    if window.view is not None:
        page = f"tabs/{window.view.current.id}.md"
    elif window.front() is not None:
        page = "tabs/trace.md" if window.trace is not None else "tabs/diff.md"
    window.dialogs.show_guide(page)


command(
    "palette",
    mark("Find anything…"),
    HELP,
    keys="Ctrl+K",
    about=mark("Find a command, layer, model, setting or help page"),
)(lambda window: window.dialogs.show_palette())


command(
    "shortcuts", mark("Keyboard shortcuts"), HELP, keys="Ctrl+/", about=mark("Show this list")
)(lambda window: window.dialogs.show_shortcuts())


command("glossary", mark("Glossary"), HELP)(lambda window: window.dialogs.show_glossary())


@command("about", mark("About Inspector"), HELP)
def show_about(window: Window) -> None:
    """Show version, licenses and how models are isolated."""
    window.dialogs.show_about()
