import base64
import hashlib
import re
from collections import Counter
from html.parser import HTMLParser

import pytest

from inspector.pages import blocks as b
from inspector.pages.blocks import Side
from inspector.render.html import SEARCHED_FROM, html
from inspector.wording import values as v
from inspector.wording.values import ENGLISH, Name, Tone, Toned, Wording
from tests.render.example_pages import HOSTILE, example_page, layers, png

VOID = {"meta", "input", "link", "br", "img", "wbr"}
GERMAN = Wording("de", lambda text: {"Layer": "Schicht"}.get(text, text), decimal_comma=True)


class Document(HTMLParser):
    """Reads a page strictly: every element closed in turn."""

    def __init__(self, body: bytes) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.scripts: list[str] = []
        self.styles: list[str] = []
        self.text = ""
        self._open: list[str] = []
        self.source = body.decode()
        self.feed(self.source)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open[-1:] == ["script"]:
            self.scripts.append(data)
        elif self._open[-1:] == ["style"]:
            self.styles.append(data)
        else:
            self.text += data

    def values(self, name: str) -> list[str]:
        return [value for _, other, value in self.attributes if other == name]


def document(page: b.Page, wording: Wording = ENGLISH) -> Document:
    return Document(html(page, wording))


def page_of(*blocks: b.Block) -> b.Page:
    return b.Page("test", "Title", (b.Section("only", "Section", blocks),))


def test_blocks_and_values_stand_in_reading_order():
    read = document(example_page())
    parts = (
        "Report on ", "2.92 M · 11.2 MiB · on CPU + GPU", " is 27% faster.",
        "Key numbers", "Latency", "1.87 ms", "median of 30 runs", "182 ms", "92.0 MiB",
        "Summary", "62.0% of the time", "Noisy:", "The outputs are wrong.",
        "Facts", "1.87 ms", "< 1 µs", "+310 µs", "1.85 ms to 1.89 ms", "11.2 MiB", "−4.00 MiB",
        "37.0%", "n/a", "+5.3%", "=", "12,345 layers", "29.4 GB/s", "2.92 M", "1,532 /s",
        "inspector info", "Conv, Add, ", "wrong", "More", "1.31.1+gpu", "Roofline",
        "Layers", "40 layers", "Ran on this device", "Median time", "1.00 ms",
        "The order of this layer is uncertain.", "Changes", "+", "added", "1.00 MiB",
        "float32 to float16", "Copies are hatched.", "import inspector", "Settings",
        "and 4 more settings; inspector report --json",
    )  # fmt: skip
    place = 0
    for part in parts:
        place = read.text.find(part, place)
        assert place >= 0, part
    assert "Nothing" not in read.text


def test_sections_are_anchors_and_the_deepest_are_folded():
    read = document(example_page())
    ids = read.values("id")
    assert [i for i in ids if i in ("numbers", "facts", "layers", "settings", "empty")] == [
        "numbers", "facts", "layers", "settings",
    ]  # fmt: skip
    assert ("details", "id", "settings") in read.attributes
    assert {"layer-0", "layer-39"} <= set(ids)
    assert {"#numbers", "#settings"} <= set(read.values("href"))


def test_nothing_is_asked_of_the_network():
    read = document(example_page())
    links = [link for name in ("href", "src", "xlink:href") for link in read.values(name)]
    assert links
    assert all(link.startswith(("#", "data:image/png;base64,")) for link in links)
    assert not re.search(r"url\((?!data:|#)|@import", read.source)
    assert not read.tags.keys() & {"link", "iframe", "object", "embed", "base", "form"}


def test_only_our_script_and_our_style_are_allowed():
    read = document(example_page(lambda place: HOSTILE))
    policy = read.values("content")[0]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for kind, bodies in (("script", read.scripts), ("style", read.styles)):
        (body,) = bodies
        digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert read.values("style") == []
    assert not [name for _, name, _ in read.attributes if name.startswith("on")]


def test_names_of_files_are_inert_everywhere():
    read, usual = document(example_page(lambda place: HOSTILE)), document(example_page())
    assert read.tags - Counter({"wbr": 10_000, "span": 10_000}) == usual.tags - Counter(
        {"wbr": 10_000, "span": 10_000}
    )
    assert "<script>alert(1)" in read.text
    for sign in "\u202e\u2066\x00\x1b\ud800":
        assert sign not in read.source
    assert "\\u202egnp" in read.text
    assert "{{ 7 * 7 }}" in read.text
    isolated = re.findall(r"<bdi[^>]*>(.*?)</bdi>", read.source)
    assert read.source.count("&lt;script&gt;alert(1)") - len(isolated) < 12  # code, titles


@pytest.mark.parametrize("kind", [Name, v.Code, str])
def test_a_name_of_megabytes_is_clipped(kind):
    huge = kind("name/" * 1_600_000)
    value = v.Sentence("{x}", x=huge)
    page = b.Page("test", value, (b.Section("only", value, (b.Text(value),)),), b.Text(value))
    assert len(html(page)) < 250_000


