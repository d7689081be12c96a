"""Qualcomm AI Hub in two forms: a double of its client, and a server for the real client.

The values that the double returns are those that qai-hub 0.56 returned for the answers of the
server. CI has a job that installs the client, whose version of protobuf other tests do not
take; there, the same tests run on both.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

TOKEN = "secret-token"
NAME, SYSTEM = "Samsung Galaxy S24", "14"
ATTRIBUTES = ["os:android", "chipset:qualcomm-snapdragon-8gen3", "framework:onnx"]
TIMES, LOAD, PEAK = [900, 950, 1000], 250_000, 50_000_000


@dataclass
class Service:
    """What the service was sent, and what it answers.

    requests: what was requested of it. options: of the job. layers: name, compute unit and
    microseconds. fails: the reason of a job that fails.
    """

    uploaded: bytes = b""
    options: str = ""
    requests: list[str] = field(default_factory=list)
    layers: tuple[tuple[str, str, int], ...] = ()
    fails: str = ""


class Double:
    """The part of the module `qai_hub` that the adapter uses."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def get_devices(self, name: str = "", os: str = "") -> list[Any]:
        """List the devices of a name."""
        self._service.requests.append(f"GET devices {name}")
        return [self.Device(NAME, SYSTEM)] if name == NAME else []

    @staticmethod
    def Device(name: str, os: str) -> Any:
        """Return a device."""
        return SimpleNamespace(name=name, os=os, attributes=ATTRIBUTES)

    def submit_inference_job(
        self, model: str, device: Any, name: str, options: str, retry: bool
    ) -> Any:
        """Take a model, and return its job."""
        service = self._service
        service.requests.append("POST models")
        service.uploaded, service.options = Path(model).read_bytes(), options
        return SimpleNamespace(
            job_id="j1", get_status=self._status, download_profile=self._profile
        )

    def _status(self) -> Any:
        reason = self._service.fails
        code = "FAILED" if reason else "SUCCESS"
        return SimpleNamespace(code=code, message=reason, finished=True, success=not reason)

    def _profile(self) -> dict[str, Any]:
        return {
            "execution_detail": [
                {
                    "compute_unit": unit,
                    "execution_time": took,
                    "name": name,
                    "type": "some type",
                }
                for name, unit, took in self._service.layers
            ],
            "execution_summary": {
                "all_compile_times": [],
                "all_first_load_times": [],
                "all_inference_times": TIMES,
                "all_warm_load_times": [],
                "compile_memory_peak_range": None,
                "compile_peak_memory": 0,
                "compile_time": 0,
                "estimated_inference_peak_memory": PEAK,
                "estimated_inference_time": TIMES[0],
                "first_load_peak_memory": 0,
                "first_load_time": LOAD,
                "inference_memory_peak_range": None,
                "warm_load_time": 0,
            },
        }


@contextmanager
def server(service: Service, config: Path) -> Iterator[None]:
    """Answer the real client over HTTP; config: the file of its configuration."""
    import qai_hub.public_api_pb2 as api

    job, address = api.InferenceJob(), ""

    def answer(method: str, path: str, body: bytes) -> Any:
        """Return the message for a request; None where there is nothing of that name."""
        nonlocal job
        parts = [part for part in path.partition("?")[0].split("/") if part][2:]
        match method, parts:
            case "GET", ["devices"]:
                device = api.Device(name=NAME, os=SYSTEM)
                device.attributes.extend(ATTRIBUTES)
                known = "Galaxy+S24" in path or "Galaxy%20S24" in path
                return api.DeviceList(devices=[device] if known else [])
            case "POST", ["models"]:
                return api.CreateUpdateResponse(id="m1")
            case "POST", ["jobs"]:
                job = api.Job.FromString(body).inference_job
                service.options = job.options
                return api.CreateUpdateResponse(id="j1")
            case "GET", ["jobs", "j1"]:
                states = api.JobState
                job.inference_job_id = "j1"
                job.job_state = (
                    states.JOB_STATE_FAILED if service.fails else states.JOB_STATE_DONE
                )
                job.failure_reason = service.fails
                return api.Job(inference_job=job)
            case "GET", ["jobs", "j1", "result"]:
                result = api.InferenceJobResult(inference_job_id="j1", detail=_detail(service))
                return api.JobResult(inference_job_result=result)
            case "GET", ["models", "m1", "multipart_upload"]:
                part = api.FileMultipartUploadURL(
                    urls=[f"{address}/stored/m1"], max_part_size=1 << 30
                )
                return api.FileUploadResponse(multipart_url=part)
            case _, ["models", "m1", *_]:
                return api.CreateUpdateResponse(id="m1")
        return None

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

        def do(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            service.requests.append(f"{self.command} {self.path}")
            if self.path.startswith("/stored/"):
                service.uploaded = body
                self.send_response(200)
                self.send_header("ETag", '"e"')
                self.end_headers()
                return
            assert self.headers["Authorization"] == f"token {TOKEN}"
            message = answer(self.command, self.path, body)
            self.send_response(200 if message is not None else 404)
            self.send_header("Content-Type", "application/x-protobuf")
            self.end_headers()
            if message is not None:
                self.wfile.write(message.SerializeToString())

        do_GET = do_POST = do_PUT = do  # noqa: N815

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=listening.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{listening.server_port}"
    config.write_text(
        f"[api]\napi_url = {address}\nweb_url = {address}\napi_token = {TOKEN}\n"
        "verbose = False\n"
    )
    try:
        yield
    finally:
        listening.shutdown()
        listening.server_close()


def _detail(service: Service) -> Any:
    import qai_hub.public_api_pb2 as api

    detail = api.ProfileDetail(
        major_version=1,
        minor_version=2,
        execution_time=TIMES[0],
        all_execution_times=TIMES,
        cold_load_time=LOAD,
        after_execution_peak_memory=PEAK,
    )
    for name, unit, took in service.layers:
        detail.layer_details.add(
            name=name,
            layer_type_name="some type",
            compute_unit=api.ComputeUnit.Value(f"COMPUTE_UNIT_{unit}"),
            execution_time=took,
        )
    return detail
