"""inspector predict --folder: run a model on each file of a folder."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path

from inspector import units
from inspector.analysis.verdicts.outputs import as_json
from inspector.app.folder_on_pool import rows_of_pool
from inspector.app.predict import predicting
from inspector.app.predict_folder import (
    Against,
    FolderTest,
    judge_of,
    of_folder,
    rows,
    with_best_preprocessing,
)
from inspector.backends.values import Progress as Step
from inspector.cli import model_request, other_machines, pages
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.engine.client.engine import Engine
from inspector.engine.client.engine_process import second_prediction
from inspector.errors import Cancelled
from inspector.export.registry import Subject
from inspector.export.tables.folder_csv import folder_csv
from inspector.pages.outputs.folder import folder_page
from inspector.platform import files
from inspector.preview.runs import folder
from inspector.preview.runs.folder import FolderResult, Row
from inspector.preview.runs.model_comparison import ModelComparison
from inspector.preview.runs.other_run import OtherRun
from inspector.report.output_verdict import TEST_DATA
from inspector.report.run_spec import RunSpec
from inspector.wording import stored

SCHEMA = "folder/1"
_MOST_FILES = 10_000_000


def run(options: argparse.Namespace) -> None:
    """Run the model on each file; results so far are printed when it is stopped.

    Raises InspectorError: nothing to read, or the table could not be written. Cancelled.
    """
    spec = RunSpec(
        devices=(options.device,),
        cast=options.cast,
        on_cpu=tuple(options.on_cpu),
        custom_ops=tuple(options.custom_ops),
    )
    subject = replace(model_request.subject_of(options), spec=spec)
    assume = options.labels is None
    test = of_folder(subject, options.folder, options.truth, assume, _MOST_FILES)
    comparison = None if options.against is None else judge_of(test)
    finished: list[Row] = []
    stopped = False
    try:
        with ExitStack() as stack:
            progress = stack.enter_context(Progress(sys.stderr))
            limits, show = option_types.job_limits(options), progress.show_stall
            engine = stack.enter_context(other_machines.engine(options, show, limits))
            once = predicting(engine, subject)
            test = with_best_preprocessing(test, once)
            target = other_machines.only_target(options)
            pooled = options.against is None and not subject.given and not options.on_cpu
            if target is not None and target.in_pool and pooled:
                engine.close()  # it may be on a machine of the pool
                answers = rows_of_pool(test, target, options.device)
            elif comparison is None:
                answers = rows(test, once)
            else:
                # A process of its own, or each file would load both models anew.
                second_engine = stack.enter_context(
                    other_machines.engine(options, show, limits)
                )
                answers = rows(test, once, _against(options, test, comparison, second_engine))
            for row in answers:
                finished.append(row)
                progress.show(Step("prediction", len(finished) / len(test.paths)))
    except (KeyboardInterrupt, Cancelled):
        stopped = True
    _tell(options, test, finished, comparison)
    if stopped:
        raise Cancelled(f"Stopped after {len(finished):,} of {len(test.paths):,} files")


def _against(
    options: argparse.Namespace,
    test: FolderTest,
    comparison: ModelComparison,
    engine: Engine,
) -> Against:
    """Return the second run of each file."""
    other_run: OtherRun = options.against
    once = second_prediction(engine, test.subject.path, test.subject.spec, other_run)
    theirs = (
        model_request.other_model(options, Path(other_run.model)) if other_run.model else None
    )
    return Against(once, theirs, comparison)


def _tell(
    options: argparse.Namespace,
    test: FolderTest,
    found: Sequence[Row],
    comparison: ModelComparison | None,
) -> None:
    """Save and print what was found."""
    subject = test.subject
    verdict = None
    if comparison is not None and comparison.inputs:
        verdict = comparison.verdict(TEST_DATA)
    against = "" if options.against is None else options.against.label
    notes = [test.note] if test.note else []
    said = [model_request.assumption(subject.labels)] if subject.labels.assumed else []
    source = subject.saved_preprocessing.source
    said += [f"preprocessing saved in {source}"] if source else []
    result = FolderResult(
        subject.model.name, found, subject.labels.names, against, verdict, (*notes, *said)
    )
    if options.csv:
        files.write_atomic(options.csv, folder_csv(result))
    if options.report:
        pages.save_report(Subject.FOLDER, options.report, result)
    if options.json:
        print(stored.json_text(_as_json(options, test, result, notes)))
        return
    pages.show(folder_page(result), options.details)
    if options.csv:
        print(f"\nsaved {units.visible(options.csv)}")


def _as_json(
    options: argparse.Namespace, test: FolderTest, result: FolderResult, notes: Sequence[str]
) -> dict[str, object]:

    subject = test.subject
    counted = folder.summary(result.rows)
    matrix = folder.confusion(result.rows, subject.labels.names)
    return {
        "schema": SCHEMA,
        "model": subject.model.name,
        "device": options.device,
        "against": result.against if options.against is not None else None,
        "kept": subject.saved_preprocessing.source,
        "labels": model_request.labels_as_json(subject.labels),
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
        "verdict": None if result.verdict is None else as_json(result.verdict),
        "notes": notes,
        "rows": [_row_json(row) for row in result.rows],
    }


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
