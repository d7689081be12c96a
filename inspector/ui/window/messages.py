"""What the window says of files that changed, and asks before it loses something."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.errors import InspectorError
from inspector.ui import units
from inspector.ui.documents.document import DiskState, Document
from inspector.ui.translate import plural, tr

if TYPE_CHECKING:  # what the first picture does not need is imported after it
    from inspector.remote.ai_hub import Upload
    from inspector.ui.widgets.notice import Message


def disk_message(document: Document, reload: Callable[[], object]) -> "Message | None":
    """Return what is said of the file of an open model; None where it is as it was read."""
    from inspector.ui.widgets.notice import Action, Message

    name = document.name
    if document.disk is DiskState.CHANGED:
        text = tr(
            "The model shown is the old version and can no longer be run. "
            "Press F5 to reload it; its reports stay open."
        )
        action = Action(tr("Reload"), reload)
        return Message(
            tr("{name} changed on disk").format(name=name), text, bad=True, action=action
        )
    if document.disk is DiskState.MISSING:
        text = tr("It was deleted, renamed or moved. The loaded model stays open.")
        return Message(tr("{name} no longer exists").format(name=name), text, bad=True)
    return None


def reload_failed_message(
    document: Document, error: InspectorError, reload: Callable[[], object]
) -> "Message":
    """Return what is said where the new content of a file cannot be read."""
    from inspector.ui.widgets.notice import Action, Message

    why = tr("{why}. The model shown is the old version.").format(
        why=units.capitalized(error.why)
    )
    action = Action(tr("Reload"), reload)
    return Message(
        tr("{name} could not be reloaded").format(name=document.name),
        why,
        bad=True,
        action=action,
    )


def confirm_quit(window: QWidget, count: int) -> bool:
    """Ask whether to quit though reports are in no file; return whether the user wants to."""
    from PySide6.QtWidgets import QMessageBox  # its classes cost start-up time

    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle(tr("Quit — Inspector"))
    box.setText(
        tr("{report_count} could not be saved").format(report_count=plural(count, "report"))
    )
    box.setInformativeText(
        tr(
            "The report library is not writable. Export the reports that you need, "
            "or quit without saving."
        )
    )
    stay = box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
    leave = box.addButton(tr("Quit without saving"), QMessageBox.ButtonRole.DestructiveRole)
    box.setDefaultButton(stay)
    box.exec()
    return box.clickedButton() is leave


def allow_uploads(window: QWidget, uploads: "Sequence[Upload]", device: str) -> bool:
    """Ask whether models may be uploaded, and remember it; return whether they may.

    Raises NotSaved: the answer cannot be remembered.
    """
    from PySide6.QtWidgets import QMessageBox

    from inspector.remote import ai_hub

    new = [each for each in uploads if not ai_hub.is_allowed(each.sha256)]
    if not new:
        return True
    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(tr("Upload — Inspector"))
    box.setText(tr("Upload to {service}?").format(service=ai_hub.SITE))
    box.setInformativeText(ai_hub.question(new, device))
    stay = box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
    upload = box.addButton(tr("Upload"), QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(stay)
    box.exec()
    if box.clickedButton() is not upload:
        return False
    for each in new:
        ai_hub.allow(each.sha256)
    return True
