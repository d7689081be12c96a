from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.detectors import detectors
from inspector.preview.detectors.boxes import Box, select_boxes
from inspector.preview.detectors.detectors import FAMILIES, fitting
from inspector.preview.outputs import dense_maps
from inspector.preview.preprocessing.guess import guess

Array = NDArray[np.float32]


def read(arrays: Mapping[str, Array], width: int = 640, height: int = 640) -> tuple[str, Box]:
    """The family thought most likely, and its only box."""
    outputs = [OutputValue(name, "tensor", "float32", a) for name, a in arrays.items()]
    family, found = fitting(outputs, width, height)[0]
    (box,) = select_boxes(found, family.score, family.overlap)
    return family.name, box


def edges(box: Box) -> list[float]:
    return [box.left, box.top, box.right, box.bottom]


def logit(value: float) -> float:
    return float(np.log(value / (1 - value)))


def test_yolo_rows():
    rows = np.zeros((1, 25200, 85), np.float32)
    rows[0, 777, :5] = 320, 160, 64, 32, 0.9
    rows[0, 777, 5 + 17] = 0.8
    name, box = read({"output0": rows})
    assert name == "YOLO v5 to v7"
    assert edges(box) == pytest.approx([0.45, 0.225, 0.55, 0.275])
    assert (box.kind, round(box.score, 4)) == (17, 0.72)


def test_yolo_columns():
    columns = np.zeros((1, 84, 8400), np.float32)
    columns[0, :4, 99] = 320, 160, 64, 32
    columns[0, 4 + 3, 99] = 0.8
    name, box = read({"output0": columns})
    assert name == "YOLO v8 to v12"
    assert edges(box) == pytest.approx([0.45, 0.225, 0.55, 0.275])
    assert box.kind == 3


def test_yolo_columns_with_masks_behind_the_classes():
    columns = np.zeros((1, 116, 8400), np.float32)
    columns[0, :4, 99] = 320, 160, 64, 32
    columns[0, 4 + 3, 99] = 0.8
    columns[0, 100, :] = 5  # a coefficient of a mask is no score
    masks = np.zeros((1, 32, 160, 160), np.float32)
    assert read({"output0": columns, "output1": masks})[1].kind == 3


def test_finished_boxes():
    rows = np.zeros((1, 300, 6), np.float32)
    rows[0, 0] = 64, 128, 320, 640, 0.75, 16
    name, box = read({"output0": rows})
    assert name == "YOLO v10, finished boxes"
    assert edges(box) == pytest.approx([0.1, 0.2, 0.5, 1.0])
    assert box.kind == 16


def test_yolox_is_relative_to_its_cells():
    rows = np.full((1, 8400, 85), 0.0, np.float32)
    cell = 80 * 80 + 40 * 10 + 20  # row 10, column 20 of the grid of 16 pixels
    rows[0, cell, :5] = 0.5, 0.5, np.log(4), np.log(2), 0.9
    rows[0, cell, 5 + 2] = 1.0
    name, box = read({"output": rows})
    assert name == "YOLOX"
    centre = (20.5 * 16, 10.5 * 16)
    wanted = [centre[0] - 32, centre[1] - 16, centre[0] + 32, centre[1] + 16]
    assert edges(box) == pytest.approx([value / 640 for value in wanted])


def test_fastestdet():
    grid = np.zeros((1, 85, 22, 22), np.float32)
    grid[0, 5] = 1.0
    grid[0, 0, 11, 5] = 1.0
    grid[0, 3:5, 11, 5] = logit(0.2), logit(0.4)
    name, box = read({"758": grid}, 352, 352)
    assert name == "FastestDet"
    assert edges(box) == pytest.approx(
        [5 / 22 - 0.1, 0.5 - 0.2, 5 / 22 + 0.1, 0.5 + 0.2], abs=1e-6
    )


def test_faces():
    scores = np.tile(np.array([1, 0], np.float32), (1, 4420, 1))
    corners = np.zeros((1, 4420, 4), np.float32)
    scores[0, 7] = 0.1, 0.9
    corners[0, 7] = 0.2, 0.3, 0.4, 0.6
    name, box = read({"scores": scores, "boxes": corners}, 320, 240)
    assert name.startswith("Faces")
    assert edges(box) == pytest.approx([0.2, 0.3, 0.4, 0.6])


