import msgspec
import pytest

from inspector.export.tables.report_json import report_json
from inspector.report.report import from_json, to_json
from tests.reports import example_report


def test_what_follows_stands_beside_the_report_and_is_ignored_when_read() -> None:
    report = example_report()
    body = report_json(report)
    derived = msgspec.json.decode(body)["derived"]
    assert derived["prediction"]["n"] == 30
    assert derived["prediction"]["p50_ns"] == pytest.approx(report.median_ns, abs=1)
    assert derived["fits_frames_per_second"]["60"] == 1
    assert [one["rule"] for one in derived["advice"]][:1] == ["dominant-operator"]
    assert to_json(from_json(body, "r.json")) == to_json(report)


def test_a_report_without_predictions_derives_nothing() -> None:
    derived = msgspec.json.decode(report_json(example_report(prediction_ns=())))["derived"]
    assert derived["prediction"] is None
    assert derived["sentences"] == []
