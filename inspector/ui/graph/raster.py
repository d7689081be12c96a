"""Thousands of boxes as one picture: numpy fills the pixels, Qt lays them down."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

Pixels = NDArray[np.uint32]
_TALLEST = 24


def argb(colour: str) -> int:
    """An opaque colour as Qt's 32 bits."""
    return 0xFF000000 | int(colour[1:], 16)


def filled(
    boxes: NDArray[np.float64], colours: Pixels, width: int, height: int
) -> NDArray[np.uint32]:
    """Pixels of boxes, float64 (N, 4) in pixels, in their colours: uint32 (H, W), 0 is clear.

    No box is thinner than a pixel; what lies outside is cut off.
    """
    pixels = np.zeros(width * height, np.uint32)
    left = np.clip(boxes[:, 0], 0, width).astype(np.int64)
    top = np.clip(boxes[:, 1], 0, height).astype(np.int64)
    right = np.clip(np.ceil(boxes[:, 0] + boxes[:, 2]), 0, width).astype(np.int64)
    bottom = np.clip(np.rint(boxes[:, 1] + boxes[:, 3]), 0, height).astype(np.int64)
    bottom = np.minimum(np.maximum(bottom, top + 1), height)
    right = np.minimum(np.maximum(right, left + 1), width)
    start, wide, high = top * width + left, right - left, bottom - top
    for dx in range(int(wide.max(initial=0))):
        across = wide > dx
        begin, rows, tint = start[across] + dx, high[across], colours[across]
        for dy in range(min(_TALLEST, int(rows.max(initial=0)))):
            down = rows > dy
            pixels[begin[down] + dy * width] = tint[down]
    return pixels.reshape(height, width)


def image(pixels: NDArray[np.uint32]) -> QImage:
    """A picture over pixels; they must outlive it."""
    height, width = pixels.shape
    form = QImage.Format.Format_ARGB32_Premultiplied
    return QImage(pixels.data, width, height, 4 * width, form)
