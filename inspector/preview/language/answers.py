"""What a language model answered: its text, its tokens, and where two answers differ."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp, log

from inspector.model.tensors.element_types import Fed
from inspector.platform.data_struct import DataStruct
from inspector.preview.inputs.tokens import TokenPiece
from inspector.report.language.generation import GeneratedToken, Generation

_LEAST = 1e-300  # probability of a token that was drawn in spite of it; its logarithm is finite


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent to a model: the text that a template made of a chat, and its tokens.

    feeds: of the inputs of an encoder, which then reads the text, or a sound or an image; ids
    are what its decoder begins with. encoded: tokens of the text that it reads.
    """

    text: str
    ids: tuple[int, ...]
    feeds: Mapping[str, Fed] = field(default_factory=dict, repr=False)
    encoded: int = 0


class Answer(DataStruct, frozen=True):
    """What a model said.

    text: without special tokens. prompt: as it was sent. kept: tokens of an earlier answer that
    this one continues, of which the last may be another one that a person chose; their times
    are those of the earlier one. generation: the tokens after them. known: what tokens stand
    for, all alternatives among them. context: tokens that fit, prompt included; 0 where nobody
    knows.
    """

    text: str
    prompt: Prompt
    generation: Generation
    kept: tuple[GeneratedToken, ...] = ()
    known: Mapping[int, TokenPiece] = {}
    context: int = 0

    @property
    def tokens(self) -> tuple[GeneratedToken, ...]:
        """Return all tokens of the text, and its end."""
        return self.kept + self.generation.tokens

    @property
    def pieces(self) -> tuple[TokenPiece, ...]:
        """Return what its tokens stand for, one by one."""
        return tuple(self.piece(token.id) for token in self.tokens)

    def piece(self, token: int) -> TokenPiece:
        """Return what a token or an alternative stands for."""
        return self.known.get(token) or TokenPiece(token, "")

    @property
    def used(self) -> int:
        """Return how many tokens of the context are taken after it."""
        return len(self.prompt.ids) + len(self.tokens)

    @property
    def perplexity(self) -> float | None:
        """Return how surprised the model was by its own tokens: exp of the mean of -log p, at
        temperature 1. 1 is certain; None without tokens."""
        shares = [max(token.probability, _LEAST) for token in self.tokens]
        return exp(-sum(map(log, shares)) / len(shares)) if shares else None

    @property
    def speed_context(self) -> int:
        """Return the context at which its tokens per second were measured: that of the token in
        the middle; 0 where there is no speed."""
        steady = self.generation.tokens[2:]
        return steady[len(steady) // 2].context if steady else 0


def first_difference(one: Answer, other: Answer) -> int | None:
    """Return the place of the first token that differs between two answers; None where they are
    equal. Tokens are compared by their text, since vocabularies may differ."""
    mine, theirs = one.pieces, other.pieces
    for place, (piece, another) in enumerate(zip(mine, theirs, strict=False)):
        if (piece.text, piece.special) != (another.text, another.special):
            return place
    return None if len(mine) == len(theirs) else min(len(mine), len(theirs))
