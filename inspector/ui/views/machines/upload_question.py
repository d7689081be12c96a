"""Asks before a model is sent to a service."""

from collections.abc import Sequence

from PySide6.QtWidgets import QMessageBox, QWidget

from inspector.remote import uploads as consent
from inspector.remote.uploads import Upload
from inspector.ui.translate import tr


def allow_uploads(window: QWidget, uploads: Sequence[Upload], device: str) -> bool:
    """Ask whether models may be uploaded, and remember it; return whether they may.

    Raises NotSaved: the answer cannot be remembered.
    """
    new = [each for each in uploads if not consent.is_allowed(each.sha256, each.service)]
    if not new:
        return True
    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(tr("Upload — Inspector"))
    box.setText(tr("Upload to {service}?").format(service=new[0].service))
    box.setInformativeText(consent.question(new, device))
    stay = box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
    upload = box.addButton(tr("Upload"), QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(stay)
    box.exec()
    if box.clickedButton() is not upload:
        return False
    for each in new:
        consent.allow(each.sha256, each.service)
    return True
