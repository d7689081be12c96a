"""Values of a setting side by side; those that are pressed are swept."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QPushButton, QVBoxLayout, QWidget

from inspector import units
from inspector.export.tables.sweep_tables import value_words
from inspector.formats.model_formats import file_patterns
from inspector.report.sweep import Value
from inspector.ui.documents.document import Document
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.layouts import Flow
from inspector.ui.widgets.parts import button, label, tip
from inspector.ui.widgets.theme import Theme


class Chips(QWidget):
    """One axis: its name over its values. At least one is always pressed.

    name: the axis. words: what people call it.
    """

    changed = Signal()

    def __init__(
        self, name: str, text: str, values: Sequence[Value], pressed: Sequence[Value]
    ) -> None:
        super().__init__()
        self.name = name
        self._values = tuple(values)
        self.buttons = tuple(self._button(text, value) for value in values)
        self.caption = label(text, "caption")
        flow = Flow(6, 6)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(5)
        column.addWidget(self.caption)
        column.addLayout(flow)
        column.addStretch(1)
        for value, made in zip(self._values, self.buttons, strict=True):
            made.setChecked(value in pressed)
            made.clicked.connect(lambda _, one=made: self._press(one))
            flow.addWidget(made)

    @property
    def chosen(self) -> tuple[Value, ...]:
        """The values that are pressed, in their order."""
        pairs = zip(self._values, self.buttons, strict=True)
        return tuple(value for value, made in pairs if made.isChecked())

    def resizeEvent(self, event: object) -> None:
        """All lines of values stay whole, however little room a page has."""
        layout = self.layout()
        assert layout is not None, "it was laid out when it was made"
        self.setMinimumHeight(layout.heightForWidth(self.width()))

    def lock(self, why: str) -> None:
        """Show what is pressed, and let nothing be pressed, for a reason; "": let it."""
        for made in self.buttons:
            made.setEnabled(not why)
            made.setToolTip(tip(why))

    def _button(self, message: str, value: Value) -> QPushButton:
        text = value_words(self.name, value)
        made = QPushButton(text)
        made.setCheckable(True)
        made.setProperty("role", "chip")
        made.setAccessibleName(f"{message}: {text}")
        return made

    def _press(self, pressed: QPushButton) -> None:
        if not self.chosen:
            pressed.setChecked(True)
        self.changed.emit()


# The models of a sweep as chips; all but the document's own can be left out again.


class ModelChips(QWidget):
    """Follows which files a document sweeps."""

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__()
        self._document = document
        self._shown: tuple[Path, ...] | None = None
        self._flow = Flow(6, 6, self)
        self.count = label("", "caption")
        self.count.setFixedHeight(26)
        self.chips: tuple[QPushButton, ...] = ()
        self.add = button(theme, tr("Add models…"), "plus")
        self.add.setProperty("role", "link")
        self.add.clicked.connect(self._choose)
        self._flow.addWidget(self.count)
        self._flow.addWidget(self.add)
        self.follow()

    def follow(self) -> None:
        """Show the files as they are now."""
        paths = self._document.sweeping.paths
        if paths == self._shown:
            return
        self._shown = paths
        self.count.setText(plural(len(paths), "model"))
        for chip in self.chips:
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self.chips = tuple(self._chip(path) for path in paths)
        self._flow.removeWidget(self.add)
        for widget in (*self.chips, self.add):
            self._flow.addWidget(widget)
            widget.show()
        self.updateGeometry()

    def lock(self, locked: bool) -> None:
        """Nothing can be added or left out."""
        self.add.setEnabled(not locked)
        for chip in self.chips:
            chip.setEnabled(not locked)

    def _chip(self, path: Path) -> QPushButton:
        own, name = path == self._document.path, units.clip(path.name, 40)
        chip = QPushButton(name + ("" if own else "  ×"))
        chip.setProperty("role", "chip")
        chip.setCheckable(True)
        chip.setChecked(True)
        text = tr("is included") if own else tr("is included; click to remove it")
        chip.setAccessibleName(f"{name} {text}")
        chip.setToolTip(tip(f"{path.name} {text}"))
        chip.clicked.connect(lambda: self._drop(chip, path))
        return chip

    def _drop(self, chip: QPushButton, path: Path) -> None:
        chip.setChecked(True)  # the document's own stays
        self._document.sweeping.drop_model(path)

    def _choose(self) -> None:
        title, kinds = (
            tr("Add models to the sweep"),
            tr("Models ({file_patterns})").format(file_patterns=file_patterns()),
        )
        names, _ = QFileDialog.getOpenFileNames(self, title, "", kinds)
        self._document.sweeping.add_models(tuple(map(Path, names)))
