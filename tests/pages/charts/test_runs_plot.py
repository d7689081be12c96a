"""The drawing of all runs: every run has its place and says what it is."""

from hypothesis import given
from hypothesis import strategies as some

from inspector.pages.charts.drawing import Box, Drawing, Label, Line, worded
from inspector.pages.charts.runs_plot import runs_plot
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import CpuSpeed
from tests.reports import example_report


def titles(drawing: Drawing) -> list[str]:
    boxes = (shape for shape in worded(drawing).shapes if isinstance(shape, Box))
    return [str(box.title) for box in boxes if box.title]


def timed(*samples_ns: int, **changes: object) -> PerformanceReport:
    return example_report(prediction_ns=samples_ns, prediction_cpu_ns=(), **changes)


@given(some.lists(some.integers(1, 10**12), min_size=1, max_size=80))
def test_every_run_has_a_dot_inside_the_drawing(samples):
    drawing = runs_plot(timed(*samples, warmup_ns=(5,)), 600)
    assert sum(title.startswith("Run ") for title in titles(drawing)) == len(samples)
    for shape in drawing.shapes:
        if isinstance(shape, Box):
            assert 0 <= shape.x <= 600
            assert 0 <= shape.y <= drawing.height


def test_warm_up_outliers_and_a_change_are_drawn():
    calm = [2_000_000 + 1000 * (i % 7) for i in range(40)]
    slow = [2_600_000 + 1000 * (i % 5) for i in range(40)]
    drawing = runs_plot(timed(*calm, 90_000_000, *slow, warmup_ns=(3_000_000,)))
    assert "Warm-up run 1: 3.00 ms" in titles(drawing)
    assert "Run 41: 90.0 ms" in titles(drawing)
    medians = {line.points[0][1] for line in drawing.shapes
               if isinstance(line, Line) and line.stroke == "accent"}  # fmt: skip
    assert len(medians) == 2, "before and after the change"


def test_runs_on_a_slower_processor_are_paler_and_say_so():
    times = [4000] * 20 + [6400] * 20
    wall = tuple(ns * 250 for ns in times[:-1] for _ in range(10))
    pace = CpuSpeed(tuple(times), tuple(range(0, 400, 10)))
    drawing = runs_plot(timed(*wall, spec=RunSpec(threads=1), pace=pace))
    slow = [t for t in titles(drawing) if t.endswith("CPU throttled or busy")]
    assert len(slow) == 200
    assert {"full CPU speed", "CPU throttled or busy"} <= {
        shape.text for shape in worded(drawing).shapes if isinstance(shape, Label)
    }


def test_very_many_runs_are_a_stroke_for_each_pixel():
    samples = [2_000_000 + 37 * (i * 7919 % 1000) for i in range(50_000)]
    drawing = runs_plot(timed(*samples), 700)
    assert len(drawing.shapes) < 3 * 700


def test_of_no_run_there_is_a_sentence():
    assert any(
        "No run" in str(s.text) for s in runs_plot(timed()).shapes if isinstance(s, Label)
    )
