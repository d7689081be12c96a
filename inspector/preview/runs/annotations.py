"""True answers in the files of well-known data sets: COCO, YOLO, masks, LibriSpeech, tables.

    file,label                          the class of each input
    file,label,left,top,right,bottom    one row for each box, in pixels of the picture
    file,mask                           a PNG file whose pixels are class numbers
    file,values                         a .npy file, or numbers with spaces between them
    file,text                           words

Names of masks and .npy files in a table are relative to it.
"""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec
import numpy as np

from inspector import units
from inspector.errors import BadInput, UnreadableFile
from inspector.platform import files
from inspector.preview.detectors.boxes import Box
from inspector.preview.inputs import image_files
from inspector.preview.runs.segments import Segment
from inspector.preview.runs.truths import IGNORED, Truth
from inspector.wording.values import Count, Name, Sentence

Load = Callable[[], Truth]
Find = Callable[[str], Load | None]
"""Finds the true answer to a file by its path in the folder, or its name."""

FORMS = "file,label; file,label,left,top,right,bottom; file,mask; file,values; or file,text"
_EDGES = ("left", "top", "right", "bottom")
_OTHER_KINDS = frozenset(("mask", "values", "left", "text"))
_FILE_COLUMNS = ("file", "file_name", "filename", "image", "path", "audio")
_OTHER_NAMES = {
    "target": "values", "value": "values", "transcript": "text", "transcription": "text",
    "sentence": "text", "class": "label", "xmin": "left", "ymin": "top", "xmax": "right",
    "ymax": "bottom",
}  # fmt: skip
_MOST_BYTES = 1 << 30  # of a file of annotations; COCO's training set has 470 MB
_COCO_HINT = "Use a JSON file with images, annotations and categories, as COCO has them."
_NONE = (b"[]", b"null")  # as an outline
_MOST_ROW_BYTES = 64 << 20
_YOLO_ROW = 5  # class, center, width, height
_TRANSCRIPTS = ".trans.txt"  # of LibriSpeech: a line for each sound, that begins with its name


def of_table(path: Path, labels: Sequence[str]) -> Find | None:
    """Return the true answers in a CSV file; None where they are classes, or it names none.

    Raises UnreadableFile; BadInput: the head lacks a column.
    """
    table = table_rows(path)
    head = columns_of(table)
    if not _OTHER_KINDS & set(head):
        return None
    if "file" not in head or ("left" in head and not {*_EDGES, "label"} <= set(head)):
        raise BadInput(
            f"Could not use {path.name}",
            "its first row does not have the required column names",
            f"Use one of: {FORMS}.",
        )
    rows: dict[str, list[dict[str, str]]] = {}
    for cells in table[1:]:
        row = dict(zip(head, (cell.strip() for cell in cells), strict=False))
        rows.setdefault(row.get("file", "").replace("\\", "/"), []).append(row)

    def find(name: str) -> Load | None:
        return partial(_of_rows, rows[name], path, labels) if name in rows else None

    return find


def table_rows(path: Path) -> list[list[str]]:
    """Return the rows of a CSV file. Raises UnreadableFile."""
    try:
        text = files.read_capped(path, _MOST_ROW_BYTES).decode("utf-8-sig")
        return list(csv.reader(io.StringIO(text)))
    except (UnicodeDecodeError, csv.Error) as error:
        why = f"it is not a UTF-8 table ({error})"
        raise UnreadableFile(f"Could not read {path.name}", why) from error


def columns_of(table: Sequence[Sequence[str]]) -> list[str]:
    """Return the names of the columns in the first row, each by the name that is used here."""
    head = [cell.strip().casefold() for cell in table[0]] if table else []
    names = [_OTHER_NAMES.get(name, name) for name in head]
    if "file" not in names:
        place = next((names.index(name) for name in _FILE_COLUMNS if name in names), None)
        if place is not None:
            names[place] = "file"
    return names


def _of_rows(rows: Sequence[Mapping[str, str]], table: Path, labels: Sequence[str]) -> Truth:
    first = rows[0]
    what = f"Could not read {units.clip(first.get('file', ''), 60)} in {table.name}"
    try:
        if "left" in first:
            found = (row for row in rows if row.get("left"))  # none: a picture without boxes
            return Truth(boxes=tuple(_box(row, labels) for row in found))
        if "mask" in first:
            return of_file(table.parent / first["mask"])
        if "text" in first:
            return Truth(text=first["text"])
        value = first["values"]
        if value.endswith(".npy"):
            return of_file(table.parent / value)
        return Truth(values=np.array([float(each) for each in value.split()]))
    except (ValueError, OSError) as error:
        raise UnreadableFile(what, units.clip(str(error), 120)) from error


def _box(row: Mapping[str, str], labels: Sequence[str]) -> Box:
    kind = _class_of(row["label"], labels)
    left, top, right, bottom = (float(row[edge]) for edge in _EDGES)
    return Box(left, top, right, bottom, 1.0, kind)


def _class_of(label: str, labels: Sequence[str]) -> int:
    """Return the number of a class by its name or number. Raises ValueError."""
    names = {name.casefold(): number for number, name in enumerate(labels)}
    known = names.get(label.casefold())
    if known is None and not label.isdecimal():
        raise ValueError(f"'{label}' is not a class of the model")
    return int(label) if known is None else known


class _Image(msgspec.Struct):
    id: int | str
    file_name: str
    width: int = 0
    height: int = 0


class _Annotation(msgspec.Struct):
    image_id: int | str
    category_id: int
    bbox: tuple[float, float, float, float] | None = None
    iscrowd: int = 0
    segmentation: msgspec.Raw = msgspec.Raw(b"[]")


