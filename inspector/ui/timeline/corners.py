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


def round_off(
    singles: Singles,
    tops: Sequence[int],
    heights: Sequence[int],
    under: Pixels,
    radius: float,
    ratio: float,
) -> list[Corners]:
    """The pixels of round corners, over the lines of R rows: uint32 (R, W)."""
    found = list[Corners]()
    low = [height <= LOW * ratio for height in heights]
    for thin in set(low):
        insets = _insets(radius * (_THINNER if thin else 1) * ratio)
        row, begin, end, fill = singles.row, singles.begin, singles.end, singles.fill
        if not all(one is thin for one in low):
            some = np.flatnonzero(np.array(low)[row] == thin)
            row, begin, end, fill = row[some], begin[some], end[some], fill[some]
        if not len(row) or not insets:
            continue
        of, at, share = _ends(begin, end, np.array(insets), under.shape[1])
        row, lines = row[of], _lines(tuple(tops), tuple(heights), len(insets), under.shape[1])
        below = under.reshape(-1)[row * under.shape[1] + at]
        colours = over(fill[of], below, share)
        places = lines.take(row, axis=1)
        places += at
        found.append(Corners(row, places, np.concatenate((colours, colours))))
    return found


@lru_cache(maxsize=16)
def _lines(tops: tuple[int, ...], heights: tuple[int, ...], count: int, wide: int) -> Places:
    """Where the outermost lines of each row begin if all lie end to end.

    So many from the top downwards, then from the bottom upwards: int (2 count, R).
    """
    down = np.arange(count)[:, None]
    top, last = np.array(tops), np.add(tops, heights) - 1
    return np.concatenate((top + down, last - down)) * wide


def _ends(
    begin: Shares, end: Shares, insets: Shares, wide: int
) -> tuple[Places, Places, Shares]:
    """The K columns of pixels near both ends of spans, and how much of each is covered.

    Which span each belongs to, rising, the columns, and the shares on each line of pixels
    from the outermost on: float64 (lines, K).
    """
    near = np.arange(math.ceil(insets[0]) + 1)
    at = np.concatenate(
        (np.floor(begin)[:, None] + near, np.ceil(end)[:, None] - 1 - near), axis=1
    )
    kept = np.flatnonzero((at >= 0) & (at < wide))
    of, at = kept // at.shape[1], at.reshape(-1)[kept]
    by = insets[:, None] * np.minimum(1, (end - begin) / (2 * insets[0] + 2))
    share = np.minimum(at + 1, (end - by).take(of, axis=1))
    share -= np.maximum(at, (begin + by).take(of, axis=1))
    np.minimum(share, 1, out=share)
    np.maximum(share, 0, out=share)
    return of, at.astype(np.intp), share


def over(fill: Pixels, under: Pixels, share: Shares | float) -> Pixels:
    """Opaque colours that cover a share of the pixels under them; two channels at a time."""
    part = (np.asarray(share) * 256 + 0.5).astype(np.uint32)
    rest = np.uint32(256) - part
    even = (fill & _EVEN) * part + (under & _EVEN) * rest
    odd = (fill >> 8 & _EVEN) * part + (under >> 8 & _EVEN) * rest
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
