"""Bars of a comparison are as long as what they stand for."""

from dataclasses import replace
from functools import cache

import pytest
from msgspec import structs

from inspector.comparison.comparison import Comparison, compare
from inspector.pages.charts.comparison_plot import MOST_LAYERS, comparison_plot
from inspector.pages.charts.drawing import Box, Drawing, Label, Line, worded
from tests.reports import example_report

BEFORE = example_report()
AFTER = replace(
    BEFORE,
    prediction_ns=tuple(2 * ns for ns in BEFORE.prediction_ns),
    layers=tuple(
        replace(one, time_ns=one.time_ns * 3) if one.time_ns else one for one in BEFORE.layers
    ),
)


@cache
def found() -> Comparison:
    return compare((BEFORE, AFTER), ("a", "b"))


def drawn(second: str = "b") -> Drawing:
    return comparison_plot(structs.replace(found(), names=("a", second)), (BEFORE, AFTER))


def boxes(drawing: Drawing, layers: bool) -> list[Box]:
    split = next(
        shape.y
        for shape in worded(drawing).shapes
        if isinstance(shape, Label) and shape.text == "Layers that changed most"
    )
    shown = (s for s in worded(drawing).shapes if isinstance(s, Box) and s.opacity)
    return [box for box in shown if (box.y > split) is layers]


def test_medians_are_bars_with_a_line_from_p5_to_p95():
    drawing = drawn()
    one, other = boxes(drawing, layers=False)
    assert other.width == pytest.approx(2 * one.width)
    lines = [shape.points for shape in worded(drawing).shapes if isinstance(shape, Line)]
    for box, ((begin, y), (end, same)) in zip((one, other), lines, strict=True):
        assert y == same
        assert box.y < y < box.y + box.height
        assert box.x < begin < box.x + box.width < end
    assert lines[1][1][0] - other.x == pytest.approx(2 * (lines[0][1][0] - one.x))
    assert [box.fill for box in (one, other)] == ["tertiary", "activity"]


def test_layers_are_bars_of_their_times_the_most_changed_first():
    drawing = drawn()
    pairs = boxes(drawing, layers=True)
    befores, afters = pairs[::2], pairs[1::2]
    for before, after in zip(befores, afters, strict=True):
        assert after.width == pytest.approx(3 * before.width)
        assert (after.x, after.y) == (before.x, pytest.approx(before.y + before.height + 1))
    widths = [box.width for box in afters]
    assert widths == sorted(widths, reverse=True)
    assert 300 < widths[0] <= drawing.width - afters[0].x
    assert len(afters) <= MOST_LAYERS
    assert max(box.y + box.height for box in pairs) < drawing.height
    longest = max(one.time_ns for one in BEFORE.layers if one.time_ns)
    texts = [shape.text for shape in worded(drawing).shapes if isinstance(shape, Label)]
    assert f"+{2 * longest / 1000:.0f} µs" in texts


def test_nothing_changed_draws_no_layers_and_a_report_without_runs_says_so():
    reports = BEFORE, BEFORE, replace(BEFORE, prediction_ns=())
    drawing = comparison_plot(compare(reports, ("a", "b", "c")), reports)
    texts = [shape.text for shape in worded(drawing).shapes if isinstance(shape, Label)]
    assert "Layers that changed most" not in texts
    assert texts.count("not measured") == 1
    assert (
        len([shape for shape in drawing.shapes if isinstance(shape, Box) and shape.opacity])
        == 2
    )


def test_long_names_stand_above_their_bars():
    short = drawn()
    long = drawn("a very long name of a report about a model.json")
    assert boxes(long, layers=False)[0].x < boxes(short, layers=False)[0].x
    for drawing in (short, long):
        labels = {s.text: s for s in worded(drawing).shapes if isinstance(s, Label)}
        bar = boxes(drawing, layers=False)[0]
        assert (labels["a"].y < bar.y) is (drawing is long)
