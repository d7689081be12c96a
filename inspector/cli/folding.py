"""Lines as a terminal can show them: long ones go on below where their words begin."""

import re
import shutil
import sys
import textwrap

_NARROWEST, _FURTHEST = 60, 30
_COLUMN = re.compile(r"\S  +(?=\S)")
_UNIT = re.compile(r"(?<=\d) (?=([µmn]?s|[KMGT]?i?B|%)(\W|$))")
_HEAD = re.compile(r" *[a-z]+: | *")


def folded(text: str) -> str:
    """Fold what goes to a terminal; what goes into a pipe or a file stays as it is."""
    if not sys.stdout.isatty():
        return text
    width = max(_NARROWEST, shutil.get_terminal_size().columns)
    return "\n".join(fold(line, width) for line in text.split("\n"))


def fold(line: str, width: int) -> str:
    """One line as several that are at most so wide, but for words that are longer.

    They go on below the last column of a table, or behind 'note: '. A number stays with its
    unit; bars are left alone.
    """
    if len(line) <= width or "█" in line:
        return line
    columns = [found.end() for found in _COLUMN.finditer(line) if found.end() <= _FURTHEST]
    head = _HEAD.match(line)
    indent = columns[-1] if columns else head.end() if head is not None else 0
    lines = textwrap.wrap(
        _UNIT.sub("\N{NO-BREAK SPACE}", line),
        width,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")
