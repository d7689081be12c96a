from dataclasses import replace
from io import BytesIO
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from inspector.analysis.measured.sweep_results import Candidate
from inspector.comparison.comparison import compare
from inspector.errors import BadInput
from inspector.pages.charts.drawing import Box, Drawing, Label, Line, text_width, worded
from inspector.pages.charts.histograms import BINS
from inspector.pages.charts.report_plots import PLOTS, plot
from inspector.pages.charts.sweep_plot import choice_plot, heat_plot, lines_plot
from inspector.render.png import SCALE
from inspector.render.registry import export, export_comparison, picture
from inspector.render.svg import inline_svg
from inspector.report.report import PerformanceReport, Throughput
from inspector.report.sweep import Axis, plan
from tests.reports import example_report
from tests.sweeps import SPEC, model, planned, round_of

LEVELS = ("none", "basic", "extended", "all")
LOADED = tuple(Throughput(n, 10**9, (10**7 * n,) * 50 * n) for n in (1, 2, 4))


def texts(drawing: Drawing) -> list[str]:
    return [shape.text for shape in worded(drawing).shapes if isinstance(shape, Label)]


def pixels(drawing: Drawing) -> "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]":
    return np.asarray(Image.open(BytesIO(picture(drawing, "png"))))


@pytest.mark.parametrize("name", PLOTS)
def test_every_plot_becomes_svg_and_a_picture_of_the_same_size(name):
    drawing = plot(example_report(throughput=LOADED), name)
    root = ElementTree.fromstring(picture(drawing, "svg"))
    image = pixels(drawing)
    assert image.shape[:2] == (round(drawing.height * SCALE), round(drawing.width * SCALE))
    assert float(root.get("width", "0")) == drawing.width
    assert (image < 200).any()


@pytest.mark.parametrize("name", PLOTS)
def test_all_shapes_lie_inside_their_drawing(name):
    drawing = plot(example_report(throughput=LOADED), name)
    for shape in drawing.shapes:
        if isinstance(shape, Box):
            assert -0.1 <= shape.x <= shape.x + shape.width <= drawing.width + 0.1
            assert -0.1 <= shape.y <= shape.y + shape.height <= drawing.height + 0.1
        elif isinstance(shape, Line):
            assert all(0 <= x <= drawing.width for x, _ in shape.points)
            assert all(0 <= y <= drawing.height for _, y in shape.points)
        else:
            assert 0 <= shape.x <= drawing.width
            assert 0 < shape.y <= drawing.height


def test_a_filled_box_has_its_color_where_it_is():
    drawing = Drawing("one", 20, 10, (Box(5, 2, 10, 4, "#FF0000"),))
    image = pixels(drawing)
    assert image[4 * SCALE, 10 * SCALE].tolist() == [255, 0, 0]
    assert image[8 * SCALE, 10 * SCALE].tolist() == [255, 255, 255]


def test_a_page_gets_roles_of_colors_and_a_file_gets_colors():
    drawing = plot(example_report(throughput=LOADED), "throughput")
    assert "var(--activity)" in inline_svg(drawing)
    assert b"var(" not in picture(drawing, "svg")


def test_latency_against_load_tells_each_number_at_once():
    told = texts(plot(example_report(throughput=LOADED), "throughput"))
    assert {"1", "2", "4", "concurrent runs"} <= set(told)
    assert "measure with --concurrency" in texts(plot(example_report(), "throughput"))[1]


def test_the_heat_map_has_a_cell_for_each_and_a_ring_for_the_best():
    sweep = planned()
    for number, cell in enumerate(sweep.cells):
        sweep = sweep.measured(cell.at, round_of(1e6 * (number + 1)))
    drawing = heat_plot(sweep)
    assert texts(drawing).count("outlined: fastest") == 1  # of several maps
    boxes = [shape for shape in worded(drawing).shapes if isinstance(shape, Box)]
    assert len(boxes) == len(sweep.cells)
    assert [bool(box.edge) for box in boxes] == [True] + [False] * (len(boxes) - 1)
    assert sum("s to " in text for text in texts(drawing)) == len(boxes)
    assert picture(drawing, "png").startswith(b"\x89PNG")


def test_lines_of_a_sweep_stand_over_a_grid_from_zero_with_their_spread():
    sweep = planned()
    for number, cell in enumerate(sweep.cells):
        sweep = sweep.measured(cell.at, round_of(2e12 * (number + 1)))
    told = texts(lines_plot(sweep))
    assert {"0", "5,000", "10,000", "default", "optimization none", "Threads"} <= set(told)
    assert "Median latency in s" in told
    lines = [s for s in lines_plot(sweep).shapes if isinstance(s, Line) and s.width == 1.8]
    assert [len(line.points) for line in lines] == [3, 3]


