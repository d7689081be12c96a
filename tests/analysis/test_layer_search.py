"""The search language for layers."""

from pathlib import Path

import pytest

from inspector.analysis.layer_search import LayerIndex, search, values_by_name
from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.model.model import Attribute, Layer, TensorInfo, WeightInfo
from inspector.platform.files import sample

LAYERS = (
    Layer(0, "stem/conv", "Conv", "", ("x", "kernel"), ("a",), (
        Attribute("group", "int", "32"), Attribute("kernel_shape", "ints", "3, 3"),
        Attribute("auto_pad", "string", "SAME_UPPER"))),
    Layer(1, "stem/relu", "Relu", "", ("a",), ("b",)),
    Layer(2, "head/conv", "Conv", "com.own", ("b", "kernel"), ("c",), (
        Attribute("group", "int", "1"), Attribute("kernel_shape", "ints", "1, 3"))),
    Layer(3, "", "Cast", "", ("c",), ("y",)),
)  # fmt: skip
VALUES: dict[str, TensorInfo | WeightInfo] = {
    "a": TensorInfo("a", "tensor", "float16", (1, 64, 122, 122)),
    "b": TensorInfo("b", "tensor", "float16", ("batch", 64, 122, 122)),
    "c": TensorInfo("c", "tensor", "float16", None),
    "y": TensorInfo("y", "tensor", "float32", (1, 10)),
    "kernel": WeightInfo("kernel", "int8", (64, 3, 3, 3), 1728, None),
}
INDEX = LayerIndex(LAYERS, VALUES)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("STEM", (0, 1)),
        ("conv", (0, 2)),
        ("com.own", (2,)),
        ("kernel", (0, 2)),
        ("float16", (0, 1, 2)),
        ("float16 conv head", (2,)),
        ("conv float32", ()),
        ("conv -head", (0,)),
        ('"stem/relu"', (1,)),
        ("head*conv", (2,)),
        ("  ", ()),
        # names and operators
        ("name:conv", (0, 2)),
        ("name:relu*", ()),
        ("op:conv", (0, 2)),
        ("op:con", ()),
        ("op:C*", (0, 2, 3)),
        ("-op:conv", (1, 3)),
        ("tensor:kernel", (0, 2)),
        ("domain:ai.onnx op:conv", (0,)),
        # types of outputs and weights
        ("type:float16", (0, 1, 2)),
        ("type:fp32", (3,)),
        ("type:int8", (0, 2)),
        ("type:int", ()),
        # shapes
        ("1x*x122x122", (0,)),
        ("1×*×122×122", (0,)),
        ("*x64x122x122", (0, 1)),
        ("?x64x122x122", (1,)),
        ("...x122x122", (0, 1)),
        ("1x...", (0, 3)),
        ("64x3x3x3", (0, 2)),
        ("1x*x122", ()),
        ("shape:batch,64,122,122", (1,)),
        ("shape:...,10", (3,)),
        # attributes
        ("group=32", (0,)),
        ("group!=32", (1, 2, 3)),
        ("group>1", (0,)),
        ("group<=32", (0, 2)),
        ("kernel_shape=3x3", (0,)),
        ("kernel_shape=[1,3]", (2,)),
        ("kernel_shape=3", (0,)),
        ("auto_pad=same*", (0,)),
        ("nothing=1", ()),
        # regular expressions
        (r"/^stem\/\w+$/", (0, 1)),
        ("/^(relu|cast)$/", (1, 3)),
        ("/^stem.*relu$/ op:relu", (1,)),
        ("-/conv/", (1, 3)),
        ("/head/", (2,)),
    ],
)
def test_layers_are_found_by_words_types_shapes_attributes_and_expressions(text, found):
    assert INDEX.find(text) == found


def test_a_name_that_looks_like_a_shape_is_found_as_well():
    layers = (Layer(0, "conv_3x3", "Conv", "", (), ("z",)),)
    assert LayerIndex(layers).find("3x3") == (0,)


def test_a_kernel_is_found_by_its_size_declared_or_of_the_weight():
    declared = (Attribute("kernel_shape", "ints", "3, 3"),)
    layers = (
        Layer(0, "a", "Conv", "", ("x", "w"), ("y",)),
        Layer(1, "b", "MaxPool", "", ("y",), ("z",), declared),
        Layer(2, "c", "Conv", "", ("z", "v"), ("o",)),
        Layer(3, "d", "MatMul", "", ("o", "w"), ("p",)),
    )
    weights = (("w", (8, 4, 3, 3)), ("v", (8, 8, 1, 1)))
    values = {name: WeightInfo(name, "float32", shape, 4, None) for name, shape in weights}
    index = LayerIndex(layers, values)
    assert index.find("3x3") == (0, 1)
    assert index.find("conv 3x3") == (0,)
    assert index.find("conv 3×3 -> maxpool") == (0, 1)
    assert index.find("conv 1x1") == (2,)
    assert index.find("conv 3x3x3") == ()


