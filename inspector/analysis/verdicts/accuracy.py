"""Is one model more accurate than another on the same inputs? One verdict from one interval."""

from enum import StrEnum

from inspector.report.evaluation import MIN_INPUTS, PLAIN, Metric
from inspector.report.language.quality import Estimate
from inspector.wording.values import Count, Name, Number, Sentence, Share, Value

_TOO_FEW = "No verdict on accuracy with {inputs}, at least {least} are needed: {change}"


class AccuracyLevel(StrEnum):
    """What the interval of a change says."""

    BETTER = "better"
    WORSE = "worse"
    UNDECIDED = "undecided"
    TOO_FEW = "too few inputs"


_SENTENCES = {
    AccuracyLevel.BETTER: "{model} is more accurate than {other}: {change}",
    AccuracyLevel.WORSE: "{model} is less accurate than {other}: {change}",
    AccuracyLevel.UNDECIDED: "No difference in accuracy shown between {model} and {other}: "
    "{change}",
}


def level_of(metric: Metric) -> AccuracyLevel | None:
    """Return whether the model of a metric is better than the other; None without another."""
    gain = metric.gain
    if gain is None:
        return None
    if metric.count < MIN_INPUTS:
        return AccuracyLevel.TOO_FEW
    if gain.low > 0:
        return AccuracyLevel.BETTER
    return AccuracyLevel.WORSE if gain.high < 0 else AccuracyLevel.UNDECIDED


def sentence(metric: Metric, model: str, other: str) -> Sentence:
    """Return the verdict in one sentence: what happens, then the number that says so."""
    level = level_of(metric)
    assert level is not None, "asked only of a metric of two models"
    if level is AccuracyLevel.TOO_FEW:
        change = _both_text(metric, model, other)
        inputs = Count(metric.count, "input")
        return Sentence(_TOO_FEW, inputs=inputs, least=Count(MIN_INPUTS), change=change)
    undecided = level is AccuracyLevel.UNDECIDED
    change = _both_text(metric, model, other) if undecided else _change_text(metric)
    return Sentence(_SENTENCES[level], model=Name(model), other=Name(other), change=change)


def change_label(metric: Metric) -> Value:
    """Return the change of a metric of two models for a cell; a number only if it decides."""
    level, change = level_of(metric), metric.change
    if level is AccuracyLevel.UNDECIDED:
        return "no difference shown"
    if change is None or level is AccuracyLevel.TOO_FEW:
        return "too few inputs for a verdict"
    return _points(metric, change)


def _change_text(metric: Metric) -> Sentence:
    """Return the change of a metric of two models with its interval."""
    change = metric.change
    assert change is not None, "asked only of a metric of two models"
    scale = _scale(metric)
    values: dict[str, Value] = {
        "name": metric.name,
        "change": _points(metric, change),
        "low": _away(scale * change.low),
        "high": _away(scale * change.high),
    }
    return Sentence("{name} {change} (95% CI: {low} to {high})", **values)


def _both_text(metric: Metric, model: str, other: str) -> Sentence:
    """Return a metric of two models, whose difference decides nothing, with its interval."""
    change, beside = metric.change, metric.other
    assert change is not None, "asked only of a metric of two models"
    assert beside is not None, "asked only of a metric of two models"
    plain, scale = metric.id in PLAIN, _scale(metric)
    written = Number if plain else Share
    return Sentence(
        "{name} {own} of {model}, {others} of {other} (95% CI of the difference: {low} to "
        "{high})",
        name=metric.name, own=written(metric.estimate.value), model=Name(model),
        others=written(beside.value), other=Name(other),
        low=_away(scale * change.low, not plain), high=_away(scale * change.high, not plain),
    )  # fmt: skip


def _scale(metric: Metric) -> float:
    return 1.0 if metric.id in PLAIN else 100.0


def _points(metric: Metric, change: Estimate) -> Value:
    return _away(_scale(metric) * change.value, metric.id not in PLAIN)


def _away(value: float, points: bool = False) -> Value:
    if not value:
        return "unchanged" if points else Number(0.0)
    number, lower = Number(abs(value)), value < 0
    if points:
        template = "{number} points lower" if lower else "{number} points higher"
    else:
        template = "{number} lower" if lower else "{number} higher"
    return Sentence(template, number)
