"""Judge a changed model by its answers: the same classes, boxes, masks or numbers as before?

SQNR alone is no verdict: a detector with 9 dB may find the same boxes. How the answers are read
is decided once, on the original, and holds for the changed model too.
"""

from collections.abc import Sequence
from itertools import zip_longest
from math import inf, isfinite, log10

import numpy as np
from msgspec import Struct, field, structs
from numpy.typing import NDArray

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.detectors.boxes import Box
from inspector.preview.outputs import scene
from inspector.preview.runs import answers
from inspector.preview.runs.answers import BOXES, CLASSES, MASK, POINTS, TEXT, Judge
from inspector.preview.runs.metrics import Result, intersection_over_union, metrics, word_errors
from inspector.preview.runs.truths import Truth
from inspector.report.evaluation import Metric
from inspector.report.improvement import Accuracy, InputResult
from inspector.statistics.proportions import mean_interval, wilson
from inspector.units import clip, plural

MIN_OVERLAP = 0.5  # of two boxes that are the same one, as in the VOC and COCO benchmarks
MAX_POINT_DISTANCE = 0.02  # of the picture's side, of two key points that are the same one
WORST_INPUTS = 24
# Ids of measures.
SAME_CLASS = "same_class"
SQNR = "sqnr_db"
_LONGEST_TEXT = 80
_SHARES = {  # agreement with the original, which it has with itself by 1
    SAME_CLASS: "Same class as the original",
    "same_top5": "Same top-5 classes",
    "same_boxes": "Same boxes as the original (F1, IoU 0.5)",
    "mean_iou": "Mean IoU of matching boxes",
    "same_mask": "Mean IoU with the original's mask",
    "same_points": "Keypoints at the same position",
    "same_words": "Same words as the original (1 − WER)",
    "cosine": "Cosine similarity of outputs",
}

_AS_ACCURACY = {
    "wer": ("word_accuracy", "Word accuracy (1 − WER)"),
    "cer": ("letter_accuracy", "Letter accuracy (1 − CER)"),
}
Values = Sequence[OutputValue]


class Judged(Struct):
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
    results: tuple[Result, Result] | None = None  # of both with a true answer
    is_empty: bool = False  # neither model found anything, which is no agreement on anything

    @property
    def changed(self) -> bool:
        """Return whether the answer changed, as people read it."""
        return self.loss > 0


def compare(
    judge: Judge, file: str, original: Values, candidate: Values, truth: Truth | None = None
) -> Judged:
    """Compare the answers of both models to one input. truth: the true answer, if known."""
    if {output.name for output in original} != {output.name for output in candidate}:
        candidate = _named_as(original, candidate)
    judged = Judged(file)
    _numbers(judged, original, candidate)
    compare_answers = {
        CLASSES: _classes, BOXES: _boxes, POINTS: _points, MASK: _mask, TEXT: _texts,
    }.get(judge.kind)  # fmt: skip
    if compare_answers is not None:
        compare_answers(judge, judged, original, candidate)
    if truth is not None:
        label = answers.class_name(judge, truth.label)
        judged.truth = label or clip(truth.text or "", _LONGEST_TEXT)
        first, second = (answers.result(judge, each, truth) for each in (original, candidate))
        if first is not None and second is not None:
            judged.results = first, second
    return judged


def _named_as(original: Values, candidate: Values) -> Values:
    """Return outputs named as the original's, by place, since they mean the same."""
    if len(original) != len(candidate):
        return candidate
    pairs = zip(original, candidate, strict=True)
    return [structs.replace(two, name=one.name) for one, two in pairs]


def _numbers(judged: Judged, original: Values, candidate: Values) -> None:
    """Compare all numbers of all outputs: SQNR, cosine and the largest error."""
    dot = first = second = 0.0
    largest = peak = 0.0
    by_name = {output.name: output for output in candidate}
    for place, one in enumerate(original):
        two = by_name.get(one.name) or (candidate[place] if place < len(candidate) else None)
        if two is None or not answers.is_numeric(one) or not answers.is_numeric(two):
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


def _classes(judge: Judge, judged: Judged, original: Values, candidate: Values) -> None:
    first, second = (answers.ranked_classes(judge, each) for each in (original, candidate))
    if not first or not second:
        return
    (judged.original, judged.original_score), *_ = first
    (judged.candidate, judged.candidate_score), *_ = second
    same = judged.original == judged.candidate
    judged.values["same_class"] = float(same)
    others = {name for name, _ in second}
    judged.values["same_top5"] = sum(name in others for name, _ in first) / len(first)
    # A change is worse the surer the original was of its class.
    judged.loss = 0.0 if same else first[0][1]


def _boxes(judge: Judge, judged: Judged, original: Values, candidate: Values) -> None:
    one, two = answers.read_scene(judge, original), answers.read_scene(judge, candidate)
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


def _points(judge: Judge, judged: Judged, original: Values, candidate: Values) -> None:
    """Compare each point with the same one of the other answer, where either is sure of it."""
    assert judge.decoder is not None
    least = judge.decoder.score or 0.0
    # All points, however unsure: without one of them, each would stand beside the next.
    one, two = (answers.read_scene(judge, each, -inf).points for each in (original, candidate))
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


def _mask(judge: Judge, judged: Judged, original: Values, candidate: Values) -> None:
    one, two = answers.class_map(judge, original), answers.class_map(judge, candidate)
    if one is None or two is None or one.shape != two.shape:
        return
    overlap = mean_overlap(one, two)
    judged.values["same_mask"] = overlap
    judged.original = plural(len(np.unique(one)), "class")
    judged.candidate = f"mean IoU {overlap:.3f}"
    judged.loss = 1 - overlap


def _texts(judge: Judge, judged: Judged, original: Values, candidate: Values) -> None:
    one, two = answers.read_text(judge, original), answers.read_text(judge, candidate)
    words = max(len(one.split()), 1)
    judged.values["same_words"] = max(0.0, 1 - word_errors(one, two) / words)
    judged.original, judged.candidate = (clip(each, _LONGEST_TEXT) for each in (one, two))
    judged.loss = 1 - judged.values["same_words"]


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
    pairs = [each.results for each in judged if each.results is not None]
    measures = list(map(_with_truth, metrics([b for _, b in pairs], [a for a, _ in pairs])))
    for id_, name in _SHARES.items():
        values = [each.values[id_] for each in judged if id_ in each.values]
        if values:
            count, mean = len(values), float(np.mean(values))
            if set(values) <= {0.0, 1.0}:
                low, high = wilson(int(sum(values)), count)
            else:
                low, high = mean_interval(values)
            measures.append(Accuracy(id_, name, mean, None, mean - 1, low - 1, high - 1, count))
    ratio = sqnr_db(judged)
    if ratio is not None and judged:
        measures.append(Accuracy(SQNR, "Output SQNR", ratio, count=len(judged)))
    return tuple(measures)


def _with_truth(metric: Metric) -> Accuracy:
    after, before, change = metric.estimate, metric.other, metric.change
    assert before is not None, "both models have results"
    assert change is not None, "both models have results"
    id_, name = metric.id, metric.name
    values = after.value, before.value, change.value, change.low, change.high
    if id_ in _AS_ACCURACY:  # a limit on the loss of accuracy is in points, also of words
        id_, name = _AS_ACCURACY[id_]
        values = 1 - after.value, 1 - before.value, -change.value, -change.high, -change.low
    return Accuracy(id_, name, *values, metric.count)


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
