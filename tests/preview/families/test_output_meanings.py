"""What somebody says that an output means is what every view of it shows."""

import json
from pathlib import Path

import numpy as np
import pytest
from onnx import helper, numpy_helper
from PIL import Image

import inspector
from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.preview.families import output_meanings
from inspector.preview.identity import identify
from inspector.preview.preprocessing import saved
from tests import models
from tests.command_line import json_of, output_of

SIDE = 100
ROW = np.array([[0.5, 2.0, -1.0]], np.float32)


def constant(path: Path, **outputs: np.ndarray) -> Path:
    """A model of an image that always gives these outputs."""
    shape = [1, 3, SIDE, SIDE]
    image = models.value("image", shape)
    nodes = [
        helper.make_node("ReduceMean", ["image"], ["mean"], keepdims=0),
        helper.make_node("Mul", ["mean", "zero"], ["nothing"]),
    ]
    weights = [numpy_helper.from_array(np.float32(0), "zero")]
    infos = []
    for name, array in outputs.items():
        nodes.append(helper.make_node("Add", [f"{name}_all", "nothing"], [name]))
        weights.append(numpy_helper.from_array(array.astype(np.float32), f"{name}_all"))
        infos.append(models.value(name, array.shape))
    return models.save(path, nodes, [image], infos, weights)


def predicted(path: Path, *meanings: str) -> dict[str, object]:
    image = path.parent / "image.png"
    Image.fromarray(np.zeros((SIDE, SIDE, 3), np.uint8)).save(image)
    said = [word for meaning in meanings for word in ("--output-as", meaning)]
    return json_of("predict", path, "--input", image, *said)


def reading(found: dict[str, object]) -> str:
    outputs = found["outputs"]
    assert isinstance(outputs, list)
    return str(outputs[0]["reading"])


@pytest.mark.engine
def test_a_row_of_numbers_is_what_somebody_says(tmp_path):
    path = constant(tmp_path / "row.onnx", y=ROW)
    assert reading(predicted(path)) == "numbers"
    found = predicted(path, "classes")
    assert reading(found) == "classes"
    (output,) = found["outputs"]
    shares = np.exp(ROW[0]) / np.exp(ROW[0]).sum()
    assert [each["index"] for each in output["top"]] == [1, 0, 2]
    assert output["top"][0]["probability"] == pytest.approx(shares[1], rel=1e-6)
    assert inspector.predict(path, output_as={"y": "classes"}).top(1)[0][0] == "1"
    assert inspector.predict(path).top() == []


@pytest.mark.engine
def test_numbers_that_add_up_to_1_may_be_called_numbers(tmp_path):
    path = constant(tmp_path / "p.onnx", probabilities=np.array([[0.2, 0.7, 0.1]]))
    assert reading(predicted(path)) == "classes"
    assert reading(predicted(path, "numbers")) == "numbers"


CORNERS = np.array([[[30, 30, 50, 50], [55, 40, 85, 80]]])  # pixels of 100 x 100
SCORES, KINDS = np.array([0.9, 0.8]), np.array([1, 0])
X1, Y1, X2, Y2 = (CORNERS[0][:, place] for place in range(4))
CENTERED = np.stack([(X1 + X2) / 2, (Y1 + Y2) / 2, X2 - X1, Y2 - Y1], axis=1)
EACH = np.array([[0.1, 0.9], [0.8, 0.05]])  # scores of two classes


