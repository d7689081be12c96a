import msgspec
import pytest

from inspector.render.tables.report_json import report_json
from inspector.report.report import from_json, to_json
from tests.reports import FULL, SLOW, example_report, half_slow


def test_what_follows_stands_beside_the_report_and_is_ignored_when_read():
    report = example_report()
    body = report_json(report)
    derived = msgspec.json.decode(body)["derived"]
    assert derived["prediction"]["n"] == 30
    assert derived["prediction"]["p50_ns"] == pytest.approx(report.median_ns, abs=1)
    assert derived["prediction_of"] == "all_predictions"
    assert derived["fits_frames_per_second"]["60"] == 1
    assert [one["rule"] for one in derived["advice"]][:1] == ["dominant-operator"]
    assert to_json(from_json(body, "r.json")) == to_json(report)


def test_a_report_without_predictions_derives_nothing():
    derived = msgspec.json.decode(report_json(example_report(prediction_ns=())))["derived"]
    assert derived["prediction"] is None
    assert derived["sentences"] == []


def test_derived_names_the_kind_of_each_latency_and_frame_rates_count_all_runs():
    report = half_slow()
    derived = msgspec.json.decode(report_json(report))["derived"]
    assert derived["prediction_of"] == "at_full_cpu_speed"
    assert (derived["prediction"]["p50_ns"], derived["prediction"]["p95_ns"]) == (FULL, FULL)
    both = derived["latency"]
    assert both["headline"] == "at_full_cpu_speed"
    assert both["at_full_cpu_speed"]["p95_ns"] == FULL
    assert both["all_predictions"]["p95_ns"] == SLOW
    assert derived["predictions_per_second_of"] == "all_predictions"
    assert derived["predictions_per_second"] == both["all_predictions"]["per_second"]
    assert derived["fits_frames_per_second_of"] == "all_predictions"
    all_frames = both["all_predictions"]["fits_frames_per_second"]
    assert derived["fits_frames_per_second"] == all_frames
