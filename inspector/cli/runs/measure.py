"""inspector measure: measure latency, memory and the time of each layer."""

import argparse
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from inspector.analysis.advice.rules import advice
from inspector.analysis.verdicts.engines import engine_verdict
from inspector.analysis.verdicts.interleaved import PrecisionGoal
from inspector.analysis.verdicts.speed import precision_text
from inspector.api import turns
from inspector.api.turns import STARTS, Subject
from inspector.app import subjects
from inspector.backends import registry
from inspector.backends.interleaving import Pair
from inspector.backends.values import Progress as Step
from inspector.cli import command_timer, gate, model_request, other_machines, pages, signatures
from inspector.cli.options import option_types, session_options
from inspector.cli.progress import Progress
from inspector.cli.runs import measure_machines, measure_table
from inspector.cli.runs.measure_machines import Ready
from inspector.errors import BadInput, EngineFailed
from inspector.export.tables.model_table import expanded
from inspector.export.tables.report_json import report_json
from inspector.formats.archive import located
from inspector.formats.model_formats import model_suffixes
from inspector.formats.opening import open_model
from inspector.model.axes import named_axes
from inspector.model.model import Model
from inspector.pages.report.page import report_page
from inspector.platform import files
from inspector.preview.identity import measured_model
from inspector.preview.inputs.feeds import feeds_by_name
from inspector.preview.runs import parity
from inspector.report import report as reports
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import DEFAULT_SPEC, Dimension, InputSource, RunSpec
from inspector.units import visible


def run(options: argparse.Namespace) -> None:
    """Measure one model, or several as a table. Raises InspectorError, SystemExit."""
    paths, many = expanded(options.models, model_suffixes())
    if many or len(paths) > 1 or options.sort or options.csv:
        if options.signature:
            why = "--signature works only with one model"
            raise BadInput("Could not measure", why, "Omit it, or specify one model.")
        other_machines.confirm_uploads(options, paths)
        measure_table.run(options, paths, _measure_for_table)
        return
    options.named = paths[0]
    if "," in options.on or options.on.startswith("label:"):
        with (
            located(paths[0]) as found,
            signatures.with_signature(options, found) as options.model,
        ):
            other_machines.confirm_uploads(options, [options.model])
            measure_machines.run(options, _ready)
        return
    with (
        located(paths[0]) as found,
        signatures.with_signature(options, found) as options.model,
    ):
        other_machines.confirm_uploads(options, [options.model])
        _measure_one(options)


def _ready(options: argparse.Namespace) -> Ready:
    """Open the model, and return what measures it and what stops that."""
    own = subject_of(options, options.model)
    command_timer.stop()  # each measurement has the time to itself

    def measure(show: Callable[[Step], None]) -> PerformanceReport:
        subject, report = measured_alone(options, own, not options.no_wait, show)
        return subject.advised(report)

    return measure, own.cancel


def _measure_for_table(
    options: argparse.Namespace, show: Callable[[Step], None]
) -> tuple[Model, PerformanceReport]:
    own = subject_of(options, options.model)
    command_timer.stop()  # each measurement has the time to itself
    own, report = measured_alone(options, own, not options.no_wait, show)
    return own.model, own.advised(report)


def _measure_one(options: argparse.Namespace) -> None:
    """Measure. Raises InspectorError: unreadable, does not fit, the runtime refused.

    Raises SystemExit where a condition against the baseline holds.
    """
    options.engines = _engines(options)
    gate.check_options(options)
    for path in filter(None, (options.output, options.against_output)):
        files.expect_to_write(path)
    options.check |= any(one.subject.startswith("output.") for one in options.conditions)
    options.check |= bool(options.engines)  # which is faster matters if the outputs agree
    baseline = reports.load(options.baseline) if options.baseline else None
    two = options.against or options.engines
    goal = PrecisionGoal() if two and not options.starts else None
    wait, own = not options.no_wait, subject_of(options, options.model, -1)
    given = located(options.against) if options.against else nullcontext()
    ends = list[BaseException]()
    with Progress(sys.stderr) as progress, given as against:
        other, note = _against(options, own, against) if against else (None, "")
        if other is not None and other.model.format != own.model.format:
            own, other = turns.fitted(own), turns.fitted(other)
        if options.engines:
            other = subject_of(options, options.model, 0)
        command_timer.stop()  # each measurement has the time to itself

        def measure(times: int = 1) -> Pair:
            nonlocal own
            if other is not None:
                return turns.both((other, own), times, wait, progress.show, goal, ends)
            own, done = measured_alone(options, own, wait, progress.show, times, ends)
            return baseline or done, done

        held = gate.measure_and_compare(options, measure) if baseline or other else None
        first, measured = held[:2] if held else measure()
        agreement = None
        if other is not None and not options.engines and not ends:
            agreement = turns.output_agreement(own, other, note, progress.show)
    if other is not None and agreement is not None:
        measured = turns.with_agreement(measured, agreement, other)
    _tell(options, own.advised(measured), own)
    if options.against_output and other:
        reports.save(other.advised(first), options.against_output)
    if ends:  # no verdict from what was cut off
        raise ends[0]
    if held:
        verdicts = [precision_text(*held[:2], goal)] if goal else []
        if options.engines:
            verdicts.insert(0, engine_verdict(held[:2], held[2].judgements[1]))
        if other is not None and agreement is not None:
            verdicts.insert(0, turns.format_verdict(held[:3], (other, own), agreement))
        gate.report_outcome(options, *held[2:], [*filter(None, verdicts)])
    elif options.conditions:
        gate.decide_alone(options, measured, own.model.name)


