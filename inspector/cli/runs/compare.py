"""inspector compare: compare reports of measurements."""

import argparse
from pathlib import Path

from inspector import units
from inspector.cli import gate, pages
from inspector.cli.runs import diff
from inspector.comparison.ci_conditions import judged
from inspector.comparison.comparison import compare
from inspector.errors import BadInput
from inspector.formats.model_formats import model_suffixes
from inspector.pages.comparison import comparison_page
from inspector.render.tables import comparison_json
from inspector.report.report import load
from inspector.wording import stored


def run(options: argparse.Namespace) -> None:
    """Compare reports. Raises InspectorError; SystemExit where a condition holds."""
    gate.check_options(options)
    paths = pinned([options.first, *options.others], options.baseline_index)
    if any(map(_is_model, paths)):
        _compare_models(paths, options)
        return
    reports = [load(path) for path in paths]
    result = compare(reports, [units.clip(path.name) for path in paths])
    findings = judged(options.conditions, reports, result)
    if options.json:
        print(stored.json_text(comparison_json.as_plain(result, findings)))
    elif options.markdown != "-":
        page = comparison_page(result, findings, [str(path) for path in paths])
        pages.show(page, options.details)
    gate.write_files(options, result, findings)
    gate.exit_if_failed(options, findings)


def _is_model(path: Path) -> bool:
    """Return whether a file is a model by its name; reports are JSON."""
    return path.name.lower().endswith(model_suffixes())


def _compare_models(paths: list[Path], options: argparse.Namespace) -> None:
    """Do what `inspector diff` does. Raises BadInput: not two models, or for reports."""
    names = [units.clip(path.name) for path in paths]
    hint = "Compare two models with: inspector diff A B"
    for path, name in zip(paths, names, strict=True):
        if not _is_model(path):
            models = next(n for p, n in zip(paths, names, strict=True) if _is_model(p))
            why = f"{models} is a model, not a report, and {name} is not a model"
            raise BadInput("Could not compare", why, hint)
    if len(paths) != 2 or options.conditions or options.junit:
        why = "only two models, without conditions on measurements, can be compared this way"
        raise BadInput("Could not compare", why, hint)
    diff.run(
        argparse.Namespace(
            first=paths[0],
            other=paths[1],
            json=options.json,
            markdown=options.markdown,
            html=None,
            no_values=False,
            conditions=[],
            on_undecided=options.on_undecided,
            text=None,
            sensitivity=False,
        )
    )


def pinned(paths: list[Path], baseline: int) -> list[Path]:
    """Return the paths with the Nth first, counted from 1. Raises BadInput: there is no Nth."""
    if not 1 <= baseline <= len(paths):
        why = f"only {len(paths)} reports were specified"
        hint = f"--baseline-index must be a number from 1 to {len(paths)}."
        raise BadInput(f"There is no report {baseline}", why, hint)
    return [paths[baseline - 1], *paths[: baseline - 1], *paths[baseline:]]
