"""The words that a report's latency is shown with."""

import pytest

from inspector.analysis.measured.latency import interval_scope, interval_text, latency
from inspector.report.report import PerformanceReport
from tests.reports import example_report


def report(times: int, starts: int = 1) -> PerformanceReport:
    samples = tuple(1_000_000 + 1_000 * (each % 7) for each in range(times * starts))
    return example_report(
        prediction_ns=samples, start_lengths=(times,) * starts if starts > 1 else ()
    )


@pytest.mark.parametrize(
    ("starts", "scope"),
    [(1, "within one process"), (2, "over 2 processes"), (5, "over 5 processes")],
)
def test_an_interval_says_how_many_processes_it_covers(starts, scope):
    assert str(interval_scope(report(30, starts))) == scope


def test_an_interval_has_both_ends_and_few_runs_have_none():
    numbers = latency(report(60))
    assert interval_text(numbers.all_predictions) == "1.002 ms to 1.004 ms"
    few = latency(report(3))
    assert interval_text(few.all_predictions) == ""


def test_without_predictions_there_is_no_latency():
    assert latency(report(0)) is None
