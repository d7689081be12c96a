"""Models as rows of a table, sorted, with duplicates by content."""

from collections.abc import Sequence
from dataclasses import replace

from inspector.platform.data_struct import DataStruct

# What --sort takes, and what each sorts by; numbers with the largest first.
SORT_KEYS: dict[str, str] = {
    "name": "path", "size": "size_bytes", "parameters": "parameters", "macs": "macs",
    "layers": "layers", "precision": "precision", "opset": "opset", "task": "task",
    "p50": "p50_ns", "support": "support",
}  # fmt: skip


class ModelRow(DataStruct, frozen=True):
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
