"""The whole graph in a strip: a press moves the view there, and a frame shows where it is."""

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF, Qt
from pytestqt.qtbot import QtBot

from inspector.ui.graph.minimap import WIDTH, MiniMap
from inspector.ui.graph.viewport import Camera
from inspector.ui.widgets.theme import Theme

LEFT = Qt.MouseButton.LeftButton
INSET = 12


@pytest.fixture
def camera() -> Camera:
    made = Camera()
    made.view, made.whole = QSizeF(800, 600), QSizeF(4000, 10_000)
    made.look(QPointF(0, 0), 1.0)
    return made


@pytest.fixture
def map_(qtbot: QtBot, theme: Theme, camera: Camera) -> MiniMap:
    made = MiniMap(theme, camera)
    qtbot.addWidget(made)
    made.resize(WIDTH, 500 + 2 * INSET)
    made.show()
    return made


@pytest.mark.parametrize(("share_x", "share_y"), [(0.5, 0.5), (0.25, 0.75), (0.75, 0.25)])
def test_a_press_brings_that_part_of_the_graph_to_the_middle(
    qtbot, map_, camera, share_x, share_y
):
    at = QPoint(round(INSET + share_x * (WIDTH - 2 * INSET)), round(INSET + share_y * 500))
    qtbot.mouseClick(map_, LEFT, pos=at)
    middle = camera.visible.center()
    assert middle.toTuple() == pytest.approx((share_x * 4000, share_y * 10_000))
    assert map_.frame().center().toTuple() == pytest.approx(at.toTuple(), abs=1)
    assert camera.zoom == 1.0


def test_a_narrow_graph_keeps_its_place_across(qtbot, map_, camera):
    camera.whole = QSizeF(300, 10_000)
    camera.look(QPointF(-250, 0), 1.0)
    qtbot.mouseClick(map_, LEFT, pos=QPoint(INSET, INSET + 250))
    assert camera.corner.x() == -250
    assert camera.visible.center().y() == pytest.approx(5000)


def test_the_frame_is_never_too_small_to_notice(map_, camera):
    camera.whole = QSizeF(4000, 1_000_000)
    camera.look(QPointF(1600, 499_700), 1.0)
    assert map_.frame().height() == pytest.approx(8)
    assert map_.frame().center().toTuple() == pytest.approx((WIDTH / 2, INSET + 250))


def test_a_drag_takes_the_view_along(qtbot, map_, camera):
    qtbot.mousePress(map_, LEFT, pos=QPoint(WIDTH // 2, INSET + 100))
    qtbot.mouseMove(map_, QPoint(WIDTH // 2, INSET + 400))
    assert camera.visible.center().toTuple() == pytest.approx((2000, 8000))


def test_a_graph_from_left_to_right_is_stretched_along_the_strip(qtbot, map_, camera):
    map_.sideways = True
    map_.resize(500 + 2 * INSET, WIDTH)
    camera.whole = QSizeF(1_000_000, 1000)
    camera.look(QPointF(0, 200), 1.0)
    qtbot.mouseClick(map_, LEFT, pos=QPoint(INSET + 250, WIDTH // 2))
    assert camera.visible.center().toTuple() == pytest.approx((500_000, 500))
    assert map_.frame().width() == pytest.approx(8)
    assert map_.frame().height() == pytest.approx(600 * (WIDTH - 2 * INSET) / 1000)
    camera.whole = QSizeF(1_000_000, 300)
    camera.look(QPointF(0, -100), 1.0)
    qtbot.mouseClick(map_, LEFT, pos=QPoint(INSET + 100, INSET + 1))
    assert camera.visible.center().x() == pytest.approx(200_000)
    assert camera.corner.y() == -100, "a low graph keeps its place"


def test_the_frame_of_a_view_on_all_stays_within_the_strip(map_, camera):
    camera.view = QSizeF(12_000, 30_000)
    camera.fit()
    assert map_.frame() == QRectF(map_.rect()).adjusted(5, 5, -5, -5)
