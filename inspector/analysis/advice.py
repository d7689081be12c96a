"""What would make a model better: findings with evidence, gain, and how to check them."""

from collections.abc import Iterator

from inspector.analysis import Facts, advice_graph, advice_model, advice_report, advice_use
from inspector.analysis.advised import Advice
from inspector.model import Model
from inspector.report import PerformanceReport

__all__ = ["Advice", "advice"]


def advice(
    report: PerformanceReport, model: Model | None = None, facts: Facts | None = None
) -> tuple[Advice, ...]:
    """All findings about a measurement, those with most time at stake first.

    Without model or facts, the rules that look at them stay silent; nothing is guessed.
    """
    return tuple(sorted(_found(report, model, facts), key=lambda one: -one.share))


def _found(
    report: PerformanceReport, model: Model | None, facts: Facts | None
) -> Iterator[Advice]:
    for of_report in (*advice_report.RULES, *advice_use.RULES):
        yield from of_report(report)
    if model is not None:
        for of_model in (*advice_model.RULES, *advice_use.MODEL_RULES, *advice_graph.RULES):
            yield from of_model(report, model)
    if facts is not None:
        for of_facts in advice_model.FACTS_RULES:
            yield from of_facts(report, facts)
