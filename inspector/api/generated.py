"""Text that a language model generated."""

from __future__ import annotations

from dataclasses import dataclass, field

from inspector.api.tables import OneLine
from inspector.pages.language.answer import facts_line
from inspector.preview.language.answers import Answer


@dataclass(frozen=True, slots=True, repr=False)
class GeneratedText(OneLine):
    """A generated text, its tokens and their times.

    text: without special tokens. prompt: as it was sent, the template filled in. tokens: all of
    them, the end token included. stop: "end token", "max tokens", "context full" or "stopped".
    first_token_ns: time until the first token was chosen. tokens_per_second: without prefill
    and the first step after it; None for fewer than three tokens. speed_context: tokens in
    front of the one in the middle, for a speed means nothing without. context_limit: tokens
    that fit, prompt included; 0 where nobody knows.
    """

    text: str
    prompt: str
    prompt_tokens: int
    tokens: tuple[TextToken, ...]
    stop: str
    load_ns: int
    prefill_ns: int
    first_token_ns: int
    tokens_per_second: float | None
    speed_context: int
    context_limit: int
    answer: Answer = field(repr=False)

    def about(self) -> str:
        """Return the content in a few words."""
        return f"of {len(self.tokens)} tokens ({self.stop}): {self.text}"

    def __str__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return f"{self.text}\n\n{facts_line(self.answer)}"


@dataclass(frozen=True, slots=True)
class TextToken:
    """A token that was chosen.

    piece: its text, or its name if it is a special one. probability: after softmax, at
    temperature 1. step_ns: wall time since the token before. alternatives: the most probable
    tokens as (piece, probability).
    """

    id: int
    piece: str
    special: bool
    probability: float
    entropy_bits: float
    step_ns: int
    alternatives: tuple[tuple[str, float], ...]


def generated_text(answer: Answer) -> GeneratedText:
    """Return an answer as the API has it."""
    generation = answer.generation
    tokens = tuple(
        TextToken(
            token.id,
            answer.piece(token.id).text,
            answer.piece(token.id).special,
            token.probability,
            token.entropy_bits,
            token.step_ns,
            tuple(
                (answer.piece(each.id).text, each.probability) for each in token.alternatives
            ),
        )
        for token in answer.tokens
    )
    return GeneratedText(
        text=answer.text,
        prompt=answer.prompt.text,
        prompt_tokens=generation.prompt_tokens,
        tokens=tokens,
        stop=generation.stop.value,
        load_ns=generation.load_ns,
        prefill_ns=generation.prefill_ns,
        first_token_ns=generation.first_token_ns,
        tokens_per_second=generation.tokens_per_second,
        speed_context=answer.speed_context,
        context_limit=answer.context,
        answer=answer,
    )
