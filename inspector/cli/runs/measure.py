"""inspector measure: measure latency, memory and the time of each layer."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import structs

from inspector import units
from inspector.analysis.advice.rules import advice
from inspector.analysis.verdicts.engines import engine_name, engine_verdict
from inspector.analysis.verdicts.interleaved import PrecisionGoal
from inspector.analysis.verdicts.speed import precision_text
from inspector.app.interleaved import STARTS, Interleaved, with_agreement
from inspector.app.language.speed import token_by_token
from inspector.app.measure import Setup, lengths_of, measure_or_tell, series, series_json, setup
from inspector.app.subjects import Subject
from inspector.backends import registry
from inspector.cli import command_timer, gate, model_request, other_machines, pages, signatures
from inspector.cli.estimates import estimated
from inspector.cli.model_table import print_table
from inspector.cli.options import option_types, session_options
from inspector.cli.progress import Progress
from inspector.cli.runs import several_places
from inspector.comparison.ci_conditions import Finding, judged_alone
from inspector.comparison.comparison import Comparison
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput, Cancelled, InspectorError
from inspector.formats.archive import located
from inspector.formats.folders.expanding import expanded
from inspector.formats.model_formats import model_suffixes
from inspector.formats.opening import open_model
from inspector.formats.revisions import located_at
from inspector.model.axes import named_axes
from inspector.model.model import Model
from inspector.pages.lists.model_rows import ModelRow
from inspector.pages.models import model_row
from inspector.pages.on_devices.shape_series import series_page
from inspector.pages.report.page import report_page
from inspector.platform import files
from inspector.preview.runs import parity
from inspector.render import registry as exports
from inspector.render.registry import expect_folder
from inspector.render.tables import comparison_json
from inspector.render.tables.report_json import report_json
from inspector.report import report as reports
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import DEFAULT_SPEC, Dimension, RunSpec
from inspector.units import visible
from inspector.wording import stored


def run(options: argparse.Namespace) -> None:
    """Measure one model, or several as a table. Raises InspectorError, SystemExit."""
    paths, many = expanded(options.models, model_suffixes())
    if many or len(paths) > 1 or options.sort or options.csv:
        if options.signature:
            why = "--signature works only with one model"
            raise BadInput("Could not measure", why, "Omit it, or specify one model.")
        other_machines.confirm_uploads(options, paths)
        _run_table(options, paths)
        return
    options.named = paths[0]
    if "," in options.on or options.on.startswith("label:"):
        with (
            located(paths[0]) as found,
            signatures.with_signature(options, found) as options.model,
        ):
            other_machines.confirm_uploads(options, [options.model])
            here = argparse.Namespace(**{**vars(options), "on": ""})
            several_places.run(options, setup_of(here))
        return
    with located(paths[0]) as found, signatures.with_signature(options, found) as options.model:
        if options.shapes:
            _run_series(options)
            return
        if other_machines.several_environments(options):
            own = setup_of(argparse.Namespace(**{**vars(options), "python": ""}))
            several_places.in_environments(options, own.subject, own)
            return
        other_machines.confirm_uploads(options, [options.model])
        _measure_one(options)


def _measure_one(options: argparse.Namespace) -> None:
    """Measure. Raises InspectorError: unreadable, does not fit, the runtime refused.

    Raises SystemExit where a condition against the baseline holds.
    """
    options.engines = _engines(options)
    gate.check_options(options)
    for path in filter(None, (options.output, options.against_output)):
        exports.format_for(exports.Subject.REPORT, path)
        files.expect_to_write(path)
    options.check |= any(one.subject.startswith("output.") for one in options.conditions)
    options.check |= bool(options.engines)  # which is faster matters if the outputs agree
    baseline = reports.load(options.baseline) if options.baseline else None
    if options.against or options.engines:
        _measure_in_turns(options)
        return
    wait, own = not options.no_wait, setup_of(options)
    starts, held, ends = own.spec.starts, None, list[BaseException]()
    with Progress(sys.stderr) as progress:
        command_timer.stop()  # each measurement has the time to itself

        def keep(failed: PerformanceReport) -> None:
            if options.output:
                exports.save_as(exports.Subject.REPORT, options.output, failed)
                print(f"saved {visible(options.output)}", file=sys.stderr)

        def measured(times: int = 1) -> PerformanceReport:
            nonlocal own
            with own.engine(progress.show) as engine:
                several = own.with_starts(times * starts)
                own, done = measure_or_tell(engine, several, keep, wait, ends)
            return done

        if baseline is not None:
            before = baseline
            held = gate.measure_and_compare(options, lambda times: (before, measured(times)))
        done = held[1] if held else measured()
    more: dict[str, Any] = {}
    findings: tuple[Finding, ...] = ()
    if held and not ends:
        more = _compared(*held[2:])
    elif options.conditions and not ends:
        findings = judged_alone(options.conditions, done, own.model.name)
        more = {"conditions": comparison_json.conditions(findings)}
    _tell(options, own.with_advice(done), own, more)
    if ends:  # no verdict from what was cut off
        raise ends[0]
    if held:
        gate.report_outcome(options, *held[2:])
    elif options.conditions or options.markdown or options.junit:
        gate.decide_alone(options, findings, report_page(done, advice(done), own.feeds))


def _run_series(options: argparse.Namespace) -> None:
    """Run the shapes of --shapes in one session. Raises InspectorError."""
    gate.expect_one(options, "shape", "--shapes names several")
    if options.output:
        why = "a series of shapes has no report to save"
        raise BadInput("Could not measure", why, "Print it with --json, or omit --output.")
    shapes = lengths_of(options.shapes)
    own = setup_of(options)
    command_timer.stop()
    with Progress(sys.stderr) as progress, own.engine(progress.show) as engine:
        runs = tuple(series(engine, own.subject, shapes))
    if options.json:
        print(stored.json_text(series_json(own.model.name, runs)))
    else:
        pages.show(series_page(own.model.name, runs))


def _measure_in_turns(options: argparse.Namespace) -> None:
    """Measure beside the model of --against, or on two runtimes. Raises as `_measure_one`."""
    goal = None if options.starts else PrecisionGoal()
    own = setup_of(options)
    given = located_at(options.against) if options.against else nullcontext()
    with Progress(sys.stderr) as progress, given as against:
        other = _against(options, own, against) if against else setup_of(options, None, 0)
        both = Interleaved(other, own, not options.no_wait, progress.show, goal)
        command_timer.stop()  # each measurement has the time to itself
        held = gate.measure_and_compare(options, both.measured)
        agreement = both.agreement()
    first, measured, compared, _ = held
    if agreement is not None:
        measured = with_agreement(measured, agreement, both.other)
    verdicts = [precision_text(*held[:2], goal)] if goal else []
    if options.engines:
        verdicts.insert(0, engine_verdict(held[:2], compared.judgements[1]))
    if agreement is not None:
        verdicts.insert(0, both.verdict(compared, held[:2], agreement))
    verdicts = [*filter(None, verdicts)]
    more = {} if both.ends else _compared(*held[2:], verdicts)
    shown = options.details or bool(both.ends)  # else the comparison is the answer
    _tell(options, both.own.with_advice(measured), both.own, more, shown)
    if options.against_output:
        exports.save_as(
            exports.Subject.REPORT, options.against_output, both.other.with_advice(first)
        )
    if both.ends:  # no verdict from what was cut off
        raise both.ends[0]
    gate.report_outcome(options, *held[2:], verdicts)


def _compared(
    comparison: Comparison, findings: Sequence[Finding], verdicts: Sequence[str] = ()
) -> dict[str, Any]:
    """Return what a comparison adds to the JSON of a report."""
    return {
        "comparison": comparison_json.as_plain(comparison, findings, verdicts),
        "conditions": comparison_json.conditions(findings),
    }


def _against(options: argparse.Namespace, own: Setup, path: Path) -> Setup:
    """Open the model of --against, with the same values for its inputs."""
    theirs = open_model(path)
    given = model_request.parsed_values(options.inputs, own.model)
    named = parity.values_for(given, own.model.inputs, theirs.inputs)
    again = {**vars(options), "inputs": [f"{name}={value}" for name, value in named.items()]}
    return setup_of(argparse.Namespace(**again), path)


def _engines(options: argparse.Namespace) -> tuple[tuple[str, ...], ...]:
    """Return the devices of each of two runtimes; nothing if all are of one."""
    groups = registry.by_runtime(options.devices)
    if len(groups) > 2:
        what, why = "Could not compare the devices", "they are of more than two runtimes"
        raise BadInput(what, why, "Choose devices from two different runtimes.")
    return groups if len(groups) == 2 else ()


def setup_of(options: argparse.Namespace, path: Path | None = None, engine: int = -1) -> Setup:
    """Open a model, that of the options by default, and return how to measure it.

    engine: which of the two runtimes that the devices are of, if they are.
    """
    path = path or options.model
    subject = requested_subject(options, open_model(path), path)
    spec, engines = _spec(options, subject.model), getattr(options, "engines", ())
    if engines:
        devices = engines[engine]
        spec = replace(registry.for_run(path, devices).fitted(spec), devices=devices)
    limits = structs.replace(option_types.limits(options), until=0.0)
    subject = token_by_token(
        structs.replace(subject, spec=spec), getattr(options, "prompt", "") or ""
    )
    return setup(subject, limits, other_machines.only_target(options))


def requested_subject(options: argparse.Namespace, model: Model, path: Path) -> Subject:
    """Return a model with the inputs and lengths that the options say."""
    given = model_request.parsed_values(options.inputs, model)
    subject = Subject.of(path, model, RunSpec(cast=options.cast), given)
    return subject.with_lengths(dict(options.dimensions))


def _tell(
    options: argparse.Namespace,
    measured: PerformanceReport,
    own: Setup,
    more: Mapping[str, Any],
    shown: bool = True,
) -> None:
    """Save and print the report as requested. Raises NotSaved.

    more: fields for its JSON. shown: whether people read it.
    """
    if options.json:
        sys.stdout.write(report_json(measured, more).decode())
    elif shown and options.markdown != "-":
        # Commands name the model as this one did, so that they can be pasted.
        model = replace(measured.model, name=str(options.named))
        suggestions = advice(own.with_advice(replace(measured, model=model)))
        pages.show(report_page(measured, suggestions, own.feeds), options.details)
    if options.output:  # last, so that a full disk does not cost the answer
        exports.save_as(exports.Subject.REPORT, options.output, measured)
        if not options.json and options.markdown != "-":
            print(f"\nsaved {visible(options.output)}")


def _spec(options: argparse.Namespace, model: Model) -> RunSpec:
    usual = replace(DEFAULT_SPEC, seconds=0.0, steady=0.0) if options.runs else DEFAULT_SPEC
    several = options.against or getattr(options, "engines", ())
    names = named_axes(model.inputs)
    named = ((name, size) for name, size in options.dimensions if name in names)
    own: dict[str, Any] = {"starts": STARTS if several else 1} | session_options.chosen(options)
    return replace(
        usual,
        devices=tuple(dict.fromkeys(options.devices)) or usual.devices,
        dimensions=tuple(Dimension(name, size) for name, size in named),
        cast=options.cast,
        profiled_runs=0 if options.no_layers else usual.profiled_runs,
        **own,
    )


def _run_table(options: argparse.Namespace, paths: Sequence[Path]) -> None:
    """Measure and print the table. Raises InspectorError: some could not be measured."""
    gate.expect_one(options, "model", "several were specified")
    expect_folder(options.output)
    if options.json and options.csv == "-":
        why = "--json and --csv - would both write to standard output"
        raise BadInput("Could not measure", why, "Specify a file with --csv.")
    groups = registry.by_runtime(options.devices)
    several = len(groups) > 1
    options.check |= several  # the fastest one is of use if its outputs are right
    rows, reports = [], dict[tuple[Path, str], PerformanceReport]()
    todo = [(path, group) for path in paths for group in (groups if several else ((),))]
    for number, (path, group) in enumerate(todo, 1):
        where = f" on {' + '.join(group)}" if group else ""
        print(f"{number} of {len(todo)}: {path}{where}", file=sys.stderr)
        options.devices = list(group) or options.devices
        try:
            keep = partial(reports.__setitem__, (path, group[0] if group else ""))
            row, report = _measured_for_row(options, path, keep)
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


def _measured_for_row(
    options: argparse.Namespace, path: Path, keep: Callable[[PerformanceReport], None]
) -> tuple[ModelRow, PerformanceReport]:
    """Measure one model. Raises InspectorError."""
    with located(path) as options.model, Progress(sys.stderr) as progress:
        own = setup_of(options)
        command_timer.stop()  # each measurement has the time to itself
        with own.engine(progress.show) as engine:
            own, report = measure_or_tell(engine, own, keep, not options.no_wait)
        subject, report = own.subject, own.with_advice(report)
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
