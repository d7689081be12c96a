"""All keys of the window in one place, and which version this is."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QGridLayout, QVBoxLayout, QWidget

from inspector import __version__
from inspector.ui.kit.parts import button, label, row
from inspector.ui.kit.theme import Theme

KEYS = (
    (
        "Window",
        (
            (("Ctrl+O",), "Open a model, a report or a trace"),
            (("Ctrl+Shift+V",), "Open the path on the clipboard"),
            (("Ctrl+Shift+R",), "Record a program"),
            (("Ctrl+1", "Ctrl+6"), "First to last tab"),
            (("Ctrl+F",), "Find in what is shown"),
            (("Ctrl+R",), "Measure"),
            (("Ctrl+.",), "Cancel"),
            (("Ctrl+S",), "Save the report"),
            (("F5",), "Reload the file"),
            (("Ctrl+W",), "Close the report or the model in front"),
            (("Ctrl+Shift+T",), "Reopen what was closed last"),
            (("Alt+Left", "Alt+Right"), "Back and forth through what was selected"),
        ),
    ),
    (
        "Timeline",
        (
            (("W", "S", "+", "-"), "Zoom in and out"),
            (("A", "D"), "Move left and right"),
            (("Home", "End"), "Go to the begin and the end"),
            (("F",), "Fit all of it"),
            (("[", "]"), "Previous and next span; in Values: layer"),
            (("/",), "Find a span"),
            (("M",), "Measure from one instant to another"),
            (("Space",), "Fold a lane"),
            (("P",), "Pin a lane"),
            (("Esc",), "Clear"),
        ),
    ),
    (
        "Tables",
        (
            (("Ctrl+C",), "Copy the row"),
            (("Ctrl+Left", "Ctrl+Right"), "Which column sorts"),
            (("Ctrl+Up", "Ctrl+Down"), "In which direction"),
        ),
    ),
)
_ABOUT = (
    f"Inspector {__version__}. Nothing that is opened, run or measured leaves this machine.",
    "Apache-2.0; Inter and JetBrains Mono are under the SIL Open Font License.",
)


class KeysDialog(QDialog):
    """A list to read; Esc closes it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Keys and version")
        columns = row(_group(*KEYS[0]), _column(*KEYS[1:]), spacing=40)
        done = button(theme, "Close", primary=True)
        done.clicked.connect(self.close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 20)
        layout.setSpacing(16)
        layout.addLayout(columns)
        about = QVBoxLayout()
        about.setSpacing(2)
        for words in _ABOUT:
            about.addWidget(label(words, "caption"))
        below = row(None, done)
        below.insertLayout(0, about)
        layout.addLayout(below)


def _column(*groups: tuple[str, tuple[tuple[tuple[str, ...], str], ...]]) -> QWidget:
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(16)
    for group in groups:
        column.addWidget(_group(*group))
    return made


def _group(title: str, keys: tuple[tuple[tuple[str, ...], str], ...]) -> QWidget:
    made = QWidget()
    grid = QGridLayout(made)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(16)
    grid.setColumnMinimumWidth(0, 136)
    grid.setVerticalSpacing(6)
    grid.addWidget(label(title, "heading"), 0, 0, 1, 2)
    for place, (some, words) in enumerate(keys, 1):
        grid.addWidget(label("  ".join(map(_native, some)), "mono"), place, 0)
        grid.addWidget(label(words, "secondary"), place, 1)
    grid.setColumnStretch(1, 1)
    grid.setRowStretch(len(keys) + 1, 1)
    return made


def _native(key: str) -> str:
    """A key as this system writes it: Ctrl+O, or ⌘O."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
