"""Scopes come from names, from the exporter's metadata and from values."""

import pytest

from inspector.analysis.graph_layout.data_flow import flow
from inspector.analysis.graph_layout.frames import scope, tree
from inspector.model.model import Layer


def layer(name: str, output: str = "y", **more: object) -> Layer:
    return Layer(0, name, "Relu", "", ("x",), (output,), **more)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("/block.1/attn/qkv", "block.1/attn"),
        ("blocks.0/add", "blocks.0"),
        ("layers.0.attn.q", "layers.0/attn"),
        ("Conv_12", ""),
        ("", ""),
    ],
)
def test_a_name_is_parted_at_slashes_or_dots(name, found):
    assert scope(layer(name)) == found


def test_the_exporters_metadata_tells_scopes_that_names_do_not():
    words = "['', 'layers.0', 'layers.0.attn', 'matmul']"
    metadata = (("pkg.torch.onnx.name_scopes", words),)
    assert scope(layer("node_MatMul_3", metadata=metadata)) == "layers.0/attn"


def test_a_layer_without_a_name_lies_where_its_output_does():
    assert scope(layer("", "fire2/squeeze1x1_1")) == "fire2"


def titles(*names: str) -> list[str]:
    made = tuple(
        Layer(i, name, "Relu", "", (f"v{i}",), (f"v{i + 1}",)) for i, name in enumerate(names)
    )
    return [group.title for group in tree(flow(made, ("v0",), (), ())).groups[1:]]


def test_a_scope_of_one_layer_is_no_frame():
    assert titles("a/x", "b/x", "b/y") == ["b"]


def test_scopes_that_hold_only_one_scope_are_told_in_one_title():
    assert titles("first", "a/b/x", "a/b/y") == ["a/b"]


def test_a_scope_that_holds_everything_is_no_frame():
    assert titles("m/a/x", "m/a/y", "m/b/x", "m/b/y") == ["a", "b"]
