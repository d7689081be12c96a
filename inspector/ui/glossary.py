"""The terms of docs/glossary.md, for tooltips and the Glossary dialog."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

from inspector.ui import guide
from inspector.ui.translate import language, tr_message

_ROW = re.compile(r"^\| (?P<term>[^|]+) \| (?P<meaning>[^|]+) \|$")
_HEADING = re.compile(r"^## (?P<title>.+)$")


class Term(Struct, frozen=True):
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
def _meanings(code: str) -> Mapping[str, str]:
    """Return the meanings by each name of a term, in lower case: "scale", "zero point".

    code: of the language of the window, whose names are known beside the English ones.
    """
    results: dict[str, str] = {}
    for term in terms():
        for title in (term.name, tr_message(term.name)):
            plain = re.sub(r" \([^)]*\)", "", title)
            abbreviations = re.findall(r"\(([^)]*)\)", title)
            for name in (*plain.split(", "), *abbreviations):
                results.setdefault(name.casefold(), term.meaning)
    return results


def meaning(text: str) -> str:
    """Return what a term means, singular or plural; "" for what is no term of the glossary.

    The text may be in the language of the window; the meaning is in English.
    """
    name = text.casefold()
    known = _meanings(language())
    return known.get(name) or known.get(name.removesuffix("s")) or ""
