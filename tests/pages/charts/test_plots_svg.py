from dataclasses import replace
from xml.etree import ElementTree

from inspector.pages.charts.histograms import BINS
from inspector.render.registry import export
from inspector.report.report import PerformanceReport
from tests.reports import example_report

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
