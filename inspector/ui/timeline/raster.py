"""All rows of spans as one picture, computed at once: density, single spans, hatching.

There is never an object for each span: a row is one line of pixels that is repeated downwards,
and only the pixels of round corners differ from it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from inspector import look
from inspector.strip import Shares
from inspector.ui.timeline.blocks import Corners, Drawn, Pixels, laid_out
from inspector.ui.timeline.corners import Singles, over, round_off
from inspector.ui.timeline.near import Places

Flags = NDArray[np.bool_]
_LEVELS, _FAINTEST, _UNSEEN = 64, 0.25, 1e-6
_HATCH, _STRIPE, _LIGHTER = 6, 2.0, 0.6
_HAIR, _HALVES = 1e-3, np.uint32(0x7F7F7F7F)


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """R rows from top to bottom. tops, heights: in pixels. W columns of density each.

    shares, found: coverage of what was not, and was searched for; None for nothing.
    copies: columns that are copies for the most part. pales, fills: their colours.
    """

    tops: Sequence[int]
    heights: Sequence[int]
    shares: Sequence[Shares | None]
    found: Sequence[Shares | None]
    copies: Sequence[Flags | None]
    pales: Sequence[str]
    fills: Sequence[str]


@dataclass(frozen=True, slots=True)
class Ground:
    """What rows are drawn on: W columns, pixels per pixel, the colour that shines through.

    shift: how far the hatching has moved, in pixels. radius: of corners; 0 for sharp ones.
    behind: opaque pixels that show where rows are clear, uint32 (W,); None where others do.
    """

    width: int
    ratio: float
    surface: str
    shift: int = 0
    radius: float = 0.0
    behind: Pixels | None = None


def draw(rows: Rows, singles: Singles, ground: Ground) -> Pixels:
    """All rows as a picture, uint32 (H, W), premultiplied; between them it is clear."""
    return lines(rows, singles, ground).whole()


def lines(rows: Rows, singles: Singles, ground: Ground) -> Drawn:
    """All rows as the different lines of pixels that they are made of, and where these lie.

    The lines are one of each row, one for what lies between rows, then those of hatched rows.
    """
    count, period = len(rows.tops), max(2, round(_HATCH * ground.ratio))
    tiled = _with_copies(rows, singles)
    made = np.empty((count + 1 + len(tiled) * period, ground.width), np.uint32)
    plain, clear = made[:count], made[count]
    _lay_density(rows, ground, plain)
    parts = _parts(singles, plain.shape)
    hatched = _hatched(rows, singles, tiled, plain, parts)
    clear[:] = 0 if ground.behind is None else ground.behind
    if ground.behind is not None:
        plain |= clear * (plain == 0)  # a copy with a mask takes six times as long
    corners = list[Corners]()
    if ground.radius and len(singles.row):
        rounded = ground.radius, ground.ratio
        corners = round_off(singles, rows.tops, rows.heights, plain, *rounded)
    _lay_singles(plain, singles, parts)
    _hatch(plain[tiled], hatched, ground, made[count + 1 :].reshape(-1, period, ground.width))
    told = laid_out(tuple(rows.tops), tuple(rows.heights), period, ground.ratio, ground.width)
    return Drawn(made, told.which(tiled), told.blocks, corners)


def shade(shares: Shares, fill: str, surface: str) -> Pixels:
    """Colours of columns by their coverage of 0 to 1: uint32 (W,)."""
    return ramp(fill, surface).take(_levels(shares))


@lru_cache(maxsize=256)
def ramp(fill: str, surface: str) -> Pixels:
    """Colours from no coverage, where all shines through, to full coverage: uint32 (64,).

    The least coverage is seen as well.
    """
    mixed = (look.mix(surface, fill, part) for part in np.linspace(_FAINTEST, 1, _LEVELS - 1))
    return np.array([0, *map(opaque, mixed)], np.uint32)


@lru_cache(maxsize=256)
def opaque(value: str) -> int:
    """The pixel of a colour '#RRGGBB'."""
    return 0xFF000000 | int(value[1:], 16)


def _levels(shares: Shares) -> Places:
    levels = shares - _UNSEEN
    np.minimum(levels, 1, out=levels)
    np.maximum(levels, 0, out=levels)
    levels *= _LEVELS - 1
    return np.ceil(levels, out=levels).astype(np.intp)


def _lay_density(rows: Rows, ground: Ground, lines: Pixels) -> None:
    """Make each row a line of pixels without the single spans: uint32 (R, W).

    Colours of what was found come after the pale ones in one table, so that both are looked up
    at once.
    """
    told = enumerate(zip(rows.shares, rows.found, strict=True))
    some = [n for n, (one, other) in told if one is not None or other is not None]
    if len(some) < len(lines):
        lines[:] = 0
    if not some:
        return
    levels = _stacked([rows.shares[n] for n in some], ground.width)
    if any(rows.found[n] is not None for n in some):
        found = _stacked([rows.found[n] for n in some], ground.width)
        shown = found > _UNSEEN
        found += (_LEVELS + 1) / (_LEVELS - 1)
        levels *= ~shown
        found *= shown
        levels += found
    levels *= _LEVELS - 1
    # As _levels, in fewer passes: the next whole number above is the one below and 1.
    levels += (np.arange(len(some)) * 2 * (_LEVELS + 1) + 1 - _LEVELS * _UNSEEN)[:, None]
    table = _table(tuple((rows.pales[n], rows.fills[n]) for n in some), ground.surface)
    if len(some) == len(lines):
        table.take(levels.astype(np.intp), out=lines, mode="wrap")  # the fastest of all modes
    else:
        lines[some] = table.take(levels.astype(np.intp), mode="wrap")


def _stacked(shares: Sequence[Shares | None], width: int) -> Shares:
    """Coverage of rows in one array, 0 where there is none: float64 (R, W)."""
    none = np.zeros(width)
    each = [none if one is None else one for one in shares]
    return np.concatenate(each).reshape(len(shares), width)


@lru_cache(maxsize=64)
def _table(tints: tuple[tuple[str, str], ...], surface: str) -> Pixels:
    """The ramps of all rows one after the other, each with a full level more at its end."""
    ramps = [ramp(tint, surface) for pair in tints for tint in pair]
    return np.concatenate([np.append(each, each[-1]) for each in ramps])


def _parts(singles: Singles, shape: tuple[int, ...]) -> Places:
    """How long each stretch is of the lines laid end to end: int (2 M + 1,).

    By turns the pixels before a span, and those that it covers wholly.
    """
    ends = np.zeros((len(singles.row), 2), np.intp)
    ends[:, 0], ends[:, 1] = np.ceil(singles.begin), np.floor(singles.end)
    np.minimum(ends, shape[1], out=ends)
    np.maximum(ends, 0, out=ends)
    ends += (singles.row * shape[1])[:, None]
    bounds = np.concatenate(([0], ends.reshape(-1), [shape[0] * shape[1]]))
    return np.diff(np.maximum.accumulate(bounds))


def _lay_singles(plain: Pixels, singles: Singles, parts: Places) -> None:
    """Lay the single spans over the lines; what they cover in part is mixed."""
    turns = np.zeros((2, len(parts)), np.uint32)
    turns[0, ::2], turns[1, 1::2] = 0xFFFFFFFF, singles.fill
    flat, (_, wide) = plain.reshape(-1), plain.shape
    flat &= np.repeat(turns[0], parts)
    flat |= np.repeat(turns[1], parts)
    first, last = np.floor(singles.begin), np.floor(singles.end)
    ends = np.minimum(singles.end, first + 1) - singles.begin, singles.end - last
    for at, share, some in ((first, ends[0], ends[0] < 1), (last, ends[1], last > first)):
        kept = np.flatnonzero(some & (share > _HAIR) & (at >= 0) & (at < wide))
        place = singles.row[kept] * wide + at[kept].astype(np.intp)
        flat[place] = over(singles.fill[kept], flat[place], share[kept])


def _with_copies(rows: Rows, singles: Singles) -> list[int]:
    """The rows that may be hatched somewhere."""
    some = np.bincount(singles.row[singles.copies], minlength=len(rows.tops)) > 0
    told = zip(rows.copies, rows.shares, some.tolist(), strict=True)
    return [
        n
        for n, (copies, shares, single) in enumerate(told)
        if single or (copies is not None and shares is not None)
    ]


def _hatched(
    rows: Rows, singles: Singles, some: list[int], density: Pixels, parts: Places
) -> Flags:
    """The columns of T rows that are hatched: bool (T, W)."""
    if singles.copies.any():
        turns = np.zeros(len(parts), np.bool_)
        turns[1::2] = singles.copies
        found: Flags = np.repeat(turns, parts).reshape(density.shape)[some]
    else:
        found = np.zeros((len(some), density.shape[1]), np.bool_)
    for at, n in enumerate(some):
        copies = rows.copies[n]
        if copies is not None and rows.shares[n] is not None:
            found[at] |= copies & (density[n] != 0)
    return found


def _hatch(plain: Pixels, columns: Flags, ground: Ground, tiles: Pixels) -> None:
    """Lines with diagonals over some columns, bool (T, W), until they repeat: (T, P, W)."""
    if not len(plain):
        return
    surface = np.array(opaque(ground.surface), np.uint32)
    inks = np.empty((len(plain), 3, ground.width), np.uint32)
    inks[:, 0] = plain
    inks[:, 2] = strong = np.where(columns, over(surface, plain, _LIGHTER), plain)
    inks[:, 1] = (plain & strong) + ((plain ^ strong) >> 1 & _HALVES)  # the middle of both
    period = tiles.shape[1]
    which = _stripes(ground.width, period, _STRIPE * ground.ratio, -ground.shift % period)
    inks.reshape(len(plain), -1).take(which, axis=1, out=tiles, mode="wrap")


@lru_cache(maxsize=16)
def _stripes(width: int, period: int, thick: float, begin: int) -> Places:
    """Which of three inks, laid end to end, diagonals need: none, soft, strong: (P, W).

    A pixel spreads over two diagonals, like a triangle; a stripe is so many of them thick,
    and covers about half of it, or all of it.
    """
    steps = np.arange(0, period, 0.05)
    middle = np.abs((steps[None, :] - np.arange(period)[:, None] + period / 2) % period
                    - period / 2)  # fmt: skip
    weight = np.maximum(0, 1 - middle)
    covered = (weight * (steps < thick)).sum(axis=1) / weight.sum(axis=1)
    level = np.digitize(covered, (0.25, 0.8))
    across = np.arange(width)
    along = (across + begin + np.arange(period)[:, None]) % period
    found: Places = level[along] * width + across
    return found
