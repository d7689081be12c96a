"""The parts of a conversation as they stand below each other: who, what, how many tokens."""

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QWidget

from inspector.pages.language.chat import answer_line
from inspector.preview.language import answers
from inspector.report.language.generation import StopReason
from inspector.ui import units
from inspector.ui.background import Debounce, Throttle
from inspector.ui.documents.language.chatting import Answer, AnswerState, first_difference
from inspector.ui.documents.language.saving import so_far
from inspector.ui.tabs.chat.shades import ColorBy
from inspector.ui.tabs.chat.time_strip import TimeStrip
from inspector.ui.tabs.chat.token_view import TokenView
from inspector.ui.translate import plural, tr, tr_message, written
from inspector.ui.widgets.parts import (
    Card,
    Elided,
    add_to,
    button,
    column_of,
    hairline,
    label,
    row,
    set_role,
    tool,
)
from inspector.ui.widgets.theme import (
    MONO_FAMILY,
    Painted,
    Theme,
    fill_round,
    font,
    painter_on,
    qt_color,
)

WHO_PX = 64  # width of the column that says who speaks
_MONO = f'font-family: "{MONO_FAMILY}"; font-size: 11px;'
_NARROW = "QToolButton { min-width: 14px; max-width: 14px; }"  # level with who speaks
_COUNT_PX = 90  # width of the column with the number of tokens
_EDIT_PX = 76  # height of the field of the system text
_TEMPLATE_PX = 150  # height of the field with the prompt as sent
_STRIP_LABEL_PX = 62
_TYPED_MS = 400  # after the last key until a template is used
_FACTS_MS = 100  # between two updates of the facts of an answer that grows
_DOT_PX = 7


def spoken(who: str, content: QWidget, aside: QWidget | None = None) -> QHBoxLayout:
    """Return a line of the conversation: who speaks, what, and something at the right."""
    name = label(who, "heading" if who else "")
    name.setProperty("role", "value")
    name.setFixedWidth(WHO_PX)
    line = row((name, 0, Qt.AlignmentFlag.AlignTop), (content, 1), spacing=12)
    if aside is not None:
        aside.setFixedWidth(_COUNT_PX)
        line.addWidget(aside, 0, Qt.AlignmentFlag.AlignTop)
    return line


def token_count(count: int) -> QLabel:
    """Return how many tokens a text has, at the right; nothing while nobody counted."""
    made = label(plural(count, "token") if count else "", "caption")
    made.setAlignment(Qt.AlignmentFlag.AlignRight)
    return made


