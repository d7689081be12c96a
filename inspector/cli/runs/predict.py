"""inspector predict: run a model once and show its outputs."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from msgspec import structs

from inspector import units
from inspector.app import subjects
from inspector.cli import decoding, model_request, other_machines, pages, signatures
from inspector.cli.commands.predict import SCHEMA
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.errors import BadInput
from inspector.export.registry import Subject
from inspector.model.model import Model
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.pages.outputs.prediction import prediction_page
from inspector.preview.families import score_calibration
from inspector.preview.families.output_structure import of_model
from inspector.preview.inputs import (
    feeds,
    guessed_axes,
    image,
    image_files,
    input_files,
    tokens,
)
from inspector.preview.inputs.feeds import Filled, input_caution
from inspector.preview.inputs.image import ImageOptions, ImagePreprocessing
from inspector.preview.inputs.model_states import states
from inspector.preview.inputs.sample_inputs import first_example
from inspector.preview.outputs import embedding, results, saving
from inspector.preview.outputs.embedding import CosineSimilarity
from inspector.preview.outputs.scene import NO_DECODER
from inspector.preview.outputs.time_series import Series, series_of
from inspector.preview.outputs.token_outputs import decode_text
from inspector.preview.preprocessing import image_retry, input_condition, presets
from inspector.preview.preprocessing.image_retry import Retry
from inspector.preview.runs import generation, step_by_step
from inspector.preview.runs.generation import Generated
from inspector.preview.runs.predicted import PredictionResult, TriedPreset
from inspector.preview.runs.steps import Predict, Steps
from inspector.report.run_spec import RunSpec
from inspector.units import visible
from inspector.wording import stored
from inspector.wording.values import Sentence

_LISTED_VALUES = 16


def run(options: argparse.Namespace) -> None:
    """Predict once, or once for each file of a folder.

    Raises InspectorError: unreadable, does not fit, or the runtime refused.
    """
    with signatures.with_signature(options, options.model) as options.model:
        if options.folder:
            from inspector.cli.runs import predict_folder  # and its comparison of two runs

            predict_folder.run(options)
        else:
            _predict(options)


def input_problems(model: Model, given: Mapping[str, str], image: ImageOptions) -> list[str]:
    """Return what is obviously wrong with pictures, as Preview says it."""
    problems = []
    for info in model.inputs:
        value = given.get(info.name, "")
        if not decoding.is_image_file(value):
            continue
        picture = image_files.read(Path(value))
        height, width = picture.shape[:2]
        problem = input_condition.problem_of(
            info, model.metadata, picture, (width, height), image.preparation(info)
        )
        hint = " Invert its colors, or use another image." if problem.is_background else ""
        problems += [problem.text + hint] if problem.text else []
    return problems


def _predict(options: argparse.Namespace) -> None:

    request = model_request.with_assumed_labels(model_request.subject_of(options), options)
    example: Mapping[str, Path] = {}
    if not request.given:
        example = first_example(Path(options.model))
    if example:
        values = {name: str(path) for name, path in example.items()}
        request = request.with_given(values)
    model, known, given = request.model, request.labels.names, request.texts
    chosen, stepping = request.image, request.stepping
    spec = RunSpec(
        devices=(options.device,),
        cast=options.cast,
        on_cpu=tuple(options.on_cpu),
        custom_ops=tuple(options.custom_ops),
    )
    limits = option_types.limits(options)
    with (
        Progress(sys.stderr) as progress,
        other_machines.engine(options, progress.show, limits) as engine,
    ):

        def once(arrays: Mapping[str, Any], steps: Steps | None = None) -> Prediction:
            return engine.predict(options.model, spec, arrays, warm=True, steps=steps)

        ran = request.run(lambda filled: step_by_step.answer(once, filled, stepping.memory))
        filled, prediction = ran.filled, guessed_axes.noted(ran.result, ran.note)
        outcome = decoding.outcome(
            request, filled, prediction, once, decoding.framing_chosen(options)
        )
        request, filled, prediction = outcome.request, outcome.filled, outcome.prediction
        wanted = (once, model, filled, given, chosen, known)
        tried = _tried_presets(*wanted) if options.tries else ()
        again, chosen = _second(options, once, request, filled, prediction)
        if again is not None and again.prediction is not None:
            prediction = again.prediction
            filled = _refilled(filled, again, chosen)
        text = _generated(options, request, once, filled, prediction)
        alike = _similarities(options, request, once, prediction) if options.similar else {}
    shown = options, request, chosen
    prediction = decoding.with_refusals(*shown, prediction)
    scene = decoding.placed_scene(*shown, prediction)
    limits_text = input_condition.stated_limits(model.metadata)
    doubts, notes = _doubts_and_notes(request, chosen, outcome)
    notes += [f"no input given; used {_sample_names(example)}"] if example else []
    notes += [f"the model's file says: {limits_text}"] if limits_text else []
    notes += [again.text] if again is not None else []
    result = PredictionResult(
        model=model, filled=filled, prediction=prediction, labels=known,
        pace=feeds.pace(filled, request.stepping), scene=scene, answer=outcome.answer,
        generated=text, similarities=alike, tried=tried, doubts=doubts,
        made_up=not request.given, notes=(*prediction.notes, *notes),
    )  # fmt: skip
    if options.report:
        pages.save_report(Subject.PREDICTION, options.report, result)
    if options.json:
        body = _as_json(request, result, options.top)
        body["second_try"] = None if again is None else again.text
        body["stated_limits"] = limits_text
        tested = {"tried": _presets_json(tried), **decoding.family_json(outcome)}
        _print_json({**body, **tested, **_generation_json(result)})
    else:
        pages.show(prediction_page(result, options.top), options.details)
    saved = _saved(options, result) if options.save else ()
    if not options.json:
        print("".join(f"\nsaved {visible(path)}" for path in saved), end="\n" if saved else "")


def _tried_presets(
    predict: Callable[[Mapping[str, Any]], Prediction],
    model: Model,
    filled: Sequence[Filled],
    given: Mapping[str, str],
    chosen: ImageOptions,
    labels: Sequence[str],
) -> list[TriedPreset]:
    """Return the name, preprocessing and top result of each preset.

    Raises BadInput: no input was given a picture.
    """
    named = {each.name: each for each in filled}
    for info in model.inputs:
        path = Path(given.get(info.name, ""))
        guessed = chosen.preparation(info)
        if guessed is None or not image_files.is_image(path):
            continue
        pixels, result = image_files.read(path), list[TriedPreset]()
        shape = named[info.name].array.shape
        sized = replace(info, shape=shape)
        arrays = feeds.feeds_by_name(filled)
        sides = guessed.size_of(pixels.shape[1], pixels.shape[0])
        for name, preparation in presets.common_presets(guessed):
            arrays[info.name] = image.prepare(pixels, preparation, sized)
            known = chosen.structure
            verdict = presets.top_result(predict(arrays).outputs, labels, *sides, known)
            text = input_files.preprocessing_text(replace(preparation, why=""))
            result.append(TriedPreset(name, text, verdict))
        return result
    hint = "Set one with --input NAME=FILE."
    raise BadInput("Could not try presets", "no input is set to an image", hint)


def _second(
    options: argparse.Namespace,
    predict: Callable[[Mapping[str, Any]], Prediction],
    request: subjects.Subject,
    filled: Sequence[Filled],
    prediction: Prediction,
) -> tuple[Retry[ImagePreprocessing] | None, ImageOptions]:
    """Return what other preprocessings gave where a guessed one gave nothing, and the options
    that then hold for the picture."""
    chosen, structure = request.image, request.image.structure
    given = [
        i for i in request.model.inputs if decoding.is_image_file(request.texts.get(i.name, ""))
    ]
    guessed = chosen.preparation(given[0]) if len(given) == 1 else None
    name = decoding.decoder_name(options, request.kept).lower()
    free = not chosen.fixed and name != NO_DECODER
    if guessed is None or not free or not image_retry.replaceable(guessed):
        return None, chosen
    info, named = given[0], {each.name: each for each in filled}
    axes = named[info.name].array.shape
    down, across = axes[-2:] if guessed.layout == "nchw" else axes[-3:-1]
    size = across, down
    pixels, arrays = (
        image_files.read(Path(request.texts[info.name])),
        feeds.feeds_by_name(filled),
    )
    sized = replace(info, shape=axes)

    def once(preparation: ImagePreprocessing) -> Prediction:
        arrays[info.name] = image.prepare(pixels, preparation, sized)
        return predict(arrays)

    declared, outputs, labels = request.model.outputs, prediction.outputs, request.labels.names
    again = image_retry.retry(once, info, declared, guessed, outputs, labels, size, structure)
    if again is None or again.preprocessing is None:
        return again, chosen
    return again, replace(chosen, saved=((info.name, again.preprocessing),))


def _refilled(
    filled: Sequence[Filled], again: Retry[ImagePreprocessing], chosen: ImageOptions
) -> tuple[Filled, ...]:
    """Return the inputs described with the preprocessing that was finally used."""
    names = {name for name, _ in chosen.saved}
    assert again.preprocessing is not None, "only a clear second result changes the input"
    text = input_files.preprocessing_text(again.preprocessing)
    return tuple(
        replace(each, description=text) if each.name in names else each for each in filled
    )


def _generated(
    options: argparse.Namespace,
    request: subjects.Subject,
    predict: Predict,
    filled: Sequence[Filled],
    prediction: Prediction,
) -> Generated | None:
    """Return text that the model writes on, None unless asked. Raises BadInput: it cannot."""
    if not options.generate > 0:
        return None
    model, given = request.model, feeds.feeds_by_name(filled)
    known = tokens.vocabulary(request.tokenizer)
    return generation.generate(
        predict, given, model.inputs, model.outputs, known, options.generate
    )


def _similarities(
    options: argparse.Namespace,
    request: subjects.Subject,
    predict: Predict,
    prediction: Prediction,
) -> dict[str, tuple[CosineSimilarity, ...]]:

    structure = request.image.structure
    vectors = {o.name: embedding.vector_of(o, structure) for o in prediction.outputs}
    own = {name: vector for name, vector in vectors.items() if vector is not None}
    if not own:
        what, why = "Could not compare embeddings", "the model has no embedding output"
        raise BadInput(
            what,
            why,
            "An output counts as an embedding if it is named embedding, features, pooled, ...",
        )
    kept: dict[str, list[embedding.SavedVector]] = {name: [] for name in own}
    for text in options.similar:
        given = {**request.given, **model_request.parsed_values([text], request.model)}
        answer = predict(request.with_given(given).feeds())
        for output in answer.outputs:
            vector = embedding.vector_of(output, structure)
            if output.name in kept and vector is not None:
                kept[output.name].append(embedding.SavedVector(units.clip(text, 80), vector))
    return {name: embedding.similarities(vector, kept[name]) for name, vector in own.items()}


def _doubts_and_notes(
    request: subjects.Subject, chosen: ImageOptions, outcome: decoding.Outcome
) -> tuple[list[str], list[str]]:
    """Return why the answer may be wrong, and what was assumed and tried."""
    answer, tried = outcome.answer, outcome.retried
    flat = answer.flat if answer is not None else ""
    doubts = input_problems(request.model, request.texts, chosen)
    doubts += [tried or Sentence("the result is not meaningful: {why}", flat)] if flat else []
    doubts += [outcome.doubt] if outcome.doubt else []
    notes = [tried] if tried and not flat else []
    notes += [model_request.assumption(request.labels)] if request.labels.assumed else []
    notes += score_calibration.notes(chosen.structure.calibrations)
    source = request.kept.source
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


def _print_json(body: Mapping[str, Any]) -> None:

    print(stored.json_text(body))


def _as_json(request: subjects.Subject, result: PredictionResult, top: int) -> dict[str, Any]:

    prediction = result.prediction
    memory = states(request.model.inputs, request.model.outputs)
    return {
        "schema": SCHEMA,
        "model": request.model.name,
        "kept": request.kept.source,
        "labels": model_request.labels_as_json(request.labels),
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
        "cautions": input_problems(request.model, request.texts, request.image),
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
        {"name": each.name, "preparation": each.preprocessing,
         "answer": each.result.text, "share": each.result.share}
        for each in tried
    ]  # fmt: skip


def _generation_json(result: PredictionResult) -> dict[str, Any]:
    written = result.generated
    alike = {
        name: [asdict(each) for each in rows] for name, rows in result.similarities.items()
    }
    return {"generated": None if written is None else asdict(written), "similar": alike}
