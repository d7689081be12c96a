"""Why a command is not possible now: each returns a sentence, or "" where it is possible."""

from pathlib import Path

from inspector.render import code_languages
from inspector.ui import units
from inspector.ui.documents.diff_document import DiffDocument
from inspector.ui.documents.document import Document
from inspector.ui.documents.trace_document import TraceDocument
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.command_hints import in_window
from inspector.ui.window.host import Window
from inspector.ui.window.tabs import TabEntry

_NO_TEXT = mark("This model does not generate text")


def has_any(window: Window) -> str:
    """Something is in front."""
    return "" if window.front() is not None else tr("Nothing is open")


def has_link(window: Window) -> str:
    """What is in front is in a file that a command can name."""
    shown = window.front()
    if shown is None:
        return tr("Nothing is open")
    if isinstance(shown, DiffDocument):
        return tr("A link leads to one model; `inspector diff` compares two")
    return "" if shown_file(window) is not None else tr("What is shown is in no file. Save it.")


def shown_file(window: Window) -> Path | None:
    """Return the file of what is in front: of a model, a trace, or a report without one."""
    shown = window.front()
    if isinstance(shown, TraceDocument):
        return shown.path
    if not isinstance(shown, Document):
        return None
    if shown.reopen_path is not None or shown.report is None:
        return shown.reopen_path
    origin = window.workspace.autosave.origin(shown.report)
    return origin.path if origin is not None else None


def has_model(window: Window) -> str:
    """A model is in front."""
    there = window.document is not None and window.document.model is not None
    return "" if there else tr("No model is open")


def has_trace(window: Window) -> str:
    """A trace is in front."""
    return "" if window.trace is not None else tr("No trace is shown")


def has_language_model(window: Window) -> str:
    """A model is in front that generates text."""
    refusal, document = has_model(window), window.document
    if refusal or document is None:
        return refusal
    return "" if document.is_language_model else tr(_NO_TEXT)


def has_code(window: Window) -> str:
    """A model is in front, and there are languages to write code in."""
    known = code_languages.any_programs()
    return has_model(window) if known else tr("The plugin for code is not installed")


def can_run(document: Document | None) -> str:
    """A model is there that Inspector runs."""
    if document is None or document.model is None:
        return tr("No model is open")
    refusal, failed = document.not_run, document.refused
    if refusal is None and failed is None:
        return ""
    why, hint = refusal or (tr("It does not load"), failed.why if failed is not None else "")
    return units.clip(f"{why}: {in_window(hint)}", 300)


def is_idle(window: Window) -> str:
    """The model in front can be run now."""
    document = window.document
    busy = document is not None and document.work is not None
    refusal = can_run(document)
    return tr("Another job is running; wait or cancel it") if busy and not refusal else refusal


def is_busy(window: Window) -> str:
    """A job runs."""
    document = window.document
    busy = document is not None and bool(document.work or document.improve_progress)
    return "" if busy else tr("Nothing is running")


def has_edits(window: Window) -> str:
    """The model in front has edits that can be saved."""
    edited = window.document is not None and window.document.unsaved_edits > 0
    return "" if edited else tr("The model has no edits that are not saved")


def has_report(window: Window) -> str:
    """A report is shown."""
    there = window.document is not None and window.document.report is not None
    return "" if there else tr("No report is shown. Measure the model, or open a report.")


def has_unsaved(window: Window) -> str:
    """The model in front has edits, or a report is shown."""
    there = not (has_edits(window) and has_report(window))
    return "" if there else tr("The model has no edits, and no report is shown")


def has_sweep(window: Window) -> str:
    """A sweep is shown."""
    there = window.document is not None and window.document.swept
    return "" if there else tr("No sweep is shown. Start one in the Performance tab.")


def has_recipe_results(window: Window) -> str:
    """Improve has candidates."""
    improvement = window.document.improvement if window.document is not None else None
    there = improvement is not None and bool(improvement.candidates)
    return "" if there else tr("No recipe has been run yet")


def has_two_reports(window: Window) -> str:
    """Several reports are open."""
    count = sum(len(document.reports) for document in window.workspace.documents)
    return "" if count > 1 else tr("Needs two open reports. Measure again, or open another.")


def has_tab(window: Window, tab: TabEntry) -> str:
    """A document is in front that has a tab."""
    document = window.document
    if document is None:
        return tr("No model is open")
    if tab.in_place_of and not document.is_language_model:
        return tr(_NO_TEXT)
    there = document.path is not None or not tab.needs_model
    return "" if there else tr("The model of this report is not open")


def can_reopen(window: Window) -> str:
    """Something was closed that can be opened again."""
    return "" if window.session.can_reopen() else tr("Nothing has been closed yet")


def can_restore(window: Window) -> str:
    """There is an earlier session that is not open."""
    return "" if window.session.can_restore() else tr("There is no previous session")
