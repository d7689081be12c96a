"""Sweeps and the search for the best settings, on the Performance tab."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from inspector.analysis.measured import sweep_results
from inspector.analysis.measured.sweep_labels import added_load_table
from inspector.analysis.measured.tuning_results import chosen
from inspector.errors import InspectorError
from inspector.pages.blocks import Chart, Section
from inspector.pages.charts.drawing import Drawing
from inspector.pages.charts.report_plots import load_curve
from inspector.pages.charts.sweep_plot import choice_plot, heat_plot, lines_plot
from inspector.pages.report.timing import extra_section
from inspector.pages.sweep import combination_table
from inspector.pages.tuning import trials_section
from inspector.report.report import Device, Throughput
from inspector.report.run_spec import RunSpec
from inspector.report.sweep import AXES, CellIndex, Sweep
from inspector.ui.documents.document import Document, Topic, Work
from inspector.ui.tabs.sweep.choice_card import ChoiceCard
from inspector.ui.tabs.sweep.heat_map_card import CellCard, HeatCard
from inspector.ui.tabs.sweep.outcome import BestCard, EmptySweep, SweepProgress, TuningCard
from inspector.ui.tabs.sweep.plan_card import PlanCard
from inspector.ui.tabs.sweep.plot_menu import PlotMenu
from inspector.ui.translate import tr
from inspector.ui.widgets.chart import ChartCard
from inspector.ui.widgets.failure import Failure
from inspector.ui.widgets.layouts import BELOW_HEAD, BESIDE_BAR, scroll_down
from inspector.ui.widgets.page_table import EMPTY
from inspector.ui.widgets.page_view import SectionCard
from inspector.ui.widgets.parts import GAP, PADDING
from inspector.ui.widgets.table_card import FilterField, PageTableCard
from inspector.ui.widgets.theme import Theme

Draw = Callable[[], Drawing]
_SOON_MS = 300


class SweepView(QScrollArea):
    """Follows the sweeping of a document; owns only which cell is chosen."""

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__()
        self._theme, self._document = theme, document
        self.place: CellIndex | None = None
        self.plan = PlanCard(theme, document)
        self.failure = Failure(theme)
        self.progress = SweepProgress(theme)
        self.tuning = TuningCard(theme)
        self.best = BestCard(theme)
        self.heat = HeatCard(theme)
        self.cell = CellCard(theme)
        self.lines = ChartCard(theme)
        self.throughput = ChartCard(theme)
        self.points: tuple[Throughput, ...] = ()
        self.choice = ChoiceCard(theme)
        self.table: PageTableCard | None = None
        self.added_load: SectionCard | None = None  # of a sweep with a busy core
        self.trials: SectionCard | None = None  # what a search tried
        self.empty = EmptySweep()
        self.menus: dict[str, PlotMenu] = {}
        self._soon = QTimer(self)  # drawing more often would disturb what is measured
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(self._show_sweep)
        self._lay_out()
        self._wire()
        for plot, name, draw in (
            (self.heat.view, "heat", self._heat),
            (self.lines, "lines", self._lines),
            (self.throughput, "throughput", self._load),
            (self.choice, "choice", self._choice),
        ):
            stem = f"{self._document.stem}.sweep.{name}"
            self.menus[name] = PlotMenu(plot, stem, draw, self.failure.show_error)
        self._show_sweep()
        self._show_tuning()

    def set_devices(self, devices: tuple[Device, ...]) -> None:
        """Offer the devices of this machine."""
        self.plan.set_devices(devices)

    def _lay_out(self) -> None:
        page = QWidget()
        self._page = QVBoxLayout(page)
        self._page.setContentsMargins(PADDING, GAP - BELOW_HEAD, BESIDE_BAR, PADDING)
        self._page.setSpacing(GAP)
        for widget in (
            self.plan, self.failure, self.progress, self.tuning, self.best, self.heat,
            self.cell, self.lines, self.throughput, self.choice, self.empty,
        ):  # fmt: skip
            self._page.addWidget(widget)
        self._page.addStretch(1)
        scroll_down(self)
        self.setAccessibleName(tr("Sweep"))
        self.setWidget(page)

    def _wire(self) -> None:
        document, sweeping = self._document, self._document.sweeping
        sweeping.changed.connect(self._later)
        sweeping.tuned.connect(self._show_tuning)
        document.changed(Topic.WORK).connect(self._follow_work)
        document.changed(Topic.DIGEST).connect(sweeping.find_earlier)
        document.failed.connect(self._show_failure)
        self.failure.again.hide()
        self.heat.chosen.connect(self.choose)
        self.heat.drawn.connect(self._show_lines)
        self.cell.take.clicked.connect(self._take_cell)
        self.tuning.take.clicked.connect(self._take_best)

    def _heat(self) -> Draw:
        sweep, visible = self._document.sweeping.sweep, self.heat.seen
        assert sweep is not None, "its map is shown"
        return partial(heat_plot, sweep, visible)

    def _lines(self) -> Draw:
        sweep, visible = self._document.sweeping.sweep, self.heat.seen
        assert sweep is not None, "its lines are shown"
        return partial(lines_plot, sweep, visible)

    def _load(self) -> Draw:
        return partial(load_curve, self.points)

    def _choice(self) -> Draw:
        return partial(choice_plot, (*self.choice.mine, *self.choice.others))

    def _later(self) -> None:
        """Show the sweep as it is, soon while it runs, else at once."""
        if self._document.work is not Work.SWEEPING:
            self._show_sweep()
        elif not self._soon.isActive():
            self._soon.start()

    def choose(self, place: CellIndex | None) -> None:
        """Show the numbers of a cell."""
        self.place = place
        self._show_sweep()

    def _follow_work(self) -> None:
        if self._document.work is Work.SWEEPING:
            self.failure.hide()
        self._show_sweep()
        self._show_tuning()

    def _show_failure(self, error: InspectorError) -> None:
        if self._document.failed_work is Work.SWEEPING:
            self.failure.show_error(error)

    def _show_tuning(self) -> None:
        tuning, running = self._document.sweeping.tuning, self._document.work is Work.SWEEPING
        self.tuning.setVisible(tuning is not None)
        if tuning is not None:
            running = running and self._document.sweeping.tuning_now
            self.tuning.show_tuning(tuning, running)
            section = None if running else trials_section(tuning)
            self.trials = self._replaced(self.trials, section, self.tuning)

    def _show_sweep(self) -> None:
        sweep = self._document.sweeping.sweep
        running = self._document.work is Work.SWEEPING
        tuning_now = self._document.sweeping.tuning_now
        sweeping = running and not tuning_now
        ended_early = not running and sweep is not None and bool(sweep_results.early_end(sweep))
        self.progress.setVisible(sweeping or ended_early)
        existing = sweep is not None and any(cell.rounds or cell.why for cell in sweep.cells)
        for widget in (self.best, self.heat, self.lines, self.cell, self.throughput):
            widget.setVisible(existing)
        self.choice.setVisible(False)
        self.empty.setVisible(
            not existing and not running and self._document.sweeping.tuning is None
        )
        if sweep is None:
            return
        if ended_early:
            self.progress.show_early_end(sweep)
        elif sweeping:
            self.progress.show_sweep(sweep, self._document.sweeping.seconds_left)
        if self.place not in sweep.by_place:
            self.place = None
        if existing:
            self._show_cells(sweep)

    def _show_cells(self, sweep: Sweep) -> None:
        best = sweep_results.best(sweep)
        shown = sweep.by_place.get(self.place or (), best) if self.place else best
        self.best.show_sweep(sweep)
        self.best.setVisible(best is not None)
        self.heat.setVisible(bool(sweep.axes))
        if sweep.axes:
            self.heat.show_sweep(sweep, self.place)
        self.lines.setVisible(bool(sweep.axes))
        self.cell.setVisible(shown is not None)
        if shown is not None:
            self.cell.show_cell(sweep, shown)
        points = sweep_results.throughput(shown) if shown is not None else ()
        self.throughput.setVisible(bool(points))
        self.points = tuple(points)
        if points:
            draw = partial(load_curve, self.points)
            self.throughput.show_chart(Chart("throughput", draw, "Latency by throughput"))
        table = added_load_table(sweep)
        section = None if table is None else extra_section(table)
        self.added_load = self._replaced(self.added_load, section, self.best)
        candidates = sweep_results.candidates(sweep)
        self.choice.setVisible(len(sweep.models) > 1 and bool(candidates))
        if candidates:
            self.choice.show_candidates(candidates)
        self._show_table(sweep)

    def _replaced(
        self, card: SectionCard | None, section: Section | None, above: QWidget
    ) -> SectionCard | None:
        """Return the card of a section below another one, made anew where it changed."""
        if card is not None and card.section != section:
            self._page.removeWidget(card)
            card.hide()
            card.deleteLater()
            card = None
        if section and card is None:
            card = SectionCard(self._theme, section)
            self._page.insertWidget(self._page.indexOf(above) + 1, card)
            card.show()
        return card

    def _show_lines(self) -> None:
        """Lines show the same cells as the heat map."""
        sweep = self._document.sweeping.sweep
        if sweep is not None:
            draw = partial(lines_plot, sweep, self.heat.seen)
            self.lines.show_chart(Chart("lines", draw, "Median latency by setting"))

    def _show_table(self, sweep: Sweep) -> None:
        if self.table is None:
            field = FilterField(
                self._theme, tr("Filter combinations"), tr("Filter by any value"), 200, 120, 500
            )
            name = tr("Combinations of the sweep")
            self.table = PageTableCard(self._theme, tr("Combinations"), name, EMPTY, field)
            self.table.chosen.connect(self._choose_row)
            self._page.insertWidget(self._page.indexOf(self.choice), self.table)
        self.table.show_table(combination_table(sweep))
        places = [cell.at for cell in sweep.cells]
        self.table.show_place(places.index(self.place) if self.place in places else None)

    def _choose_row(self, row: int) -> None:
        sweep = self._document.sweeping.sweep
        if sweep is not None and sweep.cells[row].at != self.place:
            self.choose(sweep.cells[row].at)

    def _take_cell(self) -> None:
        sweep = self._document.sweeping.sweep
        assert sweep is not None, "its card is shown"
        cell = sweep.by_place.get(self.place or ()) if self.place else sweep_results.best(sweep)
        if cell is not None:
            self._take(sweep.spec_of(cell))

    def _take_best(self) -> None:
        tuning = self._document.sweeping.tuning
        if tuning is not None:
            self._take(chosen(tuning))

    def _take(self, spec: RunSpec) -> None:
        """The next measurement runs with these settings of the session."""
        changes: dict[str, Any] = {name: getattr(spec, name) for name in AXES}
        self._document.set_spec(**changes, devices=spec.devices, dimensions=spec.dimensions)
