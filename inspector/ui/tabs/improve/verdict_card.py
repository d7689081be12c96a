"""The verdict: may the changed model be used, and how much better is it?"""

from pathlib import Path

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from inspector.conversion.registry import ACTIONS, is_edit
from inspector.model.model import TFLITE
from inspector.pages.improvement import evidence, foretold_sentence, nearest
from inspector.report.improvement import (
    OVER,
    UNDECIDED,
    WITHIN,
    Candidate,
    Improvement,
    headline,
    notable,
    notable_text,
    passed_over_text,
    untried_text,
    verdict_clause,
)
from inspector.ui import commands, units
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.improving import RANK, RUN, SEARCH, Improving, stage_text
from inspector.ui.tabs.improve.other_results import may_replace_results, other_results
from inspector.ui.translate import plural, tr, with_ellipsis, written
from inspector.ui.widgets.notice import show_in_folder
from inspector.ui.widgets.parts import Card, add_to, button, column_of, label, row, tip
from inspector.ui.widgets.progress import ProgressLine
from inspector.ui.widgets.theme import Theme, qt_color

ELSEWHERE = "elsewhere"  # within the limit, but other devices run fewer layers
_SIGNS = {  # icon and color
    WITHIN: ("certain", "good"),
    OVER: ("warning", "bad"),
    UNDECIDED: ("info", "accent"),
    ELSEWHERE: ("certain", "caution"),
    "": ("info", "tertiary"),
}
_BUTTONS_PX = 168
_ORIGINAL_SHARE = 0.05  # of the bar of a search, for the test of the original
_MOST_NAME = 60


