import re
import shutil
import subprocess
import zlib

import pytest
from msgspec.structs import replace

from inspector.pages import blocks as b
from inspector.pages.blocks import Side
from inspector.render.paper import HEIGHT, MARGIN, ROOM, WIDTH
from inspector.render.pdf import pdf
from inspector.wording import values as v
from inspector.wording.values import Name, Tone, Wording
from tests.render.example_pages import HOSTILE, example_page, layers, png, scoped
from tests.render.paper_text import Written, overlaps, pdf_text, written

GERMAN = Wording("de", lambda text: {"Layer": "Schicht"}.get(text, text), decimal_comma=True)


def page_of(*blocks: b.Block) -> b.Page:
    return b.Page("test", "Title", (b.Section("only", "Section", blocks),))


def sheets(body: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b(?!s)", body))


def names(texts: list[Written]) -> list[str]:
    """Return the cells of the column of layers, whose lines begin at its left."""
    (head,) = [one for one in texts if one.text == "Layer"]
    (number,) = [one for one in texts if one.text == "#"]
    starts = [one.top for one in texts if one.right == pytest.approx(number.right, abs=0.1)][1:]
    (after,) = [one for one in texts if one.text == "Operator"]
    cells = [one for one in texts if head.left - 0.1 < one.left < after.left - 1][1:]
    return [
        "".join(one.text for one in cells if top - 1 < one.top < top + 13) for top in starts
    ]


def outside(texts: list[Written]) -> list[str]:
    return [
        one.text
        for one in texts
        if one.left < MARGIN - 1 or one.right > WIDTH - MARGIN + 1 or one.bottom > HEIGHT - 12
    ]


def test_blocks_and_values_stand_in_reading_order():
    text, place = pdf_text(example_page()), 0
    parts = (
        "Report on", "2.92 M · 11.2 MiB · on CPU + GPU", "is 27% faster.", "Key numbers",
        "Latency", "1.87 ms", "Summary", "4 sentences", "Noisy:", "The outputs are wrong.",
        "Facts", "< 1 µs", "1.85 ms to 1.89 ms", "−4.00 MiB", "n/a", "12,345 layers",
        "29.4 GB/s", "1,532 /s", "inspector info", "wrong", "1.31.1+gpu", "Charts", "Layers",
        "Ran on this device", "Layer", "1.00 ms", "The order of this layer is uncertain.",
        "Changes", "+", "added", "float32 to float16", "Copies are hatched.",
        "import inspector", "Settings", "and 4 more settings; inspector report --json",
    )  # fmt: skip
    for part in parts:
        place = text.find(part, place)
        assert place >= 0, part
    assert "Nothing" not in text


@pytest.mark.parametrize(
    "naming",
    [scoped, lambda place: f"n{place}", lambda place: HOSTILE, lambda place: "wide_" * 900],
    ids=["scoped", "short", "hostile", "long"],
)
def test_nothing_lies_over_anything_nor_beside_the_sheet(naming):
    texts = written(example_page(naming))
    assert overlaps(texts) == []
    assert outside(texts) == []


def test_many_columns_that_must_stay_lie_beside_each_other():
    columns = tuple(
        b.Column(str(place), f"A rather long head {place}", Side.RIGHT) for place in range(14)
    )
    rows = tuple(
        b.Row(tuple(v.Size(1e9 + 1e7 * place * at) for place in range(14))) for at in range(3)
    )
    texts = written(page_of(b.Table(columns, rows)))
    assert overlaps(texts) == []
    assert outside(texts) == []
    assert sum(one.text.endswith("iB") for one in texts) == 42


def test_a_row_taller_than_a_sheet_goes_on_on_the_next():
    words = " ".join(f"word{place}" for place in range(490))
    columns = tuple(b.Column(str(place), f"Column {place}") for place in range(8))
    texts = written(page_of(b.Table(columns, (b.Row((words,) * 8),))))
    assert outside(texts) == []
    assert overlaps(texts) == []
    assert sum(one.text.split().count("word489") for one in texts) == 8


def test_columns_are_left_out_by_what_they_are_worth():
    def heads(*, name: str) -> str:
        table = layers(3, lambda place: name)
        return pdf_text(page_of(table))

    assert "Output" not in heads(name="/model/encoder/layer/attention/self/query/MatMul")
    assert "Median time" in heads(name="/model/encoder/layer/attention/self/query/MatMul")
    narrow = replace(layers(3, str), columns=layers(3).columns)
    few = replace(
        narrow,
        columns=narrow.columns[:4],
        rows=tuple(replace(row, cells=row.cells[:4]) for row in narrow.rows),
    )
    assert "Output" in pdf_text(page_of(few))


def test_heads_stand_again_on_each_sheet_and_never_alone():
    texts = written(page_of(layers(120)))
    last = max(one.sheet for one in texts)
    assert last >= 3
    for sheet in range(1, last + 1):
        some = [one for one in texts if one.sheet == sheet]
        (head,) = [one for one in some if one.text == "Operator"]
        below = [one for one in some if one.top > head.bottom and one.text.endswith("s")]
        assert len(below) >= 2, sheet


def test_a_heading_is_never_the_last_line_of_a_sheet():
    for count in range(30, 52, 3):
        rows = b.Items(tuple(b.Item(f"Line {place}") for place in range(count)))
        sections = (
            b.Section("a", "First", (rows,)), b.Section("b", "Second", (layers(4),)),
        )  # fmt: skip
        texts = written(b.Page("test", "Title", sections))
        (heading,) = [one for one in texts if one.text == "Second"]
        assert any(
            one.sheet == heading.sheet and one.top > heading.bottom and one.text == "1.00 ms"
            for one in texts
        ), count


def test_a_picture_and_what_is_told_of_it_stand_on_one_sheet():
    seen = b.Picture(png(), 64, 48, "The image")
    classes = tuple(b.Row((Name(f"class {place}"), f"{place}%")) for place in range(5))
    table = b.Table((b.Column("class", "Class"), b.Column("share", "Share")), classes)
    for count in range(30, 52, 3):
        rows = b.Items(tuple(b.Item(f"Line {place}") for place in range(count)))
        sections = b.Section("a", "First", (rows,)), b.Section("b", "Seen", (seen, table))
        texts = written(b.Page("test", "Title", sections))
        start = next(place for place, one in enumerate(texts) if one.text == "Seen")
        assert len({one.sheet for one in texts[start:]}) == 1, count


def test_names_are_not_cut_where_they_fit_in_two_lines():
    text = pdf_text(page_of(layers(8)))
    for place in range(8):
        assert scoped(place) in text.replace(" ", ""), place


def test_names_that_are_cut_alike_get_their_number():
    def naming(place: int) -> str:
        return "_".join(("word",) * 30) + f"_{'x' * place}_" + "_".join(("word",) * 30)

    shown = names(written(page_of(layers(9, naming))))
    assert len(shown) == 9
    assert all("…" in name for name in shown)
    assert len(set(shown)) == 9


def test_names_of_megabytes_are_told_apart():
    start = "conv_" * 100_000
    shown = names(written(page_of(layers(3, lambda place: f"{start}{place}"))))
    assert [name[-1] for name in shown] == ["0", "1", "2"]
    assert all("…" in name for name in shown)


def test_neither_a_number_nor_a_head_is_cut():
    texts = written(example_page())
    cut = [one.text for one in texts if "…" in one.text and one.bottom < HEIGHT - 40]
    assert cut == []


def test_bars_never_lie_over_words(monkeypatch):
    from inspector.render.paper import Paper

    bars, rect = list[Written](), Paper.rect

    def noted(paper: Paper, x: float, y: float, w: float, h: float, **more: object) -> None:
        if h == 4.0:
            bars.append(Written("bar", paper.page_no(), x, y, x + w, y + h))
        rect(paper, x, y, w, h, **more)

    monkeypatch.setattr(Paper, "rect", noted)
    texts = written(page_of(layers(40)))
    assert len(bars) == 80
    assert [one.text for one in texts for bar in bars if bar.covers(one)] == []


def test_numbers_are_written_in_the_language_of_the_page():
    text = pdf_text(example_page(), GERMAN)
    for part in ("1,87 ms", "12.345 layers", "37,0%", "Schicht"):
        assert part in text
    assert b"/Lang (de)" in pdf(example_page(), GERMAN)


def test_it_is_text_and_vectors_with_its_fonts_inside():
    body = pdf(page_of(layers(20)))
    assert b"/FontFile2" in body
    assert b"/Subtype /Image" not in body
    assert len(body) < 60_000


def test_marks_are_drawn_as_shapes():
    def curves(page: b.Page) -> int:
        found = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf(page), re.DOTALL)
        return sum(
            len(re.findall(rb" l\b", zlib.decompress(one))) for one in found if one[:1] == b"x"
        )

    bare = replace(layers(20), rows=tuple(
        replace(row, cells=(*row.cells[:4], "", "", "", *row.cells[7:]))
        for row in layers(20).rows
    ))  # fmt: skip
    assert curves(page_of(layers(20))) > curves(page_of(bare)) + 500


