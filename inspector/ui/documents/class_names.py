"""The source of class names, and the last prediction with them: for Overview and reports.

A report that is exported also gets what else the window knows of the model.

The choice belongs to the document, so that Overview and Preview say the same.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QMenu, QWidget

from inspector import units
from inspector.backends.onnxruntime.placement import targets
from inspector.errors import InspectorError
from inspector.preview.families.output_structure import of_model
from inspector.preview.inputs import image_files
from inspector.preview.inputs.default_values import fixed_lengths
from inspector.preview.outputs import labels, results
from inspector.preview.outputs.labels import ClassNames, LabelList
from inspector.report.findings import Findings, TargetAnswer
from inspector.report.improvement import Accuracy, DataSet, Improvement
from inspector.report.report import (
    MOST_ANSWERS,
    MOST_PREVIEW_PX,
    PerformanceReport,
    PreviewedPrediction,
)
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
            action = menu.addAction(f"{each.title} · {each.count:,}")
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


_GENERATED = ("zeros", "ones", "random")  # beginnings of sources that are no file


def top_classes(document: Document, count: int) -> tuple[results.Class, ...]:
    """Return the first classes of the last prediction, best first; none without classes."""
    model, prediction = document.model, document.prediction
    if model is None or prediction is None or not prediction.outputs:
        return ()
    if document.class_names is not None:
        names = document.class_names.names
    else:
        names = labels.from_metadata(model.metadata)
        fitting = None if names else labels.assumed(model.inputs, model.outputs)
        names = fitting.read() if fitting is not None else names
    output = prediction.outputs[0]
    if not results.is_classes(output, names, of_model(model)):
        return ()
    rows = results.classes(output, names, count, softmax=True)
    return tuple(rows[0].top) if rows else ()


def input_problem(document: Document) -> str:
    """Return why the image of the answer is obviously not what the model was made for."""
    return document.image_problem if document.image is not None else ""


def input_source(document: Document) -> str:
    """Return the file of the last input; "" where its values were generated."""
    values = [source.value for source in document.sources.values()]
    return "" if not values or values[0].startswith(_GENERATED) else units.clip(values[0], 60)


def with_preview(report: PerformanceReport, document: Document) -> PerformanceReport:
    """Return a report with the prediction that Preview shows, if it is one of a picture."""
    classes, image = top_classes(document, MOST_ANSWERS), document.image
    if not classes or image is None:
        return report
    height, width = image.shape[:2]
    scale = min(1.0, MOST_PREVIEW_PX / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = image_files.to_colors(image_files.resize(image, *size, "stretch", "area"), 3)
    seen = PreviewedPrediction(
        input_source(document) or tr("an image"),
        *size,
        small.tobytes(),
        tuple(each.label or tr("Class {index}").format(index=each.index) for each in classes),
        tuple(float(each.probability) for each in classes),
        input_problem(document),
    )
    return replace(report, previewed=seen)


def finding_out(document: Document) -> Callable[[PerformanceReport], PerformanceReport]:
    """Return what adds all that the window knows of a model to a report, on any thread."""
    model, improvement = document.model, document.improvement
    accuracy, tested = _accuracy(document, improvement)
    if model is None:
        return lambda report: report
    check, lengths = document.estimating.check_targets, fixed_lengths(model.inputs)
    known = Findings(accuracy, tested, improvement=improvement and _compact(improvement))

    def complete(report: PerformanceReport) -> PerformanceReport:
        try:
            found = check(targets.for_model(model), lengths)
        except InspectorError:  # then nothing is known of other devices
            found = ()
        answers = tuple(
            TargetAnswer(
                each.target.title,
                each.target.provider,
                each.answer.value,
                each.count,
                each.sentence,
            )
            for each in found
        )
        assumed = dict(lengths) if found else {}
        phones = targets.overall(found)
        findings = replace(known, phones=phones, targets=answers, lengths=assumed)
        return replace(report, findings=findings)

    return complete


def _accuracy(
    document: Document, improvement: Improvement | None
) -> tuple[tuple[Accuracy, ...], DataSet | None]:
    """Return the accuracy of a model and the inputs it is of, from Improve or Preview."""
    if improvement is not None and improvement.original.accuracy:
        return improvement.original.accuracy, improvement.test
    if document.folder_tested is None:
        return (), None
    place, result = document.folder_tested
    if result.accuracy is None:
        return (), None
    measures = [Accuracy("top1", "Top-1 accuracy", result.accuracy, count=result.told)]
    if result.top_accuracy is not None:
        top5 = Accuracy("top5", "Top-5 accuracy", result.top_accuracy, count=result.told)
        measures.append(top5)
    return tuple(measures), DataSet(str(place), result.files, labeled=result.told)


def _compact(improvement: Improvement) -> Improvement:
    """Return results without layers, and with inputs of the best candidate only."""
    candidates = tuple(
        msgspec.structs.replace(
            each, layers=(), worst=each.worst if place == improvement.best else ()
        )
        for place, each in enumerate(improvement.candidates)
    )
    return msgspec.structs.replace(improvement, candidates=candidates)
