"""The options of an action, and what it would do with them, before it is added."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QCheckBox, QCompleter, QDialog, QFormLayout, QLineEdit, QWidget

from inspector.conversion.action import (
    Action,
    Effect,
    Option,
    OptionKind,
    Step,
    checked_options,
    parse_step,
)
from inspector.conversion.registry import ACTIONS
from inspector.errors import InspectorError
from inspector.ui import units
from inspector.ui.background import Debounce
from inspector.ui.documents.improving import Improving
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.parts import (
    GAP,
    PADDING,
    add_to,
    button,
    column_of,
    label,
    row,
    set_role,
    tip,
)
from inspector.ui.widgets.theme import Theme

_WIDTH_PX = 460
_CHECK_MS = 250  # after the last key
_MOST_NAMES = 20_000  # of layers that are offered while a name is typed
_BETWEEN = ", "  # several names, as several pairs; a step has "+" there
_PLACEHOLDERS = {
    OptionKind.NAMES: mark("none; separate several with commas"),
    OptionKind.PAIRS: mark("NAME=VALUE; separate several with commas"),
    OptionKind.TEXT: "",
    OptionKind.COUNT: "",
    OptionKind.NUMBER: "",
}


class ActionDialog(QDialog):
    """Fields for the options of one action; `taken` gets the step.

    place: of the step in the recipe, or where it would be added.
    """

    def __init__(
        self,
        theme: Theme,
        improving: Improving,
        step: Step,
        place: int,
        taken: Callable[[Step], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._improving, self._place, self._taken = improving, place, taken
        self._action: Action = ACTIONS[step.action]
        self._asked = 0
        self.setWindowTitle(tr(self._action.title))
        self.setFixedWidth(_WIDTH_PX)
        self.fields: dict[str, QWidget] = {}
        summary = tr(self._action.summary)
        about = label(units.capitalized(summary) + ".", "secondary", wraps=True)
        self.effect = label("", "secondary", wraps=True)
        self.effect.setMinimumHeight(34)  # two lines, so that nothing moves when it comes
        adds = place >= len(improving.steps)
        self.accept_button = button(theme, tr("Add") if adds else tr("Apply"), primary=True)
        self.accept_button.setDefault(True)
        cancel = button(theme, tr("Cancel"), then=self.reject)
        self.accept_button.clicked.connect(self._take)
        self._debounce = Debounce(self._check, self, _CHECK_MS)
        page = column_of(on=self, spacing=GAP, margins=(PADDING,) * 4)
        add_to(page, label(tr(self._action.title), "title"), about, self._form(step))
        page.addWidget(self.effect)
        if self._action.library:
            by = tr("Uses {library}.").format(library=self._action.library)
            page.addWidget(label(by, "caption"))
        page.addLayout(row(None, cancel, self.accept_button))
        self._check()

    def _form(self, step: Step) -> QFormLayout:
        form = QFormLayout()
        form.setSpacing(8)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        if self._pairs:
            option = self._action.options[0]
            texts = {option.name: step.text.partition(":")[2]}
        else:
            texts = checked_options(step, self._action)
        for option in self._action.options:
            title = tr(option.title or option.name.replace("-", " ").capitalize())
            field = self._field(option, title, texts[option.name])
            field.setToolTip(tip(units.capitalized(tr(option.help))))
            self.fields[option.name] = field
            if isinstance(field, QCheckBox):
                form.addRow(field)
            else:
                form.addRow(label(title), field)
        return form

    @property
    def _pairs(self) -> bool:
        options = self._action.options
        return len(options) == 1 and options[0].kind is OptionKind.PAIRS

    def _field(self, option: Option, title: str, text: str) -> QWidget:
        if option.kind is OptionKind.SWITCH:
            switch = QCheckBox(title)
            switch.setChecked(text == "yes")
            switch.toggled.connect(self._debounce.call)
            return switch
        if option.kind is OptionKind.CHOICE:
            choice = ChoiceField(title, option.choices, option.choices)
            choice.show_value(text)
            choice.currentIndexChanged.connect(self._debounce.call)
            return choice
        names = option.kind is OptionKind.NAMES
        field = QLineEdit(text.replace("+", _BETWEEN) if names else text)
        field.setAccessibleName(title)
        field.setPlaceholderText(tr(_PLACEHOLDERS[option.kind]))
        field.textChanged.connect(self._debounce.call)
        if names:
            field.setCompleter(_LayerNames(self._improving, field))
        return field

    @property
    def step(self) -> Step:
        """The action with the options that differ from their defaults. Raises BadInput."""
        if self._pairs:
            text = self._text(self._action.options[0])
            whole = f"{self._action.id}:{text}" if text.strip() else self._action.id
            return parse_step(whole, ACTIONS)
        options = [(option.name, self._text(option)) for option in self._action.options]
        defaults = {option.name: option.default for option in self._action.options}
        step = Step(
            self._action.id,
            tuple((name, text) for name, text in options if text != defaults[name]),
        )
        checked_options(step, self._action)
        return step

    def _text(self, option: Option) -> str:
        field = self.fields[option.name]
        if isinstance(field, QCheckBox):
            return "yes" if field.isChecked() else "no"
        if isinstance(field, ChoiceField):
            return field.value
        assert isinstance(field, QLineEdit), "all other options are typed"
        if option.kind is OptionKind.NAMES:
            return "+".join(filter(None, map(str.strip, field.text().split(","))))
        return field.text().strip()

    def _check(self) -> None:
        """Find out what the step would do; the last question counts."""
        self._asked += 1
        try:
            step = self.step
        except InspectorError as error:
            self._show_problem(error)
            return
        self.effect.setText(tr("Checking the effect…"))
        self._improving.check_step(self._place, step, partial(self._show, self._asked))

    def _show(self, asked: int, answer: Effect | InspectorError) -> None:
        if asked != self._asked:
            return
        if isinstance(answer, InspectorError):
            self._show_problem(answer)
            return
        further = answer.hint if answer.refused else answer.caution
        self.effect.setText(" ".join(map(_sentence, filter(None, (answer.text, further)))))
        set_role(
            self.effect,
            "bad" if answer.refused else "caution" if answer.caution else "secondary",
        )
        self.accept_button.setEnabled(answer.applicable)

    def _show_problem(self, error: InspectorError) -> None:
        texts = filter(None, (error.why or error.what, error.hint))
        self.effect.setText(" ".join(map(_sentence, texts)))
        set_role(self.effect, "bad")
        self.accept_button.setEnabled(False)

    def _take(self) -> None:
        self._taken(self.step)
        self.accept()

    def done(self, result: int) -> None:
        """Close; an answer that comes later is not shown."""
        self._asked += 1
        super().done(result)


def _sentence(text: str) -> str:
    return f"{units.capitalized(text).rstrip('.')}."


class _LayerNames(QCompleter):
    """Completes the last of several names."""

    def __init__(self, improving: Improving, field: QLineEdit) -> None:
        names = [layer.name for layer in improving.model.layers[:_MOST_NAMES] if layer.name]
        super().__init__(names, field)
        self._field = field
        self.setFilterMode(Qt.MatchFlag.MatchContains)
        self.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)

    def splitPath(self, path: str) -> list[str]:
        """Return the name that is being typed."""
        return [path.rpartition(",")[2].strip()]

    def pathFromIndex(self, index: QModelIndex | QPersistentModelIndex) -> str:
        """Return the names typed before with the chosen one behind them."""
        before = self._field.text().rpartition(",")[0]
        name = super().pathFromIndex(index)
        return f"{before}{_BETWEEN}{name}" if before else name