def test_a_format_of_one_class_names_it():
    outputs = tuple(
        OutputValue(name, "tensor", "float32", np.full((1, 4420, width), 0.5, np.float32))
        for name, width in (("scores", 2), ("boxes", 4))
    )
    decoder, candidates = fitting(outputs, 320, 240)[0]
    assert decoder.name.startswith("Faces")
    assert candidates.names == ("face",)
    kinds = np.tile(np.array((0.4, 0.6, 0), np.float32), (1, 4420, 1))
    kinds[0, 0] = 0.4, 0, 0.6
    several = OutputValue("scores", "tensor", "float32", kinds)
    assert fitting((several, outputs[1]), 320, 240)[0][1].names == ()


def test_listed_boxes_of_tensorflow_start_with_y():
    corners = np.zeros((1, 10, 4), np.float32)
    corners[0, 0] = 0.1, 0.2, 0.5, 0.6
    scores, classes = np.zeros((2, 1, 10), np.float32)
    scores[0, 0], classes[0, 0] = 0.9, 18
    arrays = {
        "detection_boxes": corners,
        "detection_classes": classes,
        "detection_scores": scores,
        "num_detections": np.array([1], np.float32),
    }
    name, box = read(arrays, 300, 300)
    assert name.startswith("SSD")
    assert edges(box) == pytest.approx([0.2, 0.1, 0.6, 0.5])
    assert box.kind == 18


def test_detr_says_nothing_by_its_last_class():
    logits = np.zeros((1, 100, 92), np.float32)
    logits[..., 91] = 9
    logits[0, 3, 91], logits[0, 3, 17] = 0, 9
    boxes = np.full((1, 100, 4), 0.5, np.float32)
    name, box = read({"logits": logits, "pred_boxes": boxes}, 800, 800)
    assert name == "DETR"
    assert box.kind == 17
    assert edges(box) == pytest.approx([0.25, 0.25, 0.75, 0.75])


def test_tiny_yolo_takes_the_anchor_of_its_cell():
    grid = np.full((1, 125, 13, 13), -9, np.float32)
    grid[0, 25:29, 6, 6] = 0, 0, 0, 0
    grid[0, 29, 6, 6] = 9
    grid[0, 30 + 14, 6, 6] = 9
    name, box = read({"grid": grid}, 416, 416)
    assert name == "Tiny YOLO v2"
    assert box.kind == 14
    assert box.right - box.left == pytest.approx(3.42 / 13)


@pytest.mark.parametrize("shape", [(1, 1000), (1, 3, 224, 224), (1, 10), (1, 128, 768)])
def test_other_outputs_hold_no_boxes(shape):
    value = OutputValue("y", "tensor", "float32", np.ones(shape, np.float32))
    assert not fitting([value], 224, 224)


def test_sigmoid_scores_of_rt_detr_keep_their_last_class():
    boxes, logits = np.full((1, 300, 4), 0.5, np.float32), np.full((1, 300, 80), -6, np.float32)
    boxes[0, 7] = 0.5, 0.25, 0.1, 0.05
    logits[0, 7, 79], logits[0, 7, 12] = logit(0.9), logit(0.85)
    name, box = read({"logits": logits, "pred_boxes": boxes})
    assert name == "RT-DETR: sigmoid scores"
    assert edges(box) == pytest.approx([0.45, 0.225, 0.55, 0.275])
    assert (box.kind, round(box.score, 4)) == (79, 0.9)


def test_rt_detr_scores_that_are_sigmoids_already_stay_as_they_are():
    boxes, scores = (
        np.full((1, 300, 4), 0.5, np.float32),
        np.full((1, 300, 3), 0.01, np.float32),
    )
    boxes[0, 7], scores[0, 7] = (0.5, 0.25, 0.1, 0.05), (0.1, 0.2, 0.9)
    name, box = read({"pred_boxes": boxes, "pred_logits": scores})
    assert (name, box.kind, round(box.score, 4)) == ("RT-DETR: sigmoid scores", 2, 0.9)
    rows = np.concatenate([boxes, scores], axis=2)
    name, box = read({"output0": rows})
    assert (name, box.kind, round(box.score, 4)) == ("RT-DETR: sigmoid scores", 2, 0.9)


def test_scores_beside_corners_without_a_background_keep_their_first_class():
    corners, scores = np.zeros((1, 50, 4), np.float32), np.full((1, 50, 3), 0.01, np.float32)
    corners[0, 7], scores[0, 7] = (0.1, 0.2, 0.3, 0.4), (0.9, 0.2, 0.1)
    assert read({"scores": scores, "boxes": corners})[1].kind == 0


