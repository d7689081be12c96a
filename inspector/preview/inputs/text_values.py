"""Values written as text: .csv tables, nested .json lists, plain .txt."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from inspector import units
from inspector.errors import BadInput, UnreadableFile
from inspector.model import display_names
from inspector.model.model import TensorInfo
from inspector.model.tensors.element_types import (
    Tensor,
    holds_values,
    is_float,
    is_integer,
    limits,
    numpy_type,
)
from inspector.platform import files

LIMIT_BYTES = 64 << 20
_TRUTH = {"true": 1, "false": 0}


def read_text(path: Path) -> str:
    """Read a text in UTF-8. Raises UnreadableFile: another encoding, too large."""
    try:
        return files.read_capped(path, LIMIT_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFile(
            f"Could not open {path.name}",
            f"it is not UTF-8 text (byte {error.start:,})",
            "Save it as UTF-8.",
        ) from error


def read_csv(path: Path, info: TensorInfo) -> tuple[Tensor, str]:
    """Read a table as (rows, columns) of the input's type, and what was done about a header.

    Separated by comma, semicolon or tabulator. A first line of words is left out; where one
    of them is the input's name, only that column is taken.
    Raises UnreadableFile, BadInput: rows of unequal length, something that is no number.
    """
    table = rows(path)
    header = _is_header(table, info)
    if header and info.name in table[0]:
        column = table[0].index(info.name)
        return numbers([[row[column]] for row in table[1:]], info, path.name), "its own column"
    note = "header row skipped" if header else ""
    return numbers(table[1:] if header else table, info, path.name), note


def columns(path: Path) -> tuple[str, ...]:
    """Return the cells of the first line of a table. Raises UnreadableFile: no table."""
    return tuple(cell.strip() for cell in rows(path)[0])


def read_json(path: Path, info: TensorInfo) -> Tensor:
    """Read nested lists, or the member of an object that has the input's name.

    Raises UnreadableFile, BadInput: not JSON, lists of unequal length, not the input's type.
    """
    text, what = read_text(path), f"Could not open {path.name}"
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(what, f"it is not JSON ({error})") from error
    if isinstance(value, dict):
        if info.name not in value and len(value) != 1:
            why = f"it has no key '{units.clip(info.name, 80)}'"
            raise BadInput(what, why, display_names.suggestion(info.name, value))
        value = value.get(info.name, next(iter(value.values()), None))
    return numbers(value, info, path.name)


def parsed(text: str, info: TensorInfo) -> Tensor:
    """Read nested lists that somebody typed, "[[5.1, 3.5]]".

    Raises BadInput: not JSON, lists of unequal length, not the input's type.
    """
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        what = f"Could not use {units.clip(text, 60)} for input '{units.clip(info.name, 80)}'"
        hint = "Use numbers with commas between them, as in [[5.1, 3.5], [1, 2]]."
        raise BadInput(what, f"it is not a list ({error})", hint) from error
    return numbers(values, info, units.clip(text, 60))


def numbers(values: Any, info: TensorInfo, source: str) -> Tensor:
    """Nested lists of numbers or texts as a tensor of the input's type.

    Raises BadInput: unequal lengths, not a number, not whole, or too large for the type.
    """
    what = f"Could not use {source} for input '{units.clip(info.name, 80)}'"
    try:
        if info.dtype == "string":
            texts = np.array(values, np.dtypes.StringDType())
            return texts.astype(object)
        return _cast(np.array(values), info, what)
    except (ValueError, TypeError, RecursionError, OverflowError) as error:
        raise BadInput(what, units.clip(_reason(values, error), 160)) from error


def _cast(array: Tensor, info: TensorInfo, what: str) -> Tensor:
    kind = numpy_type(info.dtype)
    if array.dtype.kind in "US":
        array = np.array([_number(text) for text in array.ravel().tolist()]).reshape(
            array.shape
        )
    if array.dtype.kind not in "biuf":
        raise ValueError("it contains a value that is not a number, true or false")
    if not array.size:
        return array.astype(kind)
    if is_integer(info.dtype) or info.dtype == "bool":
        low, high = (0, 1) if info.dtype == "bool" else limits(info.dtype)
        if (
            array.dtype.kind == "f"
            and not (np.isfinite(array) & (np.rint(array) == array)).all()
        ):
            raise BadInput(what, f"the input expects integers ({info.dtype})")
        if int(array.min()) < low or int(array.max()) > high:
            raise BadInput(what, f"{info.dtype} values must be from {low:,} to {high:,}")
        return array.astype(kind)
    with np.errstate(over="ignore"):
        cast = array.astype(kind)
    if is_float(info.dtype) and not holds_values(array, cast, info.dtype):
        raise BadInput(what, f"a value is too large for {info.dtype}")
    return cast


def _number(text: str) -> int | float:
    plain = text.strip().lower()
    if plain in _TRUTH:
        return _TRUTH[plain]
    try:
        return int(plain)
    except ValueError:
        return float(plain or "nan")


def _reason(values: Any, error: Exception) -> str:
    if "inhomogeneous" in str(error):
        return "its rows have different lengths"
    return str(error)


def rows(path: Path) -> list[list[str]]:
    """Return the lines of a table, separated by comma, semicolon or tabulator.

    Raises UnreadableFile: no table, or lines of unequal length.
    """
    text = read_text(path)
    first = text.partition("\n")[0]
    separator = max(",;\t", key=first.count)
    try:
        table = [row for row in csv.reader(io.StringIO(text), delimiter=separator) if row]
    except csv.Error as error:
        raise UnreadableFile(
            f"Could not open {path.name}", f"it is not a table: {error}"
        ) from error
    for index, row in enumerate(table):
        if len(row) != len(table[0]):
            raise UnreadableFile(
                f"Could not open {path.name}",
                f"row {index + 1} has {units.plural(len(row), 'value')}, "
                f"but the first has {len(table[0])}",
            )
    if not table:
        raise UnreadableFile(f"Could not open {path.name}", "it is empty")
    return table


def _is_header(rows: Sequence[Sequence[str]], info: TensorInfo) -> bool:
    if info.name in rows[0]:
        return True
    return info.dtype != "string" and len(rows) > 1 and not any(map(is_number, rows[0]))


def is_number(text: str) -> bool:
    """Return whether a text is a number, true or false; an empty one is no number yet."""
    try:
        _number(text)
    except ValueError:
        return False
    return True
