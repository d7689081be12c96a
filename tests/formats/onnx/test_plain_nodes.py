import pytest
from onnx import NodeProto, helper

from inspector.formats.onnx.lazy_scan import is_plain
from tests.formats.build import add, ramp, weight

HOLDER = helper.make_node("Constant", [], ["c"], value=weight("", ramp(2)))
BRANCH = helper.make_node("If", ["c"], ["y"], then_branch=helper.make_graph([], "b", [], []))
UNTYPED = NodeProto.FromString(HOLDER.SerializeToString())
UNTYPED.attribute[0].ClearField("type")
PLAIN = add(name="n", alpha=1.0, perm=[1, 2])


@pytest.mark.parametrize(
    ("node", "plain"), [(HOLDER, False), (BRANCH, False), (UNTYPED, False), (PLAIN, True)]
)
def test_a_node_that_may_hold_a_tensor_is_not_plain(node, plain):
    assert is_plain(node.SerializeToString()) is plain
