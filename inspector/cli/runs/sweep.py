"""inspector sweep: measure models with every combination of some settings."""

import argparse
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from threading import Lock

from inspector.analysis.measured import sweep_results
from inspector.analysis.measured.sweep_labels import settings_label, value_label
from inspector.analysis.measured.sweep_results import median_ns
from inspector.app import runner, subjects
from inspector.app.searches import SweepStep, engines, run_sweep
from inspector.app.subjects import Subject
from inspector.cli import gate, model_request, other_machines, pages
from inspector.cli.dimensions import checked_dimensions
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.comparison.sweep_conditions import judged
from inspector.errors import BadInput, Cancelled, EngineFailed
from inspector.pages.sweep import sweep_page
from inspector.platform import files
from inspector.render import registry
from inspector.render.documents import document
from inspector.render.tables.sweep_csv import csv
from inspector.report import sweep as sweeps
from inspector.report.run_spec import RunSpec
from inspector.report.sweep import (
    AXES,
    BUSY_CORES,
    DEVICE,
    DIMENSION_PREFIX,
    MACHINE,
    MAX_WAIT_SECONDS,
    Axis,
    CellIndex,
    CellState,
    Sweep,
    Value,
)
from inspector.units import clip, duration, time_left


def run(options: argparse.Namespace) -> None:
    """Measure all cells. Raises InspectorError: a model or a setting is no good."""
    spec = _spec(options)
    models = subjects.subjects(options.models, spec=spec)
    given = model_request.parsed_values(options.inputs, models[0].model)
    models = tuple(model.with_given(given) for model in models)
    planned = sweeps.plan(
        [each.identity for each in models], spec,
        [*_machines(options), *_axes(options, models)], options.rounds,
        options.seed,
        options.confirm,
    )  # fmt: skip
    runner.check(planned)
    if options.output:
        registry.expect_to_open_again(registry.Subject.SWEEP, options.output)
    if options.resume:
        if not options.output:
            why = "there is no sweep to resume"
            raise BadInput("Could not resume", why, "Specify the sweep file with -o.")
        if files.exists(options.output):
            planned = sweeps.resume(planned, sweeps.load(options.output))
    if options.output and not files.exists(options.output):
        # Fail on a full disk before an hour of measuring, not after it.
        sweeps.save(planned, options.output)
    limits = option_types.job_limits(options)
    targets = other_machines.targets(options)
    other_machines.confirm_uploads(options, [model.path for model in models])
    with (
        Progress(sys.stderr) as progress,
        engines(
            targets, progress.show_stall if len(targets) > 1 else progress.show, limits
        ) as model_file,
    ):
        follow = _Following(planned, options, progress)
        steps = run_sweep(
            planned,
            models,
            model_file,
            follow.begin_measurement,
            comparing=follow.begin_comparison,
        )
        done, error = follow.to_the_end(steps)
    _print(done, options)
    if error is not None:
        raise error
    failed = [cell.why for cell in done.cells if cell.state is sweeps.CellState.FAILED]
    if len(failed) == len(done.cells):
        hint = "Try the model alone with `inspector predict MODEL`."
        raise EngineFailed("No combination could be measured", failed[0].rstrip("."), hint)
    findings = judged(options.conditions, done)
    quiet = options.json or options.csv or options.markdown
    gate.show_conditions(findings, sys.stderr if quiet else sys.stdout)
    gate.exit_if_failed(options, findings)


class _Following:
    """Saves and prints each step of a sweep."""

    def __init__(self, planned: Sweep, options: argparse.Namespace, progress: Progress) -> None:
        self._step, self._options, self._progress = SweepStep(planned), options, progress
        self._active: set[CellIndex] = set()
        self._drawing = Lock()  # machines begin on threads of their own

    def begin_comparison(self) -> None:
        """Show that the outputs of the models are compared."""
        self._progress.about = "comparing the outputs of the models"

    def begin_measurement(self, sweep: Sweep, place: CellIndex) -> None:
        """Show which cell is measured next, where somebody looks."""
        self._progress.about = next_text(sweep, place)
        with self._drawing:
            self._active.add(place)
        self._show_table()

    def _show_table(self) -> None:
        """Show models on machines while that table fills, where there are several machines."""
        with self._drawing:
            seconds = self._step.seconds_left
            left = f", {time_left(seconds)}" if seconds is not None else ""
            shown = live_lines(self._step.sweep, self._active, left)
            if shown:
                self._progress.show_lines(shown)

    def to_the_end(self, steps: Iterator[SweepStep]) -> tuple[Sweep, BaseException | None]:
        """Return the last state, and what ended the sweep early if anything did."""
        error: BaseException | None = None
        self._step = next(steps)
        try:
            for after in steps:
                self._save(after.sweep)
                line = step_line(self._step.sweep, after)
                with self._drawing:
                    self._progress.clear()
                    print(line, file=sys.stderr, flush=True)
                    old = self._step.sweep.by_place
                    self._active -= {c.at for c in after.sweep.cells if c != old[c.at]}
                    self._step = after
                self._show_table()
        except (KeyboardInterrupt, Cancelled) as stop:
            error = stop
        done = self._step.sweep
        if error is not None:
            done = replace(done, ended="Stopped by the user.")
        self._save(done)
        return done, error

    def _save(self, sweep: Sweep) -> None:
        if self._options.output:
            sweeps.save(sweep, self._options.output)


