"""Edits of single layers: done, undone, or refused with a reason."""

from pathlib import Path

import numpy as np
import onnx
import pytest

from inspector.conversion import action
from inspector.conversion.registry import ACTIONS
from tests.conversion.conversions import converted, effect, outputs

PICTURE = {"picture": np.random.default_rng(0).random((2, 1, 8, 8), np.float32)}


@pytest.fixture
def digits(samples: Path) -> Path:
    return samples / "digits_float32.onnx"


def node(path: Path, name: str) -> onnx.NodeProto:
    return next(each for each in onnx.load(path).graph.node if each.name == name)


def test_an_attribute_is_set_and_removed(digits: Path, tmp_path: Path) -> None:
    step = "set-attribute:layer=stem/bn,name=epsilon,value=0.5"
    new, made = converted(digits, tmp_path, step)
    assert onnx.helper.get_node_attr_value(node(new, "stem/bn"), "epsilon") == 0.5
    assert made.effects[0].touches.endswith("to 0.5")
    removed = "set-attribute:layer=stem/bn,name=epsilon,value="
    assert effect(new, tmp_path, removed).touches.startswith("'stem/bn': epsilon removed")


def test_a_deleted_last_layer_leaves_the_name_of_the_output(
    digits: Path, tmp_path: Path
) -> None:
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
def test_a_layer_is_inserted_after_an_input_a_layer_or_an_output(
    digits: Path, tmp_path: Path, after: str
) -> None:
    new, _ = converted(digits, tmp_path, f"insert-layer:operator=Neg,after={after},name=minus")
    model = onnx.load(new)
    onnx.checker.check_model(model, full_check=True)
    assert [value.name for value in model.graph.output] == ["probabilities"]
    old, now = outputs(digits, PICTURE), outputs(new, PICTURE)
    if after == "probabilities":
        np.testing.assert_array_equal(now["probabilities"], -old["probabilities"])
    else:
        assert not np.allclose(now["probabilities"], old["probabilities"])


def test_a_layer_gets_another_operator(digits: Path, tmp_path: Path) -> None:
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
        ("delete-layer:block1/conv", "changes the type or shape"),
        ("insert-layer:operator=Nonsense,after=picture", "cannot be done: "),
        ("insert-layer:operator=Add,after=picture", "cannot be done: "),
        ("insert-layer:operator=Add,after=picture,inputs=none", "there is no tensor 'none'"),
        ("replace-layer:layer=stem/relu,operator=Conv", "cannot be done: "),
        ("replace-layer:layer=stem/relu,operator=Clip,attributes={1", "must be a JSON object"),
        ("delete-layer", "needs the option 'layer'"),
    ],
)
def test_a_broken_edit_is_refused_with_a_reason(
    digits: Path, tmp_path: Path, step: str, why: str
) -> None:
    assert why in effect(digits, tmp_path, step).text


def test_twenty_edits_that_are_undone_and_done_again_give_the_same_file(
    digits: Path, tmp_path: Path
) -> None:
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
