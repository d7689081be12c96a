"""Every section of every subject is shown wherever its rank says, and its names do nothing."""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from inspector import pages
from inspector.pages.blocks import (
    Chart,
    Facts,
    Items,
    Page,
    Picture,
    Rank,
    Section,
    Table,
    Text,
)
from inspector.render.documents import document
from inspector.render.terminal import Terminal, lines
from inspector.ui.widgets.page_view import PageView, SectionCard
from inspector.ui.widgets.theme import Theme
from inspector.wording.values import ENGLISH, Name, Tone, Value
from tests.pages.example_devices import matrix_of, series_of
from tests.pages.examples import EXAMPLES
from tests.render.example_pages import HOSTILE
from tests.render.paper_text import pdf_text
from tests.render.test_html import Document

FORMS = ("terminal", "details", "md", "html", "pdf")
PRIVATE = "/home/ada/secret/"
_PATHS = {"typical", "test", "photos", "ops.so"}  # the other files go by their names
_ACTING = "\u202e\u2066\x00\x1b\ud800"


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return Theme("light")


def builders() -> Iterator[str]:
    """Yield the names of all functions that return the page of a subject."""
    for module in pkgutil.walk_packages(pages.__path__, "inspector.pages."):
        made = importlib.import_module(module.name)
        for name, function in inspect.getmembers(made, inspect.isfunction):
            if name.endswith("_page") and function.__module__ == module.name and name[0] != "_":
                yield name


def shown(page: Page, form: str) -> str:
    if form == "pdf":
        return pdf_text(page)
    if form in ("terminal", "details"):
        rank = Rank.FOLDED if form == "details" else Rank.TERMINAL
        return "\n".join(lines(page, Terminal(10_000, rank=rank)))
    text = document(page, form).decode()
    return Document(text.encode()).text if form == "html" else text


def first_text(section: Section) -> str:
    """Return a text by which a reader finds a section: its title, or what it begins with."""
    if section.title:
        return ENGLISH.text(section.title)
    for block in section.blocks:
        values = list[Value]()
        match block:
            case Text(value):
                values = [value]
            case Facts(facts):
                values = [fact.label for fact in facts]
            case Table(columns, rows):
                values = [column.title for column in columns] if rows else []
            case Items(items):
                values = [item.value for item in items]
        for value in filter(None, map(ENGLISH.text, values)):
            return value
    return ""


def letters(text: str) -> str:
    return re.sub(r"\W", "", text)


def is_drawn(section: Section) -> bool:
    return all(isinstance(block, Chart | Picture) for block in section.blocks)


def test_there_is_an_example_of_each_subject():
    assert {*EXAMPLES} == {*builders()}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("subject", EXAMPLES)
def test_each_section_is_shown_where_its_rank_says(subject, form):
    page = EXAMPLES[subject](str)
    ids = [section.id for section in page.sections]
    assert len(ids) == len({*ids}), ids
    text = letters(shown(page, form))
    for section in filter(None, page.sections):
        drawn = is_drawn(section) and form in ("terminal", "details", "md")
        deeper = form == "terminal" and section.rank > Rank.TERMINAL
        if not drawn and not deeper:
            assert letters(first_text(section))[:40] in text, (section.id, first_text(section))


@pytest.mark.parametrize("subject", EXAMPLES)
def test_each_section_is_a_card_in_the_window(subject, qtbot, theme):
    page, view = EXAMPLES[subject](str), PageView(theme)
    qtbot.addWidget(view)
    view.show_page(page)
    cards = view.findChildren(SectionCard)
    wanted = [section.id for section in page.sections if section]
    assert [card.section.id for card in cards] == wanted


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("subject", EXAMPLES)
def test_hostile_names_do_nothing(subject, form):
    page = EXAMPLES[subject](lambda name: f"{HOSTILE}{name}")
    text = shown(page, form)
    assert not [sign for sign in _ACTING if sign in text]
    if form == "html":
        body = Document(document(page, "html"))
        assert body.tags["script"] == 1
        assert not [name for _, name, _ in body.attributes if name.startswith("on")]
    if form == "md":
        prose = re.sub(r"(`+).*?\1", "", re.sub(r"(?s)(`{3,}).*?\1", "", text))
        assert not re.search(r"(?<!\\)<script|@all", prose)


@pytest.mark.parametrize("subject", EXAMPLES)
def test_hostile_names_do_nothing_in_the_window(subject, qtbot, theme):
    view = PageView(theme)
    qtbot.addWidget(view)
    view.show_page(EXAMPLES[subject](lambda name: f"{HOSTILE}{name}"))
    for label in filter(QLabel.text, view.findChildren(QLabel)):
        assert label.textFormat() == Qt.TextFormat.PlainText, label.text()[:80]


@pytest.mark.parametrize("form", ["md", "html", "pdf"])
@pytest.mark.parametrize("subject", EXAMPLES)
def test_documents_have_no_private_paths(subject, form):
    page = EXAMPLES[subject](lambda name: f"{PRIVATE}{name}" if name in _PATHS else name)
    text = pdf_text(page) if form == "pdf" else document(page, form).decode()
    assert not [word for word in ("/ada/", "secret") if word in text]


@pytest.mark.parametrize(("agree", "oldest"), [(0, 3), (1, 2), (2, 1)])
def test_the_oldest_version_is_the_first_of_those_that_agree_up_to_the_newest(agree, oldest):
    matrix = matrix_of(agree=agree)
    assert matrix.oldest is matrix.rows[oldest]


def test_memory_that_does_not_come_back_is_the_verdict():
    assert series_of().verdict.tone is Tone.GOOD
    assert series_of(held=200 << 20).verdict.tone is Tone.CAUTION
    (table, _) = series_of().sections[0].blocks
    first, second, again = (row.cells[0] for row in table.rows)
    assert (first, second) == (Name("batch=1"), Name("batch=64"))
    assert again.values["lengths"] == first