def test_every_family_has_a_score_and_an_overlap_within_0_and_1():
    assert all(0 < family.score < 1 and 0 < family.overlap <= 1 for family in FAMILIES)
    assert len({family.name for family in FAMILIES}) == len(FAMILIES)


SIDE, CELL = 352, 22


def output(name: str, array: NDArray[np.generic]) -> OutputValue:
    return OutputValue(name, array.dtype.name, array.shape, array)


def fastestdet(shares: float = 1.0) -> NDArray[np.float32]:
    """A grid with one sure box of class 7 in the middle of cell (row 5, column 9)."""
    grid = np.zeros((1, 85, CELL, CELL), np.float32)
    grid[:, 5] = shares
    grid[0, :, 5, 9] = 0
    grid[0, 0, 5, 9], grid[0, 12, 5, 9] = 0.9, shares
    return grid


def only_box(outputs: list[OutputValue], side: int) -> tuple[str, Box]:
    family, found = detectors.fitting(outputs, side, side)[0]
    (box,) = select_boxes(found, family.score, family.overlap)
    return family.name, box


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize("shares", [1.0, 0.8])
def test_fastestdet_is_read_as_a_grid_or_a_list_also_after_int8(dtype, listed, shares):
    grid = fastestdet(shares)
    array = grid.reshape(1, 85, -1).transpose(0, 2, 1) if listed else grid
    name, box = only_box([output("out", array.astype(dtype))], SIDE)
    assert (name, box.kind) == ("FastestDet", 7)
    middle = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    assert middle == pytest.approx((9 / CELL, 5 / CELL))


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("place", [(8, 3, 5), (16, 7, 2), (32, 4, 6)])
def test_yunet_finds_the_planted_face(dtype, place):
    side, (stride, row, column) = 320, place
    arrays = {}
    for each in (8, 16, 32):
        cells = (side // each) ** 2
        for part, numbers in (("cls", 1), ("obj", 1), ("bbox", 4), ("kps", 10)):
            arrays[f"{part}_{each}"] = np.zeros((1, cells, numbers), dtype)
    cell = row * (side // stride) + column
    arrays[f"cls_{stride}"][0, cell] = arrays[f"obj_{stride}"][0, cell] = 0.9
    arrays[f"bbox_{stride}"][0, cell, :2] = 0.5
    name, box = only_box([output(n, a) for n, a in arrays.items()], side)
    assert name == "YuNet faces"
    assert box.score == pytest.approx(0.9, abs=1e-3)
    edges = np.array([box.left, box.top, box.right, box.bottom]) * side
    corner = np.array([column, row, column + 1, row + 1]) * stride
    assert edges == pytest.approx(corner, abs=0.01)


def test_the_family_brings_its_preprocessing():
    picture = TensorInfo("input", "tensor", "float32", (1, 3, 640, 640))
    names = [
        f"{part}_{stride}" for part in ("cls", "obj", "bbox", "kps") for stride in (8, 16, 32)
    ]
    faces = guess(picture, (), "", [TensorInfo(n, "tensor", "float32", None) for n in names])
    assert (faces.order, faces.scale, faces.mean) == ("bgr", "255", ())
    info = TensorInfo("input", "tensor", "float32", (1, 3, 416, 416))
    cells = TensorInfo("out", "tensor", "float32", (1, 676, 85))
    listed = guess(info, (), "", [cells])
    assert (listed.order, listed.scale, listed.filter) == ("bgr", "1", "area")


def test_depth_is_a_heat_map_though_its_values_are_within_0_and_1():
    plane = np.linspace(0, 1, 32 * 32, dtype=np.float32).reshape(1, 32, 32)
    assert dense_maps.overlay_kinds([output("predicted_depth", plane)])[0] == dense_maps.HEAT
    assert dense_maps.overlay_kinds([output("alpha", plane)])[0] == dense_maps.MASK


def test_features_of_a_vision_transformer_are_not_fastestdet():
    picture = TensorInfo("input", "tensor", "float32", (1, 3, 224, 224))
    patches = TensorInfo("last_hidden_state", "tensor", "float32", (1, 196, 768))
    found = guess(picture, (), "", [patches])
    assert found.order == "rgb"
