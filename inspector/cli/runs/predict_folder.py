"""inspector predict --folder: run a model on each file of a folder."""

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from inspector import units
from inspector.analysis.verdicts.outputs import as_json
from inspector.app import subjects
from inspector.backends.values import Progress as Step
from inspector.cli import model_request, other_machines, pages
from inspector.cli.options import arguments, option_types
from inspector.cli.progress import Progress
from inspector.engine.client.engine_process import EngineProcess, second_prediction
from inspector.errors import Cancelled, InspectorError
from inspector.export.registry import Subject
from inspector.export.tables.folder_csv import folder_csv
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import Prediction
from inspector.pages.outputs.folder import folder_page
from inspector.platform import files
from inspector.preview.families import output_meanings
from inspector.preview.inputs.feeds import feeds_by_name
from inspector.preview.inputs.image import ImagePreprocessing
from inspector.preview.preprocessing import saved
from inspector.preview.runs import folder, step_by_step
from inspector.preview.runs import folder as folder_module
from inspector.preview.runs.folder import Confusion, Meaning, Row, Summary
from inspector.preview.runs.model_comparison import ModelComparison, comparison_of
from inspector.preview.runs.steps import Predict
from inspector.remote import machines, remote_engine, shards
from inspector.remote.blobs import hash_of
from inspector.remote.machines import Target
from inspector.remote.messages import NO_LABELS as NUMBERS_ONLY
from inspector.remote.messages import Job, ModelFile
from inspector.report.output_verdict import TEST_DATA, OutputVerdict
from inspector.report.run_spec import RunSpec
from inspector.wording import stored

SCHEMA = "folder/1"
_SENT = ("order", "scale", "mean", "std", "resize", "filter")  # options, to a lab
_MOST_FILES, _MOST_SHARDS = 10_000_000, 300  # shards: on the way at once
_REPEATS = 2  # files that the first run answers twice, to see whether it repeats itself


def run(options: argparse.Namespace) -> None:
    """Run the model on each file; results so far are printed when it is stopped.

    Raises InspectorError: nothing to read, or the table could not be written. Cancelled.
    """
    request = model_request.subject_of(options)
    info = folder.input_for(request.model.inputs, request.given)
    paths = folder.files_in(options.folder, info, _MOST_FILES)
    if not request.labels.names and options.truth == folder.FOLDERS:
        names = folder.folder_labels(options.folder, paths)
        request = replace(request, labels=subjects.Labels(names))
    request = model_request.with_assumed_labels(request, options)
    expected = folder.truth(options.truth, options.folder, paths, request.labels.names)
    rows: list[Row] = []
    notes: list[str] = []
    comparison = _comparison(options, request, info, paths)
    try:
        _fill(options, request, info, paths, expected, rows, notes, comparison)
        stopped = False
    except (KeyboardInterrupt, Cancelled):
        stopped = True
    _tell(options, request, rows, notes, comparison)
    if stopped:
        raise Cancelled(f"Stopped after {len(rows):,} of {len(paths):,} files")


def _comparison(
    options: argparse.Namespace,
    request: subjects.Subject,
    info: TensorInfo,
    paths: Sequence[Path],
) -> ModelComparison | None:
    """Return what judges the other run over all files; None without one."""
    if options.against is None:
        return None
    for path in paths:
        with suppress(InspectorError):  # its row will say why
            feeds = feeds_by_name(request.with_file(path, info).filled())
            return comparison_of(request.path, request.model, feeds, request.labels.names)
    return None


