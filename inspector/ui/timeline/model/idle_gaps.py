"""Stretches of a row in which nothing happened, and how they are told."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from inspector import units
from inspector.export.charts.palette import Palette
from inspector.trace.intervals import Intervals, Times
from inspector.ui.timeline.model.geometry import Band, Scale
from inspector.ui.timeline.render.text_cache import Placed, laid, write
from inspector.ui.widgets.theme import colour

_LEAST, _HEIGHT, _ARROW = 120, 14, 4


def gaps(
    strip: Intervals, begin_ns: float, end_ns: float, least_ns: float
) -> list[tuple[int, int]]:
    """Begin and end of each gap of a window that lasts at least so long, in nanoseconds.

    What lies before the first span or after the last is no gap.
    """
    return gaps_of([strip], begin_ns, end_ns, least_ns)[0]


def gaps_of(
    strips: Sequence[Intervals], begin_ns: float, end_ns: float, least_ns: float
) -> list[list[tuple[int, int]]]:
    """The same of several strips; such a gap holds one of the instants so far apart."""
    instants = np.arange(begin_ns, end_ns + 2 * least_ns, least_ns)
    whole = np.floor(instants).astype(np.int64)  # a float would copy the whole column
    return [_gaps_at(strip, whole, begin_ns, end_ns, least_ns) for strip in strips]


def _gaps_at(
    strip: Intervals, instants: Times, begin_ns: float, end_ns: float, least_ns: float
) -> list[tuple[int, int]]:
    """The gaps that hold one of some instants, which lie in order: int64 (I,)."""
    found, known = list[tuple[int, int]](), 0
    start, last = strip.start_ns.item, len(strip.start_ns) - 1
    # A dozen instants: to look at each costs less than arrays of all of them.
    for after in strip.start_ns.searchsorted(instants, "right").tolist():
        if known < after <= last:
            known, before, closes = after, start(after - 1), start(after)
            if closes - before >= least_ns:  # which is seldom so
                opens = before + strip.duration_ns.item(after - 1)
                if closes - opens >= least_ns and opens < end_ns and closes > begin_ns:
                    found.append((opens, closes))
    return found


def gap_at(strip: Intervals, instant_ns: float) -> tuple[int, int] | None:
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
    told = [(b, b.work) for b in bands if b.work is not None and not (b.folded or b.head)]
    least, words = _LEAST * scale.step_ns, list[Placed]()
    found = gaps_of([work for _, work in told], scale.begin_ns, scale.end_ns, least)
    for (band, _), its in zip(told, found, strict=True):
        for opens, closes in its:
            top = band.bars[-1].top + (band.bars[-1].height - _HEIGHT) / 2 if band.bars else 0
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
