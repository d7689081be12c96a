"""inspector diff: compare two models layer by layer and weight by weight."""

import argparse
import sys
from functools import partial
from pathlib import Path, PurePath

from inspector.app.language.quality import language_models
from inspector.app.language.text_comparison import measure_on_text
from inspector.backends.values import Progress as Step
from inspector.cli import gate, pages
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.cli.runs import diff_folders
from inspector.cli.text_request import text_settings
from inspector.comparison.diff_conditions import outcomes
from inspector.comparison.model_changes import ModelDiff
from inspector.comparison.model_diff import diff
from inspector.comparison.quality_conditions import PREFIX, judged
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from inspector.formats.folders.reading import is_one_model
from inspector.formats.onnx.weight_values import WeightReader
from inspector.formats.opening import open_model
from inspector.formats.revisions import located_at
from inspector.pages.blocks import Page
from inspector.pages.model_diff import model_diff_page
from inspector.platform import files
from inspector.platform.gc_policy import uncollected
from inspector.render.documents import document
from inspector.render.registry import Subject, format_for
from inspector.render.tables.model_diff_json import model_diff_json
from inspector.report.language.quality import Quality
from inspector.report.run_spec import DEFAULT_SPEC
from inspector.units import clip


def run(options: argparse.Namespace) -> None:
    """Compare two models, or all of two folders. Raises InspectorError; SystemExit where a
    condition holds."""
    if options.json and options.markdown == "-":
        why = "--json and --markdown - would both write to standard output"
        raise BadInput("Could not compare the models", why, "Specify a file with --markdown.")

    if options.html:
        format_for(Subject.MODEL_DIFF, options.html)  # before models are read
    on_text = [each for each in options.conditions if each.subject.startswith(PREFIX)]
    if options.text is None and (on_text or options.sensitivity):
        named = f"'{clip(on_text[0].text, 60)}'" if on_text else "--sensitivity"
        raise BadInput(
            "Could not compare the models", f"{named} is about a text", "Add --text."
        )
    sides = options.first, options.other
    one_each = options.text is not None or any(side.is_file() for side in sides)
    several = [each for each in sides if diff_folders.is_several(each)]
    if several and not (one_each and all(map(is_one_model, several))):
        if options.text is not None:
            why = "--text judges two models, not folders of models"
            raise BadInput("Could not compare the folders", why, "Name one model of each.")
        diff_folders.run(options, partial(compared, values=not options.no_values))
        return

    diff = compared(options.first, options.other, values=not options.no_values)
    quality = _on_text(options, bool(on_text)) if options.text is not None else None
    findings = outcomes([each for each in options.conditions if each not in on_text], diff)
    if quality is not None:
        findings += judged(on_text, quality, "B")
    page = partial(model_diff_page, diff, findings, quality=quality)
    if options.json:
        print(model_diff_json(diff, findings, quality).decode())
    elif options.markdown != "-":
        pages.show(page(names=_short_names(str(options.first), str(options.other))))
    _write(page(), options)
    gate.exit_if_failed(options, findings)


def _on_text(options: argparse.Namespace, whole: bool) -> Quality:
    """Judge two language models by a text. Raises InspectorError."""
    settings = text_settings(options, whole)
    with (
        located_at(options.first) as first_path,
        located_at(options.other) as other_path,
        Progress(sys.stderr) as progress,
        EngineProcess(progress.show, option_types.limits(options)) as engine,
    ):
        first, other = language_models(
            (first_path, other_path), [DEFAULT_SPEC] * 2, options.tokenizer
        )
        asked = measure_on_text(engine, first, settings, other, options.sensitivity)
        *_, quality = asked
    return quality


def compared(first: Path, other: Path, values: bool = True) -> ModelDiff:
    """Return the differences between two models. Raises UnreadableFile.

    values: whether the values of weights are read, in pieces.
    """
    with (
        located_at(first) as first_path,
        located_at(other) as other_path,
        WeightReader(first_path) as first_weights,
        WeightReader(other_path) as other_weights,
        uncollected(),
        Progress(sys.stderr) as progress,
    ):
        models = open_model(first_path), open_model(other_path)
        if not values:
            return diff(*models)
        return diff(
            *models,
            first_weights.read,
            other_weights.read,
            lambda share: progress.show(Step("weights", share)),
        )


def _short_names(first: str, other: str) -> tuple[str, str]:
    """Return the names of two files, with as many folders as tell them apart."""
    parts = PurePath(first).parts, PurePath(other).parts
    for count in range(1, max(map(len, parts)) + 1):
        names = "/".join(parts[0][-count:]), "/".join(parts[1][-count:])
        if names[0] != names[1]:
            return names
    return first, other


def _write(page: Page, options: argparse.Namespace) -> None:
    """Write the requested files. Raises NotSaved."""
    if options.markdown == "-":
        sys.stdout.write(document(page, "md").decode())
    elif options.markdown:
        files.write_atomic(Path(options.markdown), document(page, "md"))
    if options.html:
        form = format_for(Subject.MODEL_DIFF, options.html).id
        files.write_atomic(options.html, document(page, form))
