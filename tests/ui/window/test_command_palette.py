"""Commands found by a few letters of their names, and carried out by Enter."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inspector.ui.window.command_palette import CommandPalette
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.tabs import Tab


def opened(qtbot: QtBot, window: MainWindow) -> CommandPalette:
    """The palette, opened by its keys."""
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: bool(window.findChildren(CommandPalette)))
    return window.findChildren(CommandPalette)[-1]


def shown(palette: CommandPalette) -> list[str]:
    return [palette.list.item(row).text() for row in range(palette.list.count())]


def test_typing_leaves_the_commands_that_match_and_enter_runs_one(qtbot, window, samples):
    window.workspace.open(samples / "digits_float32.onnx")
    document = window.document
    qtbot.waitUntil(lambda: document.model is not None)
    palette = opened(qtbot, window)
    qtbot.keyClicks(palette.field, "view graph")
    assert [text.partition("   ")[0] for text in shown(palette)] == ["View > Graph"]
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.view.current is Tab.GRAPH


def test_arrow_keys_move_through_the_list_from_the_field(qtbot, window):
    palette = opened(qtbot, window)
    qtbot.keyClicks(palette.field, "view")
    first = palette.list.currentRow()
    qtbot.keyClick(palette.field, Qt.Key.Key_Down)
    assert (first, palette.list.currentRow()) == (0, 1)
    qtbot.keyClick(palette.field, Qt.Key.Key_Up)
    assert palette.list.currentRow() == 0


def test_commands_that_are_not_possible_now_come_last_with_the_reason(qtbot, window):
    palette = opened(qtbot, window)
    paths = [text.partition("   ")[0] for text in shown(palette)]
    assert paths.index("File > Open…") < paths.index("Model > Measure")
    qtbot.keyClicks(palette.field, "export report pdf")
    assert len(shown(palette)) == 1
    assert "No report is shown" in shown(palette)[0]
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)  # runs nothing, and says why
    assert palette.isVisible()
    palette.field.clear()
    qtbot.keyClicks(palette.field, "no such command")
    assert shown(palette) == []
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)  # runs nothing


def test_the_start_of_a_word_is_nearer_than_its_middle(qtbot, window):
    palette = opened(qtbot, window)
    qtbot.keyClicks(palette.field, "list")
    assert shown(palette)[0].startswith("View > Model list")
