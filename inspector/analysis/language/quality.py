"""Perplexity and Kullback-Leibler divergence of a text's tokens, with intervals.

Neighboring tokens depend on each other: one that surprises makes the next ones surprise. So
intervals come from a bootstrap over blocks of neighbors. Of two models, the differences token
by token are resampled, which tells far smaller changes apart than two intervals could.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from inspector.report.language.quality import Estimate, TokenScores

BLOCK_TOKENS = 32  # neighbors that stay together when tokens are resampled
RESAMPLES = 2_000  # of the bootstrap; more do not change the second digit of an interval
_SEED = 0  # equal scores give equal intervals
_ENDS = (2.5, 97.5)  # percentiles: a 95% interval
_WORKING_BYTES = 32 << 20  # of each array in between; logits of a window may be far larger
_MIN_BLOCKS = 2  # below, nothing is known about how blocks differ
_DRAWN = 1_000_000  # blocks at once: long texts have many, and each takes 40 bytes
_MOST_NATS = 700.0  # of a token: float64 holds no smaller probability than exp(-700) or so

Floats = NDArray[np.float64]
Logits = NDArray[np.floating]


@dataclass(slots=True)
class Scores:
    """Scores of many windows, as arrays; see `TokenScores`."""

    losses: list[Floats] = field(default_factory=list)
    other_losses: list[Floats] = field(default_factory=list)
    divergences: list[Floats] = field(default_factory=list)
    same_top: list[Floats] = field(default_factory=list)
    not_finite: int = 0
    other_not_finite: int = 0

    def add(self, scores: TokenScores) -> None:
        """Add the scores of further windows."""
        self.losses.append(np.array(scores.losses))
        self.other_losses.append(np.array(scores.other_losses))
        self.divergences.append(np.array(scores.divergences))
        self.same_top.append(np.array(scores.same_top, np.float64))
        self.not_finite += scores.not_finite
        self.other_not_finite += scores.other_not_finite

    @property
    def count(self) -> int:
        """How many tokens have finite scores."""
        return sum(map(len, self.losses))

    @property
    def perplexity(self) -> Estimate | None:
        """exp of the mean loss; None without a score."""
        return _exp(mean_estimate(self.losses))

    @property
    def other_perplexity(self) -> Estimate | None:
        """That of the other model."""
        return _exp(mean_estimate(self.other_losses))

    @property
    def ratio(self) -> Estimate | None:
        """The other perplexity divided by the first one, from the differences of tokens."""
        pairs = zip(self.other_losses, self.losses, strict=True)
        return _exp(mean_estimate([other - own for other, own in pairs if len(other)]))

    @property
    def divergence(self) -> Estimate | None:
        """The mean divergence in nats."""
        return mean_estimate(self.divergences)

    @property
    def divergence_p99(self) -> float | None:
        """The divergence that 1% of tokens exceed."""
        every = np.concatenate(self.divergences) if self.divergences else np.empty(0)
        return float(np.percentile(every, 99)) if every.size else None

    @property
    def top_agreement(self) -> Estimate | None:
        """The share of tokens of which both models hold the same for the most probable."""
        return mean_estimate(self.same_top)


def _exp(estimate: Estimate | None) -> Estimate | None:
    if estimate is None:
        return None
    ends = (estimate.value, estimate.low, estimate.high)
    value, low, high = (float(each) for each in np.exp(np.minimum(ends, _LARGEST_LOG)))
    return Estimate(value, low, high)


_LARGEST_LOG = float(np.log(np.finfo(np.float64).max)) - 1  # a larger one is infinite


def mean_estimate(windows: Sequence[Floats]) -> Estimate | None:
    """Return the mean over tokens and its interval; None without tokens.

    windows: values of tokens, in reading order within each. The interval is that of a
    studentized bootstrap over blocks: a plain one is too narrow where few blocks have most of
    the sum, as of divergences. Source: Davison and Hinkley, Bootstrap Methods, 1997, 2.4.
    """
    sums, counts = _block_sums(windows)
    if not counts.size:
        return None
    mean = float(sums.sum() / counts.sum())
    if counts.size < _MIN_BLOCKS:
        return Estimate(mean, -np.inf, np.inf)
    error = float(_error(sums, counts, mean))
    if not error:
        return Estimate(mean, mean, mean)
    generator = np.random.default_rng(_SEED)
    at_once = max(1, min(RESAMPLES, _DRAWN // counts.size))
    distances = list[Floats]()
    for _ in range(0, RESAMPLES, at_once):
        chosen = generator.integers(0, counts.size, (at_once, counts.size))
        some, numbers = sums[chosen], counts[chosen]
        means = some.sum(1) / numbers.sum(1)
        errors = _error(some, numbers, means[:, None])
        distances.append((means - mean)[errors > 0] / errors[errors > 0])
    low, high = np.percentile(np.concatenate(distances), _ENDS)
    return Estimate(mean, mean - float(high) * error, mean - float(low) * error)


def _block_sums(windows: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Return the sum and the length of each block of neighbors; none goes over two windows."""
    sums, counts = list[Floats](), list[Floats]()
    for values in windows:
        if not values.size:
            continue
        begins = np.arange(0, values.size, BLOCK_TOKENS)
        sums.append(np.add.reduceat(values, begins))
        counts.append(np.diff(begins, append=values.size).astype(np.float64))
    if not sums:
        return np.empty(0), np.empty(0)
    return np.concatenate(sums), np.concatenate(counts)


