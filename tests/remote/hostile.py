"""Jobs that somebody could send who wants more of a machine than a measurement."""

from typing import Any

SHA = "0" * 64
MODEL = {"name": "net.onnx", "sha256": SHA, "size_bytes": 1}
JOB: dict[str, Any] = {
    "id": "0" * 32, "kind": "measure", "schema": "job/1", "model": [MODEL],
}  # fmt: skip


def _spec(**settings: Any) -> dict[str, Any]:
    return JOB | {"spec": settings}


def _option(key: str, value: str) -> dict[str, Any]:
    return _spec(provider_options=[{"key": key, "value": value}])


def _file(**changed: Any) -> dict[str, Any]:
    return JOB | {"model": [MODEL | changed]}


JOBS: dict[str, Any] = {
    "a path out of the folder": _file(name="../../.bashrc"),
    "an absolute path": _file(name="/etc/cron.d/net"),
    "a path of Windows": _file(name="C:\\Windows\\net.onnx"),
    "a stream of Windows": _file(name="net.onnx:hidden"),
    "a device of Windows": _file(name="NUL.onnx"),
    "a hidden file": _file(name=".profile"),
    "a second file out of the folder": JOB | {"model": [MODEL, MODEL | {"name": "../w"}]},
    "two files of one name": JOB | {"model": [MODEL, MODEL]},
    "a hash that is a path": _file(sha256="../" * 21 + "a"),
    "a negative size": _file(size_bytes=-1),
    "an id that is a path": JOB | {"id": "../../../../tmp/0123456789abcdef01"},
    "a kind that nobody wrote": JOB | {"kind": "__import__"},
    "another schema": JOB | {"schema": "job/2"},
    "a library to load": _option("backend_path", "/tmp/evil.so"),
    "a file to write": _option("trt_engine_cache_path", "/root/.ssh"),
    "a path as a number": _option("device_id", "/dev/sda"),
    "inputs that are files there": _spec(inputs=[{"name": "x", "value": "/etc/shadow"}]),
    "an unknown setting": _spec(environment={"LD_PRELOAD": "/tmp/evil.so"}),
    "runs for a year": _spec(runs=10**15),
    "an endless minimum": _spec(seconds=float("inf")),
    "a device that is a path": _spec(devices=["/lib/evil.so"]),
    "a type that is none": _spec(threads="2; rm -rf ~"),
    "an option of a folder that is a path": JOB
    | {"kind": "folder", "folder": MODEL, "options": {"labels": "/etc/shadow"}},
    "a value of a folder that is a path": JOB
    | {"kind": "folder", "folder": MODEL, "options": {"device": "../x"}},
    "a folder without files": JOB | {"kind": "folder"},
    "no object": [["measure"]],
    "no model": JOB | {"model": []},
    "a control character": JOB | {"client": "a\x1b]0;b"},
}
