"""What a user does to the window before any tab matters: open, choose, close, come back."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, QObject, QRect, QSettings, QSize, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QWidget,
)

from inspector.errors import EngineDied, EngineFailed
from inspector.report import report as reports
from inspector.sandbox import confinement
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.workspace import Workspace
from inspector.ui.tabs.activations.tab import ActivationsTab
from inspector.ui.widgets.comparison_links import ComparisonLinks
from inspector.ui.window.dialogs.help_dialogs import AboutDialog, ShortcutsDialog
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.shortcuts import TAB, WINDOW, shortcuts
from inspector.ui.window.tabs import TABS, Tab
from tests.reports import example_report
from tests.ui.made_documents import drop, open_in_window


def entries(window: MainWindow) -> list[str]:
    rows = window.sidebar.list.model()
    return [rows.index(row, 0).data() for row in range(rows.rowCount())]


def test_a_model_opens_from_the_file_dialog(qtbot, window, digits, monkeypatch):
    monkeypatch.setattr(QApplication, "testAttribute", QApplication.testAttribute)
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)

    def choose() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QFileDialog)
        field = dialog.findChild(QLineEdit, "fileNameEdit")
        field.setText(str(digits))
        dialog.accept()

    QTimer.singleShot(50, choose)
    qtbot.mouseClick(window.top_bar.open_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.document is not None and window.document.model is not None)
    assert entries(window) == ["Open models", "digits_float32"]
    assert window.windowTitle() == "digits_float32.onnx — Inspector"


@pytest.mark.quick
def test_a_dropped_file_opens(qtbot, window, digits):
    drop(window, digits)
    qtbot.waitUntil(lambda: window.document is not None and window.document.model is not None)


def test_a_pasted_path_opens(qtbot, window, digits):
    QApplication.clipboard().setText(f'"{digits}"\n')
    qtbot.keyClick(
        window,
        Qt.Key.Key_V,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    qtbot.waitUntil(lambda: window.document is not None and window.document.model is not None)


@pytest.mark.parametrize("words", ["x" * 4000, "~nobody-by-that-name/a.onnx", "a" * 300])
def test_pasted_words_that_are_no_path_do_nothing(window, words):
    QApplication.clipboard().setText(words)
    window.run_command("open/pasted")
    assert window.workspace.documents == ()


def test_what_is_no_model_gets_a_sentence_and_leaves_the_window(
    qtbot, window, digits, tmp_path
):
    page = tmp_path / "login.onnx"
    page.write_text("<!DOCTYPE html><title>Sign in</title>")
    with qtbot.waitSignal(window.workspace.failed):
        window.workspace.open(page)
    assert window.notice.isVisible()
    assert "login.onnx" in window.notice.what.text()
    assert window.document is None
    assert window.welcome.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.notice.isVisible()
    with qtbot.waitSignal(window.workspace.failed):
        window.workspace.open(page)
    assert window.notice.isVisible()
    open_in_window(qtbot, window, digits)
    assert not window.notice.isVisible(), "what failed earlier is not said of what is open now"


def test_the_second_opening_of_a_file_shows_the_first(qtbot, window, digits):
    open_in_window(qtbot, window, digits)
    window.workspace.open(digits)
    assert len(window.workspace.documents) == 1


def test_a_report_opens_without_its_model(qtbot, window, tmp_path):
    path = tmp_path / "saved.json"
    reports.save(example_report(), path)
    window.workspace.open(path)
    qtbot.waitUntil(lambda: window.document is not None)
    assert window.document.report is not None
    assert entries(window)[0] == "Reports"
    assert window.sidebar.list.currentIndex().row() == 1
    assert not window.top_bar.measure_button.isVisible()


def test_two_reports_can_be_compared(qtbot, window, tmp_path):
    for name in ("one.json", "two.json"):
        reports.save(example_report(), tmp_path / name)
        with qtbot.waitSignal(window.workspace.opened):
            window.workspace.open(tmp_path / name)
    qtbot.waitUntil(lambda: window.sidebar.compare_button.isVisible())
    qtbot.mouseClick(window.sidebar.compare_button, Qt.MouseButton.LeftButton)
    dialogs = [w for w in QApplication.topLevelWidgets() if "Compare" in w.windowTitle()]
    assert dialogs
    dialogs[0].close()


def test_closing_the_last_document_brings_the_welcome_back(qtbot, window, digits):
    open_in_window(qtbot, window, digits)
    window.close_document()
    assert window.welcome.isVisible()
    assert not window.sidebar.isVisible()


def test_recent_files_theme_and_place_survive_a_start(
    qtbot, window, digits, theme, monkeypatch
):
    wide = SimpleNamespace(
        availableGeometry=lambda: QRect(0, 0, 1920, 1080),
        availableSize=lambda: QSize(1920, 1080),
    )
    monkeypatch.setattr(MainWindow, "screen", lambda _: wide)  # the screen of tests is small
    open_in_window(qtbot, window, digits)
    theme.choose("dark")
    window.setGeometry(30, 4, 1200, 700)  # at the top, below a low title bar
    window.close()
    settings = window.workspace.settings
    settings.sync()
    again = Workspace(QSettings(settings.fileName(), QSettings.Format.IniFormat))
    assert again.recent == (digits,)
    assert again.settings.value("theme") == "dark"
    later = MainWindow(theme, again)
    qtbot.addWidget(later)
    assert later.geometry() == QRect(30, 4, 1200, 700)


def test_keys_choose_tabs(qtbot, window, digits):
    open_in_window(qtbot, window, digits)
    keys = (Qt.Key.Key_6, Qt.Key.Key_5, Qt.Key.Key_1)
    for key, tab in zip(keys, (Tab.PERFORMANCE, Tab.ACTIVATIONS, Tab.OVERVIEW), strict=True):
        qtbot.keyClick(window, key, Qt.KeyboardModifier.ControlModifier)
        assert window.view.current == tab


def test_a_dead_engine_is_told_and_measuring_can_be_tried_again(qtbot, window, digits, answers):
    open_in_window(qtbot, window, digits)
    document = window.document
    answers["measure"] = EngineDied(
        "The engine process stopped", "out of memory", "Use a smaller batch."
    )
    with qtbot.waitSignal(document.failed):
        qtbot.mouseClick(window.top_bar.measure_button, Qt.MouseButton.LeftButton)
    assert "The engine process stopped" in window.status.words()[0]
    answers["measure"] = example_report()
    with qtbot.waitSignal(document.report_added):
        qtbot.mouseClick(window.top_bar.measure_button, Qt.MouseButton.LeftButton)
    assert document.error is None


def test_a_measured_report_is_listed_and_marked(qtbot, window, digits, answers):
    open_in_window(qtbot, window, digits)
    document = window.document
    answers["measure"] = example_report()
    with qtbot.waitSignal(document.report_added):
        qtbot.mouseClick(window.top_bar.measure_button, Qt.MouseButton.LeftButton)
    assert entries(window) == ["Open models", "digits_float32", "WebGPU + CPU"]
    assert window.sidebar.list.currentIndex().row() == 2
    assert window.view.current is Tab.PERFORMANCE
    window.choose_tab(Tab.GRAPH)
    with qtbot.waitSignal(document.report_added):
        document.measure()
    assert window.view.current is Tab.GRAPH, "the user went there while it was measured"


def test_a_measurement_that_ends_leaves_the_page_of_another_model(
    qtbot, window, digits, samples, answers
):
    open_in_window(qtbot, window, digits)
    measured = window.document
    window.choose_tab(Tab.PERFORMANCE)
    window.workspace.open(samples / "digits_int8_qdq.onnx")
    qtbot.waitUntil(lambda: window.document is not measured and window.document.model)
    window.choose_tab(Tab.PREVIEW)
    answers["measure"] = example_report()
    with qtbot.waitSignal(measured.report_added):
        measured.measure()
    assert window.document is not measured
    assert window.view.current is Tab.PREVIEW
    assert window.sidebar.list.currentIndex().data() == "digits_int8_qdq"
    window.show_document(measured)
    assert window.view.current is Tab.PERFORMANCE


def test_find_goes_to_the_field_of_the_tab_in_front(qtbot, window, digits):
    open_in_window(qtbot, window, digits)
    window.activateWindow()
    for tab in (Tab.OVERVIEW, Tab.GRAPH, Tab.WEIGHTS):
        window.choose_tab(tab)
        shown = window.view.tab(tab)
        fields = shown.findChildren
        qtbot.waitUntil(lambda of=fields: any(f.isVisible() for f in of(QLineEdit)))
        qtbot.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        field = QApplication.focusWidget()
        assert isinstance(field, QLineEdit)
        assert shown.isAncestorOf(field)


class Windows(QObject):
    """Keeps what was shown as a window of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget):
            self.shown += [type(watched).__name__] if watched.isWindow() else []
        return False


