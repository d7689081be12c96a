"""Where words go beside a point, so that they hide neither other points nor other words."""

from collections.abc import Sequence

Rectangle = tuple[float, float, float, float]  # left, top, right, bottom
_TALL, _OFF = 13.0, 7.0


def least_harm(
    x: float, y: float, wide: float, room: Rectangle, taken: Sequence[Rectangle],
    off: float = _OFF,
) -> Rectangle:  # fmt: skip
    """The place beside a point that covers least of what is taken, within the room if any is.

    off: how far from the point.
    """
    return min(_beside(x, y, wide, off), key=lambda box: _harm(box, room, taken))


def placed(
    x: float, y: float, wide: float, room: Rectangle, taken: Sequence[Rectangle],
    off: float = _OFF,
) -> Rectangle | None:  # fmt: skip
    """The same; None where every place covers something."""
    best = least_harm(x, y, wide, room, taken, off)
    return None if _harm(best, room, taken) else best


def _beside(x: float, y: float, wide: float, off: float) -> list[Rectangle]:
    """Right and left of a point, above it and below; the nearest first."""
    starts = [
        (x + off, y - _TALL / 2),
        (x - off - wide, y - _TALL / 2),
        (x - wide / 2, y - off - _TALL),
        (x - wide / 2, y + off),
    ]
    for far in (off, off + _TALL, off + 2 * _TALL):
        for top in (y - far - _TALL, y + far):
            starts += [(x + 2, top), (x - wide - 2, top)]
    return [(left, top, left + wide, top + _TALL) for left, top in starts]


def _harm(box: Rectangle, room: Rectangle, taken: Sequence[Rectangle]) -> int:
    """How much a box covers; to stand outside is worse than any of that."""
    left, top, right, bottom = box
    outside = left < room[0] or top < room[1] or right > room[2] or bottom > room[3]
    hits = sum(
        left < other[2] and other[0] < right and top < other[3] and other[1] < bottom
        for other in taken
    )
    return hits + (len(taken) + 1) * outside
