import numpy as np
import pytest

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.outputs.scene import points


def value(array: object) -> OutputValue:
    return OutputValue("y", "tensor", "float32", np.asarray(array, np.float32))


def test_a_point_lies_where_its_heat_map_is_hottest():
    maps = np.zeros((1, 17, 64, 48))
    maps[0, :, 10, 20] = 0.1
    maps[0, 3, 32, 24] = 0.9
    found = points([value(maps)])
    point = found[1][3]
    assert (point.x, point.y) == pytest.approx((24.5 / 48, 32.5 / 64))
    assert point.score == pytest.approx(0.9)


def test_maps_of_upright_pose_models_hold_points_whatever_their_values():
    maps = [value(np.full((1, 17, 64, 48), 0.5))]
    assert points(maps, (192, 256))[0] == "Heat maps"
    assert points(maps, (256, 256)) is None


def test_offsets_move_landmarks():
    maps = np.zeros((1, 198, 28, 28))
    maps[0, 66:] = 0.5
    maps[0, :66, 9, 18] = 0.8
    maps[0, 66, 9, 18] = 1 / (1 + np.exp(-1.6))  # down by 0.1
    found = points([value(maps)])
    first, second = found[1][:2]
    assert (second.x, second.y) == pytest.approx((18 / 27, 9 / 27))
    assert first.y - second.y == pytest.approx(0.1)


def test_listed_points_come_as_y_x_and_score():
    found = points([value(np.tile([0.2, 0.7, 0.9], (1, 1, 17, 1)))])
    assert (found[1][0].x, found[1][0].y) == pytest.approx((0.7, 0.2))


@pytest.mark.parametrize("shape", [(1, 1000), (1, 3, 224, 224), (1, 21, 520, 520)])
def test_other_outputs_hold_no_points(shape):
    assert points([value(np.random.default_rng(0).random(shape))]) is None
