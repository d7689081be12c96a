"""Every place gives both kinds of latency by name: at full CPU speed, of all runs."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from inspector.analysis.measured.latency import as_json, latency, texts
from inspector.analysis.measured.sample_statistics import TOO_FEW, statistics
from inspector.comparison.ci_conditions import Outcome, judged, parse
from inspector.comparison.comparison import compare
from inspector.comparison.layer_changes import Change
from inspector.pages.comparison import metric_table
from inspector.render.registry import export
from inspector.render.tables.junit import junit
from inspector.render.tables.report_csv import comparison_csv, samples_csv
from inspector.report.report import LayerUse, PerformanceReport, save
from inspector.statistics.significance import (
    EQUIVALENCE_MARGIN,
    RatioVerdict,
    Verdict,
    compare_samples,
)
from inspector.trace.trace_file import without_spans
from inspector.wording.support_marks import Status
from tests.command_line import json_of, output_of
from tests.engine import small_models
from tests.page_text import report_text
from tests.pdf_text import pdf_text
from tests.reports import CPU, FULL, SLOW, example_report, half_slow

pytestmark = pytest.mark.simulation


def test_both_kinds_come_from_one_function():
    found = latency(half_slow())
    assert (found.at_full_cpu_speed.p95_ns, found.all_predictions.p95_ns) == (FULL, SLOW)
    assert found.headline_label == "median at full CPU speed"
    assert (found.at_full_cpu_speed.n, found.all_predictions.n) == (190, 410)


def test_where_the_speed_is_not_known_the_headline_is_of_all_predictions():
    found = latency(example_report())
    assert found.at_full_cpu_speed is None
    assert found.headline_label == "median of all runs"
    body = as_json(example_report())
    assert (body["headline"], body["at_full_cpu_speed"]) == ("all_predictions", None)
    assert as_json(example_report(prediction_ns=())) is None


@pytest.mark.engine
def test_measure_json_has_the_summary_of_the_text_as_stable_fields(tmp_path):
    model = small_models.linear(tmp_path / "linear.onnx")
    body = json_of("measure", model, "--runs", "20", "--no-layers")
    found = body["derived"]["latency"]
    every = found["all_predictions"]
    assert every["n"] == 20
    assert every["p50_ns"] == pytest.approx(np.quantile(body["prediction_ns"], 0.5))
    assert every["p95_ns"] == pytest.approx(np.quantile(body["prediction_ns"], 0.95))
    assert {"p90_ns", "p99_ns", "max_ns", "median_low_ns", "per_second"} <= set(every)
    assert found["headline"] in ("at_full_cpu_speed", "all_predictions")
    assert (found["at_full_cpu_speed"] is None) == (found["headline"] == "all_predictions")


@pytest.mark.parametrize("form", ["html", "md", "pdf", "netron"])
def test_exports_give_both_kinds_by_name(form):
    body = export(half_slow(), form)
    if form == "pdf":
        assert len(body) > len(export(example_report(prediction_ns=()), form))
        return
    text = body.decode()
    assert form == "netron" or "median of 190 runs at full CPU speed" in text
    assert "p95 of all runs" in text


@pytest.mark.parametrize(
    ("runs", "p95", "p99"), [(19, False, False), (99, True, False), (100, True, True)]
)
def test_percentiles_need_enough_runs_in_text_exports_and_comparisons(runs, p95, p99):
    report = example_report(prediction_ns=tuple(range(1000, 1000 + runs)), prediction_cpu_ns=())
    text = report_text(report)
    rows = [line.split() for line in text.splitlines()]
    few = {row[0] for row in rows if row[-3:] == ["too", "few", "runs"]}
    assert ("p95" not in few, "p99" not in few) == (p95, p99)
    numbers = statistics(report.prediction_ns)
    assert numbers is not None
    shown = dict(texts(numbers))
    assert (shown["p95"] != TOO_FEW, shown["p99"] != TOO_FEW) == (p95, p99)
    for form in ("html", "md", "netron"):
        assert ("p95 of all runs" in export(report, form).decode()) == p95, form
    values = {m.title: m.values for m in compare([report, report]).metrics}
    tails = values["latency, p95 of all runs"], values["latency, p99 of all runs"]
    assert (tails[0] != (None, None), tails[1] != (None, None)) == (p95, p99)
    assert values["latency, median of all runs"] != (None, None)
    assert as_json(report)["all_predictions"]["p99_ns"] > 0, "fields for scripts stay"


def test_the_text_and_the_samples_give_both_kinds():
    text = report_text(half_slow())
    assert "1.00 ms  median of 190 runs at full CPU speed" in text
    rows = [line.split() for line in text.splitlines()]
    assert ["Median", "1.00", "ms", "1.60", "ms"] in [row[:5] for row in rows]
    samples = samples_csv(half_slow()).decode().splitlines()
    assert samples[0].endswith("full_cpu_speed")
    fast = [line.rsplit(",", 1)[1] for line in samples if line.startswith("prediction,")]
    assert (fast.count("1"), fast.count("0")) == (190, 220)


def test_comparisons_and_junit_give_both_kinds():
    found = compare([half_slow(), half_slow()])
    titles = {metric.title: metric for metric in found.metrics}
    assert titles["latency, p95 at full CPU speed"].values == (FULL, FULL)
    tail = titles["latency, p95 of all runs"]
    assert tail.values == (SLOW, SLOW)
    assert not tail.judgements, "it tells about the rest of the machine as well"
    assert {m.name for m in found.metrics} >= {"prediction, p95", "all predictions, p95"}
    assert b'"all predictions, p95"' in comparison_csv(found)
    suite = ElementTree.fromstring(junit((), compared=found))
    names = {each.get("name"): each.get("value") for each in suite.iter("property")}
    assert names["A: latency, p95 of all runs (ns)"] == str(SLOW)
    assert names["B: latency, p95 at full CPU speed (ns)"] == str(FULL)


def test_numbers_of_different_runs_have_no_change():
    """At full CPU speed of one report, of all runs of the other, whose speed nobody knows."""
    found = compare([half_slow(), example_report()])
    rows = {each.name: each for each in found.metrics}
    assert rows["prediction, mean"].mixed
    assert not rows["all predictions, p50"].mixed
    titles = [each.title for each in found.shown_metrics]
    cells = metric_table(found, "AB").rows[titles.index(rows["prediction, mean"].title)].cells
    assert cells[3:5] == ("", "")


def test_conditions_can_ask_for_either_kind():
    pair = (half_slow(), half_slow())
    texts = ("prediction.p95>1.3ms", "prediction.all.p95>1.3ms", "prediction.all.max>1.5ms")
    findings = judged([parse(text) for text in texts], pair, compare(pair))
    outcomes = [finding.outcome for finding in findings]
    assert outcomes == [Outcome.FAILS, Outcome.HOLDS, Outcome.HOLDS]


def test_one_name_stands_for_one_amount_of_memory():
    report = example_report()
    text = report_text(report)
    whole = "process peak 155 MiB"
    assert f"94.2 MiB  {whole}, weights 11.1 MiB" in text
    for kind in ("html", "md", "pdf", "netron"):
        shown = pdf_text(report) if kind == "pdf" else export(report, kind).decode()
        assert "peak model memory" in shown.casefold(), kind
        assert whole in shown or kind == "netron", kind
        assert "Peak memory" not in shown, kind
    labels = [change.label for change in compare((report, report)).metrics]
    assert "peak model memory" in labels


def test_no_difference_is_said_only_of_a_narrow_interval():
    noise = np.random.default_rng(1).lognormal(0, 0.9, (2, 12))
    wide = compare_samples(*(list(map(int, 1e6 * row)) for row in noise))
    assert wide.low <= 1 <= (wide.high or 0)
    assert wide.verdict is Verdict.NOISY
    narrow = compare_samples(
        [1_000_000 + n for n in range(200)], [1_000_000 + n for n in range(200)]
    )
    assert narrow.verdict is Verdict.SAME
    assert narrow.high <= 1 + EQUIVALENCE_MARGIN


def test_no_number_is_told_without_its_interval():
    assert RatioVerdict(Verdict.SLOWER, 93.3, None, None).text() == "slower"
    assert RatioVerdict(Verdict.FASTER, 0.25, None, None).text(" than A") == "faster than A"


def test_an_interval_is_in_the_unit_of_its_ratio():
    texts = [
        RatioVerdict(Verdict.SLOWER, 2.28, 2.063, 2.521).text(),
        RatioVerdict(Verdict.FASTER, 0.25, 0.2, 0.4).text(" than A"),
        RatioVerdict(Verdict.SLOWER, 1.05, 1.04, 1.06).text(),
    ]
    assert texts == [
        "2.28× slower (95% CI 2.06× to 2.52×)",
        "4.00× faster than A (95% CI 2.50× to 5.00×)",
        "5.0% slower (95% CI 4.0% to 6.0%)",
    ]


def network(name: str, shape: str, *operators: str) -> PerformanceReport:
    layers = tuple(
        LayerUse(
            at, f"{kind} {at}", kind, Status.EXECUTED, CPU, 970_000 * (1 + 19 * (name == "b")),
            output=f"float32 {shape}×{at}",
        )
        for at, kind in enumerate(operators)
    )  # fmt: skip
    report = example_report()
    model = replace(
        report.model, name=name, sha256=name * 32, parameters=1000 + len(name + shape)
    )
    trace = without_spans(report.trace)  # spans of other layers
    return replace(report, model=model, layers=layers, inserted=(), trace=trace)


def test_a_network_with_another_end_is_the_same_network():
    one = network("a", "1×64", "Conv", "Relu", "Conv", "Relu", "MaxPool", "Conv")
    other = network("b", "1×64", "Conv", "Relu", "Conv", "Relu", "Softmax", "Gemm")
    other = replace(other, model=replace(other.model, parameters=90_000))
    assert not any(compare([one, other]).different_networks)


def test_different_networks_are_said_in_one_sentence_and_no_layers_compared(tmp_path):
    one = network("a", "1×64", "Conv", "Relu", "Conv", "Relu", "MaxPool", "Conv")
    other = network("b", "1×3×512×512", "Conv", "Relu", "Conv", "Conv", "Relu", "Softmax")
    other = replace(other, model=replace(other.model, parameters=90_000))
    found = compare([one, other])
    assert found.different_networks[1].startswith("A and B are different networks: only")
    assert found.warnings[0] == found.different_networks[1]
    assert all(None in layer.cells for layer in found.layers)
    assert {block.changes[1] for block in found.blocks} == {Change.NONE}
    for name, report in (("a", one), ("b", other)):
        save(report, tmp_path / f"{name}.json")
    paths = [str(tmp_path / f"{name}.json") for name in ("a", "b")]
    text = output_of("compare", *paths)
    assert text.count("different networks") == 1
    assert "New in B" not in text
    body = json_of("compare", *paths)
    assert body["different_networks"][0] == ""
    assert "only 0% of their layers match" in body["different_networks"][1]


def test_another_input_size_of_one_network_is_no_different_network():
    one = network("a", "1×64", "Conv", "Relu", "Conv", "Relu")
    other = network("b", "1×32", "Conv", "Relu", "Conv", "Relu")
    other = replace(other, model=replace(other.model, parameters=one.model.parameters))
    assert compare([one, other]).different_networks == ("", "")
