"""Who uses a weight: links that select the layer everywhere."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from inspector import units
from inspector.model import Model
from inspector.ui.documents.selection import Selection
from inspector.ui.kit.parts import label

_MOST, _LONGEST = 6, 44


class Users(QWidget):
    """Lists the first layers that use a weight."""

    def __init__(self, model: Model, used: Sequence[int], selection: Selection) -> None:
        super().__init__()
        self._model, self._selection = model, selection
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        lines = QVBoxLayout(self)
        lines.setSpacing(0)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.addWidget(label("Used by" if used else "Used by nothing", "section"))
        for layer in used[:_MOST]:
            lines.addWidget(self._link(layer), 0, Qt.AlignmentFlag.AlignLeft)
        if len(used) > _MOST:
            lines.addWidget(label(f"and {len(used) - _MOST:,} more layers", "caption"))

    def _link(self, index: int) -> QPushButton:
        layer = self._model.layers[index]
        words = f"{layer.name} · {layer.operator}" if layer.name else layer.label
        link = QPushButton(units.clip(words, _LONGEST).replace("&", "&&"))
        link.setProperty("role", "link")
        link.setStyleSheet("padding: 0; border-left: none")  # as far left as the other words
        link.setCursor(Qt.CursorShape.PointingHandCursor)
        link.setAccessibleName(f"Select layer {units.clip(layer.label, 80)}")
        link.clicked.connect(lambda: self._selection.choose(layer=index))
        return link
