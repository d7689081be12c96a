import csv
import io
from dataclasses import replace

import pytest

from inspector.render.registry import export
from inspector.report.layer_timing import TimeSpread
from inspector.report.report import InsertedNode, LayerUse, ProviderProfile
from inspector.wording.support_marks import Status
from tests.page_text import report_text
from tests.reports import example_report, predicted_report


def table(body: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(body.decode("utf-8"), newline="")))


def one(name: str, operator: str = "Conv") -> bytes:
    layer = LayerUse(0, name, operator, Status.EXECUTED, None, None)
    return export(example_report(layers=(layer,)), "csv")


def test_there_is_one_row_a_layer_with_its_numbers():
    report = example_report()
    rows = table(export(report, "csv"))
    assert [row["index"] for row in rows] == [str(layer.index) for layer in report.layers]
    conv = rows[0]
    assert (conv["name"], conv["operator"], conv["ran_on"]) == ("stem/conv", "Conv", "webgpu:0")
    assert int(conv["time_ns"]) == report.layers[0].time_ns
    assert conv["output"] == "float32 1×32×112×112"


def test_shares_of_layers_and_inserted_nodes_make_a_whole():
    report = example_report()
    shares = sum(float(row["share"] or 0) for row in table(export(report, "csv")))
    inserted = sum(node.time_ns for node in report.inserted) / report.kernel_ns
    assert shares + inserted == pytest.approx(1, abs=1e-4)


def test_conversions_are_told_at_the_layer_whose_values_they_convert():
    report = example_report(inserted=())
    assert "conversion_ns" not in table(export(report, "csv"))[0]
    at = report.layers[0].index
    nodes = [
        InsertedNode("a", "Reorder", "layout", "cpu", 700, after=at, before=at + 1),
        InsertedNode("b", "Reorder", "layout", "cpu", 30, before=at),
        InsertedNode("c", "Convert", "cast", "cpu", 5, after=at + 1),
        InsertedNode("d", "Memcpy", "copy", "cpu", 900, after=at),
        InsertedNode("e", "Reorder", "layout", "cpu", 9),
    ]
    report = replace(report, inserted=tuple(nodes))
    rows = table(export(report, "csv"))
    assert [row["conversion_ns"] for row in rows[:2]] == ["730", "5"]
    text = report_text(report)
    assert "longest at" not in text, "it is little of the kernel time"
    much = replace(nodes[0], time_ns=report.kernel_ns)
    text = report_text(replace(report, inserted=(much, *nodes[1:])))
    assert f"longest at {report.layers[0].name} " in text
    text = report_text(replace(report, inserted=(much,)))
    assert f"longest at {report.layers[0].name} " in text, "a single one is named, too"


def test_a_layer_without_own_time_has_an_empty_cell_and_where_it_went():
    fused = table(export(example_report(), "csv"))[1]
    assert (fused["status"], fused["into"], fused["time_ns"], fused["share"]) == (
        "fused", "0", "", "",
    )  # fmt: skip


def test_each_device_has_a_mark_a_source_and_a_reason():
    gate = table(export(example_report(), "csv"))[9]
    assert gate["webgpu:0"] == "unsupported"
    assert gate["webgpu:0 source"] == "probed"
    assert gate["webgpu:0 reason"] == "no kernel for HardSigmoid"
    assert gate["cpu"] == "ran"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝"])
def test_no_text_becomes_a_formula(start):
    row = table(one(f"{start}cmd|' /C calc'!A0", f"{start}1"))[0]
    assert row["name"] == f"'{start}cmd|' /C calc'!A0"
    assert row["operator"] == f"'{start}1"


def test_characters_that_end_a_file_or_turn_a_line_around_become_visible():
    row = table(one("a\0b\x1b[2J\u202ec", "Relu"))[0]
    assert row["name"] == r"a\u0000b\u001b[2J\u202ec"


def test_separators_quotes_and_line_breaks_stay_inside_their_cell():
    name = 'a,"b"\r\nc;d'
    assert table(one(name))[0]["name"] == name


def test_lines_end_as_the_standard_says():
    body = export(example_report(), "csv")
    assert body.count(b"\r\n") == body.count(b"\n") == len(example_report().layers) + 1


def test_islands_and_copies_between_devices_have_columns():
    rows = table(export(example_report(), "csv"))
    gate, merged = rows[9], rows[1]
    assert (gate["island"], gate["copies"], gate["copied_bytes"]) == ("1", "2", "256")
    assert (merged["island"], merged["copies"], merged["copied_bytes"]) == ("0", "0", "0")


def test_predicted_devices_have_columns_of_their_own():
    report = predicted_report()
    row = table(export(report, "csv"))[0]
    assert (row["cuda"], row["cuda source"]) == ("supported", "table")


def test_what_is_counted_inside_a_compiled_part_has_columns():
    inside = ProviderProfile(300, 1000, "cycles", "QNN profiler")
    layers = (
        LayerUse(0, "a", "Conv", Status.COMPILED, "cpu", 5, inside=inside),
        LayerUse(1, "b", "Relu", Status.COMPILED, None, None, into=0),
    )
    head, first, second = csv.reader(
        io.StringIO(export(example_report(layers=layers), "csv").decode())
    )
    assert head[-6:-3] == ["inside", "inside_whole", "inside_unit"]
    assert (first[-6:-3], second[-6:-3]) == (["300", "1000", "cycles"], [""] * 3)


def test_the_spread_of_each_time_has_columns_where_it_is_known():
    report = example_report()
    first, *rest = report.layers
    noisy = TimeSpread(90_000, 900_000, 100_000, 120_000, 20, 5)
    measured = replace(report, layers=(replace(first, spread=noisy), *rest))
    rows = table(export(measured, "csv"))
    names = ("min_ns", "max_ns", "median_low_ns", "median_high_ns", "noisy")
    assert [rows[0][name] for name in names] == ["90000", "900000", "100000", "120000", "1"]
    assert [rows[2][name] for name in names] == [""] * 5
    calm = replace(first, spread=TimeSpread(90_000, 900_000, None, None, 4, 0))
    rows = table(export(replace(report, layers=(calm, *rest)), "csv"))
    assert [rows[0][name] for name in names] == ["90000", "900000", "", "", "0"]
    assert not set(names) & set(table(export(report, "csv"))[0])


def test_memory_in_use_has_a_column_where_it_is_known():
    report = example_report()
    first, *rest = report.layers
    measured = replace(report, layers=(replace(first, arena_bytes=4096), *rest))
    rows = table(export(measured, "csv"))
    assert list(rows[0])[-2] == "arena_bytes"
    assert [row["arena_bytes"] for row in rows[:2]] == ["4096", ""]
