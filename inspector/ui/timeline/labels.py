"""Names of spans on their boxes, cut to what fits."""

from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from inspector import look, units
from inspector.strip import Shares
from inspector.trace import Trace
from inspector.ui.kit.theme import colour, font
from inspector.ui.timeline.near import Places
from inspector.ui.timeline.raster import Flags
from inspector.ui.timeline.words import Laid, Placed, laid, write

LABELLED = 26.0
_CROWD, _WIDER = 140, 1.25  # so many names are read at a glance, and cost 2 ms of a frame
_AROUND, _DOTS, _FONT = 9, "…", (11, 500)


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """M spans in pixels of the widget; middle: of their height. fills: '#RRGGBB'."""

    spans: Places
    left: Shares
    width: Shares
    middle: Shares
    fills: list[str]
    copies: Flags


def draw_labels(painter: QPainter, trace: Trace, boxes: Boxes) -> None:
    """Write the name of each span that has room for it, where it is seen.

    Where more than a crowd have room, narrow ones that would keep three letters go without.
    """
    clip = painter.clipBoundingRect()
    begin = np.maximum(boxes.left, clip.left())
    room = np.minimum(boxes.left + boxes.width, clip.right()) - begin - _AROUND
    some = np.flatnonzero(room >= _least_room(room))
    spans = boxes.spans[some]
    names, scoped = trace.name[spans].tolist(), (trace.layer[spans] >= 0).tolist()
    sides = zip(begin[some].tolist(), room[some].tolist(), boxes.middle[some].tolist(),
                strict=True)  # fmt: skip
    told = list[Placed]()
    for n, name, layer, (x, wide, y) in zip(some.tolist(), names, scoped, sides, strict=True):
        text = fitting(_short(trace.names[name], layer), int(wide))
        if text is None:
            continue
        fill = boxes.fills[n]
        if boxes.copies[n]:
            _draw_ground(painter, QRectF(x + 3, y - 7, text.width + 6, 14), fill)
        told.append((text, x + 6, y, _on_top(fill)))
    write(painter, told)


def _least_room(room: Shares) -> float:
    """How much room a name needs, in coarse steps, so that few change as the view moves."""
    least = LABELLED - _AROUND
    while np.count_nonzero(room >= least) > _CROWD:
        least *= _WIDER
    return least


def _draw_ground(painter: QPainter, box: QRectF, fill: str) -> None:
    """Take the hatching away from behind a name."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(fill))
    painter.drawRoundedRect(box, 2, 2)


@lru_cache(maxsize=64)
def _on_top(fill: str) -> str:
    return look.on_top(fill)


@lru_cache(maxsize=8192)
def _short(name: str, scoped: bool) -> str:
    """What fits best of a name; only layers lie in scopes."""
    clipped = units.clip(name, 120)
    return units.scope_and_name(clipped)[1] if scoped else clipped


@lru_cache(maxsize=8192)
def fitting(name: str, width: int) -> Laid | None:
    """A name cut to a width in pixels, laid out; None when too little is left of it."""
    reach = _reach(name)
    if not reach or reach[-1] <= width:
        text = name
    else:
        kept = bisect_left(reach, width - _reach(_DOTS)[-1])
        text = name[:kept] + _DOTS if kept > 2 else ""
    return laid(text, *_FONT) if text else None


@lru_cache(maxsize=4096)
def _reach(name: str) -> tuple[float, ...]:
    """How wide the beginnings of a name are, by one letter each; asked anew at each zoom."""
    metrics = QFontMetricsF(font(*_FONT))
    return tuple(metrics.horizontalAdvance(name[: n + 1]) for n in range(len(name)))
