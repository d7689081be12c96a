from dataclasses import replace
from typing import Any

import msgspec
import pytest

from inspector.render.registry import export
from inspector.report.report import PerformanceReport
from tests.reports import example_report


def written(report: PerformanceReport, form: str) -> dict[str, Any]:
    return msgspec.json.decode(export(report, form))


def test_netron_finds_each_time_under_the_name_of_its_node():
    report = example_report()
    body = written(report, "netron")
    assert body["signature"] == "netron:attachment"
    time_ns = report.layers[13].time_ns
    assert {
        "kind": "node", "target": "head/conv", "name": "time (ms)", "value": time_ns / 1e6,
    } in body["metrics"]  # fmt: skip
    fused = [item for item in body["metadata"] if item["target"] == "stem/clip"]
    assert {item["name"]: item["value"] for item in fused} == {
        "status": "fused", "time is in": "stem/conv",
    }  # fmt: skip


def test_what_netron_would_drop_or_confuse_is_not_written():
    report = example_report()
    first, second, *rest = report.layers
    layers = (replace(first, name="twice"), replace(second, name="twice"), *rest)
    layers = (*layers[:2], replace(layers[2], name="two\nlines"), *layers[3:])
    for items in (
        written(replace(report, layers=layers), "netron")[k] for k in ("metrics", "metadata")
    ):
        assert {item["target"] == "" for item in items if item["kind"] == "model"} == {True}
        targets = [item["target"] for item in items if item["kind"] == "node"]
        assert not {"", "twice", "two\nlines"} & set(targets)
        keys = [(item["kind"], item["target"], item["name"]) for item in items]
        assert len(keys) == len(set(keys))


def test_model_explorer_gets_a_number_a_node_and_colors():
    report = example_report()
    body = written(report, "model-explorer")
    timed = [layer for layer in report.layers if layer.time_ns is not None]
    assert len(body["results"]) == len(timed)
    found = pytest.approx((report.layers[13].time_ns or 0) / 1000)
    assert body["results"]["head/conv"]["value"] == found
    assert [item["stop"] for item in body["gradient"]] == [0, 0.5, 1]
