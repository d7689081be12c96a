"""One output of a model in the Preview: classes, picture, text, numbers or tensor."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QPlainTextEdit, QVBoxLayout, QWidget

from inspector.preview.families import output_meanings
from inspector.preview.inputs.image_files import Picture
from inspector.preview.outputs import results
from inspector.ui import commands, units
from inspector.ui.tabs.preview.outputs.class_bars import ClassBars, ScoreBody
from inspector.ui.tabs.preview.outputs.embedding_output import EmbeddingBody
from inspector.ui.tabs.preview.outputs.image_output import ImageBody
from inspector.ui.tabs.preview.outputs.tensor_output import TensorBody
from inspector.ui.tabs.preview.outputs.text_output import GeneratedTextBody
from inspector.ui.tabs.preview.outputs.time_series_output import (
    AudioBody,
    HeatBody,
    OverTimeBody,
)
from inspector.ui.tabs.preview.read_outputs import Reading
from inspector.ui.translate import mark, plural, tr, tr_message
from inspector.ui.widgets.parts import (
    Card,
    Elided,
    Segmented,
    add_to,
    button,
    column_of,
    label,
    row,
    show_in_place,
    tool,
    wrapped,
)
from inspector.ui.widgets.theme import Theme, font

# What a chosen view says of an output, to be saved for the model.
MEANINGS = {
    results.CLASSES: output_meanings.CLASSES,
    results.IMAGE: output_meanings.IMAGE,
    results.NUMBERS: output_meanings.NUMBERS,
    results.TENSOR: output_meanings.NUMBERS,
    results.EMBEDDING: output_meanings.EMBEDDING,
}
WORDS = {
    results.OVER_TIME: mark("Over time"),
    results.HEAT: mark("Heat map"),
    results.AUDIO: mark("Audio"),
    results.CLASSES: mark("Classes"),
    results.IMAGE: mark("Image"),
    results.TEXT: mark("Text"),
    results.NUMBERS: mark("Values"),
    results.TENSOR: mark("Tensor"),
    results.DECODED_TEXT: mark("Text"),
    results.EMBEDDING: mark("Similarity"),
    results.SCORES: mark("Scores"),
}


class ClassesBody(QWidget):
    """The highest classes, and where their labels come from."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        column = _column(self)
        self._reading: Reading | None = None
        self._bars = ClassBars(theme)
        self._softmax = QCheckBox(tr("As probabilities (softmax)"))
        self._labels = Elided("", "caption")
        choose = button(theme, tr("Class names…"), then=commands.runner(self, "preview/labels"))
        self._note = wrapped("", "caution")
        add_to(column, self._bars, self._note, self._softmax)
        column.addLayout(row((self._labels, 1), choose))
        self._softmax.toggled.connect(self._refresh)

    def show_reading(self, reading: Reading, before: Picture | None, labels: str) -> None:
        """Show another answer."""
        own_labels = tr("The class names come from an output of the model")
        self._labels.set_text(own_labels if reading.output.keys else labels)
        if self._reading is None:  # what has neither names nor evidence may be no classes
            self._softmax.setChecked(reading.labelled or reading.forms[0] == results.CLASSES)
        self._softmax.setVisible(any(row.logits for row in reading.classes))
        self._reading = reading
        note = next((classes.note for classes in reading.classes if classes.note), "")
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self._bars.show_classes(reading.classes, self._softmax.isChecked())

    def _refresh(self) -> None:
        if self._reading is not None:
            self._bars.show_classes(self._reading.classes, self._softmax.isChecked())


