"""Whole pixels of what is drawn on: pictures laid onto them are copied, not drawn anew."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtGui import QPainter


def is_raster(painter: QPainter) -> bool:
    """Whether somebody draws pixels, not lines that stay sharp at every size.

    Of Qt's engines those that draw pixels are extended; each part of a frame asks, and for the
    type of an engine it would wait three times as long.
    """
    engine = painter.paintEngine()
    return engine is not None and engine.isExtended()


def ratio_of(painter: QPainter) -> float:
    """How many pixels of what is drawn on lie in one of the widget.

    A widget that is drawn into a picture says those of its screen.
    """
    return painter.deviceTransform().m11()


@contextmanager
def in_pixels(painter: QPainter, ratio: float) -> Iterator[None]:
    """Draw in whole pixels of the device, so many of which lie in one of the widget.

    Pen, brush and its origin have to be left as they are.
    """
    moved = painter.deviceTransform()
    if ratio == 1 and moved.dx().is_integer() and moved.dy().is_integer():
        yield  # as it is for the most part, and to move by nothing takes its time as well
        return
    painter.save()
    painter.scale(1 / ratio, 1 / ratio)
    moved = painter.deviceTransform()  # by half a pixel at times, where a scale is not whole
    painter.translate(round(moved.dx()) - moved.dx(), round(moved.dy()) - moved.dy())
    try:
        yield
    finally:
        painter.restore()