def test_letters_of_other_scripts_are_written():
    text = pdf_text(
        page_of(b.Text(Name("卷积/" + "n" * 5000)), layers(3, lambda p: f"卷积{p}"))
    )
    assert "nnn" in text


def test_cards_stand_beside_each_other():
    texts = {one.text: one for one in reversed(written(example_page()))}
    cards = [texts[name] for name in ("Latency", "Load", "Peak model memory", "Outputs")]
    assert len({card.top for card in cards}) == 1
    assert [card.left for card in cards] == sorted(card.left for card in cards)
    values = [texts[text] for text in ("1.87 ms", "182 ms", "92.0 MiB", "correct to float32")]
    for card, value in zip(cards, values, strict=True):
        assert value.top > card.bottom
        assert value.left == pytest.approx(card.left)


def test_the_same_page_gives_the_same_file():
    assert pdf(example_page()) == pdf(example_page())


def test_long_tables_end_with_what_is_not_shown():
    table = replace(layers(40), limits=b.Limits(page=30), total=100)
    assert "and 70 more layers" in pdf_text(page_of(table))


def test_a_table_of_which_sheets_show_less_says_where_the_rest_is():
    table = replace(
        layers(9), limits=b.Limits(sheets=3), rest="in the page", sheets_rest="elsewhere"
    )
    text = pdf_text(page_of(table))
    assert "and 6 more layers; elsewhere" in text
    assert "in the page" not in text


