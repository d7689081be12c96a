"""Names of spans on their boxes, cut to what fits."""

from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PySide6.QtGui import QFontMetricsF, QPainter

from inspector import look, units
from inspector.strip import Shares
from inspector.trace import Trace
from inspector.ui.kit.theme import font
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
    rooms, lefts = room[some].astype(np.intp).tolist(), (begin[some] + 6).tolist()
    middles, copies = boxes.middle[some].tolist(), boxes.copies[some].tolist()
    fills = [boxes.fills[n] for n in some.tolist()]
    tints = {fill: _on_top(fill) for fill in set(fills)}
    told: dict[str, list[Placed]] = {"": []}
    rows = zip(names, scoped, rooms, lefts, middles, fills, copies, strict=True)
    for name, layer, wide, left, middle, fill, copy in rows:
        text = _fitting(trace.names[name], layer, wide)
        if text is not None:
            told.setdefault(fill if copy else "", []).append((text, left, middle, tints[fill]))
    for ground, words in told.items():  # which takes the hatching away from behind a name
        write(painter, words, ground)


def _least_room(room: Shares) -> float:
    """How much room a name needs, in coarse steps, so that few change as the view moves."""
    least = LABELLED - _AROUND
    while np.count_nonzero(room >= least) > _CROWD:
        least *= _WIDER
    return least


@lru_cache(maxsize=64)
def _on_top(fill: str) -> str:
    return look.on_top(fill)


@lru_cache(maxsize=8192)
def _fitting(name: str, scoped: bool, width: int) -> Laid | None:
    """What fits best of a name; only layers lie in scopes."""
    clipped = units.clip(name, 120)
    return fitting(units.scope_and_name(clipped)[1] if scoped else clipped, width)


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
