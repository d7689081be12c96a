"""All statistics of what was timed, opened from the latency card."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from inspector import units
from inspector.analysis.measured.latency import (
    COUNT,
    HEADS,
    RATE,
    TAILS_OF,
    Latency,
    latency,
    texts,
)
from inspector.analysis.measured.sample_statistics import (
    Statistics,
    course,
    frames,
    sentences,
    statistics,
)
from inspector.analysis.measured.sample_statistics import change_sentences as course_sentences
from inspector.report.report import PerformanceReport
from inspector.statistics.intervals import MIN_P99_SAMPLES
from inspector.ui.tabs.performance.metric_cards import ONE_PROCESS
from inspector.ui.tabs.performance.run_chart import RunChart
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.parts import PADDING, Card, Elided, button, label, row, tip, tool
from inspector.ui.widgets.theme import Theme

_PROCESSES = 5  # enough for an interval between processes, few enough to wait for
_SIDE_BY_SIDE = 2  # more intervals need two lines each in a narrow window
_ROWS = {COUNT: mark("Count")}  # some columns are of loads


class StatisticsCard(Card):
    """Hidden at first; the numbers are worked out when it is first shown."""

    closed = Signal()
    processes_asked = Signal(int)  # how many to measure in
    history_asked = Signal()  # past reports on the model

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
        self.history.clicked.connect(self.history_asked)
        self.body.setContentsMargins(PADDING, 8, PADDING, 8)
        result = latency(report)
        parts = [*summary(result), *sentences(report)] if result else []
        text = " · ".join(part.rstrip(".") for part in parts)
        self.line = Elided(text, "secondary", Qt.TextElideMode.ElideRight)
        self.close_button = tool(theme, "close", tr("Hide statistics"))
        self.close_button.clicked.connect(self.closed)
        self._theme, self._report = theme, report
        self.numbers: AllStatistics | None = None
        self.body.addLayout(
            row(self.line, self.several, 8, self.history, self.close_button, stretch=0)
        )
        self.several.setVisible(one)
        self.hide()

    def showEvent(self, event: QShowEvent) -> None:
        """Work the numbers out."""
        if self.numbers is None:
            self.numbers = AllStatistics(self._theme, self._report)
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


class AllStatistics(QWidget):
    """The course of the predictions, statistics of all that was timed, frames, sentences."""

    def __init__(self, theme: Theme, report: PerformanceReport) -> None:
        super().__init__()
        result = course(report)
        self.course = RunChart(theme, result)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 4)
        column.setSpacing(10)
        column.addWidget(self.course)
        column.addLayout(_grid(quantities(report)))
        rates = ", ".join(
            tr("{share} at {rate} fps").format(share=share, rate=rate)
            for rate, share in frames(report)
        )
        rest = sentences(report)[1:]  # the first one says the same of one rate
        for sentence in (
            tr("Runs that fit into one video frame: {rates}.").format(rates=rates),
            *rest,
            *course_sentences(result),
        ):
            line = label(sentence, "secondary", selectable=True)
            line.setWordWrap(True)
            column.addWidget(line)


def quantities(report: PerformanceReport) -> tuple[tuple[str, Statistics], ...]:
    """Return what was timed, with its numbers: both kinds of latency, then all else."""
    both = latency(report)
    full = both.at_full_cpu_speed if both else None
    named = (
        (HEADS[0], full),
        (HEADS[1], both.all_predictions if both else None),
        (tr("CPU time, all threads"), statistics(report.counted_cpu_ns)),
        (tr("Compilation"), statistics(report.compilations_ns)),
        (tr("Load"), statistics(report.loads_ns or (report.load_ns,))),
        (
            tr("First run"),
            statistics(report.first_predictions_ns or (report.first_prediction_ns,)),
        ),
    )
    return tuple((name, numbers) for name, numbers in named if numbers is not None)


def _grid(quantities: tuple[tuple[str, Statistics], ...]) -> QGridLayout:
    """A column for each quantity, a row for each statistic."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(10)
    grid.setVerticalSpacing(3)
    grid.setColumnStretch(0, 1)
    right = Qt.AlignmentFlag.AlignRight
    columns = [dict(texts(numbers)) for _, numbers in quantities]
    rows = tuple(dict.fromkeys(name for column in columns for name in column))
    crowded = sum(numbers.n != 1 for _, numbers in quantities) > _SIDE_BY_SIDE
    for line, name in enumerate(rows, 1):
        grid.addWidget(label(tr(_ROWS.get(name, name)), "caption"), line, 0)
    for place, ((title, numbers), column) in enumerate(
        zip(quantities, columns, strict=True), 1
    ):
        grid.setColumnStretch(place, 1)
        head = Elided(title, "caption", Qt.TextElideMode.ElideRight)
        head.setAlignment(right)
        grid.addWidget(head, 0, place)
        for line, name in enumerate(rows, 1):
            rate = name == RATE and title not in HEADS
            single = numbers.n == 1 and name not in (COUNT, "Median")
            if name in column and not rate and not single:
                made = label(column[name], selectable=True)
                if crowded:
                    made.setText(column[name].replace(" to ", "\nto "))
                grid.addWidget(made, line, place, right)
    return grid
