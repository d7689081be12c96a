"""inspector parity: run one input in two configurations and compare the outputs."""

import argparse
import sys
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import structs

from inspector import units
from inspector.analysis.verdicts.outputs import as_json as verdict_json
from inspector.app.language.quality import language_models
from inspector.app.language.text_comparison import measure_on_text
from inspector.app.parity import compare
from inspector.app.predict import predicting
from inspector.app.subjects import Subject
from inspector.cli import model_request, other_machines, pages
from inspector.cli.commands.parity import SCHEMA
from inspector.cli.options import option_types
from inspector.cli.options.gate_options import CONDITION_HOLDS
from inspector.cli.progress import Progress
from inspector.cli.runs import several_places
from inspector.cli.text_request import expect_runtime, tell_quality, text_settings
from inspector.comparison import quality_conditions
from inspector.comparison.ci_conditions import Condition
from inspector.engine.client.engine_process import EngineProcess, second_prediction
from inspector.errors import BadInput, InspectorError
from inspector.model.tensors.prediction import Prediction
from inspector.pages.outputs.parity import parity_page
from inspector.platform import files
from inspector.preview.inputs.image_files import png
from inspector.preview.outputs import saving
from inspector.preview.runs import parity
from inspector.preview.runs.other_run import OtherRun
from inspector.preview.runs.parity import Limit, OutputParity
from inspector.report.output_verdict import OutputVerdict
from inspector.wording import stored

_OPTIONS = "Could not use these options"


def run(options: argparse.Namespace) -> None:
    """Answer twice and compare. Raises InspectorError: a way failed, or shapes differ.

    Raises SystemExit where a condition holds.
    """
    if options.text is not None:
        _measure_on_text(options)
        return
    _expect_kind(options, Limit)
    several = other_machines.several_environments(options)
    if options.against is None and not several:
        hint = "Add --against RUN, or for a language model alone --text FILE."
        raise BadInput("Could not compare outputs", "there is no second run", hint)
    subject = model_request.subject_of(options)
    spec = model_request.spec_of(options, optimization=options.optimization)
    subject = structs.replace(subject, spec=spec)
    if several:
        if options.against is not None or options.save:
            why = "environments are compared with the one of the newest runtime"
            raise BadInput(_OPTIONS, why, "Omit --against and --save.")
        matrix = several_places.in_environments(options, subject)
        if any(limit.broken_by(row.outputs) for limit in options.limits for row in matrix.rows):
            raise SystemExit(CONDITION_HOLDS)
        return
    limits = option_types.limits(options)
    with Progress(sys.stderr) as progress, EngineProcess(progress.show, limits) as engine:
        once = predicting(engine, subject)
        way: OtherRun = options.against
        other = second_prediction(engine, subject.path, spec, way)
        theirs = None
        if way.model:
            theirs = partial(model_request.other_model, options, Path(way.model))
        compared = compare(subject, once, other, theirs)
    if compared.second is None or compared.verdict is None:
        assert compared.error is not None, "a run that failed says why"
        raise compared.error
    answers, outputs = (compared.first, compared.second), compared.outputs
    notes, verdict = compared.notes, compared.verdict
    if options.save:
        _save_heats(options.save, *answers, outputs)
    if options.json:
        _print_json(options, subject, answers, outputs, notes, verdict)
    else:
        page = parity_page(
            subject.model.name, options.device, way.label, answers, outputs, verdict,
            options.limits, notes,
        )  # fmt: skip
        pages.show(page)
    _leave(options, outputs)


