"""Where the lines of pixels lie that rows of spans are made of."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from inspector.ui.timeline.near import Places

_NEAR = 4  # clear lines between corners, up to which it is cheaper to draw these as well


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines `first` to `first + count` of some pixels over and over, from a top downwards."""

    top: int
    height: int
    first: int
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Pieces from top to bottom. sources: which line of all each of their lines is: int (L,).

    upper, lower: the lines of round corners: the first of each row, and the last: int (R,).
    """

    pieces: tuple[Piece, ...]
    sources: Places
    upper: Places
    lower: Places


@lru_cache(maxsize=16)
def laid_out(
    tops: tuple[int, ...],
    heights: tuple[int, ...],
    cuts: tuple[int, ...],
    tiled: tuple[int, ...],
    period: int,
) -> Layout:
    """The pieces of R rows; the same ones from frame to frame.

    Lines 0 to R are those of the rows, then come `period` ones for each of the tiled rows, and
    a clear one. cuts: lines with corners at each end of a row.
    """
    where = {n: len(tops) + k * period for k, n in enumerate(tiled)}
    made = _Pieces(len(tops) + len(tiled) * period)
    upper, lower = np.zeros((2, len(tops)), np.intp)
    for n, (top, height, cut) in enumerate(zip(tops, heights, cuts, strict=True)):
        first, count = (where[n], period) if n in where else (n, 1)
        middle, below = height - 2 * cut, height - cut
        if cut:
            upper[n] = made.add(top, cut, [first + k % count for k in range(cut)])
        lines = [first + k % count for k in range(cut, cut + min(count, middle))]
        made.add(top + cut, middle, lines)
        if cut:
            lines = [first + k % count for k in range(below, height)]
            lower[n] = made.add(top + below, cut, lines) + cut - 1
    return Layout(tuple(made.pieces), np.array(made.sources, np.intp), upper, lower)


@dataclass(slots=True)
class _Pieces:
    clear: int
    pieces: list[Piece] = field(default_factory=list)
    sources: list[int] = field(default_factory=list)

    def add(self, top: int, height: int, lines: Sequence[int]) -> int:
        """Add lines, to a piece just above where both are drawn once; where they are now."""
        last = self.pieces[-1] if self.pieces else None
        if last is not None and last.height == last.count and height == len(lines):
            apart = top - last.top - last.height
            if apart <= _NEAR:
                self.sources += [self.clear] * apart
                self.pieces[-1] = Piece(
                    last.top, last.height + apart + height, last.first,
                    last.count + apart + height,
                )  # fmt: skip
                self.sources += lines
                return len(self.sources) - height
        self.pieces.append(Piece(top, height, len(self.sources), len(lines)))
        self.sources += lines
        return len(self.sources) - len(lines)
