"""A conversation with a language model: what was said, how sure it was, how long it took."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPaintEvent, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QWidget

from inspector.pages.language.chat import speed_headline
from inspector.pages.language.quantities import per_second
from inspector.ui import units
from inspector.ui.background import Throttle
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.language.chatting import Answer, Chatting, Turn, first_difference
from inspector.ui.documents.language.exchange import Takes
from inspector.ui.documents.language.saving import so_far
from inspector.ui.tabs.chat.composer import Composer
from inspector.ui.tabs.chat.legend import Legend
from inspector.ui.tabs.chat.messages import (
    AnswerView,
    BothAnswers,
    SideCard,
    SystemLine,
    spoken,
    token_count,
)
from inspector.ui.tabs.chat.parts import Switch
from inspector.ui.tabs.chat.settings_bar import SettingsBar
from inspector.ui.tabs.chat.shades import ColorBy
from inspector.ui.translate import mark, plural, tr, tr_message, written
from inspector.ui.widgets.dropped import Drop, paths_in
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.layouts import scroll_down
from inspector.ui.widgets.parts import (
    Card,
    Elided,
    add_to,
    button,
    column_of,
    hairline,
    label,
    row,
    wrapped,
)
from inspector.ui.widgets.theme import Painted, Theme, painter_on, qt_color
from inspector.wording.values import Size

_SIDE_PX = 16
_FRAME_MS = 33  # between two pictures of an answer that grows
_HEAD_MS = 250  # between two headlines of an answer that grows
_OTHER_PX = 160  # width of the choice of the other model
_NEAR_END_PX = 40  # a page so near to its end follows what is added
_ASK = (
    mark("Explain in two sentences what a language model is."),
    mark("Write four lines about the sea."),
    mark("List three uses of a paper clip."),
)
_BEGIN = (mark("Once upon a time"), mark("The first thing to know is"), mark("def main():"))


# Title and the line below it before the first answer.
_HEADS = {
    Takes.MESSAGES: (mark("Chat"), ""),
    Takes.BEGINNING: (
        mark("This model has no chat template"),
        mark("It continues the text that you write"),
    ),
    Takes.TEXT: (
        mark("Encoder and decoder"),
        mark("Each text is read by the encoder and answered by itself"),
    ),
    Takes.FILE: (
        mark("Speech to text"),
        mark("The decoder writes down what the encoder hears"),
    ),
}


class ChatPage(QWidget):
    """Headline, settings, conversation, composer, legend.

    detail_changed: another token is chosen.
    """

    detail_changed = Signal()

    def __init__(self, theme: Theme, chatting: Chatting) -> None:
        super().__init__()
        self._theme, self.chatting = theme, chatting
        self.color_by = ColorBy.PROBABILITY
        self._views: dict[Answer, AnswerView] = {}
        self._earlier: dict[Answer, AnswerView] = {}  # of the page before, until they are used
        self._counts: dict[Turn, QLabel] = {}
        self._both: BothAnswers | None = None
        self._detailed: Answer | None = None  # an older answer that was clicked
        self._shown: tuple[object, ...] = ()
        self._follows = True  # the page stays at its end while something is added
        self.title = Elided("", "title", Qt.TextElideMode.ElideRight)
        self.below = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.compare = Switch(theme, tr("Compare with another model"))
        variants = [(str(path), name) for name, path in chatting.variants]
        choices = [*variants, ("", tr("Another model…"))]
        self.other = ChoiceField(tr("Other model"), *zip(*choices, strict=True))
        self.settings = SettingsBar(theme)
        self.composer = Composer(theme)
        self.legend = Legend(theme)
        self.area = QScrollArea()
        scroll_down(self.area)
        self.area.setAccessibleName(tr("Conversation"))
        self.system = SystemLine(theme)
        self._follow_answers = Throttle(self._show_grown, self, _FRAME_MS)
        self._tell_head = Throttle(self._head, self, _HEAD_MS)
        self._lay_out()
        self._wire()
        self._refresh()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc stops, D goes to the first difference."""
        if event.key() == Qt.Key.Key_Escape:
            self.chatting.stop()
        elif event.key() == Qt.Key.Key_D and not event.modifiers():
            turn = self.chatting.last
            if turn is not None and turn.answer is not None and turn.other is not None:
                place = first_difference(turn.answer, turn.other)
                view = self._views.get(turn.answer)
                if place >= 0 and view is not None:
                    view.tokens.choose(place)
                    view.tokens.setFocus()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the end of the page in view."""
        super().resizeEvent(event)
        self._scroll_to_end()

    def _lay_out(self) -> None:
        words = column_of(self.title, self.below, spacing=2)
        self._compare = QWidget()
        self._compare.setLayout(
            row(self.compare, label(tr("Compare with"), "secondary"), 4, self.other, spacing=8)
        )
        self.other.setFixedWidth(_OTHER_PX)
        head = _Head(self._theme)
        across = QHBoxLayout(head)
        across.setContentsMargins(_SIDE_PX, 10, _SIDE_PX, 10)
        add_to(across, (words, 1), self._compare)
        self._card = Card(self._theme, padding=1)
        self._card.body.addWidget(self.area)
        middle = column_of(spacing=10, margins=(_SIDE_PX, 10, _SIDE_PX, 12))
        add_to(middle, self.settings, (self._card, 1), self.composer)
        column_of(head, (middle, 1), self.legend, on=self, spacing=0)

    def _wire(self) -> None:
        chatting, composer = self.chatting, self.composer
        chatting.changed.connect(self._refresh)
        chatting.grew.connect(self._grow)
        chatting.counted.connect(self._show_room)
        chatting.token_chosen.connect(self._show_choice)
        composer.sent.connect(self._send)
        composer.stop_asked.connect(chatting.stop)
        composer.edited.connect(chatting.set_draft)
        composer.shorten_asked.connect(chatting.leave_out_oldest)
        self.settings.changed.connect(chatting.set_settings)
        self.legend.color_changed.connect(self._color)
        self.settings.new_asked.connect(self._begin_anew)
        anew = QShortcut(QKeySequence(QKeySequence.StandardKey.New), self)
        anew.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        anew.activated.connect(self._begin_anew)
        self.system.edited.connect(chatting.set_system)
        self.system.template_edited.connect(chatting.set_template)
        self.system.opened.connect(self._open_system)
        self.compare.toggled.connect(self._compare_with)
        self.other.activated.connect(self._choose_other)
        self.area.verticalScrollBar().valueChanged.connect(self._watch_end)
        self.area.verticalScrollBar().rangeChanged.connect(lambda *_: self._scroll_to_end())

    # What is said.

    def _refresh(self) -> None:
        chatting = self.chatting
        self._fill()
        self._head()
        busy = chatting.running is not None
        self.composer.show_busy(busy, chatting.takes)
        self.composer.setEnabled(chatting.speaker is not None)
        self.follow_work()
        self.settings.new.setEnabled(bool(chatting.turns))
        if chatting.speaker is not None:
            self.settings.offer_speech(chatting.speaker.languages, chatting.speaker.translates)
        self.settings.show_settings(chatting.settings)
        self._show_compared()
        self._show_room()
        self._tell_legend()

    def follow_work(self) -> None:
        """Say that another job has to end first, or that it has ended."""
        self.composer.show_waiting(self.chatting.waits)

    def _head(self) -> None:
        chatting, turn = self.chatting, self.chatting.last
        answer = turn.answer if turn is not None else None
        other = turn.other if turn is not None else None
        if chatting.error is not None:
            self.title.set_text(tr_message(chatting.error.what))
            self.below.set_text(tr_message(chatting.error.why))
            return
        if chatting.other_error is not None:
            self.title.set_text(tr_message(chatting.other_error.what))
            why = (chatting.other_error.why, chatting.other_error.hint)
            self.below.set_text(" ".join(tr_message(each) for each in why if each))
            return
        if chatting.speaker is None:
            self.title.set_text(tr("Reading the tokenizer…"))
            self.below.set_text("")
            return
        if answer is None or len(answer.tokens) < 2:
            known = chatting.speaker.template
            heads = _HEADS[chatting.takes]
            title, below = map(tr, heads)
            if known:
                below = tr("Template: {name}").format(name=units.clip(known, 60))
            if chatting.speaker.context_limit:
                fits = tr("context of {tokens}").format(
                    tokens=plural(chatting.speaker.context_limit, "token")
                )
                below = f"{below} · {fits}"
            self.title.set_text(title)
            self.below.set_text(below)
            return
        if other is not None:
            self._head_of_both(answer, other)
            return
        self.title.set_text(written(speed_headline(so_far(answer))))
        parts = [tr("This answer so far") if answer.busy else tr("Last answer")]
        parts.append(tr("not a benchmark: press Measure"))
        parts.append(
            tr("greedy")
            if answer.sampling.temperature == 0
            else tr("sampling, seed {seed}").format(seed=answer.sampling.seed)
        )
        parts.append(tr("the same prompt gives the same tokens"))
        self.below.set_text(" · ".join(parts))

    def _head_of_both(self, answer: Answer, other: Answer) -> None:
        place = first_difference(answer, other)
        shared = min(len(answer.tokens), len(other.tokens))
        names = {"a": units.clip(answer.model, 30), "b": units.clip(other.model, 30)}
        if place > 0:
            text = tr("{a} and {b} agree on the first {tokens}").format(
                **names, tokens=plural(place, "token")
            )
        elif place == 0:
            text = tr("{a} and {b} differ from the first token on").format(**names)
        elif shared:
            text = tr("{a} and {b} agree on {tokens}").format(
                **names, tokens=plural(shared, "token")
            )
        else:
            text = tr("{b} answers after {a}").format(**names)
        self.title.set_text(text)
        speeds = []
        for sign, each in (("A", answer), ("B", other)):
            speed = so_far(each).generation.tokens_per_second
            if speed is not None:
                speeds.append(f"{sign} {written(per_second(speed))}")
        greedy = answer.sampling.temperature == 0
        parts = [tr("Greedy") if greedy else tr("Sampling")]
        if speeds:
            parts.append(
                tr("{speeds} tokens/s near context {context:,}").format(
                    speeds=", ".join(speeds), context=answer.context
                )
            )
        parts.append(tr("B runs after A: each has the whole processor"))
        self.below.set_text(" · ".join(parts))

    def _fill(self) -> None:
        """Lay out the turns anew where there are others than before."""
        chatting = self.chatting
        last = chatting.last
        shown = (
            *chatting.turns,
            *((turn.answer, turn.other) for turn in chatting.turns),
            chatting.left_out,
            chatting.speaker is None,
            chatting.is_chat,
            chatting.error is None,
        )
        if shown == self._shown:
            for view in self._views.values():
                view.follow()
            if self._both is not None:
                self._both.follow()
            for turn, count in self._counts.items():
                count.setText(plural(turn.tokens, "token") if turn.tokens else "")
            return
        self._shown = shown
        bar = self.area.verticalScrollBar()
        follows, place_before = self._follows, bar.value()
        self._clear()
        if chatting.takes is not Takes.FILE:  # no text stands in front of a sound
            self._column.addWidget(self.system)
            self.system.show()
            self._show_system()
            self._column.addWidget(hairline())
        if not chatting.turns and chatting.speaker is not None:
            self._add_suggestions()
        for place, turn in enumerate(chatting.turns):
            if place:
                self._column.addWidget(hairline())
            if place < chatting.left_out:
                self._column.addWidget(
                    label(tr("Left out: the model does not get this turn any more"), "caption")
                )
            self._add_turn(turn, turn is last)
        self._column.addStretch(1)
        for view in self._earlier.values():
            view.deleteLater()
        self._earlier.clear()
        self._dress()
        self._follows = follows
        if follows:
            self._scroll_to_end()
        else:  # once it is laid out
            QTimer.singleShot(0, self, lambda: bar.setValue(place_before))

    def _clear(self) -> None:
        """Begin an empty page; answers keep their views, which took time to lay out."""
        self.system.setParent(None)
        for view in self._views.values():
            view.setParent(None)
        self._earlier, self._views = self._views, {}
        self._counts.clear()
        self._both = None
        page = QWidget()
        self._column = column_of(on=page, spacing=12, margins=(15, 10, 15, 14))
        old = self.area.takeWidget()
        if old is not None:
            old.deleteLater()  # a button in it may be what was clicked
        self.area.setWidget(page)

    def _add_suggestions(self) -> None:
        chatting = self.chatting
        own = chatting.speaker.prompts if chatting.speaker is not None else ()
        if chatting.takes is Takes.FILE:
            choose = button(self._theme, tr("Choose a sound…"), "open", then=self._choose_file)
            add_to(self._column, 8, row(choose, None))
            return
        if chatting.takes is Takes.TEXT:
            return  # what it is for, such as which languages, only its makers know
        texts = own or (_ASK if chatting.is_chat else _BEGIN)
        head = tr("Ask something, for example:") if chatting.is_chat else tr("Begin a text:")
        column = column_of(label(head, "secondary"), spacing=8)
        for text in texts:
            made = button(self._theme, tr(text), role="offer")
            made.clicked.connect(partial(self._send, tr(text)))
            column.addLayout(row(made, None))
        add_to(self._column, 8, column)

    def _add_turn(self, turn: Turn, is_last: bool) -> None:
        chat = self.chatting.is_chat
        question = wrapped(turn.prompt, "value")
        question.setStyleSheet("font-size: 13px; font-weight: 500;")
        count = self._counts[turn] = token_count(turn.tokens)
        self._column.addLayout(spoken(tr("You") if chat else tr("Text"), question, count))
        answer = turn.answer
        if answer is None:
            return
        who = tr("Model")
        view = self._answer_view(answer, who)
        if turn.other is None or not is_last:  # only the last answer splits
            self._column.addLayout(spoken(who, view))
            return
        other = self._answer_view(turn.other, tr("Answer of B"), can_continue=False)
        speakers = (self.chatting.speaker, self.chatting.other)
        sizes = [
            written(Size(each.size_bytes)) if each is not None and each.size_bytes else ""
            for each in speakers
        ]
        both = BothAnswers(
            self._theme,
            SideCard(self._theme, "A", answer.model, sizes[0], tr("this model"), view),
            SideCard(self._theme, "B", turn.other.model, sizes[1], "", other),
        )
        self._column.addWidget(both)
        self._both = both
        both.follow()

    def _answer_view(self, answer: Answer, name: str, can_continue: bool = True) -> AnswerView:
        view = self._earlier.pop(answer, None)
        if view is not None:
            self._views[answer] = view
            view.follow()
            return view
        view = AnswerView(self._theme, answer, name, can_continue)
        view.chosen.connect(partial(self._choose, answer))
        view.again_asked.connect(self.chatting.again)
        view.continue_asked.connect(self.chatting.go_on)
        self._views[answer] = view
        return view

    def _dress(self) -> None:
        """Color the last answer, and an older one that was clicked."""
        last = self.chatting.last
        detailed = {self._detailed}
        if last is not None:
            detailed |= {last.answer, last.other}
        for answer, view in self._views.items():
            view.set_detailed(answer in detailed, self.color_by)

    def _grow(self, answer: Answer) -> None:
        if answer.busy:
            self._follow_answers.call()
        else:
            self._show_grown()

    def _show_grown(self) -> None:
        """Show what came of the answers that are being written."""
        last = self.chatting.last
        for answer in (last.answer, last.other) if last is not None else ():
            view = self._views.get(answer) if answer is not None else None
            if view is not None:
                view.follow()
        if self._both is not None:
            self._both.follow()
        self._tell_head.call()
        self._scroll_to_end()

    # What is done.

    def _send(self, text: str) -> None:
        self._follows = True
        self.chatting.send(text)

    def _choose_file(self) -> None:
        if path := file_dialogs.ask_file(self, tr("Sound to write down")):
            self._send(str(path))

    def drop_of(self, data: QMimeData) -> Drop | None:
        """Return that a sound is written down by a model that hears; None for others."""
        paths = paths_in(data)
        if self.chatting.takes is not Takes.FILE or len(paths) != 1:
            return None
        if not self.chatting.ready:
            return Drop(tr("The model is still writing"))
        text = tr("Write down {name}").format(name=units.clip(paths[0].name, 60))
        return Drop(text, partial(self._send, str(paths[0])))

    def _begin_anew(self) -> None:
        self._detailed = None
        self.chatting.new_chat()
        self.composer.text.setFocus()

    def _color(self, by: ColorBy) -> None:
        self.color_by = by
        self._dress()
        self._tell_legend()

    def _choose(self, answer: Answer, place: int) -> None:
        last = self.chatting.last
        if last is None or answer not in (last.answer, last.other):
            self._detailed = answer
            self._dress()
        if place >= 0:
            self.chatting.choose(answer, place)

    def use_other(self, path: Path) -> None:
        """Compare with another model."""
        if self.other.findData(str(path)) < 0:
            self.other.insertItem(self.other.count() - 1, units.clip(path.name, 60), str(path))
        self.other.show_value(str(path))
        self.chatting.compare_with(path)

    def _compare_with(self, on: bool) -> None:
        if not on:
            self.chatting.compare_with(None)
        elif self.other.value:
            self.use_other(Path(self.other.value))
        else:
            self._ask_other()

    def _choose_other(self, _: int) -> None:
        """Compare with what was chosen; the last entry asks for a folder."""
        if not self.other.value:
            self._ask_other()
        elif self.compare.isChecked():
            self.use_other(Path(self.other.value))

    def _ask_other(self) -> None:
        """Ask for the folder of another model; without one nothing is compared."""
        before = self.chatting.compared
        if path := file_dialogs.ask_folder(self, tr("Folder of the other model")):
            self.use_other(path)
        elif before is not None:
            self.other.show_value(str(before))
        self._show_compared()

    def _show_compared(self) -> None:
        """Let the switch say whether something is compared."""
        with QSignalBlocker(self.compare):
            self.compare.setChecked(self.chatting.compared is not None)

    def _show_choice(self) -> None:
        chosen = self.chatting.chosen
        for answer, view in self._views.items():
            place = chosen[1] if chosen is not None and chosen[0] is answer else -1
            view.tokens.show_choice(place)
            view.strip.choose(place)
        self.detail_changed.emit()

    def _show_room(self) -> None:
        room = self.chatting.room
        self.composer.show_room(room.used, room.limit, room.needed)
        self._show_system()

    def _show_system(self) -> None:
        chatting = self.chatting
        name = chatting.speaker.template if chatting.speaker is not None else ""
        idle = chatting.running is None
        self.system.show_text(chatting.system, chatting.system_tokens, idle)
        text = chatting.speaker.template_text if chatting.speaker is not None else ""
        self.system.show_template(text, name, idle)
        if self.system.is_open:
            self._show_prompt()

    def _open_system(self) -> None:
        """Keep the system text in view, which is at the top of the page."""
        self._follows = False
        self._show_prompt()

    def _show_prompt(self) -> None:
        self.system.show_prompt(self.chatting.prompt_text)

    def _tell_legend(self) -> None:
        turn = self.chatting.last
        both = turn is not None and turn.other is not None
        self.legend.show_meaning(self.color_by, both)

    def _watch_end(self, value: int) -> None:
        bar = self.area.verticalScrollBar()
        self._follows = value >= bar.maximum() - _NEAR_END_PX

    def _scroll_to_end(self) -> None:
        if self._follows:
            bar = self.area.verticalScrollBar()
            bar.setValue(bar.maximum())


class _Head(Painted):
    """The ground of the headline, with a line below it."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw ground and line."""
        look, painter = self._theme.palette, painter_on(self)
        painter.fillRect(self.rect(), qt_color(look.bar))
        painter.fillRect(0, self.height() - 1, self.width(), 1, qt_color(look.border))
