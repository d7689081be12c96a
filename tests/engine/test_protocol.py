import pytest

from inspector.backends.array_files import StoredArray
from inspector.backends.values import Plugin
from inspector.engine import protocol
from inspector.engine.protocol import (
    Begin,
    DevicesJob,
    Failure,
    LoadJob,
    MalformedMessage,
    MeasureJob,
    PredictJob,
    Ready,
    Step,
)
from inspector.report.report import ModelIdentity
from inspector.report.run_spec import Dimension, InputSource, RunSpec

SPEC = RunSpec(
    ("webgpu:0", "cpu"),
    threads=2,
    dimensions=(Dimension("batch", 3),),
    inputs=(InputSource("x", "random:7"),),
)
FEED = StoredArray("x", "bfloat16", (1, 3), "feed-0.bin")
IDENTITY = ModelIdentity("net.onnx", "ab" * 32, 1, 2, 3, "17")


@pytest.mark.parametrize(
    "message",
    [
        Begin("/tmp/inspector-1-x", 42, 1 << 30, True, ("/models",)),
        LoadJob("/models/nät\n.onnx", SPEC),
        PredictJob("/models/net.onnx", SPEC, (FEED,)),
        MeasureJob("/models/net.onnx", IDENTITY, SPEC, ()),
        DevicesJob(Plugin("webgpu", "onnxruntime_ep_webgpu", "onnxruntime-ep-webgpu 0.4")),
        DevicesJob(),
    ],
    ids=lambda message: type(message).__name__,
)
def test_what_an_engine_is_told_arrives_as_it_was_meant(message):
    assert protocol.to_engine(protocol.encode(message)) == message


@pytest.mark.parametrize(
    "message",
    [Ready("full"), Step("load", -1, (1, 2)), Failure("BadInput", "a", "b", "c", "load")],
    ids=lambda message: type(message).__name__,
)
def test_what_an_engine_says_arrives_as_it_was_meant(message):
    assert protocol.from_engine(protocol.encode(message)) == message


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b'{"type":"LoadJob","model":"x","spec":{}}',
        b'{"type":"Step","step":1,"done":0}',
        b'{"type":"Step","step":"x","done":NaN}',
        b'{"type":"Ready","confinement":"' + b"\xff" + b'"}',
        b'{"type":"Ready","x":' + b"[" * 50_000,
    ],
)
def test_anything_else_is_garbled(body):
    with pytest.raises(MalformedMessage):
        protocol.from_engine(body)
