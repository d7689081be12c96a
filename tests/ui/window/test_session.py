"""Nothing that was measured is lost: closed, quit, killed; all with real windows."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from inspector.conversion.edits.choices import rename_value
from inspector.formats.opening import digest
from inspector.report import report as reports
from inspector.report.library import Library
from inspector.report.report import PerformanceReport
from inspector.ui.app.application import make_window
from inspector.ui.documents.document import Document
from inspector.ui.documents.session_files import OpenDocument, SessionFolder, SessionState
from inspector.ui.documents.workspace import Workspace
from inspector.ui.tabs.diff.glance import Glance
from inspector.ui.views.comparison.view import ComparisonView
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.dialogs.folder_dialog import FolderDialog
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.tabs import Tab
from tests.conftest import ROOT
from tests.disks import full_disk
from tests.reports import example_report
from tests.ui.conftest import CannedEngine
from tests.ui.made_documents import classes

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton
Start = Callable[..., MainWindow]
PROGRAM = Path(__file__).parents[1] / "programs" / "measured_and_killed.py"


@pytest.fixture
def start(
    qtbot: QtBot, theme: Theme, tmp_path: Path, answers: dict[str, Any]
) -> Iterator[Start]:
    """Start a window on the library in tmp_path, as the program does."""
    made: list[MainWindow] = []

    def begin(*paths: Path) -> MainWindow:
        settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
        library = tmp_path / "library"
        engine: Any = lambda heard: CannedEngine(heard, answers)  # noqa: E731
        window = MainWindow(theme, Workspace(settings, engine, lambda: library))
        qtbot.addWidget(window)
        made.append(window)
        with qtbot.waitSignal(window.workspace.devices_changed):
            window.show()
        window.workspace.open(*paths)
        window.begin_session(with_files=bool(paths))
        qtbot.waitUntil(lambda: all(d.path is None or d.digest for d in documents(window)))
        return window

    yield begin
    for window in made:
        window.close()


def documents(window: MainWindow) -> tuple[Document, ...]:
    return window.workspace.documents


def report_of(path: Path, seed: int = 7) -> PerformanceReport:
    made = example_report(seed=seed)
    identity = replace(made.model, sha256=digest(path), name=path.name)
    return replace(made, model=identity)


def measure(
    qtbot: QtBot, window: MainWindow, answers: dict[str, Any], seed: int = 7
) -> PerformanceReport:
    """Press Measure in the window and wait for the report."""
    document = window.document
    assert document.path is not None
    answers["measure"] = report_of(document.path, seed)
    with qtbot.waitSignal(document.report_added):
        qtbot.mouseClick(window.top_bar.measure_button, LEFT)
    assert document.report is not None
    return document.report


def key(qtbot: QtBot, window: MainWindow, pressed: Qt.Key, shift: bool = False) -> None:
    qtbot.waitUntil(lambda: window.top_bar.menu_button.menu() is not None)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window, pressed, CONTROL | SHIFT if shift else CONTROL)


def wait_for_documents(qtbot: QtBot, window: MainWindow, models: int, reports: int) -> None:
    def there() -> bool:
        shown = [d for d in documents(window) if d.model is not None]
        measured = sum(len(d.reports) for d in documents(window))
        return (len(shown), measured) == (models, reports)

    qtbot.waitUntil(there)


def test_a_measured_report_is_on_the_disk_before_it_is_shown_and_marked_once_exported(
    qtbot, start, digits, answers, tmp_path, monkeypatch
):
    window = start(digits)
    document = window.document
    kept: list[int] = []
    document.report_added.connect(
        lambda _: kept.append(len(Library(tmp_path / "library").entries()))
    )
    measure(qtbot, window, answers)
    assert kept == [1]
    library = window.workspace.autosave.library
    assert library.entries()[0].unsaved
    copy = tmp_path / "copy.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(copy), ""))
    key(qtbot, window, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: not library.entries()[0].unsaved)
    assert window.notice.what.text() == "Saved copy.json"
    assert window.notice.action.text() == "Show in folder"


def test_ctrl_w_closes_just_a_report_or_a_model_with_its_reports_and_can_be_undone(
    qtbot, start, digits, samples, answers
):
    window = start(digits)
    first = measure(qtbot, window, answers, 1)
    second = measure(qtbot, window, answers, 2)
    document = window.document
    key(qtbot, window, Qt.Key.Key_W)
    assert document.reports == (first,)
    assert document.report is first
    assert window.document is document
    key(qtbot, window, Qt.Key.Key_W)
    assert (document.reports, document.report) == ((), None)
    assert window.document is document
    key(qtbot, window, Qt.Key.Key_W)
    assert documents(window) == ()
    for models, count in ((1, 0), (1, 1), (1, 2)):
        key(qtbot, window, Qt.Key.Key_T, shift=True)
        wait_for_documents(qtbot, window, models, count)
    (again,) = documents(window)
    times = [report.prediction_ns for report in again.reports]
    assert times == [first.prediction_ns, second.prediction_ns]
    assert window.view.current is Tab.PERFORMANCE
    window.choose_tab(Tab.GRAPH)  # of the model, which goes with its reports
    key(qtbot, window, Qt.Key.Key_W)
    assert documents(window) == ()
    assert "2 reports" in window.notice.what.text()
    qtbot.mouseClick(window.notice.action, LEFT)
    wait_for_documents(qtbot, window, 1, 2)
    assert window.view.current is Tab.GRAPH
    window.workspace.open(samples / "wine_tabular.onnx")
    wait_for_documents(qtbot, window, 2, 2)
    window.run_command("close/all")
    assert "2 models and 2 reports" in window.notice.what.text()


def test_closing_a_report_keeps_its_file_in_the_library_menu(qtbot, start, digits, answers):
    window = start(digits)
    made = measure(qtbot, window, answers)
    assert window.session.kept() == ()
    key(qtbot, window, Qt.Key.Key_W)
    (entry,) = window.session.kept()
    assert entry.median_ns == made.median_ns
    whole = window.top_bar.menu_button.menu()
    file = next(a.menu() for a in whole.actions() if a.text() == "&File")
    listed = next(a.menu() for a in file.actions() if a.text() == "Open from library")
    listed.aboutToShow.emit()
    (action,) = listed.actions()
    assert "digits_float32.onnx" in action.text()
    assert "not exported" in action.text()
    action.trigger()
    wait_for_documents(qtbot, window, 1, 1)
    assert window.document.report is not None


def test_quitting_restores_models_reports_and_tabs_at_the_next_start(
    qtbot, start, digits, samples, answers
):
    window = start(digits, samples / "wine_tabular.onnx")
    window.show_document(documents(window)[0])
    first = measure(qtbot, window, answers, 1)
    measure(qtbot, window, answers, 2)
    document = window.document
    document.set_spec(runs=17)
    document.choose_report(first)
    window.show_document(documents(window)[1])
    window.choose_tab(Tab.WEIGHTS)
    window.close()
    again = start()
    wait_for_documents(qtbot, again, 2, 2)
    home, wine = documents(again)
    assert (home.name, wine.name) == ("digits_float32.onnx", "wine_tabular.onnx")
    assert again.document is wine
    assert again.view.current is Tab.WEIGHTS
    assert home.report.prediction_ns == first.prediction_ns
    assert home.spec.runs == 17
    again.show_document(home)
    assert again.view.current is Tab.PERFORMANCE


def test_a_start_with_a_file_shows_that_file_alone_and_earlier_ones_can_be_opened_again(
    qtbot, start, digits, samples
):
    wine = samples / "wine_tabular.onnx"
    start(digits).close()
    window = start(wine)
    assert [d.name for d in documents(window)] == [wine.name]
    assert window.session.can_restore()
    one_click = window.sidebar.restore_button
    assert one_click.isVisible()
    assert "1 file" in one_click.toolTip()
    qtbot.mouseClick(one_click, LEFT)
    wait_for_documents(qtbot, window, 2, 0)
    assert not window.session.can_restore()
    assert not one_click.isVisible()
    window.close_document(documents(window)[0])
    (left,) = documents(window)
    window.close()
    again = start()  # what was closed before can be opened again, too
    wait_for_documents(qtbot, again, 1, 0)
    assert [d.name for d in documents(again)] == [left.name]
    qtbot.waitUntil(lambda: again.session._restored is None)
    assert again.session.can_reopen()
    again.session.reopen_closed()
    wait_for_documents(qtbot, again, 2, 0)
    assert {d.name for d in documents(again)} == {digits.name, wine.name}
    assert not again.session.can_reopen()


def test_the_session_is_one_click_away_where_the_named_file_does_not_open(
    qtbot, start, digits, tmp_path
):
    start(digits).close()
    window = start(tmp_path / "gone.onnx")
    qtbot.waitUntil(window.welcome.restore_button.isVisible)
    opener = next(b for b in window.welcome.findChildren(QPushButton) if "Open" in b.text())
    place = opener.mapToGlobal(opener.pos())
    window.welcome.offer_session("")
    window.welcome.layout().activate()
    assert opener.mapToGlobal(opener.pos()) == place, "nothing moves as it comes and goes"
    window.welcome.offer_session("1 file")
    qtbot.mouseClick(window.welcome.restore_button, LEFT)
    wait_for_documents(qtbot, window, 1, 0)
    assert not window.welcome.restore_button.isVisibleTo(window.welcome)


@pytest.mark.parametrize("stored", [2, "weights"])  # earlier sessions have its place
def test_the_tab_of_a_session_is_shown_again_and_stored_by_its_name(
    qtbot, start, digits, tmp_path, stored
):
    folder = tmp_path / "library" / "sessions"
    folder.mkdir(parents=True)
    state = {"documents": [{"path": str(digits), "tab": stored}], "front": 0}
    old = folder / "old.json"
    old.write_text(json.dumps({"schema": "session/1", "state": state}), "utf-8")
    window = start()
    wait_for_documents(qtbot, window, 1, 0)
    qtbot.waitUntil(lambda: window.view is not None and window.view.current is Tab.WEIGHTS)
    window.close()
    written = [json.loads(path.read_text("utf-8"))["state"] for path in folder.glob("*.json")]
    assert [d["tab"] for each in written for d in each["documents"]] == ["weights"]


def test_edits_and_runs_of_files_are_restored_and_written_again(
    qtbot, start, digits, tmp_path, monkeypatch
):
    edits = rename_value("picture", "image"), rename_value("image", "pixels")
    folder = SessionFolder(tmp_path / "library" / "sessions")
    place = OpenDocument(str(digits), edits=edits, files_run="{}")
    folder.write(SessionState(documents=(place,)))
    folder._lock.close()  # as it is when a process ends
    for _ in range(2):
        window = start()
        wait_for_documents(qtbot, window, 1, 0)
        (document,) = documents(window)
        assert document.edit_steps == edits
        assert document.unsaved_edits == 2
        assert document.files_run == "{}"
        monkeypatch.setattr(window.messages, "may_drop_edits", lambda *_, **__: True)
        window.close()


def test_a_report_that_a_killed_window_kept_is_shown_with_its_model(
    qtbot, start, digits, tmp_path
):
    killed = SessionFolder(tmp_path / "library" / "sessions")
    killed.write(SessionState(documents=(OpenDocument(str(digits)),)))
    killed._lock.close()  # as it is when a process ends
    Library(tmp_path / "library").add(report_of(digits), str(digits), killed.id)
    window = start()
    wait_for_documents(qtbot, window, 1, 1)
    (document,) = documents(window)
    assert document.path == digits
    assert document.report is not None


def test_the_status_says_that_the_last_session_is_being_restored(
    qtbot, start, digits, monkeypatch
):
    start(digits).close()
    told = list[str]()
    monkeypatch.setattr(MainWindow, "tell_news", lambda _, text: told.append(text))
    again = start()
    qtbot.waitUntil(lambda: "" in told)
    assert told[:2] == ["Restoring the last session…", ""]
    assert [each.path for each in documents(again)] == [digits]


def test_restoring_can_be_switched_off(qtbot, start, digits):
    window = start(digits)
    qtbot.waitUntil(lambda: window.top_bar.menu_button.menu() is not None)
    whole = window.top_bar.menu_button.menu()
    file = next(a.menu() for a in whole.actions() if a.text() == "&File")
    restoring = next(a for a in file.actions() if a.text() == "Restore session at startup")
    file.aboutToShow.emit()
    assert restoring.isChecked()
    restoring.trigger()
    window.close()
    again = start()
    assert documents(again) == ()
    assert again.welcome.isVisible()
    again.session.restore_earlier()
    wait_for_documents(qtbot, again, 1, 0)


def test_a_missing_file_gets_a_sentence_and_its_reports_stay(
    qtbot, start, digits, answers, tmp_path
):
    path = tmp_path / "net.onnx"
    path.write_bytes(digits.read_bytes())
    window = start(path)
    measure(qtbot, window, answers)
    window.close()
    path.unlink()
    again = start()
    wait_for_documents(qtbot, again, 0, 1)
    qtbot.waitUntil(again.notice.isVisible)
    assert "net.onnx" in again.notice.what.text()
    assert "no longer in" in again.notice.why.text()
    path.write_bytes(digits.read_bytes())
    again.session.reopen_closed()
    wait_for_documents(qtbot, again, 1, 1)
    qtbot.waitUntil(lambda: len(documents(again)) == 1)


def test_a_comparison_can_be_opened_again_after_its_reports_were_closed_and_reopened(
    qtbot, start, digits, answers
):
    window = start(digits)
    measure(qtbot, window, answers, 7)
    measure(qtbot, window, answers, 8)
    window.run_command("compare/reports")
    assert window.is_comparing()
    comparison = next(
        w for w in QApplication.topLevelWidgets() if isinstance(w, ComparisonView)
    )
    closed = 0
    while documents(window):  # the reports one by one, then the model
        key(qtbot, window, Qt.Key.Key_W)
        closed += 1
        assert closed <= 3
    assert comparison.isVisible(), "what is compared stays"
    with qtbot.waitSignal(comparison.destroyed):
        comparison.close()
    assert not window.is_comparing()
    window.run_command("compare/reports")
    assert not window.is_comparing(), "nothing is left to compare"
    for _ in range(closed):
        assert window.session.can_reopen()
        window.session.reopen_closed()
    wait_for_documents(qtbot, window, 1, 2)
    window.run_command("compare/reports")
    assert window.is_comparing()


def test_outputs_that_were_compared_are_shown_after_a_restart_unless_a_file_changed(
    qtbot, start, digits, samples, tmp_path, answers
):
    def shown(window: MainWindow) -> Glance:
        def complete() -> bool:
            glance = window.diff.glance if window.diff is not None else None
            return glance is not None and glance.measuring is not None

        qtbot.waitUntil(complete, timeout=30_000)
        assert window.diff.glance is not None
        return window.diff.glance

    other = tmp_path / "other.onnx"
    other.write_bytes((samples / "digits_float16.onnx").read_bytes())
    window = start(digits, other)
    for document in documents(window):
        assert document.path is not None
        document.add_report(report_of(document.path))
    documents(window)[0].support_checked = True
    window.workspace.open_diff(digits, other)
    answers["predict"] = classes([0.0] * 9 + [1.0])
    first = shown(window)
    assert first.measuring is not None
    qtbot.mouseClick(first.measure, LEFT)
    qtbot.waitUntil(lambda: first.cells.get("Outputs for the input in Preview") is not None)
    before = first.cells
    assert "Compared on" not in first.state.text()
    window.close()

    again = start()
    restored = shown(again)
    qtbot.waitUntil(lambda: restored.cells == before)
    assert [each.support_checked for each in documents(again)] == [True, False]
    assert restored.measure.text().strip() == "Measure again"
    assert "the files have not changed since" in restored.state.text()
    again.close()

    other.write_bytes((samples / "digits_int8_qdq.onnx").read_bytes())
    assert shown(start()).cells["Outputs for the same input"][2] == "not compared"


def test_compared_models_are_compared_again_after_a_restart_and_one_that_is_gone_is_told(
    qtbot, start, digits, samples, tmp_path
):
    other = tmp_path / "other.onnx"
    other.write_bytes((samples / "digits_float16.onnx").read_bytes())
    window = start(digits)
    window.workspace.open_diff(digits, other)  # the second one is not open by itself
    assert window.diff is not None
    window.close()
    again = start()
    qtbot.waitUntil(lambda: again.diff is not None, timeout=30_000)
    qtbot.waitUntil(lambda: again.diff is not None and again.diff.diff is not None)
    assert [side.path for side in again.diff.document.sides] == [digits, other]
    assert len(documents(again)) == 1
    again.close()
    fresh = start()
    qtbot.waitUntil(lambda: fresh.diff is not None, timeout=30_000)
    assert len(fresh.workspace.diffs) == 1
    fresh.close()
    other.unlink()
    last = start()
    qtbot.waitUntil(last.notice.isVisible)
    assert "other.onnx" in last.notice.what.text()
    assert not last.workspace.diffs


def test_a_report_from_a_file_and_a_trace_are_restored_by_their_files(qtbot, start, tmp_path):
    reports.save(example_report(), tmp_path / "saved.json")
    trace = tmp_path / "trace.json"
    trace.write_text('[{"name":"a","ph":"X","ts":1,"dur":5,"pid":1,"tid":1}]', "utf-8")
    window = start()
    window.workspace.open(*(tmp_path / "saved.json", trace))
    qtbot.waitUntil(lambda: window.trace is not None and len(documents(window)) == 1)
    window.close()
    again = start()
    qtbot.waitUntil(lambda: again.trace is not None and len(documents(again)) == 1)
    assert again.workspace.autosave.library.entries() == ()


def _text(path: Path) -> str:
    return path.read_text("utf-8")


def test_two_windows_do_not_take_each_others_session(qtbot, start, digits, samples, tmp_path):
    first = start(digits)
    sessions = tmp_path / "library" / "sessions"
    qtbot.waitUntil(lambda: digits.name in "".join(map(_text, sessions.glob("*.json"))))
    second = start()
    assert documents(second) == ()
    second.workspace.open(samples / "wine_tabular.onnx")
    qtbot.waitUntil(lambda: documents(second)[0].model is not None)
    second.close()
    first.close()
    third = start()
    wait_for_documents(qtbot, third, 1, 0)


def test_a_thread_that_is_late_writes_nothing_after_the_end_of_a_window(tmp_path):
    folder, state = SessionFolder(tmp_path), SessionState(documents=(OpenDocument("a.onnx"),))
    folder.write(state)
    folder.end(replace(state, documents=(OpenDocument("b.onnx"),)))
    folder.write(state)
    later = SessionFolder(tmp_path)
    (left,) = later.earlier()
    later.end(SessionState())
    assert (left.ended, left.documents[0].path) == (True, "b.onnx")


def test_a_file_that_brought_the_window_down_is_not_opened_a_third_time_by_itself(
    qtbot, start, digits, tmp_path
):
    start(digits).close()
    (file,) = (tmp_path / "library" / "sessions").glob("*.json")
    body = file.read_text("utf-8").replace('"ended":true', '"ended":false')
    file.write_text(body.replace('"attempts":0', '"attempts":2'), "utf-8")
    window = start()
    assert documents(window) == ()
    assert "not restored" in window.notice.what.text()
    qtbot.mouseClick(window.notice.action, LEFT)
    wait_for_documents(qtbot, window, 1, 0)


def test_quitting_asks_only_when_a_report_could_not_be_kept(qtbot, start, digits, answers):
    window = start(digits)
    with full_disk():
        measure(qtbot, window, answers)
        qtbot.waitUntil(window.notice.isVisible)
        assert "Could not" in window.notice.what.text()
        pressed: list[str] = []

        def press(title: str) -> None:
            box = QApplication.activeModalWidget()
            assert isinstance(box, QMessageBox)
            assert "1 report could not be saved" in box.text()
            found = next(b for b in box.findChildren(QPushButton) if title in b.text())
            pressed.append(title)
            qtbot.mouseClick(found, LEFT)

        QTimer.singleShot(100, lambda: press("Cancel"))
        assert not window.close()
        assert window.isVisible()
        QTimer.singleShot(100, lambda: press("Quit without saving"))
        assert window.close()
        assert pressed == ["Cancel", "Quit without saving"]


@pytest.mark.engine
def test_quitting_in_the_middle_of_a_measurement_asks_and_keeps_its_runs(
    qtbot, theme, tmp_path, digits
):
    library, asked = tmp_path / "library", []

    def press(title: str) -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        asked.append(box.text())
        qtbot.mouseClick(next(b for b in box.buttons() if b.text() == title), LEFT)

    window = make_window(QApplication.instance(), tmp_path / "window.ini", lambda: library)
    qtbot.addWidget(window, before_close_func=lambda _: window.workspace.end())
    window.show()
    window.workspace.open(digits)
    window.begin_session(with_files=True)
    qtbot.waitUntil(lambda: bool(documents(window)) and documents(window)[0].digest != "")
    document = documents(window)[0]
    document.set_spec(runs=1_000_000, seconds=0.0)
    # Not `waitSignal`: what comes after it would be delivered to a receiver that is gone.
    seen: list[int] = []
    document.progressed.connect(lambda progress: seen.append(len(progress.samples_ns)))
    window.run_command("measure")
    qtbot.waitUntil(lambda: bool(seen) and seen[-1] > 9)
    QTimer.singleShot(50, lambda: press("Continue"))
    assert not window.close()
    assert document.unfinished == "Measuring"
    QTimer.singleShot(50, lambda: press("Stop and quit"))
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert asked == ["Measuring digits_float32.onnx is not finished"] * 2
    (entry,) = Library(library).entries()
    report = Library(library).load(entry)
    assert not report.complete
    assert len(report.prediction_ns) > 0


def test_a_full_library_says_so_and_removes_only_what_it_is_told_to(
    qtbot, start, tmp_path, monkeypatch
):
    library = Library(tmp_path / "library")
    entries = [library.add(example_report()) for _ in range(3)]
    monkeypatch.setattr(Library.trim, "__defaults__", ((), 2, 1 << 40))
    window = start()
    qtbot.waitUntil(window.notice.isVisible)
    assert "library" in window.notice.what.text()
    assert len(library.entries()) == 3
    qtbot.mouseClick(window.notice.action, LEFT)
    qtbot.waitUntil(lambda: len(library.entries()) == 2)
    assert entries[0] not in library.entries()


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is POSIX")
def test_kill_9_with_two_unsaved_reports_and_both_are_there_after_a_restart(
    qtbot, start, digits, tmp_path
):
    """The window runs in a process of its own and gets no chance to do anything."""
    homes = {"INSPECTOR_LIBRARY": str(tmp_path / "library"), "XDG_CONFIG_HOME": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, str(PROGRAM), str(digits)],
        env=os.environ | homes | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    told = [process.stdout.readline().strip() for _ in range(2)]
    process.kill()
    process.wait()
    process.stdout.close()
    assert told == ["report 1", "report 2"]
    window = start()
    wait_for_documents(qtbot, window, 1, 2)
    assert documents(window)[0].path == digits
    kept = window.workspace.autosave.library
    assert len(kept.entries()) == 2


@pytest.fixture
def predicting(answers: dict[str, Any]) -> None:
    """The canned engine answers whatever it is given."""
    answers["predict"] = classes([0.1] * 9 + [0.9])


def preview_of(qtbot: QtBot, window: MainWindow) -> Any:
    """The Preview of the document in front, once its inputs are there."""
    window.choose_tab(Tab.PREVIEW)
    tab: Any = window.view.tab(Tab.PREVIEW)
    qtbot.waitUntil(lambda: tab.inputs is not None)
    return tab


def fill_with_a_digit(qtbot: QtBot, window: MainWindow, samples: Path) -> Path:
    """Drop a picture on the Preview and choose another scale for it."""
    image = samples / "inputs" / "digit_5.png"
    editor = preview_of(qtbot, window).inputs.editors["picture"]
    editor.use_file(image)
    preparation = replace(editor.picture.preparation.preparation, scale="-1..1")
    editor.picture.preparation.show_preparation(preparation)
    return image


def assert_filled_with(qtbot: QtBot, window: MainWindow, image: Path) -> None:
    choice = preview_of(qtbot, window).inputs.editors["picture"].choice
    assert (choice.path, choice.preparation.scale) == (image, "-1..1")


@pytest.mark.usefixtures("predicting")
def test_the_inputs_of_a_preview_are_written_at_once_and_stay_after_a_reload_and_a_restart(
    qtbot, start, digits, samples, tmp_path
):
    """A window that is killed has them, too: nothing waits for its end."""
    window = start(digits)
    image = fill_with_a_digit(qtbot, window, samples)
    folder = tmp_path / "library" / "sessions"

    def written() -> bool:
        as_json = json.dumps(str(image))
        return any(as_json in path.read_text("utf-8") for path in folder.glob("*.json"))

    qtbot.waitUntil(written)
    earlier = window.document
    qtbot.waitUntil(lambda: earlier.work is None)
    with qtbot.waitSignal(window.workspace.replaced):
        window.run_command("reload")
    assert window.document is not earlier
    assert_filled_with(qtbot, window, image)
    window.close()
    again = start()
    wait_for_documents(qtbot, again, 1, 0)
    assert_filled_with(qtbot, again, image)


def test_recipes_sounds_and_seeds_are_restored_and_what_cannot_be_is_left_out(
    qtbot, theme, samples
):
    from inspector.formats.opening import open_model
    from inspector.ui.documents.session_files import InputPlace
    from inspector.ui.tabs.preview.inputs.input_list import InputList

    model = open_model(samples / "tones_sound.onnx")
    (name,) = (info.name for info in model.inputs)
    first = InputList(theme, model, ())
    qtbot.addWidget(first)
    first.use_file(name, samples / "inputs" / "hum.wav")
    sound = first.editors[name].sound
    sound.rate.setValue(8_000)
    (place,) = first.places
    second = InputList(theme, model, ())
    qtbot.addWidget(second)
    second.restore((place,))
    assert second.choices[name] == first.choices[name]
    second.restore((InputPlace(name, "values", "random:7"),))
    assert second.places == (InputPlace(name, "values", "random:7"),)
    wrong = replace(place, settings='{"window": -1, "hop": "no"}')
    second.restore((wrong, InputPlace("no such input", "values", "ones")))
    assert second.places[0].value == "random:7"


@pytest.mark.parametrize("body", [b"{", b"\xff" * 40, b'{"schema": "library/1", "entries": 5}'])
def test_damaged_records_are_set_aside_in_one_message_and_the_window_opens(
    qtbot, start, tmp_path, body
):
    folder = tmp_path / "library"
    kept = Library(folder).add(example_report())
    (folder / "index.json").write_bytes(body)
    (folder / "sessions").mkdir()
    (folder / "sessions" / "old.json").write_bytes(b'{"schema": "session/1", "state": 5}')
    window = start()
    qtbot.waitUntil(window.notice.isVisible)
    assert window.notice.what.text() == "Damaged session or library files were moved"
    assert "index.json.damaged, old.json.damaged" in window.notice.why.text()
    assert (folder / "index.json.damaged").read_bytes() == body
    assert (folder / "sessions" / "old.json.damaged").exists()
    assert [entry.id for entry in Library(folder).entries()] == [kept.id]


def test_damaged_settings_are_set_aside_and_the_window_opens(qtbot, qapp, tmp_path):
    settings = tmp_path / "window.ini"
    settings.write_bytes(b"[General\ntheme=dark")
    window = make_window(qapp, settings)
    qtbot.addWidget(window)
    message = window.notice.message(None)
    assert message.what == "The settings file was damaged"
    assert (tmp_path / "window.ini.damaged").read_bytes() == b"[General\ntheme=dark"


def test_a_damaged_report_is_refused_in_the_window_in_one_sentence(qtbot, start, tmp_path):
    body = msgspec.json.decode(reports.to_json(example_report()))
    body["layers"][0]["index"] = 1 << 62
    path = tmp_path / "damaged.json"
    path.write_bytes(msgspec.json.encode(body))
    window = start()
    with qtbot.waitSignal(window.workspace.failed):
        window.workspace.open(path)
    assert window.notice.what.text() == "Could not open damaged.json"
    assert "t is not a complete report" in window.notice.why.text()


def test_the_table_of_a_folder_is_shown_again(start, qtbot, samples, tmp_path):
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "a.onnx").write_bytes((samples / "digits_float32.onnx").read_bytes())
    window = start()
    window.workspace.open(folder)
    assert window.listed_folders() == (folder,)
    window.close()
    window = start()
    qtbot.waitUntil(lambda: window.listed_folders() == (folder,))
    (table,) = window.findChildren(FolderDialog)
    table.reject()
    window.close()
    window = start()
    assert window.listed_folders() == ()
