"""Models that take one value in each of many inputs: columns of a table, filled by rows."""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from inspector import units
from inspector.errors import BadInput
from inspector.model.model import TensorInfo
from inspector.preview.inputs import text_values

FEWEST = 4
_TRUE = {"true": "1", "false": "0", "yes": "1", "no": "0"}


def columns(inputs: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
    """Return the inputs as columns of a table; empty where a row is not one value in each."""
    fits = len(inputs) >= FEWEST and all(map(_is_column, inputs))
    return tuple(inputs) if fits else ()


def value(info: TensorInfo, cell: str) -> str:
    """Return what an input is given for a cell: a number, or "text:..."; "" leaves it as
    usual."""
    plain = cell.strip()
    if info.dtype == "string":
        return f"text:{cell}" if cell else ""
    return _TRUE.get(plain.lower(), plain)


def rows_of(path: Path) -> tuple[tuple[str, ...], ...]:
    """Return the lines of a table in a file. Raises UnreadableFile: no table, unequal lines."""
    return tuple(tuple(cell.strip() for cell in row) for row in text_values.rows(path))


def pasted(body: str) -> tuple[tuple[str, ...], ...]:
    """Return the lines of a table as a spreadsheet puts it on the clipboard: tabulators or
    commas. Raises BadInput: there is none."""
    lines = [line for line in body.splitlines() if line.strip()]
    separator = "\t" if "\t" in body else ";" if ";" in body else ","
    lines_of_cells = tuple(
        tuple(cell.strip() for cell in row)
        for row in csv.reader(io.StringIO("\n".join(lines)), delimiter=separator)
    )
    if not lines_of_cells:
        hint = "Copy cells of a spreadsheet first."
        raise BadInput("Could not paste a table", "the clipboard holds no text", hint)
    return lines_of_cells


def records(
    table: Sequence[Sequence[str]], inputs: Sequence[TensorInfo]
) -> tuple[Mapping[str, str], ...]:
    """Return the rows of a table by the names of inputs.

    The names are in its first line, or in its first column where it has two; without names
    the cells are in the order of the inputs, in rows or in one column.
    Raises BadInput: it has another number of values, or none of the names.
    """
    names = [info.name for info in inputs]
    input_names = set(names)
    first = [row[0] for row in table if row]
    downwards = len(table[0]) >= 2 and len(input_names & set(first)) > len(
        input_names & set(table[0])
    )
    if input_names & set(table[0]) and not downwards:
        places = {name: place for place, name in enumerate(table[0]) if name in input_names}
        rows = [{n: row[p] for n, p in places.items() if p < len(row)} for row in table[1:]]
        return tuple(rows)
    if downwards:
        named = [row for row in table if row and row[0] in input_names]
        many = min(len(row) for row in named) - 1
        return tuple({row[0]: row[1 + i] for row in named} for i in range(many))
    cells = list(table) if len(table[0]) == len(names) else [first]
    if len(cells[0]) != len(names):
        raise BadInput(
            "Could not use the table",
            f"it has {units.plural(len(table[0]), 'column')} without names, but the model "
            f"expects {units.plural(len(names), 'value')}",
            "Add a header row with the names of the inputs.",
        )
    return tuple(dict(zip(names, row, strict=True)) for row in cells)


def _is_column(info: TensorInfo) -> bool:
    shape = info.shape
    if info.kind != "tensor" or shape is None or len(shape) > 2:
        return False
    return len(shape) < 2 or shape[1] == 1
