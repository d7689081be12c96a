"""All statistics of what was timed, opened from the latency card."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent

from inspector.analysis.measured.latency import TAILS_OF, Latency, latency
from inspector.analysis.measured.sample_statistics import sentences
from inspector.pages.report.timing import runs
from inspector.report.report import PerformanceReport
from inspector.statistics.intervals import MIN_P99_SAMPLES
from inspector.ui import commands, units
from inspector.ui.tabs.performance.metric_cards import ONE_PROCESS
from inspector.ui.translate import tr
from inspector.ui.widgets.page_view import SectionBody
from inspector.ui.widgets.parts import PADDING, Card, Elided, button, row, tip, tool
from inspector.ui.widgets.theme import Theme

_PROCESSES = 5  # enough for an interval between processes, few enough to wait for


class StatisticsCard(Card):
    """Hidden at first; the numbers are worked out when it is first shown."""

    closed = Signal()
    processes_asked = Signal(int)  # how many to measure in

    def __init__(
        self, theme: Theme, report: PerformanceReport, measurable: bool = False
    ) -> None:
        super().__init__(theme)
        one = measurable and len(report.start_lengths) < 2
        self.several = button(
            theme, tr("Measure in {count} processes").format(count=_PROCESSES)
        )
        self.several.setProperty("role", "link")
        self.several.setToolTip(tip(tr(ONE_PROCESS)))
        self.several.clicked.connect(lambda: self.processes_asked.emit(_PROCESSES))
        self.history = button(theme, tr("History…"))
        self.history.setProperty("role", "link")
        self.history.setToolTip(tip(tr("List past reports on this model and their trend")))
        self.history.clicked.connect(commands.running(self, "history"))
        self.body.setContentsMargins(PADDING, 8, PADDING, 8)
        result = latency(report)
        parts = [*summary(result), *sentences(report)] if result else []
        text = " · ".join(part.rstrip(".") for part in parts)
        self.line = Elided(text, "secondary", Qt.TextElideMode.ElideRight)
        self.close_button = tool(theme, "close", tr("Hide statistics"))
        self.close_button.clicked.connect(self.closed)
        self._theme, self._report = theme, report
        self.numbers: SectionBody | None = None
        self.body.addLayout(
            row(self.line, self.several, 8, self.history, self.close_button, stretch=0)
        )
        self.several.setVisible(one)
        self.hide()

    def showEvent(self, event: QShowEvent) -> None:
        """Work the numbers out."""
        if self.numbers is None:
            self.numbers = SectionBody(self._theme, runs(self._report))
            self.body.addWidget(self.numbers)
            self.numbers.show()
        super().showEvent(event)


def summary(both: Latency) -> tuple[str, ...]:
    """The few numbers that the cards do not have."""
    runs = both.all_predictions
    name, late = runs.percentile_texts[-1]
    maximum = tr("max {duration} {tails_of}").format(
        duration=units.duration(runs.max_ns), tails_of=tr(TAILS_OF)
    )
    tails = maximum if runs.n < MIN_P99_SAMPLES else f"{name} {late} · {maximum}"
    rate = tr("{rate} inferences/s (1 / mean latency)").format(rate=units.rate(runs.per_second))
    return (tails, rate)
