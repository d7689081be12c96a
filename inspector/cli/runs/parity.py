"""inspector parity: run one input in two configurations and compare the outputs."""

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from inspector import units
from inspector.analysis.verdicts.outputs import as_json as verdict_json
from inspector.app.subjects import Subject
from inspector.backends.machine import int8_notes
from inspector.cli import model_request, pages
from inspector.cli.commands.parity import SCHEMA
from inspector.cli.options import option_types
from inspector.cli.options.gate_options import CONDITION_HOLDS
from inspector.cli.progress import Progress
from inspector.engine.client.engine_process import EngineProcess, second_prediction
from inspector.errors import InspectorError
from inspector.formats.opening import open_model
from inspector.model.tensors.prediction import Prediction
from inspector.pages.outputs.parity import parity_page
from inspector.platform import files
from inspector.preview.inputs import feeds, guessed_axes
from inspector.preview.inputs.feeds import Filled
from inspector.preview.inputs.image_files import png
from inspector.preview.outputs import saving
from inspector.preview.runs import parity, step_by_step
from inspector.preview.runs.model_comparison import comparison_of
from inspector.preview.runs.other_run import OtherRun
from inspector.preview.runs.parity import OutputParity
from inspector.preview.runs.steps import Steps
from inspector.report.output_verdict import OutputVerdict
from inspector.report.run_spec import RunSpec
from inspector.wording import stored


def run(options: argparse.Namespace) -> None:
    """Answer twice and compare. Raises InspectorError: a way failed, or shapes differ.

    Raises SystemExit where a condition holds.
    """
    request = model_request.subject_of(options)
    spec = RunSpec(
        (options.device,),
        options.optimization,
        cast=options.cast,
        on_cpu=tuple(options.on_cpu),
        custom_ops=tuple(options.custom_ops),
    )
    limits = option_types.limits(options)
    with (
        Progress(sys.stderr) as progress,
        EngineProcess(progress.show, limits) as engine,
    ):

        def once(arrays: Any, steps: Steps | None = None) -> Prediction:
            return engine.predict(request.path, spec, arrays, steps=steps)

        ran = request.run(
            lambda filled: step_by_step.answer(once, filled, request.stepping.memory)
        )
        filled, first = ran.filled, guessed_axes.noted(ran.result, ran.note)
        again = step_by_step.answer(once, filled, request.stepping.memory)
        second, notes = other(engine, spec, options, request, filled)
    given = feeds.feeds_by_name(filled)
    comparison = comparison_of(request.path, request.model, given, request.labels.names)
    comparison.add(first.outputs, second.outputs)
    comparison.add_repeat(first.outputs, again.outputs)
    verdict = comparison.verdict(feeds.input_kind(filled))
    structure = request.image.structure
    outputs = parity.outputs(first.outputs, second.outputs, request.labels.names, structure)
    if any(output.differs for output in outputs):
        theirs = request.model
        if options.against.model:
            theirs = open_model(Path(options.against.model))
        sides = ((request.model, first), (theirs, second))
        notes = (*notes, *int8_notes((model, answer.devices) for model, answer in sides))
    if options.save:
        _save_heats(options.save, first, second, outputs)
    if options.json:
        _print_json(options, request, (first, second), outputs, notes, verdict)
    else:
        answers, way = (first, second), options.against
        page = parity_page(
            request.model.name, options.device, way.label, answers, outputs, verdict,
            options.limits, notes,
        )  # fmt: skip
        pages.show(page)
    _leave(options, outputs)


def other(
    engine: EngineProcess,
    spec: RunSpec,
    options: argparse.Namespace,
    request: Subject,
    filled: tuple[Filled, ...],
) -> tuple[Prediction, tuple[str, ...]]:
    """Return the prediction of the second run, and notes on its inputs.

    Another model gets the same tensors by name or place; where it takes other ones, they are
    made anew of the same values, as it wants them. Raises InspectorError.
    """
    way: OtherRun = options.against
    once = second_prediction(engine, request.path, spec, way)
    if not way.model:
        return step_by_step.answer(once, filled, request.stepping.memory), ()
    theirs = model_request.other_model(options, Path(way.model))
    renamed = parity.for_model(filled, theirs.model.inputs)
    if renamed is not None:
        layout = parity.layout_note(filled, renamed)
        notes = (layout,) if layout else ()
        return step_by_step.answer(once, renamed, theirs.stepping.memory), notes
    given = parity.values_for(request.texts, request.model.inputs, theirs.model.inputs)
    theirs = theirs.with_given(given)
    note = "the other model takes other types or shapes of inputs, filled from the same values"
    return step_by_step.answer(once, theirs.filled(), theirs.stepping.memory), (note,)


def _print_json(
    options: argparse.Namespace,
    request: Subject,
    answers: tuple[Prediction, Prediction],
    outputs: tuple[OutputParity, ...],
    notes: tuple[str, ...],
    verdict: OutputVerdict,
) -> None:

    first, second = answers
    body = {
        "schema": SCHEMA,
        "model": request.model.name,
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
    folder: Path,
    first: Prediction,
    second: Prediction,
    outputs: tuple[OutputParity, ...],
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
