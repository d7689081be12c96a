"""How sure the latency is and what it means: one line, or all numbers."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from inspector import units
from inspector.analysis.course import course, frames
from inspector.analysis.course import sentences as course_sentences
from inspector.analysis.statistics import Statistics, of_predictions, sentences, table
from inspector.equal_pace import share_words
from inspector.report import PerformanceReport
from inspector.ui.kit.parts import PADDING, Card, Elided, button, label, row
from inspector.ui.kit.theme import Theme
from inspector.ui.performance.course_view import CourseView

CLOSED = "All numbers"
_SIDE_BY_SIDE = 2  # more intervals need two lines each in a narrow window
_SHORTER = {
    "Predictions": "Number",
    "Median, 95 % interval": "Median at 95 %",
    "First prediction": "First",
}


class StatisticsLine(Card):
    """The interval, the tail and the rate of the predictions; opens to all their numbers."""

    def __init__(self, theme: Theme, report: PerformanceReport) -> None:
        super().__init__(theme)
        self.body.setContentsMargins(PADDING, 8, PADDING, 8)
        found = of_predictions(report)
        told = sentences(report)
        first, *rest = summary(found) if found else ("",)
        parts = [first, *share(report), *rest, *told] if found else []
        words = " · ".join(part.rstrip(".") for part in parts)
        self.line = Elided(words, "secondary", Qt.TextElideMode.ElideRight)
        self.more = button(theme, CLOSED)
        self.more.setProperty("role", "link")
        self.more.setCheckable(True)
        self._theme, self._report = theme, report
        self.numbers: AllNumbers | None = None  # made when it is first opened
        self.body.addLayout(row(self.line, self.more, stretch=0))
        if found is None:
            self.hide()
        self.more.toggled.connect(self._open)

    def _open(self, opened: bool) -> None:
        if self.numbers is None:
            self.numbers = AllNumbers(self._theme, self._report)
            self.body.addWidget(self.numbers)
        self.numbers.setVisible(opened)
        words = "Fewer numbers" if opened else CLOSED
        self.more.setText(words)
        self.more.setAccessibleName(words)


def summary(found: Statistics) -> tuple[str, ...]:
    """The few numbers that the cards do not have."""
    low, high = found.median_low_ns, found.median_high_ns
    rest = (
        f"p99 {units.duration(found.p99_ns)}",
        f"{units.rate(found.per_second)} a second",
    )
    if low is None or high is None:
        return rest
    return (f"Median {units.durations(low, high)} at 95 %", *rest)


def share(report: PerformanceReport) -> tuple[str, ...]:
    """How many predictions ran at full pace, where not all did."""
    at_full = report.paced.at_full
    if at_full is None or at_full == len(report.prediction_ns):
        return ()
    return (f"{share_words(report)} at full pace",)


class AllNumbers(QWidget):
    """The course of the predictions, statistics of all that was timed, frames, sentences."""

    def __init__(self, theme: Theme, report: PerformanceReport) -> None:
        super().__init__()
        found = course(report)
        self.course = CourseView(theme, found)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 4)
        column.setSpacing(10)
        column.addWidget(self.course)
        column.addLayout(_grid(quantities(report)))
        told = ", ".join(f"{rate} a second in {share}" for rate, share in frames(report))
        rest = sentences(report)[1:]  # the first one says the same of one rate
        for sentence in (f"Fits frames: {told}.", *rest, *course_sentences(found)):
            line = label(sentence, "secondary", selectable=True)
            line.setWordWrap(True)
            column.addWidget(line)


def quantities(report: PerformanceReport) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """What was timed, with all its samples."""
    found = (
        ("Prediction", report.paced.samples_ns),
        ("Processor time", report.paced.cpu_ns),
        ("Compilation", report.compilations_ns),
        ("Load", report.loads_ns or (report.load_ns,)),
        ("First prediction", report.first_predictions_ns or (report.first_prediction_ns,)),
    )
    return tuple((name, samples) for name, samples in found if samples)


def _grid(found: tuple[tuple[str, tuple[int, ...]], ...]) -> QGridLayout:
    """A column for each quantity, a row for each statistic."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(10)
    grid.setVerticalSpacing(3)
    grid.setColumnStretch(0, 1)
    right = Qt.AlignmentFlag.AlignRight
    columns = [dict(table(samples)) for _, samples in found]
    rows = tuple(dict.fromkeys(name for column in columns for name in column))
    crowded = sum(column.get("Predictions") != "1" for column in columns) > _SIDE_BY_SIDE
    for line, name in enumerate(rows, 1):
        grid.addWidget(label(_SHORTER.get(name, name), "caption"), line, 0)
    for place, ((title, _), column) in enumerate(zip(found, columns, strict=True), 1):
        grid.setColumnStretch(place, 1)
        head = Elided(_SHORTER.get(title, title), "caption", Qt.TextElideMode.ElideRight)
        head.setAlignment(right)
        grid.addWidget(head, 0, place)
        single = column.get("Predictions") == "1"
        for line, name in enumerate(rows, 1):
            rate = name == "A second" and title != "Prediction"
            told = not single or name in ("Predictions", "Median")
            if name in column and told and not rate:
                made = label(column[name], selectable=True)
                if crowded:
                    made.setText(column[name].replace(" to ", "\nto "))
                grid.addWidget(made, line, place, right)
    return grid
