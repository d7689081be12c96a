"""The dialogs of the Help menu: keyboard shortcuts, and about the program."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QVBoxLayout, QWidget

from inspector import __version__
from inspector.sandbox import confinement
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import button, label, row
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.shortcuts import Shortcut, groups, native_text

_KEYS_WIDTH = 136  # px; fits the longest keys in the monospaced font


class _HelpDialog(QDialog):
    """Text to read, with a Close button; Esc closes it, too."""

    def __init__(self, theme: Theme, parent: QWidget, title: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        close = button(theme, tr("Close"), primary=True)
        close.clicked.connect(self.close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 20)
        layout.setSpacing(16)
        self.body = QVBoxLayout()
        layout.addLayout(self.body)
        layout.addLayout(row(None, close))


class ShortcutsDialog(_HelpDialog):
    """Lists the registry of keyboard shortcuts."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent, tr("Keyboard shortcuts"))
        first, *others = (_group(tr(title), shortcuts) for title, shortcuts in groups())
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        for group in others:
            column.addWidget(group)
        column.addStretch(1)
        self.body.addLayout(row(first, right, spacing=40))


class AboutDialog(_HelpDialog):
    """Shows the version, the licenses, and how this system isolates models."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent, tr("About Inspector"))
        self.body.setSpacing(6)
        self.body.addWidget(
            label(tr("Inspector {version}").format(version=__version__), "heading")
        )
        for text in (
            tr("Inspector works offline: your models and measurements stay on this computer."),
            isolation_text(),
            tr(
                "License: Apache-2.0. The fonts Inter and JetBrains Mono "
                "are under the SIL Open "
                "Font License."
            ),
        ):
            self.body.addWidget(label(text, "secondary"))


def isolation_text() -> str:
    """Return the isolation level of models on this system, with the reason if it is reduced."""
    level, reason = confinement.available()
    because = f" ({reason})" if reason else ""
    return tr("Model isolation: {level}{because}: {meanings}.").format(
        level=level, because=because, meanings=confinement.MEANINGS[level]
    )


def _group(title: str, shortcuts: tuple[Shortcut, ...]) -> QWidget:
    widget = QWidget()
    grid = QGridLayout(widget)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(16)
    grid.setColumnMinimumWidth(0, _KEYS_WIDTH)
    grid.setVerticalSpacing(6)
    grid.addWidget(label(title, "heading"), 0, 0, 1, 2)
    for line, shortcut in enumerate(shortcuts, 1):
        keys = "  ".join(map(native_text, shortcut.keys))
        grid.addWidget(label(keys, "mono"), line, 0)
        grid.addWidget(label(tr(shortcut.description), "secondary"), line, 1)
    grid.setColumnStretch(1, 1)
    grid.setRowStretch(len(shortcuts) + 1, 1)
    return widget