class _Category(msgspec.Struct):
    id: int
    name: str


class Coco(msgspec.Struct):
    """A file of annotations, of which boxes and segments are read."""

    images: list[_Image]
    annotations: list[_Annotation]
    categories: list[_Category] = []


def read_coco(path: Path) -> Coco:
    """Read a JSON file of the COCO benchmark. Raises UnreadableFile: it is none."""
    try:
        return msgspec.json.decode(files.read_capped(path, _MOST_BYTES), type=Coco)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        why = f"it is no file of COCO's ({units.clip(str(error), 120)})"
        raise UnreadableFile(f"Could not read {path.name}", why, _COCO_HINT) from error


def unlisted(read: Coco, path: Path) -> Sentence | str:
    """Return that annotations are of images that a file does not list; "" where none is."""
    listed = {image.id for image in read.images}
    count = sum(each.image_id not in listed for each in read.annotations)
    if not count:
        return ""
    template = "{count} of {file} are ignored: the file does not list their images"
    return Sentence(template, count=Count(count, "annotation"), file=Name(path.name))


def of_coco(read: Coco, path: Path, labels: Sequence[str]) -> Find:
    """Return the boxes and segments of a file of the COCO benchmark.

    A category is the class of its name; without class names, a box has that of its place by
    number, and a pixel the number itself. Raises UnreadableFile: a category is no class of the
    model.
    """
    what = f"Could not use {path.name}"
    listed = sorted(read.categories, key=lambda each: each.id)
    try:
        kinds = {
            each.id: _class_of(each.name, labels) if labels else place
            for place, each in enumerate(listed)
        }
    except ValueError as error:
        raise UnreadableFile(what, str(error), "Name the classes with --labels.") from error
    background = next((n for n, name in enumerate(labels) if _is_background(name)), IGNORED)
    own: dict[int | str, list[_Annotation]] = {}
    for each in read.annotations:
        if each.bbox is not None:
            own.setdefault(each.image_id, []).append(each)
    by_name = {image.file_name: own.get(image.id, []) for image in read.images}
    counted = [row for rows in own.values() for row in rows]
    segmented = bool(counted) and all(bytes(row.segmentation) not in _NONE for row in counted)

    def load(rows: Sequence[_Annotation]) -> Truth:
        boxes: tuple[list[Box], list[Box]] = [], []
        segments = []
        for row in rows:
            assert row.bbox is not None, "those without were left out"
            left, top, width, height = row.bbox
            kind, crowd = kinds.get(row.category_id), bool(row.iscrowd)
            if kind is None:
                raise UnreadableFile(what, f"there is no category {row.category_id}")
            place = len(boxes[crowd])
            box = Box(left, top, left + width, top + height, 1.0, kind, place)
            boxes[crowd].append(box)
            number = kind if labels else row.category_id
            segments.append(Segment(kind, number, bytes(row.segmentation), crowd))
        return Truth(
            boxes=tuple(boxes[0]), crowds=tuple(boxes[1]),
            segments=tuple(segments) if segmented else None,
            background=background if labels else 0,
        )  # fmt: skip

    def find(name: str) -> Load | None:
        rows = by_name.get(name)
        return None if rows is None else partial(load, rows)

    return find


def _is_background(name: str) -> bool:
    return name.strip("_ ").casefold() in ("background", "unlabeled", "bg")


def of_file(path: Path, picture: Path | None = None) -> Truth:
    """Return the true answer in a file of its own: a mask, numbers, YOLO's boxes, or words.

    picture: that the boxes are of, which stand in shares of it. Raises UnreadableFile.
    """
    what = f"Could not read {path.name}"
    if image_files.is_image(path):
        return Truth(mask=image_files.read_class_numbers(path))
    if path.suffix.lower() == ".npy":
        try:
            return Truth(values=np.load(path, allow_pickle=False))
        except (ValueError, OSError) as error:
            raise UnreadableFile(what, units.clip(str(error), 120)) from error
    try:
        text = files.read_capped(path, _MOST_ROW_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFile(what, "it is not UTF-8 text", "Save it as UTF-8.") from error
    if picture is None or not image_files.is_image(picture):
        return Truth(text=" ".join(text.split()))
    rows = [line.split() for line in text.splitlines() if line.strip()]
    with suppress(ValueError):
        if all(len(row) == _YOLO_ROW and row[0].isdecimal() for row in rows):
            height, width = image_files.read(picture).shape[:2]
            return Truth(boxes=tuple(_yolo_box(row, width, height) for row in rows))
    return Truth(text=" ".join(text.split()))


def _yolo_box(row: Sequence[str], width: int, height: int) -> Box:
    x, y, wide, high = (float(each) for each in row[1:])
    return Box(
        (x - wide / 2) * width, (y - high / 2) * height,
        (x + wide / 2) * width, (y + high / 2) * height, 1.0, int(row[0]),
    )  # fmt: skip


def transcripts(folder: Path) -> dict[str, Truth]:
    """Return the words of sounds, by the name without suffix, of LibriSpeech's files."""
    found: dict[str, Truth] = {}
    for path in sorted(folder.rglob(f"*{_TRANSCRIPTS}")):
        for line in of_lines(path):
            name, _, words = line.partition(" ")
            found[name] = Truth(text=words.strip())
    return found


def of_lines(path: Path) -> list[str]:
    """Return the lines of a text file. Raises UnreadableFile."""
    try:
        return files.read_capped(path, _MOST_ROW_BYTES).decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        what = f"Could not read {path.name}"
        raise UnreadableFile(what, "it is not UTF-8 text", "Save it as UTF-8.") from error
