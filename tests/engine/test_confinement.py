"""What a confined process can and cannot do, tried inside one."""

import ctypes
import json
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.confinement import FULL
from inspector.engine.process import EngineProcess
from inspector.report import RunSpec
from tests.engine import small_models

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux confines without root"),
]
ATTEMPTS = Path(__file__).with_name("confined_attempts.py")


def landlock_version():
    number, version = ctypes.c_long(444), ctypes.c_uint32(1)
    return ctypes.CDLL(None).syscall(number, None, ctypes.c_size_t(0), version)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    if landlock_version() < 1:
        pytest.skip("this kernel has no Landlock")
    model = tmp_path_factory.mktemp("models") / "model.onnx"
    model.write_bytes(b"the model")
    own = tmp_path_factory.mktemp("own")
    command = [sys.executable, str(ATTEMPTS), str(model), str(own)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


@pytest.mark.parametrize(
    "attempt", ["read the model", "write into its folder", "start a thread", "import a module"]
)
def test_what_a_prediction_needs_works(results, attempt):
    assert results[attempt] == "works"


@pytest.mark.parametrize(
    "attempt",
    [
        "read a system file",
        "read another process",
        "list another folder",
        "write beside the model",
        "write to /tmp",
        "rename the model",
    ],
)
def test_other_files_are_out_of_reach(results, attempt):
    assert results[attempt] in ("EACCES", "EPERM", "EXDEV")


@pytest.mark.parametrize(
    "attempt",
    [
        "open a network socket",
        "open a local socket",
        "start a program",
        "fork",
        "end the parent",
        "trace the parent",
        "make a link",
    ],
)
def test_other_processes_and_the_network_are_out_of_reach(results, attempt):
    assert results[attempt] in ("EACCES", "EPERM")


def test_memory_has_a_limit(results):
    assert results["take 3 GiB"] == "MemoryError"


def test_a_crash_leaves_no_core_file(results):
    assert results["core file limit"] == "0"


def test_the_kernel_would_end_the_engine_before_the_window(results):
    assert int(results["oom score"]) >= 900


@pytest.fixture(scope="module")
def engine():
    with EngineProcess() as process:
        yield process


def test_a_cpu_job_of_several_threads_runs_fully_confined(engine, tmp_path):
    if landlock_version() < 1:
        pytest.skip("this kernel has no Landlock")
    model = small_models.convolution(tmp_path / "model.onnx")
    assert engine.load(model, RunSpec(threads=2)).confinement == FULL


def test_a_model_behind_a_link_opens_with_its_weights_beside_the_file(engine, tmp_path):
    """As the Hugging Face cache keeps them: names are links into a folder of blobs."""
    blobs, names = tmp_path / "blobs", tmp_path / "snapshots"
    blobs.mkdir()
    names.mkdir()
    small_models.linear(blobs / "0abc")
    (names / "model.onnx").symlink_to(blobs / "0abc")
    assert engine.load(names / "model.onnx", RunSpec()).devices == ("cpu",)
