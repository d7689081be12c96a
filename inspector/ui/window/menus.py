"""Menus and their keys: everything the window can do, in words."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolButton

Key = QKeySequence.StandardKey | str


@dataclass(frozen=True, slots=True)
class Command:
    """One thing the window can do. No words: a line between the commands around it.

    fill: for a command that is a menu of its own, called each time before it opens.
    possible, ticked: asked before its menu opens; its keys are never switched off, and what
        they cannot do now does nothing.
    """

    words: str = ""
    act: Callable[[], object] | None = None
    keys: tuple[Key, ...] = ()
    fill: Callable[[QMenu], None] | None = None
    within: tuple["Command", ...] = ()
    possible: Callable[[], bool] | None = None
    ticked: Callable[[], bool] | None = None


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
    shown: list[tuple[QAction, Command]] = []
    for command in commands:
        if not command.words:
            menu.addSeparator()
        elif command.within:
            inner = menu.addMenu(command.words)
            _fill(window, inner, command.within)
            shown.append((inner.menuAction(), command))
        elif command.fill is not None:
            _fill_late(menu.addMenu(command.words), command.fill)
        else:
            action = _action(menu, command)
            window.addAction(action)  # keys work though no menu is open
            shown.append((action, command))
    menu.aboutToShow.connect(partial(_bring_up_to_date, shown))
    menu.aboutToHide.connect(partial(_let_keys_work, shown))


def _bring_up_to_date(shown: list[tuple[QAction, Command]]) -> None:
    for action, command in shown:
        if command.possible is not None:
            action.setEnabled(command.possible())
        if command.ticked is not None:
            action.setChecked(command.ticked())


def _let_keys_work(shown: list[tuple[QAction, Command]]) -> None:
    for action, _ in shown:
        action.setEnabled(True)


def _fill_late(menu: QMenu, fill: Callable[[QMenu], None]) -> None:
    menu.aboutToShow.connect(lambda: fill(menu))


def _action(menu: QMenu, command: Command) -> QAction:
    action = menu.addAction(command.words)
    action.setCheckable(command.ticked is not None)
    action.setShortcuts([QKeySequence(key) for key in command.keys])
    act = command.act
    assert act is not None, "a command without a menu does something"
    action.triggered.connect(lambda: act())
    return action