def _measure_on_text(options: argparse.Namespace) -> None:
    """Score a text with one language model or two, and print how well they predict it.

    Raises InspectorError.
    """
    spec = model_request.spec_of(options, optimization=options.optimization)
    spec = replace(spec, cast=False)  # tokens are integers
    paths, specs, against = [options.model], [spec], options.against
    if options.save:
        why = "--save is about the outputs of one input"
        raise BadInput(_OPTIONS, why, "Omit --save or --text.")
    _expect_kind(options, Condition)
    if options.sensitivity and (against is None or not against.model):
        why = "--sensitivity exchanges the layers of two models"
        raise BadInput("Could not rank layers", why, "Add --against MODEL.")
    if against is not None:
        expect_runtime(against)
        other = against.spec(spec)
        paths.append(Path(against.model) if against.model else options.model)
        specs.append(replace(other, on_cpu=()) if against.model else other)
    settings = text_settings(options, whole=bool(options.limits))
    first, *others = language_models(paths, specs, options.tokenizer)
    second = next(iter(others), None)
    with (
        Progress(sys.stderr) as progress,
        EngineProcess(progress.show, option_types.limits(options)) as engine,
    ):
        *_, quality = measure_on_text(engine, first, settings, second, options.sensitivity)
    findings = quality_conditions.judged(options.limits, quality)
    tell_quality(options, quality, findings)


def _expect_kind(options: argparse.Namespace, kind: type[Condition | Limit]) -> None:
    """Raise BadInput where a condition is about something else than what is compared."""
    other = next((each for each in options.limits if not isinstance(each, kind)), None)
    if other is not None:
        why = f"'{units.clip(other.text, 60)}' is about the outputs of one input"
        hint = f"With --text, use a metric such as {quality_conditions.PREFIX}perplexity."
        if kind is Limit:
            why = f"'{units.clip(other.text, 60)}' is about a text"
            hint = "Add --text, or use a metric of outputs, such as max_abs."
        raise BadInput(_OPTIONS, why, hint)


def _print_json(
    options: argparse.Namespace,
    subject: Subject,
    answers: tuple[Prediction, Prediction],
    outputs: tuple[OutputParity, ...],
    notes: tuple[str, ...],
    verdict: OutputVerdict,
) -> None:
    first, second = answers
    body = {
        "schema": SCHEMA,
        "model": subject.model.name,
        "device": options.device,
        "against": {"kind": options.against.kind, "value": options.against.label},
        "prediction_ns": [first.prediction_ns, second.prediction_ns],
        "outputs": [as_json(output) for output in outputs],
        "conditions": [
            {"text": limit.text, "outputs": limit.broken_by(outputs)}
            for limit in options.limits
        ],
        "notes": [*notes, *first.notes, *second.notes],
        "verdict": verdict_json(verdict),
    }
    print(stored.json_text(body))


def as_json(output: OutputParity) -> dict[str, Any]:
    """One output for --json."""
    result = output.difference
    return {
        "name": output.name,
        "other": output.other,
        "problem": output.problem,
        "not_compared": output.not_compared,
        "identical": not (output.problem or output.not_compared) and not output.differs,
        "difference": None if result is None else asdict(result) | {"place": result.place},
        "best": output.best,
        "words": parity.summary_text(output),
    }


def _save_heats(
    folder: Path, first: Prediction, second: Prediction, outputs: tuple[OutputParity, ...]
) -> None:
    """Write each output's heat map. Raises NotSaved."""
    files.make_folder(folder)
    theirs = {output.name: output.array for output in second.outputs}
    names = saving.file_names([output.name for output in first.outputs])
    for name, output, pair in zip(names, first.outputs, outputs, strict=True):
        array = theirs.get(pair.other)
        shown = None
        if output.array is not None and array is not None:
            shown = parity.heat(output.array, parity.moved(array, pair.axes))
        if shown is not None:
            files.write_atomic(folder / f"{name}-difference.png", png(shown.picture))


def _leave(options: argparse.Namespace, outputs: tuple[OutputParity, ...]) -> None:
    broken = [output for output in outputs if not output.comparable]
    if broken:
        first = broken[0]
        name = units.clip(first.name, 60)
        raise InspectorError(f"Output '{name}' could not be compared", first.problem)
    if any(limit.broken_by(outputs) for limit in options.limits):
        raise SystemExit(CONDITION_HOLDS)
