"""Programs that are killed, and files that change at any moment: nothing that was kept is lost.

The counts are those of one run; moments are random, from a seed that a failure names.
"""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QSettings

from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import EngineDied, InspectorError
from inspector.formats.opening import digest, open_model
from inspector.formats.traces.detection import open_trace
from inspector.platform import files
from inspector.preview.inputs.feeds import feeds_by_name, fill_all
from inspector.render.registry import export
from inspector.report import report as reports
from inspector.report.library import Library
from inspector.report.run_spec import RunSpec
from inspector.trace.trace_file import SavedTrace, to_bytes
from tests.conftest import ROOT
from tests.engine.watching import engines
from tests.reports import example_report

pytestmark = [
    pytest.mark.slow,
    pytest.mark.engine,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="kill -9 and fork are POSIX"),
]
SAVES, LONGEST_S = 100, 0.03  # kills of each kind of file; a save takes 1 to 20 ms
ENGINE_KILLS, COMMAND_KILLS = 10, 10
SEED = 17
Save = Callable[[Path, int], None]


def save_report(folder: Path, number: int) -> None:
    reports.save(example_report(seed=number % 3), folder / "report.json")


def save_trace(folder: Path, number: int) -> None:
    trace = example_report(seed=number % 3).trace
    files.write_atomic(folder / "trace.npz", bytes(to_bytes(SavedTrace(trace, (), ()))))


def save_settings(folder: Path, number: int) -> None:
    stored = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)
    for key in range(50):
        stored.setValue(f"key{key}", number)
    stored.sync()


def save_to_library(folder: Path, number: int) -> None:
    Library(folder / "library").add(example_report(seed=number % 3), "/m.onnx", "killed")


def save_export(folder: Path, number: int) -> None:
    files.write_atomic(folder / "report.csv", export(example_report(seed=number % 3), "csv"))


def check_report(folder: Path) -> None:
    assert reports.load(folder / "report.json").model == example_report().model


def check_trace(folder: Path) -> None:
    assert len(open_trace(folder / "trace.npz").trace)


def check_settings(folder: Path) -> None:
    stored = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)
    assert stored.status() == QSettings.Status.NoError
    values = {str(stored.value(f"key{key}")) for key in range(50)}
    assert len(values) == 1, "half of one state and half of another"
    assert values != {"None"}


def check_library(folder: Path) -> None:
    library = Library(folder / "library")
    entries = library.entries()
    assert entries
    library.load(entries[-1])


def check_export(folder: Path) -> None:
    texts = [export(example_report(seed=seed), "csv") for seed in range(3)]
    assert (folder / "report.csv").read_bytes() in texts


KINDS: dict[str, tuple[Save, Callable[[Path], None]]] = {
    "reports": (save_report, check_report),
    "traces": (save_trace, check_trace),
    "settings": (save_settings, check_settings),
    "library": (save_to_library, check_library),
    "exports": (save_export, check_export),
}


@pytest.mark.parametrize("kind", KINDS)
def test_saves_that_are_killed_at_random_moments_leave_a_whole_file(kind, tmp_path):
    save, check = KINDS[kind]
    save(tmp_path, 0)
    moments = random.Random(SEED)
    for number in range(SAVES):
        process = os.fork()  # to start Python anew for each kill would take ten minutes
        if not process:  # saves again and again until it is killed
            with suppress(BaseException):
                for again in range(10_000):
                    save(tmp_path, number + again)
            os._exit(1)
        time.sleep(moments.uniform(0, LONGEST_S))
        os.kill(process, signal.SIGKILL)
        _, status = os.waitpid(process, 0)
        assert os.WIFSIGNALED(status), f"kill {number}: saving failed by itself"
        check(tmp_path)
    save(tmp_path, 0)  # no lock is left behind
    check(tmp_path)


def test_an_engine_that_is_killed_at_work_costs_one_job(samples):
    model = samples / "digits_float32.onnx"
    feeds = feeds_by_name(fill_all(open_model(model).inputs, {}, {}))
    moments, messages = random.Random(SEED), []
    with EngineProcess() as engine:
        for _ in range(ENGINE_KILLS):
            engine.predict(model, RunSpec(), feeds)
            (child,) = engines()
            timer = threading.Timer(moments.uniform(0, 0.2), child.kill)
            timer.start()
            try:
                while timer.is_alive():
                    engine.predict(model, RunSpec(), feeds)
                child.wait(60)
                engine.predict(model, RunSpec(), feeds)
            except EngineDied as error:
                messages.append(str(error))
            timer.join()
        engine.predict(model, RunSpec(), feeds)
    assert messages
    assert all("SIGKILL" in message for message in messages)
    assert all(len(message.splitlines()) <= 2 for message in messages)


