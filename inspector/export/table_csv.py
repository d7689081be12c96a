"""Any table of texts as CSV that a spreadsheet opens without harm."""

import csv
import io
from collections.abc import Iterable, Sequence

from inspector.export.csv import safe


def table_csv(head: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Write a head and rows; RFC 4180, UTF-8. What looks like a formula gets an apostrophe."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([safe(cell) for cell in head])
    writer.writerows([safe(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8", "backslashreplace")
