"""What a confined process can and cannot do, tried inside one."""

import ctypes
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.client.supervision import SupervisedProcess
from inspector.errors import UnreadableFile
from inspector.platform.work_limits import Limits
from inspector.report.report import ModelIdentity
from inspector.report.run_spec import RunSpec
from inspector.sandbox import confinement
from inspector.sandbox.confinement import FULL, environment
from inspector.sandbox.decoding.channel import Request
from inspector.sandbox.decoding.decoder_process import Decoder
from tests.engine import small_models

if sys.platform == "linux":
    from tests.engine import confined_attempts

pytestmark = [
    pytest.mark.engine,
    pytest.mark.usefixtures("cold"),
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux confines without root"),
]
ATTEMPTS = Path(__file__).with_name("confined_attempts.py")
DENIALS = ("EACCES", "EPERM", "ENOSYS", "EXDEV")


def landlock_version():
    number, version = ctypes.c_long(444), ctypes.c_uint32(1)
    return ctypes.CDLL(None).syscall(number, None, ctypes.c_size_t(0), version)


@pytest.fixture(scope="module")
def victim(tmp_path_factory):
    """A folder of the user's, and a secret in the environment, which children must not see."""
    folder = tmp_path_factory.mktemp("victim")
    (folder / "secret.txt").write_text("secret")
    (folder / "empty").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INSPECTOR_VICTIM", str(folder))
        patch.setenv("SECRET_TOKEN", "hunter2")
        yield folder


def attempts_in(log: str) -> list[dict[str, str]]:
    lines = [line for line in log.splitlines() if line.startswith("attempts: ")]
    return [json.loads(line.removeprefix("attempts: ")) for line in lines]


@pytest.fixture(scope="module")
def logs(victim, tmp_path_factory):
    """What children of three kinds wrote into their logs, after one job each."""
    if landlock_version() < 1:
        pytest.skip("this kernel has no Landlock")
    model = small_models.convolution(tmp_path_factory.mktemp("models") / "model.onnx")
    identity = ModelIdentity(model.name, "0" * 64, model.stat().st_size, 0, 0)
    feeds = {"x": np.ones((1, 3, 8, 8), np.float32)}
    command = [sys.executable, "-P", str(ATTEMPTS), "engine"]
    limits = Limits(memory_bytes=2 << 30)
    kept = {}
    end = SupervisedProcess.end

    def end_and_keep_log(child):
        kept["measuring"] = kept.get("measuring", "") + child._log()
        end(child)

    with EngineProcess(command=command, limits=limits) as process:
        process.load(model, RunSpec())
        kept["engine"] = process._child._log()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(SupervisedProcess, "end", end_and_keep_log)
            spec = RunSpec(warmup=1, runs=2, profiled_runs=1, steady=0.0)
            process.measure(model, identity, spec, feeds)
    decoder = Decoder("images", [sys.executable, "-P", str(ATTEMPTS), "decoder", "images"])
    with pytest.raises(UnreadableFile):
        decoder.ask(Request("", "torn.png"), b"torn", "Could not open torn.png")
    decoder._log.seek(0)
    kept["decoder"] = decoder._log.read().decode()
    decoder.close()
    return kept


CHILDREN = ["engine", "measuring", "decoder"]


@pytest.mark.parametrize("child", CHILDREN)
def test_sixty_and_more_attempts_are_refused(logs, victim, child):
    found = attempts_in(logs[child])
    assert found
    for results in found:
        refused = {name: results[name] for name in confined_attempts.REFUSED}
        assert len(refused) >= 60
        assert {name: r for name, r in refused.items() if r not in DENIALS} == {}
    assert (victim / "secret.txt").read_text() == "secret"
    assert sorted(path.name for path in victim.iterdir()) == ["empty", "secret.txt"]


@pytest.mark.parametrize("child", ["engine", "measuring"])
@pytest.mark.parametrize(
    "attempt", ["write beside the model", "change the model's mode", "rename the model"]
)
def test_the_model_cannot_be_changed(logs, child, attempt):
    assert all(results[attempt] in DENIALS for results in attempts_in(logs[child]))


@pytest.mark.parametrize("child", CHILDREN)
@pytest.mark.parametrize(
    "attempt",
    ["start a thread", "import a module", "bind itself to a core", "read its own limits"],
)
def test_what_a_prediction_needs_works(logs, child, attempt):
    assert attempts_in(logs[child])[0][attempt] == "works"


@pytest.mark.parametrize("attempt", ["read the model", "write into its folder"])
def test_an_engine_reads_its_model_and_writes_into_its_folder(logs, attempt):
    assert attempts_in(logs["engine"])[0][attempt] == "works"


