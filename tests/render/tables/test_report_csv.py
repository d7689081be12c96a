import csv
import io

from inspector.comparison.comparison import compare
from inspector.render.tables.report_csv import comparison_csv, operators_csv, samples_csv
from inspector.report.report import Throughput
from tests.reports import example_report


def table(body: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(body.decode(), newline="")))


def test_every_sample_is_a_row_in_its_order():
    report = example_report(loads_ns=(9, 8), warmup_ns=(7,))
    rows = table(samples_csv(report))
    taken = [int(row["wall_ns"]) for row in rows if row["what"] == "prediction"]
    assert tuple(taken) == report.prediction_ns
    assert [row["wall_ns"] for row in rows if row["what"] == "load"] == ["9", "8"]
    assert [row["wall_ns"] for row in rows if row["what"] == "warm-up"] == ["7"]
    assert rows[3]["cpu_ns"] == "" or rows[3]["what"] != "prediction"


def test_operator_types_have_their_sum_share_and_support():
    report = example_report()
    rows = {row["operator"]: row for row in table(operators_csv(report))}
    convs = [layer for layer in report.layers if layer.operator == "Conv"]
    conv, clip = rows["Conv"], rows["Clip"]
    assert conv["layers"] == str(len(convs))
    assert conv["time_ns"] == str(sum(layer.time_ns or 0 for layer in convs))
    assert float(conv["share"]) == round(int(conv["time_ns"]) / report.kernel_ns, 6)
    assert (clip["time_ns"], clip["timed_layers"]) == ("", "0")
    assert rows["TopK"]["supported on webgpu:0"] == "0"


def test_samples_under_load_say_how_many_ran_at_once():
    report = example_report(throughput=(Throughput(4, 100, (11, 12)),))
    rows = [row for row in table(samples_csv(report)) if row["what"] == "under load"]
    assert [(row["at_once"], row["wall_ns"]) for row in rows] == [("4", "11"), ("4", "12")]


def test_a_comparison_has_metrics_and_layers_with_their_ratio():
    one = example_report()
    other = example_report(load_ns=2 * one.load_ns)
    rows = table(comparison_csv(compare([one, other], ["a", "b"])))
    load = next(row for row in rows if row["name"] == "load")
    assert (load["a"], load["b ratio"]) == (str(one.load_ns), "2.0000")
    layers = [row for row in rows if row["kind"] == "layer"]
    assert len(layers) == len(one.layers)
    assert {row["a ran_on"] for row in layers} == {"cpu", "webgpu:0", ""}


def test_names_of_reports_are_no_formulas_either():
    reports = [example_report(), example_report()]
    head = comparison_csv(compare(reports, ["=cmd.json", "@b"])).decode().splitlines()[0]
    assert ",'=cmd.json,'@b," in head
    assert ",=" not in head
