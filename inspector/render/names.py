"""Texts of files: what is shown of one, and which part of a name stands out."""

from inspector import units

_WORDS = 4  # from which a text of a file is a sentence, such as a reason of a runtime


def visible(text: str) -> str:
    """Return a text in which nothing is hidden, such as control characters."""
    return text if text.isprintable() else units.visible(text)


def visible_lines(text: str) -> list[str]:
    """Return the lines of something to paste, in which nothing is hidden."""
    return [visible(line) for line in text.splitlines()]


def is_sentence(name: str) -> bool:
    """Return whether a text of a file is prose, which is never cut and has no scope."""
    return len(name.split(maxsplit=_WORDS)) >= _WORDS


def scope_and_leaf(name: str) -> tuple[str, str]:
    """Return the scope of a name with its slash, "" without one, and the part that differs."""
    scope, slash, leaf = name.rpartition("/")
    if not (slash and leaf) or is_sentence(name):
        return "", name
    return scope + slash, leaf