@pytest.mark.engine
@pytest.mark.parametrize(
    ("form", "array"),
    [
        ("x1,y1,x2,y2,score,class", np.column_stack([CORNERS[0], SCORES, KINDS])[None]),
        ("y1,x1,y2,x2,score,class", np.column_stack([Y1, X1, Y2, X2, SCORES, KINDS])[None]),
        ("class,score,x1,y1,x2,y2", np.column_stack([KINDS, SCORES, CORNERS[0]])),
        ("-,x,y,w,h,score,class", np.column_stack(
            [SCORES * 0, X1, Y1, X2 - X1, Y2 - Y1, SCORES, KINDS])),
        ("cx,cy,w,h,scores", np.column_stack([CENTERED, EACH])[None]),
        ("cx, cy, w, h, score, class", np.column_stack([CENTERED / 100, SCORES, KINDS])[None]),
        # Columns first, as YOLO v8 has them; the list is longer than its columns.
        ("cx,cy,w,h,scores", np.concatenate(
            [np.column_stack([CENTERED, EACH]), np.zeros((9, 6))]).T[None]),
    ],
)  # fmt: skip
def test_boxes_are_read_in_the_form_that_somebody_gives(form, array, tmp_path):
    path = constant(tmp_path / "boxes.onnx", y=array)
    scene = predicted(path, f"y=boxes:{form}")["scene"]
    assert isinstance(scene, dict)
    found = [
        (each["class"], each["score"], each["x"], each["y"], each["width"], each["height"])
        for each in scene["boxes"]
    ]
    expected = [(1, 0.9, 30, 30, 20, 20), (0, 0.8, 55, 40, 30, 40)]
    assert found == [pytest.approx(each, rel=1e-5) for each in expected]


@pytest.mark.engine
def test_scores_may_be_an_output_of_their_own(tmp_path):
    path = constant(tmp_path / "two.onnx", b=CORNERS, s=EACH[None])
    scene = predicted(path, "b=boxes:x1,y1,x2,y2", "s=scores")["scene"]
    assert isinstance(scene, dict)
    assert [(each["class"], round(each["score"], 4)) for each in scene["boxes"]] == [
        (1, 0.9), (0, 0.8),
    ]  # fmt: skip


@pytest.mark.engine
def test_a_map_is_a_mask_where_somebody_says_so(tmp_path):
    plane = np.full((1, 1, SIDE, SIDE), -2.0)
    plane[..., :25] = 3  # heights, such as of a depth
    path = constant(tmp_path / "depth.onnx", depth=plane)
    first = predicted(path)["scene"]
    scene = predicted(path, "mask")["scene"]
    assert isinstance(first, dict)
    assert isinstance(scene, dict)
    assert (first["decoder"], scene["decoder"]) == ("Heat map", "Mask")
    assert {part["class"]: part["share"] for part in scene["parts"]} == {0: 0.75, 1: 0.25}


@pytest.mark.engine
def test_a_meaning_is_saved_with_the_preprocessing_and_used_everywhere(tmp_path):
    path = constant(tmp_path / "row.onnx", y=ROW)
    asked = ["prepare", str(path), "--output-as", "classes", "--write-sidecar"]
    assert "1 output meaning" in output_of(*asked)
    assert reading(predicted(path)) == "classes"
    assert reading(predicted(path, "numbers")) == "numbers"
    assert "Image classifier: 3 classes" in output_of("info", path)
    assert identify(open_model(path)).task == "Image model"  # of the file alone
    assert inspector.open_model(path).identity.task == "Image classifier"
    assert inspector.predict(path).top(1)[0][0] == "1"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("y=kitten", "not a known meaning"),
        ("z=classes", "no such output"),
        ("y=boxes:a,b,c,d", "'a' is not a column"),
        ("y=boxes:x1,y1,x2", "four edges"),
        ("y=boxes:x1,y1,x2,y2,score,score", "four edges of a box once"),
        ("y=boxes:cx,cy,w,h,scores,class", "further columns"),
    ],
)
def test_what_is_no_meaning_is_refused(text, why, tmp_path):
    model = open_model(constant(tmp_path / "row.onnx", y=ROW))
    with pytest.raises(BadInput, match=why):
        output_meanings.parsed([text], model)


def test_several_outputs_need_their_names(tmp_path):
    model = open_model(constant(tmp_path / "two.onnx", b=CORNERS, s=EACH))
    with pytest.raises(BadInput, match="2 outputs, so it must be NAME=MEANING"):
        output_meanings.parsed(["classes"], model)
    assert output_meanings.parsed(["s=classes"], model) == {"s": "classes"}


def test_a_saved_meaning_that_is_none_keeps_the_model_open(tmp_path):
    path = constant(tmp_path / "row.onnx", y=ROW)
    body = {"schema": "preparation/1", "outputs": {"y": "kitten"}}
    saved.sidecar_path(path).write_text(json.dumps(body))
    model = open_model(path)
    assert saved.with_meanings(path, model) is model
