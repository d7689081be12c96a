"""A folder of inputs: each file answered by itself, as a row of a table."""

import csv
import io
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from inspector import units
from inspector.errors import BadInput, Cancelled, InspectorError, UnreadableFile
from inspector.formats.model_formats import model_suffixes
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.platform import files
from inspector.preview.detectors import detectors
from inspector.preview.families.output_structure import UNKNOWN, ModelStructure
from inspector.preview.inputs import image_files
from inspector.preview.outputs import results
from inspector.preview.preprocessing import image_retry, presets
from inspector.preview.preprocessing.guess import guess
from inspector.preview.preprocessing.image_retry import Retry
from inspector.preview.preprocessing.recipe import ImagePreprocessing
from inspector.preview.preprocessing.saved import SUFFIX
from inspector.preview.runs import parity
from inspector.report.output_verdict import OutputVerdict

FOLDERS = "folders"
NONE = "none"
MOST_FILES = 100_000
TOP = 5
Both = Callable[[Path, Prediction, Prediction], None]
_ARRAYS = frozenset((".npy", ".npz", ".pb"))
_LEFT_OUT = frozenset((*model_suffixes(), ".data", ".md"))
_TRUTH_BYTES = 64 << 20
HEAD = (
    "file", "prediction", "score", "top5", "truth", "right", "right_top5", "agrees",
    "largest_difference", "prediction_ns", "problem",
)  # fmt: skip
MOST_LABELS = 64


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of a second run on the same input: whether the best class is equal, and the
    largest difference of any output; None where nothing could be compared. right: whether its
    best class is the wanted one; None where there is no telling."""

    same: bool | None
    largest: float | None
    words: str
    right: bool | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One file and what the model says of it.

    file: path within the folder, with "/". top: the highest classes, best first; empty where
    the outputs are no classes, then `answer` alone tells. score: 0..1, None where nothing
    tells; of_box: of a detected box, which is no probability. wanted: the label it should get,
    "" where nobody told. problem: why there is no answer, a sentence; empty where there is one.
    why: the reason alone.
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

    @property
    def right(self) -> bool | None:
        """Return whether the best class is the wanted one; None where there is no telling."""
        return self._among(1)

    @property
    def right_in_top(self) -> bool | None:
        """Return whether the wanted class is among the five best."""
        return self._among(TOP)

    def _among(self, count: int) -> bool | None:
        if not self.wanted or not self.top:
            return None
        return self.wanted in self.top[:count]


@dataclass(frozen=True, slots=True, eq=False)
class FolderResult:
    """What a model says of the files of a folder.

    model: its name. labels: names of its classes. against: the other run as text, "" without
    one. verdict: on the outputs of the other run. notes: what was assumed and tried.
    """

    model: str
    rows: Sequence[Row]
    labels: Sequence[str] = ()
    against: str = ""
    verdict: OutputVerdict | None = None
    notes: Sequence[str] = ()


def files_in(folder: Path, info: TensorInfo, most: int = MOST_FILES) -> tuple[Path, ...]:
    """Return the files of a folder and its sub-folders that an input may take, in order.

    Hidden files, models and side-car files are left out; of an input that takes pictures all
    that are neither pictures nor arrays. Links to folders are not followed.
    Raises UnreadableFile: no folder, nothing in it, or too much.
    """
    what = f"Could not read the folder {folder.name or folder}"
    if not files.exists(folder):
        raise UnreadableFile(what, "it does not exist")
    if not folder.is_dir():
        raise UnreadableFile(what, "it is not a folder")
    pictures = guess(info) is not None
    paths: list[Path] = []
    for root, folders, named in folder.walk() if hasattr(folder, "walk") else _walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths += [root / name for name in sorted(named) if _fits(Path(name), pictures)]
        if len(paths) > most:
            why = f"it contains more than {most:,} files"
            raise UnreadableFile(what, why, "Choose one of its subfolders.")
    if not paths:
        kinds = "images or arrays" if pictures else "files for this input"
        raise UnreadableFile(what, f"it contains no {kinds}")
    return tuple(paths)


def folder_labels(folder: Path, paths: Sequence[Path]) -> tuple[str, ...]:
    """Return the names of the sub-folders in order, which are the classes where a model names
    none."""
    return tuple(sorted({name for path in paths if (name := _top_folder(folder, path))}))


def truth(
    said: str, folder: Path, paths: Sequence[Path], labels: Sequence[str]
) -> Mapping[Path, str]:
    """Return the label that each file should get.

    said: "folders" for the name of the sub-folder, "" for that where all names are labels,
    "none", or the path of a CSV file with a file's name and its label in each row. A label
    may be the number of its class or the first word of its name ("n02123045 tabby").
    Raises UnreadableFile, BadInput: nothing that fits.
    """
    if said == NONE:
        return {}
    if said in ("", FOLDERS):
        named = {path: _top_folder(folder, path) for path in paths}
        labeled = {path: _label(name, labels) for path, name in named.items() if name}
        if said and not labeled:
            why = "its files are not in subfolders"
            raise BadInput(f"Could not read the labels of {folder.name}", why)
        return labeled if said or set(labeled.values()) <= set(labels) else {}
    table = _table(Path(said))
    by_name = {
        path: table.get(relative_path(folder, path), table.get(path.name)) for path in paths
    }
    labels_by_name = {path: _label(name, labels) for path, name in by_name.items() if name}
    if not labels_by_name:
        why = f"none of its {units.plural(len(table), 'row')} matches a file in {folder.name}"
        raise BadInput(
            f"Could not use {Path(said).name}", why, "Use rows of the form file,label."
        )
    return labels_by_name


@dataclass(frozen=True, slots=True)
class Meaning:
    """What the outputs of a model mean: names of classes, structure, and the size of the image
    that the model gets, 0 for none."""

    labels: Sequence[str] = ()
    structure: ModelStructure = UNKNOWN
    size: tuple[int, int] = (0, 0)


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
    folder: Path,
    paths: Sequence[Path],
    answer: Callable[[Path], Prediction],
    wanted: Mapping[Path, str],
    meaning: Meaning,
    other: Callable[[Path], Prediction] | None = None,
    both: Both = lambda *_: None,
) -> Iterator[Row]:
    """Answer one file after the other; what cannot be answered is a row with a sentence.

    other: a second way, whose answer is held against the first. both: receives each file with
    both answers. Raises Cancelled.
    """
    for path in paths:
        start = Row(relative_path(folder, path), wanted=wanted.get(path, ""))
        try:
            first = answer(path)
            row = read(start, first, meaning)
            if other is None:
                yield row
                continue
            second = other(path)
            both(path, first, second)
            yield compare_answers(row, first, second, meaning)
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
        row, agreement=Agreement(same, max(largest, default=None), text, theirs.right)
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


def relative_path(folder: Path, path: Path) -> str:
    """Return a file's path within the folder, with "/" on every system; a text that can be
    written."""
    relative = path.relative_to(folder).as_posix()
    return relative.encode("utf-8", "backslashreplace").decode()


def _walk(folder: Path) -> Iterator[tuple[Path, list[str], list[str]]]:
    for root, folders, named in os.walk(folder):
        yield Path(root), folders, named


def _fits(path: Path, pictures: bool) -> bool:
    suffix = path.suffix.lower()
    if path.name.startswith(".") or path.name.endswith(SUFFIX) or suffix in _LEFT_OUT:
        return False
    return not pictures or image_files.is_image(path) or suffix in _ARRAYS


def _top_folder(folder: Path, path: Path) -> str:
    parts = path.relative_to(folder).parts
    return parts[0] if len(parts) > 1 else ""


def _label(name: str, labels: Sequence[str]) -> str:
    """Return the label that a name means: itself, by another case, by number or by its first
    word."""
    plain = name.strip()
    if plain in labels:
        return plain
    folded = plain.casefold().replace("_", " ")
    for label in labels:
        label_name = label.casefold().replace("_", " ")
        firsts = (label_name.split(mark, 1)[0] for mark in " ,/")
        if folded in (label_name, *firsts):
            return label
    if plain.isdecimal() and len(plain) < 7:
        number = int(plain)
        return labels[number] if number < len(labels) and labels[number] else str(number)
    return plain


def _table(path: Path) -> dict[str, str]:
    """File -> label of a CSV file, by its first two columns; a head does no harm."""
    try:
        text = files.read_capped(path, _TRUTH_BYTES).decode("utf-8-sig")
        lines = list(csv.reader(io.StringIO(text)))
    except (UnicodeDecodeError, csv.Error) as error:
        why = f"it is not a UTF-8 table ({error})"
        raise UnreadableFile(f"Could not read {path.name}", why) from error
    return {row[0].strip().replace("\\", "/"): row[1] for row in lines if len(row) > 1}


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts of rows.

    answered: with an answer. told: of these, those with a truth. right, right_in_top: of
    these, those whose best class, or one of the best five, is the truth. compared and same:
    of a second way. prediction_ns: the median of those that were answered, 0 without any.
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

    @property
    def other_accuracy(self) -> float | None:
        """Return the share of right answers of the second run; None without any truth."""
        return self.other_right / self.other_told if self.other_told else None

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


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
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
    )


def _truth(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"


def _natural(name: str) -> tuple[int, str]:
    return (int(name), "") if name.isdecimal() and len(name) < 10 else (1 << 40, name)
