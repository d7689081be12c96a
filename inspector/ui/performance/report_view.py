"""A report on the Performance tab: cards, notes, timeline, layers."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector import units
from inspector.analysis.advised import Advice
from inspector.analysis.disturbance import disturbances
from inspector.analysis.partition import partition
from inspector.report import PerformanceReport
from inspector.ui.documents.selection import Selection
from inspector.ui.kit.notes import note
from inspector.ui.kit.parts import GAP
from inspector.ui.kit.theme import Theme
from inspector.ui.performance.advice_card import AdviceCard
from inspector.ui.performance.layer_table import LayerTable
from inspector.ui.performance.metric_cards import MetricCards
from inspector.ui.performance.partition_card import PartitionCard
from inspector.ui.performance.phase_cards import PhaseCards
from inspector.ui.performance.statistics_line import StatisticsLine
from inspector.ui.sweep.plot_cards import ThroughputCard
from inspector.ui.timeline.card import Timeline

if TYPE_CHECKING:
    from inspector.ui.performance.roofline_card import RooflineCard

_MOST_NOTES = 20


class ReportView(QWidget):
    """Everything about one report; a new report gets a new view."""

    def __init__(
        self,
        theme: Theme,
        report: PerformanceReport,
        selection: Selection,
        precisions: tuple[str, ...] = (),
        advised: tuple[Advice, ...] = (),
    ) -> None:
        super().__init__()
        self.cards = MetricCards(theme, report)
        self.statistics = StatisticsLine(theme, report)
        self.timeline = Timeline(theme, report, selection)
        self.phases = PhaseCards(theme, report)
        self.layers = LayerTable(theme, report, selection, precisions)
        self.notes = Notes(theme, _told(report))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        if report.early_end:
            column.addLayout(note(theme, report.early_end))
        column.addWidget(self.cards)
        column.addWidget(self.statistics)
        self.throughput = ThroughputCard(theme) if report.throughput else None
        if self.throughput is not None:
            self.throughput.show_points(report.throughput, "")
            column.addWidget(self.throughput)
        column.addWidget(self.timeline)
        found = partition(report)
        shown = PartitionCard(theme, report, found, selection) if found.divided else None
        self.partition = shown
        if self.partition is not None:
            column.addWidget(self.partition)
        column.addWidget(self.layers, 1)
        self.advice = AdviceCard(theme, report, advised, selection) if advised else None
        if self.advice is not None:
            column.addWidget(self.advice)
        self.roofline = _roofline(theme, report, selection)
        if self.roofline is not None:
            column.addWidget(self.roofline)
        column.addWidget(self.phases)
        column.addWidget(self.notes)


def _roofline(
    theme: Theme, report: PerformanceReport, selection: Selection
) -> "RooflineCard | None":
    """What layers reach of what is possible, where that was asked for."""
    if not report.roofline.ceilings:
        return None
    from inspector.ui.performance.roofline_card import RooflineCard

    return RooflineCard(theme, report, selection)


class Notes(QWidget):
    """What else is worth knowing, as a quiet list."""

    def __init__(self, theme: Theme, notes: tuple[str, ...]) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 0, 4, 0)
        column.setSpacing(4)
        self.setAccessibleName("Notes")
        for sentence in notes:
            column.addLayout(note(theme, sentence))


def environment_words(report: PerformanceReport) -> str:
    """When, with what and on what machine it was measured."""
    known, day = report.environment, report.created[:16].replace("T", " ")
    cores = units.plural(known.cores, "core")
    return units.clip(
        f"Measured {day} with ONNX Runtime {known.onnxruntime} on {known.cpu}, {cores}, "
        f"{units.size(known.memory_bytes)}, {known.system}"
    )


def _told(report: PerformanceReport) -> tuple[str, ...]:
    doubts = (f"Disturbed: {reason}" for reason in disturbances(report))
    return (*doubts, *report.notes[:_MOST_NOTES], environment_words(report))
