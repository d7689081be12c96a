from dataclasses import replace

import pytest

from inspector.analysis.cost.model_cost import cost
from inspector.analysis.cost.scopes import Scope, path, scopes
from inspector.analysis.facts.shapes import Body, Shapes, with_shapes
from inspector.model.model import Layer, Model, TensorInfo, WeightInfo
from tests.analysis.build import model


def layer(name: str, **metadata: str) -> Layer:
    named = {key.replace("__", "."): text for key, text in metadata.items()}
    return Layer(0, name, "Conv", "", ("x",), ("y",), metadata=tuple(named.items()))


@pytest.mark.parametrize(
    ("name", "scope"),
    [
        ("/encoder/layer.0/attn/MatMul", ("encoder", "layer.0", "attn")),
        ("encoder/layer.0/add", ("encoder", "layer.0")),
        ("encoder/encoder.0/encoder.0.conv/Conv", ("encoder", "0", "conv")),
        ("model.block.conv", ("model", "block")),
        ("model/a/Relu;model/a/conv", ("model", "a")),
        ("Conv_12", ()),
        ("conv1.weight", ()),
        ("", ()),
    ],
)
def test_a_name_tells_the_scopes_it_lies_in(name, scope):
    assert path(layer(name)) == scope


def test_the_exporters_metadata_go_before_the_name():
    scopes_of_torch = "['', 'encoder', 'encoder.layer.0', 'encoder.layer.0.attn', 'linear_3']"
    told = layer("node_linear_3", pkg__torch__onnx__name_scopes=scopes_of_torch)
    assert path(told) == ("encoder", "layer.0", "attn")
    told = layer("n", namespace=": M/encoder: E/encoder.layer.0: L/linear: aten.linear.default")
    assert path(told) == ("encoder", "layer.0")
    odd = layer("a/b", pkg__torch__onnx__name_scopes="['', '" + "(" * 200)
    assert path(odd) == ("a",)


def blocks(number: int, odd: int = -1) -> Model:
    """Blocks of two layers each, all alike; one may have another weight."""
    layers, weights, values = [], [], []
    for block in range(number):
        for place, operator in enumerate(("MatMul", "Relu")):
            index = 2 * block + place
            taken: tuple[str, ...] = (f"t{index}",)
            if operator == "MatMul":
                side = 8 if block != odd else 9
                weights.append(WeightInfo(f"w{block}", "float32", (8, side), 32 * side, None))
                taken += (f"w{block}",)
            layers.append(
                Layer(index, f"body/layer.{block}/{operator}", operator, "", taken,
                      (f"t{index + 1}",))
            )  # fmt: skip
            values.append(TensorInfo(f"t{index + 1}", "tensor", "float32", ("batch", 8)))
    given = TensorInfo("t0", "tensor", "float32", ("batch", 8))
    return model(tuple(layers), inputs=(given,), weights=tuple(weights), values=tuple(values))


def tree(made: Model) -> Scope:
    shapes = Shapes((Body(values=(*made.inputs, *made.values)),))
    return scopes(with_shapes(made, shapes), cost(made, shapes))


def test_sums_of_the_scopes_add_up():
    whole = tree(blocks(3))
    (body,) = whole.children
    assert (whole.depth, body.path, len(body.layers)) == (2, "body", 6)
    assert [inner.path for inner in body.children] == [f"body/layer.{n}" for n in range(3)]
    assert (
        whole.macs
        == body.macs
        == sum((c.macs for c in body.children[1:]), body.children[0].macs)
    )
    assert whole.weights_bytes == 3 * 256


def test_identical_blocks_in_a_row_are_recognised():
    (body,) = tree(blocks(12)).children
    assert [inner.alike for inner in body.children] == [12] + 11 * [1]
    (body,) = tree(blocks(6, odd=2)).children
    assert [inner.alike for inner in body.children] == [2, 1, 1, 3, 1, 1]


def test_a_weight_that_scopes_share_counts_once_in_what_holds_both():
    made = blocks(2)
    first, second = made.layers[0], made.layers[2]
    tied = second._replace(inputs=(second.inputs[0], first.inputs[1]))
    made = replace(made, layers=(*made.layers[:2], tied, made.layers[3]))
    whole = tree(made)
    assert [c.weights_bytes for c in whole.children[0].children] == [256, 256]
    assert whole.weights_bytes == 256


def test_names_without_scopes_make_no_tree():
    made = blocks(2)
    plain = tuple(each._replace(name=f"n{each.index}") for each in made.layers)
    assert tree(replace(made, layers=plain)).children == ()
