"""The terms of a text that somebody types to search: words, phrases, regular expressions, -not.

Searches of layers and of events share this syntax; each knows terms of its own beyond it.
"""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from msgspec import Struct

from inspector.errors import BadInput
from inspector.units import clip

# A regular expression between slashes may hold spaces; a name that begins with a slash may not.
_TERM = re.compile(r'-?(?:[a-z]+:)?(?:"[^"]*"|/[^/]+/(?!\S))|\S+')
_SHOWN = 60  # letters of a mistake


class Term(Struct, frozen=True):
    """One term. text: without the sign in front and the quotes around. negated: what fits is
    left out. phrase: it was quoted. pattern: of a regular expression, else None."""

    text: str
    negated: bool = False
    phrase: bool = False
    pattern: re.Pattern[str] | None = None


def terms(text: str) -> Iterator[Term]:
    """Yield each term of a text once. Raises BadInput: a regular expression is wrong."""
    for token in dict.fromkeys(_TERM.findall(text)):
        negated = len(token) > 1 and token[0] == "-"
        body = token[1:] if negated else token
        if is_expression(body):
            yield Term(body, negated, pattern=expression(body[1:-1]))
        elif len(body) > 1 and body.startswith('"') and body.endswith('"'):
            yield Term(body[1:-1], negated, phrase=True)
        else:
            yield Term(body, negated)


def is_expression(text: str) -> bool:
    """Return whether a text is written as a regular expression: between slashes."""
    return len(text) > 2 and text[0] == text[-1] == "/"


def expression(source: str) -> re.Pattern[str]:
    """Return a regular expression that ignores case. Raises BadInput."""
    try:
        return re.compile(source, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as error:
        why = f"'{clip(source, _SHOWN)}' is not a regular expression: {error}"
        raise problem(why, "Example: /conv[0-9]+$/") from None


def with_wildcards(text: str) -> re.Pattern[str]:
    """Return a text in which * stands for any characters, as a regular expression."""
    return expression(".*".join(map(re.escape, text.split("*"))))


def fits(text: str, pattern: str) -> bool:
    """Return whether a whole text is a pattern in which only * is special."""
    return fnmatchcase(text, pattern.replace("[", "[[]").replace("?", "[?]"))


def holds(text: str, pattern: str) -> bool:
    """Return whether a text contains another one; one with * has to be the whole text."""
    return fits(text, pattern) if "*" in pattern else pattern in text


def problem(why: str, hint: str = "") -> BadInput:
    """Return the error of a text that makes no sense."""
    return BadInput("Could not search", why, hint)
