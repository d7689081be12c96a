import pytest

from inspector.analysis.verdicts.language import is_decided, level_of, sentence
from inspector.report.language.quality import Estimate, Quality, QualityLevel

NONE = Estimate(0.0, 0.0, 0.0)
SAME = Estimate(1.0, 1.0, 1.0)


def near(value, width):
    return Estimate(value, value - width, value + width)


@pytest.mark.parametrize(
    ("ratio", "divergence", "level"),
    [
        # Llama 3 8B in llama.cpp's table of quantizations: q8_0, q4_K_M, q3_K_M, q2_K, IQ1_M
        (near(1.0002, 0.0001), near(0.00136, 1e-5), QualityLevel.GOOD),
        (near(1.028, 0.001), near(0.0313, 3e-4), QualityLevel.GOOD),
        (near(1.105, 0.002), near(0.102, 6e-4), QualityLevel.DEGRADED),
        (near(1.565, 0.006), near(0.445, 2e-3), QualityLevel.BROKEN),
        (near(1.2, 0.03), near(1.39, 0.01), QualityLevel.BROKEN),
        (near(1.02, 0.05), near(0.01, 1e-3), QualityLevel.UNDECIDED),
        # no worse on this text, but with other answers
        (near(0.99, 0.001), near(0.2, 0.01), QualityLevel.DEGRADED),
        (None, None, QualityLevel.UNDECIDED),
    ],
)
def test_the_limits_are_those_of_quantizations_that_people_know(ratio, divergence, level):
    assert level_of(ratio, divergence) is level


def test_logits_that_are_no_numbers_are_broken():
    assert level_of(SAME, NONE, other_not_finite=1) is QualityLevel.BROKEN


def test_an_interval_around_a_limit_needs_more_tokens():
    assert not is_decided(near(1.03, 0.001), near(0.1, 0.001))
    assert is_decided(near(1.07, 0.01), near(0.1, 0.001))


@pytest.mark.parametrize(
    ("ratio", "divergence", "number"),
    [
        (near(1.07, 0.01), near(0.1, 0.01), "+7.0%"),
        (near(1.00008, 0.00005), near(2e-6, 1e-7), "+0.008%"),
        (near(0.99, 0.001), near(0.2, 0.01), "0.2 nats"),
    ],
)
def test_the_sentence_has_the_number_that_decides(ratio, divergence, number):
    quality = Quality(
        "a", "text", 100, 100, 10, 10, SAME, "b", ratio=ratio, divergence=divergence,
        level=level_of(ratio, divergence),
    )  # fmt: skip
    assert number in sentence(quality)
    assert sentence(Quality("a", "text", 100, 100, 10, 10, SAME)) == ""