@pytest.mark.slow
def test_two_thousand_rows():
    body = pdf(page_of(layers(2_000)))
    assert 40 < sheets(body) < 120


def test_short_facts_stand_in_two_columns_and_long_ones_in_one():
    short = b.Facts(tuple(b.Fact(f"Fact {place}", v.Count(place)) for place in range(6)))
    texts = {one.text: one for one in written(page_of(short))}
    assert texts["Fact 3"].top == texts["Fact 0"].top
    assert texts["Fact 3"].left > texts["Fact 0"].left + ROOM / 3
    long = b.Facts((*short.facts, b.Fact("Long", "many words " * 30)))
    texts = {one.text: one for one in written(page_of(long))}
    assert texts["Fact 3"].left == texts["Fact 0"].left


def test_empty_pages_and_blocks_are_pages():
    nothing = (b.Table((), ()), b.Items(()), b.Facts(()), b.Facts((), prominent=True))
    for page in (b.Page("x", "Title", ()), page_of(*nothing), page_of(b.Text(""))):
        assert pdf_text(page).startswith("Title")


def test_tones_are_colors():
    plain, bad = (pdf(page_of(b.Text("text", tone))) for tone in (Tone.PLAIN, Tone.BAD))
    assert plain != bad


def test_letters_that_no_font_has_are_explained():
    assert "escape codes" in pdf_text(page_of(b.Text(Name("a\u0915"))))
    assert "escape codes" not in pdf_text(page_of(b.Text(Name("a"))))


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="no second reader on this machine")
def test_another_program_reads_names_numbers_and_heads(tmp_path):
    path = tmp_path / "page.pdf"
    path.write_bytes(pdf(example_page(lambda place: f"block_{place}/conv")))
    run = subprocess.run(
        ["pdftotext", "-layout", str(path), "-"], capture_output=True, check=True
    )
    text = run.stdout.decode()
    for part in ("block_39/conv", "1.87 ms", "12,345 layers", "Share of", "Median"):
        assert part in text
