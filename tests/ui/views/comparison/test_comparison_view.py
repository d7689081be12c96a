from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from unittest.mock import ANY

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from inspector.comparison.comparison import compare
from inspector.pages.comparison import comparison_page
from inspector.report.layer_timing import Profiling
from inspector.report.report import LayerUse, PerformanceReport
from inspector.ui.views.comparison.view import ComparisonView, LayerFilter
from inspector.ui.widgets.page_table import PageTableModel
from inspector.ui.widgets.parts import GAP, Card
from inspector.ui.widgets.theme import Theme
from inspector.wording.values import Change, Tone, Toned
from tests.comparison.test_layer_changes import measured, use
from tests.conftest import PatientQtBot
from tests.page_text import text as page_text
from tests.reports import CPU, example_report


def slower(**changes: Any) -> PerformanceReport:
    report = example_report(2_060_000, seed=11)
    layers = list(report.layers)
    layers[13] = replace(layers[13], ran_on=CPU, time_ns=900_000)
    return replace(report, layers=tuple(layers), **changes)


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> ComparisonView:
    return opened(qtbot, theme, example_report(), slower(), example_report())


def opened(qtbot: QtBot, theme: Theme, *reports: PerformanceReport) -> ComparisonView:
    made = shown(qtbot, theme, *reports)
    qtbot.addWidget(made)
    return made


@pytest.fixture(scope="module")
def shared(
    request: pytest.FixtureRequest, qapp: QApplication, fonts: None
) -> Iterator[ComparisonView]:
    """One for all tests that leave it as they found it."""
    theme = Theme("light")
    theme.dress(qapp)
    reports = example_report(), slower(), example_report()
    made = shown(PatientQtBot(request), theme, *reports)
    yield made
    made.close()
    made.deleteLater()


def shown(qtbot: QtBot, theme: Theme, *reports: PerformanceReport) -> ComparisonView:
    made = ComparisonView(theme, reports)
    made.show()
    assert made.comparison is None, "it is not reckoned out on the window's thread"
    assert not made.export.isEnabled()
    assert not made.busy.isVisible(), "it stands in the middle"
    with qtbot.waitSignal(made.compared, timeout=20_000):
        made.show()
    return made


def cells(view: ComparisonView, row: int) -> list[str]:
    rows = view.layers.model
    return [rows.text(row, column) for column in rows.columns]


def test_every_report_has_a_line_with_its_verdict(shared):
    assert "slower" in shared.comparison.judgements[1].text()
    assert shared.comparison.names == ("A", "B", "C")


@pytest.mark.parametrize(("form", "start"), [("md", b"#"), ("csv", b"kind"), ("svg", b"<?xml")])
def test_a_comparison_is_saved_with_names_that_tell_what_was_measured(
    qtbot, shared, tmp_path, monkeypatch, form, start
):
    target = tmp_path / f"both.{form}"
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", staticmethod(lambda *_: (str(target), ""))
    )
    action = next(a for a in shared.export.menu().actions() if a.data() == form)
    action.trigger()
    qtbot.waitUntil(lambda: shared.notice.what.text() == f"Saved both.{form}")
    assert shared.notice.isVisible()
    written = target.read_bytes()
    assert written.startswith(start)
    assert b"B: " in written


def test_the_layer_that_changed_most_comes_first(shared):
    assert cells(shared, 0)[1] == "head/conv (+1)"
    assert cells(shared, 0)[4] == "900 µs"
    assert cells(shared, 0)[5].startswith("+")


def test_a_kind_lists_only_its_layers(view):
    card = view.layers
    card.kinds.choose(card.offered.index(LayerFilter.MOVED))
    assert card.model.rowCount() == 1
    assert cells(view, 0)[1] == "head/conv (+1)"
    assert "WebGPU → CPU" in cells(view, 0)[-1]
    card.filter.setText("nothing like it")
    assert card.model.rowCount() == 0
    card.filter.clear()
    card.kinds.choose(0)
    assert card.model.rowCount() == card.model.total


