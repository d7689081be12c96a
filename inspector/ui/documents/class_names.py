"""The source of class names, and the best classes of the last prediction with them.

The choice belongs to the document, so that Overview and Preview say the same.
"""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QMenu, QWidget

from inspector.preview.families.output_structure import of_model
from inspector.preview.outputs import labels, results
from inspector.preview.outputs.labels import ClassNames, LabelList
from inspector.ui import units
from inspector.ui.background import TaskRunner
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.document import Document
from inspector.ui.translate import tr


class ClassNameChooser(QObject):
    """Offers the lists that fit, and a file, and gives the choice to the document."""

    failed = Signal(object)  # InspectorError

    def __init__(self, parent: QWidget, document: Document) -> None:
        super().__init__(parent)
        self._parent, self._document = parent, document
        self._jobs = TaskRunner(self)

    def use_file(self, path: Path) -> None:
        """Take the names from a file."""
        self._jobs.start(
            lambda: ClassNames(path.name, labels.read(path)),
            self._document.choose_class_names,
            self.failed.emit,
        )

    def use_list(self, chosen: LabelList | None) -> None:
        """Take the names from a list of ours; None: show numbers."""
        names = ClassNames(chosen.title, chosen.read()) if chosen else ClassNames()
        self._document.choose_class_names(names)

    def menu(self, shapes: Sequence[Sequence[int]]) -> QMenu:
        """Return a menu of the choices for outputs of these shapes."""
        menu = QMenu(self._parent)
        menu.addAction(tr("No class names")).triggered.connect(lambda: self.use_list(None))
        lists = labels.fitting(shapes)
        if lists:
            menu.addSeparator()
        for each in lists:
            action = menu.addAction(f"{each.title} · {units.number(each.count)}")
            action.triggered.connect(lambda _=False, chosen=each: self.use_list(chosen))
        menu.addSeparator()
        menu.addAction(tr("From a file…")).triggered.connect(self._ask_file)
        menu.aboutToHide.connect(menu.deleteLater)
        return menu

    def offer(self, shapes: Sequence[Sequence[int]]) -> None:
        """Show the menu below the button that was pressed, by mouse or key."""
        pressed = QApplication.focusWidget()
        if isinstance(pressed, QAbstractButton):
            self.menu(shapes).popup(pressed.mapToGlobal(pressed.rect().bottomLeft()))
        else:
            self.menu(shapes).popup(QCursor.pos())

    def _ask_file(self) -> None:
        kinds = tr("Class names (*.txt *.json *.csv *.names);;All files (*)")
        name, _ = QFileDialog.getOpenFileName(
            self._parent, tr("Class names"), file_dialogs.start(), kinds
        )
        if name:
            self.use_file(Path(name))


def top_classes(document: Document, count: int) -> tuple[results.Class, ...]:
    """Return the first classes of the last prediction, best first; none without classes."""
    model, prediction = document.model, document.prediction
    if model is None or prediction is None or not prediction.outputs:
        return ()
    if document.class_names is not None:
        names = document.class_names.names
    else:
        names = labels.of_model(model)
        fitting = None if names else labels.assumed(model.inputs, model.outputs)
        names = fitting.read() if fitting is not None else names
    output = prediction.outputs[0]
    structure = of_model(model)
    if not results.is_classes(output, names, structure):
        return ()
    rows = results.classes(output, names, count, softmax=True, structure=structure)
    return tuple(rows[0].top) if rows else ()