@pytest.mark.parametrize("number", range(COMMAND_KILLS))
def test_a_command_whose_engine_is_killed_at_a_random_moment_says_one_sentence(
    number, samples, tmp_path
):
    moments = random.Random(SEED + number)
    report = tmp_path / "report.json"
    more = ["measure", "--seconds", "5", "-o", str(report)] if number % 2 else ["predict"]
    words = [sys.executable, "-m", "inspector", more[0]]
    words += [str(samples / "digits_float32.onnx"), *more[1:]]
    with subprocess.Popen(
        words,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        end = time.monotonic() + 30
        while not engines(run.pid) and run.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(moments.uniform(0, 2.0))
        for child in engines(run.pid):
            with suppress(psutil.NoSuchProcess):
                child.kill()
        out, err = run.communicate(timeout=300)
    assert "Traceback" not in out + err
    if run.returncode:
        assert run.returncode == 1
        assert "SIGKILL" in err
    if report.exists():
        reports.load(report)


def test_two_programs_that_write_one_file_of_settings_keep_each_others_values(tmp_path):
    code = (
        "import sys\n"
        "from PySide6.QtCore import QSettings\n"
        "for n in range(50):\n"
        "    stored = QSettings(sys.argv[1], QSettings.Format.IniFormat)\n"
        "    stored.setValue(f'{sys.argv[2]}/{n}', n)\n"
        "    stored.sync()\n"
    )
    path = str(tmp_path / "window.ini")
    runs = [subprocess.Popen([sys.executable, "-c", code, path, name]) for name in "ab"]
    assert [run.wait(120) for run in runs] == [0, 0]
    stored = QSettings(path, QSettings.Format.IniFormat)
    lost = [k for k in (f"{a}/{n}" for a in "ab" for n in range(50)) if not stored.contains(k)]
    assert lost == []


class ToldWindow:
    """A window in a process of its own, which does what it is told."""

    def __init__(self, settings: Path) -> None:
        program = ROOT / "tests" / "ui" / "programs" / "told_window.py"
        environment = {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
        self._process = subprocess.Popen(
            [sys.executable, str(program), str(settings)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | environment,
        )
        assert self._heard() == "shown"

    def _heard(self) -> str:
        return self._process.stdout.readline().strip()

    def tell(self, line: str) -> None:
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        assert self._heard() == line

    def close(self) -> None:
        self.tell("close")
        assert self._process.wait(60) == 0
        self._process.stdin.close()
        self._process.stdout.close()


def test_two_windows_on_one_file_of_settings_keep_each_others_files_and_theme(
    samples, tmp_path
):
    settings = tmp_path / "window.ini"
    first, second = ToldWindow(settings), ToldWindow(settings)
    names = ["digits_float32.onnx", "wine_tabular.onnx", "digits_float16.onnx"]
    for place, name in enumerate(names):
        (second if place % 2 else first).tell(f"open {samples / name}")
    first.tell("theme dark")
    first.close()
    second.close()
    stored = QSettings(str(settings), QSettings.Format.IniFormat)
    assert sorted(Path(path).name for path in stored.value("recent")) == sorted(names)
    assert stored.value("theme") == "dark"


def test_files_that_change_vanish_and_are_cut_off_while_they_are_read_are_one_sentence(
    samples, tmp_path
):
    model, report = tmp_path / "net.onnx", tmp_path / "report.json"
    bodies = {model: (samples / "digits_float32.onnx").read_bytes()}
    reports.save(example_report(), report)
    bodies[report] = report.read_bytes()
    ended = threading.Event()

    def change() -> None:
        moments = random.Random(SEED)
        while not ended.is_set():
            for path, body in bodies.items():
                match moments.randrange(4):
                    case 0:
                        path.unlink(missing_ok=True)
                    case 1:
                        path.write_bytes(body[: moments.randrange(len(body))])
                    case 2:
                        path.write_bytes(bytes(len(body)))
                    case _:
                        path.write_bytes(body)

    changing = threading.Thread(target=change)
    changing.start()
    whole, refused = 0, []
    try:
        for _ in range(300):
            for read in (
                lambda: open_model(model),
                lambda: digest(model),
                lambda: reports.load(report),
            ):
                try:
                    read()
                    whole += 1
                except InspectorError as error:
                    refused.append(error.what)
    finally:
        ended.set()
        changing.join()
    assert whole
    assert refused
    assert all(refused)
