"""Masks of detectors that list one for each box, beside pixels computed one by one."""

import numpy as np
import pytest

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.detectors.instance_masks import masks_in, masks_of
from inspector.preview.families.output_structure import ModelStructure
from inspector.preview.outputs import scene

WIDTH, HEIGHT = 96, 64
BOXES = np.array([[8, 4, 40, 36], [30.4, 20.6, 90.2, 60.9], [50, 2, 70, 12]], np.float32)
SCORES, LABELS = np.array([0.9, 0.8, 0.1], np.float32), np.array([1, 3, 2])


def value(name: str, array: np.ndarray) -> OutputValue:
    return OutputValue(name, "tensor", str(array.dtype), array)


def outputs(masks: np.ndarray) -> list[OutputValue]:
    """As torchvision exports them: corners in pixels of the picture."""
    named = {"boxes": BOXES, "labels": LABELS, "scores": SCORES, "masks": masks}
    return [value(name, array) for name, array in named.items()]


def read(found: list[OutputValue]) -> scene.Scene:
    decoders = scene.decoders(found, WIDTH, HEIGHT, ModelStructure())
    decoder = next(each for each in decoders if each.kind == scene.BOXES)
    picture = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    return scene.read_scene(decoder, found, WIDTH, HEIGHT, picture)


def test_masks_of_the_whole_picture_are_drawn_within_their_boxes():
    masks = np.zeros((3, 1, HEIGHT, WIDTH), np.float32)
    masks[0, 0, 6:30, 10:20] = 0.7
    masks[1, 0, 25:50, 35:80] = 0.51
    masks[1, 0, 40:45, 35:80] = 0.5  # not above it
    found = read(outputs(masks))
    assert len(found.boxes) == 2
    alpha = found.overlay.picture[..., 3] > 0
    assert np.array_equal(alpha, (masks[:2, 0] > 0.5).any(0))
    colors = found.overlay.picture[..., :3]
    assert tuple(colors[10, 15]) != tuple(colors[30, 60])


@pytest.mark.parametrize("shape", [(3, 1, 28, 28), (3, 28, 28)])
def test_small_masks_fill_their_boxes(shape):
    small = np.random.default_rng(0).random(shape).astype(np.float32)
    given = outputs(small)
    boxes = read(given).boxes
    found = masks_of(given, boxes, WIDTH, HEIGHT)
    assert sorted(found) == [0, 1]
    for box in boxes:
        top, left, inside = found[box.place]
        x0, y0, x1, y1 = np.ceil(BOXES[box.place]).astype(int)
        assert (top, left, inside.shape) == (y0, x0, (y1 - y0, x1 - x0))
        plane = small.reshape(3, 28, 28)[box.place].astype(float)
        for y in range(y1 - y0):
            for x in range(x1 - x0):
                expected = bilinear(plane, (y + 0.5) * 28 / (y1 - y0) - 0.5,
                                    (x + 0.5) * 28 / (x1 - x0) - 0.5)  # fmt: skip
                assert inside[y, x] == (expected > 0.5) or abs(expected - 0.5) < 1e-9
    drawn = masks_in(given, boxes).picture[..., 3] > 0
    outside = np.ones_like(drawn)
    for box in boxes:
        rows, columns = drawn.shape
        outside[round(box.top * rows) : round(box.bottom * rows),
                round(box.left * columns) : round(box.right * columns)] = False  # fmt: skip
    assert drawn.any()
    assert not (drawn & outside).any()


def bilinear(plane: np.ndarray, y: float, x: float) -> float:
    """One value between four pixels, those at the border repeated."""
    y, x = (min(max(each, 0.0), 27.0) for each in (y, x))
    y0, x0 = int(y), int(x)
    y1, x1 = min(y0 + 1, 27), min(x0 + 1, 27)
    above = plane[y0, x0] * (1 - (x - x0)) + plane[y0, x1] * (x - x0)
    below = plane[y1, x0] * (1 - (x - x0)) + plane[y1, x1] * (x - x0)
    return float(above * (1 - (y - y0)) + below * (y - y0))


def test_no_object_has_no_pixels_and_one_mask_for_each_class_is_none_of_a_box():
    given = [value("boxes", np.zeros((0, 4), np.float32)), value("labels", np.zeros(0, int)),
             value("scores", np.zeros(0, np.float32)),
             value("masks", np.zeros((0, 1, 28, 28), np.float32))]  # fmt: skip
    assert masks_of(given, (), WIDTH, HEIGHT) == {}
    assert masks_in(given, ()) is None
    per_class = outputs(np.ones((3, 5, 28, 28), np.float32))
    assert masks_of(per_class, read(per_class).boxes, WIDTH, HEIGHT) is None
