"""Judge a changed model by its answers: the same classes, boxes, masks or numbers as before?

SQNR alone is no verdict: a detector with 9 dB may find the same boxes. How the answers are read
is decided once, on the original, and holds for the changed model too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from math import inf, isfinite, log10

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.detectors.boxes import Box
from inspector.preview.families.label_text import spell
from inspector.preview.families.output_structure import UNKNOWN, ModelStructure
from inspector.preview.inputs.tokens import Vocabulary
from inspector.preview.outputs import dense_maps, results, scene
from inspector.preview.outputs.token_outputs import decode_text
from inspector.preview.runs import truth_measures
from inspector.preview.runs.truth_measures import (
    Comparison,
    intersection_over_union,
    word_errors,
)
from inspector.preview.runs.truths import Truth
from inspector.report.improvement import Accuracy, InputResult
from inspector.statistics.proportions import mean_interval, paired_difference, wilson
from inspector.units import clip, plural

CLASSES = "classes"
BOXES = "boxes"
MASK = "mask"
POINTS = "points"
NUMBERS = "numbers"
TEXT = "text"
MIN_OVERLAP = 0.5  # of two boxes that are the same one, as in the VOC and COCO benchmarks
MAX_POINT_DISTANCE = 0.02  # of the picture's side, of two key points that are the same one
WORST_INPUTS = 24
_LEAST_SCORE = 0.01  # of boxes for mAP, which ranks also unsure ones
_TOP = 5
_UNNAMED = "class "  # before the number of a class that has no name
_LONGEST_TEXT = 80
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
_SHARES = {  # agreement with the original, which it has with itself by 1
    "same_class": "Same class as the original",
    "same_top5": "Same top-5 classes",
    "same_boxes": "Same boxes as the original (F1, IoU 0.5)",
    "mean_iou": "Mean IoU of matching boxes",
    "same_mask": "Mean IoU with the original's mask",
    "same_points": "Keypoints at the same position",
    "same_words": "Same words as the original (1 − WER)",
    "cosine": "Cosine similarity of outputs",
}


@dataclass(frozen=True, slots=True)
class Judge:
    """The way in which results of a model are compared.

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
            names = _class_names(output, labels)
            return Judge(CLASSES, labels, index, None, size, structure, names=names)
    for index, output in enumerate(outputs):
        if output.array is not None and output.array.dtype.kind in _STRINGS:
            return Judge(TEXT, labels, index, None, size, structure, vocabulary)
    return Judge(NUMBERS, labels, 0, None, size, structure)


@dataclass(slots=True)
class Judged:
    """The comparison of one input: numbers by id, answers as texts, how bad the change is."""

    file: str
    values: dict[str, float] = field(default_factory=dict)
    original: str = ""
    candidate: str = ""
    original_score: float | None = None
    candidate_score: float | None = None
    truth: str = ""
    loss: float = 0.0
    signal: float = 0.0  # sums of squares of the original's output values, and of the errors
    error: float = 0.0
    kinds: tuple[str, str] | None = None  # best classes of both
    comparison: Comparison | None = None  # with a true answer
    is_empty: bool = False  # neither model found anything, which is no agreement on anything

    @property
    def changed(self) -> bool:
        """Return whether the answer changed, as people read it."""
        return self.loss > 0


def compare(
    judge: Judge,
    file: str,
    original: Sequence[OutputValue],
    candidate: Sequence[OutputValue],
    truth: str = "",
    expected: Truth | None = None,
) -> Judged:
    """Compare the answers of both models to one input.

    truth: the true class, if known; expected: a true answer of another kind.
    """
    judged = Judged(file, truth=_class_name(judge, truth))
    _numbers(judged, original, candidate)
    if judge.kind == CLASSES:
        _classes(judge, judged, original, candidate)
    elif judge.kind == BOXES:
        _boxes(judge, judged, original, candidate)
    elif judge.kind == POINTS:
        _points(judge, judged, original, candidate)
    elif judge.kind == MASK:
        _mask(judge, judged, original, candidate)
    elif judge.kind == TEXT:
        _texts(judge, judged, original, candidate)
    if expected is not None:
        _with_expected(judge, judged, original, candidate, expected)
    elif truth and judged.kinds is not None:
        judged.comparison = Comparison(kinds=(judged.truth, *judged.kinds))
    return judged


def is_class(judge: Judge, label: str) -> bool:
    """Return whether a true label is the name or the number of a class of the model."""
    return _class_name(judge, label) in judge.names


