"""A folder of inputs: each file answered by itself, as a row of a table."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from inspector import units
from inspector.errors import Cancelled, InspectorError
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.platform.data_struct import DataStruct
from inspector.preview.detectors import detectors
from inspector.preview.families.output_structure import UNKNOWN, ModelStructure
from inspector.preview.inputs import image_files
from inspector.preview.inputs.tokens import Vocabulary
from inspector.preview.outputs import results
from inspector.preview.preprocessing import image_retry, presets
from inspector.preview.preprocessing.image_retry import Retry
from inspector.preview.preprocessing.recipe import ImagePreprocessing
from inspector.preview.runs import answers, metrics, parity
from inspector.preview.runs.answers import Judge
from inspector.preview.runs.data_set import DataSet, relative_path
from inspector.preview.runs.metrics import TOP, ClassResult, MaskResult, Result, TextResult
from inspector.preview.runs.truths import IGNORED, Truth, expect_numbers
from inspector.report.evaluation import Metric
from inspector.report.output_verdict import OutputVerdict

Both = Callable[[Path, Prediction, Prediction], None]
HEAD = (
    "file", "prediction", "score", "top5", "truth", "right", "right_top5", "agrees",
    "largest_difference", "prediction_ns", "problem", "metric", "value",
)  # fmt: skip
MOST_LABELS = 64
_LONGEST_TRUTH = 80  # characters


class Agreement(DataStruct, frozen=True):
    """The agreement of a second run on the same input: whether the best class is equal, and the
    largest difference of any output; None where nothing could be compared. right: whether its
    best class is the wanted one; None where there is no telling. result: its answer held
    against the true one."""

    same: bool | None
    largest: float | None
    words: str
    right: bool | None = None
    result: Result | None = None


class Row(DataStruct, frozen=True):
    """One file and what the model says of it.

    file: path within the folder, with "/". top: the highest classes, best first; empty where
    the outputs are no classes, then `answer` alone tells. score: 0..1, None where nothing
    tells; of_box: of a detected box, which is no probability. wanted: the label it should get,
    or another true answer in few words, "" where nobody told. problem: why there is no answer,
    a sentence; empty where there is one. why: the reason alone. result: the answer held against
    a true one that is no class.
    """

    file: str
    answer: str = ""
    score: float | None = None
    top: tuple[str, ...] = ()
    wanted: str = ""
    prediction_ns: int = 0
    agreement: Agreement | None = None
    problem: str = ""
    why: str = ""
    of_box: bool = False
    result: Result | None = None

    @property
    def scored(self) -> Result | None:
        """Return the answer held against the true one; None where nobody told any."""
        if self.result is None and self.right is not None:
            return ClassResult(self.wanted, self.top)
        return self.result

    @property
    def right(self) -> bool | None:
        """Return whether the best class is the wanted one; None where there is no telling."""
        return self._among(1)

    @property
    def right_in_top(self) -> bool | None:
        """Return whether the wanted class is among the five best."""
        return self._among(TOP)

    def _among(self, count: int) -> bool | None:
        if not self.wanted or not self.top or self.result is not None:
            return None
        return self.wanted in self.top[:count]


class FolderResult(Struct, frozen=True, eq=False):
    """What a model says of the files of a folder.

    model: its name. labels: names of its classes. against: the other run as text, "" without
    one. verdict: on the outputs of the other run. notes: what was assumed and tried. metrics:
    over all rows, where they were worked out already. unlabeled: why files have no true answer,
    see `DataSet`. noun: what an input is, "row" of a table.
    """

    model: str
    rows: Sequence[Row]
    labels: Sequence[str] = ()
    against: str = ""
    verdict: OutputVerdict | None = None
    notes: Sequence[str] = ()
    metrics: Sequence[Metric] | None = None
    unlabeled: str = ""
    noun: str = "file"

    @property
    def accuracy(self) -> Sequence[Metric]:
        """Return the metrics over all rows with a true answer, the main one first."""
        return metrics_of(self.rows) if self.metrics is None else self.metrics


class Meaning(Struct, frozen=True):
    """What the outputs of a model mean: names of classes, structure, and the size of the image
    that the model gets, 0 for none.

    channels: of that image. vocabulary: of the model's tokenizer. read_text: the words in the
    outputs, as the model's family has them; "" for none.
    """

    labels: Sequence[str] = ()
    structure: ModelStructure = UNKNOWN
    size: tuple[int, int] = (0, 0)
    channels: int = 0
    vocabulary: Vocabulary | None = None
    read_text: Callable[[Sequence[OutputValue]], str] = lambda _: ""


class Scorer:
    """Holds answers of a model against true ones; how they are read is found from the first."""

    def __init__(self, meaning: Meaning) -> None:
        self._meaning = meaning
        self._judge: Judge | None = None

    def scored(self, row: Row, outputs: Sequence[OutputValue], truth: Truth | None) -> Row:
        """Return a row with its answer held against the true one."""
        if truth is None or row.top:  # the row has the classes itself
            return row
        meaning = self._meaning
        if self._judge is None:
            size = (*meaning.size, meaning.channels)
            self._judge = answers.judge_for(
                outputs, meaning.labels, size, meaning.structure, meaning.vocabulary
            )
        result, said = answers.result(self._judge, outputs, truth), ""
        if result is None and truth.text is not None and (said := meaning.read_text(outputs)):
            result = metrics.text_result(truth.text, said)
        if isinstance(result, ClassResult):
            top = result.ranked
            return replace(row, wanted=result.wanted, answer=row.answer or top[0], top=top)
        if result is None:
            return row
        if isinstance(result, TextResult) and not said:
            said = answers.read_text(self._judge, outputs)
        elif isinstance(result, MaskResult):
            said = units.plural(int((result.found > 0).sum()), "class")
        row = replace(row, answer=said or row.answer)
        return replace(row, wanted=_in_few_words(truth), result=result)


def _in_few_words(truth: Truth) -> str:
    if truth.text is not None:
        return units.clip(truth.text, _LONGEST_TRUTH)
    if truth.boxes is not None:
        return units.plural(len(truth.boxes), "box")
    if truth.mask is not None:
        return units.plural(len({*np.unique(truth.mask).tolist()} - {IGNORED}), "class")
    values = truth.numbers
    if values is None:
        return truth.label
    return f"{values.ravel()[0]:.6g}" if values.size == 1 else f"{values.size:,} numbers"


def best_preprocessing(
    predict: Callable[[ImagePreprocessing, Path], Prediction],
    guessed: ImagePreprocessing | None,
    paths: Sequence[Path],
    wanted: Mapping[Path, str],
    info: TensorInfo,
    declared: Sequence[TensorInfo],
    meaning: Meaning,
) -> Retry[ImagePreprocessing] | None:
    """Return the preprocessing that does best on some of the images, where the guess for them
    is not sure; None where there is nothing to try.

    predict: prepares a file for the input `info` and runs the model. guessed: None where the
    input takes no images. wanted: known classes of some files. declared: the outputs of the
    model. Raises Cancelled.
    """
    images = [path for path in paths if image_files.is_image(path)]
    if guessed is None or not images or not image_retry.replaceable(guessed):
        return None
    labels, size, structure = meaning.labels, meaning.size, meaning.structure
    return image_retry.retry_over(
        predict, images, wanted, info, declared, guessed, labels, size, structure
    )


def rows(
    data: DataSet,
    answer: Callable[[Path], Prediction],
    meaning: Meaning,
    truth: Callable[[Path], Truth | None] = lambda _: None,
    other: Callable[[Path], Prediction] | None = None,
    both: Both = lambda *_: None,
    theirs: Meaning | None = None,
    their_truth: Callable[[Path], Truth | None] | None = None,
) -> Iterator[Row]:
    """Answer one file after the other; what cannot be answered is a row with a sentence.

    truth: reads the true answer to a file. other: a second way, whose answer is held against
    the first. both: receives each file with both answers. theirs, their_truth: what its outputs
    mean, and the true answer for it, where it is another model. Raises Cancelled.
    """
    scorer, second_scorer = Scorer(meaning), Scorer(theirs or meaning)
    for path in data.paths:
        start = Row(relative_path(data.place, path), wanted=data.classes.get(path, ""))
        try:
            first = answer(path)
            known = truth(path)
            if known is not None:
                expect_numbers(known, first.outputs)
            row = scorer.scored(read(start, first, meaning), first.outputs, known)
            if other is None:
                yield row
                continue
            second = other(path)
            both(path, first, second)
            row = compare_answers(row, first, second, meaning)
            assert row.agreement is not None, "the line above sets it"
            known = known if their_truth is None else their_truth(path)
            scored = second_scorer.scored(Row(""), second.outputs, known).result
            agreement = row.agreement
            if scored is not None:
                agreement = replace(agreement, result=scored)
            yield replace(row, agreement=agreement)
        except Cancelled:
            raise
        except InspectorError as error:
            problem = f"{error.what}: {error.why}" if error.why else error.what
            why = units.clip(error.why or error.what, 300)
            yield replace(start, problem=units.clip(problem, 300), why=why)


def read(start: Row, prediction: Prediction, meaning: Meaning) -> Row:
    """Return a row with the answer of its file."""
    labels, structure = meaning.labels, meaning.structure
    outputs = prediction.outputs
    boxes = detectors.fitting(outputs, *meaning.size, structure) if all(meaning.size) else ()
    for output in () if boxes else outputs:
        if not results.is_classes(output, labels, structure):
            continue
        classes = results.classes(output, labels, TOP, structure=structure)
        if classes and classes[0].top:
            top = classes[0].top
            names = tuple(each.label or str(each.index) for each in top)
            return replace(
                start,
                answer=names[0],
                score=top[0].probability,
                top=names,
                prediction_ns=prediction.prediction_ns,
            )
    top_result = presets.top_result(outputs, labels, *meaning.size, structure)
    texts = [o for o in outputs if results.TEXT in results.read(o, labels)]
    text = results.numbers(texts[0], 4) if texts else top_result.text
    score = top_result.share or None
    return replace(
        start,
        answer=text,
        score=score,
        of_box=bool(boxes),
        prediction_ns=prediction.prediction_ns,
    )


def compare_answers(row: Row, first: Prediction, second: Prediction, meaning: Meaning) -> Row:
    """Return a row with what a second way says of it."""
    compared = parity.outputs(first.outputs, second.outputs, meaning.labels, meaning.structure)
    largest = [
        o.difference.max_abs
        for o in compared
        if o.difference and o.difference.max_abs is not None
    ]
    named = _named_as(first.outputs, second)
    theirs = read(Row(row.file, wanted=row.wanted), named, meaning)
    same = theirs.top[:1] == row.top[:1] if row.top and theirs.top else None
    problem = next((output.problem for output in compared if output.problem), "")
    text = problem or _words(same, compared, theirs)
    return replace(
        row,
        agreement=Agreement(
            same, max(largest, default=None), text, theirs.right, theirs.scored
        ),
    )


def _words(same: bool | None, compared: Sequence[parity.OutputParity], theirs: Row) -> str:
    """Return what a second way says, beside the answer of the first."""
    if same is False:
        return theirs.answer
    if same is None and any(output.differs for output in compared):
        return parity.summary_text(next(output for output in compared if output.differs))
    return "the same"


def _named_as(outputs: Sequence[OutputValue], other: Prediction) -> Prediction:
    """Return a prediction of another model with outputs named as the first model's, by place,
    since they mean the same."""
    if len(outputs) != len(other.outputs):
        return other
    pairs = zip(outputs, other.outputs, strict=True)
    renamed = tuple(structs.replace(two, name=one.name) for one, two in pairs)
    return structs.replace(other, outputs=renamed)


class Summary(DataStruct, frozen=True):
    """Counts of rows.

    answered: with an answer. told: of these, those with a truth. right, right_in_top: of
    these, those whose best class, or one of the best five, is the truth. compared and same:
    of a second way. prediction_ns: the median of those that were answered, 0 without any.
    metric: the main one of both ways, once it was worked out over all rows.
    """

    files: int
    answered: int
    told: int
    right: int
    right_in_top: int
    compared: int
    same: int
    prediction_ns: int
    other_told: int = 0
    other_right: int = 0
    metric: Metric | None = None

    @property
    def failed(self) -> int:
        """Return files without an answer."""
        return self.files - self.answered

    @property
    def accuracy(self) -> float | None:
        """Return the share of right answers, 0 to 1; None without any truth."""
        return self.right / self.told if self.told else None

    @property
    def top_accuracy(self) -> float | None:
        """Return the share of those with the truth among the best five."""
        return self.right_in_top / self.told if self.told else None

    @property
    def agreement(self) -> float | None:
        """Return the share of files whose best class is the same both ways."""
        return self.same / self.compared if self.compared else None


class Confusion(Struct, frozen=True, eq=False):
    """Confusion matrix: counts int64 (wanted, predicted), of `labels` both ways.

    left_out: rows of labels that had no place, the rarest ones.
    """

    labels: tuple[str, ...]
    counts: NDArray[np.int64]
    left_out: int = 0


def summary(rows: Sequence[Row]) -> Summary:
    """Count."""
    answered = [row for row in rows if not row.problem]
    judged = [row for row in answered if row.right is not None]
    agreements = [row.agreement for row in answered if row.agreement is not None]
    compared = [each for each in agreements if each.same is not None]
    times = [row.prediction_ns for row in answered]
    return Summary(
        len(rows),
        len(answered),
        len(judged),
        sum(bool(row.right) for row in judged),
        sum(bool(row.right_in_top) for row in judged),
        len(compared),
        sum(bool(each.same) for each in compared),
        int(np.median(times)) if times else 0,
        sum(each.right is not None for each in agreements),
        sum(bool(each.right) for each in agreements),
    )


def metrics_of(rows: Sequence[Row], quick: bool = False) -> tuple[Metric, ...]:
    """Return the metrics over rows with a true answer; of both runs, over those that both
    answered. quick: see `metrics.metrics`."""
    pairs = [(row.scored, row.agreement and row.agreement.result) for row in rows]
    both = [(one, two) for one, two in pairs if one is not None and two is not None]
    if both:
        firsts, seconds = zip(*both, strict=True)
        return metrics.metrics(firsts, seconds, quick)
    return metrics.metrics([one for one, _ in pairs if one is not None], (), quick)


def confusion(rows: Sequence[Row], labels: Sequence[str] = ()) -> Confusion | None:
    """Count each pair of a wanted and a predicted label; None where no row has both.

    Labels come in the model's order, others by name behind them; of more than 64 the most
    frequent stay.
    """
    pairs = [(row.wanted, row.top[0]) for row in rows if row.right is not None]
    if not pairs:
        return None
    often = Counter(name for pair in pairs for name in pair)
    frequent = {name for name, _ in often.most_common(MOST_LABELS)}
    order = {name: place for place, name in enumerate(labels)}
    names = sorted(frequent, key=lambda name: (order.get(name, len(order)), _natural(name)))
    places = {name: place for place, name in enumerate(names)}
    counts = np.zeros((len(names), len(names)), np.int64)
    inside = [(places[a], places[b]) for a, b in pairs if a in places and b in places]
    for wanted, predicted in inside:
        counts[wanted, predicted] += 1
    return Confusion(tuple(names), counts, len(pairs) - len(inside))


def unfitting(rows: Sequence[Row], labels: Sequence[str]) -> bool:
    """Return whether there are labels, and classes, and not as many of both."""
    named = [row.top for row in rows if row.top]
    label_names = set(labels)
    return bool(label_names and named) and not any(
        name in label_names for top in named for name in top
    )


def cells(row: Row) -> tuple[str, ...]:
    """Return a row as texts under HEAD."""
    agreement = row.agreement
    largest = None if agreement is None else agreement.largest
    name, value = ("", 0.0) if row.result is None else metrics.own_metric(row.result)
    return (
        row.file,
        row.answer,
        "" if row.score is None else f"{row.score:.6f}",
        "; ".join(row.top),
        row.wanted,
        _truth(row.right),
        _truth(row.right_in_top),
        _truth(None if agreement is None else agreement.same),
        "" if largest is None else f"{largest:.6g}",
        str(row.prediction_ns) if row.prediction_ns else "",
        row.problem,
        name,
        f"{value:.6g}" if name else "",
    )


def _truth(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"


def _natural(name: str) -> tuple[int, str]:
    return (int(name), "") if name.isdecimal() and len(name) < 10 else (1 << 40, name)
