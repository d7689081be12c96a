"""What the page of a measurement has: its sections, and the values in them."""

from dataclasses import replace
from statistics import median
from typing import Any

from inspector.analysis.advice.rules import advice
from inspector.analysis.measured.layer_sum import most_important
from inspector.pages.blocks import Chart, Fact, Facts, Items, Page, Rank, Section, Table
from inspector.pages.report.page import report_page
from inspector.report.environment import SystemLoad
from inspector.report.report import LoadPhase
from inspector.wording.support_marks import Status
from inspector.wording.values import Count, Duration, Share, Size, Tone, Value
from tests.page_text import report_text
from tests.reports import example_report, predicted_report


def page_of(**changes: Any) -> Page:
    return report_page(example_report(**changes))


def section(page: Page, id_: str) -> Section:
    return next(each for each in page.sections if each.id == id_)


def facts(page: Page) -> dict[Value, Fact]:
    blocks = section(page, "summary").blocks
    return {f.label: f for block in blocks if isinstance(block, Facts) for f in block.facts}


def table(page: Page, id_: str) -> Table:
    return next(block for block in section(page, id_).blocks if isinstance(block, Table))


def column(shown: Table, key: str) -> list[Value]:
    place = [each.key for each in shown.columns].index(key)
    return [row.cells[place] for row in shown.rows]


def test_the_numbers_on_top_are_those_of_the_report():
    report = example_report()
    shown = facts(report_page(report))
    latency = shown["Latency"].value
    assert isinstance(latency, Duration)
    assert round(latency.ns) == round(median(report.prediction_ns))
    assert shown["Load"].value == Duration(report.load_ns)
    assert shown["Peak model memory"].value == Size(report.memory.model_bytes)
    assert shown["Devices"].value.values["ran"] == Count(15)


def test_every_layer_has_a_row_with_its_time_and_share_the_slowest_first():
    report = example_report()
    shown = table(report_page(report), "layers")
    by_index = {layer.index: layer for layer in report.layers}
    indices = [value.number for value in column(shown, "index") if isinstance(value, Count)]
    assert sorted(indices) == sorted(by_index)
    assert indices[:8] == [layer.index for layer in most_important(report, 8)]
    for index, time, share in zip(
        indices, column(shown, "time"), column(shown, "share"), strict=True
    ):
        layer = by_index[index]
        if layer.time_ns is not None:
            assert time == Duration(layer.time_ns, report.profiling.clock_ns)
            assert share == Share(layer.time_ns, report.kernel_ns)


def test_a_terminal_shows_six_lines_on_top_and_details_where_they_are_asked_for():
    report = example_report()
    head = report_text(report, Rank.TERMINAL).split("\n\n")[1]
    assert 5 <= len(head.splitlines()) <= 7
    assert "RSS" not in report_text(report, Rank.TERMINAL)
    assert "RSS" in report_text(report)


def test_noise_is_said_once_and_only_where_there_is_any():
    noisy = page_of(surroundings=SystemLoad(others=0.4))
    assert facts(noisy)["Quotable"].tone is facts(noisy)["Latency"].tone is Tone.CAUTION
    assert "noisy" in str(facts(noisy)["Latency"].note)
    text = report_text(example_report(surroundings=SystemLoad(others=0.4, stolen=0.25)))
    assert text.count("other programs used 40% of the CPU") == 1
    assert text.count("The host took 25%") == 1
    assert facts(page_of())["Quotable"].tone is Tone.PLAIN
    assert "Noisy" not in report_text(example_report())


def test_phases_later_loads_and_memory_after_closing_are_told():
    phases = (
        LoadPhase("read", 1_000_000),
        LoadPhase("optimise", 9_000_000),
        LoadPhase("Fusion", 8_000_000, "optimise"),
    )
    memory = replace(example_report().memory, closed_bytes=100 << 20, trimmed_bytes=64 << 20)
    page = page_of(
        load_phases=phases, loads_ns=(30_000_000, 12_000_000, 14_000_000), memory=memory
    )
    charts = [b for b in section(page, "phases").blocks if isinstance(b, Chart)]
    times, held = (b.table for b in charts)
    assert times is not None
    assert held is not None
    assert Duration(9_000_000) in column(times, "time")
    assert {Size(100 << 20), Size(64 << 20)} <= {*column(held, "rss")}


def test_parts_are_told_where_several_devices_ran():
    report = example_report()
    assert section(report_page(report), "partitions").blocks
    alone = tuple(replace(layer, ran_on="cpu", into=None) for layer in report.layers)
    assert not section(page_of(layers=alone), "partitions")


def test_suggestions_point_at_their_layers():
    report = example_report()
    (items,) = (b for b in section(report_page(report), "suggestions").blocks)
    assert isinstance(items, Items)
    assert len(items.items) == len(advice(report)) > 0
    text = report_text(report)
    assert "Layers 13, 0, 4, 2, 11, 6." in text


def test_dynamic_axes_in_the_way_have_a_hint_that_can_be_pasted():
    text = report_text(predicted_report())
    assert "1 layer cannot be supported while axes are dynamic: set --dim NAME=N." in text


def test_nothing_measured_is_no_failure():
    report = example_report()
    idle = tuple(
        replace(layer, time_ns=None, ran_on=None, status=Status.NOT_REACHED)
        for layer in report.layers
    )
    bare = replace(report, layers=idle, inserted=(), kernel_ns=0, prediction_ns=())
    assert facts(report_page(bare))["Latency"].value == "not measured"
    assert "not reached" in report_text(bare)
