"""Words on the lines of a graph."""

from types import SimpleNamespace
from typing import Any

import pytest

from inspector.model.model import TensorInfo
from inspector.ui.graph.paint import edge_text

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
