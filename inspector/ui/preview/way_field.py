"""The choice of a second way to answer: another level, device or model, or the reference."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from inspector import units
from inspector.preview import parity
from inspector.preview.parity import Against
from inspector.ui.kit.fields import ChoiceField

NONE = ""
LEVELS = {"none": "No optimisation", "basic": "Basic optimisation", "all": "All optimisations"}
MODEL, REFERENCE = "model", "reference"
_MODELS = "Models (*.onnx *.ort);;All files (*)"


class WayField(ChoiceField):
    """Offers the second ways; `none`: words of the choice to have none, which comes first."""

    def __init__(self, name: str, none: str = "") -> None:
        values = [f"level={level}" for level in LEVELS] + [MODEL, REFERENCE]
        words = [*LEVELS.values(), "Another model…", "ONNX's reference evaluator"]
        first = [NONE] if none else []
        super().__init__(name, [*first, *values], [none][: len(first)] + words)
        self._levels_end = len(first) + len(LEVELS)

    def show_devices(self, devices: Sequence[str]) -> None:
        """Offer devices, by their ids."""
        for device in devices:
            if self.findData(f"device={device}") < 0:
                self.insertItem(self._levels_end, units.device(device), f"device={device}")

    def ask(self, parent: QWidget) -> Against | None:
        """The chosen way; of a model its file is asked for. None: none, or not chosen."""
        if self.value != MODEL:
            return parity.against(self.value) if self.value else None
        name, _ = QFileDialog.getOpenFileName(parent, "Another model", "", _MODELS)
        return Against(parity.MODEL, str(Path(name))) if name else None