def test_no_part_of_a_tab_flashes_up_as_a_window(qtbot, window, digits, qapp, answers):
    answers["predict"] = EngineFailed("Predicted", "and that was all", "")
    seen = Windows()
    qapp.installEventFilter(seen)
    open_in_window(qtbot, window, digits)
    for tab in TABS:
        window.choose_tab(tab)
        qtbot.wait(50)
    qapp.removeEventFilter(seen)
    assert seen.shown == []


def menu_of(window: MainWindow, title: str) -> QMenu:
    whole = window.top_bar.menu_button.menu()
    found = next(action.menu() for action in whole.actions() if action.text() == title)
    assert isinstance(found, QMenu)
    return found


def entry(menu: QMenu, words: str) -> QAction:
    return next(action for action in menu.actions() if action.text() == words)


def test_f10_opens_the_menu_and_alt_with_a_letter_one_of_its_menus(qtbot, window):
    qtbot.waitUntil(lambda: window.top_bar.menu_button.menu() is not None)
    qtbot.waitUntil(window.isActiveWindow)
    menu, opened = window.top_bar.menu_button.menu(), []
    menu.aboutToShow.connect(lambda: opened.append(QTimer.singleShot(0, menu.close)))
    qtbot.keyClick(window, Qt.Key.Key_F10)
    assert opened
    window.activateWindow()
    qtbot.waitUntil(lambda: window.isActiveWindow() and not menu.isVisible())
    first = menu_of(window, "&File")
    first.aboutToShow.connect(lambda: opened.append(QTimer.singleShot(0, first.close)))
    qtbot.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: len(opened) == 2)


