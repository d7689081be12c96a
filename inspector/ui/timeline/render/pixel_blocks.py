"""Rows of spans as a few distinct lines of pixels, stacked into a picture.

A row is one line of pixels over and over, a few with hatching; only round corners differ. The
picture of all rows is made block by block, so that each is drawn out of the processor's caches.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PySide6.QtGui import QPainter

Places = NDArray[np.intp]
Pixels = NDArray[np.uint32]
_BYTES = 1 << 19  # of a block: more would be read again from outside of the nearer caches
_NEAR = 4.0  # pixels between rows, up to which one block holds both


class Corners(Struct, frozen=True, eq=False):
    """K columns of pixels beside round corners; n above and n below differ from the lines.

    row: of each, rising: int (K,). at: where they are if all lines lie end to end: int
    (2, n, K). colors: the same above and below: uint32 (n, K).
    """

    row: Places
    at: Places
    colors: Pixels


class Block(Struct, frozen=True):
    """Rows `first` to `last` of a picture, from a top to a bottom in pixels."""

    first: int
    last: int
    top: int
    bottom: int


class Drawn(Struct, frozen=True, eq=False):
    """A picture of H lines. lines: the different ones, uint32 (L, W). which: int (H,).

    blocks: the parts of it that hold rows. corners: pixels that differ.
    """

    lines: Pixels
    which: Places
    blocks: tuple[Block, ...]
    corners: Sequence[Corners]

    def whole(self) -> Pixels:
        """The whole picture: uint32 (H, W)."""
        pixels = self.lines.take(self.which, axis=0)
        for some in self.corners:
            pixels.reshape(-1)[some.at] = some.colors
        return pixels

    def parts(self) -> Iterator[tuple[int, Pixels]]:
        """Yield the top of each block and its pixels, which are valid until the next one."""
        wide = self.lines.shape[1]
        most = max((block.bottom - block.top for block in self.blocks), default=0)
        buffer = np.empty((most, wide), np.uint32)
        bounds = [0, *(block.last for block in self.blocks)]
        stops = [some.row.searchsorted(bounds).tolist() for some in self.corners]
        for n, block in enumerate(self.blocks):
            pixels = buffer[: block.bottom - block.top]
            which = self.which[block.top : block.bottom]
            self.lines.take(which, axis=0, out=pixels, mode="clip")
            for some, stop in zip(self.corners, stops, strict=True):
                part = slice(stop[n], stop[n + 1])
                if part.start < part.stop:
                    at = some.at[:, :, part] - block.top * wide
                    pixels.reshape(-1)[at] = some.colors[:, part]
            yield block.top, pixels


class Layout(Struct, frozen=True, eq=False):
    """The positions of R rows. blocks: of rows that are close together.

    row: the row of each line of the picture, R between rows: int (H,). phase: which of
    `period` lines of that row it is.
    """

    blocks: tuple[Block, ...]
    row: Places
    phase: Places
    period: int

    def which(self, tiled: Sequence[int]) -> Places:
        """Return the line number of each line of the picture: int (H,).

        Lines 0 to R are those of the rows, one for what lies between them, then come `period`
        ones for each of the tiled rows.
        """
        return _which(self, tuple(tiled))


@lru_cache(maxsize=4)
def _which(layout: Layout, tiled: tuple[int, ...]) -> Places:
    """Return the cached line numbers."""
    count = int(layout.blocks[-1].last)
    starts, source_rows = np.arange(count + 1), np.zeros(count + 1, np.intp)
    starts[list(tiled)] = count + 1 + layout.period * np.arange(len(tiled))
    source_rows[list(tiled)] = 1
    places: Places = starts[layout.row] + layout.phase * source_rows[layout.row]
    return places


@lru_cache(maxsize=16)
def laid_out(
    tops: tuple[int, ...], heights: tuple[int, ...], period: int, ratio: float, wide: int
) -> Layout:
    """Return the cached layout of rows."""
    row = np.full(tops[-1] + heights[-1], len(tops), np.intp)
    phase = np.zeros(len(row), np.intp)
    most = max(1, _BYTES // (4 * wide))
    blocks = list[Block]()
    for n, (top, height) in enumerate(zip(tops, heights, strict=True)):
        bottom = top + height
        row[top:bottom] = n
        phase[top:bottom] = np.arange(height) % period
        last = blocks[-1] if blocks else None
        if last is None or top - last.bottom > _NEAR * ratio:
            blocks.append(Block(n, n + 1, top, bottom))
        elif bottom - last.top <= most:
            blocks[-1] = Block(last.first, n + 1, last.top, bottom)
        else:  # what lies between both is in this one
            blocks.append(Block(n, n + 1, last.bottom, bottom))
    return Layout(tuple(blocks), row, phase, period)


def is_raster(painter: QPainter) -> bool:
    """Return whether the painter draws pixels, not vector graphics.

    Of Qt's engines those that draw pixels are extended; each part of a frame asks, and for the
    type of an engine it would wait three times as long.
    """
    engine = painter.paintEngine()
    return engine is not None and engine.isExtended()


def ratio_of(painter: QPainter) -> float:
    """Return the device pixels in one pixel of the widget.

    A widget that is drawn into a picture says those of its screen.
    """
    return painter.deviceTransform().m11()


@contextmanager
def in_pixels(painter: QPainter, ratio: float) -> Iterator[None]:
    """Paint in physical pixels, `ratio` of which make one of the widget.

    Pen, brush and its origin have to be left as they are.
    """
    moved = painter.deviceTransform()
    if ratio == 1 and moved.dx().is_integer() and moved.dy().is_integer():
        yield  # as it is for the most part, and to move by nothing takes its time as well
        return
    painter.save()
    painter.scale(1 / ratio, 1 / ratio)
    moved = painter.deviceTransform()  # by half a pixel at times, where a scale is not whole
    painter.translate(round(moved.dx()) - moved.dx(), round(moved.dy()) - moved.dy())
    try:
        yield
    finally:
        painter.restore()
