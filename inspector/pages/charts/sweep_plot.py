"""The plots of a sweep as drawings: heat maps, lines, and which model to take."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from math import log

from msgspec import Struct

from inspector import units
from inspector.analysis.measured import sweep_results
from inspector.analysis.measured.sweep_labels import axis_label, settings_label, value_label
from inspector.analysis.measured.sweep_results import Candidate
from inspector.errors import BadInput
from inspector.pages.charts.curves import choices, curve_plot, on_machines, over_settings
from inspector.pages.charts.drawing import (
    MARGIN,
    Box,
    Drawing,
    Label,
    Shape,
    below_each_other,
    fitting,
    head,
    text_width,
)
from inspector.report.sweep import Cell, CellIndex, CellState, Sweep

WIDTH = 720.0
_HIGH = 48
_APART = 3
_LEFT = 110
_TOP = 62
_WIDEST_PX = 260.0  # of a cell
# opacity of a cell; text stays readable
_FAINTEST = 0.08
_FULLEST = 0.64
_STATES = {
    CellState.FAILED: "failed",
    CellState.SKIPPED: "skipped",
    CellState.PENDING: "not measured",
}
MOST_MAPS = 24


class Seen(Struct, frozen=True):
    """The visible slice of a sweep: two axes, and a fixed value for each other axis."""

    across: int
    down: int | None
    fixed: CellIndex


def slices(sweep: Sweep) -> tuple[Seen, ...]:
    """The two longest axes, once for each combination of the others."""
    sizes = [len(axis.values) for axis in sweep.axes]
    order = sorted(range(len(sizes)), key=lambda i: -sizes[i])
    if not order:
        return ()
    across, down = order[0], order[1] if len(order) > 1 else None
    apart = set(order[2:])
    fixed = (
        tuple(place if i in apart else 0 for i, place in enumerate(cell.at))
        for cell in sweep.cells
    )
    return tuple(Seen(across, down, each) for each in dict.fromkeys(fixed))


def heat_plot(sweep: Sweep, view: Seen | None = None, width: float = WIDTH) -> Drawing:
    """Draw a heat map of the visible slice, or one for each of `slices`, at most 24."""
    return _each("Heat map", sweep, view, _map, width)


def lines_plot(sweep: Sweep, view: Seen | None = None, width: float = WIDTH) -> Drawing:
    """Lines across one axis, one for each value of the other; as many as `heat_plot` maps."""
    return _each("Lines", sweep, view, _lines, width)


def choice_plot(candidates: Sequence[Candidate], width: float = WIDTH) -> Drawing:
    """Models by size, latency and agreement."""
    note = "filled: Pareto-optimal (size, latency, agreement)"
    return curve_plot("Model size and latency", choices(candidates), note, width)


def key_of(cell: Cell) -> str:
    """Return the key of the box of a cell: its places on the axes, "1,0,2"."""
    return ",".join(map(str, cell.at))


def machines_plot(sweep: Sweep) -> Drawing:
    """Models by latency and memory on each machine. Raises BadInput: there are no machines."""
    if not sweep_results.by_machine(sweep):
        hint = "Measure on several machines: inspector sweep MODEL --on here,pi5"
        why = "the sweep does not cover multiple machines"
        raise BadInput("Could not draw the plot", why, hint)
    note = "filled: Pareto-optimal for the model (latency, peak memory)"
    return curve_plot("Latency and memory by machine", on_machines(sweep), note)


PLOTS: dict[str, Callable[[Sweep], Drawing]] = {
    "heat": heat_plot,
    "lines": lines_plot,
    "choice": lambda sweep: choice_plot(sweep_results.candidates(sweep)),
    "machines": machines_plot,
}


def plot(sweep: Sweep, name: str) -> Drawing:
    """Draw one of PLOTS. Raises BadInput: no such plot."""
    if name not in PLOTS:
        known = ", ".join(PLOTS)
        raise BadInput(
            "Could not draw the plot", f"sweeps have no '{name}' plot", f"Use {known}."
        )
    return PLOTS[name](sweep)


def rows_of(sweep: Sweep, view: Seen) -> tuple[tuple[Cell, ...], ...]:
    """Return the visible cells, row by row."""
    if view.down is not None:
        return sweep_results.slice_of(sweep, view.fixed, view.across, view.down)
    places = (
        (*view.fixed[: view.across], x, *view.fixed[view.across + 1 :])
        for x in range(len(sweep.axes[view.across].values))
    )
    return (tuple(sweep.by_place[place] for place in places),)


def _each(
    title: str, sweep: Sweep, view: Seen | None,
    draw: Callable[[Sweep, Seen, float], Drawing], width: float,
) -> Drawing:  # fmt: skip
    """Draw every slice in one drawing; of very many the first, and how many there are."""
    every = (view,) if view is not None else slices(sweep)
    drawn = [draw(sweep, each, width) for each in every[:MOST_MAPS]]
    text = "" if every else "Every setting of this sweep has a single value; nothing to plot."
    if len(every) > MOST_MAPS:
        left = units.plural(len(every) - MOST_MAPS, "more combination")
        text = f"and {left} of the other settings; the CSV export has all"
    if text:
        message = Label(MARGIN, 24, text, "secondary")
        drawn.append(Drawing(title, width, 40, (message,)))
    return below_each_other(title, tuple(drawn))


def _lines(sweep: Sweep, view: Seen, width: float) -> Drawing:
    curves = over_settings(sweep, rows_of(sweep, view), view.across, view.down)
    title = _fixed_settings_text(sweep, view) or _median_text(sweep)
    note = f"bars: p5 to p95 {sweep_results.common_kind(sweep)}".rstrip()
    return curve_plot(title, curves, note, width)


def _median_text(sweep: Sweep) -> str:
    return f"Median latency {sweep_results.common_kind(sweep)}".rstrip()


def _fixed_settings_text(sweep: Sweep, view: Seen) -> str:
    """Return the settings that all visible cells share."""
    labels = (
        f"{axis_label(axis.name)} {value_label(axis.name, axis.values[place])}"
        for i, (axis, place) in enumerate(zip(sweep.axes, view.fixed, strict=True))
        if i not in (view.across, view.down)
    )
    return ", ".join(labels)


def _map(sweep: Sweep, view: Seen, width: float) -> Drawing:
    across, down = view.across, view.down
    columns = sweep.axes[across].values
    rows = sweep.axes[down].values if down is not None else ("",)
    left = _LEFT if down is not None else MARGIN
    wide = min(_WIDEST_PX, (width - left - MARGIN) / len(columns))
    title = _fixed_settings_text(sweep, view) or f"{_median_text(sweep)}, p5 to p95 below"
    cells = tuple(chain.from_iterable(rows_of(sweep, view)))
    note = "outlined: fastest" if sweep_results.best(sweep) in cells else ""
    shapes: list[Shape] = [*head(fitting(title, width - 170), width, note)]
    named = (sweep.axes[across].name, sweep.axes[down].name if down is not None else "")
    if down is not None:
        text = axis_label(named[0])
        shapes.append(Label(left - 10, _TOP - 8, text, "tertiary", 10, anchor="end"))
    for place, value in enumerate(columns):
        shown, x = fitting(value_label(named[0], value), wide - 6), left + (place + 0.5) * wide
        shapes.append(Label(x, _TOP - 8, shown, "secondary", anchor="middle"))
    for place, value in enumerate(rows):
        y = _TOP + place * (_HIGH + _APART) + _HIGH / 2
        if down is not None:
            name, text = axis_label(named[1]), value_label(named[1], value)
            shapes.append(Label(left - 10, y, fitting(text, 90), "secondary", anchor="end"))
            small = fitting(name, 90, 9)
            shapes.append(Label(left - 10, y + 13, small, "tertiary", 9, anchor="end"))
    for cell in cells:
        at_row = cell.at[down] if down is not None else 0
        x, y = left + cell.at[across] * wide, _TOP + at_row * (_HIGH + _APART)
        shapes += _cell(sweep, cell, x, y, wide - _APART)
    tall = _TOP + len(rows) * (_HIGH + _APART) + 14
    return Drawing(title, width, tall, tuple(shapes))


def _cell(sweep: Sweep, cell: Cell, x: float, y: float, wide: float) -> Iterator[Shape]:
    """Yield the box of a cell: the faster, the fuller, by the logarithm of its time."""
    middle, key, settings = (
        sweep_results.median_ns(cell),
        key_of(cell),
        settings_label(sweep, cell),
    )
    if middle is None:
        why = units.clip(cell.why)
        label = _STATES.get(cell.state, "")
        title = f"{settings}: {why or label or cell.state}"
        yield Box(x, y, wide, _HIGH, "track", 0.5, title, 4, key=key)
        tint = "bad" if cell.state is CellState.FAILED else "tertiary"
        yield Label(x + wide / 2, y + 28, label, tint, 10, anchor="middle")
        return
    times = [m for c in sweep.cells if (m := sweep_results.median_ns(c)) is not None]
    low, high = min(times), max(times)
    share = log(high / middle) / log(high / low) if high > low else 1.0
    full = _FAINTEST + (_FULLEST - _FAINTEST) * share
    edge = "good" if cell is sweep_results.best(sweep) else ""
    spread, title = sweep_results.spread(cell), f"{settings}: {units.duration(middle)}"
    label = units.durations(spread.p5_ns, spread.p95_ns) if spread is not None else ""
    title += f", p5 to p95 {label}" if label else ""
    box = (x + 1, y + 1, wide - 2, _HIGH - 2)
    yield Box(*box, "accent", full, title, 4, edge, key)
    text = units.duration(middle)
    yield Label(x + wide / 2, y + 22, text, size=12, bold=True, anchor="middle")
    if label and text_width(label, 9) < wide:
        yield Label(x + wide / 2, y + 37, label, "text", 9, anchor="middle")
