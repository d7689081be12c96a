"""A phone that is reached by adb: pushed to once, measured there, a report as any other."""

import os
import sys
from pathlib import Path

import msgspec
import pytest

from inspector.backends.litert import benchmark_log
from inspector.errors import BadInput, EngineDied, EngineFailed
from inspector.formats.opening import open_model
from inspector.platform import own_processes
from inspector.plugins.phones.phone import Phone
from inspector.preview.identity import measured_model
from inspector.remote import machines
from inspector.remote.machines import Saved
from inspector.remote.remote_engine import RemoteEngine
from inspector.report.run_spec import RunSpec
from inspector.wording.support_marks import Mark, Status
from tests.command_line import run as run_command
from tests.engine import small_models
from tests.formats.tflite import build
from tests.plugins import fake_phone

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(sys.platform == "win32", reason="needs sh"),
]


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    bin_, programs = fake_phone.install(tmp_path)
    monkeypatch.setenv("PATH", f"{bin_}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return programs


def engine(programs: Path, device: str = "") -> RemoteEngine:
    return RemoteEngine(Phone("phone", "PHONE1", str(programs)), device=device)


def test_an_onnx_model_is_measured_with_its_layers(programs, tmp_path):
    model = small_models.linear(tmp_path / "net.onnx")
    identity = measured_model(model, open_model(model))
    spec = RunSpec(runs=20, profiled_runs=5, threads=1)
    report = engine(programs).measure(model, identity, spec, {})
    assert report.model == identity
    assert len(report.prediction_ns) >= 20
    assert report.load_ns > 0
    assert report.memory.peak_bytes == 123456789
    assert {use.status for use in report.layers} <= {Status.EXECUTED, Status.FUSED}
    timed = [use for use in report.layers if use.time_ns]
    assert timed
    assert all(use.devices["cpu"].mark is Mark.RAN for use in timed)
    assert len(report.trace) > 0
    assert report.environment.system == "Android 15 arm64-v8a"
    assert report.environment.cpu == "Acme Phone 5, SC9000"
    before = "thermal throttling light, battery 28.4 °C, CPU clocks 1.20 of 2.40, 1.20 of 2.40"
    assert f"Before: {before} GHz." in report.notes
    log = (tmp_path / "phone" / "adb.log").read_text()
    pushed = log.count("push ")
    assert pushed == 4  # the program, its library, the model, and the model with other names
    engine(programs).measure(model, identity, RunSpec(runs=5, profiled_runs=0), {})
    assert (tmp_path / "phone" / "adb.log").read_text().count("push ") == pushed


def test_what_a_phone_cannot_do_is_refused_with_the_reason(programs, tmp_path):
    model = small_models.linear(tmp_path / "net.onnx")
    identity = measured_model(model, open_model(model))
    with pytest.raises(EngineFailed, match="NNAPI is not supported in this build"):
        engine(programs, "nnapi").measure(model, identity, RunSpec(), {})
    with pytest.raises(BadInput, match="no setting for 'binding'"):
        engine(programs).measure(model, identity, RunSpec(binding="device"), {})
    with pytest.raises(BadInput, match="not a device of onnxruntime_perf_test"):
        engine(programs, "directml").measure(model, identity, RunSpec(), {})
    with pytest.raises(BadInput, match="'predict'"):
        engine(programs).predict(model, RunSpec(), {})
    for number in range(61):
        (programs / f"lib{number}.so").touch()
    with pytest.raises(BadInput, match="at most 60 are sent to a phone"):
        engine(programs).measure(model, identity, RunSpec(), {})
    with pytest.raises(EngineDied, match="device 'PHONE2' not found"):
        Phone("phone", "PHONE2", str(programs)).connect()
    with pytest.raises(BadInput, match="not a serial number"):
        Phone("phone", "a; reboot", str(programs))


@pytest.mark.slow
def test_a_phone_is_added_and_measures_by_name(programs, tmp_path):
    added = run_command("devices", "--add", "phone", "android:PHONE1", "--program", programs)
    assert added.returncode == 0, added.stderr
    assert "Acme Phone 5, SC9000, 2 cores" in added.stdout.replace(f"{os.cpu_count()} c", "2 c")
    assert machines.named("phone").program == str(programs)
    without = run_command("devices", "--add", "other", "android:PHONE1")
    assert "--program" in without.stderr
    model = small_models.linear(tmp_path / "net.onnx")
    report = tmp_path / "report.json"
    said = run_command("measure", model, "--on", "phone", "-o", report, "--runs", "10")
    assert said.returncode == 0, said.stderr
    assert msgspec.json.decode(report.read_bytes())["environment"]["governor"] == "schedutil"


def test_a_tflite_model_is_measured_with_its_layers(tmp_path, monkeypatch):
    path = tmp_path / "net.tflite"
    tensors = [build.tensor(name, (2, 3)) for name in ("a", "b", "c", "d")]
    chain = [build.operator(0, (number, 0), (number + 1,)) for number in range(3)]
    graph = build.subgraph(tensors, (0,), (3,), chain)
    path.write_bytes(build.model([build.code(build.ADD, 1)], [graph]))
    model = open_model(path)
    count = len(model.layers)
    first = model.layers[0]
    rows = [
        (first.operator, 0.25, f"[{first.outputs[0]}]:0"),
        ("TfLiteXNNPackDelegate", 1.5, f"[x, y]:{count}"),
        ("DelegateOpInvoke", 1.0, "Delegate/Convolution:0"),
    ]
    found = benchmark_log.rows(fake_phone.benchmark_model(rows))
    assert [(row.operator, row.number, row.mean_ns) for row in found] == [
        (first.operator, 0, 250_000),
        ("TfLiteXNNPackDelegate", count, 1_500_000),
    ]
    bin_, programs = fake_phone.install(tmp_path, rows)
    monkeypatch.setenv("PATH", f"{bin_}{os.pathsep}{os.environ['PATH']}")
    identity = measured_model(path, model)
    report = engine(programs).measure(path, identity, RunSpec(runs=3), {})
    assert report.prediction_ns == (1_460_500,) * 3
    assert report.start_lengths == (1, 1, 1)
    assert (report.load_ns, report.first_prediction_ns) == (5_685_000, 18_535_000)
    assert [use.time_ns for use in report.layers[:2]] == [250_000, 1_500_000]
    assert report.layers[1].status is Status.COMPILED
    assert report.layers[2].into == 1


def test_a_phone_stays_in_the_list(programs):
    saved = Saved("phone", "android:PHONE1", program=str(programs))
    machines.keep(saved)
    assert isinstance(machines.line_to(machines.named("phone")), Phone)


def test_a_frozen_program_makes_the_report(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["inspector"])
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    module = "inspector.plugins.phones.phone_report"
    command = own_processes.command(module, str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"request\.json"):
        own_processes.run_module(command[1:])
    assert sys.argv == [module, str(tmp_path)]
