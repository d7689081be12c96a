"""Is a smaller version of a language model still good? One verdict from two intervals.

The limits are those of quantizations that people know. llama.cpp's tools/perplexity/README.md
has, for Llama 3 8B on WikiText-2 beside float16: q5_K_M +0.9% perplexity and a divergence of
0.011, q4_K_M +2.8% and 0.031, q3_K_M +10.5% and 0.102, q2_K +56% and 0.445, iq1_M +309% and
1.39.
"""

from inspector.report.language.quality import Estimate, Quality, QualityLevel
from inspector.units import plural
from inspector.wording.values import Sentence

GOOD_RATIO = 1.03  # of perplexities: q4_K_M, which most people run
GOOD_DIVERGENCE = 0.04  # nats: the same with the room of its sampling
BROKEN_RATIO = 1.5  # below q2_K, which answers without sense
BROKEN_DIVERGENCE = 1.0  # nats: between q2_K and iq1_M, where a perplexity stays low by chance
_NO_DIVERGENCE = Estimate(0.0, 0.0, 0.0)
_SENTENCES = {
    QualityLevel.GOOD: "Good: predicts the text as well as the original ({change}).",
    QualityLevel.DEGRADED: "Degraded: predicts the text worse than the original ({change}).",
    QualityLevel.BROKEN: "Broken: no longer predicts as the original does ({change}).",
    QualityLevel.UNDECIDED: "Undecided: a longer text would tell ({change}).",
}


def level_of(
    ratio: Estimate | None, divergence: Estimate | None, other_not_finite: int = 0
) -> QualityLevel:
    """Return whether a model may replace another one.

    ratio: of its perplexity to the other's. divergence: of its distributions from the other's.
    other_not_finite: places where it has no distribution at all.
    """
    if other_not_finite:
        return QualityLevel.BROKEN
    if ratio is None or divergence is None:
        return QualityLevel.UNDECIDED
    if ratio.low > BROKEN_RATIO or divergence.low > BROKEN_DIVERGENCE:
        return QualityLevel.BROKEN
    if ratio.low > GOOD_RATIO or divergence.low > GOOD_DIVERGENCE:
        return QualityLevel.DEGRADED
    if ratio.high <= GOOD_RATIO and divergence.high <= GOOD_DIVERGENCE:
        return QualityLevel.GOOD
    return QualityLevel.UNDECIDED


def is_decided(ratio: Estimate, divergence: Estimate) -> bool:
    """Return whether more tokens could not change the verdict: no limit is in an interval."""
    limits = (
        (ratio, GOOD_RATIO), (ratio, BROKEN_RATIO),
        (divergence, GOOD_DIVERGENCE), (divergence, BROKEN_DIVERGENCE),
    )  # fmt: skip
    return not any(each.low <= limit <= each.high for each, limit in limits)


def sentence(quality: Quality) -> str:
    """Return the verdict in one sentence: what happens, then the number that says so."""
    if quality.level is None:
        return ""
    if quality.other_not_finite:
        return Sentence(
            "Broken: its logits are NaN or infinite for {count}.",
            plural(quality.other_not_finite, "token"),
        )
    if quality.ratio is None or quality.divergence is None:
        return "Undecided: no token could be compared."
    by_ratio = level_of(quality.ratio, _NO_DIVERGENCE) is quality.level
    change = _change(quality.ratio) if by_ratio else _distance(quality.divergence)
    return Sentence(_SENTENCES[quality.level], change)


def _change(ratio: Estimate) -> str:
    """Return how much higher or lower the perplexity is, with its interval."""
    value, low, high = (percent(each) for each in (ratio.value, ratio.low, ratio.high))
    return Sentence("perplexity {value}; 95% CI: {low} to {high}", value, low, high)


def _distance(divergence: Estimate) -> str:
    """Return the divergence with its interval."""
    ends = (divergence.value, max(divergence.low, 0.0), divergence.high)
    value, low, high = (f"{each:.2g}" for each in ends)
    return Sentence("KL divergence {value} nats; 95% CI: {low} to {high}", value, low, high)


def percent(ratio: float) -> str:
    """Return a ratio as a change: "+7.2%", "+0.008%"."""
    change = 100 * (ratio - 1)
    digits = 0 if abs(change) >= 100 else 1 if abs(change) >= 1 else 3
    return f"{change:+,.{digits}f}%".replace("-", "−")
