"""Is the small one still good? Two language models judged by how well they predict a text."""

from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QScrollArea, QWidget

from inspector.app.language.quality import shipped_text
from inspector.engine.progress_text import step_text
from inspector.pages.language.quality import TONES, quality_page
from inspector.ui import units
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.language.judging import TextJudging
from inspector.ui.translate import tr, tr_message
from inspector.ui.widgets.failure import Failure
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.layouts import BESIDE_BAR, scroll_down
from inspector.ui.widgets.page_view import PageView
from inspector.ui.widgets.parts import (
    GAP,
    PADDING,
    Card,
    add_to,
    button,
    column_of,
    label,
    row,
    set_role,
    tip,
)
from inspector.ui.widgets.progress import ProgressLine
from inspector.ui.widgets.theme import Theme, font

_TEXT_PX = 240  # width of the choice of a text
_OTHER = "other"  # value of the entry that asks for a file


class TextView(QWidget):
    """Follows a judging: its text, how far it is, and the page of what is known."""

    def __init__(self, theme: Theme, judging: TextJudging, name: str) -> None:
        super().__init__()
        self.judging = judging
        self.title = label(tr("Is {name} still good?").format(name=units.clip(name, 60)))
        self.title.setWordWrap(True)
        self.title.setFont(font(13, 600))
        self.words = label(
            tr(
                "Both models predict the same text, token by token: perplexity, KL divergence "
                "and their intervals say whether B can take the place of A."
            ),
            "secondary",
        )
        self.words.setWordWrap(True)
        shipped = tr("{name}, shipped").format(name=shipped_text().name)
        self.text = ChoiceField(tr("Text"), ("", _OTHER), (shipped, tr("Another text file…")))
        self.text.setFixedWidth(_TEXT_PX)
        self.rank = QCheckBox(tr("Rank blocks and layers"))
        self.rank.setToolTip(
            tip(
                tr("Put each block of B into A, and see how far it alone takes the predictions")
            )
        )
        self.judge = button(theme, tr("Judge"), "play", primary=True, then=judging.start)
        self.progress = ProgressLine(theme, tr("Quality on a text"))
        self.failure = Failure(theme)
        self.page = PageView(theme)
        self._lay_out(theme)
        self.text.activated.connect(self._choose)
        self.rank.toggled.connect(self._set_ranked)
        self.failure.again.clicked.connect(judging.start)
        self.progress.cancelled.connect(judging.cancel)
        judging.changed.connect(self.refresh)
        self.refresh()

    def _lay_out(self, theme: Theme) -> None:
        card = Card(theme)
        card.body.setSpacing(8)
        add_to(card.body, self.title, self.words)
        controls = row(
            label(tr("Text"), "secondary"), self.text, 8, self.rank, None, self.judge
        )
        add_to(card.body, controls, self.progress)
        inner = QWidget()
        column = column_of(
            on=inner, spacing=GAP, margins=(PADDING, PADDING, BESIDE_BAR, PADDING)
        )
        add_to(column, card, self.failure, self.page, None)
        area = QScrollArea()
        scroll_down(area)
        area.setWidget(inner)
        area.setAccessibleName(tr("Quality on a text"))
        column_of(area, on=self)

    def refresh(self) -> None:
        """Show what is known now."""
        judging, quality = self.judging, self.judging.quality
        self.judge.setVisible(not judging.running)
        self.rank.setChecked(judging.ranked)
        for field in (self.text, self.rank):
            field.setEnabled(not judging.running)
        self.progress.setVisible(judging.running)
        self.progress.show_share(judging.share, tr(step_text(judging.step)))
        said = self.progress.accessibleDescription() if judging.running else ""
        self.setAccessibleDescription(said)
        self.words.setVisible(quality is None)
        self.judge.setText(tr("Judge") if quality is None else tr("Judge again"))
        self._say_verdict()
        self.page.setVisible(quality is not None)
        if quality is not None:
            self.page.show_page(quality_page(quality))
        if judging.error is not None:
            self.failure.show_error(judging.error)
        else:
            self.failure.hide()

    def _say_verdict(self) -> None:
        quality = self.judging.quality
        role = "value"
        if quality is not None and quality.level is not None:
            said = tr_message(quality.verdict)
            self.title.setText(tr("So far: {verdict}").format(verdict=said)
                               if self.judging.running else said)  # fmt: skip
            role = TONES[quality.level].value
        set_role(self.title, role)

    def _set_ranked(self, on: bool) -> None:
        self.judging.ranked = on

    def _choose(self) -> None:
        """Judge by the chosen text; the last entry asks for a file."""
        if self.text.value != _OTHER:
            self.judging.use_text(Path(self.text.value) if self.text.value else None)
            return
        path = file_dialogs.ask_file(
            self, tr("Text to predict"), tr("Texts (*.txt *.md);;All files (*)")
        )
        if path:
            self.use_text(path)
        else:
            self.text.show_value(str(self.judging.text or ""))

    def use_text(self, path: Path) -> None:
        """Judge by a file."""
        if self.text.findData(str(path)) < 0:
            self.text.insertItem(self.text.count() - 1, units.clip(path.name, 60), str(path))
        self.text.show_value(str(path))
        self.judging.use_text(path)
