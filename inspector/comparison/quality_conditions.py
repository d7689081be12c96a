"""Conditions on how well language models predict a text: "quality.divergence>0.04".

They are about the second of two models; of one model alone, its perplexity is known.
"""

from collections.abc import Callable, Sequence

from inspector import units
from inspector.analysis.verdicts.language import percent
from inspector.comparison.ci_conditions import (
    Condition,
    Finding,
    Form,
    Outcome,
    between,
    read_condition,
)
from inspector.report.language.quality import Estimate, Quality
from inspector.units import plural

PREFIX = "quality."
_EXAMPLES = "Use the form 'quality.perplexity>+3%' or 'quality.divergence>0.04'."
_PERPLEXITY = "quality.perplexity"
_P99 = "quality.divergence_p99"
_NOT_FINITE = "quality.not_finite"
_UNKNOWN = "not known; compare two models with --against"
# Units of limits, as in `read_condition`.
_METRICS: dict[str, str | None] = {
    _PERPLEXITY: "",
    "quality.divergence": "",
    _P99: "",
    "quality.same_top": "",
    _NOT_FINITE: None,
}


def parse(text: str) -> Condition:
    """Read a condition on a scored text. Raises BadInput: not understood, what would be."""
    return read_condition(text, _METRICS, {_PERPLEXITY}, tuple(_METRICS), {}, _EXAMPLES)


def judged(
    conditions: Sequence[Condition], quality: Quality, name: str = ""
) -> tuple[Finding, ...]:
    """Return the outcome of every condition; inconclusive where a limit is in an interval.

    name: of the model that they are about, where others are called by letters.
    """
    of = name or quality.against or quality.model
    return tuple(Finding(each, of, *_outcome(each, quality)) for each in conditions)


def _outcome(condition: Condition, quality: Quality) -> tuple[Outcome, str]:
    if condition.subject == _NOT_FINITE:
        count = quality.other_not_finite if quality.against else quality.not_finite
        return condition.outcome(count), plural(count, "token")
    if condition.subject == _P99:
        value = quality.divergence_p99
        if value is None:
            return Outcome.UNDECIDED, _UNKNOWN
        return condition.outcome(value), f"{value:.3g} nats (no interval)"
    estimate, write = _estimate(condition, quality)
    if quality.other_not_finite or (quality.not_finite and not quality.against):
        broken = plural(quality.other_not_finite or quality.not_finite, "token")
        return Outcome.HOLDS, f"logits are NaN or infinite for {broken}"
    if estimate is None:
        return Outcome.UNDECIDED, _UNKNOWN
    return between(condition, estimate.value, (estimate.low, estimate.high), write)


def _estimate(
    condition: Condition, quality: Quality
) -> tuple[Estimate | None, Callable[[float], str]]:
    """Return what a condition is about, and how its values are written."""
    if condition.subject == "quality.divergence":
        return quality.divergence, lambda value: f"{max(value, 0.0):.3g} nats"
    if condition.subject == "quality.same_top":
        return quality.same_top, lambda value: f"{100 * min(value, 1.0):.1f}%"
    if condition.form is Form.VALUE:
        known = quality.other if quality.against else quality.perplexity
        return known, lambda value: f"{value:.4g}"
    ratio, before = quality.ratio, quality.perplexity
    if ratio is None or before is None:
        return None, str
    scale = 1.0 if condition.form is Form.SHARE else before.value
    change = Estimate(*(scale * (end - 1) for end in (ratio.value, ratio.low, ratio.high)))
    if condition.form is Form.SHARE:
        return change, lambda value: percent(1 + value)
    return change, lambda value: units.signed(value, lambda number: f"{number:.4g}")