def _against(options: argparse.Namespace, own: Subject, path: Path) -> tuple[Subject, str]:
    """Open the model of --against, and return how to measure it and a note on its inputs."""
    theirs = open_model(path)
    given = model_request.parsed_values(options.inputs, own.model)
    named = parity.values_for(given, own.model.inputs, theirs.inputs)
    again = {**vars(options), "inputs": [f"{name}={value}" for name, value in named.items()]}
    return turns.with_inputs_of(own, subject_of(argparse.Namespace(**again), path))


def measured_alone(
    options: argparse.Namespace,
    own: Subject,
    wait: bool,
    show: Callable[[Step], None],
    times: int = 1,
    ends: list[BaseException] | None = None,
) -> tuple[Subject, PerformanceReport]:
    """Measure a model in so many times the starts of its settings; with lengths of free axes
    that run where the chosen ones do not.

    ends: as `measured_in_turns` takes it.
    """
    spec = replace(own.spec, starts=times * own.spec.starts)
    try:
        return own, turns.measured_in_turns(own, spec, wait, show, ends=ends)
    except EngineFailed:
        with own.engine() as engine:
            ran = asked(options, own.model, own.path).run(
                lambda filled: engine.predict(own.path, own.spec, feeds_by_name(filled))
            )
        if not ran.note:
            raise
        guessed = replace(own, feeds=ran.filled)
        done = turns.measured_in_turns(guessed, spec, wait, show, ends=ends)
        return guessed, replace(done, notes=(*done.notes, ran.note))


def _engines(options: argparse.Namespace) -> tuple[tuple[str, ...], ...]:
    """Return the devices of each of two runtimes; nothing if all are of one."""
    groups = registry.by_runtime(options.devices)
    if len(groups) > 2:
        what, why = "Could not compare the devices", "they are of more than two runtimes"
        raise BadInput(what, why, "Choose devices from two different runtimes.")
    return groups if len(groups) == 2 else ()


def subject_of(options: argparse.Namespace, path: Path, engine: int = -1) -> Subject:
    """Open a model, fill its inputs, and return how to measure it.

    engine: which of the two runtimes that the devices are of, if they are.
    """
    model = open_model(path)
    feeds = asked(options, model, path).filled()
    spec = _spec(options, model, tuple(InputSource(one.name, one.value) for one in feeds))
    engines = getattr(options, "engines", ())
    if engines:
        devices = engines[engine]
        spec = replace(registry.for_run(path, devices).fitted(spec), devices=devices)
    limits = replace(option_types.limits(options), until=0.0)
    target = other_machines.only_target(options)
    return Subject(path, model, feeds, measured_model(path, model), spec, limits, target)


def asked(options: argparse.Namespace, model: Model, path: Path) -> subjects.Subject:
    """Return a model with the inputs and lengths that the options say."""
    given = model_request.parsed_values(options.inputs, model)
    subject = subjects.Subject.of(path, model, RunSpec(cast=options.cast), given)
    return subject.with_lengths(dict(options.dimensions))


def _tell(options: argparse.Namespace, measured: PerformanceReport, own: Subject) -> None:
    """Save and print the report as requested. Raises NotSaved."""
    if options.json:
        sys.stdout.write(report_json(measured).decode())
    elif options.markdown != "-":
        pages.show(report_page(measured, advice(measured), own.feeds), options.details)
    if options.output:  # last, so that a full disk does not cost the answer
        reports.save(measured, options.output)
        if not options.json and options.markdown != "-":
            print(f"\nsaved {visible(options.output)}")


def _spec(
    options: argparse.Namespace, model: Model, sources: tuple[InputSource, ...]
) -> RunSpec:
    usual = replace(DEFAULT_SPEC, seconds=0.0, steady=0.0) if options.runs else DEFAULT_SPEC
    several = options.against or getattr(options, "engines", ())
    names = named_axes(model.inputs)
    named = ((name, size) for name, size in options.dimensions if name in names)
    own: dict[str, Any] = {"starts": STARTS if several else 1} | session_options.chosen(options)
    return replace(
        usual,
        devices=tuple(dict.fromkeys(options.devices)) or usual.devices,
        dimensions=tuple(Dimension(name, size) for name, size in named),
        inputs=sources,
        cast=options.cast,
        profiled_runs=0 if options.no_layers else usual.profiled_runs,
        **own,
    )
