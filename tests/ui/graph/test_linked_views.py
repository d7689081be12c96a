"""Two graphs side by side: what belongs together stands level."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QSizeF

from inspector.ui.graph.linked_views import bring_level
from inspector.ui.graph.viewport import Camera

SIZE = 40.0


def view(*tops: float, order: tuple[int, ...] = ()) -> Any:
    """A column of boxes at these heights; order: the box of each layer, -1 for none."""
    box = np.array([(100.0, top, SIZE, SIZE) for top in tops])
    of_layer = np.array(order or range(len(tops)))
    camera = Camera()
    camera.view, camera.whole = QSizeF(400, 300), QSizeF(2000, 5000)
    camera.look(QPointF(0, 0), 1.0)
    drawing = SimpleNamespace(box=box, box_of_layer=of_layer)
    return SimpleNamespace(scene=SimpleNamespace(drawing=drawing), camera=camera)


def height(shown: Any, box: int) -> float:
    """Where on the screen the middle of a box is."""
    x, y = (shown.scene.drawing.box[box, :2] + SIZE / 2).tolist()
    return float(shown.camera.to_view(QPointF(x, y)).y())


def pairs(first: list[int], other: list[int]) -> Any:
    return np.array(first), np.array(other)


@pytest.mark.parametrize(
    ("looked_at", "level"), [(500, (0, 0)), (1500, (1, 1)), (2400, (2, 2)), (4000, (2, 2))]
)
def test_the_pair_nearest_to_the_middle_stands_level(looked_at, level):
    source, target = view(600, 1600, 2600), view(700, 2600, 2900)
    source.camera.look(QPointF(0, looked_at), 0.8)
    bring_level(source, target, pairs([0, 1, 2], [0, 1, 2]))
    assert target.camera.zoom == pytest.approx(0.8)
    assert height(target, level[1]) == pytest.approx(height(source, level[0]))


def test_a_chosen_layer_stays_level_as_long_as_it_is_in_view():
    source, target = view(600, 800, 2600), view(700, 1600, 2900)
    source.camera.look(QPointF(0, 550), 1.0)
    for chosen, level in ((1, 1), (0, 0), (2, 0)):
        source.camera.look(QPointF(0, 530), 1.0)
        bring_level(source, target, pairs([0, 1, 2], [0, 1, 2]), chosen)
        assert height(target, level) == pytest.approx(height(source, level))


def test_layers_without_a_box_or_a_partner_move_nothing():
    source, target = view(600, order=(-1,)), view(900)
    bring_level(source, target, pairs([0], [0]), 0)
    bring_level(target, source, pairs([0], [0]), 0)
    bring_level(view(600), target, pairs([], []))
    assert target.camera.corner == source.camera.corner == QPointF(0, 0)
    source.scene = None
    bring_level(source, target, pairs([0], [0]))
    bring_level(target, source, pairs([0], [0]))
