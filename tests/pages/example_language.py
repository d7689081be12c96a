"""Answers of language models, without any engine."""

from collections.abc import Callable

from inspector.pages.blocks import Page
from inspector.pages.language.answer import answer_page
from inspector.preview.inputs.tokens import TokenPiece
from inspector.preview.language.answers import Answer, Prompt
from inspector.report.language.generation import (
    Alternative,
    GeneratedToken,
    Generation,
    StopReason,
)

Naming = Callable[[str], str]  # what a file, a person or a runtime calls something
PIECES = ("Hello", " world", ".", "\n", " all", "<|end|>")
MS = 1_000_000


def answer(
    *ids: int,
    name: Naming = str,
    stop: StopReason = StopReason.END_TOKEN,
    step_ns: int = 20 * MS,
    kept: int = 0,
) -> Answer:
    """Return an answer of some `PIECES`, after a prompt of ten tokens. kept: of a branch."""
    tokens = tuple(
        GeneratedToken(
            token,
            0.5 + 0.1 * place,
            2.5,
            (Alternative(token, 0.5 + 0.1 * place), Alternative(4, 0.25)),
            10 + place,
            step_ns if place else 3 * step_ns,
            MS // 10,
        )
        for place, token in enumerate(ids)
    )
    known = {
        place: TokenPiece(place, name(piece), piece.startswith("<"))
        for place, piece in enumerate(PIECES)
    }
    text = "".join(known[token].text for token in ids if not known[token].special)
    generation = Generation(tokens[kept:], stop, 10, 5 * step_ns // 2, "shared", 100, 400 * MS)
    return Answer(text, Prompt("Hi", (1,) * 10), generation, tokens[:kept], known, 100)


def answered(name: Naming = str) -> Page:
    """Return the page of two models that answered."""
    one = answer(0, 1, 2, 5, name=name)
    other = answer(0, 1, 4, 2, 3, name=name, stop=StopReason.MAX_TOKENS, step_ns=10 * MS)
    return answer_page(name("small"), [(name("small"), one), (name("int4"), other)])
