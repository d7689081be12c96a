"""What users do most, with the keyboard alone: real key events, no clicks, no calls."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from inspector.report.run_spec import RunSpec
from inspector.ui.documents.document import Document
from inspector.ui.documents.workspace import Workspace
from inspector.ui.graph.view import GraphView
from inspector.ui.tabs.improve.tab import ImproveTab
from inspector.ui.tabs.performance.layer_table import LayerTable
from inspector.ui.tabs.performance.tab import PerformanceTab
from inspector.ui.timeline.widget.lanes import Lanes
from inspector.ui.views.comparison.view import ComparisonView
from inspector.ui.views.history.view import HistoryView
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.dialogs.preferences_dialog import PreferencesDialog
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.tabs import Tab
from tests.reports import example_report

Key, CTRL = Qt.Key, Qt.KeyboardModifier.ControlModifier
SHIFT, NO = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier
PATIENCE_MS = 60_000
MOST_TABS = 150  # presses of Tab until everything had the focus
pytestmark = pytest.mark.engine


@pytest.fixture
def window(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Iterator[MainWindow]:
    """A window with real engines and a library, and no mouse."""
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    workspace = Workspace(settings, library=lambda: tmp_path / "library")
    made = MainWindow(theme, workspace)
    qtbot.addWidget(made)
    with qtbot.waitSignal(workspace.devices_changed, timeout=PATIENCE_MS):
        made.show()
    made.activateWindow()
    yield made
    made.close()


def activate() -> None:
    """Activate the dialog that is open, else the main window, as a window manager would."""
    windows = [each for each in QApplication.topLevelWidgets() if each.isVisible()]
    dialogs = [each for each in windows if isinstance(each, QDialog)]
    wanted = [*dialogs, *(each for each in windows if isinstance(each, MainWindow))][0]
    if QApplication.activeWindow() is not wanted and QApplication.activePopupWidget() is None:
        wanted.activateWindow()
        QApplication.processEvents()


def press(key: Qt.Key | str, modifier: Qt.KeyboardModifier = NO) -> None:
    """Press a key where it goes: an open menu, else what has the focus."""
    activate()
    popup, active = QApplication.activePopupWidget(), QApplication.activeWindow()
    target = popup and (popup.focusWidget() or popup)
    target = target or QApplication.focusWidget() or active
    assert target is not None
    QTest.keyClick(target, key, modifier)


def write(text: str) -> None:
    for letter in text:
        press(letter)


def tab_to(wanted: Callable[[QWidget], bool], back: bool = False) -> QWidget:
    """Press Tab until something has the focus."""
    activate()
    for _ in range(MOST_TABS):
        widget = QApplication.focusWidget()
        if widget is not None and wanted(widget):
            return widget
        press(Key.Key_Backtab if back else Key.Key_Tab, SHIFT if back else NO)
    raise AssertionError("Tab does not lead there")


def named(name: str) -> Callable[[QWidget], bool]:
    return lambda widget: widget.accessibleName().startswith(name) and widget.isEnabled()


def answer_dialog(path: Path) -> None:
    """Type a path into the file dialog that opens next."""

    def fill(tries: int = 0) -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, QFileDialog):
            if tries < 100:  # else nobody would close it
                QTimer.singleShot(20, lambda: fill(tries + 1))
            return
        field = dialog.findChild(QLineEdit, "fileNameEdit")
        field.setText(str(path))  # as pasted: keys would open the completer as well
        QTest.keyClick(field, Key.Key_Return)
        if dialog.isVisible():
            dialog.reject()

    QTimer.singleShot(0, fill)


@pytest.fixture
def document(qtbot: QtBot, window: MainWindow, samples: Path) -> Document:
    """The digits, opened by Ctrl+O."""
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    answer_dialog(samples / "digits_float32.onnx")
    press(Key.Key_O, CTRL)
    qtbot.waitUntil(lambda: window.document is not None and window.document.model is not None)
    assert window.document is not None
    return window.document


@pytest.mark.slow
def test_preview_an_image(qtbot, window, document, samples):
    press(Key.Key_4, CTRL)
    answer_dialog(samples / "inputs" / "digit_3.png")
    tab_to(named("Open…"))
    press(Key.Key_Space)
    qtbot.waitUntil(lambda: "digit_3.png" in str(document.sources), timeout=PATIENCE_MS)
    tab_to(named("Run"))
    press(Key.Key_Space)
    qtbot.waitUntil(lambda: document.prediction is not None, timeout=PATIENCE_MS)


@pytest.mark.slow
def test_choose_a_device_measure_and_export(qtbot, window, document, tmp_path):
    document.set_spec(runs=5, warmup=1)
    tab_to(named("CPU"))
    press(Key.Key_Space)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    press(Key.Key_Down)
    press(Key.Key_Return)
    assert document.spec.devices == ("cpu",)
    press(Key.Key_R, CTRL)
    qtbot.waitUntil(lambda: document.report is not None, timeout=PATIENCE_MS)
    saved = tmp_path / "saved.json"
    answer_dialog(saved)
    press(Key.Key_S, CTRL)
    qtbot.waitUntil(saved.is_file)


@pytest.mark.slow
def test_compare_two_reports_and_look_at_the_history(qtbot, window, document):
    for _ in range(2):
        document.add_report(example_report())
    press(Key.Key_K, CTRL)
    write("compare reports")
    press(Key.Key_Return)
    qtbot.waitUntil(lambda: window.findChild(ComparisonView) is not None)
    press(Key.Key_Escape)
    press(Key.Key_H, CTRL)
    view = window.findChild(HistoryView)
    tab_to(named("Add folder"))
    press(Key.Key_Escape)
    assert not view.isVisible()


@pytest.mark.parametrize("by_name", [False, True])
def test_the_slowest_layer_is_one_step_away_and_return_shows_it_in_the_graph(
    window, document, by_name
):
    report = example_report()
    document.add_report(report)
    if by_name:
        press(Key.Key_K, CTRL)
        write("slowest layer")
        press(Key.Key_Return)
    else:
        press(Key.Key_L, CTRL)
    timed = [layer for layer in report.layers if layer.time_ns]
    slowest = max(timed, key=lambda layer: layer.time_ns)
    assert document.selection.now.layer == slowest.index
    assert window.tab_of(document) == "performance"
    press(Key.Key_Return)
    assert document.selection.now.layer == slowest.index
    assert window.tab_of(document) == "graph"


def test_find_a_layer_and_go_to_it_in_the_timeline(qtbot, window, document):
    document.add_report(example_report())
    press(Key.Key_6, CTRL)
    table = window.findChild(LayerTable)
    assert table is not None
    tab_to(lambda widget: widget is table.filter)
    write("conv")
    tab_to(lambda widget: widget is table.table)
    press(Key.Key_Down)
    layer = document.selection.now.layer
    assert layer is not None
    lanes = tab_to(lambda widget: isinstance(widget, Lanes), back=True)
    assert isinstance(lanes, Lanes)
    before = lanes.state.window.length_ns
    press(Key.Key_Return)
    assert lanes.state.window.length_ns < before
    assert lanes.current_item() >= 0


def test_walk_through_the_graph(qtbot, window, document):
    press(Key.Key_2, CTRL)
    press(Key.Key_F, CTRL)
    write("relu")
    press(Key.Key_Return)
    found = document.selection.now.layer
    assert found is not None
    view = tab_to(lambda widget: isinstance(widget, GraphView))
    assert isinstance(view, GraphView)
    press(Key.Key_Down)
    assert document.selection.now.layer not in (None, found)


@pytest.mark.slow
def test_convert_a_model(qtbot, window, document):
    press(Key.Key_7, CTRL)
    tab = window.findChild(ImproveTab)
    assert tab is not None
    improving = document.improving
    improving.starts = 0
    qtbot.waitUntil(lambda: bool(improving.offers), timeout=PATIENCE_MS)
    tab_to(lambda widget: widget is tab.action_list.place_of("float16")[0])
    press(Key.Key_Down)
    press(Key.Key_Up)
    press(Key.Key_Return)
    if improving.steps == ():
        press(Key.Key_Return)  # the default button of the dialog with its options
    qtbot.waitUntil(lambda: len(improving.steps) == 1 and not improving.checking,
                    timeout=PATIENCE_MS)  # fmt: skip
    tab_to(lambda widget: widget is tab.verdict.run_button)
    press(Key.Key_Space)
    qtbot.waitUntil(
        lambda: improving.improvement is not None and not improving.work, timeout=PATIENCE_MS
    )


def test_change_a_setting_and_a_preference(qtbot, window, document):
    press(Key.Key_K, CTRL)
    write("model > settings")
    press(Key.Key_Return)
    tab = window.findChild(PerformanceTab)
    assert tab is not None
    field = tab_to(named("Threads"))
    QTest.keyClicks(field, "2")
    press(Key.Key_Return)
    qtbot.waitUntil(lambda: document.spec != RunSpec())
    press(Key.Key_Comma, CTRL)
    dialog = window.findChild(PreferencesDialog)
    press(Key.Key_Escape)
    assert not dialog.isVisible()


def test_close_reopen_and_quit(qtbot, window, document):
    press(Key.Key_1, CTRL)
    assert window.view.current is Tab.OVERVIEW
    press(Key.Key_W, CTRL)
    qtbot.waitUntil(lambda: window.document is None)
    press(Key.Key_T, CTRL | SHIFT)
    qtbot.waitUntil(lambda: window.document is not None)
    press(Key.Key_Q, CTRL)
    assert not window.isVisible()
