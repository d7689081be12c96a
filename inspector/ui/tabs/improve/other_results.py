"""Results that the next run would not keep: of other test inputs, or of another device."""

from PySide6.QtWidgets import QMessageBox, QWidget

from inspector.ui import units
from inspector.ui.documents.improving import Improving
from inspector.ui.translate import plural, tr

_MOST_NAME = 60  # letters of a folder


def other_results(improving: Improving) -> str:
    """Return that the results are of other inputs or another device than those chosen."""
    now = improving.improvement
    if now is None or improving.keeps_results:
        return ""
    name = now.test.name if now.test is not None else tr("usual inputs")
    text = tr("These results are of {name} on {device}, not of what is chosen now.")
    return text.format(name=units.clip(name, _MOST_NAME), device=units.device(now.device))


def may_replace_results(improving: Improving, parent: QWidget) -> bool:
    """Ask before a run drops results that cannot be compared with its own."""
    now = improving.improvement
    if now is None or improving.keeps_results:
        return True
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(tr("Drop earlier results"))
    count = plural(len(now.candidates), "candidate")
    box.setText(tr("{count} will leave the list.").format(count=count))
    hint = tr("Save results… in the menu of the recipe keeps them.")
    box.setInformativeText(f"{other_results(improving)} {hint}")
    accept = box.addButton(tr("Drop and run"), QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole))
    box.exec()
    return box.clickedButton() is accept
