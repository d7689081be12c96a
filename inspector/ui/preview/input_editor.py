"""One input of a model in the Preview: what it takes, and what it gets."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent

from inspector import units
from inspector.model import Model, TensorInfo
from inspector.prediction import Statistics
from inspector.preview.feeds import Filled
from inspector.preview.guess import guess
from inspector.preview.picture import SUFFIXES
from inspector.ui.kit.parts import Card, Elided, Segmented, row
from inspector.ui.kit.theme import Theme
from inspector.ui.opening import paths_in
from inspector.ui.overview.about import wrapped
from inspector.ui.overview.layer_rows import described
from inspector.ui.preview.filling import Choice, Filling
from inspector.ui.preview.number_editor import NumberEditor
from inspector.ui.preview.picture_editor import PictureEditor
from inspector.ui.preview.samples import samples

PICTURE, NUMBERS = range(2)


class InputEditor(Card):
    """A picture editor where the input looks like one, and always a number editor."""

    changed = Signal()

    def __init__(self, theme: Theme, model: Model, info: TensorInfo) -> None:
        super().__init__(theme)
        self.info = info
        suggested = guess(info, model.metadata, model.producer)
        tries = samples(model.name, info, suggested is not None)
        self.numbers = NumberEditor(theme, tries if suggested is None else ())
        self.picture: PictureEditor | None = None
        self.kind = Segmented(theme, ("Picture", "Values"), 76)
        self.kind.setAccessibleName("Fill with a picture or with values")
        name = Elided(info.name or "(no name)", "heading")
        self.body.addLayout(row(name, self.numbers.sample, self.kind, stretch=0))
        self.body.addWidget(Elided(described(info), "mono"))
        if suggested is not None:
            self.picture = PictureEditor(theme, suggested, tries)
            self.picture.changed.connect(self.changed)
            self.body.addWidget(self.picture)
        self.body.addWidget(self.numbers)
        self._summary = wrapped("", "caption")
        self.body.addWidget(self._summary)
        self.numbers.changed.connect(self.changed)
        self.kind.chosen.connect(self._turn)
        self.kind.setHidden(self.picture is None)
        self.setAcceptDrops(True)
        self._show()

    @property
    def choice(self) -> Choice | None:
        """What the input gets; None while a picture is missing."""
        if self.picture is not None and self.wants_picture:
            return self.picture.choice
        return self.numbers.choice

    @property
    def wants_picture(self) -> bool:
        """Whether it is to be filled with a picture."""
        return self.picture is not None and self.kind.current == PICTURE

    def use_file(self, path: Path) -> None:
        """Fill from a file: as a picture where both are pictures, else as values."""
        looks_like_one = path.suffix.lower() in SUFFIXES
        if self.picture is not None and looks_like_one:
            self.kind.choose(PICTURE)
            self.picture.use_file(path)
        else:
            self.kind.choose(NUMBERS)
            self.numbers.use_file(path)

    def show_filling(self, filling: Filling) -> None:
        """Show what the input was filled with."""
        filled = next(f for f in filling.filled if f.name == self.info.name)
        self._summary.setText(_summary(filled, filling.statistics.get(filled.name)))
        seen = filling.seen.get(self.info.name)
        if seen is not None and self.picture is not None:
            self.picture.show_seen(seen)

    def show_refusal(self) -> None:
        """Take back what was said about a filling that is no more."""
        self._summary.setText("Not filled.")

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Welcome files."""
        event.setAccepted(bool(paths_in(event.mimeData())))

    def dropEvent(self, event: QDropEvent) -> None:
        """Fill from the file that was dropped."""
        self.use_file(paths_in(event.mimeData())[0])
        event.acceptProposedAction()

    def _turn(self) -> None:
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        self.numbers.setHidden(self.wants_picture)
        if self.picture is not None:
            self.picture.setVisible(self.wants_picture)


def _summary(filled: Filled, found: Statistics | None) -> str:
    """What was done, and the tensor in numbers: 'float32 1×4, 0.1 to 7.2, mean 3.4'."""
    shape = units.shape(filled.array.shape)
    words = f"{filled.array.dtype.name} {shape}".replace("object", "text")
    if found is not None and found.minimum == found.maximum:
        words += f", all {_number(found.minimum)}"
    elif found is not None:
        low, high, mean = map(_number, (found.minimum, found.maximum, found.mean))
        words += f", {low} to {high}, mean {mean}"
    return f"{filled.words}: {words}".removeprefix(": ") if filled.words else words


def _number(value: float) -> str:
    return f"{value:,.0f}" if value.is_integer() and abs(value) < 1e15 else f"{value:.4g}"
