"""The lines of text on a box of the graph."""

import pytest

from inspector.model.model import Attribute, Layer
from inspector.ui.graph.scene import attributes_text, leaf
from tests.analysis.build import layers

LAYER = layers(("Conv", "x", "y z"))[0]


def ints(**lists: str) -> Layer:
    """A layer with these lists of numbers as attributes."""
    kept = tuple(Attribute(name, "ints", text) for name, text in lists.items())
    return LAYER._replace(attributes=kept)


@pytest.mark.parametrize(
    ("layer", "text"),
    [
        (ints(pads="1, 1, 1, 1", kernel_shape="3, 3"), "kernel 3×3 · pad 1"),
        (ints(pads="0, 0, 1, 1"), "pad 0×0×1×1"),
        (ints(strides="2, 2", axes="0"), "stride 2×2 · axes 0"),
        (ints(strides="1, 1", dilations="1, 1", pads="0, 0"), ""),
        (ints(dilations="1, 2", strides="1, 2"), "stride 1×2 · dilation 1×2"),
        (
            ints(a="1", b="2", c="3", d="4", e="5", f="6", kernel_shape="3"),
            "kernel 3 · a 1 · b 2 · c 3 · d 4 · e 5",
        ),
        (
            LAYER._replace(attributes=(Attribute("mode", "string", "a" * 40),)),
            "mode " + "a" * 29 + "…",
        ),
    ],
)
def test_a_box_tells_the_attributes_that_say_something(layer, text):
    assert attributes_text(layer) == text


@pytest.mark.parametrize(
    ("layer", "text"),
    [
        (LAYER._replace(name="stem/conv"), "conv"),
        (LAYER, "#0 y"),
        (LAYER._replace(outputs=("", "scope/z"), index=7), "#7 z"),
        (LAYER._replace(outputs=()), "#0 Conv"),
    ],
)
def test_a_layer_without_a_name_is_called_by_its_number_and_value(layer, text):
    assert leaf(layer) == text
