"""Lines over settings with their spread, as values that a window and a file draw alike."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inspector import units
from inspector.analysis.measured import sweep_results
from inspector.analysis.measured.sweep_results import Candidate
from inspector.export.tables.sweep_tables import axis_words, value_words
from inspector.report.report import Throughput
from inspector.report.sweep import MODEL, Cell, Sweep

TINTS = ("activity", "data", "cpu", "gpu", "npu", "good", "caution")
REACH = 2.2  # one hiccup must not press all else to the ground: longer bars are cut
_SCALES = ((1e3, 1.0, "ns"), (1e6, 1e3, "µs"), (1e9, 1e6, "ms"), (float("inf"), 1e9, "s"))


@dataclass(frozen=True, slots=True)
class Curve:
    """Points of one series. low, high: its spread at each; empty for none.

    names: words at single points. filled: which points are; empty for all.
    """

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    names: tuple[str, ...] = ()
    joined: bool = True
    filled: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class Axes:
    """Titles, and words at places of the horizontal axis; empty: numbers, from zero.

    y: what goes up and in which unit, "Median in ms".
    """

    x: str
    y: str
    ticks: tuple[tuple[float, str], ...] = ()


Curves = tuple[tuple[Curve, ...], Axes]


def top_of(curves: Sequence[Curve]) -> float:
    """How far up the points and their bars go, very long bars cut."""
    middles = [y for one in curves for y in one.y] or [1.0]
    bars = [y for one in curves for y in one.high] or middles
    return max(max(middles), min(max(bars), REACH * max(middles))) or 1.0


def over_settings(
    sweep: Sweep, rows: Sequence[Sequence[Cell]], across: int, down: int | None
) -> Curves:
    """A curve for each row of cells; `across` and `down` are axes of the sweep."""
    axis = sweep.axes[across]
    known = [
        m for row in rows for cell in row if (m := sweep_results.median_ns(cell)) is not None
    ]
    scale, unit = _scale(max(known, default=1.0))
    curves = []
    for number, row in enumerate(rows):
        name = ""
        if down is not None:
            other = sweep.axes[down]
            name = value_words(other.name, other.values[number])
            if other.name != MODEL:
                name = f"{axis_words(other.name)} {name}"
        curves.append(_curve(name, row, scale))
    ticks = tuple((float(x), value_words(axis.name, v)) for x, v in enumerate(axis.values))
    return tuple(curves), Axes(
        _title(axis_words(axis.name)), f"Median latency in {unit}", ticks
    )


def under_load(points: Sequence[Throughput]) -> Curves:
    """Latency by predictions a second: the median, and what 95 of 100 stay below."""
    scale, unit = _scale(max((p.quantile_ns(0.95) for p in points), default=1))
    rates = tuple(p.per_second for p in points)
    curves = tuple(
        Curve(
            name,
            rates,
            tuple(p.quantile_ns(q) / scale for p in points),
            names=tuple(f"{p.concurrency} concurrent" for p in points) if q > 0.5 else (),
        )
        for name, q in (("p50", 0.5), ("p95", 0.95))
    )
    return curves, Axes("Inferences/s", f"Latency in {unit}")


def choices(candidates: Sequence[Candidate]) -> Curves:
    """Models by size and latency, those on the front filled."""
    scale, unit = _scale(max((one.median_ns for one in candidates), default=1))
    front = sweep_results.front(candidates)
    mib = max((one.size_bytes for one in candidates), default=0) >= 1 << 20
    curve = Curve(
        "models",
        tuple(one.size_bytes / (1 << 20 if mib else 1 << 10) for one in candidates),
        tuple(one.median_ns / scale for one in candidates),
        names=tuple(f"{units.clip(one.name, 40)}, {_near(one)}" for one in candidates),
        joined=False,
        filled=tuple(place in front for place in range(len(candidates))),
    )
    size = "MiB" if mib else "KiB"
    return (curve,), Axes(f"File size in {size}", f"Median latency in {unit}")


def _curve(name: str, cells: Sequence[Cell], scale: float) -> Curve:
    columns = list(zip(*_points(cells), strict=True)) or [(), (), (), ()]
    y, low, high = (tuple(v / scale for v in column) for column in columns[1:])
    return Curve(name, tuple(columns[0]), y, low, high)


def _points(cells: Sequence[Cell]) -> Iterator[tuple[float, float, float, float]]:
    for x, cell in enumerate(cells):
        middle, wide = sweep_results.median_ns(cell), sweep_results.spread(cell)
        if middle is not None and wide is not None:
            yield float(x), middle, wide.p5_ns, wide.p95_ns


def _scale(largest_ns: float) -> tuple[float, str]:
    """What to divide nanoseconds by, and the unit that this gives."""
    return next((scale, unit) for limit, scale, unit in _SCALES if largest_ns < limit)


def _near(one: Candidate) -> str:
    if one.agreement is None:
        return units.size(one.size_bytes)
    return "reference" if one.agreement == float("inf") else f"{one.agreement:.0f} dB"


def _title(words: str) -> str:
    return words[:1].upper() + words[1:]
