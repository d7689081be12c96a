"""Scores on a scale from 1 to 5, as bars."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.preview.picture import Picture
from inspector.preview.results import Class, Classes
from inspector.ui.kit.theme import Theme
from inspector.ui.overview.about import wrapped
from inspector.ui.preview.class_bars import ClassBars
from inspector.ui.preview.reading import Reading

WORST, BEST = 1.0, 5.0


class ScoreBody(QWidget):
    """Opinion scores of speech."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.bars = ClassBars(theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.bars)
        column.addWidget(wrapped("Mean opinion scores from 1, bad, to 5, excellent", "caption"))

    def show_reading(self, reading: Reading, before: Picture | None, labels: str) -> None:
        """Show another answer."""
        listed = tuple(Class(-1, name, value, 0.0) for name, value in reading.scores)
        rows = (Classes(listed, len(listed), True),)
        self.bars.show_classes(rows, False, (WORST, BEST))
