"""Names of files in wide columns: which part of one stands out."""

_WORDS = 4  # from which a text of a file is a sentence, such as a reason of a runtime


def is_sentence(name: str) -> bool:
    """Return whether a text of a file is prose, which is never cut and has no scope."""
    return len(name.split(maxsplit=_WORDS)) >= _WORDS


def scope_and_leaf(name: str) -> tuple[str, str]:
    """Return the scope of a name with its slash, "" without one, and the part that differs."""
    scope, slash, leaf = name.rpartition("/")
    if not (slash and leaf) or is_sentence(name):
        return "", name
    return scope + slash, leaf
