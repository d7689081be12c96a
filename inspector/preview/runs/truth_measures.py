"""Accuracy with true answers of other kinds than classes: mAP, mIoU, WER, RMSE, macro F1.

Each is computed over all inputs together, for the original and for the changed model. Intervals
are of the difference, by resampling inputs, the same ones for both.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.preview.detectors.boxes import Box
from inspector.report.improvement import Accuracy
from inspector.statistics.proportions import resampled_interval

Numbers = NDArray[Any]
Side = Callable[[NDArray[np.int64]], float]  # a measure over the inputs with these numbers
MIN_OVERLAP = 0.5


@dataclass(slots=True)
class Comparison:
    """One input: the true answer, and those of both models; what does not apply is empty.

    boxes, masks, values, texts: (truth, original, candidate). kinds: the same of class numbers
    or names.
    """

    boxes: tuple[Sequence[Box], Sequence[Box], Sequence[Box]] | None = None
    masks: tuple[Numbers, Numbers, Numbers] | None = None
    values: tuple[Numbers, Numbers, Numbers] | None = None
    kinds: tuple[str, str, str] | None = None
    texts: tuple[str, str, str] | None = None
    errors: tuple[float, float] | None = field(default=None, init=False)


def measures(compared: Sequence[Comparison]) -> list[Accuracy]:
    """Return the measures that inputs have true answers for."""
    found = []
    boxes = [each.boxes for each in compared if each.boxes is not None]
    if boxes:
        truths = [truth for truth, _, _ in boxes]
        sides = [_mean_precision(truths, [each[side] for each in boxes]) for side in (1, 2)]
        found.append(_measure("map50", "mAP (IoU 0.5)", sides, len(boxes)))
    masks = [each.masks for each in compared if each.masks is not None]
    if masks:
        sides = [_mean_overlap([(each[0], each[side]) for each in masks]) for side in (1, 2)]
        found.append(_measure("miou", "mIoU", sides, len(masks)))
    texts = [each.texts for each in compared if each.texts is not None]
    if texts:
        sides = [_word_accuracy([(each[0], each[side]) for each in texts]) for side in (1, 2)]
        name = "Word accuracy (1 − WER)"
        found.append(_measure("word_accuracy", name, sides, len(texts)))
    values = [each.values for each in compared if each.values is not None]
    if values:
        sides = [_mean_error([(each[0], each[side]) for each in values]) for side in (1, 2)]
        found.append(_measure("rmse", "RMSE", sides, len(values)))
    kinds = [each.kinds for each in compared if each.kinds is not None]
    if kinds:
        sides = [_f1([(each[0], each[side]) for each in kinds]) for side in (1, 2)]
        found.append(_measure("f1", "F1 (mean over classes)", sides, len(kinds)))
    return found


def _measure(id_: str, name: str, sides: Sequence[Side], count: int) -> Accuracy:
    first, second = sides
    every = np.arange(count)
    before, after = first(every), second(every)
    low, high = resampled_interval(lambda rows: second(rows) - first(rows), count)
    return Accuracy(id_, name, after, before, after - before, low, high, count)


def _mean_precision(truths: Sequence[Sequence[Box]], found: Sequence[Sequence[Box]]) -> Side:
    """Return mAP: the mean over classes of the area below precision by recall."""
    matches = [
        _hits(truth, boxes) for truth, boxes in zip(truths, found, strict=True)
    ]  # rows of class, score, whether it is a true box
    kinds = [np.array([box.kind for box in truth], int) for truth in truths]

    def measure(rows: NDArray[np.int64]) -> float:
        there = np.concatenate([kinds[row] for row in rows])
        hits = np.concatenate([matches[row] for row in rows])
        every = np.unique(there)
        if not every.size:
            return 0.0
        areas = [_area(hits[hits[:, 0] == k, 1:], int((there == k).sum())) for k in every]
        return float(np.mean(areas))

    return measure


def _hits(truth: Sequence[Box], boxes: Sequence[Box]) -> Numbers:
    taken, rows = set[int](), []
    for box in sorted(boxes, key=lambda each: -each.score):
        best, place = MIN_OVERLAP, -1
        for number, one in enumerate(truth):
            if one.kind == box.kind and number not in taken:
                overlap = intersection_over_union(one, box)
                if overlap >= best:
                    best, place = overlap, number
        if place >= 0:
            taken.add(place)
        rows.append((box.kind, box.score, float(place >= 0)))
    return np.array(rows, float).reshape(-1, 3)


def intersection_over_union(a: Box, b: Box) -> float:
    """Return the shared area of two boxes as a share of the area of both together."""
    width = min(a.right, b.right) - max(a.left, b.left)
    height = min(a.bottom, b.bottom) - max(a.top, b.top)
    if width <= 0 or height <= 0:
        return 0.0
    shared = width * height
    areas = sum((each.right - each.left) * (each.bottom - each.top) for each in (a, b))
    return shared / (areas - shared)


def _area(hits: Numbers, total: int) -> float:
    """Return the average precision of one class, with precision made to fall only."""
    if not len(hits):
        return 0.0
    right = np.cumsum(hits[np.argsort(-hits[:, 0], kind="stable"), 1])
    recall, precision = right / total, right / np.arange(1, len(right) + 1)
    falling = np.maximum.accumulate(precision[::-1])[::-1]
    return float((np.diff(recall, prepend=0.0) * falling).sum())


def _mean_overlap(pairs: Sequence[tuple[Numbers, Numbers]]) -> Side:
    """Return mIoU over the classes of the truth, pixels of all inputs together."""
    top = 1 + max(int(max(a.max(initial=0), b.max(initial=0))) for a, b in pairs)
    shared, either = np.zeros((len(pairs), top)), np.zeros((len(pairs), top))
    true = np.zeros((len(pairs), top))
    for row, (truth, answer) in enumerate(pairs):
        same = truth == answer
        shared[row] = np.bincount(truth[same].ravel(), minlength=top)
        true[row] = np.bincount(truth.ravel(), minlength=top)
        either[row] = true[row] + np.bincount(answer.ravel(), minlength=top) - shared[row]

    def measure(rows: NDArray[np.int64]) -> float:
        there = true[rows].sum(0) > 0
        return float((shared[rows].sum(0)[there] / either[rows].sum(0)[there]).mean())

    return measure


def _word_accuracy(pairs: Sequence[tuple[str, str]]) -> Side:
    errors = np.array([word_errors(truth, answer) for truth, answer in pairs])
    words = np.array([len(truth.split()) for truth, _ in pairs])
    return lambda rows: float(1 - errors[rows].sum() / max(words[rows].sum(), 1))


def word_errors(truth: str, answer: str) -> int:
    """Return how many words have to be replaced, inserted or deleted; case does not count."""
    one, two = truth.casefold().split(), answer.casefold().split()
    row: list[int] = [*range(len(two) + 1)]  # of Levenshtein's table
    for number, word in enumerate(one, 1):
        before, row = row, [number]
        for place, other in enumerate(two, 1):
            row.append(min(before[place] + 1, row[-1] + 1, before[place - 1] + (word != other)))
    return row[-1]


def _mean_error(pairs: Sequence[tuple[Numbers, Numbers]]) -> Side:
    squares = np.array([float(((a - b) ** 2).mean()) for a, b in pairs])
    return lambda rows: float(np.sqrt(squares[rows].mean()))


def _f1(pairs: Sequence[tuple[str, str]]) -> Side:
    names = {name: number for number, name in enumerate(sorted({n for p in pairs for n in p}))}
    truth, answer = (np.array([names[p[side]] for p in pairs]) for side in (0, 1))

    def measure(rows: NDArray[np.int64]) -> float:
        one, two = truth[rows], answer[rows]
        right = np.bincount(one[one == two], minlength=len(names))
        total = np.bincount(one, minlength=len(names)) + np.bincount(two, minlength=len(names))
        there = np.bincount(one, minlength=len(names)) > 0
        return float((2 * right[there] / total[there]).mean())

    return measure