def test_each_number_sorts_by_its_value():
    cells: tuple[v.Value, ...] = (
        v.Duration(1_870_000), v.DurationRange(5, 9), v.Size(2048), v.Share(1, 4),
        v.Share(0, 0), v.Change(1.5), v.Count(7, "layer"), v.Number(2.5, "GB/s"),
        v.Amount(9), v.Rate(3), Toned(v.Size(4), Tone.BAD), "text", Name("7"),
    )  # fmt: skip
    columns = tuple(b.Column(str(place), f"C{place}") for place in range(len(cells)))
    source = html(page_of(b.Table(columns, (b.Row(cells),)))).decode()
    found = re.findall(r"<td[^>]*?(?: data-value=\"([^\"]*)\")?>", source)
    assert found == [
        "1870000",
        "5",
        "2048",
        "0.25",
        "",
        "1.5",
        "7",
        "2.5",
        "9",
        "3",
        "4",
        "",
        "",
    ]


def test_long_tables_can_be_searched_and_rows_beyond_the_limit_are_counted():
    assert not document(page_of(layers(SEARCHED_FROM))).values("data-search")
    assert document(page_of(layers(SEARCHED_FROM + 1))).values("data-search") == ["Search"]
    long = document(page_of(layers(2_100)))
    assert long.tags["tr"] == 2_001
    assert "and 100 more layers" in long.text


def test_bars_have_the_length_of_their_number_and_the_color_of_the_device():
    table = layers(2)
    source = html(page_of(table)).decode()
    widths = re.findall(r'class="part" width="([\d.]+)"', source)
    times = [row.cells[8].ns for row in table.rows]
    assert [float(width) for width in widths] == [
        pytest.approx(64 * time / max(times), abs=0.01) for time in times
    ]
    assert re.findall(r'class="bar of-(\w+)"', source) == ["gpu", "cpu"]


def test_marks_say_what_they_mean():
    read = document(page_of(layers(3)))
    assert "Supported through a cast" in read.text
    assert {"#mark-ran", "#mark-cast"} <= set(read.values("href"))
    assert "mark-ran" in read.values("id")


def test_light_and_dark_colors_are_roles():
    read = document(example_page())
    (style,) = read.styles
    assert "prefers-color-scheme:dark" in style
    assert 'data-theme="dark"' in style
    drawings = re.findall(r"<svg[^>]*viewBox.*?</svg>", read.source, re.DOTALL)
    assert len([one for one in drawings if "var(--gpu)" in one]) == 2  # wide and narrow
    assert not re.search(r'(fill|stroke)="#', "".join(drawings))


def test_numbers_are_written_in_the_language_of_the_page():
    read = document(example_page(), GERMAN)
    assert '<html lang="de">' in read.source
    for text in ("1,87 ms", "12.345 layers", "1.532 /s", "37,0%", "Schicht"):
        assert text in read.text, text
    assert "1.87 ms" not in read.text


def test_empty_pages_and_blocks_are_pages():
    nothing = (b.Table((), ()), b.Items(()), b.Facts(()), b.Facts((), prominent=True))
    for page in (b.Page("x", "Nothing", ()), page_of(*nothing), page_of()):
        assert "Nothing" in document(page).text or "Title" in document(page).text


def test_a_picture_is_inside_and_described():
    read = document(page_of(b.Picture(png(), 64, 48, Name('a"b'))))
    (source,) = read.values("src")
    assert base64.b64decode(source.partition(",")[2]) == png()
    assert read.values("alt") == ['a"b']


def test_items_fold_only_where_they_have_more():
    inner = b.Items((b.Item("inside"),))
    some = b.Items((b.Item("open", items=inner), b.Item("flat")), folded=True)
    assert document(page_of(some)).tags["details"] == 1
    flat = b.Items((b.Item("open", items=inner), b.Item("flat")))
    assert document(page_of(flat)).tags["details"] == 0


def test_scopes_of_names_stand_back_but_files_have_none():
    columns = (b.Column("a", "A", stretch=True),)
    rows = tuple(b.Row((Name(name),)) for name in ("block/conv", "model.v2.onnx"))
    source = html(page_of(b.Table(columns, rows))).decode()
    assert re.findall(r'class="(scope|leaf)">([^<]*)', source) == [
        ("scope", "block/"), ("leaf", "conv"), ("leaf", "model.v2.onnx"),
    ]  # fmt: skip


def test_sides_and_help_of_columns():
    column = b.Column("a", "A", Side.RIGHT, help="What <A> is.")
    read = document(page_of(b.Table((column,), (b.Row((v.Count(1),)),))))
    assert ("th", "title", "What <A> is.") in read.attributes
    assert ("td", "class", "right number short") in read.attributes
