"""The trend of one model: what is drawn, and what a pointer reads of each report."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from inspector.analysis.measured.history import PastReport, latency_changes
from inspector.pages.charts.drawing import Box, Drawing, Label, Line, worded
from inspector.pages.charts.trend_plot import QUANTITIES, trend_plot

WIDTH = 700.0


def past(day: int, p50_ns: float) -> PastReport:
    return PastReport(
        Path(f"report_{day}.json"), "m.onnx", "0" * 64, f"2026-11-{day:02}T10:00:00+00:00",
        "CPU", "", "Example CPU", "1.27.0", p50_ns, p50_ns, p50_ns * 1.01, 1 << 20, 0, "",
    )  # fmt: skip


SERIES = tuple(past(day, (2 if day < 8 else 3) * 1e6 + day) for day in range(1, 15))


def columns(drawing: Drawing) -> list[Box]:
    return [box for box in drawing.shapes if isinstance(box, Box) and box.key]


def test_each_column_belongs_to_its_report_and_says_what_is_known():
    drawing = worded(trend_plot(SERIES, latency_changes(SERIES), WIDTH))
    found = columns(drawing)
    assert [box.key for box in found] == list(map(str, range(14)))
    dots = [box for box in drawing.shapes if isinstance(box, Box) and box.fill == "activity"]
    for box, dot in zip(found, dots, strict=True):
        assert dot.x + dot.width / 2 == pytest.approx(box.x + box.width / 2)
    lines = str(found[7].title).splitlines()
    assert "than before" in lines[1]
    assert lines[-1] == "report_8.json"
    assert not any("memory" in line for line in lines), "it is unknown"


def test_a_change_has_a_line_and_levels_on_both_sides():
    drawing = trend_plot(SERIES, latency_changes(SERIES), WIDTH)
    lines = [shape for shape in drawing.shapes if isinstance(shape, Line)]
    levels = [line for line in lines if line.stroke == "accent"]
    (change,) = (line for line in lines if line.dashed)
    assert levels[0].points[1][0] == levels[1].points[0][0] == change.points[0][0]
    assert levels[0].points[0][1] > levels[1].points[0][1], "slower is higher"
    assert any(shape.color == "bad" for shape in drawing.shapes if isinstance(shape, Label))


def test_what_is_unknown_is_not_drawn():
    drawing = trend_plot(SERIES, (), WIDTH, QUANTITIES[1])
    assert not columns(drawing)
    known = replace(SERIES[0], memory_bytes=3 << 20)
    drawing = trend_plot((known, *SERIES[1:]), (), WIDTH, QUANTITIES[1])
    assert sum(isinstance(box, Box) and box.radius > 0 for box in drawing.shapes) == 1
