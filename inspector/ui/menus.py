"""Menus and their keys: everything the window can do, in words."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from inspector import units
from inspector.ui.top_bar import FORMATS, TABS

if TYPE_CHECKING:
    from inspector.ui.main_window import MainWindow

Key = QKeySequence.StandardKey | str


def add_menus(window: "MainWindow") -> None:
    """Give the window its menus and all keys: a menu bar on macOS, else one button's menu."""
    button = window.top_bar.menu_button
    whole = QMenu(window)
    home = window.menuBar() if sys.platform == "darwin" else whole
    for words, fill in (("&File", _file), ("&View", _view), ("&Model", _model)):
        fill(window, home.addMenu(words))
    button.setVisible(home is whole)
    button.setMenu(whole)
    button.setPopupMode(button.ToolButtonPopupMode.InstantPopup)


def _add(
    window: "MainWindow", menu: QMenu, words: str, act: Callable[[], None], *keys: Key
) -> QAction:
    action = menu.addAction(words)
    action.triggered.connect(lambda: act())
    action.setShortcuts([QKeySequence(key) for key in keys])
    window.addAction(action)  # its keys work though the menu is never opened
    return action


def _file(window: "MainWindow", menu: QMenu) -> None:
    _add(window, menu, "Open…", window.ask_for_files, QKeySequence.StandardKey.Open)
    recent = menu.addMenu("Open recent")
    recent.aboutToShow.connect(lambda: _fill_recent(window, recent))
    _add(window, menu, "Open pasted path", window.open_pasted, "Ctrl+Shift+V")
    menu.addSeparator()
    export = menu.addMenu("Export")
    for words, form in FORMATS:
        keys = (QKeySequence.StandardKey.Save,) if form == "json" else ()
        _add(window, export, words, partial(window.exporter.ask, form), *keys)
    menu.addSeparator()
    _add(window, menu, "Close", window.close_document, QKeySequence.StandardKey.Close)
    _add(window, menu, "Quit", lambda: _quit(window), "Ctrl+Q")


def _view(window: "MainWindow", menu: QMenu) -> None:
    for index, words in enumerate(TABS):
        _add(window, menu, words, partial(window.choose_tab, index), f"Ctrl+{index + 1}")
    menu.addSeparator()
    bar = window.top_bar
    _add(window, menu, "List of models", bar.sidebar_button.toggle, "Ctrl+Alt+S")
    _add(window, menu, "Inspector", bar.inspector_button.toggle, "Ctrl+Alt+I")
    menu.addSeparator()
    for words, choice in (("Light", "light"), ("Dark", "dark"), ("As the system", "system")):
        _add(window, menu, words, partial(window.theme.choose, choice))


def _model(window: "MainWindow", menu: QMenu) -> None:
    _add(window, menu, "Measure", window.measure, "Ctrl+R")
    _add(window, menu, "Cancel", lambda: _cancel(window), "Ctrl+.")
    menu.addSeparator()
    _add(window, menu, "Previous selection", lambda: _step(window, back=True), "Alt+Left")
    _add(window, menu, "Next selection", lambda: _step(window, back=False), "Alt+Right")


def _fill_recent(window: "MainWindow", menu: QMenu) -> None:
    menu.clear()
    for path in window.workspace.recent:
        words = units.clip(path.name, 60).replace("&", "&&")
        menu.addAction(words, partial(_open, window, path))
    if menu.isEmpty():
        menu.addAction("Nothing opened yet").setEnabled(False)


def _open(window: "MainWindow", path: Path) -> None:
    window.workspace.open(path)


def _quit(window: "MainWindow") -> None:
    window.close()


def _cancel(window: "MainWindow") -> None:
    if window.document is not None:
        window.document.cancel()


def _step(window: "MainWindow", back: bool) -> None:
    if window.document is not None:
        selection = window.document.selection
        selection.back() if back else selection.forward()
