"""What the window tells over the page, and asks before it loses something."""

from collections.abc import Callable, Sequence
from enum import Enum, auto
from pathlib import Path

from PySide6.QtWidgets import QMessageBox, QWidget

from inspector.errors import InspectorError
from inspector.ui import units
from inspector.ui.documents.document import DiskState, Document
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.notice import Action, Message, Notice
from inspector.ui.widgets.parts import asked
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.drops import Drops, Window

_MOST_JOBS = 8  # lines of a question
_Role = QMessageBox.ButtonRole


class Measured(Enum):
    """What of an edited model is measured: a copy with the edits, or the file without."""

    COPY = auto()
    FILE = auto()


class WindowMessages:
    """What a window says over its page. notice: messages. drops: what a drag would do."""

    def __init__(self, theme: Theme, window: Window, page: QWidget) -> None:
        self.notice = Notice(theme, page)
        self.drops = Drops(theme, window, page)

    def tell_disk(self, document: Document, reload: Callable[[], object]) -> None:
        """Report that the file of an open model changed or disappeared, or is back."""
        name = document.name
        if document.disk is DiskState.CHANGED:
            text = tr(
                "The model shown is the old version and can no longer be run. "
                "Press F5 to reload it; its reports stay open."
            )
            what, action = tr("{name} changed on disk"), Action(tr("Reload"), reload)
        elif document.disk is DiskState.MISSING:
            text = tr("It was deleted, renamed or moved. The loaded model stays open.")
            what, action = tr("{name} no longer exists"), None
        else:
            self.notice.forget(document)
            return
        message = Message(what.format(name=name), text, bad=True, action=action)
        self.notice.say(message, document)

    def tell_not_reloaded(
        self, document: Document, error: InspectorError, reload: Callable[[], object]
    ) -> None:
        """Report that the new content of a file cannot be read."""
        why = tr("{why}. The model shown is the old version.").format(
            why=units.capitalized(error.why)
        )
        what = tr("{name} could not be reloaded").format(name=document.name)
        action = Action(tr("Reload"), reload)
        self.notice.say(Message(what, why, bad=True, action=action), document)

    def tell_not_saved(
        self, document: Document, error: InspectorError, export: Callable[[], object]
    ) -> None:
        """Report that a report is in no library; it can be exported instead."""
        self.notice.show_error(error, document, Action(tr("Export report…"), export))

    def tell_closed(
        self, what: str, keys: str, reopen: Callable[[], object], several: bool
    ) -> None:
        """Report that something was closed, and how to reopen it. keys: that do so."""
        text = tr("Press {keys} to reopen it.")
        if several:
            text = tr("Press {keys} to reopen the last one, again for the one before.")
        text = text.format(keys=keys)
        self.notice.say(Message(what, text, action=Action(tr("Reopen"), reopen), fades=True))

    def tell_copied(self, text: str) -> None:
        """Report for a while what was copied."""
        self.notice.say(Message(tr("Link copied"), text, fades=True))

    def tell_settings_damaged(self, aside: Path) -> None:
        """Report that the default settings are used, and where the damaged file is."""
        why = tr("It was moved to {aside}; Inspector is using the default settings.").format(
            aside=aside
        )
        self.notice.say(Message(tr("The settings file was damaged"), why))

    def tell_refused(self, what: str, reason: str) -> None:
        """Report for a while why something is not possible now."""
        self.notice.say(Message(what, reason, fades=True))

    @staticmethod
    def ask_measured(window: QWidget, document: Document) -> Measured | None:
        """Ask whether an edited model is measured, or its file; None for neither."""
        edits, copy = plural(len(document.edit_steps), "edit"), document.edited_copy
        what = tr("{name} has {edits}")
        text = tr("Save a copy and measure it…")
        where = tr("Save the edited model as a copy to measure it. The file stays as it is.")
        if copy is not None:
            text = tr("Measure the copy")
            where = tr("The edited model is saved as {copy}.").format(copy=copy.name)
        chosen = asked(
            window,
            tr("Measure — Inspector"),
            what.format(name=units.clip(document.name, 60), edits=edits),
            where,
            (text, _Role.AcceptRole),
            (tr("Measure without edits"), _Role.DestructiveRole),
            (tr("Cancel"), _Role.RejectRole),
        )
        return (Measured.COPY, Measured.FILE, None)[chosen]

    @staticmethod
    def may_stop(window: QWidget, jobs: Sequence[str]) -> bool:
        """Ask whether to quit in the middle of jobs; return whether to stop them."""
        first = units.clip(jobs[0], 80)
        one, several = tr("{job} is not finished"), tr("{count:,} jobs are not finished")
        what = (one if len(jobs) == 1 else several).format(job=first, count=len(jobs))
        kept = tr("Quitting stops it and keeps the results so far.")
        if len(jobs) > 1:
            listed = "\n".join(units.clip(job, 80) for job in jobs[:_MOST_JOBS])
            kept = f"{listed}\n\n{tr('Quitting stops them and keeps the results so far.')}"
        answers = (
            (tr("Continue"), _Role.RejectRole),
            (tr("Stop and quit"), _Role.DestructiveRole),
        )
        return asked(window, tr("Quit — Inspector"), what, kept, *answers) == 1

    @staticmethod
    def may_quit(window: QWidget, count: int) -> bool:
        """Ask whether to quit though reports are in no file; return whether to."""
        what = tr("{report_count} could not be saved")
        text = tr(
            "The report library is not writable. Export the reports that you need, "
            "or quit without saving."
        )
        leave = tr("Quit without saving"), _Role.DestructiveRole
        answers = (tr("Cancel"), _Role.RejectRole), leave
        what = what.format(report_count=plural(count, "report"))
        title, icon = tr("Quit — Inspector"), QMessageBox.Icon.Warning
        return asked(window, title, what, text, *answers, icon=icon) == 1

    @staticmethod
    def may_drop_edits(window: QWidget, documents: Sequence[Document], quits: bool) -> bool:
        """Ask whether to close models with edits that are in no file; return whether to.

        quits: the session keeps them for the next start.
        """
        names = ", ".join(units.clip(document.name, 40) for document in documents)
        edits = plural(sum(document.unsaved_edits for document in documents), "edit")
        title, leave = tr("Close — Inspector"), tr("Close without saving")
        text = tr("Closing drops the edits. The file on disk is unchanged.")
        if quits:
            title, leave = tr("Quit — Inspector"), tr("Quit and keep the edits")
            text = tr("Unsaved edits return at the next start. The file is unchanged.")
        what = tr("{edits} of {names} not saved").format(edits=edits, names=names)
        answers = (tr("Cancel"), _Role.RejectRole), (leave, _Role.DestructiveRole)
        return asked(window, title, what, text, *answers) == 1
