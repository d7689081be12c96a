"""inspector predict: run a model once and show its outputs."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from msgspec import structs

from inspector import units
from inspector.app import predict, subjects
from inspector.app.language.chat import ChatSettings
from inspector.app.language.chat_model import open_encoder_decoder
from inspector.app.language.continuation import continue_text
from inspector.app.language.transcription import MOST_WRITTEN, transcribe
from inspector.app.predict import Predicted
from inspector.cli import decoding, model_request, other_machines, pages, signatures
from inspector.cli.commands.predict import SCHEMA
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.engine.client.engine import Engine
from inspector.errors import BadInput
from inspector.formats.folders.reading import model_name
from inspector.model.tensors.prediction import OutputValue
from inspector.pages.outputs.prediction import prediction_page
from inspector.preview.families import score_calibration
from inspector.preview.families.family_answers import FamilyAnswer
from inspector.preview.families.output_structure import of_model
from inspector.preview.inputs import feeds, tokens
from inspector.preview.inputs.feeds import Filled, input_caution
from inspector.preview.inputs.guessed_axes import noted
from inspector.preview.inputs.model_states import states
from inspector.preview.inputs.sample_inputs import first_example
from inspector.preview.outputs import results, saving
from inspector.preview.outputs.time_series import Series, series_of
from inspector.preview.outputs.token_outputs import decode_text
from inspector.preview.preprocessing import input_condition
from inspector.preview.runs.generation import Generated
from inspector.preview.runs.predicted import PredictionResult, TriedPreset
from inspector.render.registry import Subject, save_as
from inspector.units import visible
from inspector.wording import stored
from inspector.wording.values import Sentence

_LISTED_VALUES = 16


def run(options: argparse.Namespace) -> None:
    """Predict once, or once for each file of a folder.

    Raises InspectorError: unreadable, does not fit, or the runtime refused.
    """
    with signatures.with_signature(options, options.model) as options.model:
        several = other_machines.several_environments(options)
        if not (options.folder or several):
            _predict(options)
            return
        from inspector.cli.runs import evaluate, several_places  # and what compares two answers

        if options.folder:
            evaluate.run_folder(options)
        else:
            several_places.in_environments(options, _subject(options)[0])


def _subject(options: argparse.Namespace) -> tuple[subjects.Subject, Mapping[str, Path]]:
    """Return the model with its inputs, and the examples of its folder that stand in for them
    where none is given."""
    subject = model_request.with_assumed_labels(model_request.subject_of(options), options)
    example: Mapping[str, Path] = {}
    if not subject.given:
        example = first_example(Path(options.model))
        subject = subject.with_given({name: str(path) for name, path in example.items()})
    return structs.replace(subject, spec=model_request.spec_of(options)), example


def _predict(options: argparse.Namespace) -> None:
    model = open_encoder_decoder(Path(options.named), options.tokenizer)
    if model is not None and model.encoder is not None:
        options.model = model.encoder.path  # which takes what somebody gives
    subject, example = _subject(options)
    limits = option_types.limits(options)
    whole = subject
    if model is not None and model.encoder is not None:
        subject = model.encoder.pieces(model.encoder.prepared(whole))[0]
    with (
        Progress(sys.stderr) as progress,
        other_machines.engine(options, progress.show, limits) as engine,
    ):
        once = predict.predicting(engine, subject, warm=True)
        found = predict.predict(subject, once)
        tried = predict.tried_presets(subject, found.filled, once) if options.tries else ()
        if model is None:
            _expect_no_speech(options)
            text = _generated(options, found, engine)
        else:
            settings = ChatSettings(
                max_tokens=options.generate or MOST_WRITTEN, spec=subject.spec,
                language=options.spoken_language, translated=options.translate,
            )  # fmt: skip
            text = transcribe(engine, model, whole, settings).generated
        others = [
            (units.clip(text, 80), model_request.parsed_values([text], subject.model))
            for text in options.similar
        ]
        alike = predict.similarities(found, once, others) if others else {}
    found = structs.replace(found, prediction=noted(found.prediction, found.note))
    prediction = decoding.with_refusals(options, found)
    vocabulary = tokens.vocabulary(subject.tokenizer)
    limits_text = input_condition.stated_limits(subject.model.metadata)
    answer = predict.family_answer(found, prediction, vocabulary)
    doubts, notes = _doubts_and_notes(found, answer)
    notes += [f"no input given; used {_sample_names(example)}"] if example else []
    notes += [f"the model's file says: {limits_text}"] if limits_text else []
    notes += [found.picture.text] if found.picture is not None else []
    shown = replace(subject.model, name=model_name(subject.path))
    if model is not None:  # the whole model answers, of which this is the first half
        shown, answer, doubts = replace(shown, name=model.name), None, []
        prediction = structs.replace(prediction, outputs=prediction.outputs[:1])
    result = PredictionResult(
        model=shown, filled=found.filled, prediction=prediction,
        labels=subject.labels.names, pace=feeds.pace(found.filled, found.subject.stepping),
        scene=decoding.placed_scene(options, found), answer=answer, generated=text,
        similarities=alike, tried=tried, doubts=doubts, made_up=not subject.given,
        notes=(*prediction.notes, *notes),
    )  # fmt: skip
    if options.report:
        save_as(Subject.PREDICTION, options.report, result)
    if options.json:
        print(stored.json_text(_as_json(found, result, options.top, limits_text)))
    else:
        pages.show(prediction_page(result, options.top), options.details)
    saved = _saved(options, result) if options.save else ()
    if not options.json:
        print("".join(f"\nsaved {visible(path)}" for path in saved), end="\n" if saved else "")


def input_problems(subject: subjects.Subject, made: Sequence[Filled]) -> list[str]:
    """Return what is obviously wrong with pictures, as Preview says it."""
    problems = []
    for info, filled in zip(subject.inputs, made, strict=True):
        if filled.picture is None:
            continue
        pixels = filled.picture.pixels
        height, width = pixels.shape[:2]
        problem = input_condition.problem_of(
            info, subject.model.metadata, pixels, (width, height), filled.picture.preparation
        )
        hint = " Invert its colors, or use another image." if problem.is_background else ""
        problems += [problem.text + hint] if problem.text else []
    return problems


def _generated(
    options: argparse.Namespace, found: Predicted, engine: Engine
) -> Generated | None:
    """Return text that the model writes on, None unless asked. Raises BadInput: it cannot."""
    if not options.generate > 0:
        return None
    subject, given = found.subject, feeds.feeds_by_name(found.filled)
    known = tokens.vocabulary(subject.tokenizer)
    return continue_text(
        engine, subject.path, subject.model, subject.spec, given, known, options.generate
    )


def _retried(found: Predicted) -> str:
    """Return what was tried instead of guessed preprocessing of sounds or texts."""
    return found.sound.text if found.sound else predict.missing_tokenizer(found.subject)


def _expect_no_speech(options: argparse.Namespace) -> None:
    """Raise BadInput where settings of speech are given for a model that writes down none."""
    if options.spoken_language or options.translate:
        what = f"Could not write down speech with {units.clip(str(options.model))}"
        hint = "Omit --spoken-language and --translate."
        raise BadInput(what, "it is no folder of a model that writes down speech", hint)


def _doubts_and_notes(
    found: Predicted, answer: FamilyAnswer | None
) -> tuple[list[str], list[str]]:
    """Return why the answer may be wrong, and what was assumed and tried."""
    subject, tried = found.subject, _retried(found)
    flat = answer.flat if answer is not None else ""
    doubts = input_problems(found.subject, found.filled)
    doubts += [tried or Sentence("the result is not meaningful: {why}", flat)] if flat else []
    doubts += [found.doubt] if found.doubt else []
    notes = [tried] if tried and not flat else []
    notes += [model_request.assumption(subject.labels)] if subject.labels.assumed else []
    notes += score_calibration.notes(subject.image.structure.calibrations)
    source = subject.saved_preprocessing.source
    return doubts, [*notes, *([f"preprocessing saved in {source}"] if source else [])]


def _sample_names(example: Mapping[str, Path]) -> str:
    names = " and ".join(visible(path.name) for path in example.values())
    return f"the sample input {names}"


def _saved(options: argparse.Namespace, result: PredictionResult) -> tuple[Path, ...]:
    """Write the outputs, and the scene on its image. Raises NotSaved."""
    decoded = decoding.lists_boxes(result.scene)
    saved = saving.save(result.prediction.outputs, options.save, options.save_as, decoded)
    scene = result.scene
    return saved if scene is None else (*saved, decoding.save_scene(scene, options.save))


def _as_json(
    found: Predicted, result: PredictionResult, top: int, limits: str
) -> dict[str, Any]:
    subject, prediction = found.subject, result.prediction
    memory = states(subject.model.inputs, subject.model.outputs)
    written = result.generated
    return {
        "schema": SCHEMA,
        "model": subject.model.name,
        "kept": subject.saved_preprocessing.source,
        "labels": model_request.labels_as_json(subject.labels),
        "device": prediction.devices[0] if prediction.devices else "",
        "devices": prediction.devices,
        "prediction_ns": prediction.prediction_ns,
        "load_ns": prediction.load_ns,
        "first_call_ns": prediction.first_call_ns or None,
        "warm_median_ns": prediction.warm_median_ns,
        "warm_ns": prediction.warm_ns,
        "steps": result.pace.steps,
        "inputs": [
            {
                "name": filled.name,
                "value": filled.value,
                "given": filled.given,
                "dtype": filled.dtype,
                "shape": filled.array.shape,
                "words": filled.description,
                "caution": input_caution(filled, memory),
            }
            for filled in result.filled
        ],
        "outputs": [_output(result, output, top) for output in prediction.outputs],
        "scene": decoding.scene_json(result.scene),
        "notes": prediction.notes,
        "cautions": input_problems(found.subject, found.filled),
        "second_try": None if found.picture is None else found.picture.text,
        "stated_limits": limits,
        "tried": _presets_json(result.tried),
        "family": decoding.family_json(result.answer),
        "retried": _retried(found),
        "doubt": found.doubt,
        "generated": None if written is None else asdict(written),
        "similar": {
            name: [asdict(each) for each in rows] for name, rows in result.similarities.items()
        },
    }


def _output(result: PredictionResult, output: OutputValue, top: int) -> dict[str, Any]:
    """Return one output for --json.

    reading: what it most likely is; `top` and `rows` are also there where classes are only
    possible. top: of the first row; rows: of all if there are several. decoded_text: a line of
    text for each row of an output that spells one. calibrated: whether scores in `top`, `rows`
    and boxes are calibrated; `values` and `statistics` never are.
    """
    statistics, labels, pace = output.statistics(), result.labels, result.pace
    decoded, structure = decoding.lists_boxes(result.scene), of_model(result.model)
    kinds = results.read(output, labels, decoded, structure)
    rows: tuple[results.Classes, ...] = ()
    if results.CLASSES in kinds:
        rows = results.classes(output, labels, top, structure=structure)
    listed = [[asdict(entry) for entry in row.top] for row in rows]
    series = series_of(output, pace.steps, pace.step_seconds)
    spelled = decode_text(output, None, labels) if series is None else None
    calibration = structure.calibrations.get(output.name)
    values = None
    if output.array is not None and output.array.size <= _LISTED_VALUES:
        values = output.array.tolist()
    return {
        "name": output.name,
        "kind": output.kind,
        "dtype": output.dtype,
        "scale": output.scale or None,
        "zero_point": output.zero_point if output.scale else None,
        "shape": output.shape,
        "statistics": None if statistics is None else structs.asdict(statistics),
        "reading": kinds[0],
        "top": listed[0] if listed else [],
        "rows": listed if len(listed) > 1 else [],
        "values": values,
        "series": None if series is None else _series(series),
        "text": output.text,
        "decoded_text": list(spelled.lines) if spelled is not None else [],
        "calibrated": bool(calibration and not calibration.problem),
    }


def _series(series: Series) -> dict[str, Any]:
    return {
        "step_seconds": series.step_seconds,
        "mean": series.mean,
        "share_over_half": series.share_over(0.5),
        "spans_over_half": series.spans(0.5),
    }


def _presets_json(tried: Sequence[TriedPreset]) -> list[dict[str, Any]]:
    return [
        {"name": each.name, "preparation": each.text,
         "answer": each.result.text, "share": each.result.share}
        for each in tried
    ]  # fmt: skip
