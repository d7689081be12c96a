"""Stretches of a row in which nothing happened, and how they are told."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from inspector import units
from inspector.look import Palette
from inspector.strip import Strip
from inspector.ui.kit.theme import colour
from inspector.ui.timeline.layout import Band, Scale
from inspector.ui.timeline.words import Placed, laid, write

_LEAST, _HEIGHT, _ARROW = 120, 14, 4


def gaps(
    strip: Strip, begin_ns: float, end_ns: float, least_ns: float
) -> list[tuple[int, int]]:
    """Begin and end of each gap of a window that lasts at least so long, in nanoseconds.

    What lies before the first span or after the last is no gap.
    """
    return gaps_of([strip], begin_ns, end_ns, least_ns)[0]


def gaps_of(
    strips: Sequence[Strip], begin_ns: float, end_ns: float, least_ns: float
) -> list[list[tuple[int, int]]]:
    """The same of several strips; such a gap holds one of the instants so far apart."""
    found: list[list[tuple[int, int]]] = [[] for _ in strips]
    instants = np.arange(begin_ns, end_ns + 2 * least_ns, least_ns)
    whole = np.floor(instants).astype(np.int64)  # a float would copy the whole column
    for strip, its in zip(strips, found, strict=True):
        start, lasts, last = strip.start_ns, strip.duration_ns, len(strip.start_ns) - 1
        # A dozen instants: to look at each costs less than arrays of all of them.
        for after in dict.fromkeys(start.searchsorted(whole, "right").tolist()):
            if 0 < after <= last:
                opens = start.item(after - 1) + lasts.item(after - 1)
                closes = start.item(after)
                long = closes - opens >= least_ns
                if long and opens < end_ns and closes > begin_ns:
                    its.append((opens, closes))
    return found


def gap_at(strip: Strip, instant_ns: float) -> tuple[int, int] | None:
    """The gap around an instant; None where something happens or nothing follows."""
    if not len(strip.start_ns):
        return None
    place = int(strip.last_started(np.array([instant_ns]))[0])
    if not 0 <= place < len(strip.start_ns) - 1:
        return None
    opens = int(strip.start_ns[place] + strip.duration_ns[place])
    closes = int(strip.start_ns[place + 1])
    return (opens, closes) if opens < instant_ns < closes else None


def draw_gaps(painter: QPainter, bands: Sequence[Band], scale: Scale, palette: Palette) -> None:
    """Write into wide gaps how long nothing happened, between two thin lines."""
    told = [band for band in bands if not band.folded and not band.head]
    strips = [band.work for band in told if band.work is not None]
    told = [band for band in told if band.work is not None]
    least = _LEAST * scale.step_ns
    found, words = gaps_of(strips, scale.begin_ns, scale.end_ns, least), list[Placed]()
    for band, its in zip(told, found, strict=True):
        top = band.bars[-1].top + (band.bars[-1].height - _HEIGHT) / 2 if band.bars else 0
        for opens, closes in its:
            words += _draw_gap(painter, opens, closes, top, scale, palette)
    write(painter, words)


def _draw_gap(
    painter: QPainter, opens: int, closes: int, top: float, scale: Scale, palette: Palette
) -> tuple[Placed, ...]:
    """Draw the lines of a gap; its words, where it has room for them."""
    left = max(scale.left, scale.x(opens)) + 6
    right = min(scale.left + scale.width, scale.x(closes)) - 6
    words = laid(units.duration(closes - opens), 11)
    wide = words.width
    if right - left < wide + 40:
        return ()
    middle, y = (left + right) / 2, round(top + _HEIGHT / 2)
    line = colour(palette.border)
    for begin, end in ((left, middle - wide / 2 - 6), (middle + wide / 2 + 6, right)):
        painter.fillRect(QRectF(begin, y, end - begin, 1), line)
    for x in (left, right - 1):
        painter.fillRect(QRectF(x, y - _ARROW, 1, 2 * _ARROW + 1), line)
    return ((words, middle - wide / 2, top + _HEIGHT / 2, palette.tertiary),)
