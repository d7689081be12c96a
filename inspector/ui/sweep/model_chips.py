"""The models of a sweep as chips; all but the document's own can be left out again."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from inspector import units
from inspector.ui.documents.document import Document
from inspector.ui.kit.flow import Flow
from inspector.ui.kit.parts import button, label, tip
from inspector.ui.kit.theme import Theme


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
        self.add = button(theme, "Add models…", "plus")
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
        self.count.setText(units.plural(len(paths), "model"))
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
        words = "is swept" if own else "is swept; press to leave it out"
        chip.setAccessibleName(f"{name} {words}")
        chip.setToolTip(tip(f"{path.name} {words}"))
        chip.clicked.connect(lambda: self._drop(chip, path))
        return chip

    def _drop(self, chip: QPushButton, path: Path) -> None:
        chip.setChecked(True)  # the document's own stays
        self._document.sweeping.drop_model(path)

    def _choose(self) -> None:
        title, kinds = "Models to sweep beside this one", "Models (*.onnx *.ort)"
        names, _ = QFileDialog.getOpenFileNames(self, title, "", kinds)
        self._document.sweeping.add_models(tuple(map(Path, names)))
