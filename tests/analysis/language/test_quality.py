import numpy as np
import pytest

from inspector.analysis.language import quality
from inspector.analysis.language.quality import Scores, mean_estimate, window_scores


def exact(logits):
    """ln of the softmax in float64, written down as the textbook has it."""
    shifted = np.asarray(logits, np.float64)
    shifted = shifted - shifted.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))


@pytest.fixture
def pair():
    generator = np.random.default_rng(1)
    own = generator.normal(0, 4, (96, 700)).astype(np.float32)
    return own, own + generator.normal(0, 0.3, own.shape).astype(np.float32)


@pytest.mark.parametrize("rows", [1, 7, 1000])
def test_scores_are_those_of_the_textbook_however_a_window_is_cut(pair, rows, monkeypatch):
    monkeypatch.setattr(quality, "_WORKING_BYTES", rows * 700 * 4)
    own, other = pair
    targets = [*range(96)]
    scores = window_scores(own, targets, other)
    first, second, places = exact(own), exact(other), np.arange(96)
    assert np.allclose(scores.losses, -first[places, targets], rtol=1e-6)
    assert np.allclose(scores.other_losses, -second[places, targets], rtol=1e-6)
    divergences = (np.exp(first) * (first - second)).sum(-1)
    assert np.allclose(scores.divergences, divergences, rtol=1e-4)
    assert list(scores.same_top) == (first.argmax(-1) == second.argmax(-1)).tolist()


def test_a_tiny_divergence_is_not_lost_in_rounding(pair):
    own, _ = pair
    other = own * np.float32(1 + 2e-4)
    first, second = exact(own), exact(other)
    truth = (np.exp(first) * (first - second)).sum(-1).mean()
    scores = window_scores(own, [0] * 96, other + np.float32(3))
    assert truth < 1e-6
    assert np.mean(scores.divergences) == pytest.approx(truth, rel=0.1)


def test_places_without_finite_logits_are_counted_and_left_out(pair):
    own, other = (each.copy() for each in pair)
    own[3, 5], other[4, 5], other[8] = np.nan, np.inf, np.nan
    scores = window_scores(own, [1] * 96, other)
    assert (scores.not_finite, scores.other_not_finite) == (1, 2)
    assert len(scores.losses) == len(scores.divergences) == 93


def test_a_token_that_a_model_excludes_is_no_fault(pair):
    own, other = (each.copy() for each in pair)
    own[:, 600:], other[:, 600:] = -np.inf, -np.inf
    scores = window_scores(own, [1] * 96, other)
    assert scores.not_finite == scores.other_not_finite == 0
    assert np.isfinite(scores.divergences).all()
    excluded = window_scores(own, [650] * 96)
    assert np.isfinite(excluded.losses).all()
    assert min(excluded.losses) > 100


@pytest.mark.parametrize("count", [4, 8, 32])
def test_the_interval_covers_the_truth_as_often_as_it_says(count):
    generator = np.random.default_rng(7)
    truth = float(np.exp((0.3**2 + 0.7**2 + 0.7**2) / 2))
    covered = 0
    for _ in range(200):
        style = generator.normal(0, 0.3, (count, 1))
        noise = np.repeat(generator.normal(0, 0.7, (count, 32)), 8, axis=1)
        estimate = mean_estimate(
            [*np.exp(style + noise + generator.normal(0, 0.7, noise.shape))]
        )
        assert estimate.low < estimate.value < estimate.high
        covered += estimate.low <= truth <= estimate.high
    assert covered >= 180  # of 190 expected, less three standard errors


def test_few_windows_are_cut_into_blocks():
    generator = np.random.default_rng(7)
    one = mean_estimate([generator.normal(1, 1, 256)])
    assert 0.5 < one.low < one.value < one.high < 1.5


def test_a_paired_difference_is_known_far_better_than_each_side():
    generator = np.random.default_rng(3)
    scores = Scores()
    for _ in range(16):
        own = generator.gamma(2, 1.5, 256)
        scores.losses.append(own)
        scores.other_losses.append(own + generator.normal(0.01, 0.05, 256))
    ratio, one = scores.ratio, scores.perplexity
    assert ratio.low <= np.exp(0.01) <= ratio.high
    assert ratio.half_width / ratio.value < one.half_width / one.value / 10


def test_equal_models_have_an_interval_without_width_and_one_block_has_none():
    assert mean_estimate([np.zeros(64)]).half_width == 0
    assert mean_estimate([]) is None
    assert mean_estimate([np.ones(5)]).high == np.inf
