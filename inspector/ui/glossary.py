"""The terms of docs/glossary.md, for tooltips and the Glossary dialog."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from inspector.ui import guide

_ROW = re.compile(r"^\| (?P<term>[^|]+) \| (?P<meaning>[^|]+) \|$")
_HEADING = re.compile(r"^## (?P<title>.+)$")


@dataclass(frozen=True, slots=True)
class Term:
    """A term with its meaning in one sentence. section: the heading that it stands under."""

    section: str
    name: str
    meaning: str


def _page() -> Path:
    """Return the page of the user guide."""
    return guide.folder() / "glossary.md"


def terms() -> Iterator[Term]:
    """Yield all terms in the order of the page; none where it is missing."""
    try:
        lines = _page().read_text("utf-8").splitlines()
    except OSError:  # a tooltip less is no reason to show no window
        return
    section = ""
    for line in lines:
        heading, row = _HEADING.match(line), _ROW.match(line)
        if heading is not None:
            section = heading["title"]
        elif row is not None and row["term"] not in ("Term", "---"):
            yield Term(section, row["term"], row["meaning"].replace("`", ""))


@cache
def _meanings() -> Mapping[str, str]:
    """Return the meanings by each name of a term, in lower case: "scale", "zero point"."""
    results: dict[str, str] = {}
    for term in terms():
        plain = re.sub(r" \([^)]*\)", "", term.name)
        abbreviations = re.findall(r"\(([^)]*)\)", term.name)
        for name in (*plain.split(", "), *abbreviations):
            results.setdefault(name.casefold(), term.meaning)
    return results


def meaning(text: str) -> str:
    """Return what a term means, singular or plural; "" for what is no term of the glossary."""
    name = text.casefold()
    known = _meanings()
    return known.get(name) or known.get(name.removesuffix("s")) or ""
