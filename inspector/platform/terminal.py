"""Writing to a terminal so that text from files and models cannot control it."""

import codecs
import io
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from typing import Any, TextIO, cast

from inspector.errors import BadInput
from inspector.platform import settings

# Line ends and tabs are ours to print, and bold headings; a text turned around is not.
_CONTROLS = (
    "[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
    r"|\r(?!\n)|\x1b"
)
_HIDDEN = re.compile(_CONTROLS + r"(?!\[[01]m)")
# Colors are ours only where the names in a text are escaped already.
_HIDDEN_IN_STYLED = re.compile(_CONTROLS + r"(?!\[(?:[012]|3[123])m)")
_LOOKALIKES = "inspector-lookalikes"  # name of the error handler
_PLAIN = dict(zip("█▉▊▋▌▍▎▏▁▂▃▄▅▆▇", "#######|.._-=+*", strict=True)) | {
    "→": "->", "←": "<-", "×": "x", "µ": "u", "μ": "u", "±": "+-", "≥": ">=", "≤": "<=",
    "≈": "~", "…": "...", "·": "-", "–": "-", "—": "-", "−": "-", "▲": "^", "▼": "v",
    "²": "^2", "³": "^3", "’": "'", "“": '"', "”": '"', "✓": "+", "✗": "x",
}  # fmt: skip
_NARROWEST = 60
_FURTHEST = 30
_COLUMN = re.compile(r"\S  +(?=\S)")
_UNIT = re.compile(r"(?<=\d) (?=([µmn]?s|[KMGT]?i?B|%)(\W|$))")
_HEAD = re.compile(r" *[a-z]+: | *")


@contextmanager
def plain_output() -> Iterator[None]:
    """Escape control characters on standard output and error, as in reports."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # On Windows pipes and files would get cp1252, in which JSON is no JSON: they get
            # UTF-8, unless PYTHONIOENCODING asks for something else.
            if not stream.isatty() and "PYTHONIOENCODING" not in os.environ:
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")
            else:
                stream.reconfigure(errors=_LOOKALIKES)
    with redirect_stdout(_plain(sys.stdout)), redirect_stderr(_plain(sys.stderr)):
        yield


def _lookalikes(error: UnicodeError) -> tuple[str | bytes, int]:
    """Return what stands for letters that an encoding does not have, as codecs ask for it."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    shown = (
        _PLAIN.get(one) or one.encode("ascii", "backslashreplace").decode() for one in text
    )
    return "".join(shown), error.end


codecs.register_error(_LOOKALIKES, _lookalikes)


def takes_bold() -> bool:
    """Return whether standard output is a terminal, and bold text is not switched off."""
    return sys.stdout.isatty() and settings.is_on("bold")


def steer(stream: TextIO, sequence: str) -> None:
    """Write control characters of our own to a stream, which a terminal is to follow."""
    with suppress(OSError):  # nobody looks any more
        getattr(stream, "inner", stream).write(sequence)


def write_bytes(body: bytes | memoryview) -> None:
    """Write a file to standard output as it is."""
    stream: Any = sys.stdout
    stream.flush()
    if getattr(stream, "failure", None) is None:
        try:
            stream.buffer.write(body)
            stream.buffer.flush()
        except OSError as error:
            stream.failure = error


def has_output() -> bool:
    """Return whether anything was printed on standard output."""
    return bool(getattr(sys.stdout, "written", False))


def output_failure() -> OSError | None:
    """Return why standard output took not all that was printed; None if it did.

    From then on nothing more is written to it, not even at the end of the program.
    """
    sys.stdout.flush()
    failure: OSError | None = getattr(sys.stdout, "failure", None)
    for stream in (sys.stdout, sys.stderr):
        if getattr(stream, "failure", None) is not None:
            with suppress(OSError, ValueError), open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), stream.fileno())
    return failure


def print_styled(text: str, stream: TextIO | None = None) -> None:
    """Print lines in color whose names are escaped already; by default on standard output."""
    stream = sys.stdout if stream is None else stream
    if isinstance(stream, _Plain):
        stream.write(f"{text}\n", _HIDDEN_IN_STYLED)
    else:
        stream.write(f"{text}\n")


def _plain(stream: TextIO) -> TextIO:
    return cast(TextIO, _Plain(stream))


class _Plain:
    """A stream that escapes what is written to it as text, and is the inner one else.

    A reader that went away or a full disk stops no command in the middle, before it has saved
    and judged: what cannot be written is dropped. failure: the first error of that kind.
    written: whether there was any text.
    """

    def __init__(self, inner: TextIO) -> None:
        self.inner = inner
        self.failure: OSError | None = None
        self.written = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def write(self, text: str, hidden: re.Pattern[str] = _HIDDEN) -> int:
        """Write a text; returns how much of it. hidden: what is escaped."""
        self.written |= bool(text)
        if self.failure is None:
            try:
                self.inner.write(hidden.sub(lambda found: f"\\u{ord(found[0]):04x}", text))
            except OSError as error:
                self.failure = error
        return len(text)

    def flush(self) -> None:
        """Flush the stream below."""
        if self.failure is None:
            try:
                self.inner.flush()
            except OSError as error:
                self.failure = error


def folded(text: str) -> str:
    """Fold what goes to a terminal; what goes into a pipe or a file stays as it is."""
    if not sys.stdout.isatty():
        return text
    width = max(_NARROWEST, shutil.get_terminal_size().columns)
    return "\n".join(fold(line, width) for line in text.split("\n"))


def fold(line: str, width: int) -> str:
    """Return one line wrapped to a width; longer words stay whole.

    They go on below the last column of a table, or behind 'note: '. A number stays with its
    unit; bars are left alone.
    """
    if len(line) <= width or "█" in line:
        return line
    columns = [result.end() for result in _COLUMN.finditer(line) if result.end() <= _FURTHEST]
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


def confirmed(question: str, what: str) -> bool:
    """Ask on the terminal. Raises BadInput: there is none."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        why = "this requires confirmation, but there is no terminal to ask in"
        raise BadInput(what, why, "Add --yes to agree without being asked.")
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
