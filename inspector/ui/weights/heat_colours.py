"""Numbers as colours: one hue below zero, another above, and the surface's own at zero."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inspector.look import Palette

_CALM = 0.995  # share of the values within the scale; a few large ones would hide the rest
_LEVELS = 255


@dataclass(frozen=True, slots=True)
class Scale:
    """What the colours mean: from -limit over 0 to limit, shown from low to high.

    low, high: the smallest and the largest value. Beyond the limit the colour stays.
    """

    low: float
    high: float
    limit: float


def scale(values: NDArray[np.float64]) -> Scale | None:
    """The scale for some values; None without a finite one."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return None
    low, high = float(finite.min()), float(finite.max())
    sizes = np.abs(finite)
    limit = float(np.quantile(sizes, _CALM)) or max(abs(low), abs(high))
    return Scale(low, high, limit or 1.0)


def colours(palette: Palette) -> NDArray[np.uint32]:
    """0xFFRRGGBB from the lowest over zero to the highest, then that of NaN: uint32 (256,)."""
    below = ("#8A3A04", "#E08A3C") if not palette.dark else ("#FFD9A0", "#B8701F")
    above = ("#12398F", "#5B8DEF") if not palette.dark else ("#BFD8FF", "#2F6FE4")
    zero = palette.window if not palette.dark else palette.raised
    stops = [_channels(c) for c in (below[0], below[1], zero, above[1], above[0])]
    places = np.linspace(0, 4, _LEVELS)
    mixed = [np.interp(places, np.arange(5), [stop[k] for stop in stops]) for k in range(3)]
    red, green, blue = (channel.round().astype(np.uint32) for channel in mixed)
    table = np.uint32(0xFF000000) | red << 16 | green << 8 | blue
    odd = _channels(palette.npu)
    last = 0xFF000000 | int(odd[0]) << 16 | int(odd[1]) << 8 | int(odd[2])
    return np.append(table, np.uint32(last)).astype(np.uint32)


def pixels(
    values: NDArray[np.float64], scale: Scale, table: NDArray[np.uint32]
) -> NDArray[np.uint32]:
    """One pixel for each value, 0xFFRRGGBB; NaN has the last colour of the table."""
    middle = _LEVELS // 2
    with np.errstate(invalid="ignore", over="ignore"):
        places = np.clip(values / scale.limit, -1, 1) * middle + middle
    places = np.where(np.isnan(places), _LEVELS, places)
    return table[places.round().astype(np.intp)]


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
