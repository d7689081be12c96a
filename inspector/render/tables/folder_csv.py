"""The results of a folder of inputs as CSV: a row for each file."""

from inspector.preview.runs.folder import HEAD, FolderResult, cells
from inspector.render.tables.report_csv import table_csv


def folder_csv(result: FolderResult) -> bytes:
    """Return a row for each file, UTF-8."""
    return table_csv(HEAD, map(cells, result.rows))
