from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from inspector.app.subjects import subjects
from inspector.backends.values import Plugin
from inspector.conversion.action import Effect
from inspector.conversion.action import Step as RecipeStep
from inspector.engine import protocol
from inspector.engine.payloads import (
    UnreadableAnswer,
    fetched_answer,
    fetched_request,
    stored_answer,
    stored_request,
)
from inspector.engine.protocol import (
    Answered,
    Ask,
    Begin,
    Body,
    Failure,
    Go,
    MalformedMessage,
    Ready,
    Step,
)
from inspector.engine.requests import ListDevices, ListEffects, Load, Measure, Predict
from inspector.errors import EngineFailed
from inspector.preview.runs.steps import Steps
from inspector.report.report import ModelIdentity
from inspector.report.run_spec import Dimension, InputSource, RunSpec
from inspector.wording.values import Count, Sentence
from tests.disks import full_disk

SPEC = RunSpec(
    ("webgpu:0", "cpu"),
    threads=2,
    dimensions=(Dimension("batch", 3),),
    inputs=(InputSource("x", "random:7"),),
)
IDENTITY = ModelIdentity("net.onnx", "ab" * 32, 1, 2, 3, "17")


@pytest.mark.parametrize(
    "message",
    [
        Begin("/tmp/inspector-1-x", 42, 1 << 30, True, ("/models",)),
        Go(3),
        Ask("Load", Body(msgspec.Raw(b'{"model":"n\\n"}'))),
    ],
    ids=lambda message: type(message).__name__,
)
def test_what_an_engine_is_told_arrives_as_it_was_meant(message):
    assert protocol.to_engine(protocol.encode(message)) == message


@pytest.mark.parametrize(
    "message",
    [
        Ready("full"),
        Step("load", -1, (1, 2)),
        Failure("BadInput", "a", "b", "c", "load"),
        Answered(Body(file="answer.json")),
    ],
    ids=lambda message: type(message).__name__,
)
def test_what_an_engine_says_arrives_as_it_was_meant(message):
    assert protocol.from_engine(protocol.encode(message)) == message


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b'{"type":"Ask","request":"Load","body":{}}',
        b'{"type":"Step","step":1,"done":0}',
        b'{"type":"Step","step":"x","done":NaN}',
        b'{"type":"Ready","confinement":"' + b"\xff" + b'"}',
        b'{"type":"Ready","x":' + b"[" * 50_000,
    ],
)
def test_anything_else_is_garbled(body):
    with pytest.raises(MalformedMessage):
        protocol.from_engine(body)


@pytest.mark.parametrize(
    "request_",
    [
        Load(Path("/models/nät\n.onnx"), SPEC),
        Measure(Path("/models/net.onnx"), IDENTITY, SPEC, {}),
        ListDevices(Plugin("webgpu", "onnxruntime_ep_webgpu", "onnxruntime-ep-webgpu 0.4")),
        ListDevices(),
    ],
    ids=lambda request: type(request).__name__,
)
def test_a_request_arrives_as_it_was_meant(tmp_path, request_):
    with stored_request(tmp_path, request_) as body:
        assert fetched_request(tmp_path, type(request_), body) == request_


def test_feeds_and_frames_arrive_as_they_were_meant(tmp_path):
    x, frames = np.ones((2, 3), np.float32), np.zeros((4, 1), np.int64)
    steps = Steps({"f": frames}, {"s": "t"})
    asked = Predict(Path("m.onnx"), SPEC, {"x": x, "y": (x, x[:1])}, steps=steps)
    with stored_request(tmp_path, asked) as body:
        got = fetched_request(tmp_path, Predict, body)
    assert isinstance(got, Predict)
    assert got.steps is not None
    np.testing.assert_array_equal(got.feeds["x"], x)
    assert [part.shape for part in got.feeds["y"]] == [(2, 3), (1, 3)]
    np.testing.assert_array_equal(got.steps.frames["f"], frames)
    assert got.steps.states == {"s": "t"}
    assert list(tmp_path.iterdir()) == []


def test_sentences_of_an_answer_stay_sentences(tmp_path):
    effects = (Effect(nothing=Sentence("{count} failed", Count(3, "layer"))),)
    found = fetched_answer(tmp_path, ListEffects, stored_answer(tmp_path, effects))
    assert found == effects
    assert isinstance(found[0].nothing, Sentence)


def test_a_long_request_on_a_full_disk_says_what_did_not_happen(tmp_path):
    effects = tuple(RecipeStep("float16", (("layers", "x" * 70_000),)) for _ in range(2))
    asked = ListEffects(Path("net.onnx"), effects, ())
    with (
        full_disk(),
        pytest.raises(EngineFailed, match="Could not check actions for net"),
        stored_request(tmp_path, asked),
    ):
        pass


@pytest.mark.parametrize(
    "body", [Body(file="../report.json"), Body(file="gone.json"), Body(msgspec.Raw(b"[1]"))]
)
def test_an_answer_that_is_none_is_unreadable(tmp_path, body):
    with pytest.raises(UnreadableAnswer):
        fetched_answer(tmp_path, ListEffects, body)
    with pytest.raises(UnreadableAnswer):
        fetched_answer(tmp_path, Predict, body)
    with pytest.raises(UnreadableAnswer):
        fetched_answer(tmp_path, Measure, body)


@pytest.mark.parametrize("name", ["digits_float32.onnx", "language_bert.onnx"])
def test_what_a_model_is_stays_a_sentence(name, samples, tmp_path):
    (subject,) = subjects([samples / name])
    assert isinstance(subject.identity.description, Sentence)
    spec = replace(RunSpec(), runs=3)
    request = Measure(subject.path, subject.identity, spec, {})
    with stored_request(tmp_path, request) as body:
        again = fetched_request(tmp_path, Measure, body)
    assert again.identity == subject.identity
    assert isinstance(again.identity.description, Sentence)
    assert again.spec == spec