class TextBody(QWidget):
    """Texts, and what has no form as one array."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        column = _column(self)
        self._field = QPlainTextEdit()
        self._field.setReadOnly(True)
        self._field.setFrameShape(QFrame.Shape.NoFrame)
        self._field.setFont(font(12, mono=True))
        self._field.setAccessibleName(tr("Output text"))
        column.addWidget(self._field)

    def show_reading(self, reading: Reading, before: Picture | None, labels: str) -> None:
        """Show another answer."""
        self._field.setPlainText(reading.text or "(empty)")
        lines = min(10, reading.text.count("\n") + 1)
        self._field.setFixedHeight(14 + 17 * lines)


class NumbersBody(QWidget):
    """A few values, large."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        column = _column(self)
        self._words = label("", "title", selectable=True, wraps=True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        column.addWidget(self._words)

    def show_reading(self, reading: Reading, before: Picture | None, labels: str) -> None:
        """Show another answer."""
        self._words.setText(reading.numbers)


Body = (
    ClassesBody
    | OverTimeBody
    | HeatBody
    | AudioBody
    | ImageBody
    | TextBody
    | NumbersBody
    | TensorBody
    | GeneratedTextBody
    | EmbeddingBody
    | ScoreBody
)
BODIES: dict[str, type[Body]] = {
    results.OVER_TIME: OverTimeBody,
    results.HEAT: HeatBody,
    results.AUDIO: AudioBody,
    results.CLASSES: ClassesBody,
    results.IMAGE: ImageBody,
    results.TEXT: TextBody,
    results.NUMBERS: NumbersBody,
    results.TENSOR: TensorBody,
    results.DECODED_TEXT: GeneratedTextBody,
    results.EMBEDDING: EmbeddingBody,
    results.SCORES: ScoreBody,
}


def _column(home: QWidget, spacing: int = 8) -> QVBoxLayout:
    return column_of(on=home, spacing=spacing)


class OutputView(Card):
    """Keeps the chosen way of reading from one answer to the next."""

    meaning_chosen = Signal(str, str)  # name of the output, what it means

    def __init__(self, theme: Theme, reading: Reading) -> None:
        super().__init__(theme)
        self._theme, self.name, self.forms = theme, reading.output.name, reading.forms
        self._bodies: dict[str, Body] = {}
        self.switch = Segmented(theme, [WORDS[view] for view in self.forms], 78)
        self.switch.setAccessibleName(
            tr("View of {name}").format(name=units.clip(self.name, 60))
        )
        show_in_place(self.switch, len(self.forms) > 1)
        save = tool(
            theme, "save", tr("Save output {name}…").format(name=units.clip(self.name, 60))
        )
        save.clicked.connect(commands.runner(self, "preview/save", self.name))
        head = row((Elided(_heading(reading), "heading"), 1), self.switch, save)
        self._shape = Elided("", "mono", Qt.TextElideMode.ElideRight)
        add_to(self.body, head, self._shape)
        self.switch.chosen.connect(self._turn)
        self._reading, self._labels = reading, ""
        self._before: Picture | None = None

    def show_reading(self, reading: Reading, before: Picture | None, labels: str) -> None:
        """Show another answer; `before` stands beside a picture, `labels` is their source."""
        self._reading, self._before, self._labels = reading, before, labels
        output = reading.output
        form = self.forms[self.switch.current]
        # A heat map says what its colors stand for.
        plain = form not in (results.TENSOR, results.HEAT) and output.kind == "tensor"
        summary = _summary(reading) if plain else ""
        shape = units.shape(output.shape) if output.array is not None else output.kind
        if output.parts:
            shape = plural(len(output.parts), "tensor")
        name = f"{output.name} · " if reading.meaning is not None else ""
        self._shape.set_text(f"{name}{output.type_text} {shape}{summary}")
        self._body().show_reading(reading, before, labels)

    @property
    def writer(self) -> GeneratedTextBody | None:
        """Return where a text is written on, if that was looked at."""
        body = self._bodies.get(results.DECODED_TEXT)
        return body if isinstance(body, GeneratedTextBody) else None

    def _turn(self) -> None:
        meaning = MEANINGS.get(self.forms[self.switch.current])
        if meaning is not None:
            self.meaning_chosen.emit(self.name, meaning)
        self._body().show_reading(self._reading, self._before, self._labels)

    def _body(self) -> Body:
        """Bring the view that the switch chose to the front, made if need be; return it."""
        view = self.forms[self.switch.current]
        if view not in self._bodies:
            made = self._bodies[view] = BODIES[view](self._theme)
            self.body.addWidget(made)
        for other, body in self._bodies.items():
            body.setVisible(other == view)
        return self._bodies[view]


def _summary(reading: Reading) -> str:
    """The statistics in one line, for the ways that do not show them."""
    statistics = reading.statistics
    if statistics is None or statistics.minimum == statistics.maximum:
        return ""
    odd = "".join(
        f" · {units.count(number)} {name}"
        for name, number in ((tr("NaN"), statistics.nan), (tr("infinite"), statistics.infinite))
        if number
    )
    return tr(" · raw values {minimum:.4g} to {maximum:.4g} · mean {mean:.4g}{odd}").format(
        minimum=statistics.minimum, maximum=statistics.maximum, mean=statistics.mean, odd=odd
    )


def _heading(reading: Reading) -> str:
    """Return what an output holds, or its name as a title; a number says that it is a name."""
    name = reading.output.name
    if reading.meaning is not None:
        return tr_message(reading.meaning.title)
    if not name.isdecimal():
        return name or tr("(no name)")
    return tr("Output “{name}”").format(name=name)
