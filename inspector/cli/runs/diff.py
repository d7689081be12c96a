"""inspector diff: compare two models layer by layer and weight by weight."""

import argparse
import glob
import sys
from collections.abc import Callable, Iterator
from functools import partial
from os.path import commonpath
from pathlib import Path, PurePath
from typing import Any

from inspector import units
from inspector.app.language.quality import language_models
from inspector.app.language.text_comparison import measure_on_text
from inspector.backends.values import Progress as Step
from inspector.cli import gate, pages
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.cli.text_request import text_settings
from inspector.comparison.diff_conditions import outcomes
from inspector.comparison.file_pairs import FilePair
from inspector.comparison.model_changes import ModelDiff
from inspector.comparison.model_diff import diff
from inspector.comparison.quality_conditions import PREFIX, judged
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput, Cancelled, InspectorError
from inspector.formats.coreml.package import is_folder_of_models
from inspector.formats.folders.expanding import expanded
from inspector.formats.folders.reading import is_one_model
from inspector.formats.model_formats import model_suffixes
from inspector.formats.onnx.weight_values import WeightReader
from inspector.formats.opening import digest, open_model
from inspector.formats.revisions import located_at
from inspector.pages.blocks import Page
from inspector.pages.model_diff import model_diff_page
from inspector.pages.models import folders_page
from inspector.platform import files
from inspector.platform.gc_policy import uncollected
from inspector.render.documents import document
from inspector.render.registry import Subject, format_for
from inspector.render.tables import model_diff_json
from inspector.report.language.quality import Quality
from inspector.report.run_spec import DEFAULT_SPEC
from inspector.units import clip
from inspector.wording import stored

SCHEMA = "diffs/1"
Compare = Callable[[Path, Path], ModelDiff]


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
    several = [each for each in sides if is_several(each)]
    if several and not (one_each and all(map(is_one_model, several))):
        if options.text is not None:
            why = "--text judges two models, not folders of models"
            raise BadInput("Could not compare the folders", why, "Name one model of each.")
        _run_folders(options, partial(compared, values=not options.no_values))
        return

    diff = compared(options.first, options.other, values=not options.no_values)
    quality = _on_text(options, bool(on_text)) if options.text is not None else None
    findings = outcomes([each for each in options.conditions if each not in on_text], diff)
    if quality is not None:
        findings += judged(on_text, quality, "B")
    page = partial(model_diff_page, diff, findings, quality=quality)
    if options.json:
        print(model_diff_json.model_diff_json(diff, findings, quality).decode())
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
    if options.markdown:
        pages.write(options.markdown, document(page, "md"))
    if options.html:
        form = format_for(Subject.MODEL_DIFF, options.html).id
        files.write_atomic(options.html, document(page, form))


def is_several(path: Path) -> bool:
    """Return whether a path is a folder, or a pattern that is no file."""
    if path.is_dir():
        return is_folder_of_models(path)
    return glob.has_magic(str(path)) and not path.exists()


def _run_folders(options: argparse.Namespace, compare: Compare) -> None:
    """Compare two folders or patterns. Raises InspectorError; SystemExit: a condition holds.

    compare: compares two models.
    """
    if options.html:
        why = "--html shows two models, not folders"
        raise BadInput("Could not compare the folders", why, "Use --markdown FILE, or --json.")
    pairs = [*_pairs_of(options, compare)]
    findings = [finding for pair in pairs for finding in pair.findings]
    if options.json:
        print(stored.json_text(_as_plain(pairs)))
    else:
        page = folders_page(pairs, _counts(pairs))
        if options.markdown:
            pages.write(options.markdown, document(page, "md"))
        if options.markdown != "-":
            pages.show(page)
    failed = sum(bool(pair.problem) for pair in pairs)
    if failed:
        sys.stdout.flush()
        many = f"{failed} of {units.plural(len(pairs), 'model')}"
        raise InspectorError(f"Could not compare {many}", "see the reasons above")
    gate.exit_if_failed(options, tuple(findings))


def _as_plain(pairs: list[FilePair]) -> dict[str, Any]:
    """Return the object of schema diffs/1."""
    return {
        "schema": SCHEMA,
        "counts": _counts(pairs),
        "models": [
            {
                "name": pair.name,
                "state": pair.state,
                "a": str(pair.first) if pair.first else None,
                "b": str(pair.other) if pair.other else None,
                "summary": pair.text,
                "problem": pair.problem,
                "diff": model_diff_json.as_plain(pair.diff, pair.findings)
                if pair.diff is not None
                else None,
            }
            for pair in pairs
        ],
    }


def _counts(pairs: list[FilePair]) -> dict[str, int]:
    states = [pair.state for pair in pairs]
    return {s: states.count(s) for s in ("changed", "new", "gone", "renamed", "same")}


def _pairs_of(options: argparse.Namespace, compare: Compare) -> Iterator[FilePair]:
    """Yield all pairs by name, those that differ compared. Raises BadInput: no models."""
    sides = _members(options.first), _members(options.other)
    left = [{name: p for name, p in side.items() if name not in other}
            for side, other in (sides, sides[::-1])]  # fmt: skip
    # Of one content under two names the file was renamed; sizes tell most apart at once.
    sizes = {path.stat().st_size for path in left[0].values()}
    moved = [(name, p) for name, p in left[1].items() if p.stat().st_size in sizes]
    digests = {digest(p): (name, p) for name, p in left[0].items()} if moved else {}
    renamed = {name: digests[of] for name, p in moved if (of := digest(p)) in digests}
    before = {name for name, _ in renamed.values()}
    for name in sorted({*sides[0], *sides[1]}):
        first, other = sides[0].get(name), sides[1].get(name)
        if name in renamed:
            yield FilePair(name, "renamed", renamed[name][1], other)
        elif other is None:
            if name not in before:
                yield FilePair(name, "gone", first, None)
        elif first is None:
            yield FilePair(name, "new", None, other)
        elif _are_equal(first, other):
            yield FilePair(name, "same", first, other)
        else:
            try:
                diff = compare(first, other)
            except Cancelled:
                raise
            except InspectorError as error:
                print(error, file=sys.stderr)
                yield FilePair(name, "changed", first, other, problem=error.why or error.what)
                continue
            findings = outcomes(options.conditions, diff)
            # Files beside the models are compared with them: they may differ, or not.
            equal = not diff.total and not diff.weight_counts["unknown"]
            state = "same" if equal else "changed"
            yield FilePair(name, state, first, other, diff, findings)


def _are_equal(first: Path, other: Path) -> bool:
    """Return whether two models are equal files, and have no weights in others beside them."""
    if first.stat().st_size != other.stat().st_size or digest(first) != digest(other):
        return False
    try:
        weights = open_model(first).weights
    except InspectorError:
        return True  # equal files of no model
    return not any(weight.place is not None and weight.place.file for weight in weights)


def _members(path: Path) -> dict[str, Path]:
    """Return the models of a folder or pattern by their name below it. Raises BadInput."""
    paths, several = expanded([path], model_suffixes(), parts=True)
    if not several:
        what = f"Could not compare {units.clip(str(path))}"
        if path.is_file():
            hint = "Specify two models, two folders, or two patterns."
            raise BadInput(what, "one is a file, and the other is a folder or pattern", hint)
        raise BadInput(what, "it contains no models", "Specify a folder that contains models.")
    root = path if path.is_dir() else Path(commonpath([member.parent for member in paths]))
    return {member.relative_to(root).as_posix(): member for member in paths}
