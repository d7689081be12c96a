"""Memory of activations over one run: computed as an area, measured as a line."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.pages.charts.drawing import (
    LEGEND_GAP,
    MARGIN,
    Drawing,
    Label,
    Line,
    Point,
    Shape,
    legend,
    text_width,
)
from inspector.pages.charts.plane import Plane, sizes
from inspector.wording.values import Joined, Name, Sentence, Size, Value

# pixels
_LEFT = 74.0
_TOP = 32.0
_TALL = 136.0
_FOOT = 22.0
_TINT = 0.45  # opacity of what is computed, not measured
_TICKS = 4
_MOST_LAYERS = 20_000  # with more of them, no pointer reads one
_ROOM = 1.05  # of the axis, above the highest value


def activations_plot(
    live: NDArray[np.int64],
    measured: NDArray[np.float64],
    peak: int | None,
    names: Sequence[str],
    width: float,
) -> Drawing:
    """Draw layers from left to right, bytes upwards; the key of a layer is its index.

    live: computed bytes while each layer runs, int64 (layers,). measured: bytes after each,
    NaN where unknown. peak: the layer with the most bytes.
    """
    known = ~np.isnan(measured)
    most = _ROOM * max(1.0, live.max(initial=0), np.nan_to_num(measured).max(initial=0.0))
    plane = Plane(
        _LEFT, _TOP, width - MARGIN, _TOP + _TALL, most, 0, -0.5, max(1, len(live)) - 0.5
    )
    titles = [
        _said(name, int(size), float(held))
        for name, size, held in zip(names, live, measured, strict=True)
    ]
    keys = list(map(str, range(len(titles))))
    area = _steps(plane, live.astype(np.float64))
    corners = (plane.right, plane.bottom), (plane.left, plane.bottom)
    shapes: list[Shape] = [
        *(plane.columns(titles, keys) if len(titles) <= _MOST_LAYERS else ()),
        *plane.grid(sizes(0, most, _TICKS)),
        Line((*area, *corners), "cpu", 0.0, fill=_TINT),
        *plane.foot(Sentence("first layer"), Sentence("last layer")),
    ]
    entries: list[tuple[Value, str]] = [(Sentence("activations"), "cpu")]
    if known.any():
        last = np.maximum.accumulate(np.where(known, np.arange(len(measured)), 0))
        shapes.append(Line(_steps(plane, np.nan_to_num(measured[last])), "data", 1.5))
        entries.append((Sentence("arena"), "data"))
    wide = sum(text_width(name) + LEGEND_GAP for name, _ in entries)
    middle = (plane.left + plane.right - wide) / 2
    shapes += legend(entries, width, plane.bottom + 16, _TINT, middle)
    if peak is not None:
        x = plane.x(peak)
        text = Sentence("Peak {size}", Size(int(live[peak])))
        half = text_width(text, bold=True) / 2
        at = min(max(x, plane.left + half), plane.right - half)
        shapes.append(plane.upright(peak, "bad", dashed=True))
        shapes.append(Label(at, plane.top - 8, text, "bad", bold=True, anchor="middle"))
    return Drawing("", width, plane.bottom + _FOOT, tuple(shapes))


def _steps(plane: Plane, values: NDArray[np.float64]) -> tuple[Point, ...]:
    """Return a line that is level above each layer; of many layers the most of each pixel."""
    columns = max(1, min(len(values), int(plane.right - plane.left)))
    starts = np.linspace(0, len(values), columns, endpoint=False).astype(np.intp)
    heights = [plane.y(value) for value in np.maximum.reduceat(values, starts).tolist()]
    edges = np.linspace(plane.left, plane.right, columns + 1).tolist()
    return tuple(
        (edges[place + end], height) for place, height in enumerate(heights) for end in (0, 1)
    )


def _said(name: str, computed: int, measured: float) -> Value:
    facts: list[Value] = [
        Name(units.clip(name, 80)), Sentence("Computed: {size}", Size(computed))
    ]  # fmt: skip
    if not np.isnan(measured):
        facts.append(Sentence("Measured: {size}", Size(round(measured))))
    return Joined(tuple(facts), "\n")
