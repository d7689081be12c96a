"""Every number of the four cards over a report, with its label; and of the report's head."""

import json
import re
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from inspector.render.registry import export
from inspector.report.report import PerformanceReport
from inspector.ui.tabs.performance.metric_cards import MetricCards
from inspector.ui.widgets.theme import Theme
from tests.page_text import report_text
from tests.reports import example_report, half_slow

TWO_SPEEDS = (40_000_000,) * 14 + (80_000,) * 16
SHUFFLED = tuple(TWO_SPEEDS[7 * place % 30] for place in range(30))


def cards(qtbot: QtBot, report: PerformanceReport) -> MetricCards:
    made = MetricCards(Theme("light"), report)
    qtbot.addWidget(made)
    return made


def said(qtbot: QtBot, report: PerformanceReport) -> list[tuple[str, str]]:
    """Name and text of each card, as a screen reader says them."""
    made = cards(qtbot, report)
    return [(card.accessibleName(), card.accessibleDescription()) for card in made.cards]


def test_each_number_of_the_four_cards_has_its_label(qtbot):
    found = said(qtbot, example_report())
    assert found == [
        (
            "Latency",
            "1.85 ms, median of all runs; 2.16 ms, p95 of all runs; "
            "95% CI 1.82 ms to 1.87 ms within one process",
        ),
        ("Load", "182 ms, first run 21.3 ms"),
        ("Peak model memory", "94.2 MiB, process peak 155 MiB"),
        ("Devices", "WebGPU 12 layers, 96.4%; CPU 3 layers, 3.6%"),
    ]


def test_the_headline_is_the_median_at_full_cpu_speed_and_the_tail_is_of_all_runs(qtbot):
    report = half_slow()
    made = cards(qtbot, report)
    latency = made.latency
    assert latency.numbers == (
        ("1.00", "ms", "median at full CPU speed"),
        ("1.60", "ms", "p95 of all runs"),
    )
    assert latency.interval == "95% CI 1.00 ms to 1.00 ms within one process"
    head = report_text(report)
    assert re.search(r"1\.00 ms  median of \d+ runs at full CPU speed; noisy;", head)
    assert latency.doubts, "the window marks it as the document does"
    assert "p95 of all runs 1.60 ms" in head
    values = json.loads(export(report, "json"))["derived"]
    assert values["latency"]["headline"] == "at_full_cpu_speed"
    assert values["latency"]["at_full_cpu_speed"]["p50_ns"] == 1_000_000
    assert values["latency"]["all_predictions"]["p50_ns"] == 1_600_000
    assert values["latency"]["all_predictions"]["p95_ns"] == 1_600_000


@pytest.mark.parametrize("count", [1, 2, 5])
def test_of_fewer_than_six_runs_the_range_is_shown_and_called_so(qtbot, count):
    times = tuple(1_000_000 + 100_000 * place for place in range(count))
    report = example_report(prediction_ns=times, prediction_cpu_ns=())
    made = cards(qtbot, report)
    interval = made.latency.interval
    head = report_text(report)
    assert "95% CI" not in interval + head
    if count == 1:
        assert interval == ""
        return
    last = f"{1 + 0.1 * (count - 1):.2f} ms"
    assert interval == f"range 1.00 ms to {last} of {count} runs"
    assert f"range 1.00 ms to {last} of {count} runs" in head


def test_two_speeds_and_drift_are_said_and_the_interval_stays_within_them(qtbot):
    report = example_report(prediction_ns=SHUFFLED, prediction_cpu_ns=())
    made = cards(qtbot, report)
    card = made.latency
    (reason,) = card.noise_reasons
    assert reason == "Runs had two speeds: 53% took about 80.0 µs, the others about 40.0 ms."
    assert card.interval == "95% CI 80.0 µs to 40.0 ms within one process"
    drift = replace(report, prediction_ns=(2_000_000,) * 40 + (3_000_000,) * 40)
    (reason,) = cards(qtbot, drift).latency.noise_reasons
    assert reason == "From run 41 on, runs were 50.0% slower: 2.00 ms before, 3.00 ms after."
    far = replace(report, prediction_ns=(40_000_000,) * 40 + (80_000,) * 40)
    (reason,) = cards(qtbot, far).latency.noise_reasons
    assert reason == "From run 41 on, runs were 500× faster: 40.0 ms before, 80.0 µs after."


def test_a_latency_of_free_axes_names_their_lengths(qtbot):
    shapes = {"input_ids": (1, 12), "attention_mask": (1, 12)}
    report = replace(example_report(), input_shapes=shapes)
    assert said(qtbot, report)[0][0] == "Latency, input 1×12"
