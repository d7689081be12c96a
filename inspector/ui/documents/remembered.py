"""What was chosen for a model the last time, kept in the window's settings."""

from hashlib import sha256
from pathlib import Path

from PySide6.QtCore import QSettings

from inspector.ui.documents.document import Document

MOST_MODELS = 200
_GROUP = "dimensions"


def dimensions(document: Document, settings: QSettings, known_as: Path) -> None:
    """Give a model that is opened again the lengths of its free axes, and keep new ones."""
    key = f"{_GROUP}/{sha256(str(known_as).encode()).hexdigest()[:24]}"

    def restore() -> None:
        from inspector.report import Dimension

        model = document.model
        if model is None or document.spec.dimensions:
            return
        known = {axis for info in model.inputs for axis in info.shape or ()}
        told = str(settings.value(key, "")).split("\n")
        pairs = (line.rpartition("=") for line in told)
        found = tuple(
            Dimension(name, int(size))
            for name, _, size in pairs
            if name in known and size.isdecimal() and 0 < len(size) < 10
        )
        if found:
            document.set_spec(dimensions=found)

    def keep() -> None:
        sizes = document.spec.dimensions
        if sizes:
            settings.setValue(key, "\n".join(f"{d.name}={d.size}" for d in sizes))
        elif settings.contains(key) and document.model is not None:
            settings.remove(key)
        _forget_oldest(settings, key)

    document.model_changed.connect(restore)
    document.spec_changed.connect(keep)


def _forget_oldest(settings: QSettings, key: str) -> None:
    """Keep no more models than MOST_MODELS; the present one stays."""
    settings.beginGroup(_GROUP)
    kept = [name for name in settings.childKeys() if not key.endswith(name)]
    for name in kept[: max(0, len(kept) + 1 - MOST_MODELS)]:
        settings.remove(name)
    settings.endGroup()
