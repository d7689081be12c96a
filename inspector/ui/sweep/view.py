"""Sweeps and the search for the best settings, on the Performance tab."""

from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from inspector import units
from inspector.analysis import sweeps
from inspector.analysis.tunings import chosen
from inspector.errors import InspectorError
from inspector.export.sweep_tables import words_of
from inspector.report import Device, RunSpec
from inspector.sweep import SETTINGS, Place, Sweep
from inspector.sweeping import runner
from inspector.ui.documents.document import Document, Work
from inspector.ui.kit.failure import Failure
from inspector.ui.kit.parts import GAP, PADDING, Card, Elided, label, row, unit
from inspector.ui.kit.theme import Theme
from inspector.ui.performance.progress import ProgressLine
from inspector.ui.sweep.cell_table import CellTable
from inspector.ui.sweep.heat_card import CellCard, HeatCard
from inspector.ui.sweep.plan_card import PlanCard
from inspector.ui.sweep.plot_cards import ChoiceCard, LinesCard, ThroughputCard
from inspector.ui.sweep.tuning_card import TuningCard


class SweepView(QScrollArea):
    """Follows the sweeping of a document; owns only which cell is chosen."""

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__()
        self._theme, self._document = theme, document
        self.place: Place | None = None
        self.plan = PlanCard(theme, document)
        self.failure = Failure(theme)
        self.progress = SweepProgress(theme)
        self.tuning = TuningCard(theme)
        self.best = BestCard(theme)
        self.heat = HeatCard(theme)
        self.cell = CellCard(theme)
        self.lines = LinesCard(theme)
        self.throughput = ThroughputCard(theme)
        self.choice = ChoiceCard(theme)
        self.table: CellTable | None = None
        self.empty = Empty()
        self._soon = QTimer(self)  # drawing more often would disturb what is measured
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(self._show_sweep)
        self._lay_out()
        self._wire()
        self._show_sweep()
        self._show_tuning()

    def set_devices(self, devices: tuple[Device, ...]) -> None:
        """Offer the devices of this machine."""
        self.plan.set_devices(devices)

    def _lay_out(self) -> None:
        page = QWidget()
        self._page = QVBoxLayout(page)
        self._page.setContentsMargins(PADDING, GAP, PADDING, PADDING)
        self._page.setSpacing(GAP)
        for widget in (
            self.plan, self.failure, self.progress, self.tuning, self.best, self.heat,
            self.cell, self.lines, self.throughput, self.choice, self.empty,
        ):  # fmt: skip
            self._page.addWidget(widget)
        self._page.addStretch(1)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(page)

    def _wire(self) -> None:
        document, sweeping = self._document, self._document.sweeping
        sweeping.changed.connect(self._later)
        sweeping.tuned.connect(self._show_tuning)
        document.work_changed.connect(self._follow_work)
        document.digest_changed.connect(sweeping.find_earlier)
        document.failed.connect(self._show_failure)
        self.failure.again.hide()
        self.heat.chosen.connect(self.choose)
        self.cell.take.clicked.connect(self._take_cell)
        self.tuning.take.clicked.connect(self._take_best)

    def _later(self) -> None:
        """Show the sweep as it is, soon while it runs, else at once."""
        if self._document.work is not Work.SWEEPING:
            self._show_sweep()
        elif not self._soon.isActive():
            self._soon.start()

    def choose(self, place: Place | None) -> None:
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
            self.tuning.show_tuning(tuning, running and self._document.sweeping.tuning_now)

    def _show_sweep(self) -> None:
        sweep = self._document.sweeping.sweep
        running = self._document.work is Work.SWEEPING
        tuning_now = self._document.sweeping.tuning_now
        self.progress.setVisible(running and not tuning_now)
        known = sweep is not None and any(cell.rounds or cell.why for cell in sweep.cells)
        for widget in (self.best, self.heat, self.lines, self.cell, self.throughput):
            widget.setVisible(known)
        self.choice.setVisible(False)
        self.empty.setVisible(
            not known and not running and self._document.sweeping.tuning is None
        )
        if sweep is None:
            return
        self.progress.show_sweep(sweep)
        if self.place not in sweep.by_place:
            self.place = None
        if known:
            self._show_cells(sweep)

    def _show_cells(self, sweep: Sweep) -> None:
        best = sweeps.best(sweep)
        shown = sweep.by_place.get(self.place or (), best) if self.place else best
        self.best.show_sweep(sweep)
        self.best.setVisible(best is not None)
        self.heat.setVisible(bool(sweep.axes))
        if sweep.axes:
            self.heat.show_sweep(sweep, self.place)
            across, down = self.heat.shown
            self.lines.show_rows(sweep, self.heat.view.cells, (across, down))
        self.lines.setVisible(bool(sweep.axes))
        self.cell.setVisible(shown is not None)
        if shown is not None:
            self.cell.show_cell(sweep, shown)
        points = sweeps.throughput(shown) if shown is not None else ()
        self.throughput.setVisible(bool(points))
        if points and shown is not None:
            self.throughput.show_points(points, words_of(sweep, shown))
        candidates = sweeps.candidates(sweep)
        self.choice.setVisible(len(sweep.models) > 1 and bool(candidates))
        if candidates:
            self.choice.show_candidates(candidates)
        self._show_table(sweep)

    def _show_table(self, sweep: Sweep) -> None:
        if self.table is not None and self.table.model.sweep.axes == sweep.axes:
            if self.table.model.sweep is not sweep:
                self.table.model.show_sweep(sweep)
        else:
            if self.table is not None:
                self._page.removeWidget(self.table)
                self.table.deleteLater()
            self.table = CellTable(self._theme, sweep)
            self.table.chose = self.choose  # type: ignore[method-assign]
            self._page.insertWidget(self._page.indexOf(self.choice), self.table)
        if self.table.place != self.place:
            self.table.show_place(self.place)

    def _take_cell(self) -> None:
        sweep = self._document.sweeping.sweep
        assert sweep is not None, "its card is shown"
        cell = sweep.by_place.get(self.place or ()) if self.place else sweeps.best(sweep)
        if cell is not None:
            self._take(sweep.spec_of(cell))

    def _take_best(self) -> None:
        tuning = self._document.sweeping.tuning
        if tuning is not None:
            self._take(chosen(tuning))

    def _take(self, spec: RunSpec) -> None:
        """The next measurement runs with these settings of the session."""
        changes: dict[str, Any] = {name: getattr(spec, name) for name in SETTINGS}
        self._document.set_spec(**changes, devices=spec.devices, dimensions=spec.dimensions)


