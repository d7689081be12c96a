"""Performance of a language model: both speeds, and cards in place of those of single runs."""

from dataclasses import replace

import pytest

from inspector.pages.language.speed import headline, speed_cards
from inspector.report.roofline import Ceiling, Roofline
from inspector.report.run_spec import RunSpec
from inspector.ui.tabs.performance.report_view import ReportView
from inspector.ui.tabs.performance.settings import spec_summary
from tests.pages.language.test_speed import speed
from tests.reports import example_report


@pytest.fixture
def report():
    bare = example_report()
    peak = Ceiling("cpu", "float32", 0, 1e11, 3e10)
    return replace(bare, generation=speed(bare), roofline=Roofline((peak,)))


def test_the_headline_has_both_conditions(qtbot, theme, selection, report):
    view = ReportView(theme, report, selection)
    qtbot.addWidget(view)
    view.resize(900, 900)
    view.show()
    assert view.speed.title.text() == str(headline(report.generation))
    names = [card.accessibleName() for card in view.speed.cards]
    assert names == [
        "First token, prompt 128", "Decode, context 512", "Peak memory", "Bottleneck of decode",
    ]  # fmt: skip
    assert "103 ms" in view.speed.cards[0].accessibleDescription()
    assert not view.cards.isVisible()
    assert view.speed.isVisible()


def test_a_role_selects_its_first_layer(qtbot, theme, selection, report):
    view = ReportView(theme, report, selection)
    qtbot.addWidget(view)
    view.speed.phases.chosen.emit("3")
    assert selection.now.layer == 3


def test_other_reports_are_as_before(qtbot, theme, selection):
    view = ReportView(theme, example_report(), selection)
    qtbot.addWidget(view)
    view.show()
    assert view.speed is None
    assert view.cards.isVisible()


def test_lengths_stand_in_the_summary_of_the_settings():
    text = spec_summary(RunSpec(prompt_tokens=(128, 512), new_tokens=64, contexts=(0, 2048)))
    assert "prompts of 128, 512 tokens" in text
    assert "64 new tokens · at context 0, 2,048" in text


@pytest.mark.parametrize(("others", "waits"), [(0.8, True), (0.0, False)])
def test_a_mean_far_above_the_median_says_why_where_the_cpu_was_busy(report, others, waits):
    steps = ((1_000_000,) * 20 + (90_000_000,) * 4,) * 6
    rows = tuple(
        replace(row, step_ns=steps) if row.step_ns else row for row in report.generation.rows
    )
    slow = replace(
        report,
        generation=replace(report.generation, rows=rows),
        surroundings=replace(report.surroundings, others=others),
    )
    decode = next(c for c in speed_cards(slow) if "Decode" in str(c.title))
    mean = next(line for line in map(str, decode.lines) if line.startswith("mean"))
    assert ("waits for the CPU" in mean) is waits
