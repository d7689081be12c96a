import errno
import os
import subprocess
from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from inspector.engine import protocol
from inspector.engine.client import supervision
from inspector.engine.client.supervision import engine_command
from inspector.engine.payloads import stored_request
from inspector.engine.protocol import Ask, Begin, Body, Step, Tokens
from inspector.engine.requests import Predict
from inspector.engine.worker import service
from inspector.engine.worker.service import STEP_SAMPLES, STEP_SECONDS, ProgressReporter
from inspector.report.language.generation import Alternative, GeneratedToken
from inspector.report.run_spec import RunSpec
from tests.engine import small_models


def test_a_step_tells_only_the_samples_that_are_new():
    sent = list[Step]()
    steps = ProgressReporter(sent.append)
    steps.report("prediction", 1, (10, 20))
    steps.report("prediction", 1, (10, 20, 30))
    assert [step.samples_ns for step in sent] == [(10, 20), (30,)]


def test_steps_come_no_faster_than_anyone_can_look(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(service, "monotonic", lambda: now[0])
    sent = list[Step]()
    steps = ProgressReporter(sent.append)
    for number in range(1000):
        steps.report("prediction", number / 1000, tuple(range(number)))
        now[0] += STEP_SECONDS / 10.5
    steps.report("prediction", 1, tuple(range(1000)))
    assert len(sent) == 1000 // 11 + 2, "each eleventh, the first, and the last at once"
    assert sum(len(step.samples_ns) for step in sent) == 1000


def test_a_new_step_is_told_at_once():
    sent = list[Step]()
    steps = ProgressReporter(sent.append)
    for name in ("load", "warm up", "prediction"):
        steps.report(name, -1)
    assert [step.step for step in sent] == ["load", "warm up", "prediction"]


def test_many_samples_travel_in_several_messages():
    sent = list[Step]()
    ProgressReporter(sent.append).report("prediction", 1, tuple(range(STEP_SAMPLES * 2 + 1)))
    assert [len(step.samples_ns) for step in sent] == [STEP_SAMPLES, STEP_SAMPLES, 1]


def test_the_next_job_starts_with_no_samples():
    sent = list[Step]()
    steps = ProgressReporter(sent.append)
    steps.report("prediction", 1, (10, 20))
    steps.begin()
    steps.report("prediction", 1, (30,))
    assert sent[-1].samples_ns == (30,)


@pytest.mark.engine
def _failing_allocation(kind: type[Exception], context: Exception | None) -> Callable[..., Any]:
    def work(_: object) -> Any:
        try:
            if context is not None:
                raise context
        finally:
            raise kind("error return without exception set")

    return work


@pytest.mark.parametrize(
    ("context", "room", "why"),
    [
        (None, True, "SystemError"),  # nothing says that memory was short: a bug
        (None, False, "there was not enough memory"),
        (MemoryError(), True, "there was not enough memory"),
        (OSError(errno.ENOMEM, "no memory"), True, "there was not enough memory"),
    ],
)
def test_a_failed_allocation_is_a_lack_of_memory_whatever_a_binding_raises(
    monkeypatch, context, room, why
):
    monkeypatch.setattr(service, "has_room", lambda _: room)
    worker = Mock(answer=_failing_allocation(SystemError, context), model="")
    asked = Ask("Load", Body())
    answer = service._answer(worker, asked, 2 << 30, ProgressReporter(lambda _: None))
    assert isinstance(answer, protocol.Failure)
    assert why in answer.why


def test_an_engine_that_nobody_listens_to_ends_by_itself(tmp_path):
    """What ends it on systems where a child may outlive its parent."""
    model = small_models.endless(tmp_path / "endless.onnx")
    request = Predict(model, RunSpec(), {"x": np.ones(4, np.float32)})
    begin = Begin(str(tmp_path), os.getpid(), 1 << 34, confined=False)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with (
        stored_request(tmp_path, request) as body,
        subprocess.Popen(engine_command(), bufsize=0, **pipes) as engine,
    ):
        for message in (begin, Ask("Predict", body)):
            engine.stdin.write(protocol.frame(protocol.encode(message)))
        for body in protocol.read_messages(engine.stdout.fileno()):
            said = protocol.from_engine(body)
            if isinstance(said, Step) and said.step == "prediction":
                break
        engine.stdout.close()
        assert engine.wait(timeout=60) == 0


def test_tokens_are_told_within_what_the_client_takes():
    sent: list[Tokens] = []
    reporter = service.TokenReporter(sent.append)
    others = tuple(Alternative(number, 0.1) for number in range(20))
    token = GeneratedToken(1, 0.5, 1.0, others, 7, 100, 10)
    reporter.report(token, 0.1)
    assert [len(each.tokens) for each in sent] == [1]  # the first one at once
    for _ in range(60_000):
        reporter.report(token, 0.5)
    reporter.flush()
    sizes = [len(protocol.encode(each)) for each in sent]
    assert max(sizes) < protocol.MESSAGE_BYTES
    assert sum(sizes) < supervision.BURST_BYTES
    assert sum(len(each.tokens) for each in sent) > 1_000
