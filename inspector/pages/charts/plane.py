"""A plane with axes: where values lie on a drawing, its grid, and what a pointer reads."""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil, floor, log10

from msgspec import Struct

from inspector.pages.charts.drawing import Box, Label, Line, Shape
from inspector.wording.values import Value

SMALL = 10.0  # size of the words at an axis
_SIZES = tuple(
    (1024.0**n, f"{unit}B") for n, unit in ((3, "Gi"), (2, "Mi"), (1, "Ki"), (0, ""))
)
Ticks = tuple[tuple[float, str], ...]


class Plane(Struct, frozen=True):
    """A box in pixels for values from first to last across, and from low to high upwards."""

    left: float
    top: float
    right: float
    bottom: float
    high: float
    low: float = 0.0
    first: float = 0.0
    last: float = 1.0

    def x(self, value: float) -> float:
        """Return where a value is across."""
        share = (value - self.first) / (self.last - self.first)
        return self.left + share * (self.right - self.left)

    def y(self, value: float) -> float:
        """Return how far down a value is; those beyond the axis are at its ends."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.bottom - share * (self.bottom - self.top)

    def level(self, value: float, stroke: str, dashed: bool = False) -> Line:
        """Return a line across at a value."""
        y = self.y(value)
        return Line(((self.left, y), (self.right, y)), stroke, dashed=dashed)

    def upright(self, value: float, stroke: str, dashed: bool = False) -> Line:
        """Return a line from the top to the bottom at a value."""
        x = self.x(value)
        return Line(((x, self.top), (x, self.bottom)), stroke, dashed=dashed)

    def grid(self, ticks: Iterable[tuple[float, str]]) -> Iterator[Shape]:
        """Yield a line across for each tick, with its words at the left."""
        for value, text in ticks:
            yield self.level(value, "grid" if value else "border")
            yield Label(self.left - 8, self.y(value) + 4, text, "tertiary", SMALL, anchor="end")

    def foot(self, first: Value, last: Value, middle: Value = "") -> Iterator[Label]:
        """Yield words below both ends of the plane and below its middle."""
        y, center = self.bottom + 14, (self.left + self.right) / 2
        yield Label(self.left, y, first, "tertiary", SMALL)
        yield Label(self.right, y, last, "tertiary", SMALL, anchor="end")
        yield Label(center, y, middle, "tertiary", SMALL, anchor="middle")

    def columns(self, titles: Sequence[Value], keys: Sequence[str]) -> Iterator[Box]:
        """Yield clear boxes side by side, one above each whole number from 0 on: what a
        pointer reads there, and what a click chooses."""
        for place, (title, key) in enumerate(zip(titles, keys, strict=True)):
            left, right = self.x(place - 0.5), self.x(place + 0.5)
            box = (left, self.top, right - left, self.bottom - self.top)
            yield Box(*box, "surface", 0.0, title, key=key)


def round_step(rough: float) -> float:
    """Return 1, 2 or 5 times a power of ten: the first that is not much less than `rough`."""
    power = 10.0 ** floor(log10(rough))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= 0.8 * rough)


def numbers(low: float, high: float, most: int) -> Ticks:
    """Return round numbers between two, about `most` of them."""
    step = round_step((high - low) / most)
    places = range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)
    return tuple((n * step, f"{n * step:,.6g}") for n in places)


def sizes(low: float, high: float, most: int) -> Ticks:
    """Return round numbers of bytes between two, in one unit; `units.axis` has instants."""
    scale, unit = next(pair for pair in _SIZES if pair[0] <= max(high, 1.0))
    ticks = numbers(low / scale, high / scale, most)
    return tuple((value * scale, f"{text} {unit}") for value, text in ticks)