def test_kinds_that_nothing_is_of_are_not_offered(shared):
    assert LayerFilter.NEW not in shared.layers.offered


def test_another_report_can_be_pinned_as_the_baseline(qtbot, view):
    assert view.comparison.judgements[1].ratio > 1
    view.baseline.setCurrentIndex(2)
    assert view.layers.isVisible(), "the one before stays meanwhile"
    assert view.busy.isVisible()
    with qtbot.waitSignal(view.compared, timeout=20_000):
        view.baseline.setCurrentIndex(1)
    assert [round(one.ratio, 2) for one in view.comparison.judgements] == [1.0, 0.9, 0.9]
    assert view.layers.isVisible()


def test_pages_take_turns(view):
    pages = (view.layers, view.numbers, view.settings, view.types)
    for number in range(4):
        assert [page.isVisible() for page in pages] == [n == number for n in range(4)]
        view.pages.choose(number + 1)


def cell(model: PageTableModel, key: str) -> str:
    return model.text(0, model.column(key))


def test_numbers_have_absolute_delta_ratio_and_significance(shared):
    model = shared.numbers.model
    assert (cell(model, "metric"), cell(model, "A")) == (
        "Latency, median of all runs",
        "1.85 ms",
    )
    assert cell(model, "B change").endswith("%")
    assert cell(model, "B verdict") == "slower"
    assert model.row(0).cells[model.place("B change")] == Toned(Change(ANY), Tone.BAD)
    assert cell(model, "C verdict").startswith("no change")


def test_two_reports_have_a_column_with_the_verdict(qtbot, theme):
    layers = use(0, "conv"), use(1, "relu", "Relu")
    made = opened(
        qtbot,
        theme,
        measured("a", *layers, conv=90, relu=60),
        measured("b", *layers, conv=140, relu=60),
    )
    model, rows = made.numbers.model, made.layers.model
    assert list(map(model.title, model.columns)) == [
        "", "A", "B", "B − A", "Change", "Verdict",
    ]  # fmt: skip
    assert cell(model, "B verdict") == "slower"
    verdicts = [model.text(row, model.columns[-1]) for row in range(model.rowCount())]
    assert any(text.startswith("not tested") for text in verdicts)
    column = rows.column("B verdict")
    rows.sort_by(rows.place(column.key), downwards=True)
    assert [rows.text(row, column) for row in range(2)] == ["slower", "no change beyond 25%"]
    rows.sort_by(rows.place(column.key), downwards=False)
    assert [rows.text(row, column) for row in range(2)] == ["no change beyond 25%", "slower"]


def test_less_than_the_profilers_clock_has_no_percentage_in_window_text_and_markdown(
    qtbot, theme
):
    layers = use(0, "conv"), use(1, "relu", "Relu")
    reports = (
        measured("a", *layers, conv=400, relu=0.1),
        measured("b", *layers, conv=400, relu=1.02),
    )
    made = opened(qtbot, theme, *reports)
    rows = made.layers.model
    verdict, change = rows.column("B verdict"), rows.column("B delta")
    places = {rows.text(row, rows.column("name")): row for row in range(2)}
    assert rows.text(places["conv"], verdict) == "no change beyond 25%"
    assert rows.text(places["relu"], verdict).endswith("below the profiler's resolution")
    assert rows.text(places["relu"], change) == "within ±1 µs"
    found = compare(reports)
    (line,) = (
        line for line in page_text(comparison_page(found)).splitlines() if "relu" in line
    )
    assert line.split() == [
        "1", "relu", "Relu", "100", "ns", "1.02", "µs", "within", "±1", "µs",
        "inconclusive:", "below", "the", "profiler's", "resolution",
    ]  # fmt: skip


