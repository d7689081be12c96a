"""What the window says of a conversation: the headline, and the facts of one token."""

import math
from collections.abc import Sequence

from inspector.pages.blocks import Fact, Facts
from inspector.pages.language.answer import SEPARATOR, answer_facts, first_token
from inspector.pages.language.quantities import per_second
from inspector.preview.language.answers import Answer
from inspector.report.language.generation import GeneratedToken
from inspector.wording.values import Count, Number, Sentence, Value, joined


def answer_line(answer: Answer, writing: bool = False) -> Value:
    """Return the five facts of an answer in one line; of one that is being written the number
    of tokens so far, and that it goes on."""
    facts = answer_facts(answer)
    if writing:
        facts = (Sentence("{tokens} so far", facts[0]), *facts[1:-1], Sentence("generating"))
    return joined(*facts, separator=SEPARATOR)


def speed_headline(answer: Answer) -> Value:
    """Return how fast an answer came, with what that depends on."""
    generation = answer.generation
    speed, first = generation.tokens_per_second, first_token(generation)
    if speed is None:
        return first
    rate, context = per_second(speed, unit=True), Count(answer.speed_context)
    return joined(
        Sentence("{rate} at context {context}", rate, context), first, separator=SEPARATOR
    )


def perplexity(tokens: Sequence[GeneratedToken]) -> float | None:
    """Return the perplexity of an answer to its own model: exp of the mean of -log p."""
    if not tokens or any(token.probability <= 0 for token in tokens):
        return None
    return math.exp(-sum(math.log(token.probability) for token in tokens) / len(tokens))


def token_facts(
    token: GeneratedToken, answer: Sequence[GeneratedToken], writing: bool
) -> Facts:
    """Return how sure the model was of a token, and of all of them."""
    whole = perplexity(answer)
    facts = [Fact("Entropy", Number(token.entropy_bits, "bits"))]
    if whole is not None:
        label = "Perplexity of the answer so far" if writing else "Perplexity of the answer"
        facts.append(Fact(label, Number(whole)))
    return Facts(tuple(facts))


def rank_text(token: GeneratedToken, vocabulary: int) -> Value:
    """Return the place of a token among all that could have been chosen."""
    ids = [each.id for each in token.alternatives]
    if token.id not in ids:
        return Sentence("not among the {number} most probable", Count(len(ids))) if ids else ""
    place = ids.index(token.id)
    if place == 0:
        if not vocabulary:
            return Sentence("most probable")
        return Sentence("most probable of {total}", Count(vocabulary))
    if not vocabulary:
        return Sentence("rank {place}", Count(place + 1))
    return Sentence("rank {place} of {total}", Count(place + 1), Count(vocabulary))


def step_parts(token: GeneratedToken) -> tuple[tuple[Value, int], ...]:
    """Return the parts of the time of a step: running the model, and choosing the token."""
    return (
        (Sentence("Model"), token.step_ns - token.sampling_ns),
        (Sentence("Sampling"), token.sampling_ns),
    )
