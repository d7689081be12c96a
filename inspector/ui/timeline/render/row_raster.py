"""All rows of spans as one picture, computed at once: density, single spans, hatching.

There is never an object for each span: a row is one line of pixels that is repeated downwards,
and only the pixels of round corners differ from it.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.trace.intervals import Shares
from inspector.ui.timeline.model.column_coverage import Places
from inspector.ui.timeline.render.pixel_blocks import Corners, Drawn, Pixels, laid_out

LOW = 9.0  # pixels, up to which a row has no labels and sharper corners
_THINNER = 4 / 7  # radius of low bars as a share of that of others
_EVEN = np.uint32(0x00FF00FF)  # mask of red and blue in a pixel
_LEVELS = 64  # shades of how full a column is
_FAINTEST = 0.25  # opacity of the first
_UNSEEN = 1e-6  # share of a column, below which nothing is drawn
_SPREAD = 128  # colors of one level, with those below the first and above the last one
_FEW = 50  # single spans, up to which each is laid alone
_HATCH = 6  # px, distance of stripes
_STRIPE = 2.0  # px, their width
_LIGHTER = np.uint32(154)  # opacity of stripes in 256ths
_HALVES = np.uint32(0x7F7F7F7F)


class Singles(Struct, frozen=True, eq=False):
    """M spans that are drawn one by one, row by row, from left to right, and apart.

    row: int (M,). begin, end: in pixels of the picture. fill: opaque colors, uint32 (M,).
    copies: which are hatched, bool (M,).
    """

    row: Places
    begin: Shares
    end: Shares
    fill: Pixels
    copies: NDArray[np.bool_]


class Ends(Struct, frozen=True, eq=False):
    """Both ends of M spans: the outermost columns of pixels that they reach into.

    at: int (M, 2), those of right ends inverted bitwise, so that both rise towards the middle.
    less: how many 256ths of each are not covered: int (M, 2).
    """

    at: Places
    less: Places


def ends_of(singles: Singles) -> Ends:
    """Return the ends of spans in 256ths of a pixel, the resolution of 8-bit colors."""
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
    corners, wide, flat = list[Corners](), under.shape[1], under.reshape(-1)
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
        inside = np.flatnonzero(at.view(np.uintp) < wide)  # those at the left are huge
        if len(inside) < len(at):
            at, row, fill, parts = (
                at[inside],
                row[inside],
                fill[inside],
                parts.take(inside, axis=1),
            )
        places = row * wide
        places += at
        colors = over(fill, flat.take(places), parts)
        flat[places] = colors[-1]
        if lines > 1:
            outer = cut.lines.take(row, axis=2)
            outer += at
            corners.append(Corners(row, outer, colors[:-1]))
    return corners


class _Cut(Struct, frozen=True, eq=False):
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
    low, cuts = np.array(heights) <= LOW * ratio, list[_Cut]()
    for thin in np.unique(low).tolist():
        insets = _insets(radius * (_THINNER if thin else 1) * ratio)
        down = np.arange(len(insets))[:, None]
        lines = np.stack((np.array(tops) + down, np.add(tops, heights) - 1 - down)) * wide
        rows = None if (low == thin).all() else low == thin
        cuts.append(_Cut(rows, lines, _covered(np.array([*insets, 0.0]))))
    return tuple(cuts)


def _covered(insets: Shares) -> Pixels:
    """Return the coverage of columns by lines of pixels, for each place of an end."""
    near = np.arange(math.ceil(insets[0]) + 1)
    begin = insets[:, None, None] + np.arange(256)[:, None] / 256
    parts: Shares = np.clip(near + 1 - np.maximum(near, begin), 0, 1) * 256
    return np.rint(parts).astype(np.uint32)


def over(fill: Pixels | np.uint32, under: Pixels, part: Pixels | np.uint32) -> Pixels:
    """Return opaque colors blended over the pixels below, by 256ths.

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
    """Return how far a round corner cuts into each line of pixels, from the outermost on."""
    insets = []
    for line in range(math.ceil(radius)):
        steps = np.minimum(np.linspace(line, line + 1, 9), radius)
        inset = float((radius - np.sqrt(radius**2 - (radius - steps) ** 2)).mean())
        if inset > 0.05:
            insets.append(inset)
    return tuple(insets)


Flags = NDArray[np.bool_]


class Rows(Struct, frozen=True, eq=False):
    """R rows from top to bottom. tops, heights: in pixels. W columns of density each.

    shares, matches: coverage of what was not, and was searched for; None for nothing.
    copies: columns that are copies for the most part. pales, fills: their colors.
    """

    tops: Sequence[int]
    heights: Sequence[int]
    shares: Sequence[Shares | None]
    matches: Sequence[Shares | None]
    copies: Sequence[Flags | None]
    pales: Sequence[str]
    fills: Sequence[str]


