"""What the window says of a conversation: the headline, and the facts of one token."""

import math
from collections.abc import Sequence

from inspector.pages.blocks import Fact, Facts
from inspector.report.language.generation import GeneratedToken, Generation, StopReason
from inspector.wording.values import Count, Duration, Number, Sentence, Share, Value, joined

REASONS = {
    StopReason.END_TOKEN: Sentence("stopped at end token"),
    StopReason.MAX_TOKENS: Sentence("stopped at max tokens"),
    StopReason.CONTEXT_FULL: Sentence("context full"),
    StopReason.STOPPED: Sentence("stopped by you"),
}
_MOST_DIGITS = 3


def answer_line(answer: Generation, kept: int = 0, writing: bool = False) -> Value:
    """Return the five facts of an answer in one line; in one that is being written "so far".

    kept: tokens in front of the generated ones that belong to the answer, too.
    """
    tokens = Count(kept + len(answer.tokens), "token")
    used = answer.prompt_tokens + len(answer.tokens)
    speed = answer.tokens_per_second
    return joined(
        Sentence("{tokens} so far", tokens) if writing else Sentence("{tokens}", tokens),
        Sentence("first token {time}", Duration(answer.first_token_ns))
        if answer.tokens
        else "",
        Sentence(
            "{speed} at context {context}", tokens_per_second(speed), speed_context(answer)
        )
        if speed is not None
        else "",
        Sentence("cache {share} full", Share(used, answer.context_limit))
        if answer.context_limit and answer.cache != "none"
        else "",
        Sentence("generating") if writing else REASONS[answer.stop],
        separator=" · ",
    )


def speed_context(answer: Generation) -> Value:
    """Return the context at which the speed was measured: that of the step in the middle."""
    steady = answer.tokens[2:]
    return Count(steady[len(steady) // 2].context if steady else 0)


def tokens_per_second(speed: float) -> Value:
    """Return a decode speed: "24.1 tokens/s"."""
    return Number(speed, "tokens/s", _MOST_DIGITS)


def speed_headline(answer: Generation) -> Value:
    """Return how fast an answer came, with what that depends on."""
    speed = answer.tokens_per_second
    first = Sentence("first token {time}", Duration(answer.first_token_ns))
    if speed is None:
        return Sentence("First token {time}", Duration(answer.first_token_ns))
    return joined(
        Sentence(
            "{speed} at context {context}", tokens_per_second(speed), speed_context(answer)
        ),
        first,
        separator=" · ",
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
