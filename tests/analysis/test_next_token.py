"""Choosing tokens, against straightforward computations over the whole vocabulary."""

from collections import Counter

import numpy as np
import pytest

from inspector.analysis.language.next_token import Distribution, choose, largest
from inspector.report.language.generation import GREEDY, Sampling


def logits(size: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(size).astype(np.float32) * 3


@pytest.mark.parametrize("size", [5, 300, 4_096, 50_257])
@pytest.mark.parametrize("count", [1, 5, 40])
def test_the_largest_are_those_of_a_full_sort(size, count):
    values = logits(size)
    expected = np.argsort(-values, kind="stable")[:count]
    assert largest(values, count).tolist() == expected.tolist()
    flat = np.zeros(size, np.float32)
    assert largest(flat, count).tolist() == list(range(min(size, count)))


def test_probabilities_and_entropy_are_those_of_the_softmax():
    row = logits(1_000)
    row[7] = -np.inf
    shares = np.exp(row.astype(np.float64)) / np.exp(row.astype(np.float64)).sum()
    made = Distribution(row)
    assert made.probability(3) == pytest.approx(shares[3], 1e-5)
    assert made.probability(7) == 0
    positive = shares[shares > 0]
    assert made.entropy_bits == pytest.approx(-(positive * np.log2(positive)).sum(), 1e-5)
    assert Distribution(np.full(8, -2.0, np.float32)).entropy_bits == pytest.approx(3)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_logits_without_probabilities_are_refused(bad):
    row = logits(100)
    row[50] = bad
    with pytest.raises(ValueError, match="finite"):
        Distribution(row)


@pytest.mark.parametrize(
    "sampling",
    [
        Sampling(1.0),
        Sampling(0.7),
        Sampling(1.3, 5),
        Sampling(1.0, 0, 0.6),
        Sampling(0.9, 6, 0.8),
    ],
    ids=str,
)
def test_tokens_are_drawn_as_often_as_their_probabilities_say(sampling):
    row = logits(12)
    shares = np.exp(row / sampling.temperature)
    order = np.argsort(-shares)
    if sampling.top_k:
        shares[order[sampling.top_k :]] = 0
    shares /= shares.sum()
    sums = np.cumsum(shares[order])
    shares[order[int(np.searchsorted(sums, sampling.top_p)) + 1 :]] = 0
    shares /= shares.sum()
    random, draws = np.random.default_rng(1), 20_000
    counts = Counter(choose(row, sampling, random) for _ in range(draws))
    for token, share in enumerate(shares):
        spread = 5 * np.sqrt(share * (1 - share) / draws)
        assert counts[token] / draws == pytest.approx(float(share), abs=float(spread) + 1e-9)


def test_top_p_of_a_flat_distribution_sorts_all_of_it():
    row = np.zeros(5_000, np.float32)
    random = np.random.default_rng(0)
    drawn = {choose(row, Sampling(1.0, 0, 0.5), random) for _ in range(2_000)}
    assert max(drawn) < 2_501
    assert len(drawn) > 1_300


def test_greedy_takes_the_first_of_equal_ones():
    row = np.array([0, 2, 2, 1], np.float32)
    assert choose(row, GREEDY, np.random.default_rng(0)) == 1
    assert choose(row, Sampling(1.0, top_k=1), np.random.default_rng(0)) == 1
