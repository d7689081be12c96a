"""Generate text token by token: the loop around a decoder."""

from collections.abc import Callable
from itertools import takewhile
from pathlib import Path
from time import perf_counter_ns

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from inspector.analysis.language.next_token import Distribution, choose
from inspector.backends.base import GenerationRequest
from inspector.backends.onnxruntime.generation.decoder import PIECE, Decoder, graphs_of
from inspector.backends.onnxruntime.sessions import refusals
from inspector.backends.onnxruntime.sessions.refusals import REFUSALS
from inspector.errors import BadInput, EngineFailed
from inspector.report.language.generation import GeneratedToken, Generation, StopReason
from inspector.units import clip
from inspector.wording.values import Count, Sentence

MAX_ALTERNATIVES = 20


def conversation(
    model: Path,
    session: onnxruntime.InferenceSession,
    continuation: onnxruntime.InferenceSession | None,
) -> "Conversation":
    """Return what generates with a session. Raises BadInput: the model is no decoder.

    continuation: of the graph for the tokens after the prompt, if that is another one.
    """
    return Conversation(Decoder(graphs_of(model, session, continuation)))


class Conversation:
    """A decoder with the tokens that are in its cache, from one generation to the next."""

    def __init__(self, decoder: Decoder) -> None:
        self._decoder = decoder
        self._cached: list[int] = []

    def generate(self, request: GenerationRequest) -> Generation:
        """Generate text. Raises BadInput, EngineFailed."""
        decoder = self._decoder
        what = Sentence("Could not generate text with {name}", clip(decoder.graphs.name))
        limit = self._limit(request, what)
        prompt = list(request.prompt)
        began = perf_counter_ns()
        reused = self._prepare(prompt, min(limit, len(prompt) + request.max_tokens), request)
        options = onnxruntime.RunOptions()
        with request.stop.calling(lambda: setattr(options, "terminate", True)):
            try:
                made = self._loop(request, options, began, limit, reused, what)
            except REFUSALS as error:
                self._cached = []
                raise refusals.runtime_failure(error, what, "generation") from error
        return made

    def _limit(self, request: GenerationRequest, what: Sentence) -> int:
        """Return how many tokens fit. Raises BadInput: the prompt is none, or does not fit."""
        decoder = self._decoder
        prompt = request.prompt
        known = [each for each in (request.context, decoder.graphs.context_limit) if each]
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

    def _prepare(self, prompt: list[int], capacity: int, request: GenerationRequest) -> int:
        """Make room in the cache; return how many tokens of the prompt are in it already."""
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
        return same

    def _loop(
        self,
        request: GenerationRequest,
        options: onnxruntime.RunOptions,
        began: int,
        limit: int,
        reused: int,
        what: Sentence,
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
        logits = self._feed(rest, options, request, PIECE, done)
        prefill_ns = perf_counter_ns() - began
        at = began
        while logits is not None and len(tokens) < request.max_tokens:
            chosen_at = perf_counter_ns()
            token, distribution = self._choose(logits[0], request, random, what)
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
            at = now
            tokens.append(made)
            request.report_token(made, len(tokens) / request.max_tokens)
            if token in ends:
                stop = StopReason.END_TOKEN
                break
            if context + 1 >= limit:
                stop = StopReason.CONTEXT_FULL
                break
            if len(tokens) < request.max_tokens:
                logits = self._feed(np.array([[token]], np.int64), options, request)
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
        options: onnxruntime.RunOptions,
        request: GenerationRequest,
        piece: int = 0,
        report: Callable[[int], None] = lambda _: None,
    ) -> NDArray[np.float32] | None:
        """Return logits; None where it was stopped."""
        if request.stop.requested:
            return None
        try:
            return self._decoder.feed(ids, options, piece, report)
        except REFUSALS:
            if request.stop.requested:
                return None
            raise

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
