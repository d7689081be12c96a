"""What the window says of files that changed, and asks before it loses something."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from inspector import units
from inspector.errors import InspectorError
from inspector.ui.documents.document import DiskState, Document
from inspector.ui.window.notice import Action, Message


def of_disk(document: Document, reload: Callable[[], object]) -> Message | None:
    """Return what is said of the file of an open model; None where it is as it was read."""
    name = document.name
    if document.disk is DiskState.CHANGED:
        text = (
            "What you see was read before, and cannot be run any more. "
            "Press F5 to reload the file; its reports stay."
        )
        action = Action("Reload", reload)
        return Message(f"{name} changed on disk", text, bad=True, action=action)
    if document.disk is DiskState.MISSING:
        text = "It was deleted, renamed or moved. What was read of it stays open."
        return Message(f"{name} is not there any more", text, bad=True)
    return None


def not_reloaded(
    document: Document, error: InspectorError, reload: Callable[[], object]
) -> Message:
    """Return what is said where the new content of a file cannot be read."""
    why = f"{error.why[:1].upper()}{error.why[1:]}. What you see was read before."
    action = Action("Reload", reload)
    return Message(f"{document.name} was not reloaded", why, bad=True, action=action)


def asks_to_quit(window: QWidget, count: int) -> bool:
    """Ask whether to quit though reports are in no file; return whether the user wants to."""
    from PySide6.QtWidgets import QMessageBox  # its classes cost start-up time

    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle("Quit — Inspector")
    box.setText(f"{units.plural(count, 'report')} could not be kept")
    box.setInformativeText(
        "The library cannot be written. Export what you want to keep, or quit without it."
    )
    stay = box.addButton("Go back", QMessageBox.ButtonRole.RejectRole)
    leave = box.addButton("Quit without", QMessageBox.ButtonRole.DestructiveRole)
    box.setDefaultButton(stay)
    box.exec()
    return box.clickedButton() is leave
