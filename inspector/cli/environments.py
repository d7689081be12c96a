"""One model in the environments that `--python` lists."""

import argparse
import sys
from typing import Any

import msgspec

from inspector.analysis.verdicts.outputs import as_json as verdict_json
from inspector.app.measure import Setup
from inspector.app.runtime_matrix import runtime_matrix
from inspector.app.subjects import Subject
from inspector.cli import command_timer, other_machines, pages
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.errors import InspectorError
from inspector.export.tables.report_json import report_json
from inspector.pages.on_devices.environments import environments_page
from inspector.preview.runs.runtime_matrix import EnvironmentRow, RuntimeMatrix
from inspector.wording import stored

SCHEMA = "environments/1"


def run(
    options: argparse.Namespace, subject: Subject, setup: Setup | None = None
) -> RuntimeMatrix:
    """Run a model in each environment, and print the table.

    setup: how to measure it. Raises InspectorError: none of them ran it, or
    not all that were to be measured.
    """
    targets = other_machines.targets(options)
    limits = option_types.limits(options)
    command_timer.stop()  # each environment has the time to itself
    with Progress(sys.stderr) as progress:
        matrix = runtime_matrix(subject, targets, limits, progress.show, setup)
    if options.json:
        print(stored.json_text(_as_json(subject, matrix)))
    else:
        pages.show(environments_page(subject.model.name, matrix))
    failed = sum(row.problem is not None for row in matrix.rows)
    if failed and setup is not None:
        sys.stdout.flush()
        many = f"{failed} of {len(matrix.rows)} environments"
        raise InspectorError(f"Could not run the model in {many}", "see the reasons above")
    return matrix


def _as_json(subject: Subject, matrix: RuntimeMatrix) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "model": subject.model.name,
        "newest": str(matrix.reference.place),
        "oldest_same": str(matrix.oldest.place),
        "environments": [_row(row) for row in matrix.rows],
    }


def _row(row: EnvironmentRow) -> dict[str, Any]:
    problem = row.problem
    return {
        "python": str(row.place),
        "python_version": row.python,
        "runtime": row.runtime,
        "version": row.version,
        "agrees": row.agrees,
        "verdict": None if row.verdict is None else verdict_json(row.verdict),
        "latency_ratio": None if row.speed is None else row.speed.ratio,
        "latency_verdict": None if row.speed is None else row.speed.verdict.value,
        "report": None if row.report is None else msgspec.Raw(report_json(row.report)),
        "problem": None
        if problem is None
        else {"what": problem.what, "why": problem.why, "hint": problem.hint},
    }
