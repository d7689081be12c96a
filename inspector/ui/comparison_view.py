"""Reports side by side in a window of their own."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QDialog, QHeaderView, QTableView, QWidget
from PySide6.QtWidgets import QVBoxLayout as Column

from inspector import units
from inspector.compare import AlignedLayer, Comparison, Metric, compare
from inspector.judge import Verdict
from inspector.report import PerformanceReport
from inspector.ui.kit.parts import Card, label
from inspector.ui.kit.theme import Theme
from inspector.ui.sidebar import when

Index = QModelIndex | QPersistentModelIndex
Row = tuple[str, ...]
ROOT = QModelIndex()
NOTABLE = 0.05


class ComparisonView(QDialog):
    """Shows numbers, settings that differ, and layers; the first report is the yardstick."""

    def __init__(
        self,
        theme: Theme,
        reports: tuple[PerformanceReport, ...],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Compare reports — Inspector")
        self.resize(980, 720)
        self.comparison = compare(reports, tuple(_name(report) for report in reports))
        page = Column(self)
        page.setContentsMargins(16, 16, 16, 16)
        page.setSpacing(12)
        page.addWidget(label(_verdict(self.comparison), "title"))
        for warning in self.comparison.warnings:
            page.addWidget(label(warning, "caution"))
        headings = ("", *self.comparison.names)
        self.numbers = ComparisonTable(theme, headings, _numbers(self.comparison))
        self.layers = ComparisonTable(theme, ("Layer", *headings[1:]), _layers(self.comparison))
        page.addWidget(_card(theme, "Numbers and settings that differ", self.numbers), 2)
        page.addWidget(_card(theme, "Layers, largest change first", self.layers), 3)


class ComparisonTable(QAbstractTableModel):
    """Rows of texts: what is compared, then one column for each report."""

    def __init__(self, theme: Theme, headings: tuple[str, ...], rows: tuple[Row, ...]) -> None:
        super().__init__()
        self._theme, self._headings, self._rows = theme, headings, rows

    def rowCount(self, parent: Index = ROOT) -> int:
        """One row for each thing compared."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        """What it is, then the reports."""
        return 0 if parent.isValid() else len(self._headings)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Names of the reports."""
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return self._headings[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The text; numbers to the right, gains green and losses red."""
        words = self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return words
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column():
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ForegroundRole and "%)" in words:
            look = self._theme.palette
            return QColor(look.bad if "(+" in words else look.good)
        return None


def _card(theme: Theme, heading: str, table: ComparisonTable) -> Card:
    card = Card(theme, padding=1)
    title = label(heading, "heading")
    title.setContentsMargins(15, 11, 15, 3)
    card.body.addWidget(title)
    view = QTableView()
    view.setModel(table)
    view.setShowGrid(False)
    view.setAccessibleName(heading)
    view.verticalHeader().hide()
    view.verticalHeader().setDefaultSectionSize(28)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
    view.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight)
    card.body.addWidget(view)
    return card


def _name(report: PerformanceReport) -> str:
    devices = " + ".join(units.device(device) for device in report.spec.devices)
    return units.clip(f"{report.model.name}, {devices}, {when(report.created)}", 60)


def _verdict(comparison: Comparison) -> str:
    if len(comparison.names) > 2:
        return f"{len(comparison.names)} reports, held against the first"
    judgement = comparison.judgements[1]
    if judgement.verdict in (Verdict.SAME, Verdict.UNDECIDED):
        return f"The second: {judgement.verdict.value}"
    return f"The second is {judgement.verdict.value}: {judgement.ratio:.2f} times the first"


def _numbers(comparison: Comparison) -> tuple[Row, ...]:
    metrics = tuple(
        (metric.name.capitalize(), *(_metric(metric, i) for i in range(len(metric.values))))
        for metric in comparison.metrics
    )
    return metrics + tuple(
        (found.name, *(units.clip(value, 60) for value in found.values))
        for found in comparison.properties
        if not found.equal
    )


def _metric(metric: Metric, i: int) -> str:
    value, ratio = metric.values[i], metric.ratio(i)
    if value is None:
        return "not measured"
    text = units.size(value) if metric.unit == "bytes" else units.duration(value)
    return text if i == 0 or ratio is None else f"{text}{_change(ratio)}"


def _change(ratio: float) -> str:
    return f"  ({100 * (ratio - 1):+.0f} %)" if abs(ratio - 1) >= NOTABLE else ""


def _layers(comparison: Comparison) -> tuple[Row, ...]:
    def change(layer: AlignedLayer) -> int:
        deltas = (layer.delta_ns(i) for i in range(1, len(layer.cells)))
        return max((abs(delta) for delta in deltas if delta is not None), default=-1)

    timed = [layer for layer in comparison.layers if change(layer) >= 0 or layer.moved]
    return tuple(
        (units.clip(layer.name, 80), *(_cell(layer, i) for i in range(len(layer.cells))))
        for layer in sorted(timed, key=change, reverse=True)
    )


def _cell(layer: AlignedLayer, i: int) -> str:
    cell, first = layer.cells[i], layer.cells[0]
    if cell is None:
        return "not in this report"
    if cell.time_ns is None:
        return str(cell.status.value)
    device = f" on {units.device(cell.ran_on)}" if layer.moved and cell.ran_on else ""
    time = units.milliseconds(cell.time_ns) + device
    if i == 0 or first is None or not first.time_ns:
        return time
    return time + _change(cell.time_ns / first.time_ns)
