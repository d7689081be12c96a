"""The commands of one window: running them, and its menus and buttons."""

import sys
from collections.abc import Mapping
from functools import partial
from typing import cast

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QMainWindow, QMenu, QToolButton

from inspector.ui.translate import tr
from inspector.ui.widgets.parts import explain_entries, set_available, tip
from inspector.ui.window.commands import listing
from inspector.ui.window.commands.registry import Command, Submenu
from inspector.ui.window.host import Window

_CHOICES = ("tab", "theme")  # beginnings of ids of which one is chosen; others are switches


class Menus(QObject):
    """Runs the commands of a window, and makes its menus.

    A command has one action in all menus that list it.

    Shortcuts are never switched off: a command that is not possible now says why.
    """

    def __init__(self, window: Window) -> None:
        self._widget = cast("QMainWindow", window)
        super().__init__(self._widget)
        self._window = window
        self._actions: dict[str, QAction] = {}
        self._choices: dict[str, QActionGroup] = {}
        self._menus: dict[str, QMenu] = {}
        self._entries: dict[str, tuple[Command | Submenu, ...]] = {}  # of menus of buttons

    def run(self, id_: str, *arguments: object) -> None:
        """Run a command, or say why it is not possible now."""
        command = listing.find(id_)
        reason = command.why_not(self._window)
        if reason:
            what = command.name.removesuffix("…").rstrip()
            self._window.messages.tell_refused(what, reason)
        else:
            command.action(self._window, *arguments)

    def undo_of(self, id_: str) -> Command:
        """Return the command that takes back what another one did."""
        return listing.find(listing.find(id_).undo)

    def add_bar(self, button: QToolButton) -> None:
        """Add all menus to the window: a menu bar on macOS, else the menu of a button."""
        menu = QMenu(self._widget)
        parent = self._widget.menuBar() if sys.platform == "darwin" else menu
        for id_, title in listing.TOP:
            self._fill(parent.addMenu(tr(title)), id_)
        button.setVisible(parent is menu)
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        if parent is menu:
            QShortcut("F10", self._widget, button.showMenu)
            for action in menu.actions():
                open_below = partial(_open_below, button, cast("QMenu", action.menu()))
                QShortcut(QKeySequence.mnemonic(action.text()), self._widget, open_below)

    def menu(self, id_: str) -> QMenu:
        """Return a menu of a button."""
        if id_ not in self._menus:
            self._menus[id_] = QMenu(self._widget)
            self._fill(self._menus[id_], id_)
        return self._menus[id_]

    def is_possible(self, menu: str) -> bool:
        """Return whether a menu has a command that is possible now."""
        if menu not in self._entries:  # asked with each change of a job
            self._entries[menu] = tuple(filter(None, listing.entries(menu)))
        return any(not each.why_not(self._window) for each in self._entries[menu])

    def follow(self, buttons: Mapping[str, QAbstractButton]) -> None:
        """Let the buttons of commands tell keys, and why they are not possible now."""
        for id_, button in buttons.items():
            command = listing.find(id_)
            reason = command.why_not(self._window)
            button.setEnabled(not reason)
            button.setToolTip(tip(reason) if reason else command.tooltip)

    def _fill(self, menu: QMenu, id_: str) -> None:
        explain_entries(menu)  # with the reasons
        shown: list[tuple[QAction, Command | Submenu]] = []
        for entry in listing.entries(id_):
            if entry is None:
                menu.addSeparator()
            elif isinstance(entry, Command):
                action = self._action(entry)
                menu.addAction(action)
                shown.append((action, entry))
            else:
                below = menu.addMenu(tr(entry.title))
                shown.append((below.menuAction(), entry))
                if entry.fill is not None:
                    below.aboutToShow.connect(partial(entry.fill, self._window, below))
                else:
                    self._fill(below, entry.id)
        menu.aboutToShow.connect(partial(self._show_states, shown))
        menu.aboutToHide.connect(partial(_enable_all, shown))

    def _action(self, command: Command) -> QAction:
        """Return the action of a command; its shortcut works though no menu is open."""
        if command.id in self._actions:
            return self._actions[command.id]
        action = self._actions[command.id] = QAction(command.name, self._widget)
        action.setObjectName(command.id)
        action.setCheckable(command.checked is not None)
        family = command.id.partition("/")[0]
        if family in _CHOICES:
            if family not in self._choices:
                group = self._choices[family] = QActionGroup(self._widget)
                group.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
            self._choices[family].addAction(action)
        action.setShortcuts([QKeySequence(keys) for keys in command.keys])
        action.triggered.connect(lambda: self.run(command.id))
        if command.id == "preferences":  # macOS shows it in the menu of the program
            action.setMenuRole(QAction.MenuRole.PreferencesRole)
        self._widget.addAction(action)
        return action

    def _show_states(self, shown: list[tuple[QAction, Command | Submenu]]) -> None:
        for action, entry in shown:
            reason = entry.why_not(self._window)
            set_available(action, reason)
            if isinstance(entry, Command) and not reason and not entry.keys:
                action.setToolTip(tr(entry.about))
            if isinstance(entry, Command) and entry.checked is not None:
                action.setChecked(entry.checked(self._window))


def _open_below(button: QToolButton, menu: QMenu) -> None:
    menu.popup(button.mapToGlobal(QPoint(0, button.height())))


def _enable_all(shown: list[tuple[QAction, Command | Submenu]]) -> None:
    """Enable the shortcuts again: the states may change while the menu is closed."""
    for action, _ in shown:
        action.setEnabled(True)
