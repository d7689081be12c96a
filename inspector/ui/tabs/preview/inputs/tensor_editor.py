"""An input that is no picture: filled by a recipe or from a file."""

from pathlib import Path
from random import randrange

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from inspector.errors import InspectorError
from inspector.model.model import TensorInfo
from inspector.model.tensors.element_types import Tensor
from inspector.preview.inputs import audio, image_files, npy_files, table, text_values
from inspector.ui import units
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.weight_reading import View, first_view
from inspector.ui.tabs.preview.fill_inputs import ValuesChoice
from inspector.ui.tabs.preview.outputs.tensor_output import PlaneModel, PlaneTable
from inspector.ui.tabs.weights.slice_picker import SlicePicker
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.fields import NumberField
from inspector.ui.widgets.parts import (
    Elided,
    Segmented,
    add_to,
    button,
    column_of,
    label,
    row,
    show_in_place,
    wrapped,
)
from inspector.ui.widgets.theme import Theme

WAYS = (mark("Default"), mark("Zeros"), mark("Ones"), mark("Random"), mark("File"))
USUAL, ZEROS, ONES, RANDOM, FILE, TEXT = range(6)
FILES = mark("Values ({patterns});;All files (*)")
_RAW = (".bin", ".raw")  # files of numbers without a header
_ARRAYS = (".npy", ".npz", ".pb", ".csv", ".json", ".txt", *_RAW)  # files that hold numbers
_LARGEST_SEED = 999_999
_SHOWN_BYTES = 2000  # of a text file, from its beginning
_SHOWN_LETTERS = 300
MOST = 4_000_000


