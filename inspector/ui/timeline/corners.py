"""Round corners of the spans that are drawn one by one."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from inspector.strip import Shares
from inspector.ui.timeline.blocks import Corners, Pixels
from inspector.ui.timeline.near import Places

LOW = 9.0  # pixels, up to which a row has no labels and sharper corners
_THINNER, _EVEN = 4 / 7, np.uint32(0x00FF00FF)


@dataclass(frozen=True, slots=True, eq=False)
class Singles:
    """M spans that are drawn one by one, row by row, from left to right, and apart.

    row: int (M,). begin, end: in pixels of the picture. fill: opaque colours, uint32 (M,).
    copies: which are hatched, bool (M,).
    """

    row: Places
    begin: Shares
    end: Shares
    fill: Pixels
    copies: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """Both ends of M spans: the outermost columns of pixels that they reach into.

    at: int (M, 2), those of right ends inverted bitwise, so that both rise towards the middle.
    less: how many 256ths of each are not covered: int (M, 2).
    """

    at: Places
    less: Places


def ends_of(singles: Singles) -> Ends:
    """Where spans end, in 256ths of a pixel: no colour tells more than that."""
    sides = np.empty((len(singles.row), 2))
    np.multiply(singles.begin, 256, out=sides[:, 0])
    np.multiply(singles.end, -256, out=sides[:, 1])
    places = np.rint(sides, out=sides).astype(np.intp)
    return Ends(places >> 8, places & 255)


def round_off(
    singles: Singles,
    ends: Ends,
    tops: Sequence[int],
    heights: Sequence[int],
    under: Pixels,
    radius: float,
    ratio: float,
) -> list[Corners]:
    """Lay the ends of spans over the lines of R rows, uint32 (R, W), and round their corners.

    What they cover in part is mixed. Returns the pixels of corners, which differ from the
    lines. Spans are wider than two corners.
    """
    found, wide, flat = list[Corners](), under.shape[1], under.reshape(-1)
    for cut in _cuts(tuple(tops), tuple(heights), wide, radius, ratio):
        row, fill, at, less = singles.row, singles.fill, ends.at, ends.less
        if cut.rows is not None:
            some = np.flatnonzero(cut.rows[row])
            row, fill, at, less = row[some], fill[some], at[some], less[some]
        lines, _, near = cut.parts.shape
        parts = cut.parts.take(less.reshape(-1), axis=1).reshape(lines, -1)
        columns = at[:, :, None] + np.arange(near)
        np.invert(columns[:, 1], out=columns[:, 1])
        at = columns.reshape(-1)
        row, fill = row.repeat(2 * near), fill.repeat(2 * near)
        kept = np.flatnonzero(at.view(np.uintp) < wide)  # those at the left are huge
        if len(kept) < len(at):
            at, row, fill, parts = at[kept], row[kept], fill[kept], parts.take(kept, axis=1)
        places = row * wide
        places += at
        colours = over(fill, flat.take(places), parts)
        flat[places] = colours[-1]
        if lines > 1:
            outer = cut.lines.take(row, axis=2)
            outer += at
            found.append(Corners(row, outer, colours[:-1]))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Cut:
    """Corners of one radius. rows: which of R have them: bool (R,); None for all.

    lines: where the n outermost lines of each row begin if all lie end to end, from the top
    downwards, then from the bottom upwards: int (2, n, R). parts: 256ths that are covered of
    the columns near an end, by how many of the outermost one are not, on each of these lines
    and then on all others: uint32 (n + 1, 256, near).
    """

    rows: NDArray[np.bool_] | None
    lines: Places
    parts: Pixels


@lru_cache(maxsize=16)
def _cuts(
    tops: tuple[int, ...], heights: tuple[int, ...], wide: int, radius: float, ratio: float
) -> tuple[_Cut, ...]:
    """The corners of low rows and of the others, where there are any."""
    low, found = np.array(heights) <= LOW * ratio, list[_Cut]()
    for thin in np.unique(low).tolist():
        insets = _insets(radius * (_THINNER if thin else 1) * ratio)
        down = np.arange(len(insets))[:, None]
        lines = np.stack((np.array(tops) + down, np.add(tops, heights) - 1 - down)) * wide
        rows = None if (low == thin).all() else low == thin
        found.append(_Cut(rows, lines, _covered(np.array([*insets, 0.0]))))
    return tuple(found)


def _covered(insets: Shares) -> Pixels:
    """What lines of pixels cover of columns, for each place of an end, as `_Cut` has it."""
    near = np.arange(math.ceil(insets[0]) + 1)
    begin = insets[:, None, None] + np.arange(256)[:, None] / 256
    parts: Shares = np.clip(near + 1 - np.maximum(near, begin), 0, 1) * 256
    return np.rint(parts).astype(np.uint32)


def over(fill: Pixels | np.uint32, under: Pixels, part: Pixels | np.uint32) -> Pixels:
    """Opaque colours that cover so many 256ths of the pixels under them.

    Two channels at a time.
    """
    rest = np.uint32(256) - part
    even: Pixels = (under & _EVEN) * rest
    even += (fill & _EVEN) * part
    odd = under >> 8
    odd &= _EVEN
    odd = odd * rest
    odd += (fill >> 8 & _EVEN) * part
    even >>= 8
    even &= _EVEN
    odd &= ~_EVEN
    even |= odd
    return even


@lru_cache(maxsize=16)
def _insets(radius: float) -> tuple[float, ...]:
    """How far a round corner cuts into each line of pixels, from the outermost on."""
    found = []
    for line in range(math.ceil(radius)):
        steps = np.minimum(np.linspace(line, line + 1, 9), radius)
        inset = float((radius - np.sqrt(radius**2 - (radius - steps) ** 2)).mean())
        if inset > 0.05:
            found.append(inset)
    return tuple(found)
