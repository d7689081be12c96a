"""A stretch of the trace as boxes of lanes, in percent of its length."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.export.charts import axis_text, round_step
from inspector.report import PerformanceReport
from inspector.trace import KINDS, Kind, Lane, Span, Trace, nesting

Rows = NDArray[np.intp]

ROW_PX, GAP_PX, BAR_PX = 22, 3, 7
MOST_ROWS = 6
CELLS = 1200  # spans narrower than 1 / CELLS of the stretch are drawn together
_LETTER_PX, _MARGIN_PX = 6.0, 13.0
_WIDTHS = range(400, 1201, 80)
_HATCHED = {Kind.COPY, Kind.LAYOUT}


@dataclass(frozen=True, slots=True)
class Box:
    """A span to draw: left and width in percent, top and height in pixels.

    look: classes of the style sheet. wide: the lane's width in pixels from which the label
    fits; 0 when it never does. solid: share of the box that is really covered, 0 to 1.
    """

    left: float
    width: float
    top: int
    height: int
    look: str
    label: str
    wide: int
    title: str
    solid: float = 1.0


@dataclass(frozen=True, slots=True)
class Strip:
    """One lane, or one unit of the compute lane. total_ns: time of its outermost spans."""

    name: str
    family: str
    total_ns: int
    height: int
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of the time axis: place in percent, and its text."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """One whole profiled prediction. run counts from 1; spans are all it has."""

    run: int
    runs: int
    length_ns: int
    spans: int
    ticks: tuple[Tick, ...]
    strips: tuple[Strip, ...]


def stretch(report: PerformanceReport) -> Stretch | None:
    """Take the profiled prediction of middle length; None when the trace has none."""
    trace = report.trace
    runs = np.unique(trace.run[trace.run >= 0])
    if not len(runs):
        return None
    edges = [_edges(trace, trace.run == run) for run in runs]
    by_length = sorted(range(len(runs)), key=lambda i: edges[i][1] - edges[i][0])
    middle = by_length[(len(runs) - 1) // 2]  # as `detail.representative`
    start, end = edges[middle]
    shown = trace.run == runs[middle]
    air = (end - start) // 100 + 1
    length = end - start + 2 * air
    strips = tuple(
        _strip(
            trace, index, np.flatnonzero(shown & (trace.track == index)), start - air, length
        )
        for index in range(len(trace.tracks))
    )
    return Stretch(
        int(runs[middle]) + 1,
        len(runs),
        end - start,
        int(shown.sum()),
        _ticks(length, air),
        strips,
    )


def _edges(trace: Trace, mine: NDArray[np.bool_]) -> tuple[int, int]:
    start = trace.start_ns[mine]
    return int(start.min()), int((start + trace.duration_ns[mine]).max())


def _ticks(length_ns: int, air_ns: int, wanted: int = 8) -> tuple[Tick, ...]:
    """Marks at round times, but for those at the edges, where their text would be cut."""
    step = round_step(length_ns / wanted)
    places = np.arange(1, length_ns / step) * step
    at = (places + air_ns) / length_ns * 100
    return tuple(
        Tick(float(percent), axis_text(float(place), length_ns))
        for place, percent in zip(places, at, strict=True)
        if 3 < percent < 97
    )


def _strip(trace: Trace, index: int, rows: Rows, start: int, length: int) -> Strip:
    track = trace.tracks[index]
    bars = trace.kind[rows] == KINDS.index(Kind.PARTITION)
    kernels = rows[~bars]
    depth = nesting(
        trace.start_ns[kernels], trace.duration_ns[kernels], np.zeros(len(kernels), np.int64)
    )
    top = BAR_PX + 2 if bars.any() else 0
    deepest = min(int(depth.max(initial=0)), MOST_ROWS - 1)
    boxes = [
        box
        for row in range(deepest + 1)
        for box in _row(trace, kernels[depth == row], start, length, row, top)
    ]
    boxes += [_box(trace, i, start, length, 0, BAR_PX, "partition") for i in rows[bars]]
    total = int(trace.duration_ns[kernels[depth == 0]].sum())
    height = top + (deepest + 1) * (ROW_PX + GAP_PX) - GAP_PX
    return Strip(track.name, track.family, total, height, tuple(boxes))


def _row(trace: Trace, rows: Rows, start: int, length: int, row: int, top: int) -> list[Box]:
    """Boxes of one depth; of the narrow spans in a cell the longest stands for all."""
    look, place = ("inner" if row else ""), top + row * (ROW_PX + GAP_PX)
    cell = max(1, length // CELLS)
    narrow = trace.duration_ns[rows] < cell
    boxes = [_box(trace, i, start, length, place, ROW_PX, look) for i in rows[~narrow]]
    small = rows[narrow]
    changes = np.flatnonzero(np.diff((trace.start_ns[small] - start) // cell)) + 1
    for crowd in np.split(small, changes) if len(small) else []:
        longest = crowd[trace.duration_ns[crowd].argmax()]
        box = _box(trace, longest, start, length, place, ROW_PX, look)
        boxes.append(_crowd(box, trace, crowd, cell, length))
    return boxes


def _crowd(box: Box, trace: Trace, crowd: Rows, cell: int, length: int) -> Box:
    covered = min(1.0, float(trace.duration_ns[crowd].sum()) / cell)
    more = f" and {len(crowd) - 1:,} more" if len(crowd) > 1 else ""
    return Box(
        box.left, 100 * cell / length, box.top, box.height, f"{box.look} narrow".strip(), "", 0,
        box.title + more, max(0.35, covered),
    )  # fmt: skip


def _box(
    trace: Trace, index: np.intp, start: int, length: int, top: int, height: int, look: str
) -> Box:
    span = trace.span(int(index))
    width = 100 * span.duration_ns / length
    looks = [look, "copy" if span.kind in _HATCHED else ""]
    plain = look != "partition" and "copy" not in looks
    label, wide = _label(span, width) if plain else ("", 0)
    moved = f", {units.size(span.size_bytes)}" if span.size_bytes else ""
    title = (
        f"{units.clip(span.name, 120)}: {span.kind.value}, {units.duration(span.duration_ns)}"
    )
    return Box(
        100 * (span.start_ns - start) / length, width, top, height,
        " ".join(filter(None, looks)), label, wide, title + moved,
    )  # fmt: skip


def _label(span: Span, width: float) -> tuple[str, int]:
    """The most that fits in a lane of usual width, and from which width on it does."""
    leaf = span.name if span.track.lane is Lane.ACTIVITY else units.scope_and_name(span.name)[1]
    for text in (units.clip(leaf, 40), span.kind.value if span.track.lane is Lane.DATA else ""):
        needed = (len(text) * _LETTER_PX + _MARGIN_PX) * 100 / max(width, 1e-6)
        wide = next((limit for limit in _WIDTHS if needed <= limit), 0)
        if text and wide:
            return text, wide
    return "", 0
