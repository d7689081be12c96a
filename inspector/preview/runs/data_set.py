"""A folder of inputs and their true answers: the one way in which test data are read.

True answers are looked for in a table (labels.csv), a JSON file as of COCO, a folder beside the
inputs (labels, masks, expected, transcripts), a text beside each input, LibriSpeech's
transcripts, and the names of subfolders.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from inspector import units
from inspector.errors import BadInput, UnreadableFile
from inspector.formats.model_formats import model_suffixes
from inspector.model.model import TensorInfo
from inspector.platform import files
from inspector.preview.inputs import image_files
from inspector.preview.inputs.feeds import Given
from inspector.preview.preprocessing.guess import guess
from inspector.preview.preprocessing.saved import SUFFIX
from inspector.preview.runs import annotations, tables
from inspector.preview.runs.annotations import FORMS, Find
from inspector.preview.runs.tables import Table
from inspector.preview.runs.truths import Truth, Truths
from inspector.wording.values import Count, Name, Sentence

FOLDERS = "folders"
NONE = "none"
MOST_FILES = 100_000
_MOST_NAMED = 3  # labels that are no classes
_SUBFOLDERS = "the names of subfolders"
_NO_ANSWERS = (
    "no labels: there is no labels.csv, no subfolder named after a class, and no answer beside "
    "each file"
)
_NO_NAMES = "the classes of this model have no names that subfolders could match"
_RENAME = "rename the folder, or list the files and their labels in labels.csv"
_CORRECT = "correct the label, or choose the names of the classes"
_ARRAYS = frozenset((".npy", ".npz", ".pb"))
_LEFT_OUT = frozenset((*model_suffixes(), ".data", ".md"))
# Names of files and folders with true answers, beside the inputs.
_TABLES = ("labels.csv", "truth.csv", "annotations.csv", "metadata.csv", "transcripts.csv")
_BESIDE = ("labels", "masks", "annotations", "expected", "targets", "transcripts")
_ANNOTATIONS = re.compile(r"annotations|instances|coco")  # JSON files of COCO's, by their names
_INPUTS = "images"  # a folder beside which _BESIDE stand, too
_ANSWERS = frozenset((".txt", ".npy"))  # suffixes of answers that are no images


class DataSet(Struct, frozen=True, eq=False):
    """The files of a folder that are inputs, or the rows of a table, and their true answers.

    paths: of rows the table's with "row 2" behind it. classes: the label that a file should
    get. truths: other true answers, read when they are called for. source: where they come
    from, for people; empty where nobody says any. unlabeled: why files have none, a part of a
    sentence; empty where it is plain. table: whose rows are the inputs. problem: a sentence on
    a file of true answers that cannot be read, or not all of it.
    """

    place: Path
    paths: tuple[Path, ...]
    classes: Mapping[Path, str] = field(default_factory=dict)
    truths: Truths = field(default_factory=dict)
    source: str = ""
    unlabeled: str = ""
    table: Table | None = None
    problem: str = ""

    def given(self, path: Path) -> Mapping[str, Given]:
        """Return the values of inputs in a row of the table. Raises BadInput: one does not
        fit."""
        assert self.table is not None, "asked only of a table"
        return self.table.given(_number(path))

    @property
    def noun(self) -> str:
        """Return what an input is."""
        return "file" if self.table is None else "row"

    @property
    def labeled(self) -> int:
        """Return how many files have a true answer."""
        return sum(bool(self.classes.get(p)) or p in self.truths for p in self.paths)


def read(
    place: Path,
    info: TensorInfo,
    said: str = "",
    labels: Sequence[str] = (),
    paths: Sequence[Path] = (),
    most: int = MOST_FILES,
    class_count: int = 0,
) -> DataSet:
    """Return the inputs in a folder, and their true answers.

    info: the input that the files are for. said: "" for what is found in the folder, "folders"
    for the names of subfolders, "none", or the path of a CSV or JSON file, or of a folder with
    a file for each input. labels: of the model's classes. paths: of some files of the folder,
    in place of all. class_count: of the model, where it is known: names of subfolders that are
    numbers of classes are labels of a model without names. Raises UnreadableFile, BadInput:
    nothing that fits.
    """
    inputs = tuple(paths) or files_in(place, info, most)
    if said == NONE:
        return DataSet(place, inputs, unlabeled="true answers are not used")
    if said == FOLDERS:
        classes = _of_folders(place, inputs, labels)
        if not classes:
            why = "its files are not in subfolders"
            raise BadInput(f"Could not read the labels of {place.name}", why)
        known = _of_known_folders(place, inputs, labels)
        if known.classes:
            return known
        return DataSet(place, inputs, classes, source=_SUBFOLDERS)
    if said:
        return _said(Path(said), place, inputs, labels)
    problem = ""
    for look in (_table_inside, _coco_inside, _folder_beside, _texts_beside, _transcripts):
        found = look(place, inputs, labels)
        if found is not None and found.source:
            return replace(found, problem=found.problem or problem)
        problem = problem or ("" if found is None else found.problem)
    by_folder = _of_known_folders(place, inputs, labels)
    if not labels and class_count:  # numbers may stand for them
        numbered = _of_known_folders(place, inputs, tuple(map(str, range(class_count))))
        by_folder = numbered if numbered.classes else by_folder
    return replace(by_folder, problem=problem)


def of_table(
    place: Path,
    inputs: Sequence[TensorInfo],
    outputs: Sequence[TensorInfo],
    labels: Sequence[str] = (),
    target: str = "",
    most: int = MOST_FILES,
) -> DataSet:
    """Return the rows of a table as inputs of a model, and their true answers; see
    `tables.read`. A table with a column of files has the true answers of these files. Raises
    UnreadableFile, BadInput: nothing that fits."""
    rows = annotations.table_rows(place)
    head = annotations.columns_of(rows)
    if "file" in head and not target and "file" not in {info.name for info in inputs}:
        cells = (row[head.index("file")] for row in rows[1:] if len(row) == len(head))
        paths = (place.parent / cell.strip() for cell in cells)
        listed = tuple(path for path in dict.fromkeys(paths) if files.is_file(path))
        return _said(place, place.parent, listed, labels)
    table = tables.read(place, inputs, outputs, target)
    if len(table.rows) > most:
        raise UnreadableFile(f"Could not read {place.name}", f"it has more than {most:,} rows")
    paths_of = {place / f"row {number}": number for number in table.rows}
    answers = {path: table.answers(number) for path, number in paths_of.items()}
    data = DataSet(place, (*paths_of,), table=table)
    if len(table.targets) > 1:
        truths = {path: partial(_numbers_of, cells, path) for path, cells in answers.items()}
        return replace(data, truths=truths, source=table.source)
    classes = {
        path: label_of(cells[0], labels) for path, cells in answers.items() if any(cells)
    }
    return _with_classes(data, classes, labels, table.source) if classes else data


def _numbers_of(cells: Sequence[str], row: Path) -> Truth:
    try:
        return Truth(values=np.array([float(cell) for cell in cells]))
    except ValueError as error:
        raise UnreadableFile(
            f"Could not read {row.name}", units.clip(str(error), 80)
        ) from error


def _number(row: Path) -> int:
    return int(row.name.rpartition(" ")[2])


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


def relative_path(folder: Path, path: Path) -> str:
    """Return a file's path within the folder, with "/" on every system; a text that can be
    written."""
    relative = path.relative_to(folder).as_posix()
    return relative.encode("utf-8", "backslashreplace").decode()


def _said(
    source: Path, place: Path, inputs: tuple[Path, ...], labels: Sequence[str]
) -> DataSet:
    """Return the true answers in a file or folder that somebody names."""
    if files.is_folder(source):
        found = _paired(source, place, inputs, source.name)
        if found is None:
            why = f"none of its files has the name of an input in {place.name}"
            raise BadInput(f"Could not use {source.name}", why)
        return found
    problem: str = ""
    if source.suffix.lower() == ".json":
        coco = annotations.read_coco(source)
        problem = annotations.unlisted(coco, source)
        find: Find | None = annotations.of_coco(coco, source, labels)
    else:
        find = annotations.of_table(source, labels)
    if find is None:
        return _classes_of_table(source, place, inputs, labels)
    found = _matched(find, place, inputs, source.name)
    if found is None:
        why = f"none of its files is in {place.name}"
        raise BadInput(f"Could not use {source.name}", why, f"Use one of: {FORMS}.")
    return replace(found, problem=problem)


def _classes_of_table(
    source: Path, place: Path, inputs: tuple[Path, ...], labels: Sequence[str]
) -> DataSet:
    """Return the labels in a CSV file, by its first two columns; a head does no harm."""
    rows = annotations.table_rows(source)
    head = annotations.columns_of(rows)
    named = "file" in head and "label" in head
    first, second = (head.index("file"), head.index("label")) if named else (0, 1)
    table = {
        row[first].strip().replace("\\", "/"): row[second]
        for row in rows
        if len(row) > max(first, second)
    }
    by_name = {
        path: table.get(relative_path(place, path), table.get(path.name)) for path in inputs
    }
    classes = {path: label_of(name, labels) for path, name in by_name.items() if name}
    if not classes:
        listed = units.plural(len(table) - named, "row")
        why = f"none of its {listed} matches a file in {place.name}"
        raise BadInput(f"Could not use {source.name}", why, "Use rows of the form file,label.")
    data = DataSet(place, _without(inputs, {source}))
    return _with_classes(data, classes, labels, source.name)


def _with_classes(
    data: DataSet, classes: Mapping[Path, str], labels: Sequence[str], source: str
) -> DataSet:
    """Return inputs with their labels; those that are no classes of the model are left out and
    named. Raises BadInput: all of them."""
    others = sorted({*classes.values()} - {*labels}) if labels else []
    if not others:
        return replace(data, classes=classes, source=source)
    known = {path: label for path, label in classes.items() if label in labels}
    unlabeled = _unknown(others, _CORRECT)
    if not known:
        name = source if data.table is None else data.place.name
        raise BadInput(f"Could not use {name}", unlabeled)
    return replace(data, classes=known, source=source, unlabeled=unlabeled)


def _matched(find: Find, place: Path, inputs: tuple[Path, ...], source: str) -> DataSet | None:
    truths = {}
    for path in inputs:
        load = find(relative_path(place, path)) or find(path.name)
        if load is not None:
            truths[path] = load
    return DataSet(place, inputs, truths=truths, source=source) if truths else None


def _table_inside(
    place: Path, inputs: tuple[Path, ...], labels: Sequence[str]
) -> DataSet | None:
    for name in _TABLES:
        path = place / name
        if files.is_file(path) and "file" in annotations.columns_of(
            annotations.table_rows(path)
        ):
            return _said(path, place, _without(inputs, {path}), labels)
    return None


def _coco_inside(
    place: Path, inputs: tuple[Path, ...], labels: Sequence[str]
) -> DataSet | None:
    if not any(map(image_files.is_image, inputs)):
        return None
    found = [*place.glob("*.json"), *place.glob("annotations/*.json")]
    problem = ""
    for path in sorted(each for each in found if not each.name.endswith(SUFFIX)):
        try:
            coco = annotations.read_coco(path)
        except UnreadableFile as error:
            if _ANNOTATIONS.search(relative_path(place, path)):
                values = {"file": Name(path.name), "why": Name(error.why)}
                problem = problem or Sentence("{file} could not be read: {why}", **values)
            continue
        find = annotations.of_coco(coco, path, labels)
        matched = _matched(find, place, inputs, relative_path(place, path))
        if matched is not None:
            return replace(matched, problem=annotations.unlisted(coco, path) or problem)
    return DataSet(place, inputs, problem=problem) if problem else None


def _folder_beside(
    place: Path, inputs: tuple[Path, ...], labels: Sequence[str]
) -> DataSet | None:
    for name in _BESIDE:
        folders = [place / name]
        if _INPUTS in place.parts:  # such as images/val beside labels/val
            at = len(place.parts) - 1 - place.parts[::-1].index(_INPUTS)
            folders.append(Path(*place.parts[:at], name, *place.parts[at + 1 :]))
        for folder in filter(files.is_folder, folders):
            found = _paired(folder, place, inputs, f"the folder {name}")
            if found is not None:
                return found
    return None


def _paired(folder: Path, place: Path, inputs: tuple[Path, ...], source: str) -> DataSet | None:
    """Return true answers in files that are named as the inputs."""
    answers = {
        path.relative_to(folder).with_suffix("").as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.suffix.lower() in _ANSWERS or image_files.is_image(path)
    }
    own = {*answers.values()}
    inputs = _without(inputs, own)
    truths: dict[Path, Callable[[], Truth]] = {}
    for path in inputs:
        relative = path.relative_to(place).with_suffix("")
        names = (relative.as_posix(), Path(*relative.parts[1:]).as_posix(), path.stem)
        answer = next((answers[name] for name in names if name in answers), None)
        if answer is not None:
            truths[path] = partial(annotations.of_file, answer, path)
    return DataSet(place, inputs, truths=truths, source=source) if truths else None


def _texts_beside(
    place: Path, inputs: tuple[Path, ...], labels: Sequence[str]
) -> DataSet | None:
    texts = {*place.rglob("*.txt")}
    truths: dict[Path, Callable[[], Truth]] = {
        path: partial(annotations.of_file, path.with_suffix(".txt"), path)
        for path in inputs
        if path.suffix.lower() != ".txt" and path.with_suffix(".txt") in texts
    }
    inputs = _without(inputs, texts)
    source = "a text beside each file"
    return DataSet(place, inputs, truths=truths, source=source) if truths else None


def _transcripts(
    place: Path, inputs: tuple[Path, ...], labels: Sequence[str]
) -> DataSet | None:
    known = annotations.transcripts(place)
    truths: dict[Path, Callable[[], Truth]] = {
        path: partial(known.__getitem__, path.stem) for path in inputs if path.stem in known
    }
    inputs = tuple(path for path in inputs if path in truths)
    return DataSet(place, inputs, truths=truths, source="*.trans.txt") if truths else None


def _of_folders(place: Path, inputs: Sequence[Path], labels: Sequence[str]) -> dict[Path, str]:
    named = {path: _top_folder(place, path) for path in inputs}
    return {path: label_of(name, labels) for path, name in named.items() if name}


def _of_known_folders(place: Path, inputs: tuple[Path, ...], labels: Sequence[str]) -> DataSet:
    """Return the labels that names of subfolders are, and which names are no class."""
    named, known = _of_folders(place, inputs, labels), set(labels)
    classes = {path: label for path, label in named.items() if label in known}
    if not named:
        return DataSet(place, inputs, unlabeled=_NO_ANSWERS)
    if not labels:
        return DataSet(place, inputs, unlabeled=_NO_NAMES)
    others = sorted({_top_folder(place, path) for path in named if path not in classes})
    source = _SUBFOLDERS if classes else ""
    return DataSet(
        place, inputs, classes, {}, source, _unknown(others, _RENAME) if others else ""
    )


def _unknown(names: Sequence[str], hint: str) -> str:
    """Return that names are those of no class, and what to do."""
    quoted = [f"“{units.clip(name, 40)}”" for name in names[:_MOST_NAMED]]
    more = len(names) - len(quoted)
    if more:
        return Sentence(
            "{names} and {more} are no classes of this model; {hint}",
            names=", ".join(quoted),
            more=Count(more, "other"),
            hint=hint,
        )
    if len(names) > 1:
        return Sentence(
            "{names} are no classes of this model; {hint}", names=", ".join(quoted), hint=hint
        )
    return Sentence("{name} is no class of this model; {hint}", name=quoted[0], hint=hint)


def _without(inputs: tuple[Path, ...], others: set[Path]) -> tuple[Path, ...]:
    return tuple(path for path in inputs if path not in others)


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


def label_of(name: str, labels: Sequence[str]) -> str:
    """Return the label that a name means, or the name where it means none.

    A label means itself, in any case, each of its names ("tabby, tabby cat"; "T-shirt/top"),
    its identifier in front ("n02123045 tabby") and its number.
    """
    plain = name.strip()
    if plain in labels:
        return plain
    folded = plain.casefold().replace("_", " ")
    for label in labels:
        whole = label.casefold().replace("_", " ")
        first = whole.split(" ", 1)[0]
        # A first word alone is no name: "horse" is no horse cart.
        identifier = (first,) if first[-1:].isdigit() else ()
        if folded in (whole, *identifier, *re.split(r"\s*[,/]\s*", whole)):
            return label
    if plain.isdecimal() and len(plain) < 7:
        number = int(plain)
        return labels[number] if number < len(labels) and labels[number] else str(number)
    return plain
