"""The window records programs: real ones, in processes of their own."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inspector.errors import BadInput
from inspector.formats.traces.detection import open_trace
from inspector.recorder.launch import free_path, recordings_folder
from inspector.ui.documents.recorded_program import Recording, RecordingRequest, with_python
from inspector.ui.tabs.trace.record_dialog import RecordDialog
from inspector.ui.window.main_window import MainWindow

MODEL = Path(__file__).parents[2] / "sample_models" / "digits_float32.onnx"
PROGRAM = f"""
import sys, numpy, onnxruntime
session = onnxruntime.InferenceSession({str(MODEL)!r}, providers=["CPUExecutionProvider"])
picture = numpy.zeros((1, 1, 8, 8), numpy.float32)
for _ in range(int(sys.argv[1])):
    session.run(None, {{"picture": picture}})
    if _ == 4:
        print("five predictions", flush=True)
if len(sys.argv) > 2:
    raise SystemExit("it crashed")
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "app.py"
    path.write_text(PROGRAM, "utf-8")
    return path


@pytest.fixture
def dialog(window: MainWindow, program: Path) -> Iterator[RecordDialog]:
    window.run_command("record")
    made = window.findChild(RecordDialog)
    made.folder.setText(str(program.parent))
    made.save_in.setText(str(program.parent / "recordings"))
    yield made
    window.workspace.end()


def record(qtbot: QtBot, dialog: RecordDialog, command: str) -> None:
    dialog.command.setText(f'"{sys.executable}" {command}')
    qtbot.mouseClick(dialog.start, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("python 'app.py", "a quotation mark is not closed"),
        ("   ", "there is no program to run"),
        ("no-such-program-here x", "there is no program no-such-program-here"),
    ],
)
def test_a_wrong_command_is_refused_in_words(tmp_path, command, why):
    with pytest.raises(BadInput, match="Could not record") as told:
        RecordingRequest(command, tmp_path).words()
    assert told.value.why == why
    with pytest.raises(BadInput, match="there is no folder"):
        RecordingRequest("python", tmp_path / "none").words()


@pytest.mark.parametrize("folder", ["~nobody-by-that-name", "x" * 5000, "a\0b"])
def test_a_folder_that_cannot_be_is_refused_in_words(dialog, qtbot, folder):
    dialog.folder.setText(folder)
    record(qtbot, dialog, "-c 1")
    assert "There is no folder" in dialog.failure.accessibleName()


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a suffix says what runs")
@pytest.mark.parametrize("name", ["app.py", "./app.py"])
def test_a_script_that_is_there_is_told_what_to_type(program, name):
    with pytest.raises(BadInput) as told:
        RecordingRequest(name, program.parent).words()
    assert told.value.why == f"{name} is not executable"
    assert told.value.hint == f"For a script: python {name}"


@pytest.mark.engine
def test_a_python_without_the_runtime_is_named_with_what_to_do(qtbot, dialog, tmp_path):
    code = "import sys; sys.path[:] = [p for p in sys.path if 'site-packages' not in p]"
    (tmp_path / "bare.py").write_text(f"{code}\nimport onnxruntime\n", "utf-8")
    record(qtbot, dialog, "bare.py")
    qtbot.waitUntil(dialog.failure.isVisible, timeout=20_000)
    assert dialog.failure.why.text() == f"{sys.executable} has no ONNX Runtime"
    assert f"{sys.executable} -m pip install onnxruntime" in dialog.failure.hint.text()
    assert dialog.failure.way.isHidden(), "it is the Python that would be offered"


@pytest.mark.parametrize("written", ["python", '"/a b/python"', "'/a b/python'"])
def test_another_python_takes_the_place_of_the_one_in_the_command(written):
    assert with_python(f" {written} app.py 3", "/c/python") == "/c/python app.py 3"


@pytest.mark.skipif(os.name != "posix", reason="the environment's Python has another name")
def test_a_chosen_script_runs_in_its_folder_under_the_python_beside_it(
    dialog, qtbot, tmp_path, monkeypatch
):
    python = tmp_path / "a project" / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    script = tmp_path / "a project" / "tools" / "app.py"
    answer = lambda *_: (str(script), "")  # noqa: E731 - as of a dialog
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getOpenFileName", answer)
    qtbot.mouseClick(dialog.choose_program, Qt.MouseButton.LeftButton)
    assert dialog.command.text() == f"'{python}' app.py"
    assert dialog.folder.text() == str(script.parent)


@pytest.mark.engine
def test_two_recordings_at_a_time_have_a_trace_each(window, program, qtbot):
    wanted = RecordingRequest(f'"{sys.executable}" app.py 2', program.parent)
    both = [window.workspace.record(wanted) for _ in range(2)]
    qtbot.waitUntil(lambda: not any(each.running for each in both), timeout=30_000)
    qtbot.waitUntil(lambda: all(each.trace.is_file() for each in both))
    assert both[0].trace != both[1].trace


