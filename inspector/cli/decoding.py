"""Reads the outputs of a prediction: boxes, points, masks, and the answer of a model family."""

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from msgspec import structs

from inspector import units
from inspector.app.subjects import Subject
from inspector.cli.options.arguments import DECODER
from inspector.errors import BadInput
from inspector.model.display_names import suggestion
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.platform import files
from inspector.preview.detectors.detectors import FAMILIES
from inspector.preview.families import alternatives, family_answers
from inspector.preview.families.family_answers import FamilyAnswer
from inspector.preview.families.family_table import recognize
from inspector.preview.families.output_structure import of_model
from inspector.preview.inputs import audio, feeds, image, image_files, tokens
from inspector.preview.inputs.audio_windows import Stepping
from inspector.preview.inputs.feeds import Filled
from inspector.preview.inputs.image import ImageOptions, ImagePreprocessing, placement
from inspector.preview.inputs.image_files import SUFFIXES, Picture
from inspector.preview.outputs import scene
from inspector.preview.outputs.scene import Decoder, PlacedScene
from inspector.preview.preprocessing.saved import SavedPreprocessing
from inspector.preview.runs import step_by_step, text_evidence
from inspector.preview.runs.steps import Predict


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A prediction with its family's answer; of other preprocessing where the guess failed.

    retried: what was tried automatically, as text; empty if nothing was. doubt: why the class
    of a text is unsure; empty where nothing speaks against it.
    """

    request: Subject
    filled: tuple[Filled, ...]
    prediction: Prediction
    answer: FamilyAnswer | None
    retried: str = ""
    doubt: str = ""


def decoder_name(options: argparse.Namespace, kept: SavedPreprocessing) -> str:
    """Return the name of the decoder that was asked for or kept with the model; "" for none."""
    named = [each for each in options.meanings if each.startswith(DECODER)]
    return named[-1].removeprefix(DECODER).strip() if named else kept.decoder


def known_decoder(name: str) -> str:
    """Return a decoder's name as a later prediction finds it. Raises BadInput: none has it."""
    if name.lower() in ("", scene.NO_DECODER, *scene.KINDS):
        return name.lower()
    return _named(name, [scene.Decoder(scene.BOXES, each.name) for each in FAMILIES]).name


def placed_scene(
    options: argparse.Namespace,
    request: Subject,
    chosen: ImageOptions,
    prediction: Prediction,
) -> PlacedScene | None:
    """Read the outputs as places in the picture that was given; None without one.

    Raises BadInput: there is no such decoder for these outputs.
    """
    name = decoder_name(options, request.kept)
    image_input = None if name.lower() == scene.NO_DECODER else _image_input(request, chosen)
    if image_input is None:
        return None
    original, preparation, sides = image_input
    height, width = original.shape[:2]
    known = chosen.structure
    ways = scene.decoders(prediction.outputs, *sides, preparation.channels, known)
    decoder = _named(name, ways) if name else next(iter(ways), None)
    if decoder is None:
        return None
    ground = image.part(original, preparation)
    args = *sides, ground, options.score, options.overlap, known
    read = scene.read_scene(decoder, prediction.outputs, *args)
    return scene.PlacedScene(
        read, original, placement(preparation, width, height), request.labels.names
    )


def with_refusals(
    options: argparse.Namespace,
    request: Subject,
    chosen: ImageOptions,
    prediction: Prediction,
) -> Prediction:
    """Return a prediction with a note for each decoder that refuses to read its outputs."""

    off = decoder_name(options, request.kept).lower() == scene.NO_DECODER
    image_input = None if off else _image_input(request, chosen)
    if image_input is None:
        return prediction
    notes = scene.refusals(prediction.outputs, *image_input[2], chosen.structure)
    return structs.replace(prediction, notes=(*prediction.notes, *notes))


def lists_boxes(placed: PlacedScene | None) -> bool:
    """Return whether boxes or points were decoded, so that the outputs are lists of them."""
    return placed is not None and placed.scene.lists_boxes


def scene_json(placed: PlacedScene | None) -> dict[str, Any] | None:
    """Return a scene for --json, in pixels of the original image; None without one."""
    if placed is None:
        return None
    scene = placed.scene
    boxes = [asdict(box) for box in placed.boxes]
    parts = scene.overlay.parts if scene.overlay else ()
    return {
        "kind": scene.decoder.kind,
        "decoder": scene.decoder.name,
        "boxes": [{"class": box.pop("kind"), **box} for box in boxes],
        "points": [asdict(point) for point in placed.points],
        "parts": [{"class": kind, "share": share} for kind, share, _ in parts],
    }