def _print(done: Sweep, options: argparse.Namespace) -> None:
    if options.json:
        sys.stdout.write(sweeps.to_json(done).decode())
    elif options.csv:
        sys.stdout.write(csv(done))
    elif options.markdown:
        sys.stdout.write(document(sweep_page(done), "md").decode())
    else:
        print(file=sys.stderr)
        pages.show(sweep_page(done))


def _spec(options: argparse.Namespace) -> RunSpec:
    return RunSpec(
        steady=MAX_WAIT_SECONDS,
        runs=options.runs,
        warmup=options.warmup,
        seconds=options.seconds,
        profiled_runs=0,
        cast=options.cast,
        concurrency=options.concurrency,
        custom_ops=tuple(options.custom_ops),
    )


def _machines(options: argparse.Namespace) -> list[Axis]:
    """Return the axis of machines, where several are named. Raises BadInput: environments."""
    if other_machines.several_environments(options):
        why = "a sweep runs in one environment"
        hint = "Compare environments with 'inspector measure MODEL --python A,B'."
        raise BadInput("Could not use --python", why, hint)
    targets = other_machines.targets(options)
    return [Axis(MACHINE, tuple(each.text for each in targets))] if len(targets) > 1 else []


def _axes(options: argparse.Namespace, models: tuple[Subject, ...]) -> list[Axis]:
    """All axes that were named. Raises BadInput: --batch, and no free axis."""
    axes = [
        Axis(name, values)
        for name in (DEVICE, *AXES)
        if (values := getattr(options, name)) is not None
    ]
    subjects = (subject.model for subject in models)
    free: Mapping[str, tuple[Value, ...]] = checked_dimensions(options, *subjects)
    if options.batch:
        first = models[0].model.inputs[:1]
        name = next((axis for info in first for axis in (info.shape or ())[:1]), None)
        if not isinstance(name, str) or not name:
            why = "the first axis of the first input is not dynamic"
            raise BadInput(
                "Could not sweep the batch size", why, "Set another axis with --dim."
            )
        free = {name: options.batch, **free}
    axes += [Axis(DIMENSION_PREFIX + name, values) for name, values in free.items()]
    return axes + ([Axis(BUSY_CORES, (0, 1))] if options.busy_core else [])


def step_line(before: Sweep, step: SweepStep) -> str:
    """Return the result of the last measurement and the progress of the sweep."""
    old, after = before.by_place, step.sweep
    cell = next(cell for cell in after.cells if cell != old[cell.at])
    number, rest = runner.done(after), runner.left(after)
    count = f"[{number:>{len(str(number + rest))}}/{number + rest} measurements]"
    middle = median_ns(cell)
    text = cell.why.rstrip(".") if cell.why else f"median {duration(middle or 0)}"
    seconds = step.seconds_left
    left = f"; {time_left(seconds)}" if rest and seconds is not None else ""
    return f"{count} {settings_label(after, cell)}: {text}{left}"


def next_text(sweep: Sweep, place: CellIndex) -> str:
    """Return the measurement that begins: '[3/21 measurements] threads 2'."""
    number, rest = runner.done(sweep), runner.left(sweep)
    count = f"[{number + 1}/{number + rest} measurements]"
    return f"{count} {settings_label(sweep, sweep.by_place[place])}"


def live_lines(sweep: Sweep, active: Collection[CellIndex], left: str = "") -> list[str]:
    """Return models on machines as a table while it fills; empty without that axis.

    active: cells that are measured now. A number in brackets counts the settings that are done.
    """
    best = sweep_results.by_machine(sweep)
    if not best:
        return []
    names = next(axis.values for axis in sweep.axes if axis.name == MACHINE)
    table = [["", *(value_label(MACHINE, name) for name in names)]]
    for number, model in enumerate(sweep.models):
        texts = [clip(model.name, 30)]
        for place in range(len(names)):
            own = [
                cell
                for cell in sweep.cells
                if (sweep.model_of(cell), sweep.machine_of(cell)) == (number, place)
            ]
            ended = sum(
                cell.state is not CellState.PENDING or len(cell.rounds) >= sweep.rounds
                for cell in own
            )
            fastest = best[number][place]
            middle = None if fastest is None else sweep_results.median_ns(fastest)
            now = any(cell.at in active for cell in own)
            failed = next((c for c in own if c.state is CellState.FAILED), None)
            text = "" if middle is None else duration(middle)
            if not text:
                ended_as = "queued" if failed is None else failed.failure or "failed"
                text = "measuring" if now else ended_as
            elif now:
                text = f"~{text}"
            count = f" ({ended}/{len(own)})" if len(own) > 1 and ended < len(own) else ""
            texts.append(text + count)
        table.append(texts)
    wide = [max(map(len, column)) for column in zip(*table, strict=True)]
    done, rest = runner.done(sweep), runner.left(sweep)
    lines = [f"{done} of {done + rest} measurements{left}"]
    for cells in table:
        others = (f"{text:>{w}}" for text, w in zip(cells[1:], wide[1:], strict=True))
        lines.append("  ".join((cells[0].ljust(wide[0]), *others)).rstrip())
    return lines
