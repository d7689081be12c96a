"""Accuracy of a model on inputs with true answers: top-1, F1, mAP, mIoU, RMSE, WER, CER.

What one input adds is a small value, such as a `ClassResult`; a metric is a function of those
of all inputs. Intervals resample the inputs, the same ones for both models where there are two.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.preview.detectors.boxes import Box
from inspector.preview.runs.truths import IGNORED
from inspector.report.evaluation import Metric
from inspector.report.language.quality import Estimate
from inspector.statistics.proportions import paired_difference, resampled, wilson

TOP = 5
# The thresholds of the COCO benchmark, as pycocotools has them.
OVERLAPS = np.linspace(0.5, 0.95, 10)
_RECALLS = np.linspace(0.0, 1.0, 101)
_MOST_BOXES = 100  # of one class in a picture, the surest
_NEAR_ONE = 1 - 1e-10  # the largest overlap that is asked for

Numbers = NDArray[Any]
Over = Callable[[NDArray[np.int64]], float]
"""A metric over the inputs with these numbers; one may occur several times."""


class ClassResult(Struct, frozen=True):
    """The true class of an input, and the classes that the model ranks highest."""

    wanted: str
    ranked: tuple[str, ...]

    @property
    def loss(self) -> float:
        """Return how bad the answer is, from 0 for a right one."""
        return float(self.ranked[:1] != (self.wanted,))


class BoxResult(Struct, frozen=True, eq=False):
    """The classes of the true boxes of a picture, and what becomes of the model's boxes.

    found: rows of class, score, and for each of OVERLAPS 1 for a true box, 0 for none, NaN
    where it lies in a crowd and does not count. sure: score of boxes that people are shown.
    masks: as found, of the boxes' pixels; None without any.
    """

    true: NDArray[np.int64]
    found: Numbers
    sure: float = 0.0
    masks: Numbers | None = None

    @property
    def loss(self) -> float:
        """Return 1 minus F1 at an overlap of 0.5."""
        return 1 - self.f1

    @property
    def f1(self) -> float:
        """Return the F1 of sure boxes at an overlap of 0.5; 1 where there are none at all."""
        counts = ~np.isnan(self.found[:, 2]) & (self.found[:, 1] >= self.sure)
        counted = self.found[counts, 2]
        total = len(self.true) + len(counted)
        return float(2 * counted.sum() / total) if total else 1.0


class MaskResult(Struct, frozen=True, eq=False):
    """Pixels by class: that the model and the truth share, of the truth, and of the model.

    classes: of the model; 0 where nobody knows.
    """

    shared: NDArray[np.int64]
    true: NDArray[np.int64]
    found: NDArray[np.int64]
    classes: int = 0

    @property
    def loss(self) -> float:
        """Return 1 minus the mIoU of this input alone."""
        return 1 - self.iou

    @property
    def iou(self) -> float:
        """Return the mIoU of this input alone."""
        return _mean_overlap([self])(np.zeros(1, np.int64))


class ValueResult(Struct, frozen=True):
    """Sums of the squared and the absolute errors of so many numbers."""

    squares: float
    absolute: float
    size: int

    @property
    def loss(self) -> float:
        """Return the RMSE of this input alone."""
        return float(np.sqrt(self.squares / self.size)) if self.size else 0.0


class TextResult(Struct, frozen=True):
    """Words to replace, insert or delete, of so many words of the truth; and letters, with one
    space between words."""

    errors: int
    words: int
    letter_errors: int = 0
    letters: int = 0

    @property
    def loss(self) -> float:
        """Return the WER of this input alone."""
        return self.errors / max(self.words, 1)


Result = ClassResult | BoxResult | MaskResult | ValueResult | TextResult


def own_metric(result: Result) -> tuple[str, float]:
    """Return what is said of one input alone: a name and a value; "" of classes, which are
    right or wrong."""
    if isinstance(result, BoxResult):
        return "F1", result.f1
    if isinstance(result, MaskResult):
        return "mIoU", result.iou
    if isinstance(result, ValueResult):
        return "RMSE", result.loss
    if isinstance(result, TextResult):
        return "WER", result.loss
    return "", 0.0


def metrics(
    results: Sequence[Any], others: Sequence[Any] = (), quick: bool = False
) -> tuple[Metric, ...]:
    """Return the metrics over inputs; those of the kind of the first one.

    others: of another model on the same inputs, which it is compared with. quick: leave out
    intervals that take more than a count.
    """
    kind = type(results[0]) if results else None
    pairs = [
        (first, others[place] if others else first)
        for place, first in enumerate(results)
        if type(first) is kind and (not others or type(others[place]) is kind)
    ]
    if kind is None or not pairs:
        return ()
    firsts, seconds = ([pair[side] for pair in pairs] for side in (0, 1))
    return tuple(
        _metric(measure, firsts, seconds if others else (), quick)
        for measure in _MEASURES[kind]
        if _is_known(measure, (*firsts, *seconds))
    )


def _is_known(measure: "_Measure", results: Sequence[Any]) -> bool:
    """Return whether a metric says something: five classes are ranked, boxes have masks."""
    if measure.id == "top5":
        return any(len(each.ranked) == TOP for each in results)
    return not measure.id.startswith("mask_") or all(each.masks is not None for each in results)


class _Measure(NamedTuple):
    """over: makes the metric of results. counts: whether it is the share of inputs."""

    id: str
    name: str
    over: Callable[[Sequence[Any]], Over]
    counts: bool = False


def _metric(
    measure: _Measure, firsts: Sequence[Any], seconds: Sequence[Any], quick: bool
) -> Metric:
    count = len(firsts)
    every = np.arange(count)
    sides = [measure.over(each) for each in (firsts, seconds) if each]
    values = [side(every) for side in sides]
    if measure.counts:
        return _share(measure, sides, values, count)
    columns = [np.full(2, value) for value in values]
    difference = np.full(2, values[0] - values[-1])
    if not quick and count > 1:
        drawn = resampled(lambda rows: [side(rows) for side in sides], count)
        columns, difference = [*drawn.T], drawn[:, 0] - drawn[:, -1]
    estimates = [_estimate(*each) for each in zip(values, columns, strict=True)]
    change = _estimate(values[0] - values[-1], difference)
    return Metric(measure.id, measure.name, estimates[0], count,
                  *((estimates[1], change) if seconds else ()))  # fmt: skip


def _share(
    measure: _Measure, sides: Sequence[Over], values: Sequence[float], count: int
) -> Metric:
    estimates = [Estimate(each, *wilson(round(each * count), count)) for each in values]
    if len(sides) < 2:
        return Metric(measure.id, measure.name, estimates[0], count)
    one = np.arange(1)
    right = [[side(one + place) for place in range(count)] for side in sides]
    gained = sum(first > second for first, second in zip(*right, strict=True))
    lost = sum(second > first for first, second in zip(*right, strict=True))
    change = Estimate(values[0] - values[1], *paired_difference(lost, gained, count))
    return Metric(measure.id, measure.name, estimates[0], count, estimates[1], change)


def _estimate(value: float, drawn: Numbers) -> Estimate:
    low, high = np.quantile(drawn, (0.025, 0.975))
    return Estimate(value, float(low), float(high))


def _right_among(count: int) -> Callable[[Sequence[ClassResult]], Over]:
    def over(results: Sequence[ClassResult]) -> Over:
        right = np.array([each.wanted in each.ranked[:count] for each in results], float)
        return lambda rows: float(right[rows].mean())

    return over


def _f1(results: Sequence[ClassResult]) -> Over:
    """Return the mean F1 of the classes that occur in the truth or in an answer, as
    scikit-learn has it."""
    best = [each.ranked[0] if each.ranked else "" for each in results]
    every = sorted({*best, *(each.wanted for each in results)})
    places = {name: place for place, name in enumerate(every)}
    truth = np.array([places[each.wanted] for each in results])
    answer = np.array([places[name] for name in best])

    def over(rows: NDArray[np.int64]) -> float:
        one, two = truth[rows], answer[rows]
        right = np.bincount(one[one == two], minlength=len(places))
        true = np.bincount(one, minlength=len(places))
        total = true + np.bincount(two, minlength=len(places))
        there = total > 0
        return float((2 * right[there] / total[there]).mean())

    return over


def box_result(
    truth: Sequence[Box],
    crowds: Sequence[Box],
    boxes: Sequence[Box],
    sure: float = 0.0,
    masks: "MaskOverlaps | None" = None,
) -> BoxResult:
    """Match the boxes of a picture with true ones, the surest first, as pycocotools does.

    crowds: true boxes around many objects; what lies in one counts neither for nor against.
    sure: see `BoxResult`. masks: of all boxes.
    """
    found = _matched(truth, crowds, boxes, intersection_over_union, _share_within)
    kinds = np.array([box.kind for box in truth], np.int64)
    if masks is None:
        return BoxResult(kinds, found, sure)
    by_mask = _matched(truth, crowds, boxes, masks.over_union, masks.share_within)
    return BoxResult(kinds, found, sure, by_mask)


class MaskOverlaps(Struct, frozen=True, eq=False):
    """The pixels of a model's boxes, with the first row and column, and of the true ones, by
    the boxes' places."""

    found: Mapping[int, tuple[int, int, NDArray[np.bool_]]]
    true: Sequence[NDArray[np.bool_]]
    crowds: Sequence[NDArray[np.bool_]]

    def over_union(self, box: Box, true: Box) -> float:
        """Return the shared pixels as a share of the pixels of both together."""
        shared, size = self._shared(box, self.true[true.place])
        return shared / (size + int(self.true[true.place].sum()) - shared) if shared else 0.0

    def share_within(self, box: Box, crowd: Box) -> float:
        """Return the share of a box's pixels in a crowd."""
        shared, size = self._shared(box, self.crowds[crowd.place])
        return shared / size if shared else 0.0

    def _shared(self, box: Box, whole: NDArray[np.bool_]) -> tuple[int, int]:
        top, left, pixels = self.found[box.place]
        part = whole[top : top + pixels.shape[0], left : left + pixels.shape[1]]
        return int((part & pixels).sum()), int(pixels.sum())


