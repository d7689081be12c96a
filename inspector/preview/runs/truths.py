"""True answers of test inputs, from a CSV file whose head says what they are.

    file,label                          the class of each input
    file,label,left,top,right,bottom    one row for each box, in pixels of the picture
    file,mask                           a PNG file whose pixels are class numbers
    file,values                         a .npy file, or numbers with spaces between them
    file,text                           words

Names of masks and .npy files are relative to the CSV file.
"""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from inspector import units
from inspector.errors import BadInput, UnreadableFile
from inspector.model.model import TensorInfo
from inspector.platform import files
from inspector.preview.detectors.boxes import Box
from inspector.preview.inputs import image_files
from inspector.preview.inputs.image import ImageOptions, placement
from inspector.preview.runs import folder as folders

_EDGES = ("left", "top", "right", "bottom")
_MOST_BYTES = 64 << 20
FORMS = "file,label; file,label,left,top,right,bottom; file,mask; file,values; or file,text"


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """What a model should answer to an input; None: not said.

    boxes: edges in pixels of the picture file until `placed` makes them shares of the model's
    picture. mask: class numbers by pixel. values: numbers of the first output. text: words.
    """

    label: str = ""
    boxes: tuple[Box, ...] | None = None
    mask: NDArray[np.int64] | None = None
    values: NDArray[Any] | None = None
    text: str | None = None


Truths = Mapping[Path, Callable[[], Truth]]


def read(
    said: str, folder: Path, paths: Sequence[Path], labels: Sequence[str]
) -> tuple[Mapping[Path, str], Truths]:
    """Return the true class of files, and other true answers, read when they are called for.

    said: as for `folders.truth`, or the path of a CSV file with one of the heads above. Raises
    UnreadableFile, BadInput.
    """
    table = _table(Path(said)) if said not in ("", folders.FOLDERS, folders.NONE) else ()
    head = [cell.strip().casefold() for cell in table[0]] if table else []
    if not {"mask", "values", "left", "text"} & set(head):
        return folders.truth(said, folder, paths, labels), {}
    what = f"Could not use {Path(said).name}"
    if "file" not in head or ("left" in head and not {*_EDGES, "label"} <= set(head)):
        raise BadInput(
            what,
            "its first row does not have the required column names",
            f"Use one of: {FORMS}.",
        )
    rows: dict[str, list[dict[str, str]]] = {}
    for cells in table[1:]:
        row = dict(zip(head, (cell.strip() for cell in cells), strict=False))
        rows.setdefault(row.get("file", "").replace("\\", "/"), []).append(row)
    found: dict[Path, Callable[[], Truth]] = {}
    for path in paths:
        own = rows.get(folders.relative_path(folder, path)) or rows.get(path.name)
        if own:
            found[path] = partial(_truth, own, Path(said), labels)
    if not found:
        why = f"none of its {units.plural(len(rows), 'file')} is in {folder.name}"
        raise BadInput(what, why, f"Use one of: {FORMS}.")
    return {}, found


def placed(
    load: Callable[[], Truth], picture: Path, info: TensorInfo, options: ImageOptions
) -> Truth:
    """Return a truth whose boxes are shares of the model's picture, as it is prepared."""
    truth, preparation = load(), options.preparation(info)
    if truth.boxes is None or preparation is None:
        return truth
    height, width = image_files.read(picture).shape[:2]
    place = placement(preparation, width, height)
    across, down = place.right - place.left, place.bottom - place.top
    moved = tuple(
        structs.replace(
            box,
            left=(box.left / width - place.left) / across,
            right=(box.right / width - place.left) / across,
            top=(box.top / height - place.top) / down,
            bottom=(box.bottom / height - place.top) / down,
        )
        for box in truth.boxes
    )
    return replace(truth, boxes=moved)


def _truth(rows: Sequence[Mapping[str, str]], table: Path, labels: Sequence[str]) -> Truth:
    first = rows[0]
    what = f"Could not read {units.clip(first.get('file', ''), 60)} in {table.name}"
    try:
        if "left" in first:
            found = (row for row in rows if row.get("left"))  # none: a picture without boxes
            return Truth(boxes=tuple(_box(row, labels) for row in found))
        if "mask" in first:
            picture = image_files.read(table.parent / first["mask"])
            flat = picture if picture.ndim == 2 else picture[..., 0]
            return Truth(mask=flat.astype(np.int64))
        if "text" in first:
            return Truth(text=first["text"])
        value = first["values"]
        if value.endswith(".npy"):
            return Truth(values=np.load(table.parent / value, allow_pickle=False))
        return Truth(values=np.array([float(each) for each in value.split()]))
    except (ValueError, OSError) as error:
        raise UnreadableFile(what, units.clip(str(error), 120)) from error


def _box(row: Mapping[str, str], labels: Sequence[str]) -> Box:
    label = row["label"]
    names = {name.casefold(): number for number, name in enumerate(labels)}
    known = names.get(label.casefold())
    if known is None and not label.isdecimal():
        raise ValueError(f"'{label}' is not a class of the model")
    left, top, right, bottom = (float(row[edge]) for edge in _EDGES)
    return Box(left, top, right, bottom, 1.0, int(label) if known is None else known)


def _table(path: Path) -> list[list[str]]:
    try:
        text = files.read_capped(path, _MOST_BYTES).decode("utf-8-sig")
        return list(csv.reader(io.StringIO(text)))
    except (UnicodeDecodeError, csv.Error) as error:
        why = f"it is not a UTF-8 table ({error})"
        raise UnreadableFile(f"Could not read {path.name}", why) from error
