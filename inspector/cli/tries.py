"""inspector predict --try: the usual preparations of a picture, side by side."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector import units
from inspector.errors import BadInput

if TYPE_CHECKING:
    from inspector.model import Model
    from inspector.prediction import Prediction
    from inspector.preview.feeds import Filled
    from inspector.preview.image import ImageOptions
    from inspector.preview.tries import Verdict

Tried = tuple[str, str, "Verdict"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --try."""
    parser.add_argument(
        "--try",
        action="store_true",
        dest="tries",
        help="try the usual preparations of the picture side by side",
    )


def tried(
    predict: "Callable[[Mapping[str, Any]], Prediction]",
    model: "Model",
    filled: "Sequence[Filled]",
    given: Mapping[str, str],
    chosen: "ImageOptions",
    labels: Sequence[str],
) -> list[Tried]:
    """Name, preparation in words, and what the model says to it.

    Raises BadInput: no input was given a picture.
    """
    from inspector.preview import feeds, from_file, image, picture, tries

    named = {each.name: each for each in filled}
    for info in model.inputs:
        path = Path(given.get(info.name, ""))
        guessed = chosen.preparation(info)
        if guessed is None or path.suffix.lower() not in picture.SUFFIXES:
            continue
        pixels, found = picture.read(path), []
        shape = named[info.name].array.shape
        sized = replace(info, shape=shape)
        arrays = feeds.fed(filled)
        sides = guessed.width or pixels.shape[1], guessed.height or pixels.shape[0]
        for name, preparation in tries.usual(guessed):
            arrays[info.name] = image.prepare(pixels, preparation, sized)
            verdict = tries.verdict(predict(arrays).outputs, labels, *sides)
            found.append((name, from_file.words_of(replace(preparation, why="")), verdict))
        return found
    hint = "Give one with --input NAME=FILE."
    raise BadInput("Could not try preparations", "no input was given a picture", hint)


def lines(found: Sequence[Tried]) -> list[str]:
    """One line for each preparation."""
    width = max(len(name) for name, *_ in found)
    told = ["", "the usual preparations side by side"]
    for name, words, verdict in found:
        share = f"{verdict.share:.4f}" if verdict.share else "      "
        answer = units.clip(verdict.words, 40)
        told.append(f"     {name:<{width}}  {share}  {answer:<40}  {words}".rstrip())
    return told


def as_json(found: Sequence[Tried]) -> list[dict[str, Any]]:
    """The same for --json."""
    return [
        {"name": name, "preparation": words, "answer": v.words, "share": v.share}
        for name, words, v in found
    ]