def _matched(
    truth: Sequence[Box],
    crowds: Sequence[Box],
    boxes: Sequence[Box],
    overlap: Callable[[Box, Box], float],
    share_within: Callable[[Box, Box], float],
) -> Numbers:
    """Return what becomes of each box, as `BoxResult.found` has it."""
    found = list[Numbers]()
    for kind in sorted({box.kind for box in boxes}):
        own = sorted((box for box in boxes if box.kind == kind), key=lambda box: -box.score)
        own = own[:_MOST_BOXES]
        true = [box for box in truth if box.kind == kind]
        around = [box for box in crowds if box.kind == kind]
        shared = np.array(
            [
                [*(overlap(box, one) for one in true),
                 *(share_within(box, one) for one in around)]
                for box in own
            ]
        ).reshape(len(own), len(true) + len(around))  # fmt: skip
        outcomes = np.stack([_outcomes(shared, len(true), each) for each in OVERLAPS], 1)
        heads = np.array([(kind, box.score) for box in own])
        found.append(np.hstack([heads, outcomes]))
    return np.concatenate(found) if found else np.zeros((0, 2 + len(OVERLAPS)))


def _outcomes(shared: Numbers, true: int, least: float) -> Numbers:
    """Return what becomes of each box, of which the last columns are overlaps with crowds."""
    taken, outcomes = set[int](), np.zeros(len(shared))
    for row, overlaps in enumerate(shared):
        best, place = min(least, _NEAR_ONE), -1
        for column, overlap in enumerate(overlaps):
            if column in taken or overlap < best:
                continue
            if 0 <= place < true <= column:  # a true box goes before a crowd
                break
            best, place = overlap, column
        if 0 <= place < true:
            taken.add(place)
            outcomes[row] = 1.0
        elif place >= 0:
            outcomes[row] = np.nan
    return outcomes


