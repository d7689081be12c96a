"""What is seen of the graph as a file: vectors or pixels."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRect, QSize
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtSvg import QSvgGenerator

from inspector import files

Paint = Callable[[QPainter], None]
_RATIO = 2


def save(path: Path, paint: Paint, size: QSize, title: str) -> None:
    """Write `.svg`, or `.png` at twice the size, whole or not at all. Raises NotSaved."""
    made = svg(paint, size, title) if path.suffix.lower() == ".svg" else png(paint, size)
    files.write_atomic(path, made)


def svg(paint: Paint, size: QSize, title: str) -> bytes:
    """Draw into a vector file."""
    body = QByteArray()
    buffer = QBuffer(body)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(size)
    generator.setViewBox(QRect(0, 0, size.width(), size.height()))
    generator.setTitle(title)
    painter = QPainter(generator)
    paint(painter)
    painter.end()
    buffer.close()
    return bytes(body.data())


def png(paint: Paint, size: QSize) -> bytes:
    """Draw into a picture."""
    pixmap = QPixmap(size * _RATIO)
    pixmap.setDevicePixelRatio(_RATIO)
    painter = QPainter(pixmap)
    paint(painter)
    painter.end()
    body = QByteArray()
    buffer = QBuffer(body)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    pixmap.save(buffer, "PNG")
    buffer.close()
    return bytes(body.data())
