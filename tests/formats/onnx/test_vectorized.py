"""A graph read all at once says the same as one read node by node, whatever is in it."""

from pathlib import Path

import numpy as np
import onnx
import onnx.backend.test
import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st
from onnx import ModelProto, NodeProto, TensorProto, helper

from inspector.errors import UnreadableFile
from inspector.formats.onnx.graph import Flattened
from inspector.formats.onnx.lazy_scan import LazyScan, lazy_scan
from inspector.formats.onnx.tensors import ExternalFiles, Tensors
from inspector.formats.onnx.vectorized import long_graph
from inspector.formats.protobuf_wire import Malformed
from inspector.formats.source import of_bytes
from inspector.model.model import Layer, WeightInfo
from tests.formats.build import add, external, model, ramp, value, weight

pytestmark = pytest.mark.thorough

Read = tuple[list[Layer], list[WeightInfo], list[object]]


def flattened(found: LazyScan, at_once: bool) -> Read | None:
    long = long_graph(found, least=0) if at_once else None
    if at_once and long is None:
        return None
    proto = ModelProto.FromString(long.rest if long is not None else found.body)
    flat = Flattened(Tensors(found, ExternalFiles(None)), placed=True)
    flat.add_graph(proto.graph, long=long)
    return flat.layers, flat.weights, [*flat.values, *flat.graphs]


def same(body: bytes) -> bool:
    """Whether both ways agree; False where it cannot be read at once."""
    try:
        found = lazy_scan(of_bytes(body, "m.onnx"))
        expected = flattened(found, at_once=False)
    except (UnreadableFile, DecodeError, Malformed):
        return False
    seen = flattened(found, at_once=True)
    if seen is not None:
        assert seen == expected
    return seen is not None


def left(proto: ModelProto) -> onnx.GraphProto:
    """What has to be read one by one."""
    long = long_graph(lazy_scan(of_bytes(proto.SerializeToString(), "m.onnx")), least=0)
    return ModelProto.FromString(long.rest).graph


HOLDER = helper.make_node("Constant", [], ["c"], value=weight("v", ramp(400)))
BRANCH = helper.make_node(
    "If", ["x"], ["z"], name="if", then_branch=helper.make_graph([add(), add()], "b", [], [])
)
DESCRIBED = add(name="d")
DESCRIBED.doc_string = "what it is for" * 20
WITH_METADATA = add(name="m")
WITH_METADATA.metadata_props.add(key="a", value="b")
NOT_UTF8 = NodeProto.FromString(
    add(name="k").SerializeToString().replace(b"\x01k", b"\x01\xff")
)
TWICE = NodeProto.FromString(add(name="one").SerializeToString() + b"\x1a\x03two")
NODES = (
    add(name="/block/Add"),
    add(),
    NodeProto(),
    helper.make_node("Split", ["x"], [f"part{n}" for n in range(40)], "", axis=1),
    helper.make_node("Fused", ["", "x"], ["", "y"], "é" * 90, domain="com.example", alpha=2.0),
    helper.make_node("Old", ["x"], ["y"], domain="ai.onnx", mode="nearest", axes=[1, 2]),
    HOLDER,
    BRANCH,
    DESCRIBED,
    WITH_METADATA,
    NOT_UTF8,
    TWICE,
)
UNKNOWN = TensorProto(name="u", dims=[2], raw_data=bytes(8))
TENSORS = (
    weight("small", ramp(3)),
    weight("long", ramp(700).reshape(7, 100)),
    weight("gewöhnlich", np.zeros((3, 300), np.int8)),
    weight("scalar", np.array(1.0)),
    weight("empty", np.zeros((0, 4), np.float32)),
    helper.make_tensor("typed", TensorProto.FLOAT, [2], [1.0, 2.0]),
    helper.make_tensor("packed", TensorProto.INT4, [5], bytes(3), raw=True),
    TensorProto(name="cut", dims=[5], data_type=1, raw_data=bytes(12)),
    TensorProto(name="negative", dims=[-1], data_type=1, raw_data=bytes(4)),
    TensorProto(name="described", dims=[1], data_type=1, raw_data=bytes(4), doc_string="why"),
    external("away", [4], location="weights.bin"),
    UNKNOWN,
)


def test_plain_nodes_and_tensors_need_no_protobuf():
    graph = left(model(NODES[:6], TENSORS[:5]))
    assert (len(graph.node), len(graph.initializer)) == (1, 0)  # one has forty outputs
    assert graph.input[0].name == "x", "all else stays"


def test_odd_ones_are_left_to_it():
    graph = left(model([*NODES] * 2, TENSORS))
    assert [node.op_type for node in graph.node][:3] == ["Split", "Constant", "If"]
    names = {"typed", "cut", "negative", "described", "away", "u"}
    assert {tensor.name for tensor in graph.initializer} == names


def test_a_short_model_is_read_as_ever():
    assert long_graph(lazy_scan(of_bytes(model([add()]).SerializeToString(), "m.onnx"))) is None


def test_two_graphs_in_one_file_become_one_as_protobuf_says():
    body = model([add()]).SerializeToString()
    assert long_graph(lazy_scan(of_bytes(body + body, "m.onnx")), least=0) is None


@given(
    st.lists(st.sampled_from(NODES), max_size=20),
    st.lists(st.sampled_from(TENSORS), max_size=9),
)
def test_any_mixture_says_the_same(nodes, tensors):
    proto = model(nodes, tensors, value_info=[value("v")])
    assert same(proto.SerializeToString())


@given(st.integers(0, 3000), st.integers(0, 255), st.sampled_from([0, 3]))
def test_a_damaged_byte_makes_no_difference(place, octet, first):
    body = bytearray(model(NODES[first:], TENSORS[first:]).SerializeToString())
    body[place % len(body)] = octet
    same(bytes(body))


def test_models_that_come_with_onnx_say_the_same():
    paths = (Path(onnx.backend.test.__file__).parent / "data").rglob("*.onnx")
    assert sum(same(path.read_bytes()) for path in sorted(paths)) > 100


@pytest.mark.slow  # the test models of onnx are tried above
def test_real_and_odd_models_say_the_same(shared, samples):
    found = [p for part in ("real", "odd", "bad") for p in (shared / part).rglob("*.onnx")]
    paths = [p for p in (*samples.glob("*.onnx"), *found) if p.is_file()]
    assert sum(same(p.read_bytes()) for p in paths if p.stat().st_size < 64 << 20) > 250


@pytest.mark.parametrize("number", [0, 1, 31, 32, 33])
def test_any_number_of_inputs_is_read(number):
    names = [f"input{place}" for place in range(number)]
    assert same(model([helper.make_node("Concat", names, ["y"], axis=0)]).SerializeToString())
