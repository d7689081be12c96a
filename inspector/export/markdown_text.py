"""Pieces of Markdown in which texts of a file stay texts."""

from collections.abc import Iterable, Iterator, Sequence

from inspector import units

_LONGEST_NAME = 80
_ACTING = frozenset("\\`*_[]<>|#!&~")


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


def quoted(text: str) -> str:
    """A sentence in which no sign acts, though it may hold a text of a file."""
    plain = "".join(f"\\{sign}" if sign in _ACTING else sign for sign in units.clip(text))
    # Neither a mention nor a link can be escaped; a space of no width parts them.
    return plain.replace("@", "@\u200b").replace("://", ":\u200b//")
