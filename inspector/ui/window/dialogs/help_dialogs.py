"""The dialogs of the Help menu: keyboard shortcuts, glossary, and about the program."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QGridLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from inspector import __version__
from inspector.sandbox import confinement
from inspector.ui import glossary
from inspector.ui.translate import tr, tr_message
from inspector.ui.widgets.layouts import BESIDE_BAR, FittedScroll, resize_on_screen
from inspector.ui.widgets.parts import add_to, button, column_of, label, row
from inspector.ui.widgets.table_card import FilterField
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.commands.registry import native_text
from inspector.ui.window.shortcuts import Shortcut, groups

_GLOSSARY_SIZE = 640, 640
_AROUND_KEYS = 90  # px of the height of a window: margins and the button
_BESIDE_KEYS = 90  # px of the width of a screen: frame, margins and the bar
_KEYS_WIDTH = 136  # px; fits the longest keys in the monospaced font


class _HelpDialog(QDialog):
    """Text to read, with a Close button; Esc closes it, too."""

    def __init__(self, theme: Theme, parent: QWidget, title: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        close = button(theme, tr("Close"), primary=True)
        close.clicked.connect(self.close)
        self.body = QVBoxLayout()
        column_of(self.body, row(None, close), on=self, spacing=16, margins=(24, 20, 24, 20))


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
        lists = QWidget()
        across = row(first, right, spacing=40)
        across.setContentsMargins(0, 0, BESIDE_BAR, 0)
        lists.setLayout(across)
        if across.sizeHint().width() + _BESIDE_KEYS > self.screen().availableSize().width():
            across.setDirection(QBoxLayout.Direction.TopToBottom)
            across.setSpacing(16)
        scroll = FittedScroll(lists, _AROUND_KEYS)
        scroll.setAccessibleName(tr("Keyboard shortcuts"))
        self.body.addWidget(scroll)
        self.resize(self.sizeHint())  # Qt would stop at two thirds of the screen


class GlossaryDialog(_HelpDialog):
    """Lists the terms of the window with their meanings; a field filters them."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent, tr("Glossary"))
        resize_on_screen(self, *_GLOSSARY_SIZE)
        self.field = FilterField(
            theme, tr("Filter terms"), tr("Find a term"), wide=280, tint="secondary"
        )
        self._rows: list[tuple[str, QWidget]] = []
        page = QWidget()
        lines = QVBoxLayout(page)
        lines.setContentsMargins(0, 0, 8, 0)
        lines.setSpacing(10)
        for term in glossary.terms():
            line = QWidget()
            column = column_of(label(term.name, "heading"), on=line, spacing=2)
            text = label(term.meaning, "secondary", selectable=True)
            text.setWordWrap(True)
            column.addWidget(text)
            lines.addWidget(line)
            words = (term.name, term.meaning, tr_message(term.name), tr_message(term.meaning))
            self._rows.append((" ".join(words).casefold(), line))
        lines.addStretch(1)
        area = QScrollArea()
        area.setAccessibleName(tr("Glossary"))
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(page)
        self.body.setSpacing(12)
        self.none = label(tr("No terms match your search"), "secondary")
        self.none.hide()
        add_to(self.body, self.field, self.none, (area, 1))
        self.field.textChanged.connect(self._filter)
        self.field.setFocus()

    @property
    def shown(self) -> int:
        """The number of terms that match."""
        return sum(not line.isHidden() for _, line in self._rows)

    def _filter(self, text: str) -> None:
        terms = text.casefold().split()
        for content, line in self._rows:
            line.setVisible(all(word in content for word in terms))
        self.none.setVisible(not self.shown)


class AboutDialog(_HelpDialog):
    """Shows the version, the licenses, and how this system isolates models."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent, tr("About Inspector"))
        self.body.setSpacing(6)
        self.body.addWidget(
            label(tr("Inspector {version}").format(version=__version__), "heading")
        )
        level, reason = confinement.available()
        because = f" ({reason})" if reason else ""
        for text in (
            tr("Inspector works offline: your models and measurements stay on this machine."),
            tr("Sandbox: {level}{because}: {meanings}.").format(
                level=level, because=because, meanings=confinement.MEANINGS[level]
            ),
            tr(
                "License: Apache-2.0. The fonts Inter and JetBrains Mono "
                "are under the SIL Open "
                "Font License."
            ),
        ):
            self.body.addWidget(label(text, "secondary"))


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
