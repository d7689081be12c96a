"""Every way an engine process can fail, in every phase, is one message, and soon."""

import os
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from inspector.engine.client.engine_process import EngineProcess, Limits
from inspector.errors import Cancelled, EngineDied
from inspector.report.report import ModelIdentity
from inspector.report.run_spec import RunSpec
from tests.engine.watching import has_ended, wait_for

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(sys.platform == "win32", reason="the faults are signals of POSIX"),
]
PROGRAM = Path(__file__).with_name("faulty_engine.py")
MODEL = Path("model.onnx")
QUICK, PATIENT = Limits(silence_seconds=0.4), Limits(silence_seconds=120)
HANG_SECONDS = 60  # half of the silence that PATIENT bears: a fault is noticed before
PHASES = ("start", "ready", "load", "prediction", "answer")
FAULTS = {
    "killed": "(SIGKILL)",
    "segfault": "crashed (SIGSEGV)",
    "abort": "crashed (SIGABRT); its last output: terminate called without an active exception",
    "division": "crashed (SIGFPE)",
    "bad_alloc": "ran out of memory",
    "memory_error": "ran out of memory",
    "exception": "exit code 1); its last output: ZeroDivisionError",
    "left": "exit code 0",
    "left_3": "exit code 3",
    "garbage": "an invalid message",
    "endless_length": "the declared length is 4294967280 bytes",
    "half": "exit code 0",
    "no_json": "an invalid message",
    "not_utf8": "an invalid message",
    "nested": "an invalid message",
    "unknown_message": "an invalid message",
    "wrong_answer": "an unexpected response",
}
SLOW_FAULTS = {  # the time it takes to be sure, so not in every phase
    "closed": "closed its pipe",
    "flood": "more data than allowed",
    "chatter": "more data than allowed",
    "outlived": "exit code 3",
    "half_and_silent": "did not respond for",
    "busy": "did not respond for",
}
SILENT, TALKATIVE = ("deaf", "half_and_silent", "busy"), ("flood", "chatter")
# One of each kind is tried in every phase; the others too, where slow tests run.
IN_EVERY_PHASE = ("killed", "exception", "left", "garbage")
CASES = [
    *(
        pytest.param(
            fault,
            phase,
            why,
            marks=[] if fault in IN_EVERY_PHASE or phase == "prediction" else pytest.mark.slow,
        )
        for fault, why in FAULTS.items()
        for phase in PHASES
    ),
    *((fault, "prediction", why) for fault, why in SLOW_FAULTS.items()),
    *(("deaf", phase, "did not respond for") for phase in PHASES),
]


def engine_that(tmp_path, phase, fault, limits=PATIENT):
    mark = tmp_path / "mark"
    mark.touch()
    command = [sys.executable, "-S", "-E", str(PROGRAM), phase, fault, str(mark)]
    return EngineProcess(command=command, limits=limits)


def seconds_since_fault(tmp_path):
    return time.time() - float((tmp_path / "mark.when").read_text())


def predict(engine):
    return engine.predict(MODEL, RunSpec(), {})


@pytest.mark.parametrize(("fault", "phase", "why"), CASES)
def test_a_fault_is_one_error_and_the_next_job_works(tmp_path, fault, phase, why):
    limits = QUICK if fault in SILENT else PATIENT
    began = time.process_time()
    with engine_that(tmp_path, phase, fault, limits) as engine:
        with pytest.raises(EngineDied) as caught:
            predict(engine)
        # Two that send without end count in processor time: that is what listening takes.
        listened = time.process_time() - began
        waited = listened if fault in TALKATIVE else seconds_since_fault(tmp_path)
        assert waited < HANG_SECONDS
        error = caught.value
        assert error.what == "Could not run model.onnx"
        assert why in error.why
        assert error.phase == ("start" if phase == "ready" else phase)
        assert predict(engine).devices == ("cpu",)


def test_a_job_may_have_a_time_limit(tmp_path):
    engine = engine_that(tmp_path, "prediction", "deaf", Limits(job_seconds=0.3))
    fails_with(engine, "longer than the 0.3 s allowed")


LINUX_ONLY = pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells it in /proc")


@pytest.mark.parametrize(
    "fault",
    ["killed", "left", "garbage", "closed", pytest.param("half_gone", marks=LINUX_ONLY)],
)
def test_an_end_between_two_jobs_is_nobodys_business(tmp_path, fault):
    with engine_that(tmp_path, "idle", fault) as engine:
        predict(engine)
        wait_for((tmp_path / "mark.when").exists)
        if fault in ("killed", "left", "half_gone"):
            wait_for(lambda: has_ended(int((tmp_path / "mark.pid").read_text())))
        else:  # it lives, and only the next job can tell
            with pytest.raises(EngineDied):
                predict(engine)
        assert predict(engine).devices == ("cpu",)


@pytest.mark.parametrize("phase", PHASES)
def test_kill_stops_the_job_in_any_phase(tmp_path, phase):
    with engine_that(tmp_path, phase, "deaf") as engine:
        stopper = threading.Thread(target=stop_after_fault, args=(engine, tmp_path))
        stopper.start()
        with pytest.raises(Cancelled):
            predict(engine)
        stopper.join()
        assert predict(engine).devices == ("cpu",)


def test_kill_without_a_job_does_nothing(tmp_path):
    with engine_that(tmp_path, "never", "left") as engine:
        engine.kill()
        predict(engine)
        engine.kill()
        assert predict(engine).devices == ("cpu",)


def test_a_program_that_does_not_exist_is_an_error(tmp_path):
    engine = EngineProcess(command=[str(tmp_path / "nothing")])
    fails_with(engine, "could not be started: No such file")


def test_a_report_that_is_not_there_is_an_error(tmp_path):
    identity = ModelIdentity("model.onnx", "0" * 64, 1, 1, 1)
    healthy = engine_that(tmp_path, "never", "left")
    with healthy as engine, pytest.raises(EngineDied, match="unexpected response"):
        engine.measure(MODEL, identity, RunSpec(), {})


def test_nothing_is_left_behind(tmp_path):
    def held():
        folders = list(Path(tempfile.gettempdir()).glob(f"inspector-{os.getpid()}-*"))
        return len(os.listdir("/proc/self/fd")), threading.active_count(), len(folders)

    if not Path("/proc/self/fd").is_dir():
        pytest.skip("no /proc here")
    fails_with(engine_that(tmp_path, "prediction", "left"), FAULTS["left"])
    before = held()
    for fault, why in FAULTS.items():
        fails_with(engine_that(tmp_path, "prediction", fault), why)
    # Threads of processes that are gone may end a little later.
    wait_for(lambda: all(now <= was for now, was in zip(held(), before, strict=True)))


def fails_with(failing, why):
    with failing as engine, pytest.raises(EngineDied) as caught:
        predict(engine)
    assert why in caught.value.why


def stop_after_fault(engine, tmp_path):
    wait_for((tmp_path / "mark.when").exists)
    engine.kill()
