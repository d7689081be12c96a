"""The dialogs that need nothing but the window: each is imported when it is shown."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QWidget

from inspector.ui import glossary, guide
from inspector.ui.documents.document import Document
from inspector.ui.documents.workspace import Workspace
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.session import Session


def show_preferences(
    theme: Theme, workspace: Workspace, session: Session, parent: QWidget
) -> None:
    """Let the user change what holds for all windows."""
    from inspector.ui.window.dialogs.preferences_dialog import PreferencesDialog

    dialog = PreferencesDialog(theme, workspace, parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.restore_chosen.connect(session.set_restores)
    dialog.open()


def show_machine_matrix(
    theme: Theme,
    workspace: Workspace,
    measure_there: Callable[[Document, str], None],
    parent: QWidget,
) -> None:
    """Show the window that measures the open models on several machines.

    measure_there: measures a model by itself on a machine, which is as `--on` takes it.
    """
    from inspector.ui.tabs.machines.measuring import MachineMeasuring
    from inspector.ui.tabs.machines.view import MachinesView

    opened = parent.findChild(MachinesView)
    if opened is not None:
        opened.raise_()
        opened.activateWindow()
        return
    measuring = parent.findChild(MachineMeasuring)
    if measuring is None:
        measuring = MachineMeasuring(workspace, parent)
    view = MachinesView(theme, workspace, measuring, parent)
    view.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    view.report_asked.connect(measure_there)
    view.show()


def show_guide(theme: Theme, page: str, parent: QWidget) -> None:
    """Explain the term under the pointer, or else show a page of the user guide."""
    from inspector.ui.window.dialogs.guide_dialog import GuideDialog

    term = _term_under_pointer()
    if term:
        show_glossary(theme, parent, term)
        return
    dialog = GuideDialog(theme, parent)
    dialog.visit(page or guide.HOME)
    dialog.show()


def _term_under_pointer() -> str:
    """Return the text under the pointer if it is a term of the glossary, else ""."""
    widget = QApplication.widgetAt(QCursor.pos())
    text = widget.text() if isinstance(widget, QLabel) else ""
    return text if glossary.meaning(text) else ""


def show_glossary(theme: Theme, parent: QWidget, term: str = "") -> None:
    """Explain the terms of the window, or one of them."""
    from inspector.ui.window.dialogs.help_dialogs import GlossaryDialog

    dialog = GlossaryDialog(theme, parent)
    dialog.field.setText(term)
    dialog.show()


def show_shortcuts(theme: Theme, parent: QWidget) -> None:
    """List all keyboard shortcuts."""
    from inspector.ui.window.dialogs.help_dialogs import ShortcutsDialog

    dialog: QDialog = ShortcutsDialog(theme, parent)
    dialog.show()


def show_about(theme: Theme, parent: QWidget) -> None:
    """Show version, licenses and how models are isolated."""
    from inspector.ui.window.dialogs.help_dialogs import AboutDialog

    AboutDialog(theme, parent).show()
