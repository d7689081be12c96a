"""The ways to show one output: classes, picture, text, numbers, tensor."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from inspector.preview import results
from inspector.preview.picture import Picture
from inspector.ui.kit.parts import Elided, button, label, row
from inspector.ui.kit.theme import Theme, font
from inspector.ui.overview.about import wrapped
from inspector.ui.preview.class_bars import ClassBars
from inspector.ui.preview.picture_view import PictureView
from inspector.ui.preview.reading import Reading
from inspector.ui.preview.tensor_view import TensorView
from inspector.ui.preview.time_bodies import HeatBody, OverTimeBody, SoundBody

PICTURE_HEIGHT = 240


class ClassesBody(QWidget):
    """The highest classes, and where their labels come from."""

    labels_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        column = _column(self)
        self._reading: Reading | None = None
        self._bars = ClassBars(theme)
        self._softmax = QCheckBox("As probabilities (softmax)")
        self._labels = Elided("", "caption")
        choose = button(theme, "Labels…")
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
        self._labels.set_text("Names come with the output" if reading.output.keys else labels)
        if self._reading is None:  # what has no names may be no classes at all
            self._softmax.setChecked(reading.labelled)
        self._softmax.setVisible(any(row.logits for row in reading.classes))
        self._reading = reading
        note = next((found.note for found in reading.classes if found.note), "")
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self._refresh()

    def _refresh(self) -> None:
        if self._reading is not None:
            self._bars.show_classes(self._reading.classes, self._softmax.isChecked())


class PictureBody(QWidget):
    """The output as a picture, beside the one it was made from."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        column = _column(self)
        pictures = QHBoxLayout()
        pictures.setSpacing(8)
        self._before = PictureView(theme, "Before", PICTURE_HEIGHT)
        self._after = PictureView(theme, "After", PICTURE_HEIGHT)
        self._before_words, self._after_words = Elided("", "caption"), Elided("", "caption")
        self._first = QWidget()
        for home, picture, words in (
            (self._first, self._before, self._before_words),
            (QWidget(), self._after, self._after_words),
        ):
            inner = _column(home, spacing=4)
            inner.addWidget(picture)
            inner.addWidget(words)
            pictures.addWidget(home, 1)
        column.addLayout(pictures)

    def show_reading(self, reading: Reading, before: Picture | None, labels: str) -> None:
        """Show another answer."""
        shown = reading.shown
        assert shown is not None, "only an output that reads as a picture gets here"
        self._first.setVisible(before is not None)
        self._before.show_picture(before)
        if before is not None:
            self._before_words.set_text(f"Before · {before.shape[1]} × {before.shape[0]}")
        self._after.show_picture(shown.picture)
        height, width = shown.picture.shape[:2]
        values = f"{shown.low:.4g}..{shown.high:.4g} as black..white"
        self._after_words.set_text(f"After · {width} × {height} · {values}")


class TextBody(QWidget):
    """Texts, and what has no form as one array."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        column = _column(self)
        self._field = QPlainTextEdit()
        self._field.setReadOnly(True)
        self._field.setFrameShape(QFrame.Shape.NoFrame)
        self._field.setFont(font(12, mono=True))
        self._field.setAccessibleName("Text of the output")
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


class TensorBody(QWidget):
    """Statistics and first elements."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        column = _column(self)
        self._view = TensorView(theme)
        column.addWidget(self._view)

    def show_reading(self, reading: Reading, before: Picture | None, labels: str) -> None:
        """Show another answer."""
        self._view.show_reading(reading)


Body = (
    ClassesBody
    | OverTimeBody
    | HeatBody
    | SoundBody
    | PictureBody
    | TextBody
    | NumbersBody
    | TensorBody
)
BODIES: dict[str, type[Body]] = {
    results.OVER_TIME: OverTimeBody,
    results.HEAT: HeatBody,
    results.SOUND: SoundBody,
    results.CLASSES: ClassesBody,
    results.PICTURE: PictureBody,
    results.TEXT: TextBody,
    results.NUMBERS: NumbersBody,
    results.TENSOR: TensorBody,
}


def _column(home: QWidget, spacing: int = 8) -> QVBoxLayout:
    column = QVBoxLayout(home)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(spacing)
    return column
