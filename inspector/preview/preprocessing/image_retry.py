"""Other image preprocessing, tried without being asked where a guessed one gives nothing.

A wrong range or order of the channels lets a detector return no box and a classifier stay
undecided. Where that happens with a guess, a few others are tried for a short time, and the
first clear result is shown with a sentence that says what was tried. For a known family these
are only its own alternatives: an image may well hold nothing, and a wrong range makes up boxes.
Preprocessing that somebody chose, saved or wrote into the model is never replaced.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Generic, TypeVar

from msgspec import structs

from inspector.errors import Cancelled, InspectorError
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.preview.detectors import boxes, detectors
from inspector.preview.families.output_structure import ModelStructure
from inspector.preview.inputs.image import ImagePreprocessing
from inspector.preview.outputs import results
from inspector.preview.preprocessing import presets
from inspector.preview.preprocessing.guess import FROM_METADATA, family_of
from inspector.preview.preprocessing.saved import SAVED_IN

Preprocessing = TypeVar("Preprocessing")


@dataclass(frozen=True, slots=True, eq=False)
class Retry(Generic[Preprocessing]):
    """Preprocessing that was tried instead of the guess, and the first clear result.

    preprocessing, prediction: of the first clear result; None where no alternative gave one.
    text: one sentence that says what was tried and why.
    """

    preprocessing: Preprocessing | None
    prediction: Prediction | None
    text: str


# Somebody waits for the result; the presets of three channels are eight.
MAX_TRIES, MAX_SECONDS = 8, 5.0
# An alternative has to be clearly better: of two that give little, the guess stays.
_MIN_BOX_SCORE, _MIN_CLASS_PROBABILITY = 0.5, 0.6
_FLAT_RATIO = 3.0  # times the equal share 1 / classes: below it no class stands out
_MIN_CLASSES = 10  # with fewer classes a nearly equal share is a usual result
# How `why` begins where somebody decided: a saved file, a preset, the fields of the window.
_NOT_GUESSED = (SAVED_IN, "preset ", "as selected", FROM_METADATA)


def replaceable(preparation: ImagePreprocessing) -> bool:
    """Return whether a preprocessing is a guess, not chosen, saved or from the metadata."""
    return not preparation.why.startswith(_NOT_GUESSED)


def missing(
    outputs: Sequence[OutputValue],
    labels: Sequence[str],
    size: tuple[int, int],
    structure: ModelStructure,
) -> str:
    """Return what a result lacks, "no boxes" or "no class stands out"; else ''.

    size: width and height of the model's image.
    """
    for family, candidates in detectors.fitting(outputs, *size, structure)[:1]:
        chosen = boxes.select_boxes(candidates, family.score, family.overlap)
        return "" if chosen else "no boxes"
    for output in outputs:
        likely = results.is_classes(output, labels, structure)
        rows = results.classes(output, labels, 1) if likely else ()
        if rows and rows[0].top and rows[0].total >= _MIN_CLASSES:
            flat = rows[0].top[0].probability * rows[0].total < _FLAT_RATIO
            return "no class stands out" if flat else ""
    return ""


def retry(
    predict: Callable[[ImagePreprocessing], Prediction],
    info: TensorInfo,
    declared: Sequence[TensorInfo],
    guessed: ImagePreprocessing,
    outputs: Sequence[OutputValue],
    labels: Sequence[str],
    size: tuple[int, int],
    structure: ModelStructure,
) -> Retry[ImagePreprocessing] | None:
    """Try different preprocessings of an image where the guessed one gives no clear result.

    Returns None where the result is clear or there is nothing to try.
    predict: prepares the image with a preprocessing and runs the model. declared: the outputs
    of the model; outputs: their values with the guessed preprocessing. Raises Cancelled.
    """
    lacks = missing(outputs, labels, size, structure)
    if not lacks:
        return None
    family = family_of(info, declared, structure)
    if family is None:
        others = [preparation for _, preparation in presets.common_presets(guessed)[1:]]
    else:
        rows = (structs.replace(family, preprocessing=each) for each in family.alternatives)
        others = [row.applied(guessed, info.dtype) for row in rows]
    clear = _MIN_BOX_SCORE if lacks == "no boxes" else _MIN_CLASS_PROBABILITY
    tried, began, longest = list[str](), perf_counter(), 0.0
    guess_text = _text(guessed)
    for preparation in others[:MAX_TRIES]:
        started = perf_counter()
        if started - began + longest > MAX_SECONDS:
            break
        tried.append(_text(preparation))
        try:
            prediction = predict(preparation)
        except Cancelled:
            raise
        except InspectorError:
            continue  # such as a size that the model refuses
        longest = max(longest, perf_counter() - started)
        verdict = presets.top_result(prediction.outputs, labels, *size, structure)
        still = missing(prediction.outputs, labels, size, structure)
        if not still and verdict.share >= clear:
            text = f"tried {tried[-1]}, because {guess_text} gave {lacks}"
            return Retry(replace(preparation, why=text), prediction, text)
    if not tried:
        return None
    text = f"{guess_text} gave {lacks}; {_listed(tried)} gave no clear answer"
    return Retry(None, None, text)


def _text(preparation: ImagePreprocessing) -> str:
    """Return a preprocessing as short text: 'BGR 0..255 with letterbox'."""
    low, _, high = preparation.scale.rpartition("..")
    text = f"{preparation.order.upper()} {low or 0}..{high}"
    text += " with mean and std" if preparation.mean or preparation.std else ""
    return text + (" with letterbox" if preparation.resize == "fit" else "")


def _listed(tried: Sequence[str]) -> str:
    names = list(dict.fromkeys(tried))
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
