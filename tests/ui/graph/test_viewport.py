"""What of a drawing is in view, and how near."""

import pytest
from PySide6.QtCore import QPointF, QRectF, QSizeF

from inspector.ui.graph.viewport import MARGIN, NEAREST, Camera

FAR = 1e6


@pytest.fixture
def camera() -> Camera:
    """A view of 800 by 600 pixels on a drawing of 4000 by 3000."""
    made = Camera()
    made.view, made.whole = QSizeF(800, 600), QSizeF(4000, 3000)
    return made


@pytest.mark.parametrize(
    ("corner", "stops_at"),
    [
        (QPointF(-FAR, -FAR), (-480, -360)),
        (QPointF(FAR, FAR), (3680, 2760)),
        (QPointF(100, 200), (100, 200)),
    ],
)
def test_however_far_it_is_moved_some_of_the_drawing_stays_in_view(camera, corner, stops_at):
    camera.look(corner, 1.0)
    assert camera.corner.toTuple() == pytest.approx(stops_at)
    assert camera.visible.intersects(QRectF(QPointF(0, 0), camera.whole))


def test_zoom_has_two_ends(camera):
    camera.scale(1e9)
    assert camera.zoom == NEAREST
    camera.scale(1e-9)
    assert camera.zoom == camera.farthest == pytest.approx((600 - 2 * MARGIN) / 3000)
    camera.whole = QSizeF(100, 100)
    assert camera.farthest == 1.0, "a small drawing is not blown up"


def test_all_is_shown_in_the_middle(camera):
    camera.fit()
    assert camera.visible.contains(QRectF(QPointF(0, 0), camera.whole))
    middle = camera.to_view(QPointF(2000, 1500))
    assert middle.toTuple() == pytest.approx((400, 300))


def test_what_is_under_the_pointer_stays_there(camera):
    camera.look(QPointF(1000, 1000), 0.5)
    pointer = QPointF(120, 480)
    before = camera.to_drawing(pointer)
    camera.scale(1.7, pointer)
    assert camera.zoom == pytest.approx(0.85)
    assert camera.to_drawing(pointer).toTuple() == pytest.approx(before.toTuple())
    assert camera.to_view(before).toTuple() == pytest.approx(pointer.toTuple())


def test_a_drag_moves_by_pixels_of_the_screen(camera):
    camera.look(QPointF(1000, 1000), 0.5)
    camera.pan(QPointF(30, -10))
    assert camera.corner.toTuple() == pytest.approx((1060, 980))


def test_a_box_is_brought_into_view_only_where_it_is_not(camera):
    camera.look(QPointF(1000, 1000), 1.0)
    camera.reveal(QRectF(1100, 1100, 80, 40), 0.6)
    assert camera.corner.toTuple() == (1000, 1000)
    camera.reveal(QRectF(1000, 1100, 80, 40), 0.6)  # at the very edge
    assert camera.to_view(QPointF(1040, 1120)).toTuple() == pytest.approx((400, 300))
    assert camera.zoom == 1.0
    camera.look(QPointF(0, 0), 0.3)
    camera.reveal(QRectF(1100, 1100, 80, 40), 0.6)
    assert camera.zoom == 0.6, "it was in view, but too small to read"
    assert camera.to_view(QPointF(1140, 1120)).toTuple() == pytest.approx((400, 300))
