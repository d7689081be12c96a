"""What a measurement of tokens needs to know of a model and its prompt, whatever runs it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from inspector.backends.array_files import Feed
from inspector.backends.measuring.token_times import Ids, RowPlan, random_tokens
from inspector.errors import BadInput
from inspector.model.model import Model
from inspector.wording.values import Count, Sentence

_LOOKUPS = frozenset(("Gather", "GatherBlockQuantized"))  # read one row of a weight a token


def given_prompt(feeds: Mapping[str, Feed]) -> Ids | None:
    """Return the tokens of a prompt among the inputs, (1, tokens); None without one."""
    for feed in feeds.values():
        array: Any = feed
        if not isinstance(array, tuple) and array.ndim == 2 and array.dtype.kind in "iu":
            return np.asarray(array, np.int64)
    return None


def tokens_of(prompt: Ids | None, vocabulary: int) -> Callable[[int, int], Ids]:
    """Return what gives (batch, count) tokens: of a given prompt, or random ones."""

    def tokens(count: int, batch: int) -> Ids:
        if prompt is None:
            return random_tokens(count, batch, max(2, vocabulary))
        whole = np.concatenate((prompt, prompt[:, -1:]), axis=1)[:, :count]
        return np.ascontiguousarray(np.repeat(whole, batch, axis=0))

    return tokens


def expect_lengths(
    limit: int, plans: Sequence[RowPlan], new_tokens: int, what: Sentence
) -> None:
    """Raise BadInput where a row does not fit into a context of so many tokens; 0: any does."""
    for plan in plans:
        length = plan.tokens + (new_tokens if plan.decoded else 0)
        if limit and length > limit:
            why = Sentence(
                "{tokens} would be in the context, but it holds {limit}",
                tokens=Count(length, "token"), limit=Count(limit),
            )  # fmt: skip
            hint = "Choose shorter contexts or prompts, or fewer new tokens."
            raise BadInput(what, why, hint, "generation")


def stored_bytes(described: Model) -> int:
    """Return the bytes of all weights as the model stores them."""
    return sum(weight.size_bytes or 0 for weight in described.weights)


def read_bytes(described: Model) -> int | None:
    """Return how many bytes of weights a step with one token reads: all of them, but of a table
    that only rows are looked up in, one row. None where the size of a weight is unknown."""
    looked_up, used = set[str](), set[str]()
    for layer in described.layers:
        table = layer.operator in _LOOKUPS
        looked_up.update(layer.inputs[:1] if table else ())
        used.update(layer.inputs[1:] if table else layer.inputs)
    total = 0
    for weight in described.weights:
        if weight.size_bytes is None:
            return None
        if weight.name in used:
            total += weight.size_bytes
        elif weight.name in looked_up:
            rows = weight.shape[0] if weight.shape else 1
            total += weight.size_bytes // max(1, rows)
    return total
