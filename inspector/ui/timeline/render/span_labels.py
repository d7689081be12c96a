"""Names of spans on their boxes, cut to what fits."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PySide6.QtGui import QPainter

from inspector import units
from inspector.export.charts import palette
from inspector.model.display_names import elided, fit_line
from inspector.trace.intervals import Shares
from inspector.trace.trace import Trace
from inspector.ui.timeline.model.column_coverage import Places
from inspector.ui.timeline.render.row_raster import Flags
from inspector.ui.timeline.render.text_cache import Laid, Placed, advance, laid, write

LABELLED = 26.0
_CROWD, _WIDER = 140, 1.25  # so many names are read at a glance, and cost 2 ms of a frame
_AROUND, _DOTS, _FONT = 9, "…", (11, 500)
_LEAST_LETTERS = 3  # with the dots; less of a name tells nothing
_SCOPES = re.compile(r"[./]")


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """M spans in pixels of the widget; middle: of their height.

    tints: '#RRGGBB'. tint: which of these each has: int (M,).
    """

    spans: Places
    left: Shares
    width: Shares
    middle: Shares
    tints: Sequence[str]
    tint: Places
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
    tints = _inks(tuple(boxes.tints))
    plain = list[Placed]()
    told = {"": plain}
    chosen = boxes.tint[some].tolist()
    rows = zip(names, scoped, rooms, lefts, middles, chosen, copies, strict=True)
    for name, layer, wide, left, middle, tint, copy in rows:
        text: Laid | None = _whole(trace.names[name], layer)
        if text is not None and text.width > wide:
            text = _cut(text.text, wide)
        if text is not None:
            fill, ink = tints[tint]
            words = told.setdefault(fill, []) if copy else plain
            words.append((text, left, middle, ink))
    for ground, words in told.items():  # which takes the hatching away from behind a name
        write(painter, words, ground)


def _least_room(room: Shares) -> float:
    """How much room a name needs, in coarse steps, so that few change as the view moves."""
    least = LABELLED - _AROUND
    while np.count_nonzero(room >= least) > _CROWD:
        least *= _WIDER
    return least


@lru_cache(maxsize=16)
def _inks(fills: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Some colours, each with that of a name on it."""
    return tuple((fill, palette.on_top(fill)) for fill in fills)


@lru_cache(maxsize=8192)
def _whole(name: str, scoped: bool) -> Laid | None:
    """What is told of a name, where there is room for it; only layers lie in scopes."""
    clipped = units.clip(name, 120)
    scope, leaf = units.scope_and_name(clipped) if scoped else ("", clipped)
    inner = _SCOPES.split(scope)[-1]
    told = f"{inner}/{leaf}" if inner else leaf
    return laid(told, *_FONT) if told else None


@lru_cache(maxsize=8192)
def _cut(name: str, width: int) -> Laid | None:
    """Return a name cut to a width in pixels, laid out; None when too little is left of it.

    A narrow span says the block that it is of: five times the same leaf would tell nothing.
    """
    scope, between, leaf = name.partition("/")
    if between and leaf:
        told = fit_line(name, width, _advance)
        if _DOTS not in told and _advance(told) <= width:
            return laid(told, *_FONT)
        name = scope
    told = elided(name, width, _advance)
    return laid(told, *_FONT) if len(told) > _LEAST_LETTERS else None


def _advance(text: str) -> float:
    return advance(text, *_FONT)
