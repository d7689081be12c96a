"""Edits of single layers: done, undone, or refused with a reason."""

from pathlib import Path

import numpy as np
import onnx
import pytest

from inspector.conversion import action
from inspector.conversion.registry import ACTIONS
from tests.conversion.conversions import converted, effect, outputs, saved

PICTURE = {"picture": np.random.default_rng(0).random((2, 1, 8, 8), np.float32)}


def node(path: Path, name: str) -> onnx.NodeProto:
    return next(each for each in onnx.load(path).graph.node if each.name == name)


def test_an_attribute_is_set_and_removed(digits, tmp_path):
    step = "set-attribute:layer=stem/bn,name=epsilon,value=0.5"
    new, made = converted(digits, tmp_path, step)
    assert onnx.helper.get_node_attr_value(node(new, "stem/bn"), "epsilon") == 0.5
    assert made.effects[0].touches.endswith("to 0.5")
    removed = "set-attribute:layer=stem/bn,name=epsilon,value="
    assert effect(new, tmp_path, removed).touches.startswith("'stem/bn': epsilon removed")


def test_a_deleted_last_layer_leaves_the_name_of_the_output(digits, tmp_path):
    last = onnx.load(digits).graph.node[-1]
    assert last.op_type == "Softmax"
    new, _ = converted(digits, tmp_path, f"delete-layer:{last.name}")
    scores = outputs(new, PICTURE)["probabilities"]
    exponents = np.exp(scores - scores.max(1, keepdims=True))
    np.testing.assert_allclose(
        exponents / exponents.sum(1, keepdims=True),
        outputs(digits, PICTURE)["probabilities"],
        atol=1e-6,
    )


@pytest.mark.parametrize("after", ["picture", "stem/relu", "probabilities"])
def test_a_layer_is_inserted_after_an_input_a_layer_or_an_output(digits, tmp_path, after):
    new, _ = converted(digits, tmp_path, f"insert-layer:operator=Neg,after={after},name=minus")
    model = onnx.load(new)
    onnx.checker.check_model(model, full_check=True)
    assert [value.name for value in model.graph.output] == ["probabilities"]
    old, now = outputs(digits, PICTURE), outputs(new, PICTURE)
    if after == "probabilities":
        np.testing.assert_array_equal(now["probabilities"], -old["probabilities"])
    else:
        assert not np.allclose(now["probabilities"], old["probabilities"])


