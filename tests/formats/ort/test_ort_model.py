import random
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from onnx import helper

from inspector.errors import UnreadableFile
from inspector.formats.opening import open_bytes, open_model, skeleton
from inspector.formats.ort.ort_model import Buffer, Damaged, Table
from inspector.formats.source import of_bytes
from inspector.model.model import Model
from tests.formats.build import add, model, ramp, save, value, weight

# A table at byte 8 whose field 0 is a vector directly after it; its own fields lie at byte 0.
FIELD_0 = b"\x06\0\x08\0\x04\0\0\0" + b"\x08\0\0\0" + b"\x04\0\0\0"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Any]:
    onnxruntime = pytest.importorskip("onnxruntime")
    branch = helper.make_graph([add("x", "v", "y", name="inner")], "b", [], [value("y", ["n"])])
    nodes = [
        helper.make_node("Greater", ["x", "w"], ["m"], name="compare"),
        helper.make_node("ReduceMax", ["m8"], ["one"], name="any", keepdims=0),
        helper.make_node("Cast", ["m"], ["m8"], name="cast", to=6),
        helper.make_node("Cast", ["one"], ["c"], name="back", to=9),
        helper.make_node(
            "If", ["c"], ["y"], name="choose", then_branch=branch, else_branch=branch
        ),
    ]
    nodes[1], nodes[2] = nodes[2], nodes[1]
    proto = model(
        nodes,
        [weight("w", ramp(1)), weight("v", ramp(1))],
        inputs=[value("x", ["n"])],
        outputs=[value("y", ["n"])],
        producer_name="us",
    )
    proto.metadata_props.add(key="author", value="me")
    folder = tmp_path_factory.mktemp("ort")
    path = save(proto, folder / "m.onnx")
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.optimized_model_filepath = str(folder / "m.ort")
    options.add_session_config_entry("session.save_model_format", "ORT")
    onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return (folder / "m.ort").read_bytes(), proto


def test_everything_in_the_runtimes_own_format_is_read(made):
    body, proto = made
    found: Model = open_bytes(body, "m.ort")
    assert (found.format, found.producer, found.ir_version) == ("ort", "us", 8)
    assert ("author", "me") in found.metadata
    assert {o.domain: o.version for o in found.opsets}[""] == 17
    assert [(v.name, v.dtype, v.shape) for v in found.inputs] == [("x", "float32", ("n",))]
    assert [(v.name, v.dtype, v.shape) for v in found.outputs] == [("y", "float32", ("n",))]
    top = {x.name: x for x in found.layers if x.parent is None}
    assert {n.name: (n.op_type, tuple(n.input), tuple(n.output)) for n in proto.graph.node} == {
        name: (x.operator, x.inputs, x.outputs) for name, x in top.items()
    }
    assert [(a.name, a.text) for a in top["cast"].attributes if a.name == "to"] == [("to", "6")]
    inner = [x for x in found.layers if x.parent is not None]
    assert [(x.name, x.parent, x.branch) for x in inner] == [
        ("inner", top["choose"].index, name) for name in ("else_branch", "then_branch")
    ] or {x.branch for x in inner} == {"else_branch", "then_branch"}
    weights = {w.name: w for w in found.weights}
    assert {"w", "v"} <= set(weights)
    place = weights["w"].place
    stored = np.frombuffer(body[place.offset :][: place.length], np.float32)
    assert np.array_equal(stored, ramp(1))
    assert "ORT format, version" in found.findings[0].text


def test_what_needs_the_original_model_says_so(tmp_path, made):
    path = tmp_path / "m.ort"
    path.write_bytes(made[0])
    with pytest.raises(UnreadableFile) as failed:
        skeleton(path)
    assert "open the original ONNX model" in failed.value.hint


def test_a_damaged_one_opens_or_is_refused(made):
    chance = random.Random(2)
    whole = made[0]
    for _ in range(400):
        body = bytearray(whole)
        for _ in range(chance.randint(1, 5)):
            place = chance.randrange(8, len(body))
            body[place] = chance.choice((0, 1, 127, 255, chance.randrange(256)))
        with suppress(UnreadableFile):
            open_bytes(bytes(body[: chance.choice((len(body), chance.randrange(len(body))))]))


def test_tables_that_lead_in_a_circle_end(made):
    # Every offset leads back to the root table, which is then its own graph, node and text.
    root = int.from_bytes(made[0][:4], "little")
    body = bytearray(made[0])
    for place in range(8, len(body) - 4, 4):
        if place < root or place > root + 16:
            body[place : place + 4] = ((root - place) % 2**32).to_bytes(4, "little")
    with suppress(UnreadableFile):
        open_bytes(bytes(body))


def test_many_offsets_to_the_same_bytes_end():
    for each in ([0] * 100_000, [7] * 100_000):
        vector = len(each).to_bytes(4, "little") + b"".join(
            x.to_bytes(4, "little") for x in each
        )
        table = Table(Buffer(of_bytes(FIELD_0 + vector, "x"), 5000), 8)
        with pytest.raises(Damaged, match="more than 5,000 tables, strings and numbers"):
            table.texts(0)
        with pytest.raises(Damaged, match="more than 5,000 tables, strings and numbers"):
            table.numbers(0, "<I")


def test_those_of_other_people_open(shared):
    paths = sorted((shared / "odd").rglob("*.ort"))
    assert len(paths) == 3
    for path in paths:
        found = open_model(path)
        assert found.layers
        assert found.inputs
        assert found.outputs