def intersection_over_union(a: Box, b: Box) -> float:
    """Return the shared area of two boxes as a share of the area of both together."""
    shared = _shared_area(a, b)
    return shared / (_area(a) + _area(b) - shared) if shared else 0.0


def _share_within(box: Box, crowd: Box) -> float:
    shared = _shared_area(box, crowd)
    return shared / _area(box) if shared else 0.0


def _shared_area(a: Box, b: Box) -> float:
    width = min(a.right, b.right) - max(a.left, b.left)
    height = min(a.bottom, b.bottom) - max(a.top, b.top)
    return width * height if width > 0 and height > 0 else 0.0


def _area(box: Box) -> float:
    return (box.right - box.left) * (box.bottom - box.top)


def _precision_at(thresholds: int, side: str) -> Callable[[Sequence[BoxResult]], Over]:
    """Return what makes mAP, averaged over the first so many of OVERLAPS.

    side: of a `BoxResult`. Precision is made to fall only, and read at 101 recalls, as in the
    COCO benchmark.
    """

    def over(results: Sequence[BoxResult]) -> Over:
        kinds = sorted({kind for each in results for kind in each.true.tolist()})
        found = [getattr(each, side) for each in results]
        rows = np.concatenate(found)
        owner = np.repeat(np.arange(len(results)), [*map(len, found)])
        sides = []
        for kind in kinds:
            own = np.flatnonzero(rows[:, 0] == kind)
            own = own[np.argsort(-rows[own, 1], kind="stable")]
            outcomes = rows[own, 2 : 2 + thresholds].T
            true = np.array([(each.true == kind).sum() for each in results], float)
            sides.append((owner[own], outcomes == 1, outcomes == 0, true))

        def metric(inputs: NDArray[np.int64]) -> float:
            weights = np.bincount(inputs, minlength=len(results)).astype(float)
            areas = [
                _averages(hit * weights[owners], miss * weights[owners], total)
                for owners, hit, miss, true in sides
                if (total := float(weights @ true))
            ]
            return float(np.mean(areas)) if areas else 0.0

        return metric

    return over


