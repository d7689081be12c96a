"""Choose the next token from logits, and say how sure the model was."""

import math

import numpy as np
from numpy.typing import NDArray

from inspector.report.language.generation import Alternative, Sampling

_BLOCK = 256  # logits whose maximum is looked at together when the largest are searched
_FEW = 256  # most probable tokens that nearly always reach top_p
_MORE = 8  # times as many are sorted where they do not
LN_2 = math.log(2)

Row = NDArray[np.float32]


class Distribution:
    """The probabilities of the next token at temperature 1, from a row of logits.

    Raises ValueError: a logit is NaN or infinity, so that there are no probabilities.
    """

    def __init__(self, logits: Row) -> None:
        self.logits = logits
        self.best = int(logits.argmax())
        peak = float(logits[self.best])
        if not math.isfinite(peak):  # argmax returns the first NaN, if there is one
            raise ValueError("a logit is not a finite number")
        shifted = logits - np.float32(peak)
        self._shares = np.exp(shifted)
        self._total = float(self._shares.sum(dtype=np.float64))
        np.maximum(shifted, np.finfo(np.float32).min, out=shifted)  # 0 times -infinity is NaN
        mean = float(np.dot(self._shares, shifted)) / self._total
        self.entropy_bits = max(0.0, (math.log(self._total) - mean) / LN_2)

    def probability(self, token: int) -> float:
        """Return the probability of a token."""
        return float(self._shares[token]) / self._total

    def alternatives(self, count: int) -> tuple[Alternative, ...]:
        """Return the most probable tokens, the most probable one first."""
        return tuple(
            Alternative(int(token), self.probability(int(token)))
            for token in largest(self.logits, count)
        )


def choose(logits: Row, sampling: Sampling, random: np.random.Generator) -> int:
    """Return the next token: the most probable one at temperature 0, else a drawn one.

    As others do: first the temperature, then top_k, then top_p (Hugging Face transformers,
    generation/logits_process.py). Equal logits: the smallest number.
    """
    if sampling.temperature <= 0 or sampling.top_k == 1:
        return int(logits.argmax())
    tokens: NDArray[np.int64] | None = None  # those that may be chosen; None: all
    if sampling.top_k and sampling.top_k < len(logits):
        tokens = largest(logits, sampling.top_k)
    some = logits if tokens is None else logits[tokens]
    shares = np.exp((some - some.max()) / np.float32(sampling.temperature))
    if sampling.top_p < 1:
        order = _reaching(shares, sampling.top_p)
        shares = shares[order]
        tokens = order if tokens is None else tokens[order]
    sums = np.cumsum(shares, dtype=np.float64)
    drawn = int(np.searchsorted(sums, random.random() * sums[-1], side="right"))
    drawn = min(drawn, len(shares) - 1)
    return drawn if tokens is None else int(tokens[drawn])


def largest(values: Row, count: int) -> NDArray[np.int64]:
    """Return where the largest values are, the largest one first; of equal ones the first.

    Blocks that hold none of them are ruled out by their maximum: that takes a fifth of the time
    of a partition of a large vocabulary.
    """
    count = min(count, len(values))
    if count <= 0:
        return np.zeros(0, np.int64)
    places = np.arange(len(values))
    whole = len(values) // _BLOCK
    if whole > 2 * count:
        tops = values[: whole * _BLOCK].reshape(whole, _BLOCK).max(axis=1)
        threshold = np.partition(tops, whole - count)[whole - count]
        places = np.flatnonzero(values >= threshold)
    if len(places) > count:
        some = values[places]
        threshold = np.partition(some, len(some) - count)[len(some) - count]
        places = places[some >= threshold]
    order = np.argsort(-values[places], kind="stable")
    return places[order][:count]


def _reaching(shares: Row, top_p: float) -> NDArray[np.int64]:
    """Return the fewest largest shares that reach a part of their sum, the largest first."""
    wanted = top_p * float(shares.sum(dtype=np.float64))
    count = _FEW
    while True:
        order = largest(shares, count)
        sums = np.cumsum(shares[order], dtype=np.float64)
        if sums[-1] >= wanted or count >= len(shares):
            return order[: int(np.searchsorted(sums, wanted)) + 1]
        count *= _MORE
