from dataclasses import replace

import numpy as np
import pytest

from inspector.comparison.ci_conditions import Finding, Form, Outcome, judged, parse
from inspector.comparison.comparison import compare
from inspector.errors import BadInput
from inspector.model.tensors.agreement import CheckedOutput
from inspector.model.tensors.difference import difference
from inspector.report.report import PerformanceReport
from tests.reports import CPU, example_report

pytestmark = pytest.mark.simulation

EXAMPLE = example_report()


def noisy(count: int, median_ns: float, seed: int, spread: float = 0.04) -> PerformanceReport:
    noise = np.random.default_rng(seed).lognormal(0, spread, count)
    return replace(EXAMPLE, prediction_ns=tuple(int(median_ns * value) for value in noise))


def found(text: str, first: PerformanceReport, other: PerformanceReport) -> Finding:
    reports = (first, other)
    (finding,) = judged([parse(text)], reports, compare(reports))
    return finding


@pytest.mark.parametrize(
    ("text", "form", "limit"),
    [
        ("prediction.p50>+10%", Form.SHARE, 0.1),
        ("latency.p95 >= 2.5ms", Form.VALUE, 2_500_000),
        ("load<-1s", Form.CHANGE, -1e9),
        ("memory.peak>+5 MiB", Form.CHANGE, 5 << 20),
        ("layers.moved>0", Form.VALUE, 0),
        ("output.psnr<40dB", Form.VALUE, 40),
        ("output.max_abs>1e-3", Form.VALUE, 0.001),
    ],
)
def test_a_condition_is_a_quantity_a_relation_and_a_limit(text, form, limit):
    condition = parse(text)
    assert condition.form is form
    assert condition.limit == pytest.approx(limit)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("prediction.p50", "a metric, a comparison operator such as >, and a limit"),
        ("prediction.p5>1ms", "no metric 'prediction.p5'"),
        ("prediction.p50>10%", "a percentage is a change"),
        ("prediction.p50>3", "one of: ns, us"),
        ("prediction.p50>3MiB", "one of: ns, us"),
        ("memory.peak>3ms", "one of: B, KB"),
        ("layers.moved>10%", "one of: a number"),
        ("layers.moved>+1", "one of: a number"),
        ("output.psnr<40ms", "one of: a number, dB"),
        ("output.worth<1", "no metric 'output.worth'"),
        ("__import__('os')>0", "a metric, a comparison operator such as >, and a limit"),
    ],
)
def test_what_is_no_condition_is_refused_with_a_reason(text, why):
    with pytest.raises(BadInput, match="Could not read the condition") as refused:
        parse(text)
    assert why in refused.value.why
    assert refused.value.hint


def test_a_mistyped_quantity_is_told_which_one_was_meant():
    with pytest.raises(BadInput) as failure:
        parse("predicton.p50>+10%")
    assert failure.value.hint.startswith("Did you mean 'prediction.p50'? The metrics are ")
    with pytest.raises(BadInput) as failure:
        parse("elephants>3")
    assert failure.value.hint.startswith("The metrics are ")


def test_a_clear_change_holds_and_says_its_interval():
    finding = found("prediction.p50>+10%", noisy(60, 2e6, 1), noisy(60, 2.6e6, 2))
    assert finding.outcome is Outcome.HOLDS
    assert finding.text.startswith("+30.")
    assert "95% CI" in finding.text


def test_no_change_does_not_hold():
    finding = found("prediction.p50>+15%", noisy(60, 2e6, 1), noisy(60, 2e6, 2))
    assert finding.outcome is Outcome.FAILS


def test_noise_about_the_limit_is_undecided_and_more_runs_decide():
    few = found("prediction.p50>+10%", noisy(20, 2e6, 1, 0.2), noisy(20, 2.45e6, 2, 0.2))
    many = found("prediction.p50>+10%", noisy(2000, 2e6, 1, 0.2), noisy(2000, 2.45e6, 2, 0.2))
    assert (few.outcome, many.outcome) == (Outcome.UNDECIDED, Outcome.HOLDS)


def test_a_quantile_with_no_samples_beyond_it_is_undecided():
    finding = found("prediction.p99>+1%", noisy(30, 2e6, 1), noisy(30, 9e6, 2))
    assert finding.outcome is Outcome.UNDECIDED
    assert "at least 100 are needed" in finding.text


def test_a_value_is_asked_of_the_later_report_alone():
    none = example_report(prediction_ns=())
    assert found("prediction.mean>3ms", none, noisy(30, 4e6, 2)).outcome is Outcome.HOLDS
    assert found("prediction.mean<3ms", none, noisy(30, 4e6, 2)).outcome is Outcome.FAILS


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("memory.peak>+5%", Outcome.HOLDS),
        ("memory.peak>+15%", Outcome.FAILS),
        ("memory.peak<=1GiB", Outcome.HOLDS),
        ("memory.peak>+20MB", Outcome.FAILS),
    ],
)
def test_memory_is_one_value_each(text, outcome):
    report = example_report()
    more = replace(report.memory, peak_bytes=int(report.memory.peak_bytes * 1.1))
    finding = found(text, report, replace(report, memory=more))
    assert finding.outcome is outcome
    assert "one value per report" in finding.text


def test_layers_that_moved_came_or_went_are_counted():
    report = example_report()
    layers = list(report.layers)
    layers[13] = replace(layers[13], ran_on=CPU)
    other = replace(report, layers=tuple(layers[:-1]))
    assert found("layers.moved>0", report, other).text == "1 layer"
    assert found("layers.moved>1", report, other).outcome is Outcome.FAILS
    assert found("layers.removed>0", report, other).outcome is Outcome.HOLDS
    assert found("layers.new>0", report, other).outcome is Outcome.FAILS


@pytest.mark.slow
def test_a_limit_far_below_the_noise_holds_in_few_of_many_identical_pairs():
    pairs = [
        found("prediction.p50>+0%", noisy(30, 2e6, seed), noisy(30, 2e6, 500 + seed))
        for seed in range(60)
    ]
    assert sum(finding.outcome is Outcome.HOLDS for finding in pairs) <= 4


def answering(*pairs: tuple[float, float]) -> PerformanceReport:
    """A report whose outputs were [r] where they should have been [o], one after the other."""
    return example_report(
        outputs=tuple(
            CheckedOutput("y", difference(np.array([1.0, r]), np.array([1.0, o])), 1e-4)
            for r, o in pairs
        )
    )


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("output.psnr<40", Outcome.HOLDS),
        ("output.psnr<9", Outcome.FAILS),
        ("output.max_abs>0.5", Outcome.HOLDS),
        ("output.psnr<-3", Outcome.HOLDS),
        ("output.top1<1", Outcome.FAILS),
    ],
)
def test_the_worst_output_decides(text, outcome):
    """2 instead of 4 and 1: the peak is 4, the mean square error 2."""
    assert found(text, answering((1, 1)), answering((1, 1), (4, 2))).outcome is outcome


def test_an_answer_that_was_not_checked_decides_nothing():
    undecided = found("output.psnr<40", example_report(), example_report())
    assert undecided.outcome is Outcome.UNDECIDED
    assert "measure with --check" in undecided.text
    assert found("output.psnr<40", example_report(), answering((4, 2))).text == (
        "9.031 dB (one value per report; no interval)"
    )


def test_nan_is_as_wrong_as_can_be():
    wrong = answering((4, float("nan")))
    for text in ("output.psnr<1", "output.max_abs>1000", "output.top1<0.1"):
        assert found(text, wrong, wrong).outcome is Outcome.HOLDS
