"""Texts of files: what a tokenizer is given."""

from pathlib import Path

from inspector.errors import BadInput, UnreadableFile
from inspector.units import clip

LIMIT_BYTES = 2 << 20  # of a text: 500,000 tokens, more than intervals need


def read_text(path: Path) -> str:
    """Return the text of a file in UTF-8; of a longer one, the beginning, with lines that end
    in one letter. Raises UnreadableFile: no such file, or not text; BadInput: nothing but
    blanks."""
    what = f"Could not read {clip(path.name)}"
    try:
        with path.open("rb") as file:
            body = file.read(LIMIT_BYTES)
    except OSError as error:
        why = error.strerror or str(error)
        raise UnreadableFile(what, why, "Give a text file in UTF-8.") from error
    if len(body) == LIMIT_BYTES:  # it may end within a letter
        body = body.rsplit(b"\n", 1)[0]
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFile(what, "it is not text in UTF-8", "Save it as UTF-8.") from error
    if not text.strip():
        raise BadInput(what, "it is empty", "Give a file with a text.")
    return text.replace("\r\n", "\n")
