"""One model on several machines at once, or in several Python environments, as a table."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from inspector.analysis.measured.latency import interval_text, latency
from inspector.analysis.verdicts.outputs import as_json as verdict_json
from inspector.app.at_once import MachineRow, measured_at_once
from inspector.app.measure import Setup
from inspector.app.runtime_matrix import runtime_matrix
from inspector.app.subjects import Subject
from inspector.cli import command_timer, gate, other_machines, pages
from inspector.cli.options import option_types
from inspector.cli.progress import Progress, line
from inspector.engine.progress_text import step_text
from inspector.errors import InspectorError
from inspector.pages.on_devices.environments import environments_page
from inspector.pages.on_devices.machines import measurements_page
from inspector.platform import files
from inspector.preview.outputs import saving
from inspector.preview.runs.runtime_matrix import EnvironmentRow, RuntimeMatrix
from inspector.render.registry import expect_folder
from inspector.render.tables.report_json import report_json
from inspector.report import report as reports
from inspector.report.report import PerformanceReport
from inspector.units import clip, duration
from inspector.wording import stored

SCHEMA = "measurements/1"
ENVIRONMENTS_SCHEMA = "environments/1"


def run(options: argparse.Namespace, setup: Setup) -> None:
    """Measure and print the table. Raises InspectorError: a machine has no report."""
    gate.expect_one(options, "machine", "--on names several")
    expect_folder(options.output)
    command_timer.stop()  # each measurement has the time to itself
    rows = [MachineRow(target) for target in other_machines.targets(options)]
    steps = measured_at_once(setup, rows, not options.no_wait)
    with Progress(sys.stderr) as progress, closing(steps):
        for _ in steps:
            progress.show_lines(live_lines(rows))
    if options.output:
        reports_of = ((row.target.text, row.report or row.failed) for row in rows)
        save(options.output, ((name.replace(":", "_"), each) for name, each in reports_of))
    if options.json:
        print_json(rows)
    else:
        reports = {row.target.text: row.report for row in rows if row.report is not None}
        problems = {
            row.target.text: ". ".join(str(row.problem).splitlines())
            for row in rows
            if row.problem is not None
        }
        pages.show(measurements_page(reports, problems))
    failed = [row for row in rows if row.report is None]
    if failed:
        sys.stdout.flush()
        many = f"{len(failed)} of {len(rows)} machines"
        raise InspectorError(f"Could not measure on {many}", "see the reasons above")


def live_lines(rows: Sequence[MachineRow]) -> list[str]:
    """Return what each machine does now, a line each: its step, its latency, or why not."""
    wide = max(len(row.target.text) for row in rows)
    lines = []
    for row in rows:
        step = row.step
        numbers = None if row.report is None else latency(row.report)
        if numbers is not None:
            p50 = duration(numbers.headline.p50_ns)
            text = f"{p50:>9}  {interval_text(numbers.headline)}".rstrip()
        elif row.problem is not None:
            text = clip(row.problem.why or row.problem.what, 80)
        elif step is not None:
            text = line(step_text(step.step), step.done, step.samples_ns)
            if step.step in ("waiting", "offline") and step.part:
                text = step.part.removeprefix(f"{row.target.machine.name}: ")
        else:
            text = "starting"
        lines.append(f"{row.target.text:<{wide}}  {text}")
    return lines


def save(folder: Path, named: Iterable[tuple[str, PerformanceReport | None]]) -> None:
    """Save each report as NAME.json in a folder. Raises NotSaved."""
    files.make_folder(folder)
    for name, report in named:
        if report is not None:
            reports.save(report, folder / f"{name}.json")


def print_json(rows: Sequence[MachineRow]) -> None:
    """Print one object with a report or a problem for each machine."""
    listed: list[dict[str, Any]] = []
    for row in rows:
        one: dict[str, Any] = {"machine": row.target.machine.name, "on": row.target.text}
        if row.report is not None:
            one["report"] = msgspec.Raw(report_json(row.report))
        if row.problem is not None:
            problem = row.problem
            one["problem"] = {"what": problem.what, "why": problem.why, "hint": problem.hint}
        listed.append(one)
    print(stored.json_text({"schema": SCHEMA, "machines": listed}))


def in_environments(
    options: argparse.Namespace, subject: Subject, setup: Setup | None = None
) -> RuntimeMatrix:
    """Run a model in each environment, and print the table.

    setup: how to measure it. Raises InspectorError: none of them ran it, or
    not all that were to be measured.
    """
    if setup is not None:
        gate.expect_one(options, "environment", "--python names several")
        expect_folder(options.output)
    targets = other_machines.targets(options)
    limits = option_types.limits(options)
    command_timer.stop()  # each environment has the time to itself
    with Progress(sys.stderr) as progress:
        matrix = runtime_matrix(subject, targets, limits, progress.show, setup)
    if setup is not None and options.output:
        labels = [f"{row.runtime}-{row.version}" for row in matrix.rows]
        named = zip(saving.file_names(labels), matrix.rows, strict=True)
        save(options.output, ((name, row.report) for name, row in named))
    if options.json:
        print(stored.json_text(_matrix_json(subject, matrix)))
    else:
        pages.show(environments_page(subject.model.name, matrix))
    failed = sum(row.problem is not None for row in matrix.rows)
    if failed and setup is not None:
        sys.stdout.flush()
        many = f"{failed} of {len(matrix.rows)} environments"
        raise InspectorError(f"Could not run the model in {many}", "see the reasons above")
    return matrix


def _matrix_json(subject: Subject, matrix: RuntimeMatrix) -> dict[str, Any]:
    return {
        "schema": ENVIRONMENTS_SCHEMA,
        "model": subject.model.name,
        "newest": str(matrix.reference.place),
        "oldest_same": str(matrix.oldest.place),
        "environments": [_environment(row) for row in matrix.rows],
    }


def _environment(row: EnvironmentRow) -> dict[str, Any]:
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
