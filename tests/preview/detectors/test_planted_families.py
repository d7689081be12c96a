"""Detectors whose outputs are planted: the box that was put in must come out."""

import numpy as np
import pytest
from numpy.typing import NDArray

from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.detectors import detectors
from inspector.preview.detectors.boxes import Box, select_boxes
from inspector.preview.outputs import dense_maps
from inspector.preview.preprocessing.guess import guess

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
