"""A fact, a column, a chart and a sentence, each added in one builder, are shown everywhere.

What a contributor writes is in `TOYS`: one change of one builder each. The test then asks each
surface as a user does, and finds the toy; in German by the sentence's entry of the catalog.
"""

from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QLabel

from inspector.cli import pages
from inspector.pages.blocks import Block, Chart, Column, Fact, Row, Section, Table
from inspector.pages.charts.drawing import Box, Drawing, Label
from inspector.pages.report import layer_table, layers
from inspector.pages.report import page as report_builder
from inspector.pages.report.page import report_page
from inspector.pages.rows import Filled
from inspector.render.registry import Subject, formats_of
from inspector.report.report import PerformanceReport
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.page_table import PageTable, PageTableModel
from inspector.ui.widgets.page_view import PageView
from inspector.ui.widgets.theme import Theme
from inspector.wording import catalog
from inspector.wording.values import Sentence, Share
from tests.pdf_text import lines_drawn
from tests.render.test_html import Document
from tests.reports import example_report

TEMPLATE, GERMAN = "Toys take {share} of it", "Spielzeug nimmt {share} davon"
_meaning, _slowest, _timeline = (
    report_builder._meaning,
    layers.slowest,
    report_builder._timeline,
)


def fact(report: PerformanceReport) -> Iterator[Fact]:
    yield from _meaning(report)
    yield Fact("Toy fact", "toy value")


def column(report: PerformanceReport) -> Section:
    def wider(block: Block) -> Block:
        if not isinstance(block, Table):
            return block
        rows = tuple(replace(row, cells=(*row.cells, "toy cell")) for row in block.rows)
        return replace(block, columns=(*block.columns, Column("toy", "Toy column")), rows=rows)

    section = _slowest(report)
    return replace(section, blocks=tuple(map(wider, section.blocks)))


def chart(report: PerformanceReport) -> Section:
    def drawn(width: float) -> Drawing:
        shapes = Box(0, 0, width, 20, "cpu", title="toy bar"), Label(0, 35, "Toy chart", "text")
        return Drawing("Toy chart", width, 40, shapes)

    section = _timeline(report)
    numbers = Table((Column("toy", "Toy chart"),), (Row(("toy bar",)),))
    return replace(section, blocks=(*section.blocks, Chart("toy", drawn, "Toy chart", numbers)))


def sentence(report: PerformanceReport) -> Iterator[Fact]:
    yield from _meaning(report)
    yield Fact("Toy", Sentence(TEMPLATE, share=Share(1, 8)))


# What is changed, in what place, and what a reader then sees.
TOYS: dict[str, tuple[object, str, Callable[..., object], tuple[str, ...]]] = {
    "fact": (report_builder, "_meaning", fact, ("Toy fact", "toy value")),
    "column": (layers, "slowest", column, ("Toy column", "toy cell")),
    "chart": (report_builder, "_timeline", chart, ("Toy chart",)),
    "sentence": (report_builder, "_meaning", sentence, ("Toys take 12.5% of it",)),
}


@pytest.fixture(params=TOYS)
def toy(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    place, name, changed, seen = TOYS[request.param]
    monkeypatch.setattr(place, name, changed)
    return seen


def exported(form: str) -> str:
    (chosen,) = (each for each in formats_of(Subject.REPORT) if each.id == form)
    with lines_drawn() as lines:
        body = bytes(chosen.writer(example_report()))
    if form == "pdf":
        return " ".join(lines)
    return body.decode().replace("\\", "")


@pytest.mark.parametrize("form", ["md", "html", "pdf"])
def test_a_toy_is_in_every_document(toy, form):
    text = exported(form)
    assert [word for word in toy if word not in text] == []


def test_a_toy_is_in_a_terminal(toy, capsys):
    pages.show(report_page(example_report()), details=True)
    text = capsys.readouterr().out
    assert [word for word in toy if word not in text] == []


def test_a_toy_is_in_the_window(toy, qapp, qtbot):
    view = PageView(Theme("light"))
    qtbot.addWidget(view)
    view.show_page(report_page(example_report()))
    seen = [label.text() for label in view.findChildren(QLabel)]
    seen += [chart.accessibleName() for chart in view.findChildren(ChartView)]
    for table in view.findChildren(PageTable):
        model = table.rows
        seen += map(model.title, model.columns)
        seen += [model.text(0, column) for column in model.columns if model.rowCount()]
    assert [word for word in toy if not any(word in text for text in seen)] == []


def test_a_sentence_is_german_by_its_entry_in_the_catalog(monkeypatch):
    monkeypatch.setattr(report_builder, "_meaning", sentence)
    read = catalog._read

    def with_toy(name: str) -> dict[str, object]:
        return read(name) | ({TEMPLATE: GERMAN} if name == "messages_de.json" else {})

    monkeypatch.setattr(catalog, "_read", with_toy)
    monkeypatch.setattr(catalog, "_current", catalog.wording.__wrapped__("de"))
    for text in (exported("md"), Document(exported("html").encode()).text, exported("pdf")):
        assert "Spielzeug nimmt 12,5% davon" in text.replace("12,5 %", "12,5%")


def test_a_filled_column_is_shown_and_sorted_by_its_own_order(monkeypatch, qapp):
    """In a table whose rows are made late, one value says title, cells and order."""
    columns = layer_table._Layers._columns

    def wider(self: layer_table._Layers) -> Iterator[Filled]:
        yield from columns(self)
        order = [-len(entry.name) for entry in self.entries]
        yield Filled(
            Column("toy", "Toy column"),
            lambda place: f"toy {len(self.entries[place].name)}",
            lambda: order,
        )

    monkeypatch.setattr(layer_table._Layers, "_columns", wider)
    model = PageTableModel(layer_table.layer_table(example_report()))
    toy = model.column("toy")
    assert model.title(toy) == "Toy column"
    model.sort_by(model.columns.index(toy))
    lengths = [int(model.text(row, toy).split()[1]) for row in range(model.rowCount())]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] > lengths[-1]