def test_a_layer_gets_another_operator(digits, tmp_path):
    step = 'replace-layer:layer=stem/relu,operator=LeakyRelu,attributes={"alpha":0.5}'
    new, _ = converted(digits, tmp_path, step)
    assert node(new, "stem/relu").op_type == "LeakyRelu"
    assert node(new, "stem/relu").attribute[0].f == 0.5
    outputs(new, PICTURE)


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ("set-attribute:layer=none,name=a,value=1", "the model has no layer 'none'"),
        ("set-attribute:layer=stem/conv,name=padding,value=1", "Conv has no attribute"),
        ("set-attribute:layer=stem/conv,name=group,value=one", "'one' is not a whole number"),
        ("set-attribute:layer=stem/conv,name=pads,value=[0,0,1,1]", "Dimension mismatch"),
        ("set-attribute:layer=stem/conv,name=none,value=", "has no attribute 'none'"),
        ("delete-layer:block1/conv", "the input has 16 channels, the output 32"),
        ("insert-layer:operator=Nonsense,after=picture", "cannot be done: "),
        ("insert-layer:operator=Add,after=picture", "cannot be done: "),
        ("insert-layer:operator=Add,after=picture,inputs=none", "there is no tensor 'none'"),
        ("replace-layer:layer=stem/relu,operator=Conv", "cannot be done: "),
        ("replace-layer:layer=stem/relu,operator=Clip,attributes={1", "must be a JSON object"),
        ("delete-layer", "needs the option 'layer'"),
        ("delete-layer:999", "the model has no layer '999'"),
        (
            "set-attribute:layer=stem/conv,name=auto_pad,value=MIDDLE",
            "is not a value of auto_pad",
        ),
        ("set-attribute:layer=stem/conv,name=group,value=3", "cannot be divided into 3 groups"),
        (
            "set-attribute:layer=stem/conv,name=strides,value=[0,0]",
            "'stem/conv' (Conv): Attribute strides must only contain positive values",
        ),
        ("set-attribute:layer=stem/bn,name=epsilon,value=NaN", "'NaN' is not a number"),
        ("set-attribute:layer=probabilities,name=axis,value=7", "'axis' must be in [-2 , 1]"),
        ("insert-layer:operator=Cast,after=stem/relu", "attribute 'to' is missing"),
        ("insert-layer:operator=Not,after=stem/relu", "has unsupported type"),
        (
            "insert-layer:operator=Neg,after=stem/relu,name=stem/conv",
            "already a layer 'stem/conv'",
        ),
        (
            "insert-layer:operator=Add,after=stem/conv,inputs=probabilities",
            "would need its own result",
        ),
        ("replace-layer:layer=stem/relu,operator=Flatten", "at least 3 dimensions"),
        ("replace-layer:layer=stem/relu,operator=Gelu", "Gelu exists since opset 20"),
        ("rename:picture=probabilities", "'probabilities' is already in use"),
        ("rename:picture=a,probabilities=a", "two new names are the same"),
        ("rename-layers:stem/conv=block1/conv", "already a layer 'block1/conv'"),
        ("fix-axes:batch=0", "'0' is not a valid size"),
        ("free-axes:picture[9]=x", "no fixed axis 'picture[9]'"),
        ("extract:outputs=stem/conv,inputs=block2/conv", "is not needed for"),
        ("split:at=probabilities", "there are no layers after"),
        ("opset:to=99", "the newest opset that can be written is"),
        ("ir-version:to=3", "opset 17 needs IR version 8"),
        ("class-output:k=0", "k must be from 1 to 10"),
        ("float16:keep=stem/con", "the model has no layer 'stem/con'"),
        ("int8:keep=none", "the model has no layer 'none'"),
        ("int8:only=none", "the model has no layer 'none'"),
        ("weights-8bit:keep=none", "the model has no layer 'none'"),
    ],
)
def test_a_broken_edit_is_refused_with_a_reason(digits, tmp_path, step, why):
    assert why in effect(digits, tmp_path, step).text


def test_a_layer_that_takes_a_later_value_is_put_behind_it(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    branches (float[2] x) => (float[2] y) {
        a = Relu (x)
        b = Neg (x)
        y = Mul (a, b)
    }"""
    model = saved(tmp_path, text)
    new, _ = converted(model, tmp_path / "new", "insert-layer:operator=Add,after=a,inputs=b")
    onnx.checker.check_model(onnx.load(new), full_check=True)
    result = outputs(new, {"x": np.array([3.0, -1.0], np.float32)})["y"]
    assert result.tolist() == [0.0, 1.0], "(Relu(x) - x) * -x"


def test_twenty_edits_that_are_undone_and_done_again_give_the_same_file(digits, tmp_path):
    edits = [
        *(f"insert-layer:operator=Neg,after=stem/relu,name=minus{i}" for i in range(8)),
        *(f"rename-layers:minus{i}=negative{i}" for i in range(4)),
        *(f"delete-layer:negative{i}" for i in range(3)),
        "set-attribute:layer=block1/conv,name=pads,value=[1,1,1,1]",
        'replace-layer:layer=block1/relu,operator=LeakyRelu,attributes={"alpha":0.25}',
        "set-attribute:layer=block1/relu,name=alpha,value=0.5",
        "rename:picture=image",
        "metadata:edited=yes",
    ]
    assert len(edits) == 20
    done, _ = converted(digits, tmp_path / "done", *edits)
    undone, _ = converted(digits, tmp_path / "undone", *edits[:10])
    assert undone.read_bytes() != done.read_bytes()
    # Undo leaves out the last steps, redo adds them: both run the recipe from the original.
    recipe = action.Recipe(tuple(action.parse_step(each, ACTIONS) for each in edits))
    action.save_recipe(recipe, tmp_path / "recipe.json")
    steps = action.load_recipe(tmp_path / "recipe.json", ACTIONS).steps
    again, _ = converted(digits, tmp_path / "again", *(step.text for step in steps))
    assert again.read_bytes() == done.read_bytes()
