"""Generate text token by token with any decoder, and keep its cache for what comes next."""

from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile
from time import perf_counter_ns
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.language.next_token import Distribution, choose
from inspector.backends.base import GenerationRequest, StopSignal
from inspector.errors import BadInput, EngineFailed
from inspector.report.language.generation import (
    NO_RULES,
    GeneratedToken,
    Generation,
    StopReason,
    TokenRules,
)
from inspector.units import clip
from inspector.wording.values import Count, Sentence

MAX_ALTERNATIVES = 20
# Tokens of one call for a long prompt: fewer take longer (32: 14% on a model of 0.2 GB), more
# do not save time, and nobody can see how far it is.
PIECE = 256
_SHARED = "shared"  # the cache of `TokenDecoder.cache` that can be emptied at no cost
_WARM_TOKENS = 16  # of the prompt, computed once before any time is taken


class FeedStopped(Exception):
    """Raised by a decoder for tokens that it did not take, since somebody asked it to stop."""


class TokenDecoder(Protocol):
    """A model that is fed tokens and remembers them."""

    @property
    def name(self) -> str:
        """Return the name of the model, for messages."""

    @property
    def cache(self) -> str:
        """Return how earlier tokens are remembered, as in `Generation`."""

    @property
    def vocabulary(self) -> int:
        """Return how many tokens there are; 0 where only a run tells."""

    @property
    def context_limit(self) -> int:
        """Return how many tokens it can count at most; 0 where nothing says so."""

    def begin(self, capacity: int) -> None:
        """Forget all tokens, and make room for so many. Raises BadInput: too many."""

    def reserve(self, capacity: int) -> None:
        """Make room for so many tokens, and keep those that are there. Raises BadInput."""

    def rewind(self, length: int) -> None:
        """Forget all but the first tokens. Raises ValueError: it cannot go back."""

    def feed(
        self,
        ids: NDArray[np.int64],
        stop: StopSignal | None = None,
        piece: int = 0,
        report: Callable[[int], None] = lambda _: None,
    ) -> NDArray[np.float32]:
        """Take tokens, (1, tokens), and return the logits of the last one, (1, vocabulary).

        piece: take so many at a time, where the model can; 0: all at once. report: hears how
        many it has taken. Raises FeedStopped; BadInput, EngineFailed.
        """


