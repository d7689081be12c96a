"""Every page and dialog of the window, one after the other, for tests that look at all."""

from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from inspector.conversion.action import Step
from inspector.conversion.edits import choices
from inspector.conversion.registry import ACTIONS
from inspector.trace.trace_file import SavedTrace
from inspector.trace.trace_file import save as save_trace
from inspector.ui.graph.editing.insert_dialog import InsertDialog
from inspector.ui.graph.tab import DifferenceDialog, GraphTab
from inspector.ui.tabs.improve.action_dialog import ActionDialog
from inspector.ui.tabs.weights.weight_detail import WeightDetail
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import Segmented
from inspector.ui.window.command_palette import entries
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.tabs import TABS, Tab
from tests.reports import example_report, example_trace
from tests.ui.made_documents import open_in_window

DIALOGS = (  # as their entries in the menus are called
    "Report history…", "Find anything…", "Keyboard shortcuts", "Glossary",
    "About Inspector", "Check device support…", "Generate code…", "Open URL…",
    "Record program…", "Preferences…", "User guide", "Measure on several machines…",
    "Series of shapes…",
)  # fmt: skip
PAUSE_MS = 30  # what a page does once it is shown


def every_page(
    qtbot: QtBot, window: MainWindow, samples: Path, tmp_path: Path
) -> Iterator[tuple[str, QWidget]]:
    """Yield the name of a page or dialog, and its widget, as long as it is shown."""
    digits = samples / "digits_float32.onnx"
    yield "welcome", window
    document = open_in_window(qtbot, window, digits)
    for tab in TABS:
        window.choose_tab(tab)
        qtbot.wait(PAUSE_MS)
        yield tab.id, window
    graph = window.opened_tab(Tab.GRAPH)
    assert isinstance(graph, GraphTab)
    graph.set_editing(True)
    assert graph.edit_view is not None
    graph.edit_view.selection.choose(1)
    qtbot.wait(PAUSE_MS)
    yield "edit", window
    graph.set_editing(False)
    document.add_report(example_report())
    window.choose_tab(Tab.PERFORMANCE)
    qtbot.wait(PAUSE_MS)
    yield "report", window
    window.run_command("sweep")
    qtbot.wait(PAUSE_MS)
    yield "sweep", window
    yield from _dialogs(qtbot, window, samples)
    window.workspace.open_diff(digits, samples / "digits_float16.onnx")
    qtbot.waitUntil(lambda: window.diff is not None and window.diff.document.diff is not None)
    yield from _segments("diff", window)
    trace = tmp_path / "a.trace.npz"
    save_trace(SavedTrace(example_trace()), trace)
    window.workspace.open(trace)
    qtbot.waitUntil(lambda: window.trace is not None)
    qtbot.wait(PAUSE_MS)
    yield "trace", window


def _dialogs(qtbot: QtBot, window: MainWindow, samples: Path) -> Iterator[tuple[str, QWidget]]:
    menu = {each.path.rpartition(" > ")[2]: each for each in entries(window)}
    openers: dict[str, Callable[[], object]] = {text: menu[tr(text)].run for text in DIALOGS}
    openers |= {
        "folder": lambda: window.open_folder(samples),
        "comparison": lambda: window.show_reports([example_report(), example_report()]),
        "difference": lambda: DifferenceDialog(window.theme, ["a", "b"], window).show(),
        "values": lambda: _show_values(qtbot, window),
        "action": lambda: _show_action(window),
        "insert": lambda: _show_operators(window),
    }
    for name, show in openers.items():
        show()
        qtbot.wait(2 * PAUSE_MS)
        dialogs = [each for each in window.findChildren(QDialog) if each.isVisible()]
        assert dialogs, name
        for dialog in dialogs:
            yield from _segments(name, dialog)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.close()
        QApplication.processEvents()


def _segments(name: str, page: QWidget) -> Iterator[tuple[str, QWidget]]:
    """Yield a page once for each of the views that it can switch to."""
    yield name, page
    for switch in page.findChildren(Segmented):
        if switch.isVisible() and switch.window() is page and name != "values":
            for place in range(1, switch.item_count()):
                switch.choose(place)
                QApplication.processEvents()
                yield f"{name} {switch.item_name(place)}", page


def _show_values(qtbot: QtBot, window: MainWindow) -> None:
    window.choose_tab(Tab.WEIGHTS)
    detail = window.findChild(WeightDetail)
    document = window.document
    document.selection.choose(tensor=document.model.weights[0].name)
    qtbot.waitUntil(lambda: detail.values.isVisible())
    detail.values.click()


def _show_operators(window: MainWindow) -> None:
    model = window.document.model
    InsertDialog(
        window.theme, choices.operators(model), "conv",
        lambda operator, attributes, inputs, name: choices.insert(model, operator, 0),
        lambda step, then: then(""), window,
    ).show()  # fmt: skip


def _show_action(window: MainWindow) -> None:
    document = window.document
    action = next(iter(ACTIONS))
    ActionDialog(
        window.theme, document.improving, Step(action), 0, lambda _: None, window
    ).show()
