"""Qualcomm AI Hub: on a double of its client, and on the client where it is installed."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.errors import BadInput, EngineFailed
from inspector.formats.opening import open_model
from inspector.plugins.ai_hub import hub_device
from inspector.plugins.ai_hub.hub_device import SITE, HubDevice
from inspector.preview.identity import measured_model
from inspector.remote import machines, uploads
from inspector.remote.blobs import hash_of
from inspector.remote.remote_engine import RemoteEngine
from inspector.remote.uploads import Upload, UploadNotAllowed
from inspector.report import report as reports
from inspector.report.run_spec import RunSpec
from inspector.wording.support_marks import Mark
from tests.command_line import run as run_command
from tests.engine import small_models
from tests.plugins.fake_ai_hub import NAME, TOKEN, Double, Service, server


@pytest.fixture(params=["double", "client"])
def service(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Service]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    made = Service()
    if request.param == "double":
        monkeypatch.setattr(hub_device, "_client", lambda: Double(made))
        monkeypatch.setattr(hub_device, "_version", lambda: "0.56.0")
        yield made
        return
    hub = pytest.importorskip("qai_hub.hub")
    config = tmp_path / "client.ini"
    monkeypatch.setenv("QAIHUB_CLIENT_INI", str(config))
    with server(made, config):
        monkeypatch.setattr(hub._global_client, "_config", None)  # it reads that once
        yield made


def test_a_model_is_uploaded_measured_and_reported(service, tmp_path):
    model = small_models.linear(tmp_path / "net.onnx")
    described = open_model(model)
    first = described.layers[0]
    name = first.name or first.outputs[0]
    service.layers = (name, "NPU", 40), ("quantize the input", "CPU", 7)
    uploads.allow(hash_of(model)[0], SITE)
    engine = RemoteEngine(HubDevice("s24", NAME), device="npu")
    identity = measured_model(model, described)
    report = engine.measure(model, identity, RunSpec(runs=50), {})
    assert service.uploaded == model.read_bytes()
    assert service.options == "--max_profiler_iterations 50 --compute_unit npu"
    assert report.model == identity
    assert report.prediction_ns == (900_000, 950_000, 1_000_000)
    assert report.load_ns == 250_000_000
    assert report.memory.peak_bytes == 50_000_000
    assert report.layers[0].time_ns == 40_000
    assert report.layers[0].devices["npu"].mark is Mark.RAN
    assert {use.time_ns for use in report.layers[1:]} <= {None}
    assert [(node.name, node.time_ns) for node in report.inserted] == [
        ("quantize the input", 7_000)
    ]
    assert report.environment.cpu == "Samsung Galaxy S24, qualcomm-snapdragon-8gen3"
    assert TOKEN.encode() not in reports.to_json(report)


def test_what_the_service_says_is_passed_on(service, tmp_path):
    model = small_models.linear(tmp_path / "net.onnx")
    identity = measured_model(model, open_model(model))
    engine = RemoteEngine(HubDevice("s24", NAME))
    uploads.allow(hash_of(model)[0], SITE)
    service.fails = "Operator Erf is not supported on HTP"
    with pytest.raises(EngineFailed, match="Erf is not supported"):
        engine.measure(model, identity, RunSpec(), {})
    with pytest.raises(BadInput, match="no setting for 'threads'"):
        engine.measure(model, identity, RunSpec(threads=2), {})
    with pytest.raises(BadInput, match="'predict'"):
        engine.predict(model, RunSpec(), {})
    with pytest.raises(BadInput, match="has no device 'Nokia 3310'"):
        HubDevice("old", "Nokia 3310").connect()


def test_no_model_is_uploaded_before_the_user_has_agreed_to_it(service, tmp_path):
    said = run_command("devices", "--add", "s24", f"aihub:{NAME}")
    assert said.returncode == 0, said.stderr
    assert f"{NAME}, " in said.stdout
    assert "asked before a model is uploaded" in said.stdout
    assert isinstance(machines.line_to(machines.named("s24")), HubDevice)
    assert TOKEN not in (tmp_path / "inspector" / "machines.json").read_text()

    model = small_models.linear(tmp_path / "net.onnx")
    measure = ("measure", str(model), "--on", "s24")
    said = run_command(*measure)
    assert (said.returncode, "Add --yes" in said.stderr) == (1, True)
    with pytest.raises(UploadNotAllowed, match="not allowed the upload of"):
        machines.targets("s24")[0].engine().measure(
            model, measured_model(model, open_model(model)), RunSpec(), {}
        )
    assert not any("models" in each for each in service.requests)
    said = run_command(*measure, "--yes")
    assert said.returncode == 0, said.stderr
    assert service.uploaded == model.read_bytes()
    assert run_command(*measure).returncode == 0  # this model is not asked about again
    other = small_models.linear(tmp_path / "net.onnx", 2 * small_models.WEIGHTS)
    assert run_command("measure", str(other), "--on", "s24").returncode == 1


def test_the_question_names_models_and_devices():
    one = Upload("net.onnx", 2048, "a", SITE)
    many = [Upload(f"{n}.onnx", 1, "b", SITE) for n in range(10)]
    assert uploads.question([one], "s24").startswith(
        "To be measured on s24, net.onnx (2.00 KiB) is uploaded to Qualcomm AI Hub"
    )
    assert "7.onnx and 2 more" in uploads.question(many, "s24, s23")


def test_the_client_has_to_be_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "qai_hub", None)
    with pytest.raises(BadInput, match="qai-hub is not installed"):
        HubDevice("s24", NAME).connect()
