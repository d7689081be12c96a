import numpy as np
import pytest

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.outputs import scene
from inspector.preview.outputs.dense_maps import color_of

PICTURE = np.zeros((64, 64, 3), np.uint8)


def output(name: str, array: np.ndarray) -> OutputValue:
    return OutputValue(name, "tensor", "float32", array.astype(np.float32))


def test_a_body_has_its_key_points():
    columns = np.zeros((1, 56, 8400))
    columns[0, :5, 70] = 320, 160, 64, 32, 0.9
    points = np.stack([np.linspace(300, 340, 17), np.full(17, 150), np.full(17, 0.8)], axis=1)
    points[0, 2] = 0.1
    columns[0, 5:, 70] = points.ravel()
    outputs = [output("output0", columns)]
    way = scene.decoders(outputs, 640, 640, 3)[0]
    found = scene.read_scene(way, outputs, 640, 640, PICTURE)
    assert [(box.kind, round(box.score, 2)) for box in found.boxes] == [(0, 0.9)]
    assert len(found.points) == 16  # one of them is not sure
    assert (found.points[-1].x, found.points[-1].y) == pytest.approx((340 / 640, 150 / 640))


def test_an_object_has_its_mask_inside_the_box_only():
    columns = np.zeros((1, 4 + 80 + 32, 8400))
    columns[0, :4, 9] = 320, 320, 320, 320
    columns[0, 4 + 7, 9] = 0.9
    columns[0, 84, 9] = 1
    prototypes = np.full((1, 32, 160, 160), -1.0)
    prototypes[0, 0, :80] = 1
    outputs = [output("output0", columns), output("output1", prototypes)]
    way = next(w for w in scene.decoders(outputs, 640, 640, 3) if w.kind == scene.BOXES)
    found = scene.read_scene(way, outputs, 640, 640, PICTURE)
    picture = found.overlay.picture
    assert picture[60, 80].tolist() == [*color_of(7), 255]
    assert not picture[100, 80].any()  # below what the prototype covers
    assert not picture[60, 20].any()  # left of the box
