"""Options and --json of what is decoded from outputs: boxes, points, masks, and the answer of a
model family."""

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from msgspec import structs

from inspector import units
from inspector.app.predict import Predicted, picture_of, places, refusals
from inspector.cli.options.arguments import DECODER
from inspector.errors import BadInput
from inspector.model.display_names import suggestion
from inspector.model.tensors.prediction import Prediction
from inspector.platform import files
from inspector.preview.detectors.detectors import FAMILIES
from inspector.preview.families.family_answers import FamilyAnswer
from inspector.preview.inputs import image_files
from inspector.preview.outputs import scene
from inspector.preview.outputs.scene import Decoder, PlacedScene
from inspector.preview.preprocessing.saved import SavedPreprocessing


def decoder_name(options: argparse.Namespace, kept: SavedPreprocessing) -> str:
    """Return the name of the decoder that was asked for or kept with the model; "" for none."""
    named = [each for each in options.meanings if each.startswith(DECODER)]
    return named[-1].removeprefix(DECODER).strip() if named else kept.decoder


def known_decoder(name: str) -> str:
    """Return a decoder's name as a later prediction finds it. Raises BadInput: none has it."""
    if name.lower() in ("", scene.NO_DECODER, *scene.KINDS):
        return name.lower()
    return _named(name, [scene.Decoder(scene.BOXES, each.name) for each in FAMILIES]).name


def placed_scene(options: argparse.Namespace, found: Predicted) -> PlacedScene | None:
    """Read the outputs as places in the picture that was given; None without one.

    Raises BadInput: there is no such decoder for these outputs.
    """
    name = decoder_name(options, found.subject.saved_preprocessing)
    outputs = found.prediction.outputs
    read = places(found.subject, found.filled, outputs, name, options.score, options.overlap)
    if name and name.lower() != scene.NO_DECODER and picture_of(found.filled) is not None:
        _named(name, () if read is None else read.decoders)
    return None if read is None else read.placed


def with_refusals(options: argparse.Namespace, found: Predicted) -> Prediction:
    """Return a prediction with a note for each decoder that refuses to read its outputs."""
    prediction = found.prediction
    if decoder_name(options, found.subject.saved_preprocessing).lower() == scene.NO_DECODER:
        return prediction
    notes = refusals(found.subject, found.filled, prediction.outputs)
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


def family_json(answer: FamilyAnswer | None) -> dict[str, Any] | None:
    """Return the family of a model for --json; None where none was recognized."""
    if answer is None:
        return None
    family = answer.family
    return {
        "key": family.key,
        "name": family.name,
        "preprocessing": family.preprocessing,
        "source": family.source,
        "assumed": answer.assumed,
        "answer": answer.values,
        "flat": answer.flat,
    }


def _named(name: str, ways: Sequence[Decoder]) -> Decoder:
    decoder = scene.named(name, ways)
    if decoder is None:
        what = f"Could not read the outputs as '{units.clip(name, 60)}'"
        hint = suggestion(name, [w.name for w in ways]) or "Choose another decoder, or 'none'."
        raise BadInput(what, "the shapes of the outputs do not match this decoder", hint)
    return decoder
