"""Words that are drawn in each frame: pictures of them, made once, are laid into it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter

from inspector.ui.kit.theme import colour, font
from inspector.ui.timeline.pixels import in_pixels, is_raster, ratio_of

_ROOM = 3  # pixels around a text, for letters that reach out of their lines
# Pictures that are kept: of a few frames full of words, and of few long ones, which take a
# hundred kilobytes each where a screen has twice as many pixels.
_LONG, _KEPT, _KEPT_LONG = 100.0, 640, 128


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """A text in a font of ours, with its size in pixels; ascent: from its top to its line."""

    text: str
    pixels: int
    weight: int
    width: float
    height: float
    ascent: float


Placed = tuple[Laid, float, float, str]


@lru_cache(maxsize=16_384)
def laid(text: str, pixels: int, weight: int = 400) -> Laid:
    """A text in a font of ours."""
    return Laid(text, pixels, weight, advance(text, pixels, weight), *_high(pixels, weight))


def advance(text: str, pixels: int, weight: int) -> float:
    """How wide a text in a font of ours is."""
    return _metrics(pixels, weight).horizontalAdvance(text)


@lru_cache(maxsize=1024)
def laid_number(text: str, pixels: int) -> Laid:
    """A number with its unit, of which there are others in each frame."""
    width = sum(_letter(letter, pixels) for letter in text)
    return Laid(text, pixels, 400, width, *_high(pixels, 400))


@lru_cache(maxsize=2048)
def cut(text: str, room: int, pixels: int, weight: int = 400) -> str:
    """A text as it fits into so many pixels, without its middle."""
    middle = Qt.TextElideMode.ElideMiddle
    return _metrics(pixels, weight).elidedText(text, middle, room)


def write(painter: QPainter, words: Sequence[Placed], ground: str = "") -> None:
    """Draw texts: from their left on, around a height, in a colour '#RRGGBB'.

    ground: a colour that each is written on. Their letters take seven times as long as pictures
    of them.
    """
    if not words:
        return
    if not is_raster(painter):
        for text, left, middle, tint in words:
            top = round(middle - text.height / 2)
            if ground:
                _draw_ground(painter, text, left, top, ground)
            _draw_letters(painter, text, left, top, tint)
        return
    ratio = ratio_of(painter)
    with in_pixels(painter, ratio):
        draw, room = painter.drawImage, _ROOM * ratio
        for text, left, middle, tint in words:
            top = round(middle - text.height / 2)
            made = (_short if text.width < _LONG else _long)(text, tint, ratio, ground)
            draw(round(left * ratio - room), round(top * ratio - room), made)


def _draw_letters(painter: QPainter, text: Laid, left: float, top: float, tint: str) -> None:
    """Draw the letters of a text from its left and its top on."""
    painter.setFont(font(text.pixels, text.weight))
    painter.setPen(_ink(tint))
    painter.drawText(QPointF(left, top + text.ascent), text.text)


def _draw_ground(painter: QPainter, text: Laid, left: float, top: float, ground: str) -> None:
    """Draw what a text is written on."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(ground))
    box = QRectF(left - 3, top + round(text.height / 2) - 7, text.width + 6, 14)
    painter.drawRoundedRect(box, 2, 2)


_ink = lru_cache(maxsize=64)(colour)


@lru_cache(maxsize=64)
def _metrics(pixels: int, weight: int) -> QFontMetricsF:
    return QFontMetricsF(font(pixels, weight))


@lru_cache(maxsize=256)
def _letter(letter: str, pixels: int) -> float:
    """How wide a letter is; beside digits none moves closer."""
    return advance(letter, pixels, 400)


@lru_cache(maxsize=64)
def _high(pixels: int, weight: int) -> tuple[float, float]:
    """The height of a font of ours, and of what lies above its line."""
    metrics = _metrics(pixels, weight)
    return metrics.height(), metrics.ascent()


def _picture(text: Laid, tint: str, ratio: float, ground: str) -> QImage:
    """A text with some room around it, on nothing."""
    wide, high = (math.ceil((side + 2 * _ROOM) * ratio) for side in (text.width, text.height))
    made = QImage(wide, high, QImage.Format.Format_ARGB32_Premultiplied)
    made.fill(0)
    if ratio != 1:
        made.setDevicePixelRatio(ratio)
    painter = QPainter(made)
    if ground:  # letters look as they do on nothing, as on the spans beside
        _draw_ground(painter, text, _ROOM, _ROOM, ground)
        letters = _picture(text, tint, ratio, "")
        letters.setDevicePixelRatio(ratio)
        painter.drawImage(0, 0, letters)
    else:
        _draw_letters(painter, text, _ROOM, _ROOM, tint)
    painter.end()
    if ratio != 1:
        made.setDevicePixelRatio(1)  # it is laid onto pixels as it is
    return made


_short, _long = (lru_cache(maxsize=most)(_picture) for most in (_KEPT, _KEPT_LONG))
