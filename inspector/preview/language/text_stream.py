"""The text of tokens while they come: nothing is shown before a letter is complete."""

from collections.abc import Sequence

from inspector.preview.inputs.tokens import Vocabulary

# Numbers in front of a text that goes on: as many as a letter may have, and more.
_MOST_BEFORE = 8
_SIGNS = {" ": "␣", "\n": "⏎", "\r": "␍", "\t": "⇥"}


class TextStream:
    """Tokens to text, one by one. Special tokens add nothing.

    before: tokens in front of the text, for a text that goes on; an
    answer begins its own.
    """

    def __init__(self, vocabulary: Vocabulary, before: Sequence[int] = ()) -> None:
        self._vocabulary = vocabulary
        self._window = tuple(before[-_MOST_BEFORE:])
        self._shown = len(self._window)  # tokens of the window whose text is out

    def add(self, *tokens: int) -> tuple[str, ...]:
        """Return what is new of the text with each of some more tokens."""
        return self._taken(tokens) if tokens else ()

    def finish(self) -> str:
        """Return the rest, with a mark in the place of a letter that is incomplete."""
        return self._taken((), whole=True)[0] if self._shown < len(self._window) else ""

    def _taken(self, tokens: Sequence[int], whole: bool = False) -> tuple[str, ...]:
        texts, self._window, self._shown = self._vocabulary.added(
            self._window, self._shown, tokens, whole
        )
        return texts


def visible_piece(text: str) -> str:
    """Return a piece as one sees it in a table: blanks and line ends as signs."""
    return "".join(_SIGNS.get(letter, letter) for letter in text)
