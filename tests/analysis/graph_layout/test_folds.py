"""Identities and shape arithmetic are left out of the drawing on request."""

import pytest

from inspector.analysis.graph_layout.data_flow import Flow, Fold, flow
from inspector.model.model import Layer
from tests.analysis.build import layers

BOTH = frozenset(Fold)


def flows(nodes: tuple[Layer, ...], folds: frozenset[Fold]) -> tuple[set[str], Flow]:
    """Edges as 'a>b' by operator and number, outputs as 'out', and the flow itself."""
    made = flow(nodes, ("x",), ("y",), {"w", "start"}, folds=folds)
    names = [f"{layer.operator}{layer.index}" for layer in nodes] + ["in", "out"]
    pairs = zip(made.source, made.uses, strict=True)
    return {f"{names[maker]}>{names[user]}" for maker, users in pairs for user in users}, made


def test_identities_in_a_row_are_connected_around():
    nodes = layers(
        ("Relu", "x", "a"), ("Identity", "a", "b"), ("Identity", "b", "c"),
        ("Add", "c a", "d"), ("Dropout", "d", "y"),
    )  # fmt: skip
    edges, made = flows(nodes, frozenset({Fold.IDENTITIES}))
    assert edges == {"in>Relu0", "Relu0>Add3", "Add3>out"}
    assert made.home == (0, 0, 0, 3, 3)
    plain, _ = flows(nodes, frozenset())
    assert "Identity1>Identity2" in plain


def test_an_identity_of_an_input_keeps_its_box():
    edges, made = flows(layers(("Identity", "x", "y")), BOTH)
    assert edges == {"in>Identity0", "Identity0>out"}
    assert made.home == (0,)


def test_shape_arithmetic_is_left_out_and_what_uses_it_stays():
    nodes = layers(
        ("Relu", "x", "a"), ("Shape", "a", "s"), ("Gather", "s start", "g"),
        ("Unsqueeze", "g", "u"), ("Concat", "u start", "c"), ("Reshape", "a c", "r"),
        ("Mul", "r u", "y"),
    )  # fmt: skip
    edges, made = flows(nodes, frozenset({Fold.SHAPES}))
    assert edges == {"in>Relu0", "Relu0>Reshape5", "Reshape5>Mul6", "Mul6>out"}
    assert [made.home[i] for i in (1, 2, 3, 4)] == [5, 5, 5, 5]


def test_a_shape_that_the_caller_gets_keeps_its_box():
    edges, _ = flows(layers(("Shape", "x", "y")), BOTH)
    assert edges == {"in>Shape0", "Shape0>out"}


@pytest.mark.parametrize("folds", [frozenset(), BOTH])
def test_data_that_meets_a_shape_is_never_left_out(folds):
    nodes = layers(("Shape", "x", "s"), ("Cast", "s", "f"), ("Mul", "x f", "y"))
    edges, _ = flows(nodes, folds)
    assert "in>Mul2" in edges
    assert "Mul2>out" in edges
    assert ("in>Shape0" in edges) == (not folds)


def test_a_constant_that_only_shape_arithmetic_uses_goes_with_it():
    nodes = layers(
        ("Constant", "", "k"), ("Shape", "x", "s"), ("Gather", "s k", "g"),
        ("Reshape", "x g", "y"),
    )  # fmt: skip
    edges, made = flows(nodes, BOTH)
    assert edges == {"in>Reshape3", "Reshape3>out"}
    assert made.home == (3, 3, 3, 3)