class Ground(Struct, frozen=True):
    """The background of rows: W columns, device pixel ratio, and its color.

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
    """Draw all rows as a picture, uint32 (H, W), premultiplied; transparent between rows."""
    return lines(rows, singles, ground).whole()


def lines(rows: Rows, singles: Singles, ground: Ground) -> Drawn:
    """All rows as the different lines of pixels that they are made of, and where these lie.

    The lines are one of each row, one for what lies between rows, then those of hatched rows.
    """
    count, period = len(rows.tops), max(2, round(_HATCH * ground.ratio))
    pairs = zip(rows.copies, rows.shares, strict=True)
    some = [n for n, (one, of) in enumerate(pairs) if one is not None and of is not None]
    more = singles.row[singles.copies].tolist()
    tiled = sorted({*some, *more}) if more else some
    pixels = np.empty((count + 1 + len(tiled) * period, ground.width), np.uint32)
    plain, clear = pixels[:count], pixels[count]
    clear[:] = 0 if ground.behind is None else ground.behind
    _lay_density(rows, ground, plain)
    hatched, corners = _hatched(rows, tiled, plain, clear), list[Corners]()
    if len(singles.row):
        ends = ends_of(singles)
        where = rows.tops, rows.heights, plain
        corners = round_off(singles, ends, *where, ground.radius, ground.ratio)
        whole = _wholly(ends, ground.width)
        _lay_singles(plain, singles, whole)
        if singles.copies.any():
            _add_copies(hatched, singles, whole, tiled)
    if tiled:
        _hatch(plain, tiled, hatched, ground, pixels[count + 1 :])
    layout = laid_out(tuple(rows.tops), tuple(rows.heights), period, ground.ratio, ground.width)
    return Drawn(pixels, layout.which(tiled), layout.blocks, corners)


def shade(shares: Shares, fill: str, surface: str) -> Pixels:
    """Colors of columns by their coverage of 0 to 1: uint32 (W,)."""
    return ramp(fill, surface).take(_levels(shares))


@lru_cache(maxsize=256)
def ramp(fill: str, surface: str) -> Pixels:
    """Colors from no coverage, where all shines through, to full coverage: uint32 (64,).

    The least coverage is seen as well.
    """
    part = np.linspace(_FAINTEST, 1, _LEVELS - 1)
    colors = np.zeros(_LEVELS, np.uint32)
    colors[1:] = 0xFF000000
    for shift in (0, 8, 16):  # as look.mix, for all parts at once: new colors come in a frame
        one, other = opaque(surface) >> shift & 0xFF, opaque(fill) >> shift & 0xFF
        colors[1:] |= np.rint(one * (1 - part) + other * part).astype(np.uint32) << shift
    return colors


@lru_cache(maxsize=256)
def opaque(value: str) -> int:
    """The pixel of a color '#RRGGBB'."""
    return 0xFF000000 | int(value[1:], 16)


def _levels(shares: Shares) -> Places:
    levels = shares - _UNSEEN
    np.minimum(levels, 1, out=levels)
    np.maximum(levels, 0, out=levels)
    levels *= _LEVELS - 1
    return np.ceil(levels, out=levels).astype(np.intp)


def _lay_density(rows: Rows, ground: Ground, lines: Pixels) -> None:
    """Make each row a line of pixels without the single spans: uint32 (R, W)."""
    pairs = zip(rows.shares, rows.matches, strict=True)
    some = [n for n, (one, other) in enumerate(pairs) if one is not None or other is not None]
    if len(some) < len(lines):
        lines[:] = 0 if ground.behind is None else ground.behind
    if not some:
        return
    searched = any(rows.matches[n] is not None for n in some)
    bare = 0 if ground.behind is None else opaque(ground.surface)
    tints = tuple((rows.pales[n], rows.fills[n] if searched else "") for n in some)
    table, begins = _table(tints, ground.surface, bare)
    places = _places([rows.shares[n] for n in some], ground.width)
    if searched:
        match_places = _places([rows.matches[n] for n in some], ground.width)
        match_places *= _SPREAD
        np.maximum(places, match_places, out=places)
    places += begins
    whole = len(some) == len(lines)
    colored = lines if whole else np.empty(places.shape, np.uint32)
    table.take(places.astype(np.intp), out=colored, mode="wrap")  # the fastest of all modes
    if ground.behind is not None:
        _shine_through(colored, bare, ground.behind)
    if not whole:
        lines[some] = colored


def _places(shares: Sequence[Shares | None], width: int) -> NDArray[np.int32]:
    """The levels of rows, as `_levels`, but in few passes; 0 where there is none: (R, W)."""
    none = np.zeros(width)
    each = [none if one is None else one for one in shares]
    levels = np.concatenate(each, dtype=np.float32, casting="same_kind")
    levels *= _LEVELS - 1
    levels += 1 - _LEVELS * _UNSEEN  # the next whole number above is the one below and 1
    return levels.astype(np.int32).reshape(len(each), width)


@lru_cache(maxsize=16)
def _table(
    tints: tuple[tuple[str, str], ...], surface: str, bare: int
) -> tuple[Pixels, NDArray[np.int32]]:
    """The colors of rows by their levels, and where level 0 of each row is: int32 (R, 1).

    Shares that bins tell may be a little below 0 or above 1. After the colors of what was not
    searched for come, for each level of what was found, as many again that are all the same.
    """
    begins, parts = dict[tuple[str, str], int](), list[Pixels]()
    below, above = _SPREAD // 8, _SPREAD - _SPREAD // 8 - _LEVELS
    for pale, fill in dict.fromkeys(tints):
        begins[pale, fill] = sum(map(len, parts)) + below
        row_colors = ramp(pale, surface).copy()
        row_colors[0] = bare
        parts.append(np.pad(row_colors, (below, above), "edge"))
        if fill:
            colors = np.pad(ramp(fill, surface)[1:], (0, above), "edge")
            parts.append(np.repeat(colors, _SPREAD))
    return np.concatenate(parts), np.array([begins[pair] for pair in tints], np.int32)[:, None]


def _shine_through(lines: Pixels, bare: int, behind: Pixels) -> None:
    """Let what lies behind rows be seen where they are bare: few columns differ from that."""
    other = np.flatnonzero(behind != bare)
    pixels = lines.take(other, axis=1)
    lines[:, other] = np.where(pixels == bare, behind[other], pixels)


def _lay_singles(plain: Pixels, singles: Singles, whole: Places) -> None:
    """Lay the single spans over the lines, where they cover pixels wholly.

    whole: from and to within their rows: int (M, 2).
    """
    wide, flat, row = plain.shape[1], plain.reshape(-1), singles.row
    whole = whole + (row * wide)[:, None]
    if len(row) <= _FEW:
        for (begin, end), fill in zip(whole.tolist(), singles.fill.tolist(), strict=True):
            flat[begin:end] = fill
    else:
        parts = _parts(whole, len(flat))
        changes = np.zeros((2, len(parts)), np.uint32)
        changes[0, ::2], changes[1, 1::2] = 0xFFFFFFFF, singles.fill
        flat &= changes[0].repeat(parts)
        flat |= changes[1].repeat(parts)


def _wholly(ends: Ends, wide: int) -> Places:
    """The pixels that spans cover wholly, from and to within their rows: int (M, 2)."""
    whole: Places = ends.at + (ends.less != 0)
    np.negative(whole[:, 1], out=whole[:, 1])
    np.minimum(whole, wide, out=whole)
    np.maximum(whole, 0, out=whole)
    return whole


def _parts(whole: Places, size: int) -> Places:
    """Return how long each stretch is of the lines laid end to end: int (2 M + 1,).

    By turns the pixels before a span, and those that it covers wholly.
    """
    bounds = np.empty(2 * len(whole) + 2, np.intp)
    bounds[0], bounds[1:-1], bounds[-1] = 0, whole.reshape(-1), size
    bounds = np.maximum.accumulate(bounds)
    return bounds[1:] - bounds[:-1]


def _hatched(rows: Rows, some: list[int], density: Pixels, clear: Pixels) -> Flags:
    """Return the columns of T rows whose density is hatched: bool (T, W)."""
    none = np.zeros(len(clear), np.bool_)
    parts = [
        one if (one := rows.copies[n]) is not None and rows.shares[n] is not None else none
        for n in some
    ]
    if all(one is none for one in parts):
        return np.zeros((len(some), len(clear)), np.bool_)
    pixels = np.concatenate(parts).reshape(len(some), len(clear))
    pixels &= density.take(some, axis=0) != clear
    return pixels


def _add_copies(hatched: Flags, singles: Singles, whole: Places, tiled: list[int]) -> None:
    """Add the columns of single spans that are copies to those of tiled rows: bool (T, W)."""
    wide, flat, some = hatched.shape[1], hatched.reshape(-1), singles.copies
    begins = np.searchsorted(tiled, singles.row[some]) * wide
    span_pixels = whole[some] + begins[:, None]
    if len(span_pixels) <= _FEW:
        for begin, end in span_pixels.tolist():
            flat[begin:end] = True
    else:
        parts = _parts(span_pixels, len(flat))
        flat |= (np.arange(len(parts)) % 2 == 1).repeat(parts)


def _hatch(
    lines: Pixels, some: list[int], columns: Flags, ground: Ground, tiles: Pixels
) -> None:
    """Some lines with diagonals over columns, bool (T, W), until they repeat: (T * P, W)."""
    plain = lines.take(some, axis=0)
    inks = np.empty((len(some), 3, ground.width), np.uint32)
    differs = over(np.uint32(opaque(ground.surface)), plain, _LIGHTER)
    differs ^= plain
    differs *= columns
    strong = plain ^ differs
    inks[:, 0], inks[:, 2] = plain, strong
    plain &= strong
    differs >>= 1
    differs &= _HALVES
    np.add(plain, differs, out=inks[:, 1])  # the middle of both
    period = len(tiles) // len(some)
    which = _stripes(ground.width, period, _STRIPE * ground.ratio, -ground.shift % period)
    out = tiles.reshape(len(some), period, ground.width)
    inks.reshape(len(some), -1).take(which, axis=1, out=out, mode="wrap")


@lru_cache(maxsize=16)
def _stripes(width: int, period: int, thick: float, begin: int) -> Places:
    """Return the ink of each pixel of a diagonal hatching: none, soft or strong: (P, W).

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
    stripe_pixels: Places = level[along] * width + across
    return stripe_pixels
