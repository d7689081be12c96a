"""Text cache: labels that are drawn in each frame are rendered once, then blended."""

import math
import re
import string
from collections.abc import Sequence
from contextlib import nullcontext
from functools import lru_cache

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter

from inspector.pages.charts.palette import BLACK
from inspector.ui.timeline.render.pixel_blocks import in_pixels, is_raster, ratio_of
from inspector.ui.widgets.theme import font, qt_color

_ROOM = 3  # pixels around a text, for letters that reach out of their lines
# Pictures that are kept: of a few frames full of words, and of few long ones, which take a
# hundred kilobytes each where a screen has twice as many pixels.
_LONG = 100.0  # px, from which on a text is a long one
_KEPT = 640  # short texts
_KEPT_LONG = 128  # long texts
_KEPT_PARTS = 1024  # texts parted into words
_PARTS = re.compile(r"[.,]?\d(?: .+)?|.")  # of a number: few make all
_USUAL = string.digits + string.ascii_letters + string.punctuation


class Laid(Struct, frozen=True, eq=False):
    """A text in a font of ours, with its size in pixels; ascent: from its top to its line."""

    text: str
    pixels: int
    weight: int
    width: float
    height: float
    ascent: float


Placed = tuple[Laid, float, float, str]
_Drawn = tuple[QImage, int]  # a picture, and how many empty lines above it are left out


@lru_cache(maxsize=16_384)
def laid(text: str, pixels: int, weight: int = 400) -> Laid:
    """A text in a font of ours."""
    return Laid(text, pixels, weight, advance(text, pixels, weight), *_high(pixels, weight))


def advance(text: str, pixels: int, weight: int) -> float:
    """Return how wide a text in a font of ours is."""
    return _metrics(pixels, weight).horizontalAdvance(text)


@lru_cache(maxsize=1024)
def laid_number(text: str, pixels: int) -> Laid:
    """A number with its unit."""
    return Laid(text, pixels, 400, parted(text, pixels)[0], *_high(pixels, 400))


@lru_cache(maxsize=1024)
def parted(text: str, pixels: int) -> tuple[float, tuple[tuple[str, float], ...]]:
    """Return how wide a number is; its parts, and how far to the right each of them begins."""
    width, parts = 0.0, list[tuple[str, float]]()
    for part in _PARTS.findall(text):
        parts.append((part, width))
        width += _reach(part, pixels)
    return width, tuple(parts)


@lru_cache(maxsize=2048)
def cut(text: str, room: int, pixels: int, weight: int = 400) -> str:
    """Return a text shortened in the middle to fit into so many pixels."""
    middle = Qt.TextElideMode.ElideMiddle
    return _metrics(pixels, weight).elidedText(text, middle, room)


def write(painter: QPainter, texts: Sequence[Placed], ground: str = "") -> None:
    """Draw texts: from their left on, around a height, in a color '#RRGGBB'.

    ground: a color that each is written on. Their letters take seven times as long as pictures
    of them.
    """
    if not texts:
        return
    if not is_raster(painter):
        for text, left, middle, tint in texts:
            top = round(middle - text.height / 2)
            if ground:
                _draw_ground(painter, text, left, top, ground)
            _draw_letters(painter, text, left, top, tint)
        return
    ratio = ratio_of(painter)
    # Where a pixel is a pixel nothing has to be said of it, which takes longer than some words.
    with nullcontext() if ratio == 1 else in_pixels(painter, ratio):
        draw, room = painter.drawImage, _ROOM * ratio
        for text, left, middle, tint in texts:
            top = round(middle - text.height / 2)
            picture, skipped = (_short if text.width < _LONG else _long)(
                text, tint, ratio, ground
            )
            draw(round(left * ratio - room), round(top * ratio - room) + skipped, picture)


def count(
    painter: QPainter,
    numbers: Sequence[tuple[str, float, float]],
    pixels: int,
    tint: str,
    ratio: float,
) -> None:
    """Draw numbers with units that are others in each frame: from their left, around a height.

    ratio: the pixels that lie in one of the widget; 0 where somebody draws lines.
    """
    if not ratio:
        write(painter, [(laid_number(text, pixels), x, y, tint) for text, x, y in numbers])
        return
    half, room = _high(pixels, 400)[0] / 2, _ROOM * ratio
    with nullcontext() if ratio == 1 else in_pixels(painter, ratio):
        draw = painter.drawImage
        for text, left, middle in numbers:
            x, y = round(left * ratio - room), round(round(middle - half) * ratio - room)
            for part, begin in parted(text, pixels)[1]:
                picture, right, skipped = _part(part, begin, pixels, tint, ratio)
                draw(x + right, y + skipped, picture)


