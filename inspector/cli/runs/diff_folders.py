"""Compare all models of two folders or patterns: which are new, gone, renamed and changed."""

import argparse
import glob
import sys
from collections.abc import Callable, Iterator
from os.path import commonpath
from pathlib import Path
from typing import Any

from inspector import units
from inspector.cli import gate, pages
from inspector.comparison.diff_conditions import outcomes
from inspector.comparison.file_pairs import FilePair
from inspector.comparison.model_changes import ModelDiff
from inspector.errors import BadInput, Cancelled, InspectorError
from inspector.formats.coreml.package import is_folder_of_models
from inspector.formats.folders.expanding import expanded
from inspector.formats.model_formats import model_suffixes
from inspector.formats.opening import digest, open_model
from inspector.pages.models import folders_page
from inspector.platform import files
from inspector.render.documents import document
from inspector.render.tables import model_diff_json
from inspector.wording import stored

SCHEMA = "diffs/1"
Compare = Callable[[Path, Path], "ModelDiff"]


def is_several(path: Path) -> bool:
    """Return whether a path is a folder, or a pattern that is no file."""
    if path.is_dir():
        return is_folder_of_models(path)
    return glob.has_magic(str(path)) and not path.exists()


def run(options: argparse.Namespace, compare: Compare) -> None:
    """Compare two folders or patterns. Raises InspectorError; SystemExit: a condition holds.

    compare: compares two models.
    """
    if options.html:
        why = "--html shows two models, not folders"
        raise BadInput("Could not compare the folders", why, "Use --markdown FILE, or --json.")
    pairs = [*_compared(options, compare)]
    findings = [finding for pair in pairs for finding in pair.findings]
    if options.json:
        print(stored.json_text(as_plain(pairs)))
    else:
        page = folders_page(pairs, _counts(pairs))
        if options.markdown:
            body = document(page, "md")
            if options.markdown == "-":
                sys.stdout.write(body.decode())
            else:
                files.write_atomic(Path(options.markdown), body)
        if options.markdown != "-":
            pages.show(page)
    failed = sum(bool(pair.problem) for pair in pairs)
    if failed:
        sys.stdout.flush()
        many = f"{failed} of {units.plural(len(pairs), 'model')}"
        raise InspectorError(f"Could not compare {many}", "see the reasons above")
    gate.exit_if_failed(options, tuple(findings))


def as_plain(pairs: list[FilePair]) -> dict[str, Any]:
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


def _compared(options: argparse.Namespace, compare: Compare) -> Iterator[FilePair]:
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
