"""All rows of spans as one picture, computed at once: density, single spans, hatching.

There is never an object for each span: a row is one line of pixels that is repeated downwards,
and only the pixels of round corners differ from it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from inspector import look
from inspector.strip import Shares
from inspector.ui.timeline.near import Places
from inspector.ui.timeline.pieces import Layout, Piece, laid_out

Pixels = NDArray[np.uint32]
Flags = NDArray[np.bool_]
_LEVELS, _FAINTEST, _UNSEEN = 64, 0.25, 1e-6
_HATCH, _STRIPE, _LIGHTER = 6, 2.0, 0.6
_HAIR, _THINNER, _EVEN = 1e-3, 4 / 7, np.uint32(0x00FF00FF)
LOW = 9.0  # pixels, up to which a row has no labels and sharper corners


@dataclass(frozen=True, slots=True, eq=False)
class Singles:
    """M spans that are drawn one by one. row: int (M,). begin, end: in pixels of the picture.

    fill: opaque colours, uint32 (M,). copies: which are hatched, bool (M,).
    """

    row: Places
    begin: Shares
    end: Shares
    fill: Pixels
    copies: Flags


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
    pixels, pieces = lines(rows, singles, ground)
    places = np.full(rows.tops[-1] + rows.heights[-1], len(pixels))
    for piece in pieces:
        own = piece.first + np.arange(piece.height) % piece.count
        places[piece.top : piece.top + piece.height] = own
    return np.append(pixels, np.zeros_like(pixels[:1]), axis=0).take(places, axis=0)


def lines(rows: Rows, singles: Singles, ground: Ground) -> tuple[Pixels, tuple[Piece, ...]]:
    """The lines of pixels that all rows are made of, uint32 (L, W), and where they lie.

    Most rows are one line over and over, those with hatching a few; only round corners differ.
    """
    density = _density(rows, ground)
    inside = _columns(singles, ground.width)
    hatched = _hatched(rows, singles, density, *inside)
    clear = np.zeros((1, ground.width), np.uint32)
    if ground.behind is not None:
        clear[0] = ground.behind
        density |= clear * (density == 0)  # a copy with a mask takes ten times as long
    plain = _with_singles(density, singles, *inside)
    some = np.flatnonzero(hatched.any(axis=1)).tolist()
    tiles = _hatch(plain[some], hatched[some], ground)
    cuts = _cuts(rows, singles, ground)
    told = laid_out(tuple(rows.tops), tuple(rows.heights), cuts, tuple(some), tiles.shape[1])
    source = np.concatenate((plain, tiles.reshape(-1, ground.width), clear))
    pixels = source.take(told.sources, axis=0)
    if any(cuts):
        _round_off(pixels, told, rows, singles, density, ground)
    return pixels, told.pieces


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


def _density(rows: Rows, ground: Ground) -> Pixels:
    """Each row as a line of pixels without the single spans: uint32 (R, W).

    Colours of what was found come after the pale ones in one table, so that both are looked up
    at once.
    """
    told = list(zip(rows.shares, rows.found, strict=True))
    some = [n for n, pair in enumerate(told) if any(one is not None for one in pair)]
    lines = np.zeros((len(told), ground.width), np.uint32)
    if not some:
        return lines
    levels = _stacked([told[n][0] for n in some], ground.width)
    if any(told[n][1] is not None for n in some):
        found = _stacked([told[n][1] for n in some], ground.width)
        shown = found > _UNSEEN
        found += (_LEVELS + 1) / (_LEVELS - 1)
        levels *= ~shown
        levels += found * shown
    levels *= _LEVELS - 1
    # As _levels, in fewer passes: the next whole number above is the one below and 1.
    levels += (np.arange(len(some)) * 2 * (_LEVELS + 1) + 1 - _LEVELS * _UNSEEN)[:, None]
    tints = tuple((rows.pales[n], rows.fills[n]) for n in some)
    drawn = _table(tints, ground.surface).take(levels.astype(np.intp))
    if len(some) == len(lines):
        return drawn
    lines[some] = drawn
    return lines


def _stacked(shares: Sequence[Shares | None], width: int) -> Shares:
    """Coverage of rows in one array, 0 where there is none: float64 (R, W)."""
    none = np.zeros(width)
    return np.stack([none if one is None else one for one in shares])


@lru_cache(maxsize=64)
def _table(tints: tuple[tuple[str, str], ...], surface: str) -> Pixels:
    """The ramps of all rows one after the other, each with a full level more at its end."""
    ramps = [ramp(tint, surface) for pair in tints for tint in pair]
    return np.concatenate([np.append(each, each[-1]) for each in ramps])


def _with_singles(density: Pixels, singles: Singles, inside: Places, of: Places) -> Pixels:
    """The lines with the single spans over them; what they cover in part is mixed."""
    lines = density.copy()
    flat, (_, wide) = lines.reshape(-1), lines.shape
    flat[inside] = singles.fill[of]
    first, last = np.floor(singles.begin), np.floor(singles.end)
    ends = np.minimum(singles.end, first + 1) - singles.begin, singles.end - last
    for at, share, some in ((first, ends[0], ends[0] < 1), (last, ends[1], last > first)):
        kept = some & (share > _HAIR) & (at >= 0) & (at < wide)
        place = singles.row[kept] * wide + at[kept].astype(np.intp)
        flat[place] = _over(singles.fill[kept], flat[place], share[kept])
    return lines


def _columns(singles: Singles, wide: int) -> tuple[Places, Places]:
    """Pixels that are covered wholly, in the lines laid end to end, and by which span."""
    left = np.maximum(np.ceil(singles.begin), 0).astype(np.intp)
    right = np.minimum(np.floor(singles.end), wide).astype(np.intp)
    count = np.maximum(right - left, 0)
    of = np.repeat(np.arange(len(count)), count)
    before = np.cumsum(count) - count
    return np.arange(len(of)) + (singles.row * wide + left - before)[of], of


def _over(fill: Pixels, under: Pixels, share: Shares | float) -> Pixels:
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


def _hatched(
    rows: Rows, singles: Singles, density: Pixels, inside: Places, of: Places
) -> Flags:
    """The columns of each row that are hatched: bool (R, W)."""
    found = np.zeros(density.shape, np.bool_)
    for n, copies in enumerate(rows.copies):
        if copies is not None and rows.shares[n] is not None:
            np.logical_and(copies, density[n], out=found[n])
    if singles.copies.any():
        found.reshape(-1)[inside[singles.copies[of]]] = True
    return found


def _hatch(plain: Pixels, columns: Flags, ground: Ground) -> Pixels:
    """Lines with diagonals over some columns, bool (R, W), until they repeat: (R, P, W)."""
    period = max(2, round(_HATCH * ground.ratio))
    if not len(plain):
        return np.empty((0, period, ground.width), np.uint32)
    surface = np.array(opaque(ground.surface), np.uint32)
    inks = np.empty((len(plain), 3, ground.width), np.uint32)
    inks[:, 0] = plain
    for n, share in ((1, _LIGHTER / 2), (2, _LIGHTER)):
        inks[:, n] = np.where(columns, _over(surface, plain, share), plain)
    which = _stripes(ground.width, period, _STRIPE * ground.ratio, -ground.shift % period)
    return inks.reshape(len(plain), -1).take(which, axis=1)


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


def _cuts(rows: Rows, singles: Singles, ground: Ground) -> tuple[int, ...]:
    """Over how many lines round corners reach at each end of each row."""
    if not ground.radius:
        return (0,) * len(rows.tops)
    some = np.bincount(singles.row, minlength=len(rows.tops)).tolist()
    return tuple(
        len(_insets_of(height, ground)) if count else 0
        for count, height in zip(some, rows.heights, strict=True)
    )


def _insets_of(height: int, ground: Ground) -> tuple[float, ...]:
    thin = height <= LOW * ground.ratio
    return _insets(ground.radius * (_THINNER if thin else 1) * ground.ratio)


def _round_off(
    pixels: Pixels,
    told: Layout,
    rows: Rows,
    singles: Singles,
    density: Pixels,
    ground: Ground,
) -> None:
    """Draw the pixels of round corners anew."""
    high = np.array(rows.heights)
    low = high <= LOW * ground.ratio
    for thin in (False, True):
        mine = low[singles.row] == thin
        if mine.any():
            insets = _insets_of(int(high[low == thin][0]), ground)
            row, at, share, fill = _corners(singles, mine, insets, ground.width)
            flat, wide = pixels.reshape(-1), ground.width
            corner = _over(fill, density.reshape(-1).take(row * wide + at), share)
            upper, lower = told.upper[row] * wide + at, told.lower[row] * wide + at
            for line, colours in enumerate(corner):
                flat[upper + line * wide] = colours
                flat[lower - line * wide] = colours


def _corners(
    singles: Singles, some: Flags, insets: tuple[float, ...], wide: int
) -> tuple[Places, Places, Shares, Pixels]:
    """Rows, columns and colours of the K pixels near both ends, and how much is covered.

    The last for each line: float64 (lines, K).
    """
    begin, end, row = singles.begin[some], singles.end[some], singles.row[some]
    reach = math.ceil(insets[0]) + 1
    by = np.array(insets)[:, None, None] * np.minimum(1, (end - begin) / (2 * insets[0] + 2))
    near = np.arange(reach)[:, None]
    at = np.concatenate((np.floor(begin) + near, np.ceil(end) - 1 - near))
    share = np.minimum(at + 1, end - by)
    share -= np.maximum(at, begin + by)
    np.minimum(share, 1, out=share)
    np.maximum(share, 0, out=share)
    kept = (at >= 0) & (at < wide)
    of = np.broadcast_to(np.arange(len(row)), at.shape)[kept]
    return row[of], at[kept].astype(np.intp), share[:, kept], singles.fill[some][of]


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