def test_names_at_points_lie_within_the_plot_and_beside_each_other():
    names = [f"network_{'very_' * 5}{number}.onnx" for number in range(4)]
    found = [Candidate(name, 1e6 + 1e4 * i, 1e6 + 2e4 * i) for i, name in enumerate(names)]
    drawing = choice_plot(found)
    told = [s for s in worded(drawing).shapes if isinstance(s, Label) and "network" in s.text]
    boxes = [(w.x, w.y, w.x + text_width(w.text, 10)) for w in told]
    assert all(left >= 64 and right <= drawing.width for left, _, right in boxes)
    for one, other in combinations(boxes, 2):
        assert abs(one[1] - other[1]) >= 12 or one[2] <= other[0] or other[2] <= one[0]


def test_a_sweep_of_many_settings_draws_some_and_says_how_many_are_left():
    five, both = (1, 2, 3, 4, 5), (True, False)
    axes = [Axis("threads", five), Axis("dim:n", five), Axis("optimization", LEVELS)]
    axes += [Axis(name, both) for name in ("spinning", "arena", "memory_pattern")]
    drawing = heat_plot(plan([model()], SPEC, axes))
    assert texts(drawing)[-1].startswith("and 8 more combinations of the other settings")


def test_cells_that_failed_say_so_and_a_sweep_of_nothing_is_drawn():
    sweep = planned()
    failed = sweep.failed(sweep.cells[0].at, "No such device.")
    assert "failed" in texts(heat_plot(failed))
    assert picture(heat_plot(sweep), "svg")


def test_a_comparison_draws_medians_and_what_changed_most():
    one = example_report()
    slower = replace(
        one,
        prediction_ns=tuple(2 * ns for ns in one.prediction_ns),
        layers=tuple(
            replace(layer, time_ns=layer.time_ns + 10**6) if layer.index == 13 else layer
            for layer in one.layers
            if layer.index != 13 or layer.time_ns is not None
        ),
    )
    found = compare([one, slower], ["before.json", "after.json"])
    drawn = ElementTree.fromstring(export_comparison(found, [one, slower], "svg"))
    told = [each.text or "" for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert any("2.00× slower" in text for text in told)
    assert told[told.index("Layers that changed most") + 2] == "head/conv +1"
    assert "+1.00 ms" in told


def test_a_picture_too_large_to_hold_is_refused():
    with pytest.raises(BadInput, match="pixels"):
        picture(Drawing("huge", 20_000, 20_000, ()), "png")


def test_an_unknown_plot_names_the_known_ones():
    with pytest.raises(BadInput) as failure:
        plot(example_report(), "pie")
    names = "summary, series, histogram, layers, timeline, phases, memory, throughput, roofline"
    assert failure.value.hint == f"Use {names}."


SVG = "{http://www.w3.org/2000/svg}"


def drawn(report: PerformanceReport) -> ElementTree.Element:
    return ElementTree.fromstring(export(report, "svg"))


def words(picture: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in picture.iter(f"{SVG}text")]


def test_series_histogram_and_longest_layers_are_drawn():
    picture = drawn(example_report())
    told = words(picture)
    titles = {"Runs, in order", "Distribution of all runs", "Slowest layers"}
    assert titles | {"line: median of all runs; dashed: p95 of all runs"} <= set(told)
    assert told.index("head/conv") < told.index("stem/conv")
    assert len(list(picture.iter(f"{SVG}polyline"))) > 3
    assert len(list(picture.iter(f"{SVG}rect"))) >= 1 + BINS + 12


def test_only_a_histogram_of_far_values_says_where_they_are():
    near = tuple(range(1_000_000, 1_000_040))
    for samples, far in ((near, False), ((*near, 9_000_000), True)):
        told = words(drawn(example_report(prediction_ns=samples)))
        assert any("includes all slower runs" in text for text in told) == far


def test_times_of_short_layers_are_in_microseconds():
    report = example_report()
    layers = tuple(replace(layer, time_ns=4_000) for layer in report.layers if layer.time_ns)
    assert any(
        text.startswith("4.00 µs · ") for text in words(drawn(replace(report, layers=layers)))
    )


def test_all_of_it_lies_inside_the_picture():
    picture = drawn(example_report())
    tall = float(picture.get("height", "0"))
    assert all(0 < float(text.get("y", "-1")) < tall for text in picture.iter(f"{SVG}text"))


def test_nothing_measured_and_hostile_names_still_make_a_picture():
    report = example_report(prediction_ns=())
    first = replace(report.layers[0], name='<script>"&\x00\udce9')
    picture = drawn(replace(report, layers=(first,)))
    assert '<script>"&\\u0000\\udce9' in words(picture)
    assert drawn(replace(report, layers=())).tag == f"{SVG}svg"
