"""A new command is one function in one file: menu, palette and shortcuts follow from it."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from inspector.ui import commands
from inspector.ui.window.command_palette import CommandPalette
from inspector.ui.window.commands.registry import COMMANDS, MENUS, command
from inspector.ui.window.dialogs.help_dialogs import ShortcutsDialog
from inspector.ui.window.host import Window

CONTROL = Qt.KeyboardModifier.ControlModifier
NO_TOYS = "All toys are lent"


@pytest.fixture
def played() -> Iterator[list[object]]:
    """What the toy command was run with."""
    runs: list[object] = []
    state = {"why": ""}

    @command(
        "toy",
        "Play…",
        "help",
        keys="Ctrl+J",
        about="Play with the toy",
        refusal=lambda _: state["why"],
    )
    def play(window: Window, *with_what: object) -> None:
        state["why"] = NO_TOYS if with_what else ""
        runs.append(with_what)

    yield runs
    del COMMANDS["toy"]
    MENUS["help"].remove("toy")


def test_a_command_is_in_menu_palette_and_shortcuts_and_says_why_not(qtbot, played, window):
    qtbot.waitUntil(lambda: window.top_bar.menu_button.menu() is not None)
    menus = {each.text(): each.menu() for each in window.top_bar.menu_button.menu().actions()}
    entry = next(each for each in menus["&Help"].actions() if each.text() == "Play…")
    entry.trigger()
    qtbot.keyClick(window, Qt.Key.Key_J, CONTROL)
    assert played == [(), ()]

    qtbot.keyClick(window, Qt.Key.Key_K, CONTROL)
    palette = window.findChild(CommandPalette)
    qtbot.keyClicks(palette.field, "play")
    assert palette.list.item(0).text() == "Help > Play…   Ctrl+J"
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert len(played) == 3

    qtbot.keyClick(window, Qt.Key.Key_Slash, CONTROL)
    shown = next(w for w in QApplication.topLevelWidgets() if isinstance(w, ShortcutsDialog))
    assert {"Play with the toy", "Ctrl+J"} <= {
        each.text() for each in shown.findChildren(QLabel)
    }
    shown.close()

    commands.run(window.welcome, "toy", "all of them")
    assert played[-1] == ("all of them",)
    menus["&Help"].aboutToShow.emit()
    assert (entry.isEnabled(), entry.toolTip()) == (False, NO_TOYS)
    menus["&Help"].aboutToHide.emit()
    qtbot.keyClick(window, Qt.Key.Key_J, CONTROL)
    assert len(played) == 4
    assert "Play" in str(window.notice.message())
    assert NO_TOYS in str(window.notice.message())
