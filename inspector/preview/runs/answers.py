"""The answer that the outputs of a model hold: classes, boxes, a mask, points, text or numbers.

How outputs are read is decided once, on those of one input (`judge_for`). `result` holds an
answer against a true one.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.detectors import instance_masks
from inspector.preview.families.label_text import spell
from inspector.preview.families.output_structure import UNKNOWN, ModelStructure
from inspector.preview.inputs.tokens import Vocabulary
from inspector.preview.outputs import dense_maps, results, scene
from inspector.preview.outputs.token_outputs import decode_text
from inspector.preview.runs.metrics import (
    TOP,
    ClassResult,
    MaskOverlaps,
    Result,
    box_result,
    mask_result,
    text_result,
    value_result,
)
from inspector.preview.runs.truths import Truth
from inspector.units import clip

CLASSES = "classes"
BOXES = "boxes"
MASK = "mask"
POINTS = "points"
NUMBERS = "numbers"
TEXT = "text"
_LEAST_SCORE = 0.001  # of boxes for mAP, which ranks also unsure ones; of Ultralytics' val
_UNNAMED = "class "  # before the number of a class that has no name
_STRINGS = "OU"  # kinds of numpy types
_MAIN = {
    CLASSES: "same_class",
    BOXES: "same_boxes",
    MASK: "same_mask",
    POINTS: "same_points",
    TEXT: "same_words",
}
# What the answers are read as, in words.
READ_AS = {
    CLASSES: "classes", BOXES: "boxes", MASK: "masks", POINTS: "points", NUMBERS: "numbers",
    TEXT: "text",
}  # fmt: skip
_SCENES = {scene.BOXES: BOXES, scene.POINTS: POINTS, scene.OVERLAY: MASK}


class Judge(Struct, frozen=True):
    """The way in which outputs of a model are read.

    kind: what they are. decoder: of a scene; output: index of the output with classes or text.
    size: width, height and channels of the image as the model gets it. vocabulary: of the
    model's tokenizer. names: of all classes, by their numbers.
    """

    kind: str
    labels: Sequence[str]
    output: int
    decoder: scene.Decoder | None
    size: tuple[int, int, int]
    structure: ModelStructure
    vocabulary: Vocabulary | None = None
    names: tuple[str, ...] = ()

    @property
    def main(self) -> str:
        """Return the id of the accuracy that a verdict without true answers is about."""
        return _MAIN.get(self.kind, "cosine")


def judge_for(
    outputs: Sequence[OutputValue],
    labels: Sequence[str] = (),
    size: tuple[int, int, int] = (0, 0, 0),
    structure: ModelStructure = UNKNOWN,
    vocabulary: Vocabulary | None = None,
) -> Judge:
    """Return how the answers of a model are compared, found from one of the original."""
    if all(size):
        first = next(iter(scene.decoders(outputs, *size, structure)), None)
        kind = _SCENES.get(first.kind) if first else None
        if first and kind and first.name != dense_maps.HEAT:
            return Judge(kind, labels, 0, first, size, structure)
    for index, output in enumerate(outputs):
        if (vocabulary or spell(labels)) and decode_text(output, vocabulary, labels):
            return Judge(TEXT, labels, index, None, size, structure, vocabulary)
    for index, output in enumerate(outputs):
        if results.is_classes(output, labels, structure):
            assert output.array is not None
            row = results.classes(output, labels, output.array.size)[0]
            named = {each.index: each.label or f"{_UNNAMED}{each.index}" for each in row.top}
            names = tuple(named.get(index, "") for index in range(max(named, default=-1) + 1))
            return Judge(CLASSES, labels, index, None, size, structure, names=names)
    for index, output in enumerate(outputs):
        if output.array is not None and output.array.dtype.kind in _STRINGS:
            return Judge(TEXT, labels, index, None, size, structure, vocabulary)
    return Judge(NUMBERS, labels, 0, None, size, structure)


def result(judge: Judge, outputs: Sequence[OutputValue], truth: Truth) -> Result | None:
    """Hold an answer against a true one; None where that is of another kind."""
    if truth.boxes is not None and judge.kind == BOXES:
        assert judge.decoder is not None, "boxes are read by one"
        found = read_scene(judge, outputs, _LEAST_SCORE)
        masks = _mask_overlaps(judge, outputs, truth, found)
        sure = judge.decoder.score or 0.0
        return box_result(truth.boxes, truth.crowds, found.boxes, sure, masks)
    if judge.kind == MASK and (truth.mask is not None or truth.segments is not None):
        truth = truth.painted
        kinds = class_map(judge, outputs)
        if kinds is None or judge.decoder is None:
            return None
        classes = dense_maps.map_classes(outputs, judge.decoder.name)
        return mask_result(truth.mask_of(kinds.shape), kinds, classes)
    if truth.text is not None and judge.kind == TEXT:
        return text_result(truth.text, read_text(judge, outputs))
    if truth.label and judge.kind == CLASSES:
        ranked = ranked_classes(judge, outputs)
        named = class_name(judge, truth.label)
        return ClassResult(named, tuple(name for name, _ in ranked)) if ranked else None
    if truth.label and (said := _only_class(outputs)):
        return ClassResult(truth.label, (said,))
    values = truth.numbers
    array = next((each.array for each in outputs if is_numeric(each)), None)
    if values is None or array is None or array.size != values.size:
        return None
    return value_result(values, array)


def _mask_overlaps(
    judge: Judge, outputs: Sequence[OutputValue], truth: Truth, found: scene.Scene
) -> MaskOverlaps | None:
    """Return the pixels of boxes; None where the model or the true answer has none."""
    width, height, _ = judge.size
    masked = judge.decoder is not None and scene.is_masked(judge.decoder)
    if truth.segments is None or not masked:
        return None
    pixels = instance_masks.masks_of(outputs, found.boxes, width, height)
    if pixels is None:
        return None
    true, crowds = (truth.shapes(crowd, height, width) for crowd in (False, True))
    return MaskOverlaps(pixels, true, crowds)


def _only_class(outputs: Sequence[OutputValue]) -> str:
    """Return the class that the only output is, as a text or a whole number; "" where it is
    none."""
    array = outputs[0].array if len(outputs) == 1 else None
    if array is None or array.size != 1 or array.dtype.kind not in "iubOU":
        return ""
    return str(array.item())


def ranked_classes(
    judge: Judge, outputs: Sequence[OutputValue]
) -> tuple[tuple[str, float], ...]:
    """Return the names of the highest classes of the first row with their probabilities."""
    output = outputs[judge.output]
    rows = results.classes(output, judge.labels, TOP, structure=judge.structure)
    top = rows[0].top if rows else ()
    return tuple((each.label or f"{_UNNAMED}{each.index}", each.probability) for each in top)


def is_class(judge: Judge, label: str) -> bool:
    """Return whether a true label is the name or the number of a class of the model."""
    return class_name(judge, label) in judge.names


def classes_text(judge: Judge) -> str:
    """Return which classes there are, in a few words."""
    names = [clip(name, 30) for name in judge.names]
    if names and names[0] == f"{_UNNAMED}0":
        return f"0 to {len(names) - 1}"
    return ", ".join(names[:TOP]) + (", ..." if len(names) > TOP else "")


def class_name(judge: Judge, label: str) -> str:
    """Return how a class is called in answers, if a label is its number."""
    if label in judge.names or not label.isdecimal() or int(label) >= len(judge.names):
        return label
    return judge.names[int(label)]


def is_numeric(output: OutputValue) -> bool:
    """Return whether an output is a tensor of numbers."""
    return output.array is not None and output.array.dtype.kind in "fiub"


def read_text(judge: Judge, outputs: Sequence[OutputValue]) -> str:
    """Return the text that an answer holds; empty where it holds none."""
    output = outputs[judge.output]
    decoded = decode_text(output, judge.vocabulary, judge.labels)
    if decoded is not None:
        return " ".join(decoded.lines)
    array = output.array
    return "" if array is None else " ".join(map(str, array.ravel().tolist()))


def class_map(judge: Judge, outputs: Sequence[OutputValue]) -> NDArray[np.int64] | None:
    """Return the class of each pixel; None where the outputs hold none."""
    assert judge.decoder is not None
    return dense_maps.class_map(outputs, judge.decoder.name, judge.decoder.score or 0.5)


def read_scene(
    judge: Judge, outputs: Sequence[OutputValue], score: float | None = None
) -> scene.Scene:
    """Return the boxes and points; none where the outputs of a changed model hold none."""
    assert judge.decoder is not None
    width, height, channels = judge.size
    blank = np.zeros((height, width, max(channels, 1)), np.uint8)
    fitting = scene.decoders(outputs, width, height, channels, judge.structure)
    if judge.decoder.name not in {decoder.name for decoder in fitting}:
        return scene.Scene(judge.decoder)  # the answer of the changed model holds none
    return scene.read_scene(
        judge.decoder, outputs, width, height, blank, score, structure=judge.structure
    )