class VerdictCard(Card):
    """One sentence, its evidence, and what to do next; progress while something runs."""

    diff_asked = Signal()

    def __init__(self, theme: Theme, improving: Improving) -> None:
        super().__init__(theme)
        self._improving = improving
        self._sign_shown = ""
        self._saved: Path | None = None
        self.sign = QLabel()
        self.sentence, self.evidence = label("", "metric", True), label("", "secondary", True)
        self.caution, self._caution_sign = label("", "caution", True, wraps=True), QLabel()
        self.also = label("", "secondary", True, wraps=True)
        for words in (self.sentence, self.evidence):
            words.setWordWrap(True)
        self.also_link = button(theme, tr("Use this recipe"), then=self._use_notable)
        self.run_button = button(theme, tr("Run recipe"), "play", primary=True)
        self.save_button = button(theme, tr("Save model as…"), "save", primary=True)
        self.cancel_button = button(theme, tr("Cancel"), "stop", then=improving.cancel)
        self.diff_button = button(theme, tr("Compare models"), "compare", then=self.diff_asked)
        self.again_button = button(theme, tr("Run again"), "play")
        self.levels = label("", "caption")
        self.saved = label("", "secondary")
        self.open_link = button(theme, tr("Open"))
        self.folder_link = button(theme, tr("Show in folder"))
        for link in (self.also_link, self.open_link, self.folder_link):
            link.setProperty("role", "link")
        self._saved_row, self._running = QWidget(), QWidget()
        self.progress = ProgressLine(theme, tr("Progress"), may_cancel=False)
        self._lay_out()
        for happened in (improving.changed, improving.proved, theme.changed):
            happened.connect(self.refresh)
        improving.worked.connect(self._follow_work)
        improving.progressed.connect(self._show_progress)
        improving.saved.connect(self._show_saved)
        for run in (self.run_button, self.again_button):
            run.clicked.connect(self._run)
        self.save_button.clicked.connect(self._ask_where)
        self.open_link.clicked.connect(lambda: commands.run(self, "open", self._saved))
        self.folder_link.clicked.connect(lambda: self._saved and show_in_folder(self._saved))
        self.refresh()

    def _lay_out(self) -> None:
        words = QWidget()  # a layout alone is as narrow as its rows where some are hidden
        lines, buttons = column_of(on=words, spacing=6), column_of(spacing=8)
        top = Qt.AlignmentFlag.AlignTop
        warned = row((self._caution_sign, 0, top), (self.caution, 1), spacing=6)
        also = row((self.also, 1), self.also_link)
        running = column_of(on=self._running, margins=(0, 4, 0, 0))
        row(self.saved, self.open_link, self.folder_link, None, on=self._saved_row, spacing=12)
        # Not in the column of buttons, where saving takes its place when work ends.
        running.addLayout(row(self.progress, self.cancel_button, spacing=12, stretch=0))
        lines.addWidget(self.sentence)
        add_to(lines, self.evidence, warned, also, self._running, self._saved_row, None)
        for each in (
            self.save_button, self.run_button, self.diff_button, self.again_button,
        ):  # fmt: skip
            each.setFixedWidth(_BUTTONS_PX)
            buttons.addWidget(each)
        self.levels.setAlignment(Qt.AlignmentFlag.AlignRight)
        add_to(buttons, self.levels, None)
        self.sign.setContentsMargins(0, 8, 0, 0)
        self.body.addLayout(row((self.sign, 0, top), (words, 1), buttons, spacing=12))

    def refresh(self) -> None:
        """Show the state of the recipe."""
        improving = self._improving
        candidate, work = improving.candidate, improving.work
        usable, idle = candidate is not None and not candidate.problem, not work
        runs = usable and candidate is not None and candidate.runs_everywhere
        made = candidate is not None and bool(
            improving.saved_file(candidate) or improving.converted(candidate)
        )
        self._say(improving, candidate)
        self._say_notable(improving, candidate)
        steps = len(improving.steps)
        effects = map(improving.effect, range(steps))
        refused = any(effect is not None and effect.refused for effect in effects)
        for part, shown, enabled in (
            (
                self.run_button,
                idle and bool(improving.steps) and candidate is None,
                not refused,
            ),
            (self.cancel_button, not idle, True),
            (self.save_button, idle and candidate is not None, runs),
            (self.diff_button, candidate is not None, usable and made),
            (self.again_button, idle and candidate is not None, True),
            (self.levels, usable and not runs, True),
            (self._running, not idle, True),
        ):
            part.setVisible(shown)
            part.setEnabled(enabled)
        cancel = tr("Cancel search") if work == SEARCH else tr("Cancel")
        self.cancel_button.setText(f" {cancel}")
        reason = "" if made else tr("Run the recipe again to compare its layers.")
        self.diff_button.setToolTip(tip(reason))
        if candidate is not None:
            text = tr("runs at {count} of {every} optimization levels")
            if improving.model.format == TFLITE:
                text = tr(
                    "runs in {count} of {every} configurations (with and without XNNPACK)"
                )
            values = {"count": candidate.levels, "every": candidate.of_levels}
            self.levels.setText(text.format(**values))
        self._show_progress()
        name = self._saved.name if self._saved is not None else ""
        of_this = improving.saved_steps in (None, improving.steps)
        self._saved_row.setVisible(bool(name) and of_this and not work)
        self.saved.setText(tr("Saved {name}").format(name=units.clip(name, _MOST_NAME)))
        self.open_link.setVisible(improving.saved_steps is not None)  # results are no model
        self.update()

    def _say_notable(self, improving: Improving, candidate: Candidate | None) -> None:
        """Name another candidate that is worth knowing, beside the best one or without one."""
        now = improving.improvement
        best = now.candidates[now.best] if now is not None and now.best >= 0 else None
        beside = candidate is best if improving.steps else True
        text = notable_text(now) if now is not None and beside and not improving.work else ""
        line = tr("Also notable: {text}.") if best is not None else tr("Notable: {text}.")
        self.also.setText(line.format(text=text))
        for part in (self.also, self.also_link):
            part.setVisible(bool(text))

    def _run(self) -> None:
        if may_replace_results(self._improving, self):
            self._improving.run()

    def _use_notable(self) -> None:
        now = self._improving.improvement
        candidate = notable(now) if now is not None else None
        if candidate is not None:
            self._improving.use_candidate(candidate)

    def _say(self, improving: Improving, candidate: Candidate | None) -> None:
        now = improving.improvement
        again = improving.work == RUN and candidate is not None
        if candidate is not None and now is not None and not again:
            self._judge(now, candidate)
        elif again and candidate is not None and now is not None:
            before = tr("Previous result: {verdict}.")
            text = before.format(verdict=_verdict(now, candidate))
            self._show_text("", tr(improving.work) + "…", text)
        elif improving.work in (RUN, SEARCH, RANK):
            text = tr("The original file is not changed. You can cancel at any time.")
            if improving.work == SEARCH:
                text = tr(
                    "The original file is not changed. You can cancel at any time; finished "
                    "candidates are kept."
                )
            self._show_text("", with_ellipsis(tr(improving.work)), text)
        elif improving.steps:
            self._say_steps(improving)
        elif now is not None and now.candidates:
            count = plural(len(now.candidates), "candidate")
            chosen = tr("{count} tried, none chosen").format(count=count)
            lines = (
                written(untried_text(now)),
                written(nearest(now)),
                other_results(improving),
                tr("Click a point or a table row to see its verdict."),
            )
            self._show_text(
                "", chosen if now.best >= 0 else written(headline(now)),
                "\n".join(filter(None, lines)),
            )  # fmt: skip
        else:
            text = tr(
                "Add an action to the recipe, or search for the best one. The result is "
                "checked, compared with the original and saved as a new file; {name} is not "
                "changed."
            )
            name = units.clip(improving.path.name, _MOST_NAME)
            self._show_text("", tr("Make this model smaller or faster"), text.format(name=name))

    def _say_steps(self, improving: Improving) -> None:
        refused = [
            (ACTIONS[step.action].title, effect)
            for n, step in enumerate(improving.steps)
            if (effect := improving.effect(n)) is not None and effect.refused
        ]
        if refused:
            title, effect = refused[0]
            sentence = tr("“{title}” cannot be applied").format(title=tr(title))
            self._show_text(OVER, sentence, " ".join((_sentence(effect.refused), effect.hint)))
            return
        count = plural(len(improving.steps), "step")
        text = tr(
            "Run the recipe to create the new model, run it with several settings of its "
            "runtime, and compare its outputs, size and latency with the original."
        )
        if all(map(is_edit, improving.steps)):
            text = tr("Run the recipe to create the new model and check that it runs.")
        self._show_text("", tr("{count}, not run yet").format(count=count), text)

    def _judge(self, now: Improvement, candidate: Candidate) -> None:
        if candidate.problem:
            text = tr("There is no model to save. Try other options, or remove a step.")
            self._show_text(
                OVER, tr("This recipe does not produce a working model"),
                f"{_sentence(candidate.problem)} {text}",
            )  # fmt: skip
            return
        is_best = now.best >= 0 and candidate is now.candidates[now.best]
        left = written(untried_text(now)) if is_best else ""
        lines = [*filter(None, (left, other_results(self._improving)))]
        lines += map(written, (*candidate.findings, *evidence(now, candidate)))
        lines += filter(None, (written(foretold_sentence(candidate)),))
        lines += (_sentence(each) for each in candidate.notes)
        lines += map(written, filter(None, (candidate.latency_note, candidate.noise_note)))
        if is_best:
            lines += filter(None, (written(passed_over_text(now)),))
        lines += map(written, now.notes)
        verdict = now.verdict(candidate)
        self._show_text(
            # A green sign would speak for phones, too.
            ELSEWHERE if verdict == WITHIN and candidate.support_caution else verdict,
            _verdict(now, candidate), "\n".join(lines),
            written(candidate.support_caution),
        )  # fmt: skip

    def _show_text(self, sign: str, sentence: str, text: str, caution: str = "") -> None:
        self._sign_shown = sign
        self.caution.setText(caution)
        self._caution_sign.setPixmap(self._theme.pixmap("warning", "caution"))
        for part in (self.caution, self._caution_sign):
            part.setVisible(bool(caution))
        self.sign.setPixmap(self._theme.pixmap(*_SIGNS[sign]))
        self.sentence.setText(sentence)
        self.evidence.setText(text)
        self.setAccessibleName(f"{sentence}. {text} {caution}".strip())

    def _follow_work(self) -> None:
        if self._improving.work:
            self._saved = None
        self.refresh()

    def _show_progress(self) -> None:
        improving = self._improving
        place, share, stage = improving.place, improving.share, stage_text(improving.stage)
        if improving.work == SEARCH:  # of the whole search, which begins with the original
            of_original = max(0.0, improving.share) if place is None else 1.0
            of_candidates = place.share if place is not None else 0.0
            share = _ORIGINAL_SHARE * of_original + (1 - _ORIGINAL_SHARE) * of_candidates
        original = improving.work == SEARCH and place is None
        parts = (*((tr("the original"),) if original else improving.place_texts()), stage)
        text = " · ".join(filter(None, parts))
        left, at_most = None, False
        if place is not None:
            left, at_most = place.seconds_left, place.at_most
        by_pace = improving.work != SEARCH
        self.progress.show_share(share, units.capitalized(text), left, at_most, by_pace)

    def _ask_where(self) -> None:
        candidate = self._improving.candidate
        if candidate is None:
            return
        proposed = proposed_name(self._improving.path, candidate)
        path = file_dialogs.ask_place(
            self, tr("Save model as"), proposed, tr("ONNX models (*.onnx);;All files (*)")
        )
        if path:
            self._improving.save_model(candidate, path)

    def _show_saved(self, _: str, path: str) -> None:
        self._saved = Path(path)
        self.refresh()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the card with a stroke in the color of the verdict."""
        super().paintEvent(event)
        if self._sign_shown:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            role = _SIGNS[self._sign_shown][1]
            painter.setBrush(qt_color(getattr(self._theme.palette, role)))
            painter.drawRoundedRect(QRectF(0, 8, 3, self.height() - 16), 1.5, 1.5)


def proposed_name(path: Path, candidate: Candidate) -> str:
    """Return a file name for a candidate: the original's with the actions behind it."""
    names = dict.fromkeys(step.partition(":")[0] for step in candidate.steps)
    return f"{path.stem}.{'-'.join(names)[:_MOST_NAME]}.onnx"


def _verdict(now: Improvement, candidate: Candidate) -> str:
    return units.capitalized(written(verdict_clause(now, candidate)))


def _sentence(text: str) -> str:
    return f"{units.capitalized(written(text)).rstrip('.')}."
