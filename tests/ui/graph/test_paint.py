"""Words on the lines of a graph."""

from types import SimpleNamespace
from typing import Any

import pytest

from inspector.analysis.graph_layout.drawing import Stub
from inspector.model.model import TensorInfo
from inspector.ui.graph.paint import edge_text, runs, stub_words

SCENE: Any = SimpleNamespace(
    drawing=SimpleNamespace(names=["x", "y", "unknown"]),
    values={
        "x": TensorInfo("x", "tensor", "float32", (1, 3, 8, 8)),
        "y": TensorInfo("y", "tensor", "float16", None),
    },
)


@pytest.mark.parametrize(
    ("tensor", "with_type", "text"),
    [
        (0, False, "1×3×8×8"),
        (0, True, "1×3×8×8  float32"),
        (1, False, ""),
        (1, True, "float16"),
        (2, False, ""),
        (2, True, ""),
    ],
)
def test_a_line_tells_shape_and_type_as_far_as_they_are_known(tensor, with_type, text):
    assert edge_text(SCENE, tensor, with_type) == text


def stub(x: float, y: float = 0.0, made: bool = False, users: int = 1, more: int = 0) -> Stub:
    return Stub(x, y, f"scope/v{x:.0f}", made, users, 0, more)


def test_values_that_end_close_beside_each_other_share_a_name():
    close = (stub(30), stub(0), stub(60))
    far, lower, made = stub(200), stub(30, 50), stub(30, made=True)
    found = [*runs((*close, far, lower, made))]
    assert found == [(stub(0), stub(30), stub(60)), (far,), (made,), (lower,)]
    assert [*runs(())] == []


def test_a_shared_name_says_how_many_there_are():
    assert stub_words((stub(0),)) == "v0"
    assert stub_words((stub(0), stub(30, more=2))) == "v0 and 3 more"
    assert stub_words((stub(0, made=True, users=4),)) == "v0 ×4"
