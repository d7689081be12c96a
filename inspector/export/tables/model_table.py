"""Many models as a table: one row each, sorted, with duplicates by content."""

import csv
import glob
import io
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from inspector.formats.coreml.package import is_folder_of_models, package_of
from inspector.formats.folders.reading import is_one_model
from inspector.formats.shard_names import whole

SCHEMA = "models/1"
# What --sort takes, and what each sorts by; numbers with the largest first.
SORT_KEYS: dict[str, str] = {
    "name": "path", "size": "size_bytes", "parameters": "parameters", "macs": "macs",
    "layers": "layers", "precision": "precision", "opset": "opset", "task": "task",
    "p50": "p50_ns", "support": "support",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One model in the table; None where a value is unknown.

    precision: type of most of its weights, and of the values between its layers where these
    take other bits. p50_ns: median latency of the newest report in the
    library. same_as: the first file with the same content; "" for none. problem: why the file
    could not be read; "" if it was. support: layers that devices support, from their tables:
    "coreml 12/15; nnapi 15/15"; "" where it was not asked.
    """

    path: str
    size_bytes: int | None = None
    parameters: int | None = None
    macs: int | None = None
    layers: int | None = None
    precision: str = ""
    opset: int | None = None
    task: str = ""
    p50_ns: int | None = None
    sha256: str = ""
    same_as: str = ""
    problem: str = ""
    support: str = ""
    runtime: str = ""
    outputs: str = ""


def expanded(
    paths: Sequence[Path], suffixes: Sequence[str], parts: bool = False
) -> tuple[list[Path], bool]:
    """Return model files in place of folders and patterns, and whether there were any.

    A folder without models, or that is a model of another format, stays: opening it says what
    it is. So does one whose files are one model, unless its parts are asked for.
    """
    files: list[Path] = []
    several = False
    for path in paths:
        members: list[Path] = []
        if is_folder_of_models(path) and (parts or not is_one_model(path)):
            found = [p for p in sorted(path.rglob("*")) if p.suffix.lower() in suffixes]
            packages = {p for p in found if package_of(p) is not None}
            found = list(dict.fromkeys(map(whole, found)))  # shards are one model
            members = [p for p in found if packages.isdisjoint(p.parents)]
        elif glob.has_magic(str(path)) and not path.exists():
            members = [Path(name) for name in sorted(glob.glob(str(path), recursive=True))]
        several = several or bool(members)
        files += [m for m in members if m.is_file() or package_of(m) is not None] or [path]
    return list(dict.fromkeys(files)), several


def with_duplicates(rows: Sequence[ModelRow]) -> list[ModelRow]:
    """Return the rows, those with the content of an earlier one saying so."""
    first: dict[str, str] = {}
    marked = []
    for row in rows:
        same = first.setdefault(row.sha256, row.path) if row.sha256 else row.path
        marked.append(replace(row, same_as="" if same == row.path else same))
    return marked


def ordered(rows: Sequence[ModelRow], key: str) -> list[ModelRow]:
    """Return the rows sorted by one of SORT_KEYS; unknown values come last."""
    name = SORT_KEYS[key]
    known = [row for row in rows if getattr(row, name) not in (None, "")]
    is_number = any(isinstance(getattr(row, name), int) for row in known)
    known.sort(key=lambda row: getattr(row, name), reverse=is_number)
    return [*known, *(row for row in rows if getattr(row, name) in (None, ""))]


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
