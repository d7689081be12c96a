"""Other image preprocessing, tried without being asked where a guessed one gives nothing.

A wrong range or order of the channels lets a detector return no box and a classifier stay
undecided. Where that happens with a guess, a few others are tried for a short time, and the
first clear result is shown with a sentence that says what was tried. For a known family these
are only its own alternatives: an image may well hold nothing, and a wrong range makes up boxes.
Preprocessing that somebody chose, saved or wrote into the model is never replaced. One image
says little: of a folder several are tried, and known labels count more than sure answers.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Generic, TypeVar

import numpy as np
from msgspec import Struct, structs

from inspector.errors import Cancelled, InspectorError
from inspector.model.model import TensorInfo
from inspector.model.tensors.element_types import is_float
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.preview.detectors import boxes, detectors
from inspector.preview.families.image_families import FROM_SCALE
from inspector.preview.families.output_structure import ModelStructure
from inspector.preview.inputs.image import ImagePreprocessing
from inspector.preview.outputs import results
from inspector.preview.preprocessing import presets
from inspector.preview.preprocessing.guess import FROM_METADATA, family_of
from inspector.preview.preprocessing.saved import SAVED_IN
from inspector.units import plural

Preprocessing = TypeVar("Preprocessing")
# Somebody waits for the result; the presets of three channels are eight.
MAX_TRIES = 8
MAX_SECONDS = 5.0
NO_BOXES = "no boxes"  # what a result lacks
_MIN_BOX_SCORE = 0.5  # of the surest box that an alternative has to give
MIN_CLASS_PROBABILITY = 0.6  # of the best class: others are tried below it, and must reach it
_MIN_GAIN = 0.2  # by which an alternative's best class has to be above the guess's
_MIN_CLASSES = 3  # with two classes an undecided answer is usual
# Highest minus lowest logit of an answer that says something. Three public classifiers had at
# most 49 on eight images with RGB 0..1 and -1..1; values far outside the trained range make it
# grow in proportion (85 to 8,175 for 0..255), and softmax then makes any class certain.
_MAX_LOGIT_RANGE = 60.0
FOLDER_SAMPLE = 8  # images of a folder that are tried, spread over it
MAX_FOLDER_SECONDS = 30.0  # for all of them; a folder takes minutes anyway
# How `why` begins where somebody decided: a saved file, a preset, the fields of the window.
_NOT_GUESSED = (SAVED_IN, "preset ", "as selected", FROM_METADATA, FROM_SCALE)
_ONE_IMAGE = "one image says little, so check with others"
_RIGHT = 0.9  # share of right answers with which a guess is not questioned


class Retry(Struct, Generic[Preprocessing], frozen=True, eq=False):
    """Preprocessing that was tried instead of the guess, and the first clear result.

    preprocessing, prediction: of the first clear result; None where no alternative gave one.
    text: one sentence that says what was tried and why.
    """

    preprocessing: Preprocessing | None
    prediction: Prediction | None
    text: str


def replaceable(preparation: ImagePreprocessing) -> bool:
    """Return whether a preprocessing is a guess, not chosen, saved or from the metadata."""
    return not preparation.why.startswith(_NOT_GUESSED)


def missing(
    outputs: Sequence[OutputValue],
    labels: Sequence[str],
    size: tuple[int, int],
    structure: ModelStructure,
) -> str:
    """Return what a result lacks, "no boxes" or "no class above 60%"; else ''.

    size: width and height of the model's image.
    """
    for family, candidates in detectors.fitting(outputs, *size, structure)[:1]:
        chosen = boxes.select_boxes(candidates, family.score, family.overlap)
        return "" if chosen else NO_BOXES
    for output in outputs:
        likely = results.is_classes(output, labels, structure)
        rows = results.classes(output, labels, 1, structure=structure) if likely else ()
        if rows and rows[0].top and rows[0].total >= _MIN_CLASSES:
            unsure = rows[0].top[0].probability < MIN_CLASS_PROBABILITY
            return f"no class above {MIN_CLASS_PROBABILITY:.0%}" if unsure else ""
    return ""


def _is_saturated(
    outputs: Sequence[OutputValue], labels: Sequence[str], structure: ModelStructure
) -> bool:
    """Return whether the logits of classes lie too far apart for their softmax to mean much."""
    for output in outputs:
        if not results.is_classes(output, labels, structure) or output.array is None:
            continue
        rows = results.classes(output, labels, 1, structure=structure)
        if rows and rows[0].logits and isinstance(output.array, np.ndarray):
            return float(np.ptp(output.array.astype(np.float64))) > _MAX_LOGIT_RANGE
    return False


def alternatives(
    info: TensorInfo,
    declared: Sequence[TensorInfo],
    guessed: ImagePreprocessing,
    structure: ModelStructure,
) -> list[ImagePreprocessing]:
    """Return other usual preprocessing of an input: of its family, or the common presets.

    Integers say their range themselves; only the order of the channels may be another.
    """
    family = family_of(info, declared, structure)
    if family is not None:
        rows = (structs.replace(family, preprocessing=each) for each in family.alternatives)
        codes = structure.codes.get(info.name)
        return [row.applied(guessed, info.dtype, codes) for row in rows]
    common = (preparation for _, preparation in presets.common_presets(guessed)[1:])
    # Exchanged channels often give as sure an answer, so the other ranges come first.
    others = sorted(common, key=lambda each: each.order != guessed.order)
    if is_float(info.dtype):
        return others
    plain = (replace(guessed, order=other.order) for other in others)
    return [each for each in dict.fromkeys(plain) if each != guessed]


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
    needed = _MIN_BOX_SCORE
    if lacks != NO_BOXES:
        best = presets.top_result(outputs, labels, *size, structure).share
        needed = max(MIN_CLASS_PROBABILITY, best + _MIN_GAIN)
    tried, began, longest = list[str](), perf_counter(), 0.0
    guess_text = _text(guessed)
    for preparation in alternatives(info, declared, guessed, structure)[:MAX_TRIES]:
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
        if _is_saturated(prediction.outputs, labels, structure):
            continue  # sure of anything
        if not still and verdict.share >= needed:
            text = f"used {tried[-1]}, because {guess_text} gave {lacks}"
            said = text if lacks == NO_BOXES else f"{text}; {_ONE_IMAGE}"
            return Retry(replace(preparation, why=text), prediction, said)
    if not tried:
        return None
    others = plural(len(set(tried)), "other preset")
    text = f"{lacks} with the guessed preprocessing ({guess_text}), nor with {others}"
    return Retry(None, None, text)


class _Score(Struct, frozen=True):
    """How well a preprocessing does on several images: right answers, else how sure they
    are."""

    right: float | None
    share: float

    @property
    def text(self) -> str:
        if self.right is not None:
            return f"{self.right:.0%} right"
        return f"a mean best score of {self.share:.2f}"


def retry_over(
    predict: Callable[[ImagePreprocessing, Path], Prediction],
    paths: Sequence[Path],
    wanted: Mapping[Path, str],
    info: TensorInfo,
    declared: Sequence[TensorInfo],
    guessed: ImagePreprocessing,
    labels: Sequence[str],
    size: tuple[int, int],
    structure: ModelStructure,
) -> Retry[ImagePreprocessing] | None:
    """Try different preprocessings on several images of a folder, where the guess is not sure.

    predict: as of `retry`, for one of the files. wanted: known classes of some files; where
    there are any, right answers decide, else the mean score of the best class or box. Returns
    None where the guess does well or there is nothing to try. Raises Cancelled.
    """
    step = max(1, len(paths) // FOLDER_SAMPLE)
    sample = paths[::step][:FOLDER_SAMPLE]
    began = perf_counter()

    def score(preparation: ImagePreprocessing) -> _Score | None:
        shares, rights = list[float](), list[bool]()
        for path in sample:
            try:
                outputs = predict(preparation, path).outputs
            except Cancelled:
                raise
            except InspectorError:
                continue
            top = presets.top_result(outputs, labels, *size, structure)
            saturated = _is_saturated(outputs, labels, structure)
            shares.append(0.0 if saturated else top.share)
            if path in wanted:
                rights.append(top.name == wanted[path])
        if not shares:
            return None
        right = sum(rights) / len(rights) if rights else None
        return _Score(right, sum(shares) / len(shares))

    own = score(guessed)
    well = _RIGHT if own is not None and own.right is not None else MIN_CLASS_PROBABILITY
    if own is None or _value(own) >= well:
        return None
    best, best_score, tried = None, own, list[str]()
    for preparation in alternatives(info, declared, guessed, structure)[:MAX_TRIES]:
        if perf_counter() - began > MAX_FOLDER_SECONDS:
            break
        tried.append(_text(preparation))
        other = score(preparation)
        if other is not None and _value(other) > _value(best_score):
            best, best_score = preparation, other
    images = plural(len(sample), "image")
    if best is not None and _value(best_score) >= min(1.0, _value(own) + _MIN_GAIN):
        gave = f"gave {best_score.text} on {images}, {_text(guessed)} {own.text}"
        return Retry(replace(best, why=f"{_text(best)} {gave}"), None, f"{_text(best)} {gave}")
    if not tried:
        return None
    gave = f"{_text(guessed)} gave {own.text} on {images}"
    others = plural(len(set(tried)), "other preset")
    return Retry(None, None, f"{gave}; {others} did no better")


def _value(score: _Score) -> float:
    return score.share if score.right is None else score.right


def _text(preparation: ImagePreprocessing) -> str:
    """Return a preprocessing as short text: 'BGR 0..255 with letterbox'."""
    low, _, high = preparation.scale.rpartition("..")
    text = f"{preparation.order.upper()} {low or 0}..{high}"
    text += " with mean and std" if preparation.mean or preparation.std else ""
    return text + (" with letterbox" if preparation.resize == "fit" else "")
