"""A command ends when its --time-limit is over, whatever it does."""

import os
import pkgutil
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import inspector
from inspector.cli import command_timer, main
from inspector.cli.command_timer import deadline, ended_after
from inspector.cli.runs import info
from inspector.engine.client import single_child
from inspector.engine.client.supervision import SupervisedProcess
from inspector.errors import InspectorError
from inspector.formats import opening
from inspector.model.model import Model
from tests.command_line import errors_of
from tests.engine import small_models
from tests.killers import models

OVER = "it took longer than the 0.1 s allowed\nTo allow more time, use --time-limit.\n"


@pytest.fixture(autouse=True)
def without_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_timer, "GRACE_SECONDS", 0.0)


def work_for_ever() -> None:
    while True:
        with suppress(Exception):  # the end must get through that
            sum(range(100))


@pytest.mark.parametrize("work", [work_for_ever, lambda: time.sleep(1e6)])
def test_what_computes_or_waits_is_ended(work):
    with pytest.raises(InspectorError, match=r"longer than the 0\.05 s"), ended_after(0.05):
        work()
    assert deadline() == 0.0


@pytest.mark.parametrize("work", [work_for_ever, lambda: while_a_class_is_made()])
def test_a_system_without_alarms_ends_it_too(work, monkeypatch):
    monkeypatch.setattr(command_timer, "_HAS_ALARM", False)
    for _ in range(2):
        with pytest.raises(InspectorError, match=r"longer than the 0\.05 s"), ended_after(0.05):
            work()
    with pytest.raises(KeyboardInterrupt), ended_after(60):
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


class Stubborn:
    """Its destructor takes longer than the limit; Python drops what ends it."""

    def __del__(self) -> None:
        time.sleep(0.2)


class Named:
    def __set_name__(self, _owner: type, _name: str) -> None:
        time.sleep(0.2)


def with_a_stubborn_object() -> None:
    Stubborn()
    time.sleep(1e6)


def while_a_class_is_made() -> None:
    """Python 3.11 makes a RuntimeError of it."""
    type("Made", (), {"named": Named()})


@pytest.mark.parametrize("work", [with_a_stubborn_object, while_a_class_is_made])
def test_python_cannot_lose_the_end(work, capsys):
    with pytest.raises(InspectorError, match=r"longer than the 0\.05 s"), ended_after(0.05):
        work()
    assert capsys.readouterr().err == ""


def test_what_cleans_up_may_take_its_time():
    cleaned = []

    def work() -> None:
        try:
            time.sleep(1e6)
        finally:
            time.sleep(0.5)
            cleaned.append(True)

    with pytest.raises(InspectorError), ended_after(0.05):
        work()
    assert cleaned


PROGRAM = """
import sys
from inspector.cli.command_timer import ended_after
from inspector.errors import InspectorError
from inspector.formats import opening
from inspector.model.model import Model
try:
    with ended_after(0.1):
        exec("while True: pass")
except InspectorError:
    sys.exit(1)
"""


def test_the_exit_status_is_that_of_the_command_also_out_of_text_that_is_run(tmp_path):
    """As while a dataclass is made, of which a start on a busy machine has many."""
    (tmp_path / "program.py").write_text(PROGRAM, "utf-8")
    command = [sys.executable, "-m", "program"]
    places = {
        "PYTHONPATH": os.pathsep.join([str(tmp_path), str(Path(main.__file__).parents[2])])
    }
    done = subprocess.run(command, env=os.environ | places, check=False)
    assert done.returncode == 1


def test_no_limit_ctrl_c_and_what_is_done_in_time_stay_what_they_are():
    for seconds in (0.0, 60.0):
        with pytest.raises(KeyboardInterrupt), ended_after(seconds):
            raise KeyboardInterrupt
        with ended_after(seconds):
            assert bool(deadline()) is bool(seconds)
    time.sleep(0.05)


def test_a_command_whose_jobs_have_limits_has_none_itself():
    with ended_after(0.05):
        command_timer.stop()
        time.sleep(0.1)
    done = []

    def elsewhere() -> None:
        with ended_after(0.05):
            time.sleep(0.1)
            done.append(True)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert done == [True]


