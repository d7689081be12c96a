"""inspector evaluate, and predict --folder: run a model on each file of a folder."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from msgspec.structs import replace

from inspector import units
from inspector.app.evaluate import (
    Against,
    FolderTest,
    expect_answers,
    judge_of,
    metric_of_text,
    of_folder,
    result_of,
    rows,
    text_in,
    transcribing,
    with_best_preprocessing,
    writer_settings,
    writing_otherwise,
)
from inspector.app.folder_on_pool import rows_of_pool
from inspector.app.language.chat_model import ChatModel, open_encoder_decoder
from inspector.app.language.quality import TextSettings, language_models
from inspector.app.language.text_comparison import measure_on_text
from inspector.app.predict import predicting
from inspector.app.subjects import Subject as AppSubject
from inspector.backends.values import Progress as Step
from inspector.cli import gate, model_request, other_machines, pages, signatures
from inspector.cli.commands.evaluate import SCHEMA as EVALUATION
from inspector.cli.model_request import spec_of
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.cli.text_request import expect_runtime, tell_quality
from inspector.comparison.ci_conditions import Finding
from inspector.comparison.evaluation_conditions import judged
from inspector.engine.client.engine import Engine
from inspector.engine.client.engine_process import second_prediction
from inspector.errors import BadInput, Cancelled
from inspector.pages.conditions import conditions_section
from inspector.pages.outputs.folder import folder_page
from inspector.platform import files
from inspector.preview.runs import folder
from inspector.preview.runs.folder import FolderResult, Row
from inspector.preview.runs.model_comparison import ModelComparison
from inspector.preview.runs.other_run import OtherRun
from inspector.render.registry import Subject, save_as
from inspector.render.tables.evaluation_json import folder_body
from inspector.render.tables.folder_csv import folder_csv
from inspector.wording import stored

SCHEMA = "folder/1"
_MOST_FILES = 10_000_000


def run(options: argparse.Namespace) -> None:
    """Evaluate the model. Raises InspectorError: nothing to read, or no true answers;
    Cancelled; SystemExit where a condition holds."""
    with signatures.with_signature(options, options.model) as options.model:
        text = None
        if open_encoder_decoder(Path(options.named), options.tokenizer) is None:
            subject = model_request.subject_of(options)
            text = text_in(subject, options.folder)
        if text is None:
            run_folder(options, evaluates=True)
        else:
            _run_on_text(options, subject, text)


def run_folder(options: argparse.Namespace, evaluates: bool = False) -> None:
    """Run the model on each file; results so far are printed when it is stopped.

    evaluates: true answers are needed, and conditions decide. Raises as `run`.
    """
    writer = open_encoder_decoder(Path(options.named), options.tokenizer)
    if writer is None or writer.encoder is None:
        subject = replace(model_request.subject_of(options), spec=spec_of(options))
    else:
        subject = writer.encoder.subject(spec_of(options))
    assume = options.labels is None
    test = of_folder(
        subject, options.folder, options.truth, assume, _MOST_FILES,
        target=options.target_column if evaluates else "",
    )  # fmt: skip
    if evaluates:
        expect_answers(test)
    comparison = None if options.against is None or writer is not None else judge_of(test)
    finished: list[Row] = []
    stopped = False
    try:
        with ExitStack() as stack:
            progress = stack.enter_context(Progress(sys.stderr))
            limits, show = option_types.job_limits(options), progress.show_stall
            engine = stack.enter_context(other_machines.engine(options, show, limits))
            once = predicting(engine, subject)
            if writer is not None:
                settings = writer_settings(subject.spec)
                test = replace(test, answer=transcribing(engine, writer, settings))
            test = with_best_preprocessing(test, once)
            target = other_machines.only_target(options)
            data = test.data
            plain = not data.truths and data.table is None
            alone = options.against is None and plain and writer is None
            if target is not None and target.in_pool and alone and not subject.given:
                engine.close()  # it may be on a machine of the pool
                answers = rows_of_pool(test, target, options.device)
            elif options.against is None:
                answers = rows(test, once)
            else:
                # A process of its own, or each file would load both models anew.
                second_engine = stack.enter_context(
                    other_machines.engine(options, show, limits)
                )
                second = _against(options, test, comparison, writer, second_engine)
                answers = rows(test, once, second)
            for row in answers:
                finished.append(row)
                done = len(finished) / len(test.data.paths)
                progress.show(Step("prediction", done))
    except (KeyboardInterrupt, Cancelled):
        stopped = True
    result = _result(options, test, finished, comparison)
    findings: tuple[Finding, ...] = ()
    if evaluates:
        failed = folder.summary(result.rows).failed
        findings = judged(options.conditions, result.accuracy, failed, result.model)
    _tell(options, test, result, findings, evaluates)
    if stopped:
        raise Cancelled(f"Stopped after {len(finished):,} of {len(test.data.paths):,} files")
    if evaluates and not result.accuracy:
        what = f"Could not evaluate {units.clip(subject.path.name)}"
        why = "no answer could be compared with a true one"
        raise BadInput(what, why, "Check --truth, and what the outputs mean with --output-as.")
    if evaluates:
        gate.exit_if_failed(options, findings)


def _run_on_text(options: argparse.Namespace, subject: AppSubject, text: TextSettings) -> None:
    """Score a text with the model, or beside the one that it is compared with, and print how
    well it is predicted. Raises InspectorError; SystemExit where a condition holds."""
    spec, against = spec_of(options), options.against
    sides = [(subject.path, spec)]
    if against is not None:
        expect_runtime(against)
        path = Path(against.model) if against.model else subject.path
        sides = [(path, against.spec(spec)), *sides]
    paths, specs = zip(*sides, strict=True)
    first, *others = language_models(paths, specs, options.tokenizer)
    limits = option_types.job_limits(options)
    with (
        Progress(sys.stderr) as progress,
        other_machines.engine(options, progress.show, limits) as engine,
    ):
        *_, quality = measure_on_text(engine, first, text, next(iter(others), None))
    metric = metric_of_text(quality)
    known = () if metric is None else (metric,)
    findings = judged(options.conditions, known, 0, quality.against or quality.model)
    tell_quality(options, quality, findings)


def _against(
    options: argparse.Namespace,
    test: FolderTest,
    comparison: ModelComparison | None,
    writer: ChatModel | None,
    engine: Engine,
) -> Against:
    """Return the second run of each file."""
    other_run: OtherRun = options.against
    if writer is not None:
        spec, own = test.subject.spec, options.tokenizer
        answer = writing_otherwise(engine, writer, spec, other_run, own)
        return Against(predicting(engine, test.subject), answer=answer)
    once = second_prediction(engine, test.subject.path, test.subject.spec, other_run)
    theirs = (
        model_request.other_model(options, Path(other_run.model)) if other_run.model else None
    )
    return Against(once, theirs, comparison)


def _result(
    options: argparse.Namespace,
    test: FolderTest,
    found: Sequence[Row],
    comparison: ModelComparison | None,
) -> FolderResult:
    """Return what the rows come to, with notes on what was assumed."""
    subject = test.subject
    against = "" if options.against is None else options.against.label
    result = result_of(test, found, comparison, against)
    notes = [model_request.assumption(subject.labels)] if subject.labels.assumed else []
    source = subject.saved_preprocessing.source
    notes += [f"preprocessing saved in {source}"] if source else []
    return replace(result, notes=(*result.notes, *notes))


def _tell(
    options: argparse.Namespace,
    test: FolderTest,
    result: FolderResult,
    findings: Sequence[Finding],
    evaluates: bool,
) -> None:
    """Save and print the result."""
    if options.csv:
        files.write_atomic(options.csv, folder_csv(result))
    if options.report:
        save_as(Subject.FOLDER, options.report, result)
    if options.json:
        schema = EVALUATION if evaluates else SCHEMA
        print(stored.json_text(_as_json(options, test, result, findings, schema)))
        return
    page = folder_page(result)
    if findings:
        page = replace(page, sections=(*page.sections, conditions_section(findings)))
    pages.show(page, options.details)
    if options.csv:
        print(f"\nsaved {units.visible(options.csv)}")


def _as_json(
    options: argparse.Namespace,
    test: FolderTest,
    result: FolderResult,
    findings: Sequence[Finding],
    schema: str,
) -> dict[str, object]:
    subject = test.subject
    return {
        "schema": schema,
        "model": subject.model.name,
        "device": options.device,
        "against": result.against if options.against is not None else None,
        "kept": subject.saved_preprocessing.source,
        "labels": model_request.labels_as_json(subject.labels),
        "truth": {"source": test.data.source, "files": test.data.labeled},
        "conditions": [
            {"text": each.condition.text, "outcome": each.outcome, "words": each.plain}
            for each in findings
        ],
        **folder_body(result),
    }
