"""The pages of docs/, which an installed package carries along, in the order of the site."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from msgspec import Struct

from inspector.platform import files

HOME = "index.md"
_ENTRY = re.compile(r"^(?P<indent> +)- (?:(?P<title>[^:]+): ?)?(?P<page>\S+\.md)?$")
_FOR_DEVELOPERS = "Development"  # a section of the site that the window leaves out
# Headings, and the first cell of a row, where tables explain terms.
_HEADING = re.compile(r"^(?:#+ (?:.+)|\| [^|]+ \|)$|^\| [^|]+ \|", re.MULTILINE)
_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")


class Page(Struct, frozen=True):
    """An entry of the contents. level: how deep it is. path: below `folder`, or "" if it only
    has others below it."""

    level: int
    title: str
    path: str


@cache
def folder() -> Path:
    """Return where the pages are: in an installed package, or in a checkout."""
    bundled = files.resource("guide")
    return bundled if bundled.is_dir() else files.resource("..", "docs").resolve()


@cache
def pages() -> tuple[Page, ...]:
    """Return the contents in the order of mkdocs.yml; none where that is missing."""
    bundled = folder() / "mkdocs.yml"
    nav = bundled if bundled.is_file() else folder().parent / "mkdocs.yml"
    try:
        lines = nav.read_text("utf-8").partition("\nnav:\n")[2].splitlines()
    except OSError:
        return ()
    return tuple(_entries(lines))


def _entries(lines: list[str]) -> Iterator[Page]:
    left_out = False
    for line in lines:
        entry = _ENTRY.match(line)
        if entry is None:
            return  # the next key of the file
        level = len(entry["indent"]) // 4
        if not level:
            left_out = entry["title"] == _FOR_DEVELOPERS
        if not left_out:
            yield Page(level, entry["title"] or "", entry["page"] or "")


def text(path: str) -> str:
    """Return a page as Markdown, or "" if it cannot be read."""
    try:
        return (folder() / path).read_text("utf-8")
    except OSError:
        return ""


def matching(words: str, or_most: bool = False) -> tuple[str, ...]:
    """Return the paths of the pages that contain each of the words, the best first.

    Pages with more of the words in their title come first, then those with a heading or a term
    of a table that is these words, then those with more of them in headings, then those that
    have them most often. or_most: where no page has all words, return those with most of them.
    """
    terms = words.casefold().split()
    ranks = {}
    bodies = {page.path: _searched(page.path) for page in pages() if page.path}
    counts = {path: sum(term in body for term in terms) for path, body in bodies.items()}
    most = max(counts.values(), default=0) if or_most else len(terms)
    for page in pages():
        if not page.path or counts[page.path] < most or (terms and not most):
            continue
        body = bodies[page.path]
        title = page.title.casefold()
        headings = [heading.strip("#|` ") for heading in _HEADING.findall(body)]
        ranks[page.path] = (
            -sum(term in title for term in terms),
            -headings.count(" ".join(terms)),
            -sum(any(term in heading for heading in headings) for term in terms),
            -sum(body.count(term) for term in terms),
        )
    return tuple(sorted(ranks, key=lambda path: ranks[path]) if terms else ranks)


@cache
def _searched(path: str) -> str:
    return text(path).casefold()


def anchor(heading: str) -> str:
    """Return the part of an address that leads to a heading: "Your own" is "your-own"."""
    return _NOT_IN_ANCHORS.sub("", heading).strip().lower().replace(" ", "-")
