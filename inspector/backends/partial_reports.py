"""Save and read partial reports of measurements that end early.

The engine process writes what it knows so far into the folder that both ends share, before the
predictions that are sampled and after them. Files outlive a killed process, so whoever asked
can still read them; samples in between are those that it heard of.
"""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from inspector.errors import Cancelled, InspectorError, UnreadableFile
from inspector.platform import files
from inspector.report import report
from inspector.report.report import PerformanceReport
from inspector.wording.values import Sentence

FILE = "partial.json"


def write(folder: Path, so_far: PerformanceReport) -> None:
    """Write what is known so far, in one step: the process may be killed at any moment."""
    new = folder / f"{FILE}.new"
    new.write_bytes(report.to_json(so_far))
    os.replace(new, folder / FILE)


def read(folder: Path, heard_ns: Sequence[int]) -> PerformanceReport | None:
    """Return the report of what was measured before the end; None if nothing was.

    heard_ns: samples that the process told of while it was predicting.
    """
    try:
        body = files.read_capped(folder / FILE, report.LIMIT_BYTES)
        partial = report.from_json(body, FILE)
    except UnreadableFile:  # it ended before it had anything to write
        return None
    if partial.generation is not None:  # its rows say which tokens were heard
        return partial if partial.generation.rows else None
    if not partial.prediction_ns and heard_ns:
        partial = replace(partial, prediction_ns=tuple(heard_ns))
    return partial if partial.prediction_ns else None


def mark_incomplete(partial: PerformanceReport, error: BaseException) -> PerformanceReport:
    """Return the report marked as incomplete, with the reason, also as a note."""
    if isinstance(error, Cancelled) or not isinstance(error, InspectorError):
        why = "it was canceled"
    else:
        why = error.why or error.what
    note = Sentence(
        "The measurement ended early: {rstrip}. The report contains the results up "
        "to that point.",
        why.rstrip("."),
    )
    notes = (*partial.notes, note)
    return replace(partial, complete=False, early_end_reason=note, notes=notes)
