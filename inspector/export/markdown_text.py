"""Pieces of Markdown in which texts of a file stay texts."""

from collections.abc import Iterable, Iterator, Sequence

from inspector import units

_LONGEST_NAME = 80


def table(heads: Sequence[str], sides: str, rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Lines of a table; `sides` has an l or r for each column."""
    yield f"| {' | '.join(heads)} |"
    yield f"|{'|'.join('---:' if side == 'r' else ':---' for side in sides)}|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def code(text: str, limit: int = _LONGEST_NAME) -> str:
    """A text of a file as a code span, where neither Markdown nor HTML nor @names act."""
    shown = units.clip(text, limit).replace("|", "\\|")
    if not shown.strip():
        return ""
    fence = "`"
    while fence in shown:
        fence += "`"
    room = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{room}{shown}{room}{fence}"
