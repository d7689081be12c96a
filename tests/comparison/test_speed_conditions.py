"""Conditions of CI on the speed of a language model."""

from dataclasses import replace

import pytest

from inspector.comparison.ci_conditions import Outcome, judged, parse
from inspector.comparison.comparison import compare
from inspector.report.language.speed import GenerationSpeed, SpeedRow
from inspector.statistics.significance import Verdict
from tests.reports import example_report


def measured(step_ns, first_ns=200_000_000, context=512, repetitions=6):
    """Return a report whose steps and prompts scatter by 2%."""
    scatter = [0.98, 1.0, 1.02, 0.99, 1.01, 1.0]
    steps = tuple(tuple(round(step_ns * x) for x in scatter * 3) for _ in range(repetitions))
    prompts = tuple(round(first_ns * x) for x in scatter[:repetitions])
    rows = (
        SpeedRow(128, 128, 1, prompts, (0,) * repetitions),
        SpeedRow(0, context, step_ns=steps),
    )
    flat = tuple(ns for each in steps for ns in each)
    generation = GenerationSpeed(rows)
    return replace(example_report(), prediction_ns=flat, generation=generation)


def outcome(text, *reports):
    reports = reports if len(reports) > 1 else reports * 2
    names = tuple("ab")
    (found,) = judged([parse(text)], reports, compare(reports, names))
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("generation.tokens_per_second<20", Outcome.FAILS),
        ("generation.tokens_per_second<200 tokens/s", Outcome.HOLDS),
        ("generation.tokens_per_second<100", Outcome.UNDECIDED),
        ("generation.first_token>100ms", Outcome.HOLDS),
        ("generation.first_token>300ms", Outcome.FAILS),
    ],
)
def test_limits_of_one_report(text, expected):
    assert outcome(text.replace(" ", ""), measured(10_000_000)).outcome is expected


def test_a_slower_model_has_fewer_tokens_per_second():
    pair = measured(10_000_000), measured(20_000_000, first_ns=400_000_000)
    found = outcome("generation.tokens_per_second<-20%", *pair)
    assert found.outcome is Outcome.HOLDS
    assert found.plain.startswith("-50")
    assert outcome("generation.first_token>+50%", *pair).outcome is Outcome.HOLDS
    assert outcome("generation.tokens_per_second<-20%", *pair[::-1]).outcome is Outcome.FAILS


def test_what_cannot_be_decided_says_why():
    assert "--new-tokens" in outcome("generation.first_token>1ms", example_report()).text
    few = measured(10_000_000, repetitions=2)
    assert "--runs 6" in outcome("generation.first_token>1ms", few).text
    pair = measured(10_000_000), measured(10_000_000, context=2048)
    found = outcome("generation.tokens_per_second<-20%", *pair)
    assert found.outcome is Outcome.UNDECIDED
    assert "512 and 2048" in found.text


def test_a_comparison_has_each_prompt_and_context_that_both_have():
    pair = measured(10_000_000), measured(20_000_000, first_ns=100_000_000)
    metrics = {metric.title: metric for metric in compare(pair, ("a", "b")).metrics}
    first = metrics["first token, prompt 128"]
    assert first.judgements[1].verdict is Verdict.FASTER
    steps = metrics["time per token, context 512"]
    assert steps.judgements[1].verdict is Verdict.SLOWER
    assert steps.ratio(1) == pytest.approx(2)
    other = compare((pair[0], measured(10_000_000, context=9)), ("a", "b"))
    assert not [each for each in other.metrics if each.title.startswith("time per token")]
    mixed = compare((pair[0], example_report()), ("a", "b"))
    assert not [each for each in mixed.metrics if each.title.startswith("first token")]
