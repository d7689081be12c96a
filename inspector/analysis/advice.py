"""What would make a model better: findings with evidence, gain, and how to check them."""

from collections.abc import Iterator
from dataclasses import replace

from inspector.analysis import Facts, advice_graph, advice_model, advice_report, advice_use
from inspector.analysis.advised import Advice
from inspector.model import Model
from inspector.report import PerformanceReport
from inspector.units import clip

__all__ = ["Advice", "advice", "with_advice"]

_OF_REPORT = (*advice_report.RULES, *advice_use.RULES)
_LEADING = (advice_report.FLOAT16_RULE,)
_MOST_KEPT, _LONGEST = 100, 1000


def advice(
    report: PerformanceReport, model: Model | None = None, facts: Facts | None = None
) -> tuple[Advice, ...]:
    """All findings about a measurement, those with most time at stake first.

    That a float16 model runs in float32 leads whatever it costs: every other number is then
    of another model than the one that was meant.

    Without model and facts, those that look at them are what the report has kept of the time
    when it was made, if anything; nothing is guessed.
    """
    found = [one for of_report in _OF_REPORT for one in of_report(report)]
    known = model is not None or facts is not None
    found += _of_model(report, model, facts) if known else _kept(report)
    return tuple(sorted(found, key=lambda one: (one.rule not in _LEADING, -one.share)))


def with_advice(report: PerformanceReport, model: Model, facts: Facts) -> PerformanceReport:
    """The same, which carries what its model says of it to where that is not at hand."""
    return replace(report, advised=tuple(_of_model(report, model, facts)))


def _kept(report: PerformanceReport) -> Iterator[Advice]:
    """What a file says, kept to what exists and can be shown."""
    known = {layer.index for layer in report.layers}
    for one in report.advised[:_MOST_KEPT]:
        yield replace(
            one,
            rule=clip(one.rule, _LONGEST),
            sentence=clip(one.sentence, _LONGEST),
            gain=clip(one.gain, _LONGEST),
            check=clip(one.check, _LONGEST),
            layers=tuple(index for index in one.layers if index in known),
            share=min(1.0, max(0.0, one.share)),
        )


def _of_model(
    report: PerformanceReport, model: Model | None, facts: Facts | None
) -> Iterator[Advice]:
    if model is not None:
        for of_model in (*advice_model.RULES, *advice_use.MODEL_RULES, *advice_graph.RULES):
            yield from of_model(report, model)
    if facts is not None:
        for of_facts in advice_model.FACTS_RULES:
            yield from of_facts(report, facts)
