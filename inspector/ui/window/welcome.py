"""The start page, shown while nothing is open."""

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QGridLayout, QPushButton, QVBoxLayout, QWidget

from inspector.platform import files
from inspector.ui import commands, units
from inspector.ui.documents.workspace import Workspace
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.parts import Card, add_to, button, keep_size, label, tip
from inspector.ui.widgets.theme import Theme

SHOWN = 3
_WIDTH = 600  # pixels; two columns in which the longest name of a sample has room
SAMPLES = (
    ("clothes_float32.onnx", "picture", mark("Clothing photos (image)")),
    ("digits_float32.onnx", "picture", mark("Handwritten digits (image)")),
    ("tones_sound.onnx", "sound", mark("Tone detection (audio)")),
    ("language_bert.onnx", "text", mark("Language identification (text)")),
    ("wine_tabular.onnx", "table", mark("Wine classification (table)")),
    ("sharpen_float16.onnx", "picture", mark("Sharpening (image to image)")),
    ("alice", "text", mark("Alice in Wonderland (chat)")),
)


def samples() -> Iterator[tuple[Path, str, str]]:
    """Yield file or folder, icon and title of each sample that was installed."""
    for name, icon, title in SAMPLES:
        path = files.sample_folder() / name
        if path.exists():
            yield path, icon, tr(title)


class Welcome(QWidget):
    """An invitation to open something, with the recent files and samples of each kind."""

    def __init__(self, theme: Theme, workspace: Workspace) -> None:
        super().__init__()
        self._theme, self._workspace = theme, workspace
        self._outer = QVBoxLayout(self)
        self._outer.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._card: Card | None = None
        self.restore_button = button(theme, tr("Restore session"), "undo")
        self.restore_button.clicked.connect(commands.runner(self, "session/restore"))
        keep_size(self.restore_button)  # it comes after the first picture
        self.restore_button.hide()
        self._outer.addWidget(self.restore_button, 0, Qt.AlignmentFlag.AlignHCenter)
        workspace.recent_changed.connect(self._build)
        self._build()

    def _build(self) -> None:
        if self._card is not None:
            self._card.deleteLater()
        card = self._card = Card(self._theme, padding=32)
        card.setMinimumWidth(_WIDTH)  # wider in languages with longer names
        card.body.setSpacing(8)
        card.body.addWidget(label(tr("Drop a model here"), "title"))
        text = tr(
            "Inspect a model (ONNX, TensorFlow Lite, Core ML and more), run it on your own "
            "data and profile it layer by layer. You can also open reports and traces. "
            "Opening a model never runs it."
        )
        about = label(text, "secondary")
        about.setWordWrap(True)
        add_to(card.body, about, 8)
        opener = button(self._theme, tr("Open…"), "open", primary=True)
        opener.setToolTip(QKeySequence(QKeySequence.StandardKey.Open).toString())
        opener.clicked.connect(commands.runner(self, "open"))
        card.body.addWidget(opener)
        recent = self._workspace.recent[:SHOWN]
        self._list(
            card,
            tr("Recent"),
            [
                self._offer(units.clip(path.name, 48), _icon(path), path, str(path))
                for path in recent
            ],
        )
        self._list(
            card,
            tr("Sample models"),
            [self._offer(title, icon, path, path.name) for path, icon, title in samples()],
            2,
        )
        self._outer.insertWidget(0, card)

    def offer_session(self, held: str) -> None:
        """Offer to restore the previous session. held: "2 files"; "" offers nothing."""
        self.restore_button.setVisible(bool(held))
        text = tr("Open what the last window had open: {held}").format(held=held)
        self.restore_button.setToolTip(tip(text))

    def _list(
        self, card: Card, title: str, offers: list[QPushButton], columns: int = 1
    ) -> None:
        if not offers:
            return
        add_to(card.body, 8, label(title, "section"))
        grid = QGridLayout()
        grid.setSpacing(8)
        for place, offer in enumerate(offers):
            grid.addWidget(offer, place // columns, place % columns)
        card.body.addLayout(grid)

    def _offer(self, text: str, icon: str, path: Path, tooltip: str) -> QPushButton:
        made = button(self._theme, text.replace("&", "&&"), icon)
        made.setProperty("role", "offer")
        made.setToolTip(tip(tooltip))
        made.clicked.connect(commands.runner(self, "open", path))
        return made


def _icon(path: Path) -> str:
    return "report" if path.suffix == ".json" else "model"
