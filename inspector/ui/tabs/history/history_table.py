"""The reports of the history as rows of a table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from inspector import units
from inspector.report.history import PastReport
from inspector.ui.translate import interval, mark, tr
from inspector.ui.widgets.parts import tip
from inspector.ui.widgets.table import Cells
from inspector.ui.widgets.table_model import Keys, TableModel, ranks
from inspector.ui.widgets.theme import Theme, font


def moment(report: PastReport) -> str:
    """Return when a report was made, in local time: "2026-11-26 14:05"."""
    return _written(report, "%Y-%m-%d %H:%M")


def day(report: PastReport) -> str:
    """Return the day on which a report was made: "2026-11-26"."""
    return _written(report, "%Y-%m-%d")


def _written(report: PastReport, form: str) -> str:
    try:
        return f"{datetime.fromisoformat(report.created).astimezone():{form}}"
    except ValueError:
        return units.clip(report.created, 20)


@dataclass(frozen=True, slots=True)
class HistoryColumn:
    """A column. field: of PastReport. width: in pixels; 0 takes what is left."""

    title: str
    field: str
    width: int
    numeric: bool = False
    largest_first: bool = False
    meaning: str = ""

    def __str__(self) -> str:
        return self.title


COLUMNS = (
    HistoryColumn(mark("Date"), "created", 136, largest_first=True),
    HistoryColumn(mark("Model"), "model", 0),
    HistoryColumn(mark("Device"), "device", 106),
    HistoryColumn(
        mark("Settings"),
        "settings",
        150,
        meaning=mark("Settings that differ from the defaults"),
    ),
    HistoryColumn(
        mark("Machine"),
        "machine",
        150,
        meaning=mark("Processor of the machine that ran the measurement"),
    ),
    HistoryColumn(mark("Latency p50"), "p50_ns", 92, True, True),
    HistoryColumn(mark("Peak process memory"), "memory_bytes", 140, True, True),
    HistoryColumn(mark("File size"), "model_bytes", 88, True, True),
    HistoryColumn(mark("Tags and note"), "tags", 170),
)
_WRITERS: dict[str, Callable[[float], str]] = {
    "p50_ns": units.duration, "memory_bytes": units.size, "model_bytes": units.size,
}  # fmt: skip


class HistoryRows(TableModel[HistoryColumn]):
    """One row for each report, the newest first; `model_name` leaves only one model's."""

    def __init__(self) -> None:
        self.reports: tuple[PastReport, ...] = ()
        self.model_name = ""
        super().__init__(COLUMNS, 0, sorted_by=0, downwards=True)

    def show(self, reports: Sequence[PastReport]) -> None:
        """Show other reports."""
        self.reports = tuple(reports)
        self.start_over(len(self.reports))

    def show_model(self, name: str) -> None:
        """List only the reports of one model; "" for all."""
        self.model_name = name
        self.arrange()

    def report(self, row: int) -> PastReport:
        """Return what a row shows."""
        return self.reports[self.place_of(row)]

    def row_of(self, path: Path) -> int | None:
        """Return the row of a report; None where it is not listed."""
        for place, report in enumerate(self.reports):
            if report.path == path:
                return self.row_at(place)
        return None

    def listed(self) -> NDArray[np.intp]:
        """Return the places of the reports of the chosen model."""
        if not self.model_name:
            return super().listed()
        held = (each.model == self.model_name for each in self.reports)
        return np.flatnonzero(np.fromiter(held, np.bool_, len(self.reports)))

    def text(self, row: int, column: HistoryColumn) -> str:
        """Return what a cell says."""
        return self._text(self.report(row), column)

    def _text(self, report: PastReport, column: HistoryColumn) -> str:
        field = column.field
        if field == "created":
            return "" if report.problem else moment(report)
        if field == "model":
            return report.model or report.path.name
        if field == "settings":
            return tr("Cannot be read") if report.problem else report.settings_text
        if field == "device":
            return ", ".join(map(units.device, filter(None, report.device.split(", "))))
        if field == "tags":
            return "  ".join(filter(None, (*(f"#{tag}" for tag in report.tags), report.note)))
        value = getattr(report, field)
        return "" if not value else _WRITERS.get(field, str)(value)

    def hint(self, row: int, column: HistoryColumn) -> str:
        """Return the whole text, the interval, why a file cannot be read, and where it is."""
        report = self.report(row)
        lines = [self._text(report, column)]
        if column.field == "p50_ns" and report.high_ns:
            between = interval(units.durations(round(report.low_ns), round(report.high_ns)))
            lines.append(tr("95% CI: {interval}").format(interval=between))
        if column.field == "model":
            lines.append(str(report.path))
        return tip(*filter(None, (*lines, report.problem)))

    def meaning(self, column: HistoryColumn) -> str:
        """Return what a column is of."""
        return column.meaning or super().meaning(column)

    def keys(self, column: HistoryColumn) -> Keys:
        """Numbers by size, unknown ones last; texts by the alphabet, dates by time."""
        if column.field == "created":
            return ranks([report.created for report in self.reports])
        if not column.numeric:
            return ranks([self._text(report, column).casefold() for report in self.reports])
        values = (getattr(report, column.field) or np.nan for report in self.reports)
        return np.fromiter(values, np.float64, len(self.reports))

    def haystack(self) -> Sequence[str]:
        """Return the texts of a row, and the SHA-256 of its model."""
        texts = ("created", "model", "device", "settings", "machine", "tags")
        columns = [column for column in COLUMNS if column.field in texts]
        return [
            " ".join(
                (*(self._text(report, column) for column in columns), report.sha256)
            ).casefold()
            for report in self.reports
        ]


class HistoryCells(Cells[HistoryColumn]):
    """Draws a cell; what cannot be read is red."""

    def __init__(self, theme: Theme, rows: HistoryRows) -> None:
        super().__init__(theme, rows)
        self._rows = rows

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: HistoryColumn, chosen: bool
    ) -> None:
        """Draw what a cell says."""
        look, report = self._theme.palette, self._rows.report(row)
        tint = look.text if column.field in ("model", "p50_ns") else look.secondary
        if report.problem:
            tint = look.bad if column.field == "settings" else look.tertiary
        painter.setFont(font(12))
        text = self._rows.text(row, column)
        self.draw_text(painter, box, text, look.on_selection if chosen else tint, column)
