"""What the window shows before anything is open: where to begin."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector import files, units
from inspector.ui.documents.workspace import Workspace
from inspector.ui.kit.parts import Card, button, label, tip
from inspector.ui.kit.theme import Theme

SHOWN = 6


class Welcome(QWidget):
    """An invitation to open something, with the recent files and a sample."""

    open_asked = Signal()
    file_asked = Signal(object)  # Path

    def __init__(self, theme: Theme, workspace: Workspace) -> None:
        super().__init__()
        self._theme, self._workspace = theme, workspace
        self._outer = QVBoxLayout(self)
        self._outer.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._card: Card | None = None
        workspace.recent_changed.connect(self._build)
        self._build()

    def _build(self) -> None:
        if self._card is not None:
            self._card.deleteLater()
        card = self._card = Card(self._theme, padding=32)
        card.setFixedWidth(460)
        card.body.setSpacing(10)
        card.body.addWidget(label("Drop a model here", "title"))
        about = label(
            "Inspector shows what an ONNX model is, tries it, and measures it layer by layer. "
            "Opening a file never runs it.",
            "secondary",
        )
        about.setWordWrap(True)
        card.body.addWidget(about)
        card.body.addSpacing(6)
        opener = button(self._theme, "Open…", "open", primary=True)
        opener.clicked.connect(self.open_asked)
        card.body.addWidget(opener)
        sample = files.sample("digits_float32.onnx")
        if sample is not None:
            self._offer(card, "Open the sample model", "model", sample)
        recent = self._workspace.recent[:SHOWN]
        if recent:
            card.body.addSpacing(6)
            card.body.addWidget(label("Recent", "section"))
        for path in recent:
            icon = "report" if path.suffix == ".json" else "model"
            self._offer(card, units.clip(path.name, 48), icon, path)
        self._outer.addWidget(card)

    def _offer(self, card: Card, words: str, icon: str, path: Path) -> None:
        made = button(self._theme, words.replace("&", "&&"), icon)
        made.setToolTip(tip(str(path)))
        made.clicked.connect(lambda: self.file_asked.emit(path))
        card.body.addWidget(made)
