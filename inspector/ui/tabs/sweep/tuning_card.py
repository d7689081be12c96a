"""What a search for the best settings found, and these settings as code."""

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from inspector import units
from inspector.analysis.measured.tuning_results import chosen, leader_words, sentences
from inspector.export.session_code import LANGUAGES, session_code
from inspector.report.tuning import Tuning
from inspector.ui.tabs.performance.progress import ProgressLine
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.parts import Card, Segmented, button, label, row
from inspector.ui.widgets.theme import Theme, font

_LINE = 17


class TuningCard(Card):
    """A search under way, or its result with a button that copies the code."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._tuning: Tuning | None = None
        self.title = label(tr("Best settings"), "heading")
        self.bar = ProgressLine(theme)
        self.words = label("", "", selectable=True)
        self.more = label("", "secondary", selectable=True)
        for text in (self.words, self.more):
            text.setWordWrap(True)
        self.languages = Segmented(theme, LANGUAGES, 72)
        self.languages.setAccessibleName(tr("Programming language"))
        self.copy = button(theme, tr("Copy"), "copy")
        self.take = button(theme, tr("Use these settings"))
        self.code = QPlainTextEdit()
        self.code.setReadOnly(True)
        self.code.setFont(font(11, mono=True))
        self.code.setStyleSheet('font-family: "JetBrains Mono"; font-size: 11px;')
        self.code.setAccessibleName(tr("Settings as code"))
        self.code.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.code.setTabChangesFocus(True)
        self.body.addLayout(row(self.title, None, self.take))
        for widget in (self.bar, self.words, self.more):
            self.body.addWidget(widget)
        self._tools = QWidget()
        self._tools.setLayout(row(self.languages, None, self.copy))
        self.body.addWidget(self._tools)
        self.body.addWidget(self.code)
        self.languages.chosen.connect(lambda _: self._write())
        self.copy.clicked.connect(self._copy)

    def show_tuning(self, tuning: Tuning, running: bool) -> None:
        """Show how far a search is, or what it found."""
        self._tuning = tuning
        self.bar.setVisible(running)
        self.bar.show_share(tuning.done)
        ended = not running
        beaten = ended and chosen(tuning) != tuning.default
        for widget in (self._tools, self.code, self.take):
            widget.setVisible(beaten)
        self.more.setVisible(True)
        if ended:
            first, *rest = sentences(tuning)
            if not tuning.complete and not tuning.ended:
                rest.append(tr("The search was canceled."))
            self.words.setText(first)
            self.more.setText(" ".join((*rest, _tried(tuning))))
            self._write()
        else:
            self.words.setText(units.clip(tr("Trying {step}").format(step=tuning.step)))
            left = tr("About {seconds_left:.0f} s left.").format(
                seconds_left=tuning.seconds_left
            )
            self.more.setText(
                tr("Best so far: {leader_words}. {left}").format(
                    leader_words=leader_words(tuning), left=left
                )
            )
        self.setAccessibleName(tr("Best settings. {text}").format(text=self.words.text()))

    def _write(self) -> None:
        if self._tuning is None:
            return
        language = LANGUAGES[self.languages.current]
        text = session_code(chosen(self._tuning), self._tuning.model.name, language)
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
