"""The dialog with all values of a weight."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from inspector.errors import UnreadableFile
from inspector.formats.onnx.real_values import RealValues
from inspector.ui.documents.weight_reading import View, WeightContents, last_view, mosaic
from inspector.ui.tabs.weights.values_dialog import SCALES, SLICES, STORED, ValuesDialog
from inspector.ui.widgets.theme import Theme

ARRAY = np.arange(2 * 3 * 2 * 2, dtype=np.int8).reshape(2, 3, 2, 2)
SCALE = np.float32([0.5, 2])


def contents() -> WeightContents:
    real = ARRAY * SCALE.reshape(2, 1, 1, 1)
    return WeightContents(ARRAY, RealValues(real, SCALE, None, "per channel, along axis 0"))


@pytest.fixture
def dialog(qtbot: QtBot, theme: Theme) -> ValuesDialog:
    made = ValuesDialog(theme, "net/w", contents)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: made.picker is not None)
    return made


def test_the_last_two_axes_are_shown_as_real_values(dialog):
    assert dialog.view == View(2, 3, (0, 0, 0, 0))
    assert dialog.text() == "0\t0.5\n1\t1.5"
    assert "per channel, along axis 0: scales 0.5 to 2" in dialog.about.text()
    dialog.numbers.choose(STORED)
    assert dialog.text() == "0\t1\n2\t3"
    dialog.picker.at[1].setValue(2)
    dialog.copy.click()
    assert QGuiApplication.clipboard().text() == "8\t9\n10\t11"


def test_a_slice_is_saved_with_its_axes(dialog, tmp_path):
    dialog.save_csv(tmp_path / "w.csv")
    assert (tmp_path / "w.csv").read_text() == ",0,1\n0,0,0.5\n1,1,1.5\n"
    dialog.views.choose(SCALES)
    dialog.save_csv(tmp_path / "s.csv")
    assert (tmp_path / "s.csv").read_text() == ",Scale,Zero point\n0,0.5,0\n1,2,0\n"


def test_all_slices_are_side_by_side_on_one_scale(dialog):
    dialog.views.choose(SLICES)
    assert "6 slices on one scale" in dialog.about.text()
    box = dialog.mosaic._box()
    assert dialog.mosaic.slice_at(QPointF(1, 1)) == (0, 0, 0)
    assert dialog.mosaic.slice_at(box.bottomRight() + QPointF(5, 5)) is None


def test_a_mosaic_parts_slices_and_shows_as_many_as_fit():
    view = last_view(ARRAY.shape)
    assert view is not None
    picture, in_row, shown = mosaic(ARRAY, view, 10_000)
    assert shown == 6
    assert picture[:2, :2].tolist() == [[0, 1], [2, 3]]
    assert picture[:2, 3:5].tolist() == [[4, 5], [6, 7]]
    assert np.isnan(picture[:, 2]).all()
    assert picture.shape[1] == in_row * 3 - 1
    assert mosaic(ARRAY, view, 20)[2] == 2


def test_why_a_weight_cannot_be_read_is_shown(qtbot, theme):
    def refuse() -> WeightContents:
        raise UnreadableFile("Could not read 'w'", "the file is gone")

    made = ValuesDialog(theme, "w", refuse)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(made.failure.isVisible)
    assert not made.save.isEnabled()
