"""Conditions on a changed model, as a CI job states them: "accuracy<-1%", "latency.p50>+0%".

They are about the best candidate of a search, or about the only one. A change of accuracy is in
points: "accuracy<-1%" is true of a model that answers 96.9% right where the original has 98%.
"""

from collections.abc import Sequence

from inspector import units
from inspector.comparison.ci_conditions import Condition, Finding, Form, Outcome, read_condition
from inspector.report.improvement import MIN_INPUTS, Accuracy, Candidate, Improvement
from inspector.wording.values import counted

# Each metric with its unit. All but counts can also be limited by their change.
_METRICS: dict[str, str | None] = {
    "accuracy": "",
    "latency.p50": "ns",
    "model.size": "bytes",
    "memory.peak": "bytes",
    "output.sqnr": "dB",
    "inputs.changed": None,
}
_CHANGING = ("accuracy", "latency.p50", "model.size", "memory.peak")
METRICS = (*_METRICS,)
_EXAMPLES = "Use the form 'accuracy<-1%', 'latency.p50>+0%' or 'model.size>300KiB'."


def parse(text: str) -> Condition:
    """Read a condition on a changed model. Raises BadInput: not understood, what would be."""
    aliases = {"prediction.p50": "latency.p50"}
    return read_condition(text, _METRICS, _CHANGING, METRICS, aliases, _EXAMPLES)


def subject_of(improvement: Improvement) -> Candidate | None:
    """Return the candidate that conditions are about: the best one, or the only one."""
    if improvement.best >= 0:
        return improvement.candidates[improvement.best]
    return improvement.candidates[0] if len(improvement.candidates) == 1 else None


def judged(conditions: Sequence[Condition], improvement: Improvement) -> tuple[Finding, ...]:
    """Return the outcome of every condition."""
    candidate = subject_of(improvement)
    name = candidate.name if candidate is not None else ""
    return tuple(
        Finding(each, name, *_outcome(each, improvement, candidate)) for each in conditions
    )


def _outcome(
    condition: Condition, improvement: Improvement, candidate: Candidate | None
) -> tuple[Outcome, str]:
    if candidate is None:
        return Outcome.UNDECIDED, "no candidate is better and within the limit"
    if candidate.problem:
        return Outcome.UNDECIDED, units.clip(candidate.problem, 120)
    if condition.subject == "accuracy":
        if candidate.broken:  # whatever the measure says that the condition limits
            return Outcome.HOLDS, candidate.findings[0] if candidate.findings else "broken"
        return _of_accuracy(condition, candidate.measure(improvement.main))
    if condition.subject == "latency.p50" and condition.form is not Form.VALUE:
        return _of_latency_change(condition, candidate)
    value, before = _values(condition.subject, improvement, candidate)
    if value is None or (condition.form is not Form.VALUE and not before):
        return Outcome.UNDECIDED, "not measured"
    if condition.form is Form.VALUE:
        return condition.outcome(value), _text(condition, value)
    assert before is not None, "checked above"
    share = condition.form is Form.SHARE
    change = value / before - 1 if share else value - before
    text = units.change(1 + change) if share else units.signed(change, units.size)
    return condition.outcome(change), text


def _of_accuracy(condition: Condition, measure: Accuracy | None) -> tuple[Outcome, str]:
    if measure is None:
        return Outcome.UNDECIDED, "accuracy was not measured"
    if measure.count < MIN_INPUTS:
        count = counted(measure.count, "input")
        return Outcome.UNDECIDED, f"{count}, but at least {MIN_INPUTS} are needed"
    if measure.gain is None:
        return Outcome.UNDECIDED, "the accuracy has no interval"
    change, low, high = measure.gain
    base = 0.0
    if condition.form is Form.VALUE and measure.change is not None:
        change, low, high = measure.change, measure.low or 0.0, measure.high or 0.0
        base = measure.value - change
    shown = (
        "{:.2%} (95% CI {:.2%} to {:.2%})" if base else "{:+.2%} (95% CI {:+.2%} to {:+.2%})"
    )
    text = shown.format(base + change, base + low, base + high)
    return condition.outcome(base + low, base + high), text


def _of_latency_change(condition: Condition, candidate: Candidate) -> tuple[Outcome, str]:
    timed = candidate.latency
    judgement = None if timed is None else timed.judgement
    if timed is None or judgement is None:
        return Outcome.UNDECIDED, "latency was not measured"
    if timed.known_change is None or timed.low is None or timed.high is None:
        return Outcome.UNDECIDED, judgement.text()
    scale = 1.0
    if condition.form is Form.CHANGE:
        if timed.original is None:
            return Outcome.UNDECIDED, "latency of the original is unknown"
        scale = timed.original.p50_ns
    outcome = condition.outcome(scale * timed.low, scale * timed.high)
    values = timed.known_change, timed.low, timed.high
    change, low, high = (units.change(1 + value) for value in values)
    return outcome, f"{change} (95% CI {low} to {high})"


def _values(
    subject: str, improvement: Improvement, candidate: Candidate
) -> tuple[float | None, float | None]:
    """Return a value of the candidate and of the original; None where it is unknown."""
    timed = candidate.latency
    if subject == "latency.p50":
        return (None if timed is None else timed.p50_ns), None
    if subject == "model.size":
        return candidate.size_bytes, improvement.original.size_bytes
    if subject == "memory.peak":
        return candidate.peak_bytes, candidate.original_peak_bytes
    if subject == "output.sqnr":
        return candidate.sqnr_db, None
    return candidate.changed, None


def _text(condition: Condition, value: float) -> str:
    unit = _METRICS[condition.subject]
    if unit is None:
        return counted(round(value), "input")
    if unit == "ns":
        return units.duration(round(value))
    return units.size(round(value)) if unit == "bytes" else f"{value:.1f} {unit}".strip()