def classes_text(judge: Judge) -> str:
    """Return which classes there are, in a few words."""
    names = [clip(name, 30) for name in judge.names]
    if names and names[0] == f"{_UNNAMED}0":
        return f"0 to {len(names) - 1}"
    return ", ".join(names[:_TOP]) + (", ..." if len(names) > _TOP else "")


def _class_name(judge: Judge, label: str) -> str:
    """Return how a class is called in answers, if a label is its number."""
    if label in judge.names or not label.isdecimal() or int(label) >= len(judge.names):
        return label
    return judge.names[int(label)]


def _class_names(output: OutputValue, labels: Sequence[str]) -> tuple[str, ...]:
    """Return the names of all classes of an output, by their numbers."""
    assert output.array is not None
    row = results.classes(output, labels, output.array.size)[0]
    named = {each.index: each.label or f"{_UNNAMED}{each.index}" for each in row.top}
    return tuple(named.get(index, "") for index in range(max(named, default=-1) + 1))


def _with_expected(
    judge: Judge,
    judged: Judged,
    original: Sequence[OutputValue],
    candidate: Sequence[OutputValue],
    expected: Truth,
) -> None:
    """Put both answers beside a true one, if it is of the kind that the model gives."""
    both = original, candidate
    if expected.boxes is not None and judge.kind == BOXES:
        one, two = (_scene(judge, each, _LEAST_SCORE).boxes for each in both)
        judged.comparison = Comparison(boxes=(expected.boxes, one, two))
    elif expected.mask is not None and judge.kind == MASK:
        first, second = (_class_map(judge, each) for each in both)
        if first is not None and second is not None and first.shape == second.shape:
            masks = _resized(expected.mask, first.shape), first, second
            judged.comparison = Comparison(masks=masks)
    elif expected.text is not None and judge.kind == TEXT:
        first_text, second_text = (_text(judge, each) for each in both)
        judged.truth = clip(expected.text, _LONGEST_TEXT)
        judged.comparison = Comparison(texts=(expected.text, first_text, second_text))
    elif expected.values is not None:
        numbers = [_first_numbers(each) for each in both]
        true = np.asarray(expected.values, np.float64).ravel()
        before, after = numbers
        if before is not None and after is not None and before.size == after.size == true.size:
            judged.comparison = Comparison(values=(true, before, after))


def _first_numbers(outputs: Sequence[OutputValue]) -> NDArray[np.float64] | None:
    array = next((each.array for each in outputs if _numeric(each)), None)
    return None if array is None else np.asarray(array, np.float64).ravel()


