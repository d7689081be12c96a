"""A sentence with an icon in front: what to know of a tensor."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from inspector import units
from inspector.ui.kit.parts import follow, label
from inspector.ui.kit.theme import Theme


class Remark(QWidget):
    """Says something; `role` is the colour of the icon."""

    def __init__(
        self, theme: Theme, words: str, icon: str = "info", role: str = "secondary"
    ) -> None:
        super().__init__()
        mark = QLabel()
        mark.setFixedSize(16, 16)
        follow(theme, mark, lambda: mark.setPixmap(theme.pixmap(icon, role)))
        self.said = label(units.clip(words, 600), "secondary")
        self.said.setWordWrap(True)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self.said, 1)
