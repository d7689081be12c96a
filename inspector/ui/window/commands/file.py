"""Commands that open, record, export and close, and those about the session."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QApplication, QMenu

from inspector.ui import units
from inspector.ui.translate import mark, tr, when, with_ellipsis
from inspector.ui.widgets import export_forms
from inspector.ui.widgets.dropped import named_in
from inspector.ui.window.commands.conditions import (
    can_reopen,
    can_restore,
    has_any,
    has_edits,
    has_model,
    has_recipe_results,
    has_report,
    has_sweep,
    has_unsaved,
)
from inspector.ui.window.commands.registry import (
    LINE,
    Command,
    Refusal,
    Submenu,
    add,
    command,
    submenu,
)
from inspector.ui.window.host import Window

FILE = "file"
EXPORT = "bar/export"  # menu of the bar's button
EXPORT_TRACE = "bar/trace"  # menu of the button where a trace is shown
EXPORT_DIFF = "bar/diff"  # menu of the button where two models are compared


@command(
    "open", mark("Open…"), FILE, keys="Ctrl+O", about=mark("Open a model, report or trace")
)
def open_files(window: Window, *named: Path | str) -> None:
    """Open what a view names; else the files that the user chooses."""
    window.workspace.open(*(named or window.dialogs.choose_files()))


def _list_recent(window: Window, menu: QMenu) -> None:
    menu.clear()
    for path in window.workspace.recent:
        text = units.clip(path.name, 60).replace("&", "&&")
        menu.addAction(text, partial(window.run_command, "open", path))
    if menu.isEmpty():
        menu.addAction(tr("No recent files")).setEnabled(False)


def _list_library(window: Window, menu: QMenu) -> None:
    """List the newest reports of the library that are not open."""
    menu.clear()
    for entry in window.session.kept():
        parts = (
            units.clip(entry.model, 48),
            when(entry.created),
            units.duration(entry.median_ns),
            tr("not exported") if entry.unsaved else "",
        )
        title = " · ".join(filter(None, parts)).replace("&", "&&")
        menu.addAction(title, partial(window.session.open_kept, entry))
    if menu.isEmpty():
        text = tr("No reports: each measurement is kept here after its model is closed")
        menu.addAction(text).setEnabled(False)


submenu(Submenu("open/recent", mark("Open recent"), fill=_list_recent), FILE)
submenu(Submenu("open/library", mark("Open from library"), fill=_list_library), FILE)


command(
    "history",
    mark("Report history…"),
    FILE,
    keys="Ctrl+H",
    about=mark("Show the report history"),
)(lambda window: window.dialogs.show_history())


@command("open/folder", mark("Open folder…"), FILE)
def open_folder(window: Window) -> None:
    """Let the user choose a folder and list its models."""
    folder = window.dialogs.choose_folder()
    if folder is not None:
        window.workspace.open(folder)


@command("open/address", mark("Open URL…"), FILE)
def open_address(window: Window, address: str = "") -> None:
    """Let the user open a model at an address; nothing is downloaded unasked."""
    window.dialogs.ask_for_address(address)


@command(
    "open/pasted",
    mark("Open path from clipboard"),
    FILE,
    keys="Ctrl+Shift+V",
    about=mark("Open the path on the clipboard"),
)
def open_pasted(window: Window) -> None:
    """Open the files, the path or the address on the clipboard."""
    window.workspace.open(*named_in(QApplication.clipboard().mimeData()))


command(
    "record", mark("Record program…"), FILE, keys="Ctrl+Shift+R", about=mark("Record a program")
)(lambda window: window.dialogs.record())


add(LINE, FILE)


def _exporting(form: str, title: str, refusal: Refusal | None) -> Command:
    """Return the command that exports what is in front in one form."""
    return Command(
        f"export/{form}",
        "",
        lambda window: window.dialogs.export(form),
        refusal=refusal,
        text=title,
    )


def _report_forms() -> Iterator[Command]:
    for title, form in export_forms.report_forms():
        yield _exporting(form, title, has_report)


def _plots() -> Iterator[Command]:
    for title, plot in export_forms.PICTURES:
        yield _exporting(f"{export_forms.PICTURE}{plot}", tr(title), has_report)


def _sweep_forms() -> Iterator[Command]:
    for title, form in export_forms.sweep_forms():
        yield _exporting(form, title, has_sweep)


def _trace_forms() -> Iterator[Command]:
    for each in export_forms.trace_forms():
        title = with_ellipsis(tr(each.title))
        yield _exporting(f"{export_forms.TRACE}{each.id}", title, None)


def _diff_forms() -> Iterator[Command]:
    for title, form in export_forms.diff_forms():
        yield _exporting(form, title, None)


def _includes_preview(window: Window) -> bool:
    return window.with_preview


@command(
    "save",
    mark("Save…"),
    FILE,
    keys="Ctrl+S",
    about=mark("Save a copy with the edits; without edits, save the report as JSON"),
    refusal=has_unsaved,
)
def save(window: Window) -> None:
    """Save what nobody has saved: edits of the graph first, else the report."""
    if has_edits(window):
        window.dialogs.export("json")
    else:
        window.run_command("save-copy")


submenu(Submenu("export/report", mark("Export report"), refusal=has_report), FILE)
submenu(Submenu("export/plots", mark("Export plot"), refusal=has_report), FILE)
submenu(Submenu("export/sweep", mark("Export sweep"), refusal=has_sweep), FILE)
add(_report_forms, "export/report", EXPORT)
add(_plots, "export/plots")
add(_sweep_forms, "export/sweep")
add("export/plots", EXPORT)
add("export/sweep", EXPORT)
add(_trace_forms, EXPORT_TRACE)
add(_diff_forms, EXPORT_DIFF)
command(
    "graph/save",
    mark("Save whole graph…"),
    FILE,
    about=mark(
        "Save the graph with every layer, also those in collapsed scopes, as SVG or PNG"
    ),
    refusal=has_model,
)(lambda window: window.dialogs.export_graph())
add("compare/reports", FILE)


@command(
    "export/with preview",
    mark("Include image of Preview"),
    "export/report",
    EXPORT,
    about=mark("Exported reports contain the image in Preview"),
    refusal=has_report,
    checked=_includes_preview,
)
def include_preview(window: Window) -> None:
    """Export reports with the image in Preview from now on, or without."""
    window.with_preview = not window.with_preview


command("export/improvement", mark("Results of Improve…"), EXPORT, refusal=has_recipe_results)(
    lambda window: window.dialogs.export(export_forms.RESULTS)
)


add(LINE, FILE)


@command(
    "reload", mark("Reload"), FILE, keys="F5", about=mark("Reload the file"), refusal=has_any
)
def reload(window: Window) -> None:
    """Read the file of what is in front again."""
    document, trace, diff = window.document, window.trace, window.diff
    if trace is not None:
        window.workspace.open(trace.document.path)
    elif diff is not None:
        diff.document.reload()
    elif document is not None and document.work is None:
        window.workspace.reload(document)


@command(
    "close",
    mark("Close"),
    FILE,
    keys="Ctrl+W Ctrl+F4",  # on Windows the standard key is Ctrl+F4 alone
    about=mark("Close the current report, model or trace"),
    refusal=has_any,
    undo="reopen",
)
def close(window: Window) -> None:
    """Close what is marked in the list: a report, a model with its reports, or a trace."""
    document = window.document
    if document is not None and window.shows_report():
        window.close_report(document, document.report)
    else:
        window.close_document()


@command("close/all", mark("Close all"), FILE, refusal=has_any)
def close_all(window: Window) -> None:
    """Close everything that is open, up to what its user wants to keep."""
    before = None
    while (shown := window.front()) is not None and shown is not before:
        before = shown
        window.close_document()


@command(
    "reopen",
    mark("Reopen last closed"),
    FILE,
    keys="Ctrl+Shift+T",
    about=mark("Reopen the last closed item"),
    refusal=can_reopen,
)
def reopen(window: Window) -> None:
    """Open again what was closed last."""
    window.session.reopen_closed()


add(LINE, FILE)


@command("session/restore", mark("Restore previous session"), FILE, refusal=can_restore)
def restore_session(window: Window) -> None:
    """Open what the last closed window had open, beside what is open now."""
    window.session.restore_earlier()


@command(
    "session/at start",
    mark("Restore session at startup"),
    FILE,
    checked=lambda window: window.session.restores,
)
def restore_at_start(window: Window) -> None:
    """Go on at the next start where this window ends, or no more."""
    window.session.set_restores(not window.session.restores)


command("preferences", mark("Preferences…"), FILE, keys="Ctrl+,", about=mark("Preferences"))(
    lambda window, name="": window.dialogs.show_preferences(name)
)


add(LINE, FILE)


@command("saved")
def tell_saved(window: Window, text: str, path: Path) -> None:
    """Report that a view saved a file."""
    window.messages.notice.show_done(text, str(path), window.document)


@command("quit", mark("Quit"), FILE, keys="Ctrl+Q", about=mark("Quit"))
def quit_program(window: Window) -> None:
    """Close the window."""
    window.close()
