"""An input that is no picture: filled by a recipe or from a file."""

from pathlib import Path
from random import randrange

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from inspector.ui.tabs.preview.fill_inputs import ValuesChoice
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.fields import NumberField
from inspector.ui.widgets.parts import Elided, Segmented, button, label, row
from inspector.ui.widgets.theme import Theme

WAYS = (mark("Default"), mark("Zeros"), mark("Ones"), mark("Random"), mark("File"))
USUAL, ZEROS, ONES, RANDOM, FILE, TEXT = range(6)
FILES = mark(
    "Values (*.npy *.npz *.pb *.wav *.csv *.json *.txt *.png *.jpg *.jpeg *.bmp);;All files (*)"
)
_LARGEST_SEED = 999_999


class NumberEditor(QWidget):
    """One choice of five, or six where the input takes a text; below it what it needs."""

    changed = Signal()

    def __init__(
        self, theme: Theme, samples: tuple[Path, ...], takes_text: bool = False
    ) -> None:
        super().__init__()
        self._file: Path | None = None
        self._cast = False
        self._samples, self._tried = samples, 0
        ways = (*WAYS, tr("Text")) if takes_text else WAYS
        self.ways = Segmented(theme, ways, 60 if takes_text else 66)
        self.text = QLineEdit()
        self.text.setPlaceholderText(tr("Type a text"))
        self.text.setAccessibleName(tr("Text"))
        self.ways.setAccessibleName(tr("Values"))
        self.seed = NumberField(tr("Seed"), _LARGEST_SEED)
        self.roll = button(theme, tr("Re-roll"))
        self._seeding = _line(row(label(tr("Seed"), "secondary"), self.seed, self.roll, None))
        self._name = Elided("", "value")
        self.open = button(theme, tr("Open…"), "open")
        self._filing = _line(row(self._name, self.open, stretch=0))
        self.sample = button(theme, tr("Use a sample"))
        self.sample.setProperty("role", "link")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.ways)
        column.addWidget(self._seeding)
        column.addWidget(self._filing)
        column.addWidget(self.text)
        self.sample.setHidden(not samples)
        self.ways.chosen.connect(self._choose)
        self.text.textEdited.connect(self.changed)
        self.seed.valueChanged.connect(self.changed)
        self.roll.clicked.connect(lambda: self.seed.setValue(randrange(_LARGEST_SEED)))
        self.open.clicked.connect(self._ask)
        self.sample.clicked.connect(self._use_sample)
        self._show()

    @property
    def choice(self) -> ValuesChoice:
        """What is chosen."""
        if self.ways.current == FILE and self._file is not None:
            return ValuesChoice(str(self._file), self._cast)
        if self.ways.current == TEXT and self.text.text():
            return ValuesChoice(f"text:{self.text.text()}")
        recipes = {ZEROS: "zeros", ONES: "ones", RANDOM: f"random:{self.seed.value()}"}
        return ValuesChoice(recipes.get(self.ways.current, ""))

    def use_file(self, path: Path) -> None:
        """Fill from a file."""
        self._file, self._cast = path, False
        self.ways.choose(FILE)
        self._show()
        self.changed.emit()

    def show_value(self, value: str) -> None:
        """Take a recipe, a text or the path of a file."""
        recipe, _, seed = value.partition(":")
        if recipe == "text":
            self.text.setText(value.removeprefix("text:"))
            self.ways.choose(TEXT)
        elif recipe == "random" and seed.isdecimal():
            self.seed.setValue(int(seed))
            self.ways.choose(RANDOM)
        elif value in ("zeros", "ones"):
            self.ways.choose(ZEROS if value == "zeros" else ONES)
        else:
            self._file = Path(value)
            self.ways.choose(FILE)
        self._show()

    def cast(self) -> None:
        """Bring the file's real numbers to the type that the input takes."""
        self._cast = True
        self.changed.emit()

    def _choose(self, way: int) -> None:
        self._show()
        if way == FILE and self._file is None:
            self._ask()
        else:
            self.changed.emit()

    def _ask(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, tr("Values for this input"), "", tr(FILES))
        if name:
            self.use_file(Path(name))
        elif self._file is None:
            self.ways.choose(USUAL)

    def _use_sample(self) -> None:
        self.use_file(self._samples[self._tried % len(self._samples)])
        self._tried += 1

    def _show(self) -> None:
        self._seeding.setVisible(self.ways.current == RANDOM)
        self._filing.setVisible(self.ways.current == FILE)
        self.text.setVisible(self.ways.current == TEXT)
        self._name.set_text(self._file.name if self._file is not None else tr("No file yet"))


def _line(layout: QHBoxLayout) -> QWidget:
    """A layout as a widget that can be hidden."""
    line = QWidget()
    line.setLayout(layout)
    return line
