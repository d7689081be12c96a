"""The heat map of a sweep as a drawing: medians over two axes, the best with a ring."""

from math import log

from inspector import units
from inspector.analysis import sweeps
from inspector.export.drawing import Box, Drawing, Shape, Words, below_each_other, fitting
from inspector.export.sweep_tables import axis_words, value_words
from inspector.look import LIGHT, mix, on_top
from inspector.sweep import Cell, State, Sweep

_HIGH, _APART, _LEFT, _TOP, _WIDTH, _MARGIN = 48, 3, 110, 62, 720, 16
_STATES = {State.FAILED: "failed", State.SKIPPED: "skipped", State.PENDING: "not measured"}
MOST_MAPS = 24


def heat_plot(sweep: Sweep) -> Drawing:
    """One map for each combination of the axes beyond the two longest; at most 24."""
    sizes = [len(axis.values) for axis in sweep.axes]
    if not sizes:
        words = Words(_MARGIN, 24, "A sweep without axes has one cell.")
        return Drawing("Heat map", _WIDTH, 40, (words,))
    order = sorted(range(len(sizes)), key=lambda i: -sizes[i])
    across, down = order[0], order[1] if len(order) > 1 else None
    apart = [i for i in range(len(sizes)) if i not in (across, down)]
    seen = dict.fromkeys(tuple(cell.at[i] for i in apart) for cell in sweep.cells)
    maps = tuple(
        _map(sweep, across, down, dict(zip(apart, fixed, strict=True)))
        for fixed in list(seen)[:MOST_MAPS]
    )
    return below_each_other("Heat map", maps)


def _map(sweep: Sweep, across: int, down: int | None, fixed: dict[int, int]) -> Drawing:
    mine = [c for c in sweep.cells if all(c.at[i] == place for i, place in fixed.items())]
    columns = sweep.axes[across].values
    rows = sweep.axes[down].values if down is not None else ("",)
    wide = (_WIDTH - _LEFT - _MARGIN) / len(columns)
    told = [
        f"{axis_words(sweep.axes[i].name)} {value_words(sweep.axes[i].name, value)}"
        for i, place in fixed.items()
        for value in (sweep.axes[i].values[place],)
    ]
    title = ", ".join(told) or "Median, and where nine of ten predictions lie"
    shapes: list[Shape] = [Words(_MARGIN, 22, fitting(title, _WIDTH - 40), size=12, bold=True)]
    named = (sweep.axes[across].name, sweep.axes[down].name if down is not None else "")
    shapes.append(
        Words(_LEFT - 10, _TOP - 8, axis_words(named[0]), "tertiary", 10, anchor="end")
    )
    for place, value in enumerate(columns):
        words = fitting(value_words(named[0], value), wide - 6)
        x = _LEFT + (place + 0.5) * wide
        shapes.append(Words(x, _TOP - 8, words, "secondary", anchor="middle"))
    for place, value in enumerate(rows):
        y = _TOP + place * (_HIGH + _APART) + _HIGH / 2
        if down is not None:
            name, text = axis_words(named[1]), value_words(named[1], value)
            shapes.append(Words(_LEFT - 10, y, fitting(text, 90), "secondary", anchor="end"))
            small = fitting(name, 90, 9)
            shapes.append(Words(_LEFT - 10, y + 13, small, "tertiary", 9, anchor="end"))
    for cell in mine:
        at_row = cell.at[down] if down is not None else 0
        x, y = _LEFT + cell.at[across] * wide, _TOP + at_row * (_HIGH + _APART)
        shapes += _cell(sweep, cell, x, y, wide - _APART)
    tall = _TOP + len(rows) * (_HIGH + _APART) + 14
    return Drawing(title, _WIDTH, tall, tuple(shapes))


def _cell(sweep: Sweep, cell: Cell, x: float, y: float, wide: float) -> list[Shape]:
    middle = sweeps.median_ns(cell)
    if middle is None:
        why = units.clip(cell.why)
        words = _STATES.get(cell.state, "")
        empty = Box(x, y, wide, _HIGH, "track", 0.5, why, 4)
        centre = Words(x + wide / 2, y + 28, words, "tertiary", 10, anchor="middle")
        return [empty, centre]
    known = [m for c in sweep.cells if (m := sweeps.median_ns(c)) is not None]
    low, high = min(known), max(known)
    far = log(middle / low) / log(high / low) if high > low else 0.0
    fill = mix(LIGHT.activity, mix(LIGHT.surface, LIGHT.data, 0.35), far)
    ring = "text" if cell is sweeps.best(sweep) else ""
    ink, spread = on_top(fill), sweeps.spread(cell)
    shapes: list[Shape] = [
        Box(x + 1, y + 1, wide - 2, _HIGH - 2, fill, radius=4, edge=ring),
        Words(x + wide / 2, y + 22, units.duration(middle), ink, 12, True, "middle"),
    ]
    if spread is not None:
        words = f"{units.duration(spread.p5_ns)} to {units.duration(spread.p95_ns)}"
        if len(words) * 5 < wide:
            shapes.append(Words(x + wide / 2, y + 37, words, ink, 9, anchor="middle"))
    return shapes
