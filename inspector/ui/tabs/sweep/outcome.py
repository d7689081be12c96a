"""Cards around the plots of a sweep: the empty page, the progress, the best settings."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from inspector.analysis.measured import sweep_results
from inspector.analysis.measured.sweep_labels import settings_label
from inspector.analysis.measured.tuning_results import chosen, leader_text, sentences
from inspector.app import runner
from inspector.render import code_languages
from inspector.report.sweep import Sweep
from inspector.report.tuning import Tuning
from inspector.ui import units
from inspector.ui.translate import interval, mark, plural, tr, tr_message
from inspector.ui.widgets.parts import (
    Card,
    Segmented,
    add_to,
    button,
    column_of,
    label,
    row,
    unit,
)
from inspector.ui.widgets.progress import ProgressLine
from inspector.ui.widgets.theme import Theme, font

_LINE = 17
_EMPTY = mark(
    "“Run sweep” measures every combination of the values selected above, each in new "
    "processes. “Find best settings” searches for the best settings, also on several devices."
)


class TuningCard(Card):
    """A search under way, or its result with a button that copies the code."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._tuning: Tuning | None = None
        self.title = label(tr("Best settings"), "heading")
        self.progress = ProgressLine(theme, tr("Best settings"), may_cancel=False)
        self.words = label("", "", selectable=True)
        self.more = label("", "secondary", selectable=True)
        for text in (self.words, self.more):
            text.setWordWrap(True)
        self._known = code_languages.languages()
        self.languages = Segmented(theme, tuple(self._known), 72)
        self.languages.setAccessibleName(tr("Programming language"))
        self.copy = button(theme, tr("Copy"), "copy", then=self._copy)
        self.take = button(theme, tr("Use these settings"))
        self.code = QPlainTextEdit()
        self.code.setReadOnly(True)
        self.code.setFont(font(11, mono=True))
        self.code.setStyleSheet('font-family: "JetBrains Mono"; font-size: 11px;')
        self.code.setAccessibleName(tr("Settings as code"))
        self.code.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.code.setTabChangesFocus(True)
        self.body.addLayout(row(self.title, None, self.take))
        add_to(self.body, self.progress, self.words, self.more)
        self._tools = QWidget()
        self._tools.setLayout(row(self.languages, None, self.copy))
        add_to(self.body, self._tools, self.code)
        self.languages.chosen.connect(lambda _: self._write())

    def show_tuning(self, tuning: Tuning, running: bool) -> None:
        """Show how far a search is, or what it found."""
        self._tuning = tuning
        self.progress.setVisible(running)
        step = tr("Current step: {step}").format(step=tuning.step)
        self.progress.show_share(tuning.done, units.clip(step), tuning.seconds_left)
        ended = not running
        beaten = ended and chosen(tuning) != tuning.default
        for widget in (self._tools, self.code, self.take):
            widget.setVisible(beaten)
        self.more.setVisible(ended)
        if ended:
            first, *rest = sentences(tuning)
            if not tuning.complete and not tuning.ended:
                rest.append(tr("The search was canceled."))
            self.words.setText(first)
            self.more.setText(" ".join((*rest, _tried(tuning))))
            self._write()
        else:
            best = tr("Best so far: {leader_text}").format(leader_text=leader_text(tuning))
            self.words.setText(best)
        self.setAccessibleName(tr("Best settings. {text}").format(text=self.words.text()))

    def _write(self) -> None:
        if self._tuning is None:
            return
        language = [*self._known.values()][self.languages.current]
        text = language.session_code(chosen(self._tuning), self._tuning.model.name)
        self.code.setPlainText(text.rstrip())
        self.code.setFixedHeight(_LINE * min(16, text.count("\n")) + 18)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.code.toPlainText() + "\n")


def _tried(tuning: Tuning) -> str:
    failed = sum(bool(trial.why) for trial in tuning.trials)
    text = tr("{combination_count} tried").format(
        combination_count=plural(len(tuning.trials), "combination")
    )
    return (
        tr("{text}, {failed} of them failed.").format(text=text, failed=failed)
        if failed
        else f"{text}."
    )


class EmptySweep(QWidget):
    """The page before the first sweep: its purpose, and how to start it."""

    def __init__(self) -> None:
        super().__init__()
        text_label = label(tr(_EMPTY), "secondary", wraps=True)
        text_label.setFixedWidth(380)
        title = label(tr("No sweep yet"), "title")
        column = column_of(on=self, spacing=14, margins=(0, 60, 0, 0))
        for each in (title, text_label):
            each.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addLayout(row(None, each, None))


class SweepProgress(Card):
    """The progress of a sweep, or the point at which it ended early."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.title = label(tr("Running sweep"), "heading")
        self.line = ProgressLine(theme, tr("Running sweep"), may_cancel=False)
        add_to(self.body, self.title, self.line)

    def show_sweep(self, sweep: Sweep, seconds: float | None = None) -> None:
        """Count what is done. seconds: that the rest will take, None where nobody knows yet."""
        done, left = runner.done(sweep), runner.left(sweep)
        last = "" if sweep.order() else tr(", measuring the fastest again")
        text = tr("{done:,} of {whole} done{last}").format(
            done=done, whole=plural(done + left, "measurement"), last=last
        )
        self.title.setText(tr("Running sweep"))
        self._show(done / (done + left) if left else 1.0, text, seconds, runs=True)

    def show_early_end(self, sweep: Sweep) -> None:
        """Show how far a sweep came that does not run any more."""
        done, left = runner.done(sweep), runner.left(sweep)
        self.title.setText(tr("Sweep stopped early"))
        self._show(done / (done + left), sweep_results.early_end(sweep), None, runs=False)

    def _show(self, share: float, text: str, seconds: float | None, runs: bool) -> None:
        self.line.show_share(share, text, seconds if runs else 0.0)
        self.line.left.setVisible(runs)
        self.setAccessibleName(f"{self.title.text()}: {self.line.accessibleDescription()}")


class BestCard(Card):
    """The best cell in a sentence, how sure that is, and what it gains."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.time = label("", "metric")
        self.unit = unit()
        self.words = label("", "heading", wraps=True)
        self.more = label("", "secondary", selectable=True, wraps=True)
        other = column_of(self.words, self.more, spacing=2)
        result = QWidget()
        result.setLayout(row(self.time, self.unit, spacing=5))
        result.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.body.addLayout(row(result, 14, (other, 1)))

    def show_sweep(self, sweep: Sweep) -> None:
        """Show the best of what is measured."""
        best = sweep_results.best(sweep)
        result = sweep_results.numbers(best) if best is not None else None
        if best is None or result is None:
            return
        number, after = units.duration_parts(result.p50_ns)
        self.time.setText(number)
        self.unit.setText(after)
        text = tr("Fastest: {settings_label}").format(
            settings_label=settings_label(sweep, best)
        )
        self.words.setText(text)
        median = f"{tr('Median')} {tr(sweep_results.latency_kind(best))}".rstrip()
        items = []
        between = sweep_results.median_interval(best)
        if between is not None:
            items.append(
                tr("{median}; 95% CI {durations}, {count} {value}.").format(
                    median=median,
                    durations=interval(units.durations(*between)),
                    count=len(best.rounds),
                    value=tr("process") if len(best.rounds) == 1 else tr("processes"),
                )
            )
        gained = sweep_results.gain_over_default(sweep, best)
        if gained is not None:
            items.append(units.capitalized(tr_message(sweep_results.gain_text(gained))))
        self.more.setText(" ".join(items))
        self.setAccessibleName(f"{text}, {units.duration(result.p50_ns)}")
