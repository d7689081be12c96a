"""The registry of advice rules, and the advice on a measurement that they give.

A new rule is one function that yields `Advice`, in the file of its kind, and one line in
`RULES`.
Rules on traces of recorded programs yield other values; their registry is in `trace_rules.py`.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from inspector.analysis.advice import model_rules, report_rules
from inspector.analysis.advice.advice_helpers import Advice
from inspector.analysis.facts.model_facts import Facts
from inspector.model.model import Model
from inspector.platform import plugins
from inspector.platform.data_struct import DataStruct
from inspector.report.report import PerformanceReport
from inspector.units import clip

__all__ = [
    "RULES",
    "Advice",
    "Rule",
    "advice",
    "on_facts",
    "on_model",
    "on_report",
    "with_advice",
]

# A report file may hold anything; what is shown of its stored advice is limited to these.
_MAX_STORED = 100
_MAX_TEXT_LENGTH = 1000
# Shown first whatever time is at stake: a float16 model that runs in float32 makes every other
# number that of another model than the one meant.
_LEADING_RULES = (report_rules.FLOAT16_RULE, model_rules.LENGTH_OF_ONE)


class Rule(DataStruct, frozen=True):
    """An advice rule and what it reads besides the report.

    apply: returns the advice on a report; none where it lacks the model or the facts it needs.
    needs_model: whether it needs them, so that a report has to store its advice.
    """

    apply: Callable[[PerformanceReport, Model | None, Facts | None], Iterable[Advice]]
    needs_model: bool


def on_report(rule: Callable[[PerformanceReport], Iterable[Advice]]) -> Rule:
    """Register a rule that reads the report alone."""
    return Rule(lambda report, _model, _facts: rule(report), needs_model=False)


def on_model(rule: Callable[[PerformanceReport, Model], Iterable[Advice]]) -> Rule:
    """Register a rule that reads the report and the model."""

    def apply(
        report: PerformanceReport, model: Model | None, _: Facts | None
    ) -> Iterable[Advice]:
        return () if model is None else rule(report, model)

    return Rule(apply, needs_model=True)


def on_facts(rule: Callable[[PerformanceReport, Facts], Iterable[Advice]]) -> Rule:
    """Register a rule that reads the report and the facts derived from the model."""

    def apply(
        report: PerformanceReport, _: Model | None, facts: Facts | None
    ) -> Iterable[Advice]:
        return () if facts is None else rule(report, facts)

    return Rule(apply, needs_model=True)


# Among findings with the same share of time, the order here is the order of display.
RULES: tuple[Rule, ...] = (
    on_report(report_rules.optimization_level),
    on_report(report_rules.oversubscribed),
    on_report(report_rules.fallback),
    on_report(report_rules.layout_changes),
    on_report(report_rules.added_layout_conversions),
    on_report(report_rules.float16_in_float32),
    on_report(report_rules.dominant_operator),
    on_report(report_rules.dynamic_axes),
    on_report(report_rules.dead_layers),
    on_report(report_rules.inputs_copied),
    on_report(report_rules.held_twice),
    on_model(model_rules.initializers_as_inputs),
    on_model(model_rules.length_of_one),
    on_model(model_rules.float32_edges),
    on_model(model_rules.old_opset),
    on_model(report_rules.outputs_not_bound),
    on_model(model_rules.attention),
    on_model(model_rules.large_constants),
    on_model(model_rules.unused_outputs),
    on_model(model_rules.needless_layers),
    on_model(model_rules.outputs_apart),
    on_facts(model_rules.quantization),
)


def advice(
    report: PerformanceReport, model: Model | None = None, facts: Facts | None = None
) -> tuple[Advice, ...]:
    """Return all advice on a measurement, that with most time at stake first.

    Without model and facts, the advice that needs them is what was stored in the report when it
    was made, if anything; nothing is guessed.
    """
    items = list(_apply(report, model, facts, needs_model=False))
    if model is None and facts is None:
        items += _stored(report)
    else:
        items += _apply(report, model, facts, needs_model=True)
    return tuple(sorted(items, key=lambda item: (item.rule not in _LEADING_RULES, -item.share)))


def with_advice(report: PerformanceReport, model: Model, facts: Facts) -> PerformanceReport:
    """Return the report with the advice that needs the model stored in it.

    The report can then be shown in full where the model is not available.
    """
    return replace(report, advised=tuple(_apply(report, model, facts, needs_model=True)))


def _apply(
    report: PerformanceReport, model: Model | None, facts: Facts | None, *, needs_model: bool
) -> Iterator[Advice]:
    for rule in RULES:
        if rule.needs_model == needs_model:
            yield from rule.apply(report, model, facts)
    for plugin in plugins.usable(plugins.ADVICE_RULES):
        if plugin.value.needs_model == needs_model:
            yield from plugin.guard(_all_of(plugin.value), ())(report, model, facts)


def _all_of(rule: Rule) -> Callable[..., tuple[Advice, ...]]:
    """Return a rule's advice as a whole: a generator of a plugin would fail after the guard."""

    def apply(
        report: PerformanceReport, model: Model | None, facts: Facts | None
    ) -> tuple[Advice, ...]:
        return tuple(rule.apply(report, model, facts))

    return apply


def _stored(report: PerformanceReport) -> Iterator[Advice]:
    """Yield the advice stored in a report file, limited to existing layers and short texts."""
    indices = {layer.index for layer in report.layers}
    for item in report.advised[:_MAX_STORED]:
        yield replace(
            item,
            rule=clip(item.rule, _MAX_TEXT_LENGTH),
            sentence=clip(item.sentence, _MAX_TEXT_LENGTH),
            gain=clip(item.gain, _MAX_TEXT_LENGTH),
            check=clip(item.check, _MAX_TEXT_LENGTH),
            layers=tuple(index for index in item.layers if index in indices),
            share=min(1.0, max(0.0, item.share)),
        )