def test_menus_tell_what_is_on_and_what_cannot_be_done_now(qtbot, window, digits):
    qtbot.waitUntil(lambda: window.top_bar.menu_button.menu() is not None)
    view, model = menu_of(window, "&View"), menu_of(window, "&Model")
    for menu in (view, model):
        menu.aboutToShow.emit()
    assert not entry(view, "Graph").isEnabled()
    assert not entry(model, "Measure").isEnabled()
    assert entry(model, "Measure").toolTip() == "No model is open"
    model.aboutToHide.emit()
    assert entry(model, "Measure").isEnabled()  # its keys are for when there is something
    open_in_window(qtbot, window, digits)
    window.choose_tab(Tab.GRAPH)
    window.theme.choose("dark")
    for menu in (view, model):
        menu.aboutToShow.emit()
    ticked = [action.text() for action in view.actions() if action.isChecked()]
    assert [words for words in ticked if words in ("Overview", "Graph", "Dark")] == [
        "Graph",
        "Dark",
    ]
    assert not entry(model, "Cancel").isEnabled()
    document = window.document
    document.improving.work = "Searching"
    model.aboutToShow.emit()
    entry(model, "Cancel").trigger()
    assert document.improving._stopping, "it ends a search of Improve, too"


def every_menu(menu: QMenu) -> Iterator[QMenu]:
    yield menu
    for action in menu.actions():
        below = action.menu()
        if isinstance(below, QMenu):
            yield from every_menu(below)