def save_scene(placed: PlacedScene, folder: Path) -> Path:
    """Write the scene drawn on its image. Raises NotSaved."""
    drawn = scene.draw_scene(placed.original, placed.scene, placed.place, placed.labels)
    path = folder / f"{placed.scene.decoder.kind}.png"
    files.write_atomic(path, image_files.png(drawn))
    return path


def outcome(
    request: Subject,
    filled: tuple[Filled, ...],
    prediction: Prediction,
    once: Predict,
    fixed: bool,
) -> Outcome:
    """Read a prediction as its family's, after other preprocessing where it says nothing.

    fixed: somebody chose the preprocessing, so that no other is tried.
    """
    family = recognize(request.model)
    sounds = [
        name
        for name, value in request.texts.items()
        if Path(value).suffix.lower() in audio.SUFFIXES and name not in request.kept.sounds
    ]
    tried = "" if fixed else _missing_tokenizer(request)

    def predict(stepping: Stepping) -> Prediction:
        own = replace(request, sounds=stepping).filled()
        return step_by_step.answer(once, own, stepping.memory)

    pace = feeds.pace(filled, request.stepping)
    if not fixed and sounds and pace.steps <= alternatives.MOST_STEPS:
        result = alternatives.retry(
            request.model, family, prediction, request.stepping, sounds, predict
        )
        if result is not None:
            tried = result.text
            if result.preprocessing is not None and result.prediction is not None:
                request = replace(request, sounds=result.preprocessing)
                filled, prediction = request.filled(), result.prediction
    doubt = _doubt(request, prediction, once)
    if family is None:
        return Outcome(request, filled, prediction, None, tried, doubt)
    answer = family_answers.read(
        family,
        prediction.outputs,
        feeds.feeds_by_name(filled),
        tokens.vocabulary(request.tokenizer),
        request.labels.names,
        alternatives.sound_rate(request.model),
    )
    return Outcome(request, filled, prediction, answer, tried, doubt)


def family_json(found: Outcome) -> dict[str, Any]:
    """Return the family, null where none was recognized, and what was tried."""
    answer = found.answer
    if answer is None:
        return {"family": None, "retried": found.retried, "doubt": found.doubt}
    family = answer.family
    body = {
        "key": family.key,
        "name": family.name,
        "preprocessing": family.preprocessing,
        "source": family.source,
        "assumed": answer.assumed,
        "answer": answer.values,
        "flat": answer.flat,
    }
    return {"family": body, "retried": found.retried, "doubt": found.doubt}


def is_image_file(value: str) -> bool:
    """Return whether a value names an image, by its suffix."""
    return Path(value).suffix.lower() in SUFFIXES


def framing_chosen(options: Any) -> bool:
    """Return whether somebody chose how sounds are cut."""
    names: Sequence[str] = ("window", "hop", "context", "rate")
    return any(getattr(options, name) is not None for name in names)


def _image_input(
    request: Subject, chosen: ImageOptions
) -> tuple[Picture, ImagePreprocessing, tuple[int, int]] | None:
    """Return the image that was given, its preprocessing, and width and height of the model's;
    None without an image."""
    given, inputs = request.texts, request.model.inputs
    info = next((i for i in inputs if is_image_file(given.get(i.name, ""))), None)
    preparation = None if info is None else chosen.preparation(info)
    if info is None or preparation is None:
        return None
    original = image_files.read(Path(given[info.name]))
    height, width = original.shape[:2]
    sides = preparation.size_of(width, height)
    return original, preparation, sides


def _named(name: str, ways: Sequence[Decoder]) -> Decoder:

    decoder = scene.named(name, ways)
    if decoder is None:
        what = f"Could not read the outputs as '{units.clip(name, 60)}'"
        hint = suggestion(name, [w.name for w in ways]) or "Choose another decoder, or 'none'."
        raise BadInput(what, "the shapes of the outputs do not match this decoder", hint)
    return decoder


def _doubt(request: Subject, prediction: Prediction, once: Predict) -> str:

    given = text_evidence.given_text(request.model, request.texts)
    if given is None:
        return ""
    info, text = given

    def answer(other: str) -> Sequence[OutputValue]:
        values = {**request.given, info.name: f"text:{other}"}
        filled = request.with_given(values).filled()
        return step_by_step.answer(once, filled, request.stepping.memory).outputs

    structure = of_model(request.model)
    outputs, labels = prediction.outputs, request.labels.names
    return text_evidence.doubt(info, text, outputs, labels, structure, answer)


def _missing_tokenizer(request: Subject) -> str:

    given = tuple(request.given)
    return alternatives.missing_tokenizer_note(
        request.model, given, request.tokenizer is not None
    )
