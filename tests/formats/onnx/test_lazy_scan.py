import random
from contextlib import suppress
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import ModelProto, NodeProto, TensorProto, helper

from inspector.errors import UnreadableFile
from inspector.formats.onnx.lazy_scan import (
    INLINE_BYTES,
    MAX_DEPTH,
    MAX_PARTS,
    RAW,
    SHORT_BYTES,
    LazyScan,
    Payload,
    PlainNodes,
    is_plain,
    lazy_scan,
    most_messages,
)
from inspector.formats.opening import open_model
from inspector.formats.protobuf_wire import PADDING, WINDOW_BYTES, Window, framed
from inspector.formats.source import of_bytes, open_source
from tests.formats.build import add, model, ramp, save, weight


def skimmed(path: Path) -> tuple[LazyScan, ModelProto]:
    with open_source(path) as source:
        found = lazy_scan(source)
    return found, ModelProto.FromString(found.body)


def marked(tensor: TensorProto, found: LazyScan) -> tuple[Payload, ...]:
    indices = [int(entry.value) for entry in tensor.external_data if entry.key == found.mark]
    return found.payloads[indices[0]] if indices else ()


def test_a_big_payload_stays_in_the_file_and_its_place_is_noted(tmp_path):
    array = ramp(5000)
    path = save(model([add()], [weight("w", array)]), tmp_path / "m.onnx")
    found, proto = skimmed(path)
    (payload,) = marked(proto.graph.initializer[0], found)
    assert len(found.body) < 300
    assert not proto.graph.initializer[0].HasField("raw_data")
    assert payload.field == RAW
    body = path.read_bytes()[payload.offset : payload.offset + payload.length]
    assert np.array_equal(np.frombuffer(body, np.float32), array)


def test_a_small_payload_is_kept_and_its_place_is_noted(tmp_path):
    path = save(model([add()], [weight("w", ramp(4))]), tmp_path / "m.onnx")
    found, proto = skimmed(path)
    (payload,) = marked(proto.graph.initializer[0], found)
    assert proto.graph.initializer[0].raw_data == ramp(4).tobytes()
    assert path.read_bytes()[payload.offset :][: payload.length] == ramp(4).tobytes()


def test_all_but_payloads_is_kept_as_it_was(tmp_path):
    branch = helper.make_graph([add("x", "v", "y")], "b", [], [], [weight("v", ramp(900))])
    nodes = [
        helper.make_node("Constant", [], ["c"], value=weight("k", ramp(3000))),
        helper.make_node("If", ["c"], ["y"], then_branch=branch, else_branch=branch),
    ]
    proto = model(nodes, [weight("w", ramp(700))], doc_string="what it is", producer_name="us")
    found, kept = skimmed(save(proto, tmp_path / "m.onnx"))
    assert len(found.payloads) == 4
    tensors = [proto.graph.initializer[0], proto.graph.node[0].attribute[0].t]
    tensors += [a.g.initializer[0] for a in proto.graph.node[1].attribute]
    for tensor in tensors:
        tensor.ClearField("raw_data")
    left = [kept.graph.initializer[0], kept.graph.node[0].attribute[0].t]
    left += [a.g.initializer[0] for a in kept.graph.node[1].attribute]
    for tensor in left:
        assert marked(tensor, found)
        tensor.ClearField("external_data")
    assert kept == proto


def test_a_file_cannot_forge_the_note_of_a_place(tmp_path):
    tensor = weight("w", ramp(4))
    tensor.external_data.add(key="000000000000", value="7")
    path = save(model([add()], [tensor]), tmp_path / "m.onnx")
    first, second = skimmed(path)[0], skimmed(path)[0]
    assert first.mark != second.mark
    assert open_model(path).weights[0].place is not None


def test_of_a_field_written_twice_all_records_are_noted(tmp_path):
    numbers = framed(7, b"\x01" * 2000) + framed(8, b"w") + framed(7, b"\x02" * 10)
    tensor = b"\x08\xda\x0f\x10\x07" + numbers
    path = tmp_path / "m.onnx"
    path.write_bytes(b"\x08\x08" + framed(7, framed(5, tensor)))
    found, proto = skimmed(path)
    (payload,) = marked(proto.graph.initializer[0], found)
    assert payload.records == 2
    assert path.read_bytes()[payload.offset :][: payload.length] == numbers


