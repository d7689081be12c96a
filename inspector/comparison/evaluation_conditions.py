"""Conditions on the accuracy of a model on a folder: "top1<90%", "top1<-1%", "rmse>+5%".

With a sign they are about the change against another model: of shares in points, of errors
such as RMSE a number or a share of the other's.
"""

from collections.abc import Callable, Sequence

from inspector.comparison.ci_conditions import (
    Condition,
    Finding,
    Form,
    Outcome,
    between,
    read_condition,
)
from inspector.report.evaluation import PLAIN, Metric
from inspector.report.language.quality import Estimate
from inspector.wording.values import counted

FAILED = "files.failed"
_IDS = ("top1", "top5", "f1", "map", "map50", "mask_map", "mask_map50", "miou", "wer", "cer",
        "rmse", "mae", "perplexity")  # fmt: skip
# Units of limits, as in `read_condition`.
_METRICS: dict[str, str | None] = {
    **{id_: "" if id_ in PLAIN else "share" for id_ in _IDS}, FAILED: None
}  # fmt: skip
METRICS = (*_METRICS,)
_EXAMPLES = "Use the form 'top1<90%', 'top1<-1%' (points less than --against) or 'rmse>0.3'."


def parse(text: str) -> Condition:
    """Read a condition on accuracy. Raises BadInput: not understood, what would be."""
    return read_condition(text, _METRICS, {*_IDS}, METRICS, {}, _EXAMPLES)


def judged(
    conditions: Sequence[Condition], metrics: Sequence[Metric], failed: int, name: str
) -> tuple[Finding, ...]:
    """Return the outcome of every condition; inconclusive where a limit is in an interval.

    failed: files without an answer. name: of the model.
    """
    known = {metric.id: metric for metric in metrics}
    return tuple(
        Finding(each, name, *_outcome(each, known.get(each.subject), failed))
        for each in conditions
    )


def _outcome(condition: Condition, metric: Metric | None, failed: int) -> tuple[Outcome, str]:
    if condition.subject == FAILED:
        return condition.outcome(failed), counted(failed, "file")
    if metric is None:
        return Outcome.UNDECIDED, "the true answers do not give this metric"
    plain = metric.id in PLAIN
    if condition.form is Form.VALUE:
        return _of(condition, metric.estimate, ("{:.4g}" if plain else "{:.2%}").format)
    if metric.change is None or metric.other is None:
        return Outcome.UNDECIDED, "there is no model to compare with; add --against MODEL"
    change = metric.change
    if condition.form is Form.SHARE:
        base = metric.other.value
        if not base:
            return Outcome.UNDECIDED, "the other's is 0"
        change = Estimate(change.value / base, change.low / base, change.high / base)
        return _of(condition, change, "{:+.2%}".format)
    if plain:
        return _of(condition, change, "{:+.4g}".format)
    return _of(condition, change, lambda value: f"{100 * value:+.2f} points")


def _of(
    condition: Condition, estimate: Estimate, write: Callable[[float], str]
) -> tuple[Outcome, str]:
    return between(condition, estimate.value, (estimate.low, estimate.high), write)