def test_a_time_below_the_clock_s_step_is_no_base_of_a_percentage(qtbot, theme):
    layers = use(0, "conv"), use(1, "dense", "Gemm")
    reports = (
        measured("a", *layers, conv=400, dense=0.2),
        measured("b", *layers, conv=440, dense=4.1),
    )
    profiled = [replace(each, profiling=Profiling(runs=10)) for each in reports]
    made = opened(qtbot, theme, *profiled)
    rows = made.layers.model
    change = rows.column("B change")
    texts = {rows.text(row, rows.column("name")): rows.text(row, change) for row in range(2)}
    assert texts == {"conv": "+10.0%", "dense": ""}


def test_a_hostile_name_stays_in_its_cell(qtbot, theme):
    report = example_report()
    bad: LayerUse = replace(report.layers[0], name="<b>x</b>\x01slower\x01\n" + "y" * 9000)
    made = opened(qtbot, theme, replace(report, layers=(bad, *report.layers[1:])), slower())
    rows = made.layers.model
    row = rows.row_at(0)
    assert row is not None
    name = rows.column("name")
    hint = rows.hint(row, name)
    assert len(rows.text(row, name)) < 400
    card = made.layers
    card.model.show_only(card._places[LayerFilter.SLOWER])
    assert rows.row_at(0) is None, "a name does not make it one of a kind"
    assert "<b>" not in hint


def test_many_reports_show_every_change_where_times_find_no_room(qtbot, theme):
    view = opened(qtbot, theme, example_report(), slower(), slower(), slower())
    view.resize(900, 700)
    columns, card = view.layers.model.columns, view.layers
    qtbot.waitUntil(lambda: card.width() < 900)
    shown = [n for n in range(len(columns)) if not card.table.isColumnHidden(n)]
    keys = {columns[n].key for n in shown}
    assert {"name", "A", "B delta", "C delta", "D delta"} <= keys
    assert sum(card.table.columnWidth(n) for n in shown) < card.width()


def test_cards_end_where_those_of_pages_that_scroll_end(view):
    ends = set()
    for number, page in enumerate((view.layers, view.numbers, view.settings, view.types)):
        view.pages.choose(number)
        card = page if isinstance(page, Card) else page.findChildren(Card)[0]
        QApplication.processEvents()
        ends.add(card.mapTo(view, card.rect().topRight()).x())
        above = view.verdicts.mapTo(view, view.verdicts.rect().bottomLeft()).y()
        assert card.mapTo(view, card.rect().topLeft()).y() - above - 1 == GAP
        if page is card:
            assert card.mapTo(view, card.rect().bottomLeft()).y() > view.height() - 20
    ends.add(view.verdicts.mapTo(view, view.verdicts.rect().topRight()).x())
    assert len(ends) == 1


def test_a_level_is_told_with_what_it_is_the_level_of(qtbot, theme):
    report = example_report()
    bare = replace(report, spec=replace(report.spec, optimization="none"))
    view = opened(qtbot, theme, report, bare)
    assert ", no optimization, " in view.baseline.itemText(1)


def test_many_warnings_leave_the_window_on_the_screen_and_a_click_shows_the_rest(qtbot, theme):
    other = example_report(model=replace(example_report().model, sha256="7" * 64))
    machine = replace(other.environment, cpu="Other", cores=1)
    other = replace(
        other,
        environment=machine,
        spec=replace(other.spec, binding="outputs"),
        surroundings=replace(other.surroundings, others=0.9),
        complete=False,
    )
    made = opened(qtbot, theme, example_report(), other)
    assert made.height() <= 760
    assert made.minimumSizeHint().height() < 700
    hidden = made.comparison.warnings[4:]
    assert hidden
    qtbot.mouseClick(made.verdicts.more, Qt.MouseButton.LeftButton)
    texts = [each.text() for each in made.verdicts.findChildren(QLabel)]
    assert all(warning in texts for warning in hidden)
