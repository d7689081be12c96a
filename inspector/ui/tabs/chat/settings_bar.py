"""How answers are made, in one line above the conversation."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSignalBlocker, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QLineEdit, QMenu, QToolButton, QWidget

from inspector.report.language.generation import GREEDY, Sampling
from inspector.ui import units
from inspector.ui.commands import runner
from inspector.ui.documents.language.exchange import ChatSettings
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.fields import ChoiceField, NumberField
from inspector.ui.widgets.layouts import Flow
from inspector.ui.widgets.parts import Segmented, button, label, row, tool
from inspector.ui.widgets.theme import Theme

_MOST_TOKENS = 100_000
_MOST_SEED = 2**31 - 1
_GREEDY = 0  # place in the switch
_SAMPLING = 1  # likewise
_FIELD_PX = 56
_CHANCE_PX = 52  # of the numbers of chance
_SEED_PX = 60
_AROUND_PX = 18  # words of the switch
_BETWEEN_PX = 12  # groups
_SPACING_PX = 8  # within a group
_LANGUAGE_PX = 160
_DEFAULT_SAMPLING = Sampling(temperature=0.8, top_k=40, top_p=0.95, seed=7)
_HOTTEST = 5.0  # temperature


class _Real(QLineEdit):
    """A number with a point; what is no number, or out of range, is put back."""

    edited = Signal()

    def __init__(self, name: str, low: float, high: float) -> None:
        super().__init__()
        self._low, self._high, self.value = low, high, high
        self.setAccessibleName(name)
        self.setFixedWidth(_CHANCE_PX)
        self.editingFinished.connect(self._take)

    def show_value(self, value: float) -> None:
        """Show another number."""
        self.value = value
        self.setText(units.number(value, "g"))

    def _take(self) -> None:
        before = self.value
        try:
            value = float(units.typed(self.text()))
        except ValueError:
            value = before
        self.show_value(min(max(value, self._low), self._high) if value == value else before)
        if self.value != before:
            self.edited.emit()


class SettingsBar(QWidget):
    """Length, greedy or by chance with its numbers, and a new conversation."""

    changed = Signal(object)  # ChatSettings
    new_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.most = NumberField(tr("Max tokens"), _MOST_TOKENS)
        self.most.setMinimum(1)
        self.most.setFixedWidth(_FIELD_PX)
        self.way = Segmented(theme, (mark("Greedy"), mark("Sampling")), 0)
        self.way.set_spacing(_AROUND_PX)
        self.way.setAccessibleName(tr("Choice of the next token"))
        self.way.setToolTip(
            tr("Greedy takes the most probable token each time; sampling leaves it to chance.")
        )
        self.temperature = _Real(tr("Temperature"), 0.01, _HOTTEST)
        self.top_p = _Real(tr("Top-p"), 0.01, 1.0)
        self.top_k = NumberField(tr("Top-k"), _MOST_TOKENS, zero=tr("all"))
        self.top_k.setFixedWidth(_CHANCE_PX)
        self.seed = NumberField(tr("Seed"), _MOST_SEED)
        self.seed.setFixedWidth(_SEED_PX)
        self._chance = QWidget()
        self._chance.setLayout(
            row(
                label(tr("Temperature"), "secondary"), self.temperature,
                label(tr("Top-p"), "secondary"), self.top_p,
                label(tr("Top-k"), "secondary"), self.top_k,
                label(tr("Seed"), "secondary"), self.seed,
                spacing=6,
            )
        )  # fmt: skip
        self.language = ChoiceField(tr("Spoken language"), ("",), (tr("Automatic"),))
        self.language.setFixedWidth(_LANGUAGE_PX)
        self.translated = QCheckBox(tr("Translate to English"))
        self._speech = QWidget()
        self._speech.setLayout(
            row(label(tr("Spoken"), "secondary"), self.language, 4, self.translated, spacing=8)
        )
        self._speech.hide()
        self.new = button(theme, tr("New chat"), "plus", then=self.new_asked)
        self.new.setToolTip(tr("Begin a new conversation (Ctrl+N)"))
        self.new.setAccessibleName(tr("New chat"))
        self.more = tool(theme, "more", tr("Save or open a conversation"))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.more)
        for title, id_ in (
            (tr("Save conversation…"), "chat/save"),
            (tr("Open conversation…"), "chat/open"),
        ):
            menu.addAction(title, runner(self, id_))
        self.more.setMenu(menu)
        how, right = QWidget(), QWidget()
        row(label(tr("Max tokens"), "secondary"), self.most, 4, self.way, on=how, spacing=8)
        right.setLayout(row(self.new, self.more, spacing=_SPACING_PX))
        self._how, self._right = how, right
        self._flow = _Bar(self, (how, self._chance, self._speech), right)
        self.show_settings(ChatSettings())
        self.most.valueChanged.connect(lambda _: self._tell())
        self.top_k.valueChanged.connect(lambda _: self._tell())
        self.seed.valueChanged.connect(lambda _: self._tell())
        self.temperature.edited.connect(self._tell)
        self.top_p.edited.connect(self._tell)
        self.way.chosen.connect(lambda _: self._switch())
        self.language.activated.connect(lambda _: self._tell())
        self.translated.toggled.connect(lambda _: self._tell())

    @property
    def settings(self) -> ChatSettings:
        """Return what is set."""
        chance = GREEDY
        if self.way.current == _SAMPLING:
            chance = Sampling(
                self.temperature.value, self.top_k.value(), self.top_p.value, self.seed.value()
            )
        spoken = self.language.value, self.translated.isChecked()
        return ChatSettings(self.most.value(), chance, *spoken)

    def offer_speech(self, languages: Sequence[str], translates: bool) -> None:
        """Offer the languages that a model can be told to hear; without any, none of this."""
        if self.language.count() == 1 and languages:
            for code in languages:
                self.language.addItem(code, code)
        self.translated.setVisible(translates)
        self._speech.setVisible(bool(languages) or translates)
        self._fit()

    def show_settings(self, settings: ChatSettings) -> None:
        """Show other settings."""
        chance = settings.sampling
        greedy = chance.temperature == 0
        if greedy:
            chance = _DEFAULT_SAMPLING
        fields = (self.most, self.top_k, self.seed, self.way, self.language, self.translated)
        blocked = [QSignalBlocker(each) for each in fields]
        self.most.setValue(settings.max_tokens)
        self.temperature.show_value(chance.temperature)
        self.top_p.show_value(chance.top_p)
        self.top_k.setValue(chance.top_k)
        self.seed.setValue(chance.seed)
        self.way.choose(_GREEDY if greedy else _SAMPLING)
        self.language.show_value(settings.language)
        self.translated.setChecked(settings.translated)
        for each in blocked:
            each.unblock()
        self._chance.setVisible(not greedy)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Name the button for a new chat as far as all groups fit in one line; its sign and
        tooltip stay."""
        self.new.setText(tr("New chat"))
        every = self._how, self._chance, self._speech, self._right
        widths = [each.sizeHint().width() for each in every if not each.isHidden()]
        if sum(widths) + _BETWEEN_PX * (len(widths) - 1) > self.width():
            self.new.setText("")

    def _switch(self) -> None:
        self._chance.setVisible(self.way.current == _SAMPLING)
        self._fit()
        self._tell()

    def _tell(self) -> None:
        self.changed.emit(self.settings)


class _Bar(Flow):
    """Groups from the left, and one at the right as long as all fit in a line."""

    def __init__(self, parent: QWidget, left: tuple[QWidget, ...], right: QWidget) -> None:
        super().__init__(_BETWEEN_PX, 8, parent)
        for each in (*left, right):
            self.addWidget(each)

    def _boxes(self, width: int) -> list[QRect]:
        boxes = super()._boxes(width)
        if boxes:
            boxes[-1].moveRight(max(boxes[-1].right(), width - 1))
        return boxes
