"""The pane at the right in edit mode: what is selected as a form, and the list of edits."""

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from inspector.app.changing.editing import EditState, Preview
from inspector.conversion.action import Step
from inspector.conversion.edits import choices
from inspector.model.display_names import elided, fit_line
from inspector.model.model import UNNAMED_DOMAINS, Axis, Layer, Model, TensorInfo
from inspector.ui import units
from inspector.ui.documents.edits.editing import Edit, Editing
from inspector.ui.graph.editing.canvas import Target
from inspector.ui.graph.editing.fields import AttributeForm, TextField, captioned
from inspector.ui.graph.editing.offers import TYPES, end_of_model
from inspector.ui.graph.editing.previewing import Connections, mark_word
from inspector.ui.graph.editing.strip import CheckSign
from inspector.ui.translate import plural, tr, written
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.layouts import scroll_down
from inspector.ui.widgets.parts import (
    Elided,
    Link,
    add_to,
    column_of,
    hairline,
    label,
    row,
    tip,
    tool,
    wrapped,
)
from inspector.ui.widgets.theme import Theme, qt_color
from inspector.wording.values import Joined, Name, Sentence

_DASHED_RADIUS = 6
_NUMBER_PX = 14
_END = Qt.TextElideMode.ElideRight
_LONG_LINE = 34  # letters of a name, a shape and a type that find room in a line
_MOST_FIELDS = 24  # metadata entries, outputs of a layer
_OURS = "inspector."  # begins the metadata that this program writes and reads