def _averages(hits: Numbers, misses: Numbers, total: float) -> Numbers:
    """Return the average precision of one class by threshold (rows)."""
    right, wrong = hits.cumsum(1), misses.cumsum(1)
    recall, precision = right / total, right / (right + wrong + np.spacing(1))
    falling = np.maximum.accumulate(precision[:, ::-1], 1)[:, ::-1]
    averages = []
    for row, line in zip(recall, falling, strict=True):
        places = np.searchsorted(row, _RECALLS, side="left")
        averages.append(np.append(line, 0.0)[places].mean())
    return np.array(averages)


def mask_result(
    truth: NDArray[np.int64], answer: NDArray[np.int64], classes: int = 0
) -> MaskResult:
    """Count the pixels of each class. Those of class 255 of the truth, and below 0, are left
    out. classes: of the model, if they are known."""
    counted = (truth >= 0) & (truth != IGNORED)
    one, two = truth[counted], answer[counted]
    top = 1 + int(max(one.max(initial=0), two.max(initial=0)))
    same, true, found = (
        np.bincount(each, minlength=top) for each in (one[one == two], one, two)
    )
    return MaskResult(same, true, found, classes)


def _mean_overlap(results: Sequence[MaskResult]) -> Over:
    """Return mIoU: pixels of all inputs together, and the mean over the classes that occur in
    the truth or in an answer."""
    top = max(len(each.true) for each in results)
    shared, true, found = (
        np.stack([np.pad(getattr(each, name), (0, top - len(each.true))) for each in results])
        for name in ("shared", "true", "found")
    )

    def over(rows: NDArray[np.int64]) -> float:
        same = shared[rows].sum(0)
        either = true[rows].sum(0) + found[rows].sum(0) - same
        there = either > 0
        return float((same[there] / either[there]).mean()) if there.any() else 0.0

    return over


