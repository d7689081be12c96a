"""Which letters the fonts of our pictures have; others become visible as their numbers."""

from functools import cache
from pathlib import Path

from fontTools.ttLib import TTFont

from inspector import files


def font_file(bold: bool = False) -> Path:
    """The font that pictures and documents are written with: Inter, Latin, Greek, Cyrillic."""
    return files.resource("report", f"inter-{600 if bold else 400}.ttf")


def shown(text: str) -> str:
    """The text with each letter that the font lacks as '\\u4e2d'."""
    known = _known()
    if all(ord(letter) in known for letter in text):
        return text
    return "".join(c if ord(c) in known else f"\\u{ord(c):04x}" for c in text)


@cache
def _known() -> frozenset[int]:
    with TTFont(font_file(), lazy=True) as font:
        return frozenset(font.getBestCmap())