class EditPane(QWidget):
    """Follows the selection and the edits; tells which edit a field asks for.

    asked: a Step to apply. remove_asked: the place of an edit. recipe_asked: to save them.
    """

    asked = Signal(object)
    remove_asked = Signal(int)
    recipe_asked = Signal()
    weight_asked = Signal(str)
    target_asked = Signal(object)  # a Target that is to be selected

    def __init__(self, theme: Theme, editing: Editing, name: str) -> None:
        super().__init__()
        self._theme, self._editing, self._name = theme, editing, name
        self._target = Target()
        self._shown_model: Model | None = None
        self._connections: Connections | None = None
        self._preview: tuple[Preview, bool] | None = None
        self.form: AttributeForm | None = None
        self._scroll = QScrollArea()
        scroll_down(self._scroll)
        self._scroll.setAccessibleName(tr("Edit"))
        page = QWidget()
        self._column = column_of(on=page, spacing=8, margins=(20,) * 4)
        self._subject = QWidget()
        self.problem = wrapped("", "bad")
        self._list = QWidget()
        self._effect, self._more = QWidget(), QWidget()  # more: of the model
        add_to(self._column, self._subject, self.problem, self._list, self._effect, self._more)
        self._column.addStretch(1)
        self._scroll.setWidget(page)
        column_of(self._scroll, on=self, margins=(1, 0, 0, 0))
        self.problem.hide()
        self.show_edits()
        theme.changed.connect(self._dress)

    def _dress(self) -> None:
        """Show everything in the colors of the theme."""
        self._shown_model = None
        self.show_target(self._target, self._connections)
        self.show_edits()

    def follow(self, target: Target) -> None:
        """Take what an edit made of the target for the same one: its form keeps the focus."""
        self._target = target

    def show_target(
        self, target: Target, connections: Connections | None, anew: bool = False
    ) -> None:
        """Show the form of what is selected, unless it is shown already.

        anew: also then, as more is known of it; not while something is typed.
        """
        if anew and not (_focused_name(self._subject) or _focused_name(self._more)):
            self._shown_model = None
        model = self._editing.model
        self._connections = connections
        if connections is None or (target == self._target and model is self._shown_model):
            return
        same = target == self._target
        focused = _focused_name(self._subject) or _focused_name(self._more)
        self._target, self._shown_model = target, model
        self.problem.hide()
        fresh, column = _column(8)
        more, more_column = _column(8)
        self.form = None
        if len(target.layers) > 1:
            column.addWidget(label(plural(len(target.layers), "layer"), "title"))
            names = (model.layers[layer].label for layer in target.layers)
            column.addWidget(wrapped(units.clip(", ".join(names), 300)))
        elif target.layers and target.layers[0] < len(model.layers):
            self._layer(column, model, model.layers[target.layers[0]], connections)
        elif target.end and (value := end_of_model(model, target)) is not None:
            self._end(column, model, value, target.end)
        elif target.tensor:
            self._tensor(column, target.tensor, connections)
        else:
            self._model(column, model)
            self._metadata(more_column, model)
        self._replace("_subject", fresh)
        self._replace("_more", more)
        for holder in (fresh, more) if same and focused else ():
            _focus(holder, focused)

    def focus_form(self) -> None:
        """Put the cursor into the first field of what is selected."""
        fields = [*self._subject.findChildren(QWidget), *self._more.findChildren(QWidget)]
        editable = (f for f in fields if isinstance(f, QLineEdit | ChoiceField))
        first: QWidget | None = next((f for f in editable if f.isEnabled()), None)
        if self.form is not None:
            editors = (e for e in self.form.editors.values() if e.isEnabled())
            first = next(editors, first)
        if first is not None:
            first.setFocus()
            self._scroll.ensureWidgetVisible(first)

    def show_problem(self, text: str) -> None:
        """Say why what was typed cannot be done; "" for nothing."""
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    def show_preview(self, preview: Preview | None, pinned: bool = False) -> None:
        """Show what is previewed below the edits. pinned: until Return or Escape."""
        self._preview = (preview, pinned) if preview is not None else None
        self.show_edits()

    def show_edits(self) -> None:
        """Show the list of edits, what is previewed, and what that does to the model."""
        editing = self._editing
        fresh, column = _column(2)
        column.addWidget(hairline())
        head = row(label(tr("Edits"), "section"), None)
        if editing.steps:
            hint = tr("A recipe is a file that repeats these edits on other models.")
            link = Link(self._theme, tr("Save recipe…"), hint)
            link.setSizePolicy(link.sizePolicy().Policy.Fixed, link.sizePolicy().Policy.Fixed)
            link.clicked.connect(self.recipe_asked)
            head.addWidget(link)
        head.setContentsMargins(0, 8, 0, 2)
        column.addLayout(head)
        for place, edit in enumerate(editing.edits):
            column.addWidget(
                _EditLine(self._theme, editing, place, edit, self.remove_asked.emit)
            )
        if self._preview is not None:
            preview, pinned = self._preview
            column.addWidget(_PreviewLine(self._theme, len(editing.steps) + 1, preview, pinned))
        elif not editing.steps:
            column.addWidget(
                wrapped(tr("No edits yet. Right-click a layer, an input or an output."))
            )
        focused = _focused_name(self._list)
        self._replace("_list", fresh)
        if focused:
            _focus(fresh, focused)
        self._show_effect()

    def _show_effect(self) -> None:
        fresh, column = _column(6)
        if self._preview is not None:
            preview, _ = self._preview
            add_to(column, hairline(), label(tr("With the preview"), "section"))
            for title, (before, after), shown in (
                (tr("Layers"), preview.layers, units.number),
                (tr("Weights"), preview.weight_bytes, units.size),
            ):
                text = shown(before) if before == after else f"{shown(before)} → {shown(after)}"
                column.addLayout(row(label(title, "secondary"), None, label(text, "value")))
        self._replace("_effect", fresh)

    def _replace(self, name: str, fresh: QWidget) -> None:
        """Put a part in the place of the one before, which goes after the present event."""
        old: QWidget = getattr(self, name)
        place = self._column.indexOf(old)
        self._column.removeWidget(old)
        old.hide()
        old.deleteLater()
        self._column.insertWidget(place, fresh)
        setattr(self, name, fresh)

    def _ask(self, step: Step) -> None:
        """Ask for an edit, after the event of the field, which may not outlive it."""
        QTimer.singleShot(0, self, lambda: self.asked.emit(step))

    # The forms of what can be selected.

    def _layer(
        self, column: QVBoxLayout, model: Model, layer: Layer, connections: Connections
    ) -> None:
        scope, leaf = units.scope_and_name(layer.label)
        column.addWidget(Elided(leaf or layer.label, "title"))
        place = tr("layer {number} of {count}").format(
            number=units.number(layer.index + 1), count=units.number(len(model.layers))
        )
        where = scope.strip("/").replace("/", " / ")
        column.addWidget(Elided(f"{where} · {place}" if where else place, "secondary"))
        mark = self._editing.marks.get(layer.index)
        badges = [layer.operator, *([mark_word(mark)] if mark is not None else [])]
        if layer.domain not in UNNAMED_DOMAINS:
            badges.append(layer.domain)
        column.addWidget(_badges(self._theme, badges))
        fields = choices.attribute_fields(model, layer.index)
        if fields:
            column.addWidget(hairline())
            self.form = AttributeForm(self._theme, fields)
            self.form.committed.connect(
                lambda name, text: self._ask(
                    choices.set_attribute(model, layer.index, name, text)
                )
            )
            column.addWidget(self.form)
        column.addWidget(hairline())
        name = TextField(layer.name)
        name.committed.connect(
            lambda text: self._ask(choices.rename_layer(model, layer.index, text))
        )
        self._named(column, tr("Layer name"), name)
        outputs = [output for output in layer.outputs if output][:_MOST_FIELDS]
        for number, output in enumerate(outputs):
            caption = tr("Output name")
            if len(outputs) > 1:
                caption = tr("Name of output {number}").format(number=number + 1)
            self._value_name(column, caption, output, connections)
        self._weights(column, model, layer)

    def _named(self, column: QVBoxLayout, caption: str, field: QLineEdit) -> None:
        """Add a field for a name, which may be long, with its words above it."""
        column.addWidget(label(caption, "section"))
        field.setAccessibleName(caption)
        field.setToolTip(tip(field.text()))
        column.addWidget(field)

    def _value_name(
        self, column: QVBoxLayout, caption: str, tensor: str, connections: Connections
    ) -> None:
        field = TextField(tensor)
        field.committed.connect(lambda text: self._ask(choices.rename_value(tensor, text)))
        self._named(column, caption, field)
        value = connections.values.get(tensor)
        kind = f"{units.shape(value.shape)} {value.dtype}" if value is not None else ""
        users = connections.taken_by(tensor)
        model = connections.model
        ends = []
        if tensor in (each.name for each in model.inputs):
            ends.append(tr("input of the model"))
        if users:
            ends.append(tr("read by {layers}").format(layers=plural(users, "layer")))
        if tensor in (each.name for each in model.outputs):
            ends.append(tr("output of the model"))
        column.addWidget(Elided(" · ".join(filter(None, (kind, *ends))), "caption", _END))

    def _weights(self, column: QVBoxLayout, model: Model, layer: Layer) -> None:
        known = {weight.name: weight for weight in model.weights}
        weights = [known[name] for name in layer.inputs if name in known][:_MOST_FIELDS]
        if not weights:
            return
        add_to(column, hairline(), label(tr("Weights"), "section"))
        for weight in weights:
            link = Link(
                self._theme,
                weight.name,
                tr("Replace the values of {name} by those of a .npy file").format(
                    name=units.clip(weight.name, 60)
                ),
            )
            link.clicked.connect(partial(self.weight_asked.emit, weight.name))
            shape = label(f"{units.shape(weight.shape)} {weight.dtype}", "mono")
            column.addLayout(row((link, 1), shape))

    def _end(self, column: QVBoxLayout, model: Model, value: TensorInfo, end: str) -> None:
        column.addWidget(Elided(value.name, "title"))
        kind = tr("Input") if end == "input" else tr("Output")
        add_to(column, _badges(self._theme, [kind]), hairline())
        name = TextField(value.name)
        name.committed.connect(lambda text: self._ask(choices.rename_value(value.name, text)))
        column.addLayout(captioned(tr("Name"), name))
        types = [*dict.fromkeys((value.dtype, *TYPES))]
        field = ChoiceField(tr("Type"), types, types)
        field.show_value(value.dtype)
        field.currentIndexChanged.connect(
            lambda _: self._ask(choices.set_type(value.name, field.value))
        )
        column.addLayout(captioned(tr("Type"), field))
        if not value.shape or end != "input":
            return
        add_to(column, hairline(), label(tr("Axes"), "section"))
        for axis, length in enumerate(value.shape):
            line = TextField("" if length is None else str(length))
            line.setPlaceholderText(tr("any length"))
            line.committed.connect(partial(self._set_axis, value.name, axis, length))
            column.addLayout(captioned(tr("Axis {number}").format(number=axis), line))
        column.addWidget(wrapped(tr("A number fixes an axis; a name makes it dynamic.")))

    def _set_axis(self, name: str, axis: int, before: Axis, text: str) -> None:
        """Ask for another length of an axis: a number fixes it, a name makes it dynamic."""
        if text.isdecimal():
            place = before if isinstance(before, str) else f"{name}[{axis}]"
            self._ask(choices.set_axis(place, int(text)))
        elif isinstance(before, str):
            self._ask(choices.rename_axis(before, text))
        else:
            self._ask(choices.free_axis(name, axis, text))

    def _tensor(self, column: QVBoxLayout, tensor: str, connections: Connections) -> None:
        scope, leaf = units.scope_and_name(tensor)
        column.addWidget(Elided(leaf or tensor, "title"))
        if scope:
            column.addWidget(Elided(scope.replace("/", " / "), "secondary"))
        add_to(column, _badges(self._theme, [tr("Tensor")]), hairline())
        self._value_name(column, tr("Name"), tensor, connections)

    def _model(self, column: QVBoxLayout, model: Model) -> None:
        column.addWidget(Elided(self._name, "title"))
        column.addWidget(label(plural(len(model.layers), "layer"), "secondary"))
        for heading, ends, kind in (
            (tr("Inputs"), model.inputs, "input"), (tr("Outputs"), model.outputs, "output")
        ):  # fmt: skip
            add_to(column, hairline(), label(heading, "section"))
            for value in ends[:_MOST_FIELDS]:
                link = Link(self._theme, value.name, tr("Edit name, type and axes"))
                target = Target((), value.name, kind)
                link.clicked.connect(partial(self._ask_target, target))
                text = f"{units.shape(value.shape)} {units.clip(value.dtype, 24)}"
                shape = label(text, "mono")
                if len(value.name) + len(text) > _LONG_LINE:
                    add_to(column, link, row(None, shape))
                    continue
                column.addLayout(row((link, 1), shape))

    def _ask_target(self, target: Target) -> None:
        """Ask for what is selected, after the click, which the page does not survive."""
        QTimer.singleShot(0, self, lambda: self.target_asked.emit(target))

    def _metadata(self, column: QVBoxLayout, model: Model) -> None:
        add_to(column, hairline(), label(tr("Metadata"), "section"))
        own = [(key, text) for key, text in model.metadata if not key.startswith(_OURS)]
        for key, text in own[:_MOST_FIELDS]:
            field = QLineEdit(text)
            field.setCursorPosition(0)
            field.editingFinished.connect(partial(self._set_entry, field, key, text))
            column.addWidget(Elided(key, "secondary"))
            field.setAccessibleName(key)
            column.addWidget(field)
        key_field, value_field = QLineEdit(), QLineEdit()
        key_field.setPlaceholderText(tr("new entry"))

        def add_entry() -> None:
            key, value = key_field.text().strip(), value_field.text().strip()
            if key and value:
                self._ask(choices.metadata(key, value))

        value_field.returnPressed.connect(add_entry)
        column.addLayout(captioned(tr("Name"), key_field))
        column.addLayout(captioned(tr("Value"), value_field))
        column.addWidget(wrapped(tr("An empty value removes an entry.")))

    def _set_entry(self, field: QLineEdit, key: str, before: str) -> None:
        if field.text() != before:
            self._ask(choices.metadata(key, field.text()))


