"""A new job is one entry in `protocol.JOBS`, beside its two messages and its handler."""

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module

import pytest

from inspector.backends.values import Progress
from inspector.engine import protocol
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from tests.engine.toy_job import COMMAND, COUNT, CountDone, CountJob

WHAT = "Could not count in model.bin"


@pytest.fixture
def _registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(protocol, "JOBS", dict(protocol.JOBS))
    protocol.register(COUNT)
    yield
    monkeypatch.undo()
    protocol._answers.cache_clear()
    protocol._requests.cache_clear()


@pytest.mark.engine
@pytest.mark.usefixtures("_registered")
def test_a_new_job_runs_in_an_engine_process(tmp_path):
    model, steps = tmp_path / "model.bin", list[Progress]()
    model.write_bytes(b"abcab")
    with EngineProcess(steps.append, command=COMMAND) as engine:
        done = engine.run(CountJob(str(model), ord("a")), CountDone, model, WHAT)
        assert done.count == 2
        assert steps[-1].step == "count"
        with pytest.raises(BadInput, match="300 is not a byte"):
            engine.run(CountJob(str(model), 300), CountDone, model, WHAT)


def test_a_job_that_is_not_registered_is_no_message():
    body = protocol.encode(CountJob("model.bin", 1))
    with pytest.raises(ValueError, match="CountJob"):
        protocol.to_engine(body)


@pytest.mark.parametrize("job", protocol.JOBS.values(), ids=protocol.JOBS)
def test_every_job_has_its_handler(job):
    module, _, name = job.handler.partition(":")
    handler = getattr(import_module(module), name)
    assert handler.__annotations__["job"] is job.request
    assert handler.__annotations__["return"] is job.answer


def test_the_client_loads_no_runtime():
    script = (
        "import sys, inspector.engine.client.engine_process, inspector.engine.worker.jobs\n"
        "print(sorted({'onnxruntime', 'openvino'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stdout.strip() == "[]", run.stderr
