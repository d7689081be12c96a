"""A number for each layer, whatever it measures: values, unit and colors."""

from enum import Enum

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from inspector import units


class Quantity(Enum):
    """The kind of a number, which decides how it is written."""

    BYTES = "bytes"
    COUNT = "count"
    SHARE = "share"
    TIME = "time"
    PLAIN = "plain"


class ColorStop(Struct, frozen=True):
    """A color at a number: at most this number for a threshold, 0 to 1 for a gradient.

    color: as CSS writes it, by name or as #rrggbb.
    """

    at: float
    color: str


class LayerNumbers(Struct, frozen=True, eq=False):
    """Numbers of the layers of a model.

    values: float64 (layers,), NaN for a layer without one. adds_up: whether the number of a
    scope is the sum of its layers'; else it is the largest. thresholds, gradient: colors that
    came with the numbers; without, the theme's. unmatched: names that no layer has.
    diverging: a difference, whose colors tell below zero from above. clock_ns: of times, the
    step of the clock that measured them; shorter ones are written as below it. labels: of a
    choice, such as a device, what the numbers 0, 1, ... mean.
    """

    title: str
    values: NDArray[np.float64]
    quantity: Quantity = Quantity.PLAIN
    adds_up: bool = True
    thresholds: tuple[ColorStop, ...] = ()
    gradient: tuple[ColorStop, ...] = ()
    unmatched: tuple[str, ...] = field(default=())
    diverging: bool = False
    clock_ns: int = 0
    labels: tuple[str, ...] = ()

    @property
    def known(self) -> int:
        """Return how many layers have a number."""
        return int(np.count_nonzero(~np.isnan(self.values)))

    @property
    def range(self) -> tuple[float, float]:
        """Return the smallest and the largest number; zeros if there is none."""
        known = self.values[~np.isnan(self.values)]
        return (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)

    def written(self, value: float) -> str:
        """Return a number as text, with its unit; a difference with its sign."""
        if self.labels:
            return self.labels[min(max(0, round(value)), len(self.labels) - 1)]
        if self.diverging:
            sign = "+" if value > 0 else "−" if value < 0 else ""
            return f"{sign}{self._plain(abs(value))}"
        return self._plain(value)

    def _plain(self, value: float) -> str:
        match self.quantity:
            case Quantity.BYTES:
                return units.size(value)
            case Quantity.COUNT:
                return units.count(round(value))
            case Quantity.SHARE:
                return f"{100 * value:.3g}%"
            case Quantity.TIME:
                return units.duration(value, self.clock_ns)
            case Quantity.PLAIN:
                return f"{value:.4g}"
