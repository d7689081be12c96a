"""A table of models as CSV and JSON."""

import csv
import io
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from inspector.pages.lists.model_rows import ModelRow

SCHEMA = "models/1"


def as_csv(rows: Sequence[ModelRow]) -> bytes:
    """Return one line per model, with units in the names of the columns."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [field.name for field in fields(ModelRow)]
    writer.writerow(names)
    for row in rows:
        values = (getattr(row, name) for name in names)
        writer.writerow("" if value is None else _harmless(value) for value in values)
    return out.getvalue().encode("utf-8", "backslashreplace")


def _harmless(value: int | str) -> int | str:
    """Return a cell that no spreadsheet takes for a formula."""
    risky = isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r")
    return f"'{value}" if risky else value


def as_plain(rows: Sequence[ModelRow]) -> dict[str, Any]:
    """Return the object of schema models/1."""
    names = [field.name for field in fields(ModelRow)]
    return {
        "schema": SCHEMA,
        "models": [{name: getattr(row, name) for name in names} for row in rows],
    }