def _error(sums: Floats, counts: Floats, mean: float | Floats) -> Floats:
    """Return the standard error of a mean of blocks, over the last axis."""
    blocks = counts.shape[-1]
    squares = ((sums - counts * mean) ** 2).sum(-1) * blocks / max(blocks - 1, 1)
    return np.asarray(np.sqrt(squares) / counts.sum(-1))


def joined_scores(windows: Sequence[TokenScores], load_ns: int = 0) -> TokenScores:
    """Return the scores of several windows as one."""
    return TokenScores(
        tuple(each for scores in windows for each in scores.losses),
        tuple(each for scores in windows for each in scores.other_losses),
        tuple(each for scores in windows for each in scores.divergences),
        tuple(each for scores in windows for each in scores.same_top),
        sum(scores.not_finite for scores in windows),
        sum(scores.other_not_finite for scores in windows),
        load_ns,
    )


def window_scores(
    logits: Logits, targets: Sequence[int], other: Logits | None = None
) -> TokenScores:
    """Return how one model, or two, predict the tokens behind the places of a window.

    logits: (places, vocabulary), float32 or less; other: those of the other model. targets: the
    token behind each place. Places with NaN or an infinity are only counted; -inf stands for a
    probability of 0, and is no fault.
    """
    rows = max(1, _WORKING_BYTES // (4 * max(logits.shape[1], 1)))
    pieces = range(0, len(targets), rows)
    cut = partial(_pieces, rows=rows)
    every = [
        _scores_of_piece(cut(logits, at), np.asarray(targets[at : at + rows]), cut(other, at))
        for at in pieces
    ]
    own, others, divergences, top = (
        np.concatenate([piece[part] for piece in every]) for part in range(4)
    )
    own_lost, other_lost = (sum(int(piece[4][side]) for piece in every) for side in (0, 1))
    return TokenScores(
        tuple(own.tolist()),
        tuple(others.tolist()),
        tuple(divergences.tolist()),
        tuple(top.astype(bool).tolist()),
        own_lost,
        other_lost,
    )


def _pieces(array: Logits | None, at: int, rows: int) -> NDArray[np.float32] | None:
    return None if array is None else np.asarray(array[at : at + rows], np.float32)


def _scores_of_piece(
    own: NDArray[np.float32] | None,
    targets: NDArray[np.int64],
    other: NDArray[np.float32] | None,
) -> tuple[Floats, Floats, Floats, Floats, tuple[int, int]]:
    assert own is not None
    usable = [_usable(each) for each in (own, other) if each is not None]
    lost = int((~usable[0]).sum()), int((~usable[-1]).sum()) if other is not None else 0
    both = np.logical_and.reduce(usable)
    if not both.all():
        own, targets = own[both], targets[both]
        other = None if other is None else other[both]
    empty = np.empty(0)
    if not len(targets):
        return empty, empty, empty, empty, lost
    places = np.arange(len(targets))
    own, shares, own_sums = _shares(own)
    losses = np.minimum(own_sums - own[places, targets], _MOST_NATS)
    if other is None:
        return losses, empty, empty, empty, lost
    other, _, other_sums = _shares(other)
    # p (ln p - ln q), whose difference of logits is nearly exact in float32 for similar models,
    # where ln p and ln q by themselves are not.
    with np.errstate(invalid="ignore"):
        terms = own - other - (own_sums - other_sums).astype(np.float32)[:, None]
    terms[shares == 0] = 0  # 0 ln 0 is 0
    np.multiply(terms, shares, out=terms)
    divergences = np.clip(terms.sum(1, dtype=np.float64), 0, _MOST_NATS)
    top = (own.argmax(1) == other.argmax(1)).astype(np.float64)
    other_losses = np.minimum(other_sums - other[places, targets], _MOST_NATS)
    return losses, other_losses, divergences, top, lost


def _usable(logits: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return of each row whether it has a softmax."""
    return np.asarray(np.isfinite(logits.max(1)))  # NaN is the largest, as max sees it


def _shares(
    logits: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float32], Floats]:
    """Return logits less the largest of their row, probabilities, and ln of their sums."""
    less = logits - logits.max(1, keepdims=True)
    powers = np.exp(less)
    sums = powers.sum(1, dtype=np.float64)
    powers /= sums.astype(np.float32)[:, None]
    return less, powers, np.log(sums)
