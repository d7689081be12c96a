"""Labels of a plot: none on another one or on a point, all inside, with a line if far away."""

from itertools import combinations

import numpy as np
import pytest

from inspector.pages.charts.drawing import Rectangle, place_labels

ROOM = (60.0, 20.0, 360.0, 260.0)


def overlap(one: Rectangle, other: Rectangle) -> bool:
    across = one[0] < other[2] and other[0] < one[2]
    return across and one[1] < other[3] and other[1] < one[3]


def disc(x: float, y: float, size: float = 8.0) -> Rectangle:
    return x - size, y - size, x + size, y + size


@pytest.mark.parametrize("spread", [0.0, 3.0, 12.0, 60.0])
def test_nine_labels_never_lie_on_each_other(spread):
    random = np.random.default_rng(3)
    places = np.array((210, 140)) + random.uniform(-spread, spread, (9, 2))
    discs = [disc(x, y) for x, y in places]
    made = place_labels(discs, [(90.0, 13.0)] * 9, ROOM)
    boxes = [each.box for each in made]
    assert not [pair for pair in combinations(boxes, 2) if overlap(*pair)]
    assert not [(box, d) for box in boxes for d in discs if overlap(box, d)]
    for left, top, right, bottom in boxes:
        assert ROOM[0] <= left < right <= ROOM[2]
        assert ROOM[1] <= top < bottom <= ROOM[3]
    if spread == 0:
        assert any(each.leader for each in made), "not all have room beside the points"


def test_a_label_of_a_point_at_the_edge_stays_inside_and_beside_it():
    (made,) = place_labels([disc(355, 100)], [(90.0, 13.0)], ROOM)
    assert made.leader is None
    assert made.box[2] <= 355


def test_a_label_near_another_disc_has_a_line_to_its_own():
    # Two discs that nearly touch, and a third one: no label fits beside only its own.
    discs = [disc(200, 100), disc(216, 100), disc(208, 114)]
    for made, own in zip(place_labels(discs, [(90.0, 13.0)] * 3, ROOM), discs, strict=True):
        others = [_apart(made.box, each) for each in discs if each != own]
        assert made.leader is not None or min(others) > _apart(made.box, own)


def _apart(one: Rectangle, other: Rectangle) -> float:
    across = max(0.0, one[0] - other[2], other[0] - one[2])
    return float(across + max(0.0, one[1] - other[3], other[1] - one[3]))
