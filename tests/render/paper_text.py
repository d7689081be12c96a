"""What is written on the sheets of a PDF, and where."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any
from unittest.mock import patch

from fpdf.fonts import TTFFont

from inspector.pages.blocks import Page
from inspector.render.paper import Paper
from inspector.render.pdf import pdf
from inspector.wording.values import ENGLISH, Wording

_CAP, _DEPTH = 0.72, 0.2  # of the size of letters: their height above the base, and below


@dataclass(frozen=True)
class Written:
    """A text and its box in points; sheets count from 1."""

    text: str
    sheet: int
    left: float
    top: float
    right: float
    bottom: float

    def covers(self, other: "Written") -> bool:
        """Return whether a part of the other text lies below this one."""
        return (
            self.sheet == other.sheet
            and self.left + 0.5 < other.right
            and other.left + 0.5 < self.right
            and self.top + 0.5 < other.bottom
            and other.top + 0.5 < self.bottom
        )


def written(page: Page, wording: Wording = ENGLISH) -> list[Written]:
    """Return all texts of a page in the order in which they are drawn."""
    texts, write = list[Written](), Paper.draw_text

    def noted(
        paper: Paper, x: float, y: float, text: str, size: float = 8, side: str = "L",
        *rest: Any, **more: Any,
    ) -> float:  # fmt: skip
        wide = write(paper, x, y, text, size, side, *rest, **more)
        left = x - {"L": 0.0, "R": wide, "C": wide / 2}[side]
        box = (left, y - _CAP * size, left + wide, y + _DEPTH * size)
        texts.append(Written(text, paper.page_no(), *box))
        return wide

    def ended(paper: Paper) -> bytes:
        """Write the foot of the last sheet, but no file: half the time goes into its fonts."""
        paper.footer()
        for font in paper.fonts.values():
            if isinstance(font, TTFFont):
                font.close()
        return b""

    with patch.object(Paper, "draw_text", noted), patch.object(Paper, "output", ended):
        pdf(page, wording)
    return texts


def pdf_text(page: Page, wording: Wording = ENGLISH) -> str:
    """Return what is written, in the order of reading, with spaces between its parts."""
    return " ".join(" ".join(one.text for one in written(page, wording)).split())


def overlaps(texts: list[Written]) -> list[tuple[str, str]]:
    """Return the pairs of texts that lie over each other."""
    sheets: dict[int, list[Written]] = {}
    for one in texts:
        sheets.setdefault(one.sheet, []).append(one)
    return [
        (one.text, other.text)
        for some in sheets.values()
        for one, other in combinations(some, 2)
        if one.covers(other)
    ]