def test_each_entry_that_is_not_possible_now_says_why(qtbot, window, digits):
    qtbot.waitUntil(lambda: window.top_bar.menu_button.menu() is not None)
    for path in (None, digits):
        if path is not None:
            open_in_window(qtbot, window, path)
        for menu in list(every_menu(window.top_bar.menu_button.menu()))[1:]:
            menu.aboutToShow.emit()
            off = [each for each in menu.actions() if each.text() and not each.isEnabled()]
            for action in off:
                if not action.text().startswith("No "):  # the one entry of an empty list
                    assert action.toolTip() not in ("", action.text()), action.text()
                    assert menu.toolTipsVisible()
            menu.aboutToHide.emit()
    compare = next(m for m in every_menu(menu_of(window, "&Model")) if m.title() == "Compare")
    compare.aboutToShow.emit()
    assert entry(compare, "Compare models…").isEnabled(), "it asks for the other file"
    reason = entry(compare, "Compare measurements…").toolTip()
    assert reason.startswith("Needs two open reports")


def test_one_open_model_is_compared_with_a_file_and_all_are_closed_at_once(
    qtbot, window, samples, monkeypatch
):
    open_in_window(qtbot, window, samples / "digits_float32.onnx")
    other = samples / "digits_int8_qdq.onnx"
    monkeypatch.setattr(file_dialogs, "choose_files", lambda *_: (other,))
    window.run_command("compare/models")
    qtbot.waitUntil(lambda: window.diff is not None, timeout=20_000)
    assert [side.path.name for side in window.diff.document.sides][1] == other.name
    window.run_command("close/all")
    assert window.front() is None
    assert entries(window) == []


def test_layers_are_compared_with_the_other_model_of_a_comparison(qtbot, window, samples):
    for name in ("digits_float32.onnx", "digits_int8_qdq.onnx"):
        open_in_window(qtbot, window, samples / name)
    window.run_command("compare/models")
    qtbot.waitUntil(lambda: window.diff is not None, timeout=20_000)
    qtbot.waitUntil(lambda: window.diff.diff is not None, timeout=20_000)
    window.run_command("compare/layers")
    panel = window.diff.content.outputs
    assert panel.isVisible()
    assert panel.begin.isEnabled()
    window.run_command("compare/outputs")
    sides = {samples / "digits_float32.onnx", samples / "digits_int8_qdq.onnx"}
    assert window.document.path in sides
    window.run_command("compare/layers")
    assert isinstance(window.view.tab(Tab.ACTIVATIONS), ActivationsTab)


def test_each_way_to_compare_leads_to_the_others(qtbot, window, digits):
    open_in_window(qtbot, window, digits)
    window.run_command("compare/layers")
    assert window.view.current is Tab.ACTIVATIONS
    (links,) = window.view.tab(Tab.ACTIVATIONS).findChildren(ComparisonLinks)
    assert set(links.links) == {"models", "reports", "outputs"}
    qtbot.mouseClick(links.links["outputs"], Qt.MouseButton.LeftButton)
    assert window.view.current is Tab.PREVIEW
    (links,) = window.view.tab(Tab.PREVIEW).findChildren(ComparisonLinks)
    assert links.isVisible()
    qtbot.mouseClick(links.links["reports"], Qt.MouseButton.LeftButton)
    said = [text.text() for text in window.notice.findChildren(QLabel)]
    assert "Needs two open reports. Measure again, or open another." in said
    message = window.notice.message()
    assert message.fades
    assert not message.done


def test_ctrl_slash_lists_the_registry_of_shortcuts(qtbot, window):
    qtbot.waitUntil(lambda: window.top_bar.menu_button.menu() is not None)
    qtbot.keyClick(window, Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier)
    shown = next(w for w in QApplication.topLevelWidgets() if isinstance(w, ShortcutsDialog))
    assert shown.isVisible()
    lines = [line.text() for line in shown.findChildren(QLabel)]
    assert {each.description for each in shortcuts()} < set(lines)
    assert "Ctrl+Shift+T" in lines
    assert shown.height() < shown.screen().availableSize().height()
    qtbot.keyClick(shown, Qt.Key.Key_Escape)
    assert not shown.isVisible()