def _fill(
    options: argparse.Namespace,
    request: subjects.Subject,
    info: TensorInfo,
    paths: Sequence[Path],
    expected: Any,
    found: list[Row],
    notes: list[str],
    comparison: ModelComparison | None,
) -> None:

    target = other_machines.only_target(options)
    alone = options.against is None and not request.given and not options.on_cpu
    spec = RunSpec(
        devices=(options.device,),
        cast=options.cast,
        on_cpu=tuple(options.on_cpu),
        custom_ops=tuple(options.custom_ops),
    )
    if target is not None and target.in_pool and alone:
        with Progress(sys.stderr) as progress:
            limits, show = option_types.job_limits(options), progress.show_stall
            with other_machines.engine(options, show, limits) as engine:
                once = _once(engine, request.path, spec)
                request, note = _with_retry(options, request, info, paths, expected, once)
        notes += [note] if note else []
        _fill_by_shards(options, request, info, paths, expected, found, target)
        return
    with ExitStack() as stack:
        progress = stack.enter_context(Progress(sys.stderr))
        limits, show = option_types.job_limits(options), progress.show_stall
        engine = stack.enter_context(other_machines.engine(options, show, limits))
        once = _once(engine, request.path, spec)
        request, note = _with_retry(options, request, info, paths, expected, once)
        notes += [note] if note else []
        first = _answer(options, request, info, once)
        other = None
        if options.against is not None:
            # A process of its own, or each file would load both models anew.
            beside = stack.enter_context(other_machines.engine(options, show, limits))
            other = _other(options, request, info, beside, spec)

        def both(path: Path, one: Prediction, two: Prediction) -> None:
            if comparison is not None:
                repeated = comparison.inputs < _REPEATS
                comparison.add(one.outputs, two.outputs, path.name)
                if repeated:
                    comparison.add_repeat(one.outputs, first(path).outputs)

        meaning = _meaning(request, info)
        rows = folder.rows(options.folder, paths, first, expected, meaning, other, both)
        for row in rows:
            found.append(row)
            progress.show(Step("prediction", len(found) / len(paths)))


def _meaning(request: subjects.Subject, info: TensorInfo) -> Meaning:
    """Return what the outputs mean, with the size of the images that the model gets."""
    preparation = request.image.preparation(info)
    size = (preparation.width, preparation.height) if preparation is not None else (0, 0)
    return Meaning(request.labels.names, request.image.structure, size)


def _with_retry(
    options: argparse.Namespace,
    request: subjects.Subject,
    info: TensorInfo,
    paths: Sequence[Path],
    expected: Any,
    once: Predict,
) -> tuple[subjects.Subject, str]:
    """Return the request with the preprocessing that does best on some of the files, where
    the guessed one is not sure; and a note about it."""
    chosen = request.image
    if chosen.fixed:
        return request, ""

    def with_preprocessing(preparation: ImagePreprocessing) -> subjects.Subject:
        return replace(request, image=replace(chosen, saved=((info.name, preparation),)))

    def predict(preparation: ImagePreprocessing, path: Path) -> Prediction:
        return _answer(options, with_preprocessing(preparation), info, once)(path)

    guessed, meaning = chosen.preparation(info), _meaning(request, info)
    outputs = request.model.outputs
    again = folder.best_preprocessing(predict, guessed, paths, expected, info, outputs, meaning)
    if again is None or again.preprocessing is None:
        return request, "" if again is None else again.text
    return with_preprocessing(again.preprocessing), again.text