@pytest.mark.parametrize("child", CHILDREN)
def test_refused_calls_are_named_in_the_child_s_log(logs, child):
    named = {line for line in logs[child].splitlines() if line.startswith("denied system call")}
    assert "denied system call: socket" in named
    assert "denied system call: sched_setaffinity" in named
    assert "denied system call: read" not in named


@pytest.mark.parametrize("child", CHILDREN)
def test_secrets_of_the_environment_stay_with_the_parent(logs, child):
    (results, *_) = attempts_in(logs[child])
    assert results["secret of the environment"] == "hidden"


def test_what_programs_need_of_the_environment_is_passed():
    given = {"PATH": "a", "LC_ALL": "C", "AWS_SECRET_ACCESS_KEY": "b", "CUDA_PATH": "c"}
    assert environment(given, MORE="d") == {
        "PATH": "a", "LC_ALL": "C", "CUDA_PATH": "c", "MORE": "d",
    }  # fmt: skip


def test_without_a_listener_calls_are_refused_all_the_same(victim):
    code = (
        "import os, socket\n"
        "from inspector.sandbox import confinement\n"
        "assert confinement.confine_this_process() == 'full'\n"
        "cores = os.sched_getaffinity(0)\n"
        "os.sched_setaffinity(0, cores)\n"  # the kernel answers: OpenVINO asks in every run
        "try: os.sched_setaffinity(os.getppid(), cores)\n"
        "except PermissionError: print('refused')\n"
        "try: socket.socket()\n"
        "except PermissionError: print('refused')"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300
    )
    assert run.stdout.split() == ["refused", "refused"], run.stderr


def test_memory_has_a_limit(logs):
    assert attempts_in(logs["engine"])[0]["take 3 GiB"] == "MemoryError"


@pytest.mark.parametrize("child", CHILDREN)
def test_a_crash_leaves_no_core_file(logs, child):
    assert attempts_in(logs[child])[0]["core file limits"] == "0 0"


@pytest.mark.parametrize("child", CHILDREN)
def test_the_kernel_would_end_the_child_before_the_window(logs, child):
    assert int(attempts_in(logs[child])[0]["oom score"]) >= 900


def test_the_attempts_in_the_documents_are_those_that_are_tried():
    page = (Path(__file__).parents[2] / "docs" / "confinement.md").read_text("utf-8")
    listed = {line.split("|")[1].strip() for line in page.splitlines() if line.startswith("| ")}
    assert set(confined_attempts.REFUSED) <= listed


@pytest.mark.parametrize(
    ("system", "machine", "landlock", "level", "reason"),
    [
        ("linux", "x86_64", 6, confinement.FULL, ""),
        ("linux", "x86_64", 0, confinement.MEMORY_AND_LIFETIME, "no Landlock"),
        ("linux", "riscv64", 6, confinement.MEMORY_AND_LIFETIME, "riscv64"),
        (
            "freebsd14",
            "amd64",
            0,
            confinement.NO_CONFINEMENT,
            "only on Linux, macOS and Windows",
        ),
        ("darwin", "arm64", 0, confinement.NO_CONFINEMENT, "no sandbox_init"),
        ("win32", "AMD64", 0, confinement.NO_CHANGES, "AppContainer"),
    ],
)
def test_the_level_of_a_system_comes_with_the_reason(
    system, machine, landlock, level, reason, monkeypatch
):
    monkeypatch.setattr(confinement, "SYSTEM", system)
    monkeypatch.setattr(confinement, "LINUX", system == "linux")
    monkeypatch.setattr(confinement.platform, "machine", lambda: machine)
    monkeypatch.setattr(confinement, "landlock_version", lambda: landlock)
    found, why = confinement.available()
    assert found == level
    assert reason in why
    page = (Path(__file__).parents[2] / "docs" / "confinement.md").read_text("utf-8")
    assert f"\n| {level} |" in page


def test_the_level_that_is_announced_is_the_one_in_force(engine, tmp_path):
    model = small_models.convolution(tmp_path / "model.onnx")
    assert engine.load(model, RunSpec()).confinement == confinement.available()[0]


def test_a_cpu_job_of_several_threads_runs_fully_confined(engine, tmp_path):
    if landlock_version() < 1:
        pytest.skip("this kernel has no Landlock")
    model = small_models.convolution(tmp_path / "model.onnx")
    assert engine.load(model, RunSpec(threads=2)).confinement == FULL


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_model_behind_a_link_opens_with_its_weights_beside_the_file(engine, tmp_path):
    """As the Hugging Face cache keeps them: names are links into a folder of blobs."""
    blobs, names = tmp_path / "blobs", tmp_path / "snapshots"
    blobs.mkdir()
    names.mkdir()
    small_models.linear(blobs / "0abc")
    (names / "model.onnx").symlink_to(blobs / "0abc")
    assert engine.load(names / "model.onnx", RunSpec()).devices == ("cpu",)
