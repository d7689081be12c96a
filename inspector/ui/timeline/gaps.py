"""Stretches of a row in which nothing happened, and how they are told."""

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from inspector import units
from inspector.look import Palette
from inspector.strip import Strip
from inspector.ui.kit.theme import colour, font
from inspector.ui.timeline.layout import Band, Scale
from inspector.ui.timeline.words import laid, write

_LEAST, _HEIGHT, _ARROW = 120, 14, 4


def gaps(
    strip: Strip, begin_ns: float, end_ns: float, least_ns: float
) -> list[tuple[int, int]]:
    """Begin and end of each gap of a window that lasts at least so long, in nanoseconds.

    What lies before the first span or after the last is no gap.
    """
    if len(strip.start_ns) < 2:
        return []
    instants = np.arange(begin_ns, end_ns + 2 * least_ns, least_ns)
    before = strip.last_started(instants)  # rising: neighbours tell which are there twice
    before = before[np.append(True, before[1:] != before[:-1])]
    before = before[(before >= 0) & (before < len(strip.start_ns) - 1)]
    opens = strip.start_ns[before] + strip.duration_ns[before]
    closes = strip.start_ns[before + 1]
    kept = (closes - opens >= least_ns) & (opens < end_ns) & (closes > begin_ns)
    return list(zip(opens[kept].tolist(), closes[kept].tolist(), strict=True))


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


def draw_gaps(painter: QPainter, band: Band, scale: Scale, palette: Palette) -> None:
    """Write into wide gaps how long nothing happened, between two thin lines."""
    if band.work is None or band.folded or band.head:
        return
    top = band.bars[-1].top + (band.bars[-1].height - _HEIGHT) / 2 if band.bars else 0
    painter.setFont(font(11))
    for opens, closes in gaps(band.work, scale.begin_ns, scale.end_ns, _LEAST * scale.step_ns):
        left = max(scale.left, scale.x(opens)) + 6
        right = min(scale.left + scale.width, scale.x(closes)) - 6
        words = laid(units.duration(closes - opens), 11)
        wide = words.width
        if right - left < wide + 40:
            continue
        middle, y = (left + right) / 2, round(top + _HEIGHT / 2)
        line = colour(palette.border)
        for begin, end in ((left, middle - wide / 2 - 6), (middle + wide / 2 + 6, right)):
            painter.fillRect(QRectF(begin, y, end - begin, 1), line)
        for x in (left, right - 1):
            painter.fillRect(QRectF(x, y - _ARROW, 1, 2 * _ARROW + 1), line)
        painter.setPen(colour(palette.tertiary))
        write(painter, words, middle - wide / 2, top + _HEIGHT / 2)
