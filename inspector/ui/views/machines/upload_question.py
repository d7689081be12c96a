"""Asks before a model is sent to a service."""

from collections.abc import Sequence

from PySide6.QtWidgets import QMessageBox, QWidget

from inspector.remote import uploads as consent
from inspector.remote.uploads import Upload
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import asked


def allow_uploads(window: QWidget, uploads: Sequence[Upload], device: str) -> bool:
    """Ask whether models may be uploaded, and remember it; return whether they may.

    Raises NotSaved: the answer cannot be remembered.
    """
    new = [each for each in uploads if not consent.is_allowed(each.sha256, each.service)]
    if not new:
        return True
    what = tr("Upload to {service}?").format(service=new[0].service)
    role = QMessageBox.ButtonRole
    answers = (tr("Cancel"), role.RejectRole), (tr("Upload"), role.AcceptRole)
    if not asked(
        window, tr("Upload — Inspector"), what, consent.question(new, device), *answers
    ):
        return False
    for each in new:
        consent.allow(each.sha256, each.service)
    return True