def _draw_letters(painter: QPainter, text: Laid, left: float, top: float, tint: str) -> None:
    """Draw the letters of a text from its left and its top on."""
    painter.setFont(font(text.pixels, text.weight))
    painter.setPen(qt_color(tint))
    painter.drawText(QPointF(left, top + text.ascent), text.text)


def _draw_ground(painter: QPainter, text: Laid, left: float, top: float, ground: str) -> None:
    """Draw what a text is written on."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(qt_color(ground))
    box = QRectF(left - 3, top + round(text.height / 2) - 7, text.width + 6, 14)
    painter.drawRoundedRect(box, 2, 2)


@lru_cache(maxsize=64)
def _metrics(pixels: int, weight: int) -> QFontMetricsF:
    return QFontMetricsF(font(pixels, weight))


@lru_cache(maxsize=1024)
def _reach(part: str, pixels: int) -> float:
    """Return the width of a part of a number; next to digits no letter is kerned."""
    return sum(_letter(letter, pixels) for letter in part)


@lru_cache(maxsize=256)
def _letter(letter: str, pixels: int) -> float:
    return advance(letter, pixels, 400)


@lru_cache(maxsize=64)
def _high(pixels: int, weight: int) -> tuple[float, float]:
    """The height of a font of ours, and of what lies above its line."""
    metrics = _metrics(pixels, weight)
    return metrics.height(), metrics.ascent()


def _picture(text: Laid, tint: str, ratio: float, ground: str) -> _Drawn:
    """A text with some room around it, on nothing or on a ground."""
    if not ground:
        return _without_empty(_letters(text, tint, ratio), text, ratio)
    picture = _empty(text, ratio)
    painter = QPainter(picture)
    _draw_ground(painter, text, _ROOM, _ROOM, ground)
    # Letters look as they do on nothing, as on the spans beside.
    painter.drawImage(0, 0, _letters(text, tint, ratio))
    painter.end()
    picture.setDevicePixelRatio(1)  # it is laid onto pixels as it is
    return picture, 0


def _letters(text: Laid, tint: str, ratio: float, begin: float = 0) -> QImage:
    """A text on nothing. begin: of a part of a number; of this a part of a pixel counts."""
    picture = _empty(text, ratio)
    painter = QPainter(picture)
    painter.translate(-int(begin * ratio) / ratio, 0)
    _draw_letters(painter, text, _ROOM + begin, _ROOM, tint)
    painter.end()
    return picture


def _empty(text: Laid, ratio: float) -> QImage:
    """Return an empty picture for a text with a margin."""
    wide, high = (
        math.ceil((length + 2 * _ROOM) * ratio) for length in (text.width, text.height)
    )
    picture = QImage(wide, high, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(0)
    picture.setDevicePixelRatio(ratio)
    return picture


def _without_empty(picture: QImage, text: Laid, ratio: float) -> _Drawn:
    """Return the picture of a text without empty lines: half of the pixels to blend."""
    picture.setDevicePixelRatio(1)  # it is laid onto pixels as it is
    if not text.text.isascii():  # letters may reach out of their lines
        return picture, 0
    top, bottom = _inked(text.pixels, text.weight, ratio)
    return picture.copy(0, top, picture.width(), bottom - top), top


@lru_cache(maxsize=64)
def _inked(pixels: int, weight: int, ratio: float) -> tuple[int, int]:
    """The first line of a picture that a usual letter reaches, and that after the last."""
    picture = _letters(laid(_USUAL, pixels, weight), BLACK, ratio)
    lines = np.frombuffer(picture.constBits(), np.uint32).reshape(picture.height(), -1)
    inked = np.flatnonzero(lines.any(1))
    return int(inked[0]), int(inked[-1]) + 1


@lru_cache(maxsize=_KEPT_PARTS)
def _part(
    text_part: str, begin: float, pixels: int, tint: str, ratio: float
) -> tuple[QImage, int, int]:
    """Return a part of a number: its picture, and its offset from the number's corner."""
    text = laid_number(text_part, pixels)
    picture, skipped = _without_empty(_letters(text, tint, ratio, begin), text, ratio)
    return picture, int(begin * ratio), skipped


_short, _long = (lru_cache(maxsize=most)(_picture) for most in (_KEPT, _KEPT_LONG))
