"""The ways to show one output: classes, picture, text, numbers, tensor."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QPlainTextEdit, QVBoxLayout, QWidget

from inspector.preview.inputs.image_files import Picture
from inspector.preview.outputs import results
from inspector.ui.tabs.overview.about import wrapped
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
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import Elided, button, label, row
from inspector.ui.widgets.theme import Theme, font


class ClassesBody(QWidget):
    """The highest classes, and where their labels come from."""

    labels_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        column = _column(self)
        self._reading: Reading | None = None
        self._bars = ClassBars(theme)
        self._softmax = QCheckBox(tr("As probabilities (softmax)"))
        self._labels = Elided("", "caption")
        choose = button(theme, tr("Labels…"))
        choose.clicked.connect(self.labels_asked)
        self._note = wrapped("", "caution")
        column.addWidget(self._bars)
        column.addWidget(self._note)
        column.addWidget(self._softmax)
        line = row(self._labels, choose)
        line.setStretch(0, 1)
        column.addLayout(line)
        self._softmax.toggled.connect(self._refresh)

    def show_reading(self, reading: Reading, before: Picture | None, labels: str) -> None:
        """Show another answer."""
        own_labels = tr("Labels come from the model's output")
        self._labels.set_text(own_labels if reading.output.keys else labels)
        if self._reading is None:  # what has no names may be no classes at all
            self._softmax.setChecked(reading.labelled)
        self._softmax.setVisible(any(row.logits for row in reading.classes))
        self._reading = reading
        note = next((found.note for found in reading.classes if found.note), "")
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
        self._field.setAccessibleName(tr("Text of the output"))
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
        self._words = label("", "title", selectable=True)
        self._words.setWordWrap(True)
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
    column = QVBoxLayout(home)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(spacing)
    return column
