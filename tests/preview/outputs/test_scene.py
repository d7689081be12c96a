import numpy as np

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.outputs.scene import BOXES, COLORS, OVERLAY, decoders, read_scene


def value(array: object) -> list[OutputValue]:
    return [OutputValue("y", "tensor", "float32", np.asarray(array, np.float32))]


def test_a_gray_answer_to_a_gray_input_gets_the_colors_of_the_picture():
    luma = np.full((1, 1, 64, 64), 0.3)
    (way,) = decoders(value(luma), 32, 32, 1)
    assert way.kind == COLORS
    red = np.zeros((48, 48, 3), np.uint8)
    red[..., 0] = 120
    merged = read_scene(way, value(luma), 32, 32, red).merged
    assert merged.shape == (64, 64, 3)
    assert abs(merged.astype(float) @ [0.299, 0.587, 0.114] - 76.5).max() < 3
    assert (merged[..., 0] > merged[..., 1] + 110).all()


def test_a_picture_of_its_own_is_not_laid_over():
    assert decoders(value(np.ones((1, 3, 64, 64))), 64, 64, 3) == ()


def test_settings_replace_what_is_usual():
    columns = np.zeros((1, 84, 8400))
    columns[0, :4, 0] = 320, 320, 64, 64
    columns[0, 4, 0] = 0.5
    outputs, ground = value(columns), np.zeros((9, 9, 3), np.uint8)
    way = decoders(outputs, 640, 640, 3)[0]
    assert (way.kind, way.score) == (BOXES, 0.25)
    assert len(read_scene(way, outputs, 640, 640, ground).boxes) == 1
    assert len(read_scene(way, outputs, 640, 640, ground, 0.6).boxes) == 0


def test_depth_is_laid_over():
    kinds = [way.kind for way in decoders(value(np.ones((1, 1, 64, 64))), 64, 64, 3)]
    assert kinds == [OVERLAY, OVERLAY]