class SystemLine(QWidget):
    """The system text in one line; opened, it can be edited and shows the prompt as sent.

    edited: with the new text. template_edited: likewise. opened: the prompt as sent is wanted.
    """

    edited = Signal(str)
    template_edited = Signal(str)
    opened = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.turn = tool(theme, "right", tr("Show the system text and the template"))
        self.turn.setStyleSheet(_NARROW)
        self._theme = theme
        self._text = ""
        self.short = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.count = token_count(0)
        self.count.setFixedWidth(_COUNT_PX)
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        name = label(tr("System"), "value")
        self.field = QPlainTextEdit()
        self.field.setAccessibleName(tr("System text"))
        self.field.setPlaceholderText(
            tr("What the model should know or do in every answer; empty for nothing")
        )
        self.field.setFixedHeight(_EDIT_PX)
        self.field.setTabChangesFocus(True)
        self.source = label(tr("Chat template"), "section")
        self.template = QPlainTextEdit()
        self.template.setStyleSheet(_MONO)
        self.template.setFixedHeight(_EDIT_PX)
        self.template.setTabChangesFocus(True)
        self.template.setAccessibleName(tr("Chat template"))
        self.template.setPlaceholderText(tr("No template: texts are continued as they are"))
        self._tell_template = Debounce(
            lambda: self.template_edited.emit(self.template.toPlainText()), self, _TYPED_MS
        )
        self.prompt = QPlainTextEdit()
        self.prompt.setReadOnly(True)
        self.prompt.setStyleSheet(_MONO)
        self.prompt.setFixedHeight(_TEMPLATE_PX)
        self.prompt.setAccessibleName(tr("Prompt as sent"))
        self._inner = QWidget()
        inner = column_of(on=self._inner, spacing=6, margins=(WHO_PX + 12, 4, 0, 4))
        add_to(inner, self.field, self.source, self.template)
        add_to(inner, label(tr("Prompt as sent"), "section"), self.prompt)
        self._inner.hide()
        head = row(self.turn, name, 8, self.short, self.count, spacing=4, stretch=3)
        column_of(head, self._inner, on=self, spacing=2)
        self.turn.clicked.connect(self._turn)
        self.field.textChanged.connect(lambda: self.edited.emit(self.field.toPlainText()))
        self.template.textChanged.connect(self._tell_template.call)

    def show_template(self, text: str, source: str, editable: bool) -> None:
        """Show the chat template, and where it comes from."""
        named = tr("Chat template · {source}").format(source=units.clip(source, 60))
        self.source.setText(named if source else tr("Chat template"))
        self.template.setEnabled(editable)
        if self.template.toPlainText() != text and not self._tell_template.pending:
            with QSignalBlocker(self.template):
                self.template.setPlainText(text)

    def show_text(self, text: str, tokens: int, editable: bool) -> None:
        """Show the system text and its tokens."""
        self._text = text
        self.short.set_text(text.partition("\n")[0] or tr("none; click to write one"))
        self.count.setText(plural(tokens, "token") if tokens else "")
        self.field.setEnabled(editable)
        if self.field.toPlainText() != text:
            with QSignalBlocker(self.field):
                self.field.setPlainText(text)

    def show_prompt(self, prompt: str) -> None:
        """Show the text that the model gets."""
        self.prompt.setPlainText(prompt)

    @property
    def is_open(self) -> bool:
        """Return whether text and template are shown."""
        return not self._inner.isHidden()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Open or close at a click on the line."""
        if not self.is_open or event.position().y() < self.turn.height():
            self._turn()

    def _turn(self) -> None:
        on = not self.is_open
        self._inner.setVisible(on)
        self.turn.setIcon(self._theme.icon("down" if on else "right"))
        if on:
            self.opened.emit()
            self.field.setFocus()


class FactLine(Painted):
    """The five facts of an answer in one quiet line; a dot in front while it grows."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._busy = False
        self.words = label("", "caption", selectable=True, wraps=True)
        self._column = QHBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self.words)

    def show_text(self, text: str, busy: bool, role: str = "caption") -> None:
        """Show other facts."""
        self.words.setText(text)
        set_role(self.words, role)
        if busy != self._busy:
            self._busy = busy
            self._column.setContentsMargins(2 * _DOT_PX if busy else 0, 0, 0, 0)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the dot."""
        if self._busy:
            painter = painter_on(self, smooth=True)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(qt_color(self._theme.palette.accent))
            middle = self.fontMetrics().height() / 2
            painter.drawEllipse(QPointF(_DOT_PX / 2, middle), _DOT_PX / 2, _DOT_PX / 2)


class AnswerView(QWidget):
    """An answer: its tokens, the strip of their times, and a line of facts.

    can_continue: whether it may go on where it was stopped; that of a second model may not.
    chosen: with a place among its tokens. again_asked: what failed is to be tried again.
    continue_asked: what was stopped is to go on.
    """

    chosen = Signal(int)
    again_asked = Signal()
    continue_asked = Signal()

    def __init__(self, theme: Theme, answer: Answer, name: str, can_continue: bool) -> None:
        super().__init__()
        self._theme, self.answer, self.can_continue = theme, answer, can_continue
        self._ended: answers.Answer | None = None  # what is shown as the end of the answer
        self.tokens = TokenView(theme, name)
        self.plain = label("", selectable=True)  # the text of an answer without tokens
        self.plain.setWordWrap(True)
        self.strip = TimeStrip(theme)
        self.facts = FactLine(theme)
        strip_label = label(tr("Time of each token"), "caption", wraps=True)
        strip_label.setFixedWidth(_STRIP_LABEL_PX)
        self._strip_row = QWidget()
        strip_column = column_of(on=self._strip_row, spacing=6, margins=(0, 6, 0, 0))
        add_to(strip_column, hairline(), row(strip_label, 8, self.strip, stretch=2))
        self.again = button(theme, tr("Try again"), then=self.again_asked)
        self.go_on = button(theme, tr("Continue"), then=self.continue_asked)
        for each in (self.again, self.go_on):
            each.hide()
        column = column_of(on=self, spacing=4)
        add_to(column, self.tokens, self.plain, None, self._strip_row, self.facts)
        column.addLayout(row(self.again, self.go_on, None))
        self._tell_facts = Throttle(self._show_facts, self, _FACTS_MS)
        self.tokens.chosen.connect(self._choose)
        self.strip.chosen.connect(self.tokens.choose)
        self.tokens.show_tokens(answer.tokens, answer.pieces, answer.special)
        self.follow()

    def set_detailed(self, detailed: bool, by: ColorBy) -> None:
        """Color the tokens and show their times, or show plain text."""
        self.tokens.color_tokens(by if detailed else ColorBy.OFF)
        self._strip_row.setVisible(detailed and len(self.answer.tokens) > 1)
        self._detailed = detailed

    _detailed = True

    def follow(self) -> None:
        """Show what came of the answer since the last look."""
        answer, known = self.answer, len(self.tokens.tokens)
        if known < len(answer.tokens):
            self.tokens.add(answer.tokens[known:], answer.pieces[known:], answer.special)
        if not answer.busy and self._ended is None:
            self.tokens.end()
        self.tokens.show_caret(answer.state is AnswerState.WRITING)
        self.tokens.setVisible(bool(answer.tokens) or answer.state is AnswerState.WRITING)
        self.plain.setVisible(bool(answer.text) and not answer.tokens)
        self.plain.setText(units.visible(answer.text) if not answer.tokens else "")
        if answer.busy:
            self._tell_facts.call()
        elif self._ended is not answer.whole or answer.whole is None:
            self._ended = answer.whole
            self._show_facts()

    def _choose(self, place: int) -> None:
        self.strip.choose(place)
        self.chosen.emit(place)

    def _show_facts(self) -> None:
        answer = self.answer
        self._strip_row.setVisible(self._detailed and len(answer.tokens) > 1)
        self.strip.show_tokens(answer.tokens)
        failed = answer.state is AnswerState.FAILED
        self.facts.show_text(_facts_text(answer), answer.busy, "bad" if failed else "caption")
        self.again.setVisible(failed)
        whole = answer.whole
        self.go_on.setVisible(
            whole is not None
            and not failed
            and self.can_continue
            and whole.generation.stop in (StopReason.STOPPED, StopReason.MAX_TOKENS)
        )


def _facts_text(answer: Answer) -> str:
    if answer.state is AnswerState.LOADING:
        return tr("Loading {model}…").format(model=units.clip(answer.model, 60))
    if answer.state is AnswerState.READING:
        if answer.read:
            return tr("Reading the prompt: {read:,} of {total:,} tokens").format(
                read=answer.read, total=answer.prompt_tokens
            )
        return tr("Reading the prompt: {tokens}").format(
            tokens=plural(answer.prompt_tokens, "token")
        )
    if answer.error is not None and answer.state is AnswerState.FAILED:
        error = answer.error
        text = tr("{what}: {why}").format(
            what=tr_message(error.what), why=tr_message(error.why)
        )
        return f"{text}\n{tr_message(error.hint)}" if error.hint else text
    return written(answer_line(so_far(answer), answer.busy))


class SideCard(Card):
    """One of two answers side by side: A or B, the model, and where they part."""

    def __init__(
        self, theme: Theme, sign: str, name: str, size: str, aside: str, view: AnswerView
    ) -> None:
        super().__init__(theme, padding=12)
        self.view = view
        self.aside = label(aside, "secondary")
        head = row(
            _Sign(theme, sign), 2, label(name, "heading"), label(size, "secondary"), None,
            self.aside,
        )  # fmt: skip
        add_to(self.body, head, hairline(), (view, 1))

    def show_difference(self, place: int, both: int) -> None:
        """Say where the answers part; both: tokens that there are of both."""
        if place >= 0:
            text = tr("differs from token {number:,} on").format(number=place + 1)
        elif both:
            text = tr("the same {tokens} so far").format(tokens=plural(both, "token"))
        else:
            text = ""
        self.aside.setText(text)
        set_role(self.aside, "caution" if place >= 0 else "secondary")


class _Sign(QWidget):
    """A letter in a small square: A or B."""

    def __init__(self, theme: Theme, letter: str) -> None:
        super().__init__()
        self._theme, self._letter = theme, letter
        self.setFixedSize(QSize(22, 20))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the square and the letter."""
        look, painter = self._theme.palette, painter_on(self, smooth=True)
        fill_round(painter, QRectF(self.rect()), 4, qt_color(look.selection))
        painter.setPen(qt_color(look.on_selection))
        painter.setFont(font(11, 600))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._letter)


class BothAnswers(QWidget):
    """The answers of two models to one prompt, side by side."""

    def __init__(self, theme: Theme, left: SideCard, right: SideCard) -> None:
        super().__init__()
        self.left, self.right = left, right
        row((left, 1), (right, 1), on=self, spacing=12)

    def follow(self) -> int:
        """Mark the first token that differs; return its place, -1 for none."""
        one, other = self.left.view.answer, self.right.view.answer
        place = first_difference(one, other)
        for card in (self.left, self.right):
            card.view.tokens.mark_difference(place)
        both = min(len(one.tokens), len(other.tokens))
        self.right.show_difference(place, both)
        return place
