"""Qualcomm AI Hub: its client runs against a server here that speaks its public API."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("qai_hub")

import qai_hub.hub
import qai_hub.public_api_pb2 as api

from inspector.errors import BadInput, EngineFailed
from inspector.formats.opening import open_model
from inspector.preview.identity import measured_model
from inspector.remote import ai_hub, machines
from inspector.remote.ai_hub import HubDevice
from inspector.remote.remote_engine import RemoteEngine
from inspector.report import report as reports
from inspector.report.run_spec import RunSpec
from inspector.report.support_marks import Mark
from tests.command_line import run as run_command
from tests.engine import small_models

TOKEN = "secret-token"


class Service:
    """What the server was sent, and what it answers. fails: reason of a job that fails."""

    def __init__(self) -> None:
        self.uploaded = b""
        self.job = api.InferenceJob()
        self.asked: list[str] = []
        self.fails = ""
        self.address = ""
        self.profile = api.ProfileDetail()

    def answer(self, method: str, path: str, body: bytes) -> Any:
        """Return the message for a request; None where there is nothing of that name."""
        parts = [part for part in path.partition("?")[0].split("/") if part][2:]
        match method, parts:
            case "GET", ["devices"]:
                device = api.Device(name="Samsung Galaxy S24", os="14")
                device.attributes.extend(
                    ["os:android", "chipset:qualcomm-snapdragon-8gen3", "framework:onnx"]
                )
                known = "Galaxy+S24" in path or "Galaxy%20S24" in path
                return api.DeviceList(devices=[device] if known else [])
            case "POST", ["models"]:
                return api.CreateUpdateResponse(id="m1")
            case "POST", ["jobs"]:
                self.job = api.Job.FromString(body).inference_job
                return api.CreateUpdateResponse(id="j1")
            case "GET", ["jobs", "j1"]:
                states = api.JobState
                state = states.JOB_STATE_FAILED if self.fails else states.JOB_STATE_DONE
                self.job.inference_job_id = "j1"
                self.job.job_state = state
                self.job.failure_reason = self.fails
                return api.Job(inference_job=self.job)
            case "GET", ["jobs", "j1", "result"]:
                result = api.InferenceJobResult(inference_job_id="j1", detail=self.profile)
                return api.JobResult(inference_job_result=result)
            case "GET", ["models", "m1", "multipart_upload"]:
                part = api.FileMultipartUploadURL(
                    urls=[f"{self.address}/stored/m1"], max_part_size=1 << 30
                )
                return api.FileUploadResponse(multipart_url=part)
            case _, ["models", "m1", *_]:
                return api.CreateUpdateResponse(id="m1")
        return None


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    made = Service()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

        def do(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            made.asked.append(f"{self.command} {self.path}")
            if self.path.startswith("/stored/"):
                made.uploaded = body
                self.send_response(200)
                self.send_header("ETag", '"e"')
                self.end_headers()
                return
            assert self.headers["Authorization"] == f"token {TOKEN}"
            message = made.answer(self.command, self.path, body)
            self.send_response(200 if message is not None else 404)
            self.send_header("Content-Type", "application/x-protobuf")
            self.end_headers()
            if message is not None:
                self.wfile.write(message.SerializeToString())

        do_GET = do_POST = do_PUT = do  # noqa: N815

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    made.address = f"http://127.0.0.1:{server.server_port}"
    config = tmp_path / "client.ini"
    config.write_text(
        f"[api]\napi_url = {made.address}\nweb_url = {made.address}\napi_token = {TOKEN}\n"
        "verbose = False\n"
    )
    monkeypatch.setenv("QAIHUB_CLIENT_INI", str(config))
    monkeypatch.setattr(qai_hub.hub._global_client, "_config", None)  # it reads that once
    yield made
    server.shutdown()
    server.server_close()


def profiled(service: Service, *layers: tuple[str, str, int]) -> None:
    """Have the service answer with layers: name, compute unit and microseconds."""
    service.profile = api.ProfileDetail(
        major_version=1,
        minor_version=2,
        execution_time=900,
        all_execution_times=[900, 950, 1000],
        cold_load_time=250_000,
        after_execution_peak_memory=50_000_000,
    )
    for name, unit, took in layers:
        service.profile.layer_details.add(
            name=name,
            layer_type_name="some type",
            compute_unit=api.ComputeUnit.Value(f"COMPUTE_UNIT_{unit}"),
            execution_time=took,
        )


def test_a_model_is_uploaded_measured_and_reported(service: Service, tmp_path: Path) -> None:
    model = small_models.linear(tmp_path / "net.onnx")
    described = open_model(model)
    first = described.layers[0]
    name = first.name or first.outputs[0]
    profiled(service, (name, "NPU", 40), ("quantize the input", "CPU", 7))
    engine = RemoteEngine(HubDevice("s24", "Samsung Galaxy S24"), device="npu")
    identity = measured_model(model, described)
    report = engine.measure(model, identity, RunSpec(runs=50), {})
    assert service.uploaded == model.read_bytes()
    assert service.job.options == "--max_profiler_iterations 50 --compute_unit npu"
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


def test_what_the_service_says_is_passed_on(service: Service, tmp_path: Path) -> None:
    model = small_models.linear(tmp_path / "net.onnx")
    identity = measured_model(model, open_model(model))
    engine = RemoteEngine(HubDevice("s24", "Samsung Galaxy S24"))
    service.fails = "Operator Erf is not supported on HTP"
    with pytest.raises(EngineFailed, match="Erf is not supported"):
        engine.measure(model, identity, RunSpec(), {})
    with pytest.raises(BadInput, match="no setting for 'threads'"):
        engine.measure(model, identity, RunSpec(threads=2), {})
    with pytest.raises(BadInput, match="'predict'"):
        engine.predict(model, RunSpec(), {})
    with pytest.raises(BadInput, match="has no device 'Nokia 3310'"):
        HubDevice("old", "Nokia 3310").connect()


def test_nothing_is_uploaded_before_the_user_has_agreed(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    added = ("devices", "--add", "s24", "aihub:Samsung Galaxy S24")
    said = run_command(*added)
    assert "--yes" in said.stderr
    assert service.asked == []
    assert "are uploaded to Qualcomm AI Hub" in ai_hub.question("s24", "Samsung Galaxy S24")
    said = run_command(*added, "--yes")
    assert said.returncode == 0, said.stderr
    assert "Samsung Galaxy S24, " in said.stdout
    assert isinstance(machines.line_to(machines.named("s24")), HubDevice)
    assert TOKEN not in (tmp_path / "inspector" / "machines.json").read_text()
    assert not any("models" in asked for asked in service.asked)
