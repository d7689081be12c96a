"""A new request is a class and a handler, one file; nothing else of Inspector knows it."""

import subprocess
import sys
from inspect import signature

import pytest

from inspector.backends.values import Progress
from inspector.engine.client import engine_process
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.payloads import fetched_request, stored_request
from inspector.engine.requests import Request, answered_elsewhere
from inspector.engine.worker.handlers import HANDLERS
from inspector.errors import BadInput
from tests.engine.toy_job import COMMAND, CountBytes

OURS = [each for each in Request.__subclasses__() if each.__module__.startswith("inspector.")]


@pytest.mark.engine
def test_a_new_request_runs_in_an_engine_process(tmp_path):
    model, steps = tmp_path / "model.onnx", list[Progress]()
    model.write_bytes(b"abcab")
    with EngineProcess(steps.append, command=COMMAND) as engine:
        assert engine.call(CountBytes(model, tuple(b"ax"))) == {"a": 2, "x": 0}
        assert steps[-1].step == "count"
        with pytest.raises(BadInput, match="300 is not a byte") as caught:
            engine.call(CountBytes(model, (300,)))
    assert caught.value.what == "Could not count in model.onnx"


@pytest.mark.engine
def test_a_request_and_an_answer_may_be_long(tmp_path):
    model = tmp_path / "model.onnx"
    model.write_bytes(b"abcab")
    many = (ord("a"),) * 100_000
    with EngineProcess(command=COMMAND) as engine:
        assert engine.call(CountBytes(model, many)) == {"a": 2}


@pytest.mark.engine
def test_a_request_that_a_process_does_not_know_is_refused(tmp_path):
    model = tmp_path / "model.onnx"
    model.write_bytes(b"abcab")
    with EngineProcess() as engine, pytest.raises(Exception, match="CountBytes"):
        engine.call(CountBytes(model, (1,)))


def test_a_request_arrives_as_it_was_meant(tmp_path):
    request = CountBytes(tmp_path / "a.onnx", (1, 2))
    with stored_request(tmp_path, request) as body:
        assert fetched_request(tmp_path, CountBytes, body) == request


@pytest.mark.parametrize("kind", OURS, ids=lambda kind: kind.__name__)
def test_every_request_has_its_handler(kind):
    assert kind in HANDLERS or kind in engine_process._PROCEDURES
    if kind in HANDLERS:
        assert list(signature(HANDLERS[kind]).parameters) == ["worker", "request"]
        assert HANDLERS[kind].__annotations__["request"] is kind


def test_no_two_requests_have_one_name_or_kind():
    names = [each.__name__ for each in OURS]
    kinds = [each.kind for each in OURS if each.kind]
    assert len(set(names)) == len(names)
    assert len(set(kinds)) == len(kinds)
    assert {*kinds} <= {*answered_elsewhere()}


def test_the_client_loads_no_runtime():
    script = (
        "import sys, inspector.engine.client.engine_process, inspector.engine.worker.handlers\n"
        "print(sorted({'onnxruntime', 'openvino'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stdout.strip() == "[]", run.stderr
