"""Measure many models one after the other, as a table with one row each."""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from msgspec import structs

from inspector import units
from inspector.analysis.verdicts.engines import engine_name
from inspector.app.subjects import Subject
from inspector.backends import registry
from inspector.backends.values import Progress as Step
from inspector.cli import gate
from inspector.cli.estimates import estimated
from inspector.cli.model_table import print_table
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput, Cancelled, InspectorError
from inspector.formats.opening import located
from inspector.pages.lists.model_rows import ModelRow
from inspector.pages.models import model_row
from inspector.platform import files
from inspector.render.registry import expect_folder
from inspector.report import report as reports
from inspector.report.report import PerformanceReport

Measure = Callable[
    [argparse.Namespace, "Callable[[Step], None]", "Callable[[PerformanceReport], None]"],
    "tuple[Subject, PerformanceReport]",
]


def run(options: argparse.Namespace, paths: Sequence[Path], measure: Measure) -> None:
    """Measure and print the table. Raises InspectorError: some could not be measured.

    measure: measures `options.model`.
    """
    gate.expect_one(options, "model", "several were specified")
    expect_folder(options.output)
    if options.json and options.csv == "-":
        why = "--json and --csv - would both write to standard output"
        raise BadInput("Could not measure", why, "Specify a file with --csv.")
    groups = registry.by_runtime(options.devices)
    several = len(groups) > 1
    options.check |= several  # the fastest one is of use if its outputs are right
    rows, reports = [], dict[tuple[Path, str], "PerformanceReport"]()
    todo = [(path, group) for path in paths for group in (groups if several else ((),))]
    for number, (path, group) in enumerate(todo, 1):
        where = f" on {' + '.join(group)}" if group else ""
        print(f"{number} of {len(todo)}: {path}{where}", file=sys.stderr)
        options.devices = list(group) or options.devices
        try:
            keep = partial(reports.__setitem__, (path, group[0] if group else ""))
            row, report = _measured(options, path, measure, keep)
            keep(report)
            if several:
                row = replace(row, runtime=engine_name(report), outputs=_outputs(report))
            rows.append(row)
        except Cancelled:
            raise
        except InspectorError as error:
            print(error, file=sys.stderr)
            failed = ModelRow(str(path), problem=str(error))
            if several:
                failed = replace(failed, runtime=_runtime(path, group), outputs="unknown")
            rows.append(failed)
    print_table(rows, options)
    if options.output:
        _save(options.output, reports)
    refused = sum(bool(row.problem) for row in rows)
    if refused:
        sys.stdout.flush()
        many = f"{refused} of {len(rows)} {'measurements' if several else 'models'}"
        raise InspectorError(f"Could not measure {many}", "see the reasons above")


def _runtime(path: Path, devices: Sequence[str]) -> str:
    """Return the runtime that was to run a model, and on what; its version is not known."""
    backend = registry.with_device(devices[0]) or registry.for_model(path)
    return f"{backend.name} on {' + '.join(map(units.device, devices))}"


def _outputs(report: PerformanceReport) -> str:
    if not report.outputs or all(each.difference is None for each in report.outputs):
        return "unknown"
    return "WRONG" if any(each.over for each in report.outputs) else "correct"


def _measured(
    options: argparse.Namespace,
    path: Path,
    measure: Measure,
    keep: Callable[[PerformanceReport], None],
) -> tuple[ModelRow, PerformanceReport]:
    """Measure one model. Raises InspectorError."""
    with located(path) as options.model, Progress(sys.stderr) as progress:
        subject, report = measure(options, progress.show, keep)
        limits = structs.replace(option_types.limits(options), until=0.0)
        with EngineProcess(progress.show_stall, limits, reads=(options.model,)) as engine:
            estimate = estimated(subject.model, options.model, dict(options.dimensions), engine)
    sha256 = subject.identity.sha256
    return model_row(path, subject.model, sha256, estimate, report.median_ns or None), report


def _save(folder: Path, measured: dict[tuple[Path, str], PerformanceReport]) -> None:
    """Save each report as NAME.json, or NAME_DEVICE.json, in a folder. Raises NotSaved."""
    files.make_folder(folder)
    names: dict[str, int] = {}
    for (path, device), report in measured.items():
        stem = f"{path.stem}_{device.replace(':', '_')}" if device else path.stem
        count = names[stem] = names.get(stem, 0) + 1
        name = stem if count == 1 else f"{stem}_{count}"
        reports.save(report, folder / f"{name}.json")
