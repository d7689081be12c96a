"""Where the labels of boxes lie in an image: at their box, on no other label or small box."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Rectangle = tuple[float, float, float, float]  # left, top, right, bottom
_OVER_LABEL = 8.0  # how much worse it is to cover a label than a box of the same area
_OVER_OWN = 0.5  # the same, of the box that is named


def places(
    boxes: Sequence[Rectangle], sizes: Sequence[tuple[float, float]], frame: Rectangle
) -> list[Rectangle]:
    """Return a rectangle for the label of each box, the first of which choose first.

    sizes: width and height of each label. frame: the image, in which all of them stay as far
    as they fit.
    """
    edges = np.array(boxes, np.float64).reshape(-1, 4)
    least = np.maximum(np.prod(edges[:, 2:] - edges[:, :2], axis=1), 1.0)
    taken = np.zeros((0, 4))
    for number, (width, height) in enumerate(sizes):
        options = _options(edges[number], width, height, np.array(frame))
        own = _common(options, edges[number : number + 1])[:, 0] * _OVER_OWN
        others = np.delete(np.arange(len(edges)), number)
        # As a share of what is covered: of a large box a label hides little.
        hidden = (_common(options, edges[others]) / least[others]).sum(axis=1)
        labels = _common(options, taken).sum(axis=1) * _OVER_LABEL
        area = width * height
        cost = hidden + (own + labels) / area
        taken = np.vstack([taken, options[int(cost.argmin())]])
    return [(float(a), float(b), float(c), float(d)) for a, b, c, d in taken]


def _options(
    box: NDArray[np.float64], width: float, height: float, frame: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return rectangles above, below, inside and beside a box, the usual one first."""
    left, top, right, bottom = box
    corners = np.array([
        (left, top - height), (right - width, top - height), (left, bottom),
        (right - width, bottom), (left, top), (right, top), (left - width, top),
    ])  # fmt: skip
    size = np.array((width, height))
    corners = np.maximum(np.minimum(corners, frame[2:] - size), frame[:2])
    return np.hstack([corners, corners + size])


def _common(one: NDArray[np.float64], two: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the area that each of some rectangles shares with each of others."""
    low = np.maximum(one[:, None, :2], two[None, :, :2])
    high = np.minimum(one[:, None, 2:], two[None, :, 2:])
    shared: NDArray[np.float64] = np.clip(high - low, 0, None).prod(axis=2)
    return shared