def test_a_trace_never_replaces_another(tmp_path):
    assert free_path(tmp_path).name == "recording.trace.json"
    free_path(tmp_path).touch()
    assert free_path(tmp_path).name == "recording-2.trace.json"


def dialog_folder(window: MainWindow, name: str) -> str:
    return str(window.workspace.settings.value(f"record/{name}"))


def test_the_window_says_where_a_recording_is_saved_and_it_is_not_home(window):
    window.run_command("record")
    made = window.findChild(RecordDialog)
    assert made.save_in.text() == str(recordings_folder())
    assert Path(made.save_in.text()) != Path.home()
    assert not recordings_folder().exists(), "nothing is made before somebody records"


@pytest.mark.engine
def test_a_program_is_recorded_and_its_trace_opens(qtbot, window, dialog):
    assert not dialog.start.isEnabled(), "nothing to run yet"
    with qtbot.waitSignal(window.workspace.trace_opened, timeout=20_000) as told:
        record(qtbot, dialog, "app.py 8 crash")
        assert dialog.stop.isVisible()
        assert not dialog.command.isEnabled()
        assert dialog.state.text().startswith("Recording: recording.trace.json · ")
    trace = told.args[0].opened.trace
    assert (trace.run >= 0).sum() >= 8, "what crashed is kept"
    assert window.trace is not None
    folder = Path(dialog_folder(window, "save_in"))
    assert [path.name for path in folder.iterdir()] == ["recording.trace.json"]
    assert not list(Path(dialog_folder(window, "folder")).glob("*.trace.json"))
    assert str(window.workspace.settings.value("record/command")).endswith("app.py 8 crash")


@pytest.mark.engine
def test_a_program_without_predictions_is_told_in_the_dialog(qtbot, dialog):
    record(qtbot, dialog, "-c \"print('hello')\"")
    qtbot.waitUntil(dialog.failure.isVisible, timeout=20_000)
    assert dialog.failure.what.text() == "Nothing was recorded"
    assert "did not use ONNX Runtime" in dialog.failure.why.text()
    assert "hello" in dialog.tail.toPlainText()
    assert dialog.start.isVisible()


@pytest.mark.engine
def test_stop_ends_the_program_and_keeps_the_recording(qtbot, window, dialog):
    dialog.nodes.setChecked(False)
    with qtbot.waitSignal(window.workspace.trace_opened, timeout=20_000) as told:
        record(qtbot, dialog, "app.py 100000000")
        qtbot.waitUntil(lambda: "five" in dialog.tail.toPlainText(), timeout=20_000)
        QTest.keyClick(dialog.stop, Qt.Key.Key_Space)
        assert dialog.state.text().startswith("Stopping")
    assert len(told.args[0].opened.trace) > 5


@pytest.mark.engine
@pytest.mark.parametrize("times", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_where_there_are_no_signals_a_file_stops_it(qtbot, program, tmp_path, times):
    command = f'"{sys.executable}" app.py 100000000'
    trace = tmp_path / "a.trace.json"
    made = Recording(RecordingRequest(command, program.parent), trace, by_signal=False)
    made.start()
    qtbot.waitUntil(lambda: made.live.calls > 5, timeout=20_000)
    seen = made.live.calls
    with qtbot.waitSignal(made.ended, timeout=20_000) as told:
        for _ in range(times):
            made.stop()
    assert len(open_trace(told.args[0]).trace) >= seen, "what was counted is kept"
    interrupted = any("KeyboardInterrupt" in line for line in made.lines)
    assert interrupted or times == 2, "it may tidy up the first time"


@pytest.mark.engine
@pytest.mark.parametrize("by_signal", [True, False])
def test_a_closed_window_leaves_no_recorded_program_behind(qtbot, tmp_path, by_signal):
    if by_signal and os.name != "posix":
        pytest.skip("there are no signals to a group there")
    program = tmp_path / "app.py"
    program.write_text("import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(600)\n")
    request = RecordingRequest(f'"{sys.executable}" app.py', tmp_path)
    made = Recording(request, tmp_path / "a.trace.json", by_signal=by_signal)
    made.start()
    qtbot.waitUntil(lambda: made.lines[:1] != ("",) and len(made.lines) > 1)
    number = int(made.lines[0])
    assert psutil.pid_exists(number)
    made.close()
    qtbot.waitUntil(lambda: not _runs(number))


def _runs(number: int) -> bool:
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.engine
def test_the_next_inputs_of_a_running_program_open_in_preview(window, dialog, qtbot):
    record(qtbot, dialog, "app.py 100000000")
    qtbot.waitUntil(dialog.capture.isEnabled, timeout=30_000)
    assert re.search(r"1 session · [\d,]+ runs? · [\d,]+ runs/s · median", dialog.live.text())
    qtbot.mouseClick(dialog.capture, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.document is not None, timeout=30_000)
    document = window.document
    assert document.path == MODEL
    qtbot.waitUntil(lambda: document.input_source.endswith(".npz"), timeout=30_000)
    assert window.tab_of(document) == "preview"
    qtbot.mouseClick(dialog.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.trace is not None, timeout=30_000)
