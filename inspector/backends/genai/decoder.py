"""A model of GenAI that is fed tokens: what conversations and measurements ask of a decoder.

GenAI's Python module holds the interpreter while it computes. A long prompt is therefore fed in
pieces: between two of them the process shows that it lives, and can be asked to stop. A piece
costs a call, which a tiny model notices, so pieces grow where they are quick.
"""

from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.backends.base import StopSignal
from inspector.backends.genai import runtime
from inspector.backends.genai.runtime import genai
from inspector.backends.generation.conversation import FeedStopped
from inspector.errors import BadInput
from inspector.units import clip
from inspector.wording.values import Sentence

PIECE = 64  # tokens of a prompt at once: none of 0.2 GB on two cores took longer than 0.2 s
_MOST_PIECE = 256  # where all are quick
_QUICK_NS = 20_000_000  # of a piece: one of twice the tokens can be stopped well too


class GenAiDecoder:
    """Feeds tokens to a model of GenAI and keeps its cache.

    name: of the model, for messages. context_limit: tokens it can count. cache_token_bytes: of
    keys and values. length: tokens in the cache. vocabulary: how many tokens there are; 0
    before a call where nothing else says it.
    """

    cache = "shared"
    takes_pieces = True

    def __init__(
        self, model: Any, name: str, context_limit: int, vocabulary: int, cache_token_bytes: int
    ) -> None:
        self.name, self.context_limit = name, context_limit
        self.length, self.capacity, self.vocabulary = 0, 0, vocabulary
        self._model, self.cache_token_bytes = model, cache_token_bytes
        self._ids: list[int] = []
        self._piece = PIECE
        self._chosen = -1  # by GenAI, of what is in the cache; -1: nothing
        self._generator: Any = None
        self._what = Sentence("Could not generate text with {name}", clip(name))

    @property
    def cache_bytes(self) -> int:
        """Return what the cache takes: GenAI allocates all of it at the beginning."""
        return self.cache_token_bytes * self.capacity

    def begin(self, capacity: int, batch: int = 1) -> None:
        """Forget all tokens; make room for so many.

        Raises BadInput: several rows. EngineFailed: no memory for the cache.
        """
        if batch != 1:
            why = "Inspector gives ONNX Runtime GenAI one sequence at a time"
            raise BadInput(self._what, why, "Use --batch 1, or the device cpu.", "generation")
        self._ids, self.length = [], 0
        if self._generator is not None and capacity <= self.capacity:
            self._rewind(0)
            return
        self._generator = None  # first: two caches at once may not fit into memory
        with runtime.refusals_as_errors(self._what, "generation"):
            parameters = genai.GeneratorParams(self._model)
            # Tokens that end a text do not end a measurement; `feed` returns their logits.
            parameters.set_search_options(
                max_length=capacity, min_length=capacity, do_sample=False
            )
            self._generator = genai.Generator(self._model, parameters)
        self.capacity, self._chosen = capacity, -1

    def reserve(self, capacity: int) -> None:
        """Make room for so many tokens; those that are there are computed again if needed."""
        if capacity > self.capacity:
            ids = self._ids
            self.begin(capacity)
            if ids:
                self.feed(np.array([ids], np.int64))

    def rewind(self, length: int) -> None:
        """Forget all but the first tokens."""
        self._rewind(length)
        del self._ids[length:]
        self.length = length

    def feed(
        self,
        ids: NDArray[np.int64],
        stop: StopSignal | None = None,
        piece: int = 0,
        report: Callable[[int], None] = lambda _: None,
    ) -> NDArray[np.float32]:
        """Take tokens, (1, tokens), and return the logits of the last one, (1, vocabulary).

        Raises FeedStopped, EngineFailed.
        """
        with runtime.refusals_as_errors(self._what, "generation"):
            self._append(ids, stop, piece, report)
            logits = self._generator.get_logits()
        last = np.array(logits[:, -1], np.float32)
        self.vocabulary = last.shape[1]
        return last

    def first_token(
        self,
        ids: NDArray[np.int64],
        piece: int = 0,
        report: Callable[[int], None] = lambda _: None,
    ) -> tuple[NDArray[np.int64], int]:
        """Take a prompt, (1, tokens), and let GenAI choose as `step` does.

        Raises EngineFailed.
        """
        with runtime.refusals_as_errors(self._what, "generation"):
            self._append(ids, None, piece, report)
            return self._choose()

    def step(self, ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
        """Take one token, (1, 1), and let GenAI choose the likeliest next one, (1, 1).

        The number is 0: computing and choosing are one call there. Raises what GenAI does.
        """
        token, generator = int(ids[0, 0]), self._generator
        if token != self._chosen:
            self._drop_chosen()
            generator.append_tokens(np.array([token], np.int32))
        self._ids.append(token)
        self.length += 1
        return self._choose()

    def _choose(self) -> tuple[NDArray[np.int64], int]:
        """Let GenAI choose the token after those that it has."""
        self._generator.generate_next_token()
        self._chosen = int(self._generator.get_next_tokens()[0])
        return np.array([[self._chosen]], np.int64), 0

    def _append(
        self,
        ids: NDArray[np.int64],
        stop: StopSignal | None,
        piece: int,
        report: Callable[[int], None],
    ) -> None:
        """Give tokens to GenAI, in pieces. Raises FeedStopped, and what GenAI does."""
        tokens = ids[0].astype(np.int32)
        self._drop_chosen()
        fed, most = 0, min(piece or _MOST_PIECE, _MOST_PIECE)
        while fed < len(tokens):
            if stop is not None and stop.requested:
                raise FeedStopped
            part = tokens[fed : fed + min(self._piece, most)]
            began = perf_counter_ns()
            self._generator.append_tokens(part)
            if len(part) == self._piece and perf_counter_ns() - began < _QUICK_NS:
                self._piece = min(2 * self._piece, _MOST_PIECE)
            self._ids += part.tolist()
            self.length += len(part)
            fed += len(part)
            report(fed)

    def _drop_chosen(self) -> None:
        """Go back before a token that GenAI has chosen, where another one is fed."""
        if self._chosen >= 0:
            self._rewind(self.length)

    def _rewind(self, length: int) -> None:
        self._chosen = -1
        with runtime.refusals_as_errors(self._what, "generation"):
            self._generator.rewind_to(length)
