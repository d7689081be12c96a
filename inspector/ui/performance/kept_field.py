"""Layers to keep on the CPU, as a line of text that knows the model's layers."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCompleter, QLineEdit

from inspector.report import RunSpec
from inspector.ui.documents.document import Document
from inspector.ui.kit.parts import tip
from inspector.units import clip

_PLACEHOLDER = "layer; …"
_TOLD = (
    "Layers that stay on the CPU, by name, by number or as '/head/*', parted by semicolons: "
    "for accuracy, or to find a fault"
)
_ALL = "The CPU runs all layers; choose another device"
_MOST_OFFERED = 5_000


class KeptField(QLineEdit):
    """Says its layers when it is finished; the engine says which of them is none."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.setPlaceholderText(_PLACEHOLDER)
        self.setAccessibleName("Layers to keep on the CPU")
        self.editingFinished.connect(self._choose)
        document.spec_changed.connect(self.show_spec)
        document.model_changed.connect(self._offer)
        self.show_spec()
        self._offer()

    def show_spec(self) -> None:
        """Bring the line to what the spec says, without telling it so."""
        spec = self._document.spec
        able = not set(spec.devices) <= {"cpu"}
        self.setEnabled(able)
        self.setToolTip(tip(_TOLD if able else _ALL))
        if parsed(self.text()) != spec.on_cpu:
            self.setText(words_of(spec))

    def _offer(self) -> None:
        """Offer names of layers while a first one is written."""
        model = self._document.model
        names = [layer.label for layer in model.layers[:_MOST_OFFERED]] if model else []
        completer = QCompleter([clip(name, 200) for name in names], self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setCompleter(completer)

    def _choose(self) -> None:
        layers = parsed(self.text())
        if layers != self._document.spec.on_cpu:
            self._document.set_spec(on_cpu=layers)


def parsed(text: str) -> tuple[str, ...]:
    """Read "conv1; 7; /head/*"."""
    return tuple(dict.fromkeys(filter(None, (piece.strip() for piece in text.split(";")))))


def words_of(spec: RunSpec) -> str:
    """The layers of a spec as a line."""
    return "; ".join(spec.on_cpu)
