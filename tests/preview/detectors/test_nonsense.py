"""Decoders refuse what cannot be boxes; other decoders and sentences take their place."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from onnx import helper, numpy_helper
from PIL import Image

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.detectors import detectors
from inspector.preview.detectors.boxes import Candidates
from inspector.preview.detectors.decoder import BoxDecoder, nonsense
from inspector.preview.families.output_structure import ModelStructure
from inspector.preview.outputs import scene
from tests import models
from tests.command_line import json_of, output_of

DECODER = BoxDecoder("boxes", 0.5, 0.5, lambda _: None)


def candidates(edges: list[list[float]], scores: list[float]) -> Candidates:
    kinds = np.zeros(len(scores), np.int64)
    return Candidates(np.array(edges, np.float64), np.array(scores, np.float64), kinds)


@pytest.mark.parametrize(
    ("edges", "scores", "reason"),
    [
        ([[0.2, 0.2, 0.4, 0.4]], [0.9], ""),
        ([[0.4, 0.2, 0.2, 0.4]], [0.9], "1 of 1 boxes have no area"),
        ([[0.2, 0.4, 0.4, 0.4]], [0.9], "1 of 1 boxes have no area"),
        ([[0.2, 0.2, 7.0, 0.4]], [0.9], "1 of 1 boxes lie far outside the image"),
        # What is below the score is no box; a rare odd one and edges outside are usual.
        ([[0.4, 0.2, 0.2, 0.4]], [0.4], ""),
        ([[-0.5, -0.2, 1.3, 1.2]] * 9 + [[0.3, 0.2, 0.2, 0.4]], [0.9] * 10, ""),
        ([[0.2, 0.2, 0.4, 0.4]] * 40, [0.9] * 40, "all scores are equal"),
        ([[0.2, 0.2, 0.4, 0.4]] * 40, [0.1] * 40, ""),
        # In a grid nearly all is background, unlike with weights that were not trained.
        (
            [[0.2, 0.2, 0.4, 0.4]] * 500,
            [0.9, 0.8] * 200 + [0.1] * 100,
            "400 of 500 boxes are above the score threshold",
        ),
        ([[0.2, 0.2, 0.4, 0.4]] * 500, [0.9, 0.8] * 100 + [0.1] * 300, ""),
    ],
)
def test_what_cannot_be_boxes_has_a_reason(edges, scores, reason):
    assert nonsense(DECODER, candidates(edges, scores)) == reason


def offsets(rows: int = 4420, negative: bool = True) -> NDArray[np.float32]:
    """Offsets from anchors, which read as corners have no area."""
    table = np.random.default_rng(0).normal(-0.5, 1.2, (1, rows, 4)).astype(np.float32)
    if negative:
        table[..., 2:] = table[..., :2] - 0.3
    return table


def outputs(rows: int = 4420) -> list[OutputValue]:
    shares = np.tile(np.array([0.9, 0.1], np.float32), (1, rows, 1))
    shares[0, ::400] = 0.01, 0.99
    arrays = {"scores": shares, "boxes": offsets(rows)}
    return [OutputValue(name, "tensor", "float32", each) for name, each in arrays.items()]


def test_raw_offsets_are_decoded_with_anchors_where_no_graph_says_so():
    names = [decoder.name for decoder, _ in detectors.fitting(outputs(), 320, 240)]
    assert names == ["Faces: scores and offsets"]
    refused = detectors.refused(outputs(), 320, 240)
    assert [decoder.name for decoder, _ in refused] == ["Faces: scores and corners"]
    # Another decoder reads boxes, so that nobody has to hear of it.
    assert scene.refusals(outputs(), 320, 240) == ()


def test_where_no_decoder_is_left_a_sentence_says_why():
    other = outputs(100)  # of no known anchors
    assert detectors.fitting(other, 320, 240) == ()
    (sentence,) = scene.refusals(other, 320, 240)
    assert sentence.startswith("The shapes of the outputs fit Faces: scores and corners, but ")
    assert sentence.endswith("boxes have no area; boxes are not shown.")


def test_a_list_with_a_row_for_each_cell_is_not_selected_already():
    """(1, N, 6): of 96 pixels 3 * 189 rows are YOLO v5's, 189 rows are one box a cell."""
    table = np.zeros((1, 567, 6), np.float32)
    table[0, :, :4], table[0, 7] = (8, 8, 4, 4), (48, 32, 24, 16, 1, 1)
    value = OutputValue("output", "tensor", "float32", table)
    assert detectors.fitting([value], 96, 96)[0][0].name == "YOLO v5 to v7"
    selects = ModelStructure(heads={"output": frozenset(("TopK", "Concat"))})
    finished = np.zeros((1, 567, 6), np.float32)
    finished[0, 0] = 8, 8, 40, 40, 0.9, 3
    value = OutputValue("output", "tensor", "float32", finished)
    assert detectors.fitting([value], 96, 96, selects)[0][0].name == "YOLO v10, finished boxes"


def model(path: Path, planted: dict[str, NDArray[np.float32]], image: list[int]) -> Path:
    """A model that gives the same arrays to every image."""
    nodes = [
        helper.make_node("ReduceMean", ["image"], ["mean"], keepdims=0),
        helper.make_node("Mul", ["mean", "nothing"], ["zero"]),
        *(helper.make_node("Add", ["zero", f"{n}.value"], [n]) for n in planted),
    ]
    values = {f"{name}.value": array for name, array in planted.items()}
    values["nothing"] = np.array(0, np.float32)
    return models.save(
        path,
        nodes,
        [models.value("image", image)],
        [models.value(n, a.shape) for n, a in planted.items()],
        [numpy_helper.from_array(array, name) for name, array in values.items()],
    )


def predicted(path: Path) -> dict:
    picture = path.with_suffix(".png")
    Image.fromarray(np.full((64, 64, 3), 140, np.uint8)).save(picture)
    return dict(json_of("predict", path, "--input", picture))


@pytest.mark.engine
def test_predict_shows_no_faces_with_negative_widths(tmp_path):
    shares = np.tile(np.array([0.9, 0.1], np.float32), (1, 4420, 1))
    shares[0, ::400] = 0.01, 0.99
    arrays = {"scores": shares, "boxes": offsets(negative=False)}
    answer = predicted(model(tmp_path / "raw.onnx", arrays, [1, 3, 240, 320]))
    assert answer["scene"]["decoder"] == "Faces: scores and offsets"
    boxes = answer["scene"]["boxes"]
    assert boxes
    assert all(box["width"] > 0 and box["height"] > 0 for box in boxes)


@pytest.mark.engine
@pytest.mark.parametrize("columns", [10, 15, 136, 1404])
def test_predict_shows_a_row_of_coordinates_as_numbers(columns, tmp_path):
    row = np.linspace(-20, 40, columns, dtype=np.float32)[None]
    path = model(tmp_path / "marks.onnx", {"output_iris": row}, [1, 3, 64, 64])
    answer = predicted(path)
    (output,) = answer["outputs"]
    assert output["reading"] in ("numbers", "tensor")
    text = output_of("predict", path, "--input", path.with_suffix(".png"))
    assert "softmax" not in text
    assert ("-20, -15.71, " in text) == (columns == 15)
    assert f"Image model: {columns:,} numbers" in output_of("info", path)
