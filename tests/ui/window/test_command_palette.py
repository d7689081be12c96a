"""Commands found by a few letters of their names, and carried out by Enter."""

from PySide6.QtCore import QSettings, Qt
from pytestqt.qtbot import QtBot

from inspector.ui.documents.workspace import Workspace
from inspector.ui.window.command_palette import CommandPalette
from inspector.ui.window.dialogs.guide_dialog import GuideDialog
from inspector.ui.window.dialogs.preferences_dialog import PREFERENCES, PreferencesDialog
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.tabs import Tab
from tests.reports import example_report
from tests.ui.made_documents import open_in_window


def opened(qtbot: QtBot, window: MainWindow) -> CommandPalette:
    """The palette, opened by its keys."""
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: bool(window.findChildren(CommandPalette)))
    return window.findChildren(CommandPalette)[-1]


def shown(palette: CommandPalette) -> list[str]:
    return [palette.list.item(row).text() for row in range(palette.list.count())]


def test_typing_leaves_the_commands_that_match_and_enter_runs_one(qtbot, window, samples):
    open_in_window(qtbot, window, samples / "digits_float32.onnx")
    palette = opened(qtbot, window)
    qtbot.keyClicks(palette.field, "view graph")
    assert shown(palette)[0].partition("   ")[0] == "View > Graph"
    assert not any(text.startswith(("View > Weights", "File > ")) for text in shown(palette))
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
    assert "No report is shown" in shown(palette)[0]
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)  # runs nothing, and says why
    assert palette.isVisible()
    palette.field.clear()
    qtbot.keyClicks(palette.field, "qqxyz")
    assert shown(palette) == []
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)  # runs nothing


def test_the_start_of_a_word_is_nearer_than_its_middle(qtbot, window):
    palette = opened(qtbot, window)
    qtbot.keyClicks(palette.field, "list")
    assert shown(palette)[0].startswith("View > Model list")


def test_a_layer_is_found_by_what_the_graph_understands_and_shown_there(qtbot, window, samples):
    document = open_in_window(qtbot, window, samples / "digits_float32.onnx")
    palette = opened(qtbot, window)
    qtbot.keyClicks(palette.field, "op:Relu")
    qtbot.waitUntil(lambda: any(text.startswith("Layer > ") for text in shown(palette)))
    label, _, operator = shown(palette)[0].removeprefix("Layer > ").partition("   ")
    assert operator == "Relu"
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.view.current is Tab.GRAPH
    assert document.model.layers[document.selection.now.layer].label == label


def test_an_open_model_comes_to_the_front(qtbot, window, samples):
    for name in ("digits_float32.onnx", "digits_int8_qdq.onnx"):
        window.workspace.open(samples / name)
    first, other = window.workspace.documents
    qtbot.waitUntil(lambda: first.model is not None and other.model is not None)
    window.show_document(other)
    palette = opened(qtbot, window)
    qtbot.keyClicks(palette.field, "item float32")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.document is first


def test_a_setting_gets_the_keys(qtbot, window, samples):
    open_in_window(qtbot, window, samples / "digits_float32.onnx")
    window.show()
    palette = opened(qtbot, window)
    qtbot.keyClicks(palette.field, "setting warm-up")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.view.current is Tab.PERFORMANCE
    tab = window.opened_tab(Tab.PERFORMANCE)
    field = tab.settings.fields.own["warmup"]
    assert field.isVisible()
    qtbot.waitUntil(field.hasFocus)


def test_each_preference_gets_the_keys(qtbot, theme):
    dialog = PreferencesDialog(theme, Workspace(QSettings()), None)
    qtbot.addWidget(dialog)
    dialog.show()
    focused = set[str]()
    for name in PREFERENCES:
        field = getattr(dialog, name)
        dialog.focus_on(name)
        if field.isEnabled():
            qtbot.waitUntil(field.hasFocus)
            focused.add(name)
    assert set(PREFERENCES) - focused <= {"remove", "forget"}  # none there


def test_help_is_found_by_title_by_term_and_by_what_stands_in_it(qtbot, window):
    palette = opened(qtbot, window)
    qtbot.keyClicks(palette.field, "percentile")
    found = shown(palette)
    assert any(text.startswith("Glossary > ") for text in found)
    assert any(text.startswith("Guide > ") for text in found)
    palette.field.clear()
    qtbot.keyClicks(palette.field, "guide graph")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    guide = window.findChildren(GuideDialog)[-1]
    assert guide.page.address == "tabs/graph.md"
    guide.close()


def test_what_can_be_pressed_on_the_page_and_what_a_command_is_about_are_found(
    qtbot, window, samples
):
    document = open_in_window(qtbot, window, samples / "digits_float32.onnx")
    document.add_report(example_report())
    window.run_command("tab/performance")
    palette = opened(qtbot, window)
    qtbot.keyClicks(palette.field, "speed")
    assert shown(palette)[0].startswith("Model > Measure")
    palette.field.clear()
    qtbot.keyClicks(palette.field, "export html")
    assert shown(palette)[0].startswith("File > Export report > Web page")
    palette.field.clear()
    qtbot.keyClicks(palette.field, "all stat")
    assert shown(palette)[0] == "On this page > All statistics"
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.opened_tab(Tab.PERFORMANCE).report_view.statistics.isVisible()


def test_a_sample_language_model_is_found_by_its_name_and_opens(qtbot, window):
    palette = opened(qtbot, window)
    qtbot.keyClicks(palette.field, "alice")
    assert any(text.startswith("Sample model > Alice in") for text in shown(palette))
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.document is not None and window.document.model is not None)
    assert window.document.is_language_model