def _fill_by_shards(
    options: argparse.Namespace,
    request: subjects.Subject,
    info: TensorInfo,
    paths: Sequence[Path],
    expected: Any,
    found: list[Row],
    target: Target,
) -> None:
    """Have the machines of a pool predict the files, a thousand of them in one job.

    The preprocessing travels as the file that is saved next to a model, so that all shards
    have the same one.
    """
    values = {name: getattr(options, name) for name in _SENT}
    words = {
        name: ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        for name, value in values.items()
        if value is not None
    }
    words |= {name: "" for name in ("cast", "plain") if getattr(options, name)}
    words["device"] = target.device or options.device
    with Progress(sys.stderr) as progress, files.private_folder() as made:
        listed = remote_engine.files_of(request.path, request.model)
        sidecar = Path(made) / saved.sidecar_path(request.path).name
        kept, preparation = request.kept, request.image.preparation(info)
        kept = replace(kept, outputs=output_meanings.of_outputs(request.model))
        if preparation is not None:
            kept = replace(kept, pictures={**kept.pictures, info.name: preparation})
            words.pop("plain", None)
        sidecar.write_bytes(saved.encode(kept, request.path.name))
        listed[sidecar.name] = sidecar
        if request.labels.names and request.labels.source != arguments.FROM_FILE:
            text = "\n".join(request.labels.names)
            (Path(made) / shards.LABELS).write_text(text, "utf-8")
            listed[shards.LABELS] = Path(made) / shards.LABELS
        elif options.labels is not None and not request.labels.names:  # nor those in the file
            words["labels"] = NUMBERS_ONLY
        hashed = {name: (path, *hash_of(path)) for name, path in listed.items()}
        model = tuple(ModelFile(name, sha, size) for name, (_, sha, size) in hashed.items())
        own = {sha: path for path, sha, _ in hashed.values()}
        base = Job("", "folder", model=model, options=words, client=remote_engine.client())
        width = target.width()
        count = min(_MOST_SHARDS, shards.AT_ONCE * width)
        lines = [machines.line_to(target.machine) for _ in range(count)]
        names = {path: folder.relative_path(options.folder, path) for path in paths}
        size = max(1, min(shards.FILES, -(-len(paths) // width)))
        rows = shards.predict(lines, base, own, paths, names, size)
        for path, row in zip(paths, rows, strict=True):
            found.append(replace(row, wanted=expected.get(path, "")))
            progress.show(Step("prediction", len(found) / len(paths)))


def _once(engine: EngineProcess, model: Path, spec: RunSpec) -> Predict:
    return lambda arrays, steps=None: engine.predict(model, spec, arrays, steps=steps)


def _answer(
    options: argparse.Namespace,
    request: subjects.Subject,
    info: TensorInfo,
    once: Predict,
) -> Callable[[Path], Prediction]:
    """Return a function that predicts one file with the given values of the other inputs."""

    def answer(path: Path) -> Prediction:
        own = request.with_file(path, info)
        return step_by_step.answer(once, own.filled(), own.stepping.memory)

    return answer


def _other(
    options: argparse.Namespace,
    request: subjects.Subject,
    info: TensorInfo,
    engine: EngineProcess,
    spec: RunSpec,
) -> Callable[[Path], Prediction]:

    other = options.against
    once = second_prediction(engine, request.path, spec, other)
    if not other.model:
        return _answer(options, request, info, once)
    theirs = model_request.other_model(options, Path(other.model))
    return _answer(options, theirs, folder.input_for(theirs.model.inputs, ()), once)


def _tell(
    options: argparse.Namespace,
    request: subjects.Subject,
    rows: Sequence[Row],
    notes: Sequence[str],
    comparison: ModelComparison | None,
) -> None:

    verdict = None
    if comparison is not None and comparison.inputs:
        verdict = comparison.verdict(TEST_DATA)
    against = "" if options.against is None else options.against.label
    said = [model_request.assumption(request.labels)] if request.labels.assumed else []
    source = request.kept.source
    said += [f"preprocessing saved in {source}"] if source else []
    name, texts = request.model.name, (*notes, *said)
    result = folder_module.FolderResult(
        name, rows, request.labels.names, against, verdict, texts
    )
    if options.csv:
        files.write_atomic(options.csv, folder_csv(result))
    if options.report:
        pages.save_report(Subject.FOLDER, options.report, result)
    if options.json:
        counted = folder_module.summary(rows)
        matrix = folder_module.confusion(rows, request.labels.names)
        _print_json(options, request, rows, counted, matrix, notes, verdict)
        return
    pages.show(folder_page(result), options.details)
    if options.csv:
        print(f"\nsaved {units.visible(options.csv)}")


def _print_json(
    options: argparse.Namespace,
    request: subjects.Subject,
    rows: Sequence[Row],
    counted: Summary,
    matrix: Confusion | None,
    notes: Sequence[str],
    verdict: OutputVerdict | None,
) -> None:

    against = None if options.against is None else options.against.label
    body = {
        "schema": SCHEMA,
        "model": request.model.name,
        "device": options.device,
        "against": against,
        "kept": request.kept.source,
        "labels": model_request.labels_as_json(request.labels),
        "summary": asdict(counted)
        | {
            "failed": counted.failed,
            "top1": counted.accuracy,
            "top5": counted.top_accuracy,
            "agreement": counted.agreement,
            "labeled": counted.told,
            "correct": counted.right,
            "correct_in_top5": counted.right_in_top,
            "other_labeled": counted.other_told,
            "other_correct": counted.other_right,
        },
        "confusion": None
        if matrix is None
        else {
            "labels": matrix.labels,
            "counts": matrix.counts.tolist(),
            "left_out": matrix.left_out,
        },
        "verdict": None if verdict is None else as_json(verdict),
        "notes": notes,
        "rows": [_row_json(row) for row in rows],
    }
    print(stored.json_text(body))


def _row_json(row: Row) -> dict[str, object]:
    """Return a row with the names that others read, beside those of the first versions."""
    body = asdict(row) | {"right": row.right}
    del body["why"]  # the problem ends with it
    body |= {
        "label": row.wanted,
        "correct": row.right,
        "correct_in_top5": row.right_in_top,
    }
    if row.agreement is not None:
        body["agreement"] |= {"correct": row.agreement.right}
    return body
