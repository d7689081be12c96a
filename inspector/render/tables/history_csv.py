"""The history of reports as CSV, one line a report."""

import csv
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.analysis.measured.history import PastReport

COLUMNS = (
    "created", "model", "device", "settings", "machine", "runtime", "p50_ns", "low_ns",
    "high_ns", "model_bytes", "memory_bytes", "noisy", "tags", "note", "path", "problem",
)  # fmt: skip


def history_row(report: "PastReport") -> dict[str, object]:
    """Return what JSON says of a report."""
    values = {name: getattr(report, name) for name in COLUMNS}
    return values | {"path": str(report.path), "tags": list(report.tags)}


def history_csv(reports: Sequence["PastReport"]) -> str:
    """Return a table with a line of titles; tags are parted by spaces."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(history_row(each) | {"tags": " ".join(each.tags)} for each in reports)
    return text.getvalue()
