"""The text of tokens while they come: nothing is shown before a letter is complete."""

from collections.abc import Sequence

from inspector.preview.inputs.tokens import Vocabulary

# A letter has four bytes at most, and so as many tokens; what stays incomplete is no text.
_MOST_PENDING = 8
_SIGNS = {" ": "␣", "\n": "⏎", "\r": "␍", "\t": "⇥"}


class TextStream:
    """Tokens to text, one by one. Special tokens add nothing.

    Decoders join what they decode at once: each token is decoded behind the ones before it, so
    that its space is right. before: tokens in front of the text, for a text that goes on; an
    answer begins its own.
    """

    def __init__(self, vocabulary: Vocabulary, before: Sequence[int] = ()) -> None:
        self._vocabulary = vocabulary
        self._window = list(before[-_MOST_PENDING:])
        self._shown = len(self._window)  # tokens of the window whose text is out

    def add(self, token: int) -> str:
        """Return what is new of the text with one more token."""
        self._window.append(token)
        return self._taken(len(self._window) - self._shown >= _MOST_PENDING)

    def finish(self) -> str:
        """Return the rest, with a mark in the place of a letter that is incomplete."""
        return self._taken(True) if self._shown < len(self._window) else ""

    def _taken(self, whole: bool) -> str:
        text = self._vocabulary.added(self._window, self._shown, whole)
        if text or whole:
            self._window = self._window[self._shown :]
            self._shown = len(self._window)
        return text


def visible_piece(text: str) -> str:
    """Return a piece as one sees it in a table: blanks and line ends as signs."""
    return "".join(_SIGNS.get(letter, letter) for letter in text)
