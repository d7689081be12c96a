"""Outputs that are text in numbers: tokens, scores of tokens, letters over time.

Greedy reading of letters over time (CTC): Graves et al. 2006, section 3.2.1, best path.
"""

import re
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.families.label_text import BLANK, is_blank, of_output, spell
from inspector.preview.inputs.tokens import Vocabulary

TOKENS = "tokens"
NEXT = "next tokens"
LETTERS = "letters over time"
MOST_ROWS = 8
NEXT_SHOWN = 5
LONGEST = 20_000
_FEW = 4
_FEWEST_LETTERS = 10  # of an alphabet, such as digits
_MOST_UNLISTED = 2  # classes that a list of letters leaves out: the blank and the space
_IDS = re.compile(r"ids|tokens|sequences|tokenized|decoded", re.I)
_SPACES = re.compile(r"\s+")
_MAYBE_BLANK = ("_", "-", "")  # marks of the blank, where nothing else marks one


class DecodedText(Struct, frozen=True):
    """An output read as text.

    kind: what it was: TOKENS, NEXT (scores of every token at each place) or LETTERS.
    lines: a text for each row. following: after the last place of the first row the likeliest
    tokens: number, text, probability. note: how it was read.
    """

    kind: str
    lines: tuple[str, ...]
    following: tuple[tuple[int, str, float], ...] = ()
    note: str = ""


def decode_text(
    output: OutputValue, vocabulary: Vocabulary | None, labels: Sequence[str] = ()
) -> DecodedText | None:
    """Return the output as text; None where its type and shape, or want of names, speak against
    it."""
    array = output.array
    if array is None or not array.size or array.ndim not in (1, 2, 3):
        return None
    if array.dtype in (np.int32, np.int64):
        return _tokens(output.name, array, vocabulary)
    if array.dtype.kind != "f" or array.ndim != 3:
        return None
    more = -1 if vocabulary is None else array.shape[2] - vocabulary.size
    labels = of_output(labels, output.name)
    named = _fits(labels, array.shape[2])
    if vocabulary is not None and not named and 0 <= more <= max(_FEW, vocabulary.size // 8):
        return _following(array, vocabulary)
    return _letters(array, vocabulary, labels)


def following(
    scores: NDArray[np.generic], vocabulary: Vocabulary
) -> tuple[tuple[int, str, float], ...]:
    """Return the likeliest tokens of one row of scores, with their softmax."""
    row = scores.astype(np.float64)
    shares = np.exp(row - np.nanmax(row))
    shares /= np.nansum(shares)
    best = np.argsort(-shares, kind="stable")[:NEXT_SHOWN].tolist()
    return tuple((n, _shown(vocabulary, n), float(shares[n])) for n in best)


def _tokens(
    name: str, array: NDArray[np.generic], vocabulary: Vocabulary | None
) -> DecodedText | None:
    if vocabulary is None or array.ndim > 2 or not _IDS.search(name):
        return None
    rows = np.atleast_2d(array)[:MOST_ROWS]
    return DecodedText(TOKENS, tuple(vocabulary.text(row.tolist())[:LONGEST] for row in rows))


def _following(array: NDArray[np.generic], vocabulary: Vocabulary) -> DecodedText:
    best = array[:MOST_ROWS, :, : vocabulary.size].argmax(axis=2)
    lines = tuple(vocabulary.text(row.tolist(), whole=True)[:LONGEST] for row in best)
    next_ones = following(array[0, -1, : vocabulary.size], vocabulary)
    return DecodedText(NEXT, lines, next_ones, "the most likely token at each position")


def _letters(
    array: NDArray[np.generic], vocabulary: Vocabulary | None, labels: Sequence[str]
) -> DecodedText | None:
    """Letters with a blank between equal ones: (batch, time, letters) or (time, 1, letters)."""
    total = array.shape[2]
    fits = _fits(labels, total)
    if not fits and (vocabulary is None or vocabulary.size != total):
        return None
    rows = array.transpose(1, 0, 2) if array.shape[1] == 1 < array.shape[0] else array
    if rows.shape[1] < 2:
        return None
    paths = [row.argmax(axis=1).tolist() for row in rows[:MOST_ROWS]]
    names = _with_unlisted(labels, total, paths) if fits else ()
    blank = _blank(names, vocabulary)
    collapsed_rows = (collapsed(path, blank) for path in paths)
    if names:
        lines = tuple(
            "".join(_letter(names[n]) for n in row if n < len(names)) for row in collapsed_rows
        )
    else:
        assert vocabulary is not None, "without names there is a vocabulary"
        lines = tuple(vocabulary.text(row) for row in collapsed_rows)
    texts = tuple(_SPACES.sub(" ", line).strip()[:LONGEST] for line in lines)
    return DecodedText(LETTERS, texts, note=f"greedy CTC decoding; the blank is class {blank}")


def collapsed(path: Sequence[int], blank: int) -> list[int]:
    """Return the letters of a path: repeated ones once, blanks left out."""
    pairs = zip(path, [None, *path], strict=False)
    return [one for one, before in pairs if one not in (before, blank)]


def _fits(labels: Sequence[str], total: int) -> bool:
    """Return whether labels are the letters of so many classes; a short list may leave out
    one."""
    missing = total - len(labels)
    most = _MOST_UNLISTED if len(labels) >= _FEWEST_LETTERS else 1
    return spell(labels) and 0 <= missing <= most


def _with_unlisted(
    labels: Sequence[str], total: int, paths: Sequence[Sequence[int]]
) -> tuple[str, ...]:
    """Return the names of all classes of letters, with those that a list leaves out.

    paths: the best class at each step. The blank is the first or the last class: of the two
    the one that is best at more steps, as the blank is nearly always. A second class that is
    left out is the space, which stands behind the letters.
    """
    names, missing = list(labels), total - len(labels)
    if not missing:
        return tuple(names)
    spaces = [" "] * missing
    if is_blank(names[0]):
        return (*names, *spaces)
    if is_blank(names[-1]):
        return (*names[:-1], *spaces, names[-1])
    first = sum(path.count(0) for path in paths)
    last = sum(path.count(total - 1) for path in paths)
    names += spaces[1:]
    return (BLANK, *names) if first > last else (*names, BLANK)


def _blank(names: Sequence[str], vocabulary: Vocabulary | None) -> int:
    """Return the class of the blank: marked as such, else the first."""
    sure = (place for place, name in enumerate(names) if is_blank(name))
    ends = (0, len(names) - 1) if names else ()
    likely = (place for place in ends if names[place] in _MAYBE_BLANK)
    declared = vocabulary.blank if vocabulary is not None and not names else None
    return next(sure, next(likely, 0 if declared is None else declared))


def _letter(name: str) -> str:
    return " " if name in ("|", "▁", "<space>", "[space]") else name.replace("▁", " ")


def _shown(vocabulary: Vocabulary, number: int) -> str:
    text = vocabulary.text([number], whole=True)
    return text if text.strip() else vocabulary.piece(number) or f"token {number}"