class NumberEditor(QWidget):
    """One choice of six, of which the last is a text, or numbers; below it what it needs.

    sample_text: the text to begin with, which fills the input by default, too.
    """

    changed = Signal()
    sample_chosen = Signal(Path)  # its file: of values, or of what else fills the input

    def __init__(
        self,
        theme: Theme,
        samples: tuple[Path, ...],
        takes_text: bool = False,
        sample_text: str = "",
    ) -> None:
        super().__init__()
        self._file: Path | None = None
        self._cast = False
        self._samples, self._tried = samples, 0
        typed = tr("Text") if takes_text else tr("Type")
        self.source_switch = Segmented(theme, (*WAYS, typed), 60, name=tr("Values"))
        self.text = QLineEdit()
        self.text.setText(sample_text)
        self.text.setPlaceholderText(tr("Enter text") if takes_text else "[[5.1, 3.5, 1.4]]")
        self.text.setAccessibleName(tr("Text") if takes_text else tr("Numbers"))
        self.seed = NumberField(tr("Seed"), _LARGEST_SEED)
        self.roll = button(theme, tr("Randomize"))
        self._seeding = _line(row(label(tr("Seed"), "secondary"), self.seed, self.roll, None))
        self._name = Elided("", "value")
        self.open = button(theme, tr("Open…"), "open", then=self._ask)
        self._filing = _line(row(self._name, self.open, stretch=0))
        self.layout_of_raw = QLineEdit()
        self.layout_of_raw.setAccessibleName(tr("Type and shape of the file"))
        self.layout_of_raw.setPlaceholderText(tr("uint8:1x28x28, or empty: as the input"))
        self._takes_text = takes_text
        self.content = wrapped("", "value")
        self.content.setAccessibleName(tr("Text"))
        self.sample = button(theme, tr("Use a sample"), role="link", then=self._use_sample)
        column = column_of(on=self, spacing=8)
        add_to(column, self.source_switch, self._seeding, self._filing, self.layout_of_raw)
        add_to(column, self.content, self.text)
        show_in_place(self.sample, bool(samples))
        self.source_switch.chosen.connect(self._choose)
        # Half of a list of numbers is no value, while half of a text is one.
        finished = self.text.textEdited if takes_text else self.text.editingFinished
        finished.connect(self.changed)
        self.layout_of_raw.editingFinished.connect(self.changed)
        self.seed.valueChanged.connect(self.changed)
        self.roll.clicked.connect(lambda: self.seed.setValue(randrange(_LARGEST_SEED)))
        self._show()

    @property
    def choice(self) -> ValuesChoice:
        """Return the selected source of values."""
        if self.source_switch.current == FILE and self._file is not None:
            form = self.layout_of_raw.text().strip() if self._is_raw else ""
            return ValuesChoice(f"{self._file}:{form}" if form else str(self._file), self._cast)
        if self.source_switch.current == TEXT:
            if self._takes_text:
                return ValuesChoice(f"text:{self.text.text()}")
            text = self.text.text().strip()
            several = "," in text and not text.startswith("[")
            return ValuesChoice(f"[{text}]" if several else text)
        recipes = {ZEROS: "zeros", ONES: "ones", RANDOM: f"random:{self.seed.value()}"}
        return ValuesChoice(recipes.get(self.source_switch.current, ""))

    @property
    def _is_raw(self) -> bool:
        return self._file is not None and self._file.suffix.lower() in _RAW

    def use_file(self, path: Path) -> None:
        """Fill from a file."""
        self._file, self._cast = path, False
        self.layout_of_raw.clear()
        self.source_switch.choose(FILE)
        self._show()
        self.changed.emit()

    def show_value(self, value: str) -> None:
        """Take a recipe, a text or the path of a file."""
        recipe, _, seed = value.partition(":")
        if recipe == "text":
            self.text.setText(value.removeprefix("text:"))
            self.source_switch.choose(TEXT)
        elif value.startswith("["):
            self.text.setText(value)
            self.source_switch.choose(TEXT)
        elif recipe == "random" and seed.isdecimal():
            self.seed.setValue(int(seed))
            self.source_switch.choose(RANDOM)
        elif value in ("zeros", "ones"):
            self.source_switch.choose(ZEROS if value == "zeros" else ONES)
        else:
            raw = npy_files.raw_file(value)
            self._file = Path(value) if raw is None else raw[0]
            self.layout_of_raw.setText(value.removeprefix(str(self._file)).removeprefix(":"))
            self.source_switch.choose(FILE)
        self._show()

    def show_choice(self, choice: ValuesChoice) -> None:
        """Take a choice again; the usual values where it names none."""
        if choice == self.choice:
            return
        if choice.value:
            self.show_value(choice.value)
            self._cast = choice.cast
        else:
            self.source_switch.choose(USUAL)
            self._show()

    def cast(self) -> None:
        """Cast the numbers of the file to the type of the input."""
        self._cast = True
        self.changed.emit()

    def _choose(self, index: int) -> None:
        self._show()
        if index == FILE and self._file is None:
            self._ask()
        else:
            self.changed.emit()

    def _ask(self) -> None:
        if path := file_dialogs.ask_file(self, tr("Values for this input"), _file_filter()):
            self.use_file(path)
        elif self._file is None:
            self.source_switch.choose(USUAL)

    def _use_sample(self) -> None:
        self.sample_chosen.emit(self._samples[self._tried % len(self._samples)])
        self._tried += 1

    def _show(self) -> None:
        self._seeding.setVisible(self.source_switch.current == RANDOM)
        self._filing.setVisible(self.source_switch.current == FILE)
        self.layout_of_raw.setVisible(self.source_switch.current == FILE and self._is_raw)
        self.text.setVisible(self.source_switch.current == TEXT)
        self._name.set_text(self._file.name if self._file is not None else tr("No file yet"))
        is_text = self._takes_text and self.source_switch.current == FILE
        text = _beginning(self._file) if is_text and self._file is not None else ""
        self.content.setText(f"“{text}”")
        self.content.setVisible(bool(text))


def _beginning(path: Path) -> str:
    """Return the first letters of a text file; "" where it is no text or cannot be read."""
    if path.suffix.lower() in _ARRAYS and path.suffix.lower() != ".txt":
        return ""
    try:
        with path.open("rb") as file:
            content = file.read(_SHOWN_BYTES)
    except OSError:  # the run says why
        return ""
    text = " ".join(content.decode("utf-8", "ignore").split())
    return "" if b"\0" in content else units.clip(text, _SHOWN_LETTERS)