_SOON_MS = 300
_EMPTY = (
    "“Run sweep” measures every combination of the values chosen above, each in processes of "
    "its own. “Find best settings” tries one setting after the other for a minute."
)


class Empty(QWidget):
    """What stands here before the first sweep: what it would tell, and what to do."""

    def __init__(self) -> None:
        super().__init__()
        words = label(_EMPTY, "secondary")
        words.setWordWrap(True)
        words.setFixedWidth(380)
        title = label("Nothing is swept yet", "title")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 60, 0, 0)
        column.setSpacing(14)
        for each in (title, words):
            each.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addLayout(row(None, each, None))


class SweepProgress(Card):
    """How far a sweep is, as long as it runs."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.words = Elided("", "secondary")
        self.bar = ProgressLine(theme)
        self.body.addLayout(row(label("Sweeping", "heading"), 4, self.words, stretch=2))
        self.body.addWidget(self.bar)

    def show_sweep(self, sweep: Sweep) -> None:
        """Count what is done."""
        done, left = sum(len(cell.rounds) for cell in sweep.cells), runner.left(sweep)
        self.bar.show_share(done / (done + left) if left else 1.0)
        last = "" if sweep.order() else ", the best of them once more"
        whole = units.plural(done + left, "measurement")
        self.words.set_text(f"{done:,} of {whole} done{last}")
        self.setAccessibleName(f"Sweeping: {done} of {done + left}")


class BestCard(Card):
    """The best cell in a sentence, how sure that is, and what it gains."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.time = label("", "metric")
        self.unit = unit()
        self.words = label("", "heading")
        self.more = label("", "secondary", selectable=True)
        self.more.setWordWrap(True)
        self.words.setWordWrap(True)
        beside = QVBoxLayout()
        beside.setSpacing(2)
        beside.addWidget(self.words)
        beside.addWidget(self.more)
        found = QWidget()
        found.setLayout(row(self.time, self.unit, spacing=5))
        found.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        line = row(found, 14)
        line.addLayout(beside, 1)
        self.body.addLayout(line)

    def show_sweep(self, sweep: Sweep) -> None:
        """Show the best of what is measured."""
        best = sweeps.best(sweep)
        found = sweeps.numbers(best) if best is not None else None
        if best is None or found is None:
            return
        number, after = units.duration_parts(found.p50_ns)
        self.time.setText(number)
        self.unit.setText(after)
        words = f"Best: {words_of(sweep, best)}"
        self.words.setText(words)
        told = []
        between = sweeps.median_interval(best)
        if between is not None:
            low, high = map(units.duration, between)
            told.append(
                f"{low} to {high} at 95 %, over {units.plural(len(best.rounds), 'start')}."
            )
        gained = sweeps.gain_over_default(sweep, best)
        if gained is not None:
            told.append(f"{100 * gained.faster:.0f} % less time than with the runtime's own.")
            if gained.low is not None and gained.high is not None:
                least, most = 100 * (1 - gained.high), 100 * (1 - gained.low)
                told.append(f"({least:.0f} to {most:.0f} % at 95 %).")
            else:
                told.append("Four processes a cell or more tell how sure that is.")
        self.more.setText(" ".join(told))
        self.setAccessibleName(f"{words}, {units.duration(found.p50_ns)}")
