"""Boxes of cells, planted in each grid of a picture that is not square."""

import numpy as np
import pytest

from inspector.preview.detectors.boxes import Candidates, select_boxes
from inspector.preview.detectors.cells import (
    centernet,
    is_fastestdet,
    nanodet,
    nanodet_strides,
    yolo_nas,
    yolo_nas_names,
)
from inspector.preview.detectors.output_arrays import Answer, Outputs, number_of_cells

WIDTH, HEIGHT = 320, 256
FOUR, THREE = (8, 16, 32, 64), (8, 16, 32)


def answer(**arrays: np.ndarray) -> Answer:
    shapes = {name: array.shape for name, array in arrays.items()}
    return Answer(shapes, WIDTH, HEIGHT, arrays=arrays)


def only_box(found: Candidates | None) -> tuple[list[float], int]:
    """Return the edges in pixels and the class of the only box."""
    assert found is not None
    (box,) = select_boxes(found, 0.5, 0.5)
    edges = [box.left * WIDTH, box.top * HEIGHT, box.right * WIDTH, box.bottom * HEIGHT]
    return edges, box.kind


@pytest.mark.parametrize(
    ("strides", "stride", "start"),
    [*((FOUR, stride, 0) for stride in FOUR), *((THREE, stride, 0.5) for stride in THREE)],
)
def test_nanodet_has_a_box_in_each_of_its_grids(strides, stride, start):
    rows = np.zeros((1, number_of_cells(WIDTH, HEIGHT, strides), 80 + 32))
    finer = strides[: strides.index(stride)]
    across, down = WIDTH // stride, 1
    place = number_of_cells(WIDTH, HEIGHT, finer) + down * across + 2
    rows[0, place, 17] = 0.9
    for side, far in enumerate((1, 0, 2, 3)):  # left, top, right, bottom in cells
        rows[0, place, 80 + 8 * side + far] = 60
    edges, kind = only_box(nanodet(answer(y=rows)))
    x, y = (2 + start) * stride, (down + start) * stride
    assert edges == pytest.approx([x - stride, y, x + 2 * stride, y + 3 * stride])
    assert kind == 17


@pytest.mark.parametrize(
    ("strides", "numbers", "known"),
    [
        (FOUR, 32 + 1, True),
        (FOUR, 32 + 91, True),
        (FOUR, 32, False),  # no class
        (FOUR, 32 + 92, False),
        (FOUR, 85, False),  # YOLO on COCO
        (FOUR, 84, False),
        (THREE, 32 + 80, True),
        (THREE, 32 + 79, False),  # other families have as many cells
    ],
)
def test_nanodet_is_known_by_its_cells_and_numbers(strides, numbers, known):
    cells = number_of_cells(WIDTH, HEIGHT, strides)
    assert bool(nanodet_strides(Outputs({"y": (1, cells, numbers)}, WIDTH, HEIGHT))) is known
    assert not nanodet_strides(Outputs({"y": (1, cells + 1, numbers)}, WIDTH, HEIGHT))
    assert not nanodet_strides(Outputs({"y": (cells, numbers)}, WIDTH, HEIGHT))
    assert not nanodet_strides(Outputs({"y": (1, cells, numbers)}, 0, 0))


@pytest.mark.parametrize("moved", [True, False])
def test_centernet_has_a_box_around_each_peak(moved):
    rows, columns = HEIGHT // 4, WIDTH // 4
    heat, size = np.zeros((1, 3, rows, columns)), np.zeros((1, 2, rows, columns))
    heat[0, 2, 10, 30], heat[0, 2, 10, 31] = 0.9, 0.8  # a neighbor that is lower is no peak
    size[0, :, 10, 30] = 6, 4
    maps = {"hm": heat, "wh": size}
    middle = 0.5, 0.5
    if moved:
        maps["reg"] = np.zeros((1, 2, rows, columns))
        maps["reg"][0, :, 10, 30] = middle = 0.25, 0.75
    edges, kind = only_box(centernet(answer(**maps)))
    x, y = 30 + middle[0], 10 + middle[1]
    assert edges == pytest.approx([4 * (x - 3), 4 * (y - 2), 4 * (x + 3), 4 * (y + 2)])
    assert kind == 2


def test_yolo_nas_has_corners_in_pixels_and_a_score_for_each_class():
    count = number_of_cells(WIDTH, HEIGHT)
    boxes, scores = np.zeros((1, count, 4)), np.zeros((1, count, 5))
    boxes[0, 77], scores[0, 77, 3] = (32, 64, 160, 128), 0.9
    assert only_box(yolo_nas(answer(boxes=boxes, scores=scores))) == ([32, 64, 160, 128], 3)
    assert yolo_nas_names(answer(scores=scores, boxes=boxes)) == ("boxes", "scores")
    assert not yolo_nas_names(answer(boxes=boxes[:, 1:], scores=scores[:, 1:]))
    assert not yolo_nas_names(answer(boxes=boxes, scores=scores[:, 1:]))


@pytest.mark.parametrize(("numbers", "known"), [(5, False), (6, True), (96, True), (97, False)])
def test_fastestdet_lists_its_cells_with_one_to_91_classes(numbers, known):
    cells = (WIDTH // 16) * (HEIGHT // 16)
    assert is_fastestdet(Outputs({"y": (1, cells, numbers)}, WIDTH, HEIGHT)) is known
    assert not is_fastestdet(Outputs({"y": (1, cells + 1, numbers)}, WIDTH, HEIGHT))
