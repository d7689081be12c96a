"""What stands around the plots of a sweep: nothing yet, how far it is, and the best."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from inspector import units
from inspector.analysis.measured import sweep_results
from inspector.export.tables.sweep_tables import words_of
from inspector.report.sweep import Sweep
from inspector.sweep import runner
from inspector.ui.tabs.performance.progress import ProgressLine
from inspector.ui.widgets.parts import Card, Elided, label, row, unit
from inspector.ui.widgets.theme import Theme

_EMPTY = (
    "“Run sweep” measures every combination of the values selected above, each in new "
    "processes. “Find best settings” searches for the fastest settings for one minute."
)


class EmptySweep(QWidget):
    """What stands here before the first sweep: what it would tell, and what to do."""

    def __init__(self) -> None:
        super().__init__()
        words = label(_EMPTY, "secondary")
        words.setWordWrap(True)
        words.setFixedWidth(380)
        title = label("No sweep yet", "title")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 60, 0, 0)
        column.setSpacing(14)
        for each in (title, words):
            each.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addLayout(row(None, each, None))


class SweepProgress(Card):
    """How far a sweep is while it runs, and how far it came if it ended early."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.title = label("Sweeping", "heading")
        self.words = Elided("", "secondary")
        self.bar = ProgressLine(theme)
        self.body.addLayout(row(self.title, 4, self.words, stretch=2))
        self.body.addWidget(self.bar)

    def show_sweep(self, sweep: Sweep, seconds: float | None = None) -> None:
        """Count what is done. seconds: that the rest will take, None where nobody knows yet."""
        done, left = runner.done(sweep), runner.left(sweep)
        self.bar.show_share(done / (done + left) if left else 1.0)
        last = "" if sweep.order() else ", measuring the fastest again"
        whole = units.plural(done + left, "measurement")
        time = "" if seconds is None else f" · {units.time_left(seconds)}"
        self.title.setText("Sweeping")
        self.words.set_text(f"{done:,} of {whole} done{last}{time}")
        self.setAccessibleName(f"Sweeping: {done} of {done + left}{time}")

    def show_early_end(self, sweep: Sweep) -> None:
        """Say how far a sweep came that does not run any more."""
        done, left = runner.done(sweep), runner.left(sweep)
        self.bar.show_share(done / (done + left))
        self.title.setText("Sweep stopped early")
        self.words.set_text(sweep_results.early_end(sweep))
        self.setAccessibleName(f"{self.title.text()}. {sweep_results.early_end(sweep)}")


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
        best = sweep_results.best(sweep)
        found = sweep_results.numbers(best) if best is not None else None
        if best is None or found is None:
            return
        number, after = units.duration_parts(found.p50_ns)
        self.time.setText(number)
        self.unit.setText(after)
        words = f"Fastest: {words_of(sweep, best)}"
        self.words.setText(words)
        told = []
        between = sweep_results.median_interval(best)
        if between is not None:
            told.append(
                f"Median; 95 % CI {units.durations(*between)}, "
                f"{len(best.rounds)} {'process' if len(best.rounds) == 1 else 'processes'}."
            )
        gained = sweep_results.gain_over_default(sweep, best)
        if gained is not None:
            told.append(_capital(sweep_results.gain_text(gained)))
        self.more.setText(" ".join(told))
        self.setAccessibleName(f"{words}, {units.duration(found.p50_ns)}")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