def test_what_is_nested_deeper_than_the_limit_is_refused(tmp_path):
    graph = b""
    for _ in range(MAX_DEPTH // 3 + 1):  # graph, node, attribute
        graph = framed(1, framed(5, framed(1, b"body") + framed(6, graph) + b"\xa0\x01\x05"))
    path = tmp_path / "m.onnx"
    path.write_bytes(b"\x08\x08" + framed(7, graph))
    with pytest.raises(UnreadableFile, match="nested deeper than 100"):
        open_model(path)


def test_depth_in_types_is_protobufs_to_refuse(tmp_path):
    kind = b"\x0a\x02\x08\x01"
    for _ in range(150):
        kind = framed(4, framed(1, kind))
    path = tmp_path / "m.onnx"
    path.write_bytes(b"\x08\x08" + framed(7, framed(11, framed(1, b"x") + framed(2, kind))))
    with pytest.raises(UnreadableFile, match="not an ONNX model, or it is damaged"):
        open_model(path)


HOSTILE = {
    "initializers": framed(5, framed(8, b"")),
    "attributes in short nodes": framed(1, framed(5, b"") * 500),
    "entries in short nodes": framed(1, framed(9, b"") * 500),
    "axes": framed(13, framed(2, framed(1, framed(2, framed(1, b"") * 5000)))),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_more_fields_than_the_limit_are_refused(tmp_path, monkeypatch, kind):
    monkeypatch.setattr("inspector.formats.onnx.lazy_scan.MAX_FIELDS", 20_000)
    part = HOSTILE[kind]
    path = tmp_path / "m.onnx"
    path.write_bytes(b"\x08\x08" + framed(7, part * (1 + 400_000 // len(part))))
    with pytest.raises(UnreadableFile, match="more than 20,000 fields"):
        open_model(path)


def test_more_nodes_than_the_limit_are_refused(tmp_path):
    path = tmp_path / "m.onnx"
    path.write_bytes(b"\x08\x08" + framed(7, framed(1, b"") * (MAX_PARTS + 1)))
    with pytest.raises(UnreadableFile, match="more than 1,000,000 nodes"):
        open_model(path)


def test_more_text_than_the_limit_is_refused_without_reading_it(tmp_path):
    path = tmp_path / "m.onnx"
    # A graph, then a doc_string of 1 GiB of zeros.
    head = b"\x08\x08" + framed(7, b"") + b"\x32" + b"\x80\x80\x80\x80\x04"
    with path.open("wb") as file:
        file.write(head)
        file.truncate(len(head) + (1 << 30))
    with pytest.raises(UnreadableFile, match="more than 64 MiB"):
        open_model(path)


def test_a_model_of_more_than_the_window_opens_the_same_way(tmp_path):
    weights = [weight(f"w{n}", ramp(300 + 40 * n)) for n in range(60)]
    weights.append(weight("w", np.zeros(9 << 18, np.float32)))
    path = save(model([add(name=f"n{n}") for n in range(1000)], weights), tmp_path / "m.onnx")
    assert path.stat().st_size > 8 << 20
    found, proto = skimmed(path)
    whole = onnx.load(path)
    body = path.read_bytes()
    for tensor, kept in zip(whole.graph.initializer, proto.graph.initializer, strict=True):
        (payload,) = marked(kept, found)
        assert body[payload.offset :][: payload.length] == tensor.raw_data
    assert [n.name for n in proto.graph.node] == [n.name for n in whole.graph.node]
    assert len(found.body) < 1000 * 60 + 60 * (INLINE_BYTES + 100)


def opens_or_is_refused(body: bytes, folder: Path) -> None:
    path = folder / "any.onnx"
    path.write_bytes(body)
    with suppress(UnreadableFile):
        open_model(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("any")


@given(body=st.binary(max_size=400))
def test_any_bytes_open_or_are_refused(folder, body):
    opens_or_is_refused(body, folder)


messages = st.recursive(
    st.binary(max_size=12),
    lambda inner: st.lists(
        st.tuples(st.integers(1, 26), inner).map(lambda pair: framed(*pair)), max_size=6
    ).map(b"".join),
    max_leaves=25,
)


@given(graph=messages, more=messages)
def test_any_well_formed_messages_open_or_are_refused(folder, graph, more):
    opens_or_is_refused(b"\x08\x08" + framed(7, graph) + framed(25, more), folder)


def test_a_damaged_model_opens_or_is_refused(tmp_path):
    branch = helper.make_graph([add("x", "v", "y")], "b", [], [], [weight("v", ramp(9))])
    nodes = [
        helper.make_node("Constant", [], ["c"], value=weight("k", ramp(5))),
        helper.make_node("If", ["c"], ["y"], then_branch=branch, else_branch=branch),
    ]
    whole = model(nodes, [weight("w", ramp(700))]).SerializeToString()
    chance = random.Random(1)
    for _ in range(600):
        body = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            body[chance.randrange(min(len(body), 900))] = chance.randrange(256)
        opens_or_is_refused(
            bytes(body[: chance.choice((len(body), chance.randrange(9999)))]), tmp_path
        )


PLAIN = add(name="n", alpha=1.0, perm=[1, 2])
HOLDER = helper.make_node("Constant", [], ["c"], value=weight("", ramp(2)))
BRANCH = helper.make_node("If", ["c"], ["y"], then_branch=helper.make_graph([], "b", [], []))
UNTYPED = NodeProto.FromString(HOLDER.SerializeToString())
UNTYPED.attribute[0].ClearField("type")
LONG = add(name="n" * 2000)
KINDS = (PLAIN, add(name="é" * 100), add(), HOLDER, BRANCH, UNTYPED, LONG)


def passed(body: bytes, at: int = 0) -> tuple[int, int]:
    return PlainNodes(body + PADDING, len(body)).pass_over(at)[:2]


def record(node: NodeProto) -> bytes:
    return framed(1, node.SerializeToString())


@pytest.mark.parametrize("node", [HOLDER, BRANCH, UNTYPED])
def test_a_node_that_may_hold_a_tensor_is_not_plain(node):
    assert not is_plain(node.SerializeToString())
    assert passed(record(PLAIN) * 2 + record(node) + record(PLAIN))[0] <= 2 * len(record(PLAIN))


def test_a_run_of_plain_nodes_is_passed_over_at_once():
    body = record(PLAIN) * 9
    assert passed(body) == (len(body), 9)
    assert passed(body + framed(5, b"x")) == (len(body), 9)


def test_a_long_node_ends_the_run():
    assert len(LONG.SerializeToString()) > SHORT_BYTES
    assert passed(record(PLAIN) + record(LONG)) == (len(record(PLAIN)), 1)


def test_a_node_that_is_cut_off_is_not_passed_over():
    body = record(PLAIN)
    assert passed(body + body[:-1]) == (len(body), 1)
    assert passed(b"\x0a") == (0, 0)


@given(st.lists(st.integers(0, len(KINDS) - 1), max_size=30))
def test_what_is_passed_over_is_plain_and_all_else_is_looked_at(chosen):
    nodes = [KINDS[number] for number in chosen]
    records = [record(node) for node in nodes]
    body = b"".join(records)
    run = PlainNodes(body + PADDING, len(body))
    at = seen = 0
    while at < len(body):
        at, number, _ = run.pass_over(at)
        for node in nodes[seen : seen + number]:
            assert is_plain(node.SerializeToString())
        seen += number
        if at < len(body):  # somebody else looks at one, then the next run begins
            at, seen = at + len(records[seen]), seen + 1
    assert (at, seen) == (len(body), len(nodes))


def test_a_run_longer_than_the_window_is_passed_over_piece_by_piece():
    body = record(PLAIN) * 9000 + record(HOLDER) + record(PLAIN) * 9000
    run = PlainNodes(Window(of_bytes(body, "x")), len(body))
    assert len(body) > 5 * WINDOW_BYTES
    at = seen = steps = 0
    while at < len(body):
        stop, number, messages = run.pass_over(at)
        assert messages >= number
        at, seen, steps = stop, seen + number, steps + 1
        if not number:  # the holder, or a node that lies across two windows
            at += len(record(HOLDER if seen == 9000 else PLAIN))
            seen += 1
    assert (at, seen) == (len(body), 18_001)
    assert steps < 50


def test_a_node_has_no_more_messages_than_are_told():
    node = helper.make_node("Any", ["x"], ["y"], "n", **{f"a{n}": n for n in range(50)})
    for key in range(9):
        node.metadata_props.add(key=str(key), value="v")
    body = node.SerializeToString()
    assert most_messages(body, 0, len(body)) >= 59
    assert np.all([most_messages(body, at, at) == 0 for at in (0, len(body))])
