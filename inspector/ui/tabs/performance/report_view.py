"""A report on the Performance tab: cards, findings, timeline, layers, then the rest."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from inspector.analysis.advice.advice_helpers import Advice
from inspector.pages.report import layers, machine, timing
from inspector.pages.report.page import suggestions_section
from inspector.report.report import PerformanceReport
from inspector.ui.documents.document import Document
from inspector.ui.selection import Selection
from inspector.ui.tabs.performance.layer_table import LayerTable
from inspector.ui.tabs.performance.metric_cards import MetricCards, StatisticsCard
from inspector.ui.tabs.performance.remedies import trial_of
from inspector.ui.tabs.performance.roofline_card import roofline_card
from inspector.ui.tabs.performance.speed_cards import SpeedTop
from inspector.ui.tabs.performance.suggestions import FindingsCard
from inspector.ui.timeline.widget.card import Timeline
from inspector.ui.translate import tr, written
from inspector.ui.widgets.command_hints import in_window
from inspector.ui.widgets.page_view import SectionCard
from inspector.ui.widgets.parts import GAP, add_to, column_of, note
from inspector.ui.widgets.support_legend import Legend
from inspector.ui.widgets.theme import Theme
from inspector.wording.support_marks import Mark

_MAX_NOTES = 20


class ReportView(QWidget):
    """Everything about one report; a new report gets a new view.

    legend: of the markers, for whoever keeps it in view below the page. shown: a part that the
    user asked for, to be brought into view.
    """

    shown = Signal(QWidget)

    def __init__(
        self,
        theme: Theme,
        report: PerformanceReport,
        selection: Selection,
        precisions: tuple[str, ...] = (),
        advice: tuple[Advice, ...] = (),
        document: Document | None = None,
    ) -> None:
        super().__init__()
        self.report, self._selection = report, selection
        self._linked_cards = list[SectionCard]()
        others = document.reports if document is not None else ()
        self.cards = MetricCards(theme, report, others)
        measurable = document is not None and document.model is not None
        self.statistics = StatisticsCard(theme, report, measurable)
        trial = trial_of(report, others)
        advice = trial.open(advice) if trial is not None else advice
        self.findings = FindingsCard(theme, report, advice, selection, document, trial)
        noise, self.speed = self.cards.latency.noise_reasons, None
        if report.generation is not None:
            self.speed = SpeedTop(theme, report, self.findings, noise)
        self.timeline = Timeline(theme, report, selection)
        self.layers = LayerTable(theme, report, selection, precisions)
        self.layers.has_model = document is not None and document.model is not None
        # A measurement that was canceled early has neither events nor layers. What is shown
        # before it has a parent would be a window.
        if not len(report.trace):
            self.timeline.hide()
        if not report.layers:
            self.layers.hide()
        self.legend = Legend(theme, _marks(report))
        self.notes = Notes(theme, _note_texts(report, self.cards.latency.noise_reasons))
        column = column_of(on=self, spacing=GAP)
        if report.early_end:
            sign = ("warning", "bad") if report.failed else ("info", "tertiary")
            column.addLayout(note(theme, report.early_end, *sign))
        if self.speed is not None:  # its cards take the place of those of single runs
            column.addWidget(self.speed)
        column.addWidget(self.cards)
        self.cards.setVisible(self.speed is None)
        column.addWidget(self.statistics)
        if self.speed is None:
            column.addWidget(self.findings)
        column.addWidget(self.timeline)
        if self.speed is not None and self.speed.phases is not None:
            column.addWidget(self._linked(self.speed.phases))
        column.addWidget(self.layers)
        more = (timing.concurrent_runs(report), *timing.extra_sections(report))
        self.extras = tuple(SectionCard(theme, section) for section in more if section)
        add_to(column, *self.extras)
        self.partitions = tuple(
            self._linked(SectionCard(theme, section))
            for section in (layers.partitions(report), layers.transitions(report))
            if section
        )
        add_to(column, *self.partitions)
        self.advice = self._advice(theme, advice) if advice else None
        if self.advice is not None:
            column.addWidget(self.advice)
        self.roofline = roofline_card(theme, report, document)
        if self.roofline is not None:
            column.addWidget(self._linked(self.roofline))
        self.phases = SectionCard(theme, timing.phases(report))
        column.addWidget(self.phases)
        if report.failed:
            self.cards.hide()
            self.findings.hide()
            self.phases.hide()
        add_to(column, self.notes, None)
        self._wire(document)
        selection.changed.connect(self._mark_selected)
        self._mark_selected()

    def _wire(self, document: Document | None) -> None:
        latency, devices = self.cards.latency, self.cards.devices
        latency.statistics_asked.connect(self.statistics.setVisible)
        self.statistics.closed.connect(latency.more.toggle)
        if document is not None:
            self.statistics.processes_asked.connect(partial(_measure_in, document))
        if document is not None and document.model is not None:
            devices.invite()
        self.layers.timeline_asked.connect(lambda: self.shown.emit(self.timeline))
        self.findings.timeline_asked.connect(lambda: self.shown.emit(self.timeline))
        self.findings.details_asked.connect(self._show_advice)
        self.findings.roofline_asked.connect(self._show_roofline)

    def look_like(self, previous: "ReportView") -> None:
        """Show the rows and statistics that the view of the report before showed."""
        self.layers.look_like(previous.layers)
        self.cards.latency.more.setChecked(previous.cards.latency.more.isChecked())

    def _advice(self, theme: Theme, advice: Sequence[Advice]) -> SectionCard:
        """Return all suggestions, in the words of the window."""
        told = tuple(
            replace(each, gain=in_window(each.gain), check=in_window(each.check))
            for each in advice
        )
        return self._linked(SectionCard(theme, suggestions_section(self.report, told)))

    def _linked(self, card: SectionCard) -> SectionCard:
        """Select the layer that is clicked in a card, and mark the one that is selected."""
        card.chosen.connect(lambda key: self._selection.choose(layer=int(key)))
        self._linked_cards.append(card)
        return card

    def _mark_selected(self) -> None:
        """Mark the selected layer, or the one that it is part of."""
        index = self._selection.now.layer
        leader = next((e.into for e in self.report.layers if e.index == index), None)
        chosen = index if leader is None else leader
        for card in self._linked_cards:
            card.choose("" if chosen is None else str(chosen))

    def _show_roofline(self) -> None:
        if self.roofline is not None:
            self.shown.emit(self.roofline)

    def _show_advice(self) -> None:
        if self.advice is not None:
            self.shown.emit(self.advice)


def _measure_in(document: Document, processes: int) -> None:
    if document.work is None:
        document.set_spec(starts=processes)
        document.measure()


def _marks(report: PerformanceReport) -> Iterator[Mark]:
    return (support.mark for layer in report.layers for support in layer.devices.values())


class Notes(QWidget):
    """The notes of a report, as a list in a secondary color."""

    def __init__(self, theme: Theme, notes: tuple[str, ...]) -> None:
        super().__init__()
        column = column_of(on=self, spacing=4, margins=(4, 0, 4, 0))
        self.setAccessibleName(tr("Notes"))
        for sentence in notes:
            column.addLayout(note(theme, sentence))


def _note_texts(report: PerformanceReport, reasons: Sequence[str]) -> tuple[str, ...]:
    when = tr("Measured {when}").format(when=written(machine.measured(report)))
    doubts = (tr("Noisy: {reason}").format(reason=reason) for reason in reasons)
    if report.failed:  # the reason stands above
        return (when,)
    return (*doubts, *report.notes[:_MAX_NOTES], when)
