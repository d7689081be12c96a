import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from inspector.engine.client.engine_process import EngineProcess, Progress
from inspector.engine.client.machine_lock import exclusive_use, owner
from inspector.engine.requests import MeasurePair
from inspector.errors import BadInput, Cancelled, MachineBusy
from inspector.formats import opening
from inspector.report.report import ModelIdentity
from inspector.report.run_spec import RunSpec
from tests.engine import small_models
from tests.engine.watching import engines

QUICK = RunSpec(runs=5, warmup=0, profiled_runs=0)
FEEDS = {"x": np.ones((1, 4), np.float32)}
HOLDER = """
import sys
from pathlib import Path
from inspector.engine.client.machine_lock import exclusive_use, owner
with exclusive_use(Path(sys.argv[1]), False, print, lambda: False, "Could not hold"):
    print("holding", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "measuring.lock"


@pytest.fixture
def holder(file: Path) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-c", HOLDER, str(file)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout.readline() == "holding\n"
        yield process
        process.kill()


def never() -> bool:
    return False


def nobody_waits() -> None:
    raise AssertionError("there was nothing to wait for")


def test_whoever_comes_alone_does_not_wait(file):
    for _ in range(2):
        with exclusive_use(file, False, nobody_waits, never, "Could not measure"):
            assert file.is_file()


def test_who_does_not_want_to_wait_is_told_who_is_at_work(file, holder):
    with (
        pytest.raises(MachineBusy, match=rf"on this machine: process {holder.pid} \(hold\)"),
        exclusive_use(file, False, nobody_waits, never, "Could not measure"),
    ):
        raise AssertionError("it was not our turn")


def test_the_turn_of_a_killed_program_is_over(file, holder):
    holder.kill()
    holder.wait()
    with exclusive_use(file, False, nobody_waits, never, "Could not measure"):
        assert holder.returncode != 0


def test_waiting_is_told_once_and_ends_with_the_other(file, holder):
    told = []

    def waiting() -> None:
        told.append("waiting")
        holder.stdin.close()

    with exclusive_use(file, True, waiting, never, "Could not measure"):
        assert told == ["waiting"]


def test_two_in_one_program_wait_for_each_other_too(file):
    with (
        exclusive_use(file, False, nobody_waits, never, "Could not measure"),
        pytest.raises(MachineBusy),
        exclusive_use(file, False, nobody_waits, never, "Could not measure"),
    ):
        raise AssertionError("it was not our turn")


def test_where_no_lock_can_be_had_the_work_is_done_without(tmp_path):
    (tmp_path / "cache").write_text("not a folder")
    done = []
    with exclusive_use(
        tmp_path / "cache" / "lock", False, nobody_waits, never, "Could not measure"
    ):
        done.append(True)
    assert done


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_where_the_lock_cannot_be_signed_the_work_is_done():
    with exclusive_use(Path("/dev/full"), False, print, never, "Could not hold"):
        worked = True
    assert worked


@pytest.mark.engine
def test_a_measurement_that_waits_says_so_and_can_be_cancelled(file, holder, tmp_path):
    model = small_models.linear(tmp_path / "linear.onnx")
    steps = []

    def follow(progress: Progress) -> None:
        steps.append(progress.step)
        engine.kill()

    identity = ModelIdentity(model.name, "0" * 64, 1, 2, 3)
    with EngineProcess(follow, lock=file) as engine, pytest.raises(Cancelled):
        engine.measure(model, identity, RunSpec(), {"x": np.ones((1, 4), np.float32)})
    assert steps == ["waiting"]
    assert holder.poll() is None


@pytest.fixture
def linear(tmp_path: Path) -> tuple[Path, ModelIdentity]:
    model = small_models.linear(tmp_path / "linear.onnx")
    return model, ModelIdentity(model.name, opening.digest(model), 1, 2, 3)


@pytest.mark.engine
def test_a_device_that_is_not_here_is_refused_before_waiting(file, holder, linear):
    with EngineProcess(lock=file) as engine, pytest.raises(BadInput, match="'nosuch' is not"):
        engine.measure(*linear, RunSpec(devices=("nosuch",)), FEEDS)
    assert holder.poll() is None


@pytest.mark.engine
def test_time_spent_waiting_for_another_measurement_is_counted_apart(file, holder, linear):
    waits: list[str] = []

    def follow(progress: Progress) -> None:
        if progress.step == "waiting":
            waits.append(progress.part)
            threading.Timer(0.3, holder.kill).start()

    with EngineProcess(follow, lock=file) as engine:
        one, other = engine.call(MeasurePair(*linear, (QUICK, QUICK), FEEDS))
        assert engine.waited_seconds >= 0.3
        engine.measure(*linear, QUICK, FEEDS)
    assert len(waits) == 1, "nobody held the lock by then"
    assert one.turns.id == other.turns.id != ""


@pytest.mark.engine
@pytest.mark.usefixtures("cold")  # it compares the children of this process
def test_a_pair_that_is_stopped_ends_both_processes(file, linear):
    endless = replace(QUICK, seconds=60.0)
    others = set(engines())

    def follow(progress: Progress) -> None:
        if progress.samples_ns:
            engine.kill()

    with EngineProcess(follow, lock=file) as engine:
        with pytest.raises(Cancelled):
            engine.call(MeasurePair(*linear, (endless, endless), FEEDS))
        assert not set(engines()) - others


def test_who_waits_for_the_same_program_is_not_sent_to_look_for_a_process(file):
    with exclusive_use(file, False, nobody_waits, never, "Could not measure", "improve a.onnx"):
        assert owner(file) == "another job of this program (improve a.onnx)"
