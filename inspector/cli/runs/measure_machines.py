"""Measure one model on several machines at once, as a table with one row each."""

import argparse
import copy
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from inspector.analysis.measured.latency import interval_text, latency
from inspector.backends.values import Progress as Step
from inspector.cli import other_machines, pages
from inspector.cli.progress import Progress, line
from inspector.engine.progress_text import step_text
from inspector.errors import BadInput, Cancelled, InspectorError, NotSaved
from inspector.export.tables.report_json import report_json
from inspector.pages.on_devices.machines import measurements_page
from inspector.report import report as reports
from inspector.report.report import PerformanceReport
from inspector.units import clip, duration
from inspector.wording import stored

if TYPE_CHECKING:
    from inspector.remote.machines import Target

SCHEMA = "measurements/1"
# What measures, on any thread, and what stops that.
Ready = tuple["Callable[[Callable[[Step], None]], PerformanceReport]", Callable[[], None]]
Prepare = Callable[[argparse.Namespace], Ready]
_ALONE = {
    "against": "--against", "baseline": "--baseline", "conditions": "--fail-if",
    "markdown": "--markdown", "junit": "--junit",
}  # fmt: skip
_REDRAW_SECONDS = 0.2
_STOP_SECONDS = 2.0  # for a machine to hear that its job is stopped


@dataclass(slots=True)
class Row:
    """One machine: its report, or why there is none."""

    target: "Target"
    report: PerformanceReport | None = None
    problem: InspectorError | None = None


def run(options: argparse.Namespace, prepare: Prepare) -> None:
    """Measure and print the table. Raises InspectorError: a machine has no report."""
    given = [name for key, name in _ALONE.items() if getattr(options, key, None)]
    if given:
        why = f"{given[0]} works only with one machine, but --on names several"
        raise BadInput("Could not measure", why, f"Omit {given[0]}, or name one machine.")
    if options.output and options.output.exists() and not options.output.is_dir():
        why = f"{options.output} is a file, and several reports need a folder"
        raise BadInput("Could not save the reports", why, "Specify a folder with --output.")
    rows = _measured(options, other_machines.targets(options), prepare)
    if options.output:
        save(options.output, rows)
    if options.json:
        print_json(rows)
    else:
        reports = {row.target.text: row.report for row in rows if row.report is not None}
        problems = {
            row.target.text: str(row.problem) for row in rows if row.problem is not None
        }
        pages.show(measurements_page(reports, problems))
    failed = [row for row in rows if row.report is None]
    if failed:
        sys.stdout.flush()
        many = f"{len(failed)} of {len(rows)} machines"
        raise InspectorError(f"Could not measure on {many}", "see the reasons above")


def _measured(
    options: argparse.Namespace, targets: "Sequence[Target]", prepare: Prepare
) -> list[Row]:
    """Measure on all machines at once. Raises KeyboardInterrupt, Cancelled."""
    rows = [Row(target) for target in targets]
    steps: dict[str, Step] = {}
    ready: list[Ready] = []
    for row in rows:
        own = copy.copy(options)
        own.on = row.target.text
        ready.append(prepare(own))

    def one(row: Row, measure: Callable[[Callable[[Step], None]], PerformanceReport]) -> None:
        def show(step: Step) -> None:
            steps[row.target.text] = step

        try:
            row.report = measure(show)
        except InspectorError as error:
            row.problem = error
        steps.pop(row.target.text, None)

    threads = [
        threading.Thread(target=one, args=(row, measure), daemon=True)
        for row, (measure, _) in zip(rows, ready, strict=True)
    ]
    for thread in threads:
        thread.start()
    with Progress(sys.stderr) as progress:
        try:
            while any(thread.is_alive() for thread in threads):
                for thread in threads:
                    thread.join(_REDRAW_SECONDS / len(threads))
                progress.show_lines(live_lines(rows, steps))
        except KeyboardInterrupt:
            for _, cancel in ready:
                cancel()
            for thread in threads:
                thread.join(_STOP_SECONDS)
            raise
    if any(isinstance(row.problem, Cancelled) for row in rows):
        raise Cancelled("Stopped")
    return rows


def live_lines(rows: Sequence[Row], steps: dict[str, Step]) -> list[str]:
    """Return what each machine does now, a line each: its step, its latency, or why not."""
    wide = max(len(row.target.text) for row in rows)
    found = []
    for row in rows:
        step = steps.get(row.target.text)
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
        found.append(f"{row.target.text:<{wide}}  {text}")
    return found


def save(folder: Path, rows: Sequence[Row]) -> None:
    """Save each report as MACHINE.json in a folder. Raises NotSaved."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotSaved(f"Could not create {folder}", error.strerror or str(error)) from error
    for row in rows:
        if row.report is not None:
            name = row.target.text.replace(":", "_")
            reports.save(row.report, folder / f"{name}.json")


def print_json(rows: Sequence[Row]) -> None:
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
