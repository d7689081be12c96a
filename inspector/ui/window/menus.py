"""Menus and their keys: everything the window can do, in words."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolButton

Key = QKeySequence.StandardKey | str


@dataclass(frozen=True, slots=True)
class Command:
    """One thing the window can do. No words: a line between the commands around it.

    fill: for a command that is a menu of its own, called each time before it opens.
    """

    words: str = ""
    act: Callable[[], object] | None = None
    keys: tuple[Key, ...] = ()
    fill: Callable[[QMenu], None] | None = None
    within: tuple["Command", ...] = ()


def add_menus(window: QMainWindow, button: QToolButton, menus: tuple[Command, ...]) -> None:
    """Give the window its menus and keys: a menu bar on macOS, else the button's menu."""
    whole = QMenu(window)
    home = window.menuBar() if sys.platform == "darwin" else whole
    for menu in menus:
        _fill(window, home.addMenu(menu.words), menu.within)
    button.setVisible(home is whole)
    button.setMenu(whole)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)


def _fill(window: QMainWindow, menu: QMenu, commands: tuple[Command, ...]) -> None:
    for command in commands:
        if not command.words:
            menu.addSeparator()
        elif command.within:
            _fill(window, menu.addMenu(command.words), command.within)
        elif command.fill is not None:
            _fill_late(menu.addMenu(command.words), command.fill)
        else:
            window.addAction(_action(menu, command))  # keys work though no menu is open


def _fill_late(menu: QMenu, fill: Callable[[QMenu], None]) -> None:
    menu.aboutToShow.connect(lambda: fill(menu))


def _action(menu: QMenu, command: Command) -> QAction:
    action = menu.addAction(command.words)
    action.setShortcuts([QKeySequence(key) for key in command.keys])
    act = command.act
    assert act is not None, "a command without a menu does something"
    action.triggered.connect(lambda: act())
    return action
