import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import NodeProto, helper

from inspector.formats.onnx.lazy_scan import SHORT_BYTES, PlainNodes, is_plain, most_messages
from inspector.formats.protobuf_wire import PADDING, WINDOW_BYTES, Window, framed
from inspector.formats.source import of_bytes
from tests.formats.build import add, ramp, weight

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