class _Title(Elided):
    """What an edit is called; names in it lose their first scopes where there is no room."""

    def __init__(self, title: str) -> None:
        super().__init__(written(title), "value")
        self._names = tuple(_names_in(title))
        self.setStyleSheet("font-weight: 600;")

    def fitting(self) -> str:
        """Return the title with names as they fit."""
        text, width = self.text(), self.fontMetrics().horizontalAdvance
        for name in self._names:
            room = self.width() - width(text) + width(name)
            text = text.replace(name, fit_line(name, max(room, 0), width))
        return elided(text, self.width(), width)


def _names_in(title: object) -> Iterator[str]:
    """Yield the names that stand in a sentence."""
    if isinstance(title, Name):
        yield title.text
    elif isinstance(title, Sentence | Joined):
        parts = title.values.values() if isinstance(title, Sentence) else title.parts
        for part in parts:
            yield from _names_in(part)


class _EditLine(QWidget):
    """An edit of the list: number, what it does, its check, and a way to undo it."""

    def __init__(
        self,
        theme: Theme,
        editing: Editing,
        place: int,
        edit: Edit,
        remove: Callable[[int], object],
    ) -> None:
        super().__init__()
        line = row(on=self, spacing=6, margins=(0, 4, 0, 4))
        number = label(str(place + 1), "caption")
        number.setFixedWidth(_NUMBER_PX)
        texts = column_of(_Title(edit.title), spacing=1)
        detail = Elided(written(edit.problem or edit.detail), "caption")
        if edit.problem:
            detail.setProperty("role", "bad")
        texts.addWidget(detail)
        sign = CheckSign(theme)
        state = editing.verdict.state
        failing = bool(edit.problem) or (
            state in (EditState.STOPS, EditState.FAILS) and place == len(editing.steps) - 1
        )
        sign.show_state(EditState.FAILS if failing else state)
        close = tool(theme, "close", tr("Undo edit {number}").format(number=place + 1))
        close.clicked.connect(lambda: remove(place))
        add_to(line, number, (texts, 1), sign, close)


