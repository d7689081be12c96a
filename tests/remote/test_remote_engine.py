"""An engine elsewhere does what one here does; the line is a pipe to a real agent."""

import inspect
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np
import pytest

from inspector.backends.values import Progress
from inspector.engine.client.engine import Engine
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.requests import Convert, GetTensor, Load, OpenWith, Request, RunLayer
from inspector.errors import BadInput, Cancelled, EngineDied, EngineFailed, InspectorError
from inspector.formats.opening import open_model
from inspector.preview.identity import measured_model
from inspector.remote import messages
from inspector.remote.connection import Machine
from inspector.remote.remote_engine import RemoteEngine
from inspector.report.language.generation import StopReason
from inspector.report.report import ModelIdentity
from inspector.report.run_spec import InputSource, RunSpec
from sample_models.making.decoder import DecoderSize
from tests import language_folders
from tests.engine import small_models
from tests.engine.watching import wait_for

pytestmark = pytest.mark.engine
FEEDS = {"x": np.ones((2, 4), np.float32)}
SHORT = RunSpec(runs=5, warmup=1, profiled_runs=0)


def command(folder: Path) -> list[str]:
    return [sys.executable, "-m", "inspector.remote.agent", "--folder", str(folder)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("remote")


@pytest.fixture(scope="module")
def machine(folder: Path) -> Iterator[Machine]:
    made = Machine("pi", command(folder / "agent"), give_up_seconds=20, kills=False)
    yield made
    made.close()


@pytest.fixture(scope="module")
def model(folder: Path) -> Path:
    return small_models.linear(folder / "net.onnx")


def identity(model: Path) -> ModelIdentity:
    return measured_model(model, open_model(model))


def test_a_prediction_is_the_same_as_here(machine, model):
    there = RemoteEngine(machine).predict(model, SHORT, FEEDS)
    with EngineProcess() as engine:
        here = engine.predict(model, SHORT, FEEDS)
    (one,), (other,) = there.outputs, here.outputs
    assert one.array is not None
    assert other.array is not None
    np.testing.assert_array_equal(one.array, other.array)
    assert there.prediction_ns > 0


def test_a_report_says_what_one_from_here_says(machine, model):
    steps: list[Progress] = []
    spec = replace(SHORT, inputs=(InputSource("x", "photo.png"),))
    engine = RemoteEngine(machine, steps.append)
    report = engine.measure(model, identity(model), spec, FEEDS)
    assert report.spec == spec
    assert report.model == identity(model)
    assert len(report.prediction_ns) >= 5
    assert {"load", "prediction"} <= {each.step for each in steps}
    assert max(len(each.samples_ns) for each in steps) >= 5


def test_layers_and_single_ones_run_there(machine, model):
    engine = RemoteEngine(machine)
    assert len(engine.steps(model, SHORT, FEEDS).steps) == 2
    assert len(engine.call(RunLayer(model, SHORT, FEEDS, 1)).samples_ns) == 5
    (value,) = engine.call(GetTensor(model, SHORT, FEEDS, "h", None)).outputs
    assert value.shape == (2, 3)
    assert any(device.id == "cpu" for device in engine.devices())


def test_what_fails_there_says_the_same(machine, model):
    feeds = {"x": np.ones((2, 5), np.float32)}
    with pytest.raises(InspectorError) as there:
        RemoteEngine(machine).predict(model, SHORT, feeds)
    with pytest.raises(InspectorError) as here, EngineProcess() as engine:
        engine.predict(model, SHORT, feeds)
    assert type(there.value) is type(here.value)
    assert there.value.why == here.value.why


def test_cancel_does_not_wait_for_the_measurement(machine, model):
    begun = threading.Event()
    engine = RemoteEngine(machine, lambda step: step.samples_ns and begun.set())
    ended = threading.Event()

    def measure() -> None:
        spec = RunSpec(seconds=3600, profiled_runs=0)
        with pytest.raises(Cancelled):
            engine.measure(model, identity(model), spec, FEEDS)
        ended.set()

    thread = threading.Thread(target=measure)
    thread.start()
    assert begun.wait(60)
    engine.kill()
    assert ended.wait(60)
    thread.join()
    assert RemoteEngine(machine).predict(model, SHORT, FEEDS).outputs


def test_what_ends_while_the_line_is_cut_is_fetched_later(machine, model, folder):
    """The job goes on without a line, and the same job asked for again is not run again."""
    begun = threading.Event()
    steps: list[str] = []

    def tell(step: Progress) -> None:
        steps.append(step.step)
        if step.samples_ns and not begun.is_set():
            begun.set()
            machine._line.close()

    spec = RunSpec(runs=5, seconds=0.6, profiled_runs=0)
    report = RemoteEngine(machine, tell).measure(model, identity(model), spec, FEEDS)
    assert begun.is_set()
    assert "offline" in steps
    assert "load" not in steps[steps.index("offline") :]  # it is not measured again
    assert len(report.prediction_ns) >= 5
    kept = folder / "agent" / "jobs"
    wait_for(lambda: not any(kept.iterdir()))  # the agent may still be at it
    assert list(kept.iterdir()) == []  # it has been fetched


def test_a_machine_that_is_not_there_is_named(model):
    nobody = Machine("pi", [sys.executable, "-c", "raise SystemExit('no route to host')"])
    with pytest.raises(EngineDied) as failed:
        RemoteEngine(nobody).predict(model, SHORT, FEEDS)
    assert failed.value.what == "Could not reach pi"
    assert "no route to host" in failed.value.why


def test_what_is_no_agent_is_told(model):
    shell = Machine("pi", [sys.executable, "-c", "print('Welcome to Ubuntu!')"])
    with pytest.raises(EngineDied, match="Welcome"):
        RemoteEngine(shell).predict(model, SHORT, FEEDS)


def test_words_that_are_read_after_the_program_ended_are_told(model, monkeypatch):
    """As on a busy machine: the program is over before anything is sent to it or read of it."""
    frame, skip = messages.frame, messages.skip_to_greeting

    def framed_late(message: Any) -> bytes:
        time.sleep(0.3)
        return frame(message)

    def skipped_late(stream: IO[bytes]) -> None:
        time.sleep(0.6)
        skip(stream)

    monkeypatch.setattr(messages, "frame", framed_late)
    monkeypatch.setattr(messages, "skip_to_greeting", skipped_late)
    test_what_is_no_agent_is_told(model)


def test_an_option_that_an_agent_does_not_accept(machine, model):
    from inspector.report.run_spec import ProviderOption

    spec = replace(SHORT, provider_options=(ProviderOption("backend_path", "/x.so"),))
    with pytest.raises(BadInput, match="backend_path"):
        RemoteEngine(machine).predict(model, spec, FEEDS)


def test_no_method_runs_here_by_mistake():
    """Each public method of an engine is one of another machine, or refused there."""
    own = vars(RemoteEngine)
    allowed = {"set_limits", "out_of_time", *vars(Engine)}
    for name, member in inspect.getmembers(EngineProcess):
        if not name.startswith("_") and (callable(member) or isinstance(member, property)):
            assert name in own or name in allowed, name


def test_a_request_that_no_other_machine_answers_is_refused(machine, model):
    here = [each for each in Request.__subclasses__() if not each.kind]
    assert {Load, Convert, OpenWith} <= {*here}
    for kind in here:
        with pytest.raises(BadInput, match=f"{kind.noun} is only possible on this machine"):
            RemoteEngine(machine).call(kind(*[None] * len(kind.__struct_fields__)))


def test_a_conversion_is_refused(machine, model, tmp_path):
    with pytest.raises(BadInput, match="only possible on this machine"):
        RemoteEngine(machine).convert(model, (), tmp_path)
    assert issubclass(EngineFailed, InspectorError)


def test_a_text_comes_token_by_token_and_is_stopped(machine, folder):
    size = DecoderSize(context=4096)
    model = language_folders.genai_folder(folder / "decoder", size=size) / "model.onnx"
    prompt, cpu = (72, 105), RunSpec(threads=1)
    heard: list[int] = []

    def hear(progress: Progress) -> None:
        heard.extend(token.id for token in progress.tokens)

    with EngineProcess() as here:
        expected = here.generate(model, cpu, prompt, max_tokens=20)
    there = RemoteEngine(machine, hear)
    made = there.generate(model, cpu, prompt, max_tokens=20)
    assert heard == [token.id for token in made.tokens] == [t.id for t in expected.tokens]
    assert (made.stop, made.cache) == (expected.stop, expected.cache)
    stopping = RemoteEngine(machine, lambda progress: progress.tokens and stopping.stop())
    stopped = stopping.generate(model, cpu, prompt, max_tokens=4000)
    assert 0 < len(stopped.tokens) < 4000
    assert stopped.stop is StopReason.STOPPED
    with pytest.raises(BadInput, match="only possible on this machine"):
        there.generate(model, cpu, prompt, continuation=str(model))
    with pytest.raises(BadInput, match="only possible on this machine"):
        there.generate(model, cpu, prompt, encoder=str(model))
