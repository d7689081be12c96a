"""The results of a folder of inputs as CSV: a row for each file."""

from inspector.export.tables.report_csv import table_csv
from inspector.preview.runs.folder import HEAD, FolderResult, cells


def folder_csv(result: FolderResult) -> bytes:
    """Return a row for each file, UTF-8."""
    return table_csv(HEAD, map(cells, result.rows))
