"""Completes a report for export with what the window knows of its model.

The prediction in Preview, the accuracy on labeled inputs, the support by other devices, and the
results of Improve.
"""

from collections.abc import Callable
from dataclasses import replace

import msgspec

from inspector.analysis.devices import targets
from inspector.analysis.facts.model_facts import findings
from inspector.errors import InspectorError
from inspector.model.model import TensorInfo
from inspector.preview.inputs import image_files
from inspector.preview.inputs.default_values import fixed_lengths
from inspector.preview.runs.folder import Row
from inspector.report.improvement import Accuracy, DataSet, Improvement
from inspector.report.model_results import (
    MOST_FILES,
    DeclaredValue,
    FileAnswer,
    ModelResults,
    TargetAnswer,
)
from inspector.report.report import (
    MOST_ANSWERS,
    MOST_PREVIEW_PX,
    PerformanceReport,
    PreviewedPrediction,
)
from inspector.ui import units
from inspector.ui.documents.class_names import top_classes
from inspector.ui.documents.document import Document
from inspector.ui.translate import tr

Complete = Callable[[PerformanceReport], PerformanceReport]


def completion(document: Document, picture: bool = False) -> Complete:
    """Return what adds to a report all that the window knows, on any thread.

    picture: with the image of Preview itself, which may show what a report should not.
    """
    previewed, add_results = _previewed(document, picture), add_model_results(document)
    return lambda report: add_results(replace(report, previewed=previewed))


def _previewed(document: Document, picture: bool) -> PreviewedPrediction | None:
    """Return the prediction that Preview shows, if it is one of an image."""
    classes, image = top_classes(document, MOST_ANSWERS), document.image
    if not classes or image is None:
        return None
    height, width = image.shape[:2]
    scale = min(1.0, MOST_PREVIEW_PX / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    pixels = image_files.to_colors(image_files.resize(image, *size, "stretch", "area"), 3)
    return PreviewedPrediction(
        document.input_source or tr("an image"),
        size[0] if picture else 0,
        size[1] if picture else 0,
        pixels.tobytes() if picture else b"",
        tuple(each.label or tr("Class {index}").format(index=each.index) for each in classes),
        tuple(float(each.probability) for each in classes),
        document.input_problem,
    )


def add_model_results(document: Document) -> Complete:
    """Return what adds all that the window knows of a model to a report, on any thread."""
    model, improvement = document.model, document.improvement
    accuracy, tested = _accuracy(document, improvement)
    if model is None:
        return lambda report: report
    check, lengths = document.estimating.check_targets, fixed_lengths(model.inputs)
    known = ModelResults(
        accuracy,
        tested,
        improvement=improvement and _compact(improvement),
        inputs=tuple(map(_declared, model.inputs)),
        outputs=tuple(map(_declared, model.outputs)),
        findings=findings(model, document.facts) if document.facts is not None else (),
        folder=document.folder_tested[0].name if document.folder_tested is not None else "",
        files=tuple(map(_answered, document.folder_rows[:MOST_FILES])),
        file_count=len(document.folder_rows),
    )

    def complete(report: PerformanceReport) -> PerformanceReport:
        try:
            results = check(targets.for_model(model), lengths)
        except InspectorError:  # then nothing is known of other devices
            results = ()
        answers = tuple(
            TargetAnswer(
                each.target.title,
                each.target.provider,
                each.answer.value,
                each.known_layers,
                each.summary.layers,
                each.sentence,
            )
            for each in results
        )
        complete_results = replace(
            known,
            phones=dict(targets.phone_answers(results)),
            targets=answers,
            removed=max((each.removed for each in results), default=0),
            lengths=dict(lengths) if results else {},
        )
        return replace(report, model_results=complete_results)

    return complete


def _declared(value: TensorInfo) -> DeclaredValue:
    return DeclaredValue(value.name, value.dtype, units.shape(value.shape))


def _answered(row: Row) -> FileAnswer:
    return FileAnswer(
        row.file, row.answer, row.score, row.top, row.wanted, row.problem, row.of_box
    )


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