class _PreviewLine(QFrame):
    """What is previewed, in a dashed frame."""

    def __init__(self, theme: Theme, number: int, preview: Preview, pinned: bool) -> None:
        super().__init__()
        self._theme = theme
        line = row(on=self, spacing=6, margins=(8, 6, 8, 6))
        place = label(str(number), "caption")
        place.setFixedWidth(_NUMBER_PX - 2)
        texts = column_of(_Title(preview.title), spacing=1)
        detail = written(preview.detail)
        below = " · ".join(filter(None, (detail, tr("preview"))))
        texts.addWidget(Elided(below, "caption", _END))
        line.addWidget(place)
        line.addLayout(texts, 1)
        line.addWidget(label(tr("Enter") if pinned else tr("Click"), "caption"))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the frame."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(qt_color(self._theme.palette.accent), 1.2)
        pen.setDashPattern([4.0, 3.0])
        painter.setPen(pen)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.drawRoundedRect(box, _DASHED_RADIUS, _DASHED_RADIUS)


def _column(spacing: int) -> tuple[QWidget, QVBoxLayout]:
    holder = QWidget()
    return holder, column_of(on=holder, spacing=spacing)


def _badges(theme: Theme, texts: list[str]) -> QWidget:
    holder = QWidget()
    line = row(on=holder, spacing=6)
    look = theme.palette
    for text in texts:
        made = label(units.clip(text, 40))
        made.setStyleSheet(
            f"background: {look.track}; color: {look.secondary}; border-radius: 5px;"
            "padding: 2px 8px; font-size: 11px; font-weight: 500;"
        )
        line.addWidget(made)
    line.addStretch(1)
    return holder


def _focused_name(within: QWidget) -> str:
    """Return the name of what has the focus within a part that is about to be made anew."""
    focused = QApplication.focusWidget()
    inside = focused is not None and within.isAncestorOf(focused)
    return focused.accessibleName() if focused is not None and inside else ""


def _focus(within: QWidget, name: str) -> None:
    for each in within.findChildren(QWidget):
        takes_keys = each.focusPolicy() != Qt.FocusPolicy.NoFocus and each.isEnabled()
        if each.accessibleName() == name and takes_keys:
            each.setFocus()
            return