def _resized(mask: NDArray[np.int64], shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Return a label map with another number of pixels, by the nearest pixel."""
    rows, columns = (np.arange(n) * old // n for n, old in zip(shape, mask.shape, strict=True))
    resized: NDArray[np.int64] = mask[rows][:, columns]
    return resized


def _numbers(
    judged: Judged, original: Sequence[OutputValue], candidate: Sequence[OutputValue]
) -> None:
    """Compare all numbers of all outputs: SQNR, cosine and the largest error."""
    dot = first = second = 0.0
    largest = peak = 0.0
    by_name = {output.name: output for output in candidate}
    for place, one in enumerate(original):
        two = by_name.get(one.name) or (candidate[place] if place < len(candidate) else None)
        if two is None or not _numeric(one) or not _numeric(two):
            continue
        assert one.array is not None
        assert two.array is not None
        if one.array.shape != two.array.shape:
            continue
        a, b = one.array.astype(np.float64).ravel(), two.array.astype(np.float64).ravel()
        finite = np.isfinite(a) & np.isfinite(b)
        a, b = a[finite], b[finite]
        judged.signal += float(a @ a)
        judged.error += float((a - b) @ (a - b))
        dot, first, second = dot + float(a @ b), first + float(a @ a), second + float(b @ b)
        if a.size:
            largest = max(largest, float(np.abs(a - b).max()))
            peak = max(peak, float(np.abs(a).max()))
    if first and second:
        judged.values["cosine"] = dot / (first * second) ** 0.5
    judged.values["max_error"] = largest
    judged.original = judged.original or (f"peak {peak:.4g}" if peak else "")
    judged.candidate = f"max error {largest:.3g}"
    judged.loss = largest / peak if peak else float(largest > 0)


def _numeric(output: OutputValue) -> bool:
    return output.array is not None and output.array.dtype.kind in "fiub"


def _classes(
    judge: Judge,
    judged: Judged,
    original: Sequence[OutputValue],
    candidate: Sequence[OutputValue],
) -> None:
    known = judge.structure  # of the original, which the changed model shares
    one = results.classes(original[judge.output], judge.labels, _TOP, structure=known)
    changed = structs.replace(candidate[judge.output], name=original[judge.output].name)
    two = results.classes(changed, judge.labels, _TOP, structure=known)
    if not one or not two or not one[0].top or not two[0].top:
        return
    first, second = one[0].top, two[0].top
    names = [each.label or f"{_UNNAMED}{each.index}" for each in first]
    others = [each.label or f"{_UNNAMED}{each.index}" for each in second]
    judged.original, judged.candidate = judged.kinds = names[0], others[0]
    judged.original_score, judged.candidate_score = first[0].probability, second[0].probability
    same = first[0].index == second[0].index
    judged.values["same_class"] = float(same)
    kept = sum(name in others for name in names) / len(names)
    judged.values["same_top5"] = kept
    # A change is worse the surer the original was of its class.
    judged.loss = 0.0 if same else first[0].probability
    if judged.truth:
        for id_, listed in (("original", names), ("candidate", others)):
            judged.values[f"top1_{id_}"] = float(listed[0] == judged.truth)
            judged.values[f"top5_{id_}"] = float(judged.truth in listed)


def _boxes(
    judge: Judge,
    judged: Judged,
    original: Sequence[OutputValue],
    candidate: Sequence[OutputValue],
) -> None:
    one, two = _scene(judge, original), _scene(judge, candidate)
    pairs = matched(one.boxes, two.boxes)
    total = len(one.boxes) + len(two.boxes)
    judged.values["same_boxes"] = 2 * len(pairs) / total if total else 1.0
    if pairs:
        judged.values["mean_iou"] = float(np.mean([overlap for *_, overlap in pairs]))
    judged.is_empty = not total
    judged.original = _listed(one.boxes, judge.labels)
    judged.candidate = _listed(two.boxes, judge.labels)
    judged.original_score = one.boxes[0].score if one.boxes else None
    judged.candidate_score = two.boxes[0].score if two.boxes else None
    judged.loss = 1 - judged.values["same_boxes"]


def _points(
    judge: Judge,
    judged: Judged,
    original: Sequence[OutputValue],
    candidate: Sequence[OutputValue],
) -> None:
    """Compare each point with the same one of the other answer, where either is sure of it."""
    assert judge.decoder is not None
    least = judge.decoder.score or 0.0
    # All points, however unsure: without one of them, each would stand beside the next.
    one, two = (_scene(judge, each, -inf).points for each in (original, candidate))
    same = most = 0
    for a, b in zip_longest(one, two):
        sure = [each for each in (a, b) if each is not None and each.score >= least]
        most += bool(sure)
        if len(sure) == 2:
            far = max(abs(sure[0].x - sure[1].x), abs(sure[0].y - sure[1].y))
            same += far <= MAX_POINT_DISTANCE
    judged.values["same_points"] = same / most if most else 1.0
    judged.is_empty = not most
    judged.original = plural(sum(each.score >= least for each in one), "point")
    judged.candidate = f"{same} of {most} at the same position"
    judged.loss = 1 - judged.values["same_points"]


def _mask(
    judge: Judge,
    judged: Judged,
    original: Sequence[OutputValue],
    candidate: Sequence[OutputValue],
) -> None:
    one, two = _class_map(judge, original), _class_map(judge, candidate)
    if one is None or two is None or one.shape != two.shape:
        return
    overlap = mean_overlap(one, two)
    judged.values["same_mask"] = overlap
    judged.original = plural(len(np.unique(one)), "class")
    judged.candidate = f"mean IoU {overlap:.3f}"
    judged.loss = 1 - overlap


def _texts(
    judge: Judge,
    judged: Judged,
    original: Sequence[OutputValue],
    candidate: Sequence[OutputValue],
) -> None:
    one, two = _text(judge, original), _text(judge, candidate)
    words = max(len(one.split()), 1)
    judged.values["same_words"] = max(0.0, 1 - word_errors(one, two) / words)
    judged.original, judged.candidate = (clip(each, _LONGEST_TEXT) for each in (one, two))
    judged.loss = 1 - judged.values["same_words"]


def _text(judge: Judge, outputs: Sequence[OutputValue]) -> str:
    """Return the text that an answer holds; empty where it holds none."""
    output = outputs[judge.output]
    decoded = decode_text(output, judge.vocabulary, judge.labels)
    if decoded is not None:
        return " ".join(decoded.lines)
    array = output.array
    return "" if array is None else " ".join(map(str, array.ravel().tolist()))


def _class_map(judge: Judge, outputs: Sequence[OutputValue]) -> NDArray[np.int64] | None:
    assert judge.decoder is not None
    return dense_maps.class_map(outputs, judge.decoder.name, judge.decoder.score or 0.5)


def _scene(
    judge: Judge, outputs: Sequence[OutputValue], score: float | None = None
) -> scene.Scene:
    assert judge.decoder is not None
    width, height, channels = judge.size
    blank = np.zeros((height, width, max(channels, 1)), np.uint8)
    fitting = scene.decoders(outputs, width, height, channels, judge.structure)
    if judge.decoder.name not in {decoder.name for decoder in fitting}:
        return scene.Scene(judge.decoder)  # the answer of the changed model holds none
    return scene.read_scene(
        judge.decoder, outputs, width, height, blank, score, structure=judge.structure
    )


def matched(one: Sequence[Box], two: Sequence[Box]) -> list[tuple[Box, Box, float]]:
    """Return pairs of boxes of the same class that overlap, each box once, with their IoU."""
    candidates = sorted(
        (
            (overlap, i, j)
            for i, a in enumerate(one)
            for j, b in enumerate(two)
            if a.kind == b.kind and (overlap := intersection_over_union(a, b)) >= MIN_OVERLAP
        ),
        reverse=True,
    )
    first, second, pairs = set[int](), set[int](), []
    for overlap, i, j in candidates:
        if i not in first and j not in second:
            first.add(i)
            second.add(j)
            pairs.append((one[i], two[j], overlap))
    return pairs


def mean_overlap(one: NDArray[np.int64], two: NDArray[np.int64]) -> float:
    """Return the mean IoU over the classes that occur in either label map."""
    overlaps = []
    for kind in np.union1d(one, two):
        a, b = one == kind, two == kind
        overlaps.append((a & b).sum() / (a | b).sum())
    return float(np.mean(overlaps))


def _listed(boxes: Sequence[Box], labels: Sequence[str]) -> str:
    if not boxes:
        return "no boxes"
    best = scene.name_of(boxes[0].kind, labels)
    return f"{plural(len(boxes), 'box')}, best {clip(best, 40)}"


def accuracy(judged: Sequence[Judged]) -> tuple[Accuracy, ...]:
    """Return all measures over inputs, with intervals, those with true answers first."""
    measures = []
    for id_, name in (("top1", "Top-1 accuracy"), ("top5", "Top-5 accuracy")):
        pairs = [
            (each.values[f"{id_}_original"], each.values[f"{id_}_candidate"])
            for each in judged
            if f"{id_}_original" in each.values
        ]
        if pairs:
            measures.append(_with_truth(id_, name, pairs))
    measures += truth_measures.measures([j.comparison for j in judged if j.comparison])
    for id_, name in _SHARES.items():
        values = [each.values[id_] for each in judged if id_ in each.values]
        if values:
            measures.append(_agreement(id_, name, values))
    ratio = sqnr_db(judged)
    if ratio is not None and judged:
        measures.append(Accuracy("sqnr_db", "Output SQNR", ratio, count=len(judged)))
    return tuple(measures)


def _with_truth(id_: str, name: str, pairs: Sequence[tuple[float, float]]) -> Accuracy:
    count = len(pairs)
    before = sum(one for one, _ in pairs) / count
    after = sum(two for _, two in pairs) / count
    lost = sum(one > two for one, two in pairs)
    gained = sum(two > one for one, two in pairs)
    low, high = paired_difference(lost, gained, count)
    return Accuracy(id_, name, after, before, after - before, low, high, count)


def _agreement(id_: str, name: str, values: Sequence[float]) -> Accuracy:
    count, mean = len(values), float(np.mean(values))
    if set(values) <= {0.0, 1.0}:
        low, high = wilson(int(sum(values)), count)
    else:
        low, high = mean_interval(values)
    return Accuracy(id_, name, mean, None, mean - 1, low - 1, high - 1, count)


def sqnr_db(judged: Sequence[Judged]) -> float | None:
    """Return 10 log10(sum of squares / sum of squared errors) over inputs; None if infinite."""
    signal, error = sum(j.signal for j in judged), sum(j.error for j in judged)
    if not signal or not error:
        return None
    ratio = 10 * log10(signal / error)
    return ratio if isfinite(ratio) else None


def worst(judged: Sequence[Judged]) -> tuple[InputResult, ...]:
    """Return the inputs whose answers changed most, worst first."""
    changed = sorted((j for j in judged if j.changed), key=lambda j: -j.loss)
    return tuple(
        InputResult(
            j.file,
            j.original,
            j.candidate,
            j.original_score,
            j.candidate_score,
            j.truth,
            j.loss,
        )
        for j in changed[:WORST_INPUTS]
    )
