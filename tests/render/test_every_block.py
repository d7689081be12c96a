"""A kind of block or value that a renderer does not know is found here, not by a reader."""

from typing import get_args

import pytest
from msgspec.structs import replace

from inspector.pages import blocks as b
from inspector.pages.rows import magnitude
from inspector.render.documents import document
from inspector.render.terminal import Terminal, lines
from inspector.wording import values as v
from inspector.wording.support_marks import Mark
from tests.render.example_pages import drawn, example_page, mark, png
from tests.render.paper_text import pdf_text

TEXT = "shown_text"
BLOCKS: dict[type, b.Block] = {
    b.Text: b.Text(TEXT),
    b.Facts: b.Facts((b.Fact(TEXT, v.Count(1)),)),
    b.Table: b.Table((b.Column("a", "A"),), (b.Row((TEXT,)),)),
    b.Items: b.Items((b.Item(TEXT),)),
    b.Chart: b.Chart("a", drawn(TEXT), TEXT),
    b.Picture: b.Picture(png(), 64, 48, TEXT),
    b.Snippet: b.Snippet(TEXT),
    b.Legend: b.Legend((mark(Mark.RAN, text=TEXT),)),
}
DRAWN = {b.Chart, b.Picture, b.Legend}  # what a text without drawings leaves out
VALUES: dict[type, tuple[v.Value, str]] = {
    str: (TEXT, TEXT),
    int: (1234, "1234"),
    v.Name: (v.Name(TEXT), TEXT),
    v.Code: (v.Code(TEXT), TEXT),
    v.Duration: (v.Duration(2_310_000), "2.31 ms"),
    v.SizeRange: (v.SizeRange(5_242_880, 10_485_760), "5.00 to 10.0 MiB"),
    v.DurationRange: (v.DurationRange(2_310_000, 2_350_000), "2.31 ms to 2.35 ms"),
    v.Size: (v.Size(2048), "2.00 KiB"),
    v.SizeRange: (v.SizeRange(2048, 4096), "2.00 to 4.00 KiB"),
    v.Share: (v.Share(1, 4), "25.0%"),
    v.Change: (v.Change(1.05), "+5.0%"),
    v.Count: (v.Count(1234, "layer"), "1,234 layers"),
    v.Number: (v.Number(29.4, "GB/s"), "29.4 GB/s"),
    v.Real: (v.Real(2.522e-11), "2.522e-11"),
    v.Probability: (v.Probability(0.9731), "97.31%"),
    v.Amount: (v.Amount(5_600_000), "5.60 M"),
    v.Rate: (v.Rate(532), "532 /s"),
    v.MarkValue: (mark(Mark.CAST), "Supported through a cast"),
    v.Sentence: (v.Sentence("{a} of it", a=v.Share(1, 4)), "25.0% of it"),
    v.Capital: (v.Capital(v.Sentence("{a} of it", a=v.Share(1, 4))), "25.0% of it"),
    v.Joined: (v.Joined((v.Count(3), v.Count(4)), " and "), "3 and 4"),
    v.Capital: (v.Capital("first run"), "First run"),
    v.Noted: (v.Noted(v.Count(3, "error"), TEXT), "3 errors"),
    v.Toned: (v.Toned(v.Count(3, "error"), v.Tone.BAD, True), "3 errors"),
    v.Link: (v.Link(v.Count(3, "error"), "errors.html"), "3 errors"),
    v.Curve: (v.Curve((1.0, 2.0, 3.0)), "▁▅█"),
}
CURVES = {"html": "<polyline", "pdf": ""}  # where a curve is drawn, or cannot be


def shown(page: b.Page, form: str) -> str:
    if form == "terminal":
        return "\n".join(lines(page, Terminal(rank=b.Rank.FOLDED)))
    if form == "pdf":
        return pdf_text(page)
    return document(page, form).decode().replace("\\", "")


def page_of(block: b.Block) -> b.Page:
    return b.Page("test", "Title", (b.Section("only", "Section", (block,)),))


def test_there_is_an_example_of_each_block_and_value():
    assert set(BLOCKS) == set(get_args(b.Block))
    assert set(VALUES) == set(get_args(v.Value))


@pytest.mark.parametrize("form", ["terminal", "md", "html", "pdf"])
@pytest.mark.parametrize("kind", BLOCKS, ids=lambda kind: kind.__name__)
def test_each_block_is_shown_by_each_renderer(kind, form):
    if kind in DRAWN and form in ("terminal", "md"):
        assert "Title" in shown(page_of(BLOCKS[kind]), form)
    elif kind is b.Picture and form == "pdf":
        assert b"/Subtype /Image" in document(page_of(BLOCKS[kind]), form)
    else:
        assert TEXT in shown(page_of(BLOCKS[kind]), form)


@pytest.mark.parametrize("form", ["terminal", "md", "html"])
def test_the_numbers_of_a_chart_stand_where_nothing_is_drawn(form):
    chart = BLOCKS[b.Chart]
    assert isinstance(chart, b.Chart)
    table = b.Table((b.Column("x", "Head"),), (b.Row(("only in numbers",)),))
    text = shown(page_of(replace(chart, table=table)), form)
    assert ("only in numbers" in text) == (form != "html")


@pytest.mark.parametrize("form", ["terminal", "md", "html", "pdf"])
@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
def test_each_value_is_written_by_each_renderer(kind, form):
    value, text = VALUES[kind]
    text = CURVES.get(form, text) if kind is v.Curve else text
    fact, item = b.Fact("Label", value, "note"), b.Item(value)
    for block in (b.Text(value), b.Facts((fact,)), b.Items((item,))):
        assert text in shown(page_of(block), form)


@pytest.mark.parametrize("form", ["terminal", "md", "html", "pdf"])
def test_each_section_is_shown_by_each_renderer(form):
    page, place = example_page(), 0
    text = shown(page, form)
    for section in page.sections:
        title = str(section.title)
        bare = form in ("terminal", "md") and {*map(type, section.blocks)} <= DRAWN
        assert (title in text) == (bool(section) and not bare), title
        if section and not bare:
            place = text.index(title, place if form != "html" else 0)


def test_what_is_a_number_sorts_as_one():
    texts = {kind for kind, (value, _) in VALUES.items() if magnitude(value) is None}
    assert texts == {str, v.Name, v.Code, v.Capital}
