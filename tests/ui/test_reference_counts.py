"""Guards against PySide6 6.12.0, which loses references of None and True before Python 3.12."""

import sys

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor, QImage, QPainter

CALLS = 2000
IMMORTAL = sys.version_info >= (3, 12)


class Emitter(QObject):
    told = Signal(bool)


@pytest.mark.skipif(IMMORTAL, reason="None and True have no reference count any more")
def test_qt_calls_keep_the_reference_count_of_none(qtbot):
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    painter, ink = QPainter(image), QColor("red")
    before = sys.getrefcount(None)
    for _ in range(CALLS):
        painter.fillRect(0, 0, 1, 1, ink)
    after = sys.getrefcount(None)
    painter.end()
    assert after > before - CALLS / 10


@pytest.mark.skipif(IMMORTAL, reason="None and True have no reference count any more")
def test_signals_keep_the_reference_count_of_true(qtbot):
    emitter = Emitter()
    before = sys.getrefcount(True)
    for _ in range(CALLS):
        emitter.told.emit(True)
    assert sys.getrefcount(True) > before - CALLS / 10
