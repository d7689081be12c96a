"""Models of other people: what is read agrees with onnx, and none of them does any harm."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from math import prod
from pathlib import Path
from typing import Any

import onnx
import psutil
import pytest
from onnx import AttributeProto, TensorProto, numpy_helper

from inspector.errors import UnreadableFile
from inspector.formats.onnx.skeleton import tensors
from inspector.formats.opening import open_model, skeleton
from tests.conftest import SHARED

pytestmark = pytest.mark.thorough

REAL = sorted((SHARED / "real").glob("*.onnx"))
LAYERS_OF_SILERO = 689
HANG_SECONDS = 60
QUANTIZING = {"QuantizeLinear", "DequantizeLinear"}
LEARNED = {"coefficients", "intercepts", "nodes_values", "class_weights", "target_weights"}


def all_nodes(nodes: Any) -> Iterator[Any]:
    for node in nodes:
        yield node
        for attribute in node.attribute:
            if attribute.type == AttributeProto.GRAPH:
                yield from all_nodes(attribute.g.node)


def all_graphs(graph: Any) -> Iterator[Any]:
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == AttributeProto.GRAPH:
                yield from all_graphs(attribute.g)


def shape_of(value: Any) -> tuple[Any, ...] | None:
    tensor = value.type.tensor_type
    if not value.type.HasField("tensor_type") or not tensor.HasField("shape"):
        return None
    return tuple(
        axis.dim_value if axis.HasField("dim_value") else axis.dim_param or None
        for axis in tensor.shape.dim
    )


@pytest.mark.skipif(not REAL, reason="the folder of real models is not beside this checkout")
@pytest.mark.parametrize("path", REAL, ids=lambda path: getattr(path, "stem", "none"))
def test_every_fact_agrees_with_onnx(path):
    found, proto = open_model(path), onnx.load(path)
    nodes = list(all_nodes(proto.graph.node))
    assert [(x.name, x.operator) for x in found.layers] == [(n.name, n.op_type) for n in nodes]
    assert [(x.inputs, x.outputs) for x in found.layers] == [
        (tuple(n.input), tuple(n.output)) for n in nodes
    ]
    assert [len(x.attributes) for x in found.layers] == [len(n.attribute) for n in nodes]
    beside = {  # scales and zero points
        name for n in nodes if n.op_type in QUANTIZING for name in n.input[1:]
    }
    initializers = [w for graph in all_graphs(proto.graph) for w in graph.initializer]
    counts = (TensorProto.INT64, TensorProto.UINT64, TensorProto.BOOL)  # shapes, axes, indices
    weights = [w for w in initializers if w.name not in beside and w.data_type not in counts]
    named = {w.name for w in proto.graph.initializer}
    inputs = [value for value in proto.graph.input if value.name not in named]
    for known, declared in ((found.inputs, inputs), (found.outputs, proto.graph.output)):
        assert [(v.name, v.shape) for v in known] == [(v.name, shape_of(v)) for v in declared]
    if not initializers:  # then those of Constant nodes are meant
        held = [a.t for n in nodes if n.op_type == "Constant" for a in n.attribute]
        kinds = (TensorProto.FLOAT, TensorProto.FLOAT16)
        weights = [t for t in held if t.data_type in kinds and prod(t.dims) > 1]
    learned = (  # of trees and linear models, which keep their numbers in lists
        attribute.floats
        for node in proto.graph.node
        if node.domain == "ai.onnx.ml"
        for attribute in node.attribute
        if attribute.name in LEARNED
    )
    stored = sum(numpy_helper.to_array(w).size for w in weights)
    assert found.parameters == stored + sum(map(len, learned))
    assert {o.domain: o.version for o in found.opsets} == {
        o.domain.replace("ai.onnx", "") if o.domain == "ai.onnx" else o.domain: o.version
        for o in proto.opset_import
    }
    assert found.ir_version == proto.ir_version
    assert (found.producer, found.producer_version) == (
        proto.producer_name,
        proto.producer_version,
    )
    assert found.metadata == tuple((e.key, e.value) for e in proto.metadata_props)
    assert found.size_bytes == path.stat().st_size
    assert len(found.values) >= len(proto.graph.value_info)


@pytest.mark.skipif(not REAL, reason="the folder of real models is not beside this checkout")
@pytest.mark.parametrize("path", REAL, ids=lambda path: getattr(path, "stem", "none"))
def test_the_bytes_of_every_weight_are_where_the_reader_says(path):
    body, proto = path.read_bytes(), onnx.load(path)
    stored = Counter(
        tensor.raw_data for tensor in tensors(proto) if tensor.HasField("raw_data")
    )
    found = Counter[bytes]()
    for weight in open_model(path).weights:
        assert not weight.problem
        if weight.place.field == "raw_data":
            found[body[weight.place.offset :][: weight.place.length]] += 1
    assert found == stored


@pytest.mark.skipif(not REAL, reason="the folder of real models is not beside this checkout")
@pytest.mark.parametrize("path", REAL, ids=lambda path: getattr(path, "stem", "none"))
def test_a_skeleton_filled_again_is_the_model(path):
    proto, whole = skeleton(path), onnx.load(path)
    assert len(proto.SerializeToString()) < path.stat().st_size + 1000
    for tensor, original in zip(tensors(proto), tensors(whole), strict=True):
        if tensor.data_location == TensorProto.EXTERNAL:
            onnx.external_data_helper.load_external_data_for_tensor(tensor, str(path.parent))
            tensor.ClearField("data_location")
            del tensor.external_data[:]
        if not original.HasField("raw_data") and tensor.HasField("raw_data"):
            assert (numpy_helper.to_array(tensor) == numpy_helper.to_array(original)).all()
            tensor.CopyFrom(original)
    assert proto == whole


def test_all_nodes_of_branches_are_layers(shared):
    found = open_model(shared / "real" / "silero_vad_op16_if.onnx")
    assert len(found.layers) == LAYERS_OF_SILERO
    parents = {layer.parent for layer in found.layers if layer.parent is not None}
    assert {found.layers[index].operator for index in parents} == {"If"}


def told_of(path: Path) -> str:
    try:
        opened = open_model(path)
        return str(opened) if opened.details is not None else f"{opened} {skeleton(path)}"
    except UnreadableFile as error:
        return "" if not error.hint else str(error)


@pytest.mark.parametrize(("folder", "number"), [("odd", 604), ("bad", 108), ("other", 46)])
def test_every_odd_or_hostile_file_opens_or_is_refused(shared, folder, number):
    paths = [path for path in sorted((shared / folder).rglob("*")) if path.is_file()]
    assert len(paths) == number
    before = psutil.Process().memory_info().rss
    for path in paths:
        started = time.monotonic()
        told = told_of(path)
        assert path.name in told or ".mlpackage" in told  # the package, not a file in it
        assert "CANARY-OUTSIDE" not in told
        assert time.monotonic() - started < HANG_SECONDS
    assert psutil.Process().memory_info().rss - before < 100 << 20


def test_what_is_no_model_does_not_open_as_an_empty_one(shared):
    others = [*(shared / "bad" / "made" / "notmodel").iterdir()]
    others += (shared / "other" / "pytorch").iterdir()
    for path in others:
        with pytest.raises(UnreadableFile):
            open_model(path)


def test_what_onnx_can_load_of_the_odd_models_opens_with_the_same_nodes(shared):
    compared = 0
    for path in sorted((shared / "odd").rglob("*.onnx")):
        found = None
        with suppress(UnreadableFile):
            found = open_model(path)
        assert found is not None, path
        proto = onnx.load(path, load_external_data=False)
        assert len(found.layers) == len(list(all_nodes(proto.graph.node)))
        assert len(found.functions) == len(proto.functions)
        assert [v.name for v in found.outputs] == [v.name for v in proto.graph.output]
        known = {w.name for w in found.weights}
        assert {w.name for w in proto.graph.initializer} <= known
        compared += 1
    assert compared > 250
