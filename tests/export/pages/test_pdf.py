import re
import zlib
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from inspector.export.charts.paper import Column, Paper
from inspector.export.pages import pdf
from inspector.export.registry import export
from inspector.report.layer_timing import Profiling, TimeSpread
from inspector.report.report import LayerUse, PerformanceReport
from inspector.report.support_marks import Status
from tests.pdf_text import pdf_text
from tests.reports import CPU, example_report, half_slow, predicted_report


def streams(body: bytes) -> list[bytes]:
    found = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", body, re.DOTALL)
    return [zlib.decompress(one) for one in found if one[:1] == b"\x78"]


def sheets(report: PerformanceReport) -> int:
    return len(re.findall(rb"/Type /Page\b(?!s)", export(report, "pdf")))


def test_it_is_text_and_vectors_with_its_fonts_inside() -> None:
    body = export(example_report(), "pdf")
    assert body.startswith(b"%PDF-")
    assert b"/FontFile2" in body
    assert b"/Subtype /Image" not in body
    assert len(body) < 120_000
    drawn = b"".join(streams(body))
    assert len(re.findall(rb"\bre\b", drawn)) > 20
    assert b" Tj" in drawn or b" TJ" in drawn


def test_the_same_report_gives_the_same_file() -> None:
    assert export(example_report(), "pdf") == export(example_report(), "pdf")


def test_marks_are_drawn_as_shapes() -> None:
    with_marks = b"".join(streams(export(example_report(), "pdf")))
    bare = replace(example_report(), layers=())
    without = b"".join(streams(export(bare, "pdf")))
    lines = [len(re.findall(rb" l\b", one)) for one in (with_marks, without)]
    assert lines[0] > lines[1] + 500


def test_layers_go_over_several_sheets_and_their_number_is_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def many(count: int) -> PerformanceReport:
        layers = (
            LayerUse(i, f"l{i}", "Conv", Status.EXECUTED, CPU, 1000 + i) for i in range(count)
        )
        return example_report(layers=tuple(layers))

    few, most = sheets(many(40)), sheets(many(200))
    assert most >= few + 2
    monkeypatch.setattr(pdf, "MOST_ROWS", 200)
    assert sheets(many(3000)) == most


def test_the_numbers_at_the_top_stand_in_cards_beside_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cards, texts = list[tuple[float, ...]](), list[tuple[float, float, str]]()
    box, write = Paper.rect, Paper.draw_text

    def noted_box(paper: Paper, *place: float, **more: Any) -> None:
        if paper.page == 1 and place[3] == 52:
            cards.append(place)
        box(paper, *place, **more)

    def noted(paper: Paper, x: float, y: float, text: str, *rest: float, **more: str) -> float:
        if paper.page == 1:
            texts.append((x, y, text))
        return write(paper, x, y, text, *rest, **more)

    monkeypatch.setattr(Paper, "rect", noted_box)
    monkeypatch.setattr(Paper, "draw_text", noted)
    export(example_report(), "pdf")
    assert len(cards) == 5
    for x, y, width, height in cards:
        inside = [t for t in texts if x <= t[0] < x + width and y < t[1] <= y + height]
        assert len(inside) == 3  # title, value and note below each other
        assert len({left for left, _, _ in inside}) == 1
    assert all(one[0] + one[2] < next_[0] for one, next_ in pairwise(cards))
    assert len({(y, width, height) for _, y, width, height in cards}) == 1


def test_no_label_of_the_latencies_is_cut_and_commands_have_quotation_marks() -> None:
    text = pdf_text(half_slow())
    lines = text.splitlines()
    assert "median at full CPU speed" in lines
    assert "95% CI of the" in lines
    assert not [line for line in lines if line.startswith("…")]
    assert "`inspector" not in text
    assert '"inspector measure' in text


@pytest.mark.parametrize("created", ["2026-03-14T09:26:53", "yesterday", ""])
def test_a_date_without_zone_or_form_is_no_trouble(created: str) -> None:
    assert export(example_report(created=created), "pdf").startswith(b"%PDF-")


def test_predicted_devices_and_letters_of_other_scripts_are_written() -> None:
    report = predicted_report()
    odd = replace(report.layers[0], name="卷积\u202e/" + "n" * 5000)
    assert export(replace(report, layers=(odd, *report.layers[1:])), "pdf")


def table_rows(
    report: PerformanceReport, monkeypatch: pytest.MonkeyPatch
) -> list[dict[str, str]]:
    """Rows of the table of layers, by the titles of its columns."""
    rows = list[dict[str, str]]()
    draw = Paper.table_row

    def noted(paper: Paper, columns: tuple[Column, ...], texts: tuple[str, ...]) -> None:
        rows.append(dict(zip((column.head for column in columns), texts, strict=True)))
        draw(paper, columns, texts)

    monkeypatch.setattr(Paper, "table_row", noted)
    export(report, "pdf")
    return [row for row in rows if "Operator" in row and "#" in row]


def test_layers_have_the_range_of_their_times_where_it_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    report = example_report()
    spread = TimeSpread(90_000, 400_000, 100_000, 120_000, 20, 0)
    known = tuple(replace(x, spread=spread if x.time_ns else None) for x in report.layers)
    measured = replace(report, layers=known, profiling=Profiling(20, tuple(range(20)), True))
    rows = table_rows(measured, monkeypatch)
    assert rows[0]["Min to max"] == "90.0 µs to 400 µs"
    assert rows[1]["Min to max"] == ""  # fused: it has no time of its own
    monkeypatch.undo()
    assert "Min to max" not in table_rows(report, monkeypatch)[0]


def test_long_names_keep_the_part_that_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    report = example_report()
    scope = "/".join(["encoder_of_a_network_with_long_names"] * 4)
    layers = tuple(replace(x, name=f"{scope}/block_{x.index}/conv") for x in report.layers)
    rows = table_rows(replace(report, layers=layers), monkeypatch)
    assert all(row["Layer"].endswith("/conv") for row in rows)
    assert len({row["Layer"] for row in rows}) == len(rows)