def chain_index() -> LayerIndex:
    """Two attention heads, of which one has no softmax, and a lone softmax."""
    rows = (
        ("MatMul", "x", "qk"), ("Div", "qk", "scaled"), ("Softmax", "scaled", "p"),
        ("MatMul", "p", "out"), ("MatMul", "x", "qk2"), ("Mul", "qk2", "z"),
        ("Relu", "z", "matmul_of_z"), ("Softmax", "x", "s"), ("Add", "matmul_of_z s", "y"),
    )  # fmt: skip
    return LayerIndex(
        tuple(
            Layer(i, f"{operator}_{i}", operator, "", tuple(takes.split()), (makes,))
            for i, (operator, takes, makes) in enumerate(rows)
        )
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("MatMul -> * -> Softmax", (0, 1, 2)),
        ("MatMul -> Softmax", ()),
        ("Softmax -> MatMul", (2, 3)),
        ("MatMul -> Mul|Div", ()),
        ("MatMul -> ... -> Relu", (4, 6)),
        ("matmul → * → relu", (4, 5, 6)),
        ("MatMul -> -Div", (4, 5)),
        ("* -> Add", (6, 7, 8)),
        ("op:M* -> Mul -> name:relu_6", (4, 5, 6)),
        ("Div -> ... -> Add", ()),
    ],
)
def test_layers_in_a_row(text, found):
    assert chain_index().find(text) == found


def test_a_far_chain_goes_through_layers_that_are_in_no_order():
    rows = (("C", "b", "c"), ("B", "a", "b"), ("A", "x", "a"))
    layers = (Layer(i, "", op, "", (t,), (m,)) for i, (op, t, m) in enumerate(rows))
    assert LayerIndex(tuple(layers)).find("op:A -> ... -> op:C") == (0, 2)


def test_tensors_of_two_branches_with_one_name_are_told_apart():
    layers = (
        Layer(0, "", "If", "", ("c",), ("y",)),
        Layer(1, "", "Abs", "", ("x",), ("t",), parent=0, branch="then_branch"),
        Layer(2, "", "Neg", "", ("t",), ("u",), parent=0, branch="then_branch"),
        Layer(3, "", "Exp", "", ("x",), ("t",), parent=0, branch="else_branch"),
    )
    assert LayerIndex(layers).find("Abs -> Neg") == (1, 2)
    assert LayerIndex(layers).find("Exp -> Neg") == ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Conv ->", "A chain needs a layer on both sides of '->'"),
        ("-> Conv", "A chain needs a layer on both sides of '->'"),
        ("Conv -> ...", "'...' needs a layer before and after it"),
        ("... -> Conv", "'...' needs a layer before and after it"),
        ("op:", "'op:' needs a value after the colon"),
        ("/(/", "'(' is not a regular expression: missing )"),
        ("group>many", "'many' after '>' is not a number"),
    ],
)
def test_mistakes_are_explained(text, why):
    with pytest.raises(BadInput) as error:
        INDEX.find(text)
    assert error.value.why.startswith(why)
    assert error.value.hint


def test_no_word_reaches_from_one_layer_into_the_next():
    layers = (Layer(0, "n", "Add", "", (), ("left",)), Layer(1, "right", "Add", "", (), ("z",)))
    assert LayerIndex(layers, {}).find("leftright") == ()
    assert LayerIndex(layers, {}).find("/left.*right/") == ()
    assert LayerIndex((), {}).find("a") == ()


def test_all_answers_are_those_of_looking_at_each_layer_alone():
    layers = open_model(sample_of("digits_int8_qdq.onnx")).layers
    index = LayerIndex(layers, {})
    for word in ("conv", "quantize", "block1", "_output", "e", "weight"):
        slow = [
            layer.index
            for layer in layers
            if any(
                word in text.lower()
                for text in (
                    layer.label,
                    layer.operator,
                    layer.domain,
                    *layer.inputs,
                    *layer.outputs,
                )
            )
        ]
        assert index.find(word) == tuple(slow), word


def test_a_real_model_is_searched_with_inferred_shapes():
    model = open_model(sample_of("digits_float32.onnx"))
    inferred = (TensorInfo(model.layers[1].outputs[0], "tensor", "float32", (1, 16, 8, 8)),)
    found = search(model, "1x16x8x8 op:Conv", inferred)
    assert [layer.index for layer in found.layers] == [1]
    assert found.outputs[0][0].shape == (1, 16, 8, 8)
    assert found.total == len(model.layers)


def test_types_are_known_as_far_as_the_file_declares_them():
    model = open_model(sample_of("digits_float16.onnx"))
    values = values_by_name(model)
    assert values[model.inputs[0].name] is model.inputs[0]


def sample_of(name: str) -> Path:
    path = sample(name)
    assert path is not None
    return path