def value_result(truth: Numbers, answer: Numbers) -> ValueResult:
    """Return the errors of an output's numbers."""
    errors = answer.astype(np.float64).ravel() - truth.astype(np.float64).ravel()
    return ValueResult(float(errors @ errors), float(np.abs(errors).sum()), errors.size)


def _root_mean_square(results: Sequence[ValueResult]) -> Over:
    squares = np.array([each.squares for each in results])
    sizes = np.array([each.size for each in results])
    return lambda rows: float(np.sqrt(squares[rows].sum() / sizes[rows].sum()))


def _mean_absolute(results: Sequence[ValueResult]) -> Over:
    absolute = np.array([each.absolute for each in results])
    sizes = np.array([each.size for each in results])
    return lambda rows: float(absolute[rows].sum() / sizes[rows].sum())


def text_result(truth: str, answer: str) -> TextResult:
    """Return how many words and letters are wrong; case does not count."""
    one, two = (" ".join(text.casefold().split()) for text in (truth, answer))
    errors = word_errors(truth, answer)
    return TextResult(errors, len(truth.split()), _edits(one, two), len(one))


def word_errors(truth: str, answer: str) -> int:
    """Return how many words have to be replaced, inserted or deleted; case does not count."""
    return _edits(truth.casefold().split(), answer.casefold().split())


def _edits(one: Sequence[str], two: Sequence[str]) -> int:
    """Return Levenshtein's distance: parts to replace, insert or delete."""
    numbers = {part: number for number, part in enumerate({*one, *two})}
    other = np.array([numbers[part] for part in two], np.int64)
    places = np.arange(len(two) + 1)
    row = places.copy()  # of Levenshtein's table
    for number, part in enumerate(one, 1):
        replaced = row[:-1] + (other != numbers[part])
        row = np.concatenate([[number], np.minimum(row[1:] + 1, replaced)])
        row = np.minimum.accumulate(row - places) + places  # insertions, from the left
    return int(row[-1])


def _error_rate(errors: str, sizes: str) -> Callable[[Sequence[TextResult]], Over]:
    """Return what makes the errors of all inputs a share of their words or letters."""

    def over(results: Sequence[TextResult]) -> Over:
        wrong = np.array([getattr(each, errors) for each in results])
        total = np.array([getattr(each, sizes) for each in results])
        return lambda rows: float(wrong[rows].sum() / max(total[rows].sum(), 1))

    return over


# The first of each kind is the main one, which a verdict is about.
_MEASURES: dict[type, tuple[_Measure, ...]] = {
    ClassResult: (
        _Measure("top1", "Top-1 accuracy", _right_among(1), counts=True),
        _Measure("top5", "Top-5 accuracy", _right_among(TOP), counts=True),
        _Measure("f1", "F1 (mean over classes)", _f1),
    ),
    BoxResult: (
        _Measure("map", "mAP (IoU 0.5 to 0.95)", _precision_at(len(OVERLAPS), "found")),
        _Measure("map50", "mAP (IoU 0.5)", _precision_at(1, "found")),
        _Measure("mask_map", "Mask mAP (0.5 to 0.95)", _precision_at(len(OVERLAPS), "masks")),
        _Measure("mask_map50", "Mask mAP (0.5)", _precision_at(1, "masks")),
    ),
    MaskResult: (_Measure("miou", "mIoU", _mean_overlap),),
    ValueResult: (
        _Measure("rmse", "RMSE", _root_mean_square),
        _Measure("mae", "Mean absolute error", _mean_absolute),
    ),
    TextResult: (
        _Measure("wer", "WER", _error_rate("errors", "words")),
        _Measure("cer", "CER", _error_rate("letter_errors", "letters")),
    ),
}