@pytest.fixture(scope="module")
def imported() -> None:
    """Import what commands import, which must not end in the middle for all tests after it."""
    for module in pkgutil.walk_packages(inspector.__path__, "inspector."):
        if not re.search(r"\.ui(\.|$)|\.__main__$", module.name):
            with suppress(ModuleNotFoundError):  # of a runtime that is an extra
                import_module(module.name)


@pytest.fixture(scope="module")
def slow_to_read(imported: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("slow") / "tree.onnx"
    path.write_bytes(
        models.tree_of_ifs(13).SerializeToString()
    )  # takes much longer than 0.1 s to read
    return path


@pytest.mark.filterwarnings("ignore:Exception ignored in")  # in the middle of opening a file
@pytest.mark.parametrize(
    "arguments",
    [
        ("info", "M"),
        ("info", "M", "--validate"),
        ("code", "M"),
        ("prepare", "M"),
        ("diff", "M", "M"),
        ("compare", "M", "M"),
        ("predict", "M"),
        ("verify", "M", "D"),
        ("layers", "M"),
        ("parity", "M", "--against", "level=none"),
        ("support", "M"),
        ("measure", "M"),
        ("sweep", "M"),
        ("tune", "M"),
    ],
    ids=" ".join,
)
def test_reading_a_model_counts(slow_to_read, arguments):
    names = {"M": str(slow_to_read), "D": str(slow_to_read.parent)}
    given = [names.get(each, each) for each in arguments]
    assert errors_of(*given, "--time-limit", "0.1").endswith(OVER)


def test_reading_the_other_model_of_a_measurement_counts(slow_to_read, tmp_path, capsys):
    small = small_models.linear(tmp_path / "linear.onnx")
    pair = ["measure", str(small), "--against", str(slow_to_read)]
    assert main.run([*pair, "--time-limit", "0.6"]) == 1
    over = "The command was stopped: it took longer than the 0.6 s allowed\n"
    assert capsys.readouterr().err.startswith(over)


def test_of_several_models_each_has_its_time(tmp_path, capsys, monkeypatch):
    small = small_models.linear(tmp_path / "linear.onnx")
    endless = small_models.linear(tmp_path / "endless.onnx")
    read = opening.open_model

    def read_or_hang(path: Path, *more: Any, **named: Any) -> Model:
        if path.name == endless.name:
            time.sleep(1e6)
        return read(path, *more, **named)

    fast = ["--no-shapes", "--no-hash"]
    assert main.run(["info", str(small), *fast]) == 0  # imports what it needs
    monkeypatch.setattr(info, "open_model", read_or_hang)
    for limit in ("0.5", "5", "50"):  # a busy machine takes longer for the small one
        capsys.readouterr()
        given = [str(endless), str(small), *fast, "--time-limit", limit]
        assert main.run(["info", *given]) == 1
        shown = capsys.readouterr()
        over = f"Could not finish endless.onnx: it took longer than the {limit} s allowed"
        assert over in shown.err
        if "linear.onnx" in shown.out:
            break
    assert "linear.onnx" in shown.out


@pytest.mark.engine
def test_after_its_time_support_asks_nothing_more(tmp_path, monkeypatch):
    started = []

    class Counted(SupervisedProcess):
        def __init__(self, *arguments: object) -> None:
            started.append(1)
            super().__init__(*arguments)

    monkeypatch.setattr(single_child, "SupervisedProcess", Counted)
    monkeypatch.setattr(command_timer, "GRACE_SECONDS", 60.0)  # the engine says it first
    path = models.write("endless_loop", tmp_path)
    for limit in ("1.5", "15", "150"):  # a busy machine takes longer until the engine has begun
        started.clear()
        told = errors_of("support", path, "--time-limit", limit)
        assert f"it took longer than the {limit} s allowed" in told
        assert len(started) == 1, "a process for each further question, with its own limit"
        if "may never finish" in told:
            break
    assert "Layer 'loop' (Loop) may never finish." in told


@pytest.mark.engine
@pytest.mark.usefixtures("cold")  # there a peak is that of seconds
def test_a_roofline_that_takes_longer_is_not_said_to_be_endless(monkeypatch):
    monkeypatch.setattr(command_timer, "GRACE_SECONDS", 60.0)
    told = errors_of("roofline", "--refresh", "--time-limit", "1")
    assert "the 1 s allowed" in told
    assert told.endswith("\nTo allow more time, use --time-limit.\n")
