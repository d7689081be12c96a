import numpy as np
import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QImage

from inspector.ui.tabs.preview.outputs.image_view import (
    ImageDrop,
    ImageView,
    to_image,
    to_picture,
)


@pytest.mark.parametrize("channels", [1, 3, 4])
def test_pixels_survive_the_way_to_qt_and_back(channels):
    pixels = np.random.default_rng(0).integers(0, 256, (5, 7, channels), np.uint8)
    back = to_picture(to_image(pixels))
    expected = np.repeat(pixels, 3, axis=2) if channels == 1 else pixels
    assert np.array_equal(back, expected)


def test_an_image_outlives_the_array_it_came_from():
    pixels = np.full((64, 64, 3), 7, np.uint8)
    image = to_image(pixels)
    pixels[:] = 0
    assert image.pixelColor(5, 5).red() == 7


def test_a_small_picture_keeps_its_pixels_square(qtbot, theme):
    view = ImageView(theme, "Pixels", 112)
    qtbot.addWidget(view)
    view.resize(200, 112)
    view.show_picture(np.array([[[0], [255]], [[255], [0]]], np.uint8))
    image = view.grab().toImage()
    assert image.pixelColor(100 - 5, 56 - 5).red() == 0  # just left of the middle and above it
    assert image.pixelColor(100 + 5, 56 - 5).red() == 255


def test_a_picture_on_the_clipboard_is_taken_as_pixels(qtbot, theme):
    drop = ImageDrop(theme, "Picture", 100)
    qtbot.addWidget(drop)
    image = QImage(4, 3, QImage.Format.Format_RGB32)
    image.fill(0xFF0000)
    data = QMimeData()
    data.setImageData(image)
    with qtbot.waitSignal(drop.picture_given) as given:
        assert drop.take(data)
    assert given.args[0].shape == (3, 4, 3)
    assert (given.args[0] == (255, 0, 0)).all()
    assert not drop.take(QMimeData())