def test_every_shortcut_of_the_window_is_in_a_menu(qtbot, window):
    qtbot.waitUntil(lambda: window.top_bar.menu_button.menu() is not None)
    in_menus = sorted(
        key.toString() for action in window.actions() for key in action.shortcuts()
    )
    assert in_menus == sorted(
        key for each in shortcuts() if each.group in (WINDOW, TAB) for key in each.keys
    )


def test_the_about_dialog_names_the_isolation_of_models(qtbot, window):
    qtbot.waitUntil(lambda: window.top_bar.menu_button.menu() is not None)
    entry(menu_of(window, "&Help"), "About Inspector").trigger()
    shown = next(w for w in QApplication.topLevelWidgets() if isinstance(w, AboutDialog))
    level, _ = confinement.available()
    lines = [line.text() for line in shown.findChildren(QLabel)]
    assert any(line.startswith(f"Sandbox: {level}") for line in lines)
    shown.close()


def test_a_sample_opens_from_the_welcome(qtbot, window):
    offers = {made.accessibleName(): made for made in window.welcome.findChildren(QPushButton)}
    assert {
        "Handwritten digits (image)",
        "Tone detection (audio)",
        "Language identification (text)",
    } < set(offers)
    qtbot.mouseClick(offers["Wine classification (table)"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.document is not None and window.document.model is not None)
    assert window.windowTitle() == "wine_tabular.onnx — Inspector"


@pytest.mark.parametrize(
    ("offer", "kind", "example"),
    [
        ("Clothing photos (image)", "picture", "boot.png"),
        ("Tone detection (audio)", "sound", "hum.wav"),
        ("Language identification (text)", "values", "english.txt"),
        ("Wine classification (table)", "values", "wine.csv"),
    ],
)
def test_a_sample_predicts_its_first_example(qtbot, window, answers, offer, kind, example):
    answers["predict"] = EngineFailed("Predicted", "and that was all", "")
    offers = {made.accessibleName(): made for made in window.welcome.findChildren(QPushButton)}
    qtbot.mouseClick(offers[offer], Qt.MouseButton.LeftButton)
    document = window.document
    qtbot.waitUntil(lambda: document.model is not None)
    window.choose_tab(Tab.PREVIEW)
    qtbot.waitUntil(lambda: document.error is not None)
    (place,) = document.inputs
    assert (place.kind, Path(place.value).name) == (kind, example)


def test_a_sample_has_its_first_example_wherever_it_is_opened_from(
    qtbot, window, digits, tmp_path
):
    open_in_window(qtbot, window, digits)
    assert [Path(place.value).name for place in window.document.inputs] == ["digit_0.png"]
    for name, count in ((digits.name, 1), ("renamed.onnx", 0)):
        copy = tmp_path / name
        copy.write_bytes(digits.read_bytes())
        open_in_window(qtbot, window, copy)
        assert window.document.path == copy
        assert len(window.document.inputs) == count


@pytest.mark.parametrize("name", ["renamed.json", "renamed.onnx", "renamed"])
def test_a_renamed_ort_file_opens_as_the_model_that_it_is(
    qtbot, window, shared, tmp_path, name
):
    (model,) = (shared / "odd" / "ort-format").glob("*mnist.ort")
    copy = tmp_path / name
    copy.write_bytes(model.read_bytes())
    open_in_window(qtbot, window, copy)
    assert window.document.model.format == "ort"


def test_menus_and_keys_go_back_and_forth_between_selections(qtbot, window, digits):
    open_in_window(qtbot, window, digits)
    selection = window.document.selection
    for layer in (1, 2, 3):
        selection.choose(layer)
    qtbot.waitUntil(lambda: window.top_bar.menu_button.menu() is not None)
    previous, following = (
        entry(menu_of(window, "&Model"), words)
        for words in ("Previous selection", "Next selection")
    )
    previous.trigger()
    previous.trigger()
    assert selection.now.layer == 1
    following.trigger()
    assert selection.now.layer == 2
    qtbot.keyClick(window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert selection.now.layer == 3
    qtbot.keyClick(window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert selection.now.layer == 2