class Conversation:
    """A decoder with the tokens that are in its cache, from one generation to the next."""

    def __init__(self, decoder: TokenDecoder) -> None:
        self._decoder = decoder
        self._cached: list[int] = []
        self._is_warm = False

    def generate(self, request: GenerationRequest) -> Generation:
        """Generate text. Raises BadInput, EngineFailed."""
        what = Sentence("Could not generate text with {name}", clip(self._decoder.name))
        limit = self._limit(request, what)
        prompt = list(request.prompt)
        warm_up_ns = self._warm_up(prompt, request.stop)
        began = perf_counter_ns()
        capacity = min(limit, len(prompt) + request.max_tokens)
        decoder, same = self._decoder, 0
        if request.reuse:
            pairs = zip(prompt[:-1], self._cached, strict=False)  # logits need a token to run
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        if same:
            try:
                decoder.rewind(same)
                decoder.reserve(capacity)
            except ValueError:  # a state that does not grow cannot go back
                same = 0
        if not same:
            decoder.begin(capacity)
        self._cached = prompt[:same]
        try:
            made = self._loop(request, began, limit, same, what)
            return replace(made, load_ns=warm_up_ns)
        except EngineFailed:
            self._cached = []  # what the cache holds now is not known
            raise

    def _warm_up(self, prompt: list[int], stop: StopSignal) -> int:
        """Compute a few tokens once, and return how long that took.

        The first runs of a session allocate its memory and read its weights: that belongs to
        loading, else the first token of the first answer takes 10 times as long as any other.
        """
        decoder = self._decoder
        if self._is_warm or decoder.cache != _SHARED:
            return 0
        began, self._is_warm = perf_counter_ns(), True
        ids = np.array([prompt[:_WARM_TOKENS]], np.int64)
        decoder.begin(ids.shape[1] + 1)
        if self._feed(ids, stop) is not None:
            self._feed(ids[:, -1:], stop)
        return perf_counter_ns() - began

    def _limit(self, request: GenerationRequest, what: Sentence) -> int:
        """Return how many tokens fit. Raises BadInput: the prompt is none, or does not fit."""
        decoder = self._decoder
        prompt = request.prompt
        known = [each for each in (request.context, decoder.context_limit) if each]
        limit = min(known, default=len(prompt) + request.max_tokens)
        if not prompt:
            raise BadInput(what, "the prompt has no tokens", "Enter a text.", "generation")
        if len(prompt) >= limit and request.max_tokens:
            why = Sentence(
                "the prompt has {tokens}, but the context holds {limit}",
                tokens=Count(len(prompt), "token"),
                limit=Count(limit),
            )
            raise BadInput(what, why, "Shorten the prompt.", "generation")
        size = decoder.vocabulary
        wrong = next((each for each in prompt if each < 0 or (size and each >= size)), None)
        if wrong is not None:
            why = Sentence(
                "the prompt has the token {token}, but the model has the tokens 0 to {last}",
                token=str(wrong),
                last=str(size - 1) if size else "…",
            )
            raise BadInput(what, why, "Use the model's own tokenizer.", "generation")
        return limit

    def _loop(
        self, request: GenerationRequest, began: int, limit: int, reused: int, what: Sentence
    ) -> Generation:
        decoder, prompt = self._decoder, list(request.prompt)
        rest = np.array([prompt[reused:]], np.int64)
        tokens: list[GeneratedToken] = []
        random = np.random.default_rng(request.sampling.seed % 2**63)
        ends, stop = frozenset(request.ends), StopReason.MAX_TOKENS

        def done(count: int) -> None:
            self._cached = prompt[: reused + count]
            request.report_progress("prefill", count / rest.shape[1], ())

        request.report_progress("prefill", 0.0, ())
        logits = self._feed(rest, request.stop, PIECE, done)
        prefill_ns = perf_counter_ns() - began
        at = began
        while logits is not None and len(tokens) < request.max_tokens:
            chosen_at = perf_counter_ns()
            row = _allowed(logits[0], request.rules, first=not tokens)
            token, distribution = self._choose(row, request, random, what)
            now = perf_counter_ns()
            context = len(prompt) + len(tokens)
            made = GeneratedToken(
                token,
                distribution.probability(token),
                distribution.entropy_bits,
                distribution.alternatives(min(request.alternatives, MAX_ALTERNATIVES)),
                context,
                now - at,
                now - chosen_at,
            )
            tokens.append(made)
            request.report_token(made, len(tokens) / request.max_tokens)
            at = perf_counter_ns()  # whoever shows tokens may be slower than the model
            if token in ends:
                stop = StopReason.END_TOKEN
                break
            if len(tokens) == request.max_tokens:
                break
            if context + 1 >= limit:
                stop = StopReason.CONTEXT_FULL
                break
            logits = self._feed(np.array([[token]], np.int64), request.stop)
            if logits is not None:
                self._cached.append(token)
        if logits is None:
            stop = StopReason.STOPPED
        return Generation(
            tuple(tokens), stop, len(prompt), prefill_ns, decoder.cache, limit, reused=reused
        )

    def _feed(
        self,
        ids: NDArray[np.int64],
        stop: StopSignal,
        piece: int = 0,
        report: Callable[[int], None] = lambda _: None,
    ) -> NDArray[np.float32] | None:
        """Return logits; None where it was stopped."""
        if stop.requested:
            return None
        try:
            return self._decoder.feed(ids, stop, piece, report)
        except FeedStopped:
            return None

    def _choose(
        self,
        row: NDArray[np.float32],
        request: GenerationRequest,
        random: np.random.Generator,
        what: Sentence,
    ) -> tuple[int, Distribution]:
        try:
            distribution = Distribution(row)
        except ValueError as error:
            why = "its logits are not finite numbers (NaN or infinity)"
            hint = "Find the first layer with such values: run the model layer by layer."
            raise EngineFailed(what, why, hint, "generation") from error
        return choose(row, request.sampling, random), distribution


def _allowed(row: NDArray[np.float32], rules: TokenRules, first: bool) -> NDArray[np.float32]:
    """Return logits with those of tokens that may not be chosen at minus infinity."""
    if rules == NO_RULES:
        return row
    banned = np.zeros(len(row), bool)
    if first and rules.only_first:
        banned[:] = True
        banned[_within(rules.only_first, len(row))] = False
    banned[_within(rules.never, len(row))] = True
    if first:
        banned[_within(rules.never_first, len(row))] = True
    if banned.all():
        return row
    return np.where(banned, np.float32(-np.inf), row)


def _within(numbers: tuple[int, ...], size: int) -> list[int]:
    return [number for number in numbers if 0 <= number < size]
