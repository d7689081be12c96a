"""The fields of edit mode: attributes of layers, names, axes, types, all of one grammar."""

import json
from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from inspector.conversion.edits.choices import AttributeField
from inspector.ui.background import Debounce
from inspector.ui.translate import tr, written
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.parts import Elided, column_of, label, row, tip
from inspector.ui.widgets.theme import Theme

CAPTION_PX = 96  # width of the words before a field
_WAIT_MS = 300
_LISTS = ("ints", "floats", "strings")


def captioned(text: str, field: QWidget) -> QHBoxLayout:
    """Return a line of a form: its words at the left, the field in the rest of the room."""
    caption = Elided(text, "secondary")
    caption.setFixedWidth(CAPTION_PX)
    caption.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
    field.setAccessibleName(text)
    return row(caption, (field, 1))


def shown_value(text: str, kind: str) -> str:
    """Return a value in JSON as it is typed: without the brackets of a list, or quotes."""
    if not text:
        return ""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    if isinstance(value, list):
        items = (each if isinstance(each, str) else json.dumps(each) for each in value)
        return ", ".join(items)
    return value if isinstance(value, str) else text


def json_value(text: str, kind: str) -> str:
    """Return a value as it was typed in JSON; what cannot be read stays as it is."""
    text = text.strip()
    if not text:
        return ""
    if kind == "string":
        return json.dumps(text)
    if kind == "strings":
        return json.dumps([part.strip() for part in text.split(",")])
    if kind in _LISTS and not text.startswith("["):
        return f"[{text.rstrip(',')}]"
    return text


class AttributeForm(QWidget):
    """One field for each attribute of an operator.

    committed: name and JSON of a value that was finished. changed: something was typed.
    """

    committed = Signal(str, str)
    changed = Signal()

    def __init__(self, theme: Theme, fields: Sequence[AttributeField]) -> None:
        super().__init__()
        self._fields = {field.name: field for field in fields}
        self.editors: dict[str, QLineEdit | ChoiceField] = {}
        self._debounce = Debounce(self.changed.emit, self, _WAIT_MS)
        column = column_of(on=self, spacing=6)
        if fields:
            column.addWidget(label(tr("Attributes"), "section"))
        for field in fields:
            editor = self._editor(field)
            self.editors[field.name] = editor
            column.addLayout(captioned(field.name, editor))
            if field.fixed:
                editor.setEnabled(False)
                why = label(written(field.fixed), "caption")
                why.setContentsMargins(CAPTION_PX + 8, 0, 0, 0)
                column.addWidget(why)

    def _editor(self, field: AttributeField) -> QLineEdit | ChoiceField:
        hint = tip(field.name, field.help)
        if field.choices:
            words = [shown_value(choice, field.kind) for choice in field.choices]
            choice = ChoiceField(field.name, words, words)
            choice.show_value(shown_value(field.text or field.default, field.kind))
            choice.currentIndexChanged.connect(lambda _: self._commit(field))
            choice.setToolTip(hint)
            return choice
        line = QLineEdit(shown_value(field.text, field.kind))
        line.setCursorPosition(0)
        line.setPlaceholderText(shown_value(field.default, field.kind) or tr("not set"))
        line.editingFinished.connect(lambda: self._commit(field))
        line.textEdited.connect(lambda _: self._debounce.call())
        line.setToolTip(hint)
        return line

    def _text(self, field: AttributeField) -> str:
        editor = self.editors[field.name]
        text = editor.value if isinstance(editor, ChoiceField) else editor.text()
        return json_value(text, field.kind)

    def _commit(self, field: AttributeField) -> None:
        text = self._text(field)
        before = json_value(shown_value(field.text, field.kind), field.kind)
        if text != before and not (not field.text and text == field.default):
            self.committed.emit(field.name, text)
        self.changed.emit()

    @property
    def values(self) -> Mapping[str, str]:
        """Return the attributes that differ from their defaults, in JSON."""
        texts = {name: self._text(field) for name, field in self._fields.items()}
        return {
            name: text
            for name, text in texts.items()
            if text and text != self._fields[name].default
        }


class TextField(QLineEdit):
    """A line that says what was typed when it is finished, with Return or by leaving it."""

    committed = Signal(str)

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._before = text
        self.setCursorPosition(0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.editingFinished.connect(self._commit)

    def _commit(self) -> None:
        text = self.text().strip()
        if text and text != self._before:
            self._before = text
            self.committed.emit(text)
