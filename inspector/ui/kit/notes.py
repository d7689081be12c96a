"""A sentence worth knowing, with a sign before it that says how grave it is."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel

from inspector.ui.kit.parts import follow, label
from inspector.ui.kit.theme import Theme


def note(
    theme: Theme, sentence: str, icon: str = "info", role: str = "tertiary"
) -> QHBoxLayout:
    """The sign in the colour of a role, the sentence quiet: it may be long, and wraps."""
    sign, words = QLabel(), label(sentence, "secondary", selectable=True)
    words.setWordWrap(True)
    words.setAlignment(Qt.AlignmentFlag.AlignTop)  # level with its sign in a tall row
    follow(theme, sign, lambda: sign.setPixmap(theme.pixmap(icon, role)))
    line = QHBoxLayout()
    line.setSpacing(8)
    line.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
    line.addWidget(words, 1)
    return line
