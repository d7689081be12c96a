"""The results of a search as HTML, PDF, Markdown and JSON."""

from pathlib import Path

import msgspec
import pytest

from inspector.errors import BadInput
from inspector.pages.charts.drawing import Box, Label
from inspector.pages.charts.improvement_plot import pareto_plot, plot
from inspector.render.registry import Subject, format_for
from inspector.report.improvement import Improvement, Latency, to_json
from tests.improvements import INT8, SLOW, STATE

COMMAND = (
    "inspector convert 'my net.onnx' int8:keep=head opset:21 --calibration 'typical inputs' "
    "--test test -o 'my net.improved.onnx'"
)


def page(suffix: str, state: Improvement = STATE) -> bytes:
    return bytes(format_for(Subject.IMPROVEMENT, Path("results" + suffix)).writer(state))


def test_a_ratio_without_an_interval_is_shown_nowhere():
    bare = msgspec.structs.replace(SLOW, latency=Latency(4e6, change=26.0))
    state = msgspec.structs.replace(STATE, candidates=(bare,), best=0)
    text = page(".md", state).decode()
    assert "50% smaller, accuracy loss over limit, latency inconclusive" in text
    assert "27" not in text
    assert "2,600" not in text
    assert 27.0 not in [point.x for point in plot(state).points]


def test_without_a_better_model_there_is_no_recipe_to_repeat():
    text = page(".md", msgspec.structs.replace(STATE, best=-1)).decode()
    assert "No candidate is clearly" in text
    assert "inspector convert" not in text


def test_json_is_what_the_command_prints_and_other_names_are_refused():
    assert page(".json") == to_json(STATE)
    assert page(".JSON") == page(".json")
    with pytest.raises(BadInput, match="is not a supported file extension") as caught:
        page(".docx")
    assert ".html, .pdf, .md, .json" in caught.value.hint


def test_without_latencies_the_plot_is_over_the_file_size():
    untimed = tuple(msgspec.structs.replace(each, latency=None) for each in STATE.candidates)
    state = msgspec.structs.replace(STATE, candidates=untimed)
    assert [(p.x, p.y) for p in plot(STATE).points] == [(1, 0.91), (0.5, 0.905), (2, 0.5)]
    assert [p.x for p in plot(state).points] == [1, 0.3, 0.5]
    drawing = pareto_plot(state)
    assert drawing.title == "Accuracy vs. size"


def test_the_plot_has_a_circle_for_each_candidate_in_the_color_of_its_verdict():
    drawing = pareto_plot(STATE)
    circles = [s for s in drawing.shapes if isinstance(s, Box) and s.radius]
    assert [circle.fill for circle in circles] == ["surface", "good", "bad"]
    original, better, slower = (circle.x + circle.radius for circle in circles)
    assert better < original < slower
    assert circles[0].radius > circles[2].radius > circles[1].radius
    for circle in circles:
        assert 0 < circle.y < circle.y + circle.height < drawing.height
    texts = [shape.text for shape in drawing.shapes if isinstance(shape, Label)]
    assert {"original", "int8 (recommended)", "float16", "Top-1 accuracy"} <= {*texts}


def test_a_candidate_that_cannot_be_used_is_no_point():
    broken = msgspec.structs.replace(INT8, problem="it does not open")
    assert pareto_plot(msgspec.structs.replace(STATE, candidates=(broken,))) is None