def _line(layout: QHBoxLayout) -> QWidget:
    """A layout as a widget that can be hidden."""
    line = QWidget()
    line.setLayout(layout)
    return line


class CellEditor(QWidget):
    """Begins with what the input got; says `changed` when a cell is another one."""

    changed = Signal()
    dropped = Signal()

    def __init__(self, theme: Theme, info: TensorInfo) -> None:
        super().__init__()
        self._theme, self._info = theme, info
        self.array: Tensor | None = None
        self._picker: SlicePicker | None = None
        self.table = PlaneTable(
            tr("Values of {name}").format(name=info.name), PlaneModel(self._typed)
        )
        self.paste, self.back = button(theme, tr("Paste")), button(theme, tr("Undo"))
        self.problem = wrapped("", "bad")
        self._column = column_of(self.table, self.problem, on=self, spacing=8)
        hint = label(tr("Click a value to edit it"), "caption")
        self._column.addLayout(row(hint, None, self.paste, self.back))
        self.problem.hide()
        self.paste.clicked.connect(self.take_clipboard)
        self.back.clicked.connect(self.dropped)

    @staticmethod
    def fits(array: Tensor) -> bool:
        """Return whether an array is one to edit by hand."""
        return 0 < array.size <= MOST and array.dtype.kind != "c"

    def edit(self, array: Tensor) -> None:
        """Begin with these values."""
        self.array = array.copy()
        shape = array.shape or (1,)
        view = first_view(shape)
        assert view is not None, "only what has elements is edited"
        if self._picker is not None:
            self._picker.deleteLater()
            self._picker = None
        if array.ndim > 2:
            self._picker = SlicePicker(self._theme, shape, view)
            self._picker.map.hide()
            self._picker.asked.connect(self._show)
            self._column.insertWidget(0, self._picker)
        self._view = view
        self._show(view)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Paste, besides what a widget does anyway."""
        if event.matches(QKeySequence.StandardKey.Paste):
            self.take_clipboard()
        else:
            super().keyPressEvent(event)

    def take_clipboard(self) -> None:
        """Lay copied cells over the table, from the chosen cell on."""
        try:
            cells = table.pasted(QGuiApplication.clipboard().text())
            values = text_values.numbers(
                [list(line) for line in cells], self._info, tr("the clipboard")
            )
        except InspectorError as error:
            self._tell(f"{units.capitalized(error.why)}.")
            return
        plane, at = self._plane(), self.table.currentIndex()
        top, left = max(0, at.row()), max(0, at.column())
        part = plane[top : top + values.shape[0], left : left + values.shape[1]]
        part[...] = values[: part.shape[0], : part.shape[1]]
        cut = "" if part.shape == values.shape else tr("Values outside the shape were ignored.")
        self._show(self._view)
        self._tell(cut)
        self.changed.emit()

    def _typed(self, line: int, column: int, typed: str) -> bool:
        try:
            value = text_values.numbers(
                [[units.typed(typed)]], self._info, tr("the typed values")
            )
        except InspectorError as error:
            self._tell(f"{units.capitalized(error.why)}.")
            return False
        self._plane()[line, column] = value[0, 0]
        self._tell("")
        self.changed.emit()
        return True

    def _show(self, view: View) -> None:
        self._view = view
        self.table.plane.show_values(self._plane())

    def _plane(self) -> Tensor:
        """The plane that is shown, as a view of the array: writing into it changes that."""
        assert self.array is not None, "only what was begun is shown"
        whole, view = self.array.reshape(self.array.shape or (1,)), self._view
        axes = (view.down, view.across)
        places = (slice(None) if a in axes else view.at[a] for a in range(whole.ndim))
        plane = whole[tuple(places)]
        if view.down is None:
            return np.atleast_2d(plane)
        return plane.T if view.down > view.across else plane

    def _tell(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))


def _file_filter() -> str:
    """Return the filter of the dialog: all files that an input can take values from."""
    suffixes = (*_ARRAYS, *sorted(audio.SUFFIXES), *sorted(image_files.SUFFIXES))
    return tr(FILES).format(patterns=" ".join(f"*{suffix}" for suffix in suffixes))
