from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from inspector.analysis.facts import model_facts
from inspector.model.model import Layer, Model, TensorInfo
from inspector.pages.model import file
from inspector.pages.model.layers import layer_table
from inspector.preview.identity import CERTAIN, Evidence, Identity
from inspector.preview.outputs.labels import ClassNames
from inspector.ui.documents.document import Document, Topic, Work
from inspector.ui.selection import Selection
from inspector.ui.tabs.overview.cards import IdentityCard
from inspector.ui.tabs.overview.layer_list import LayerList
from inspector.ui.tabs.overview.tab import NumbersRow, OverviewTab
from inspector.ui.tabs.overview.value_cards import ValueCard
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.page_table import PageTableModel
from inspector.ui.widgets.page_view import SectionCard, TextLine
from inspector.ui.widgets.parts import Card
from inspector.ui.widgets.table_card import ShowMoreButton
from inspector.ui.widgets.theme import Theme
from tests.ui.made_documents import KeepingEngine, document, opened


@pytest.fixture
def digits(qtbot: QtBot, samples: Path) -> Document:
    return opened(qtbot, samples / "digits_float32.onnx")


@pytest.fixture
def tab(qtbot: QtBot, theme: Theme, digits: Document) -> OverviewTab:
    return shown(qtbot, OverviewTab(theme, digits))


def shown(qtbot: QtBot, widget: OverviewTab) -> OverviewTab:
    qtbot.addWidget(widget)
    widget.resize(916, 822)
    widget.show()
    return widget


def words(widget: QWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel))


def shown_in(model: PageTableModel, key: str) -> list[str]:
    """Return the texts of a column."""
    return [model.text(row, model.column(key)) for row in range(model.rowCount())]


def with_model(qtbot: QtBot, theme: Theme, digits: Document, model: Model) -> OverviewTab:
    digits.model, digits.facts = model, model_facts.facts(model)
    return shown(qtbot, OverviewTab(theme, digits))


def test_the_overview_tells_what_the_file_says_of_itself(tab):
    told = words(tab)
    for fact in ("Handwritten digits", "ai.onnx 17"):  # fmt: skip
        assert fact in told
    (row,) = tab.findChildren(NumbersRow)
    ((_, _, stored_in),) = row.parameters.numbers
    assert stored_in == "18 tensors"


def test_the_overview_begins_with_what_the_model_is(tab):
    (card,) = tab.findChildren(IdentityCard)
    assert card.headline.text() == "Image classifier: 10 classes (0, 1, 2, ...)"
    assert card.details.text().startswith("8 × 8 grayscale image, Inspector sample")
    shown = words(card)
    assert shown.count("Certain") == 5
    assert "Output probabilities (batch × 10) comes from Softmax" in shown
    others = [c for c in tab.findChildren(Card) if c is not card and not c.isHidden()]
    assert card.mapTo(tab, QPoint()).y() < min(c.mapTo(tab, QPoint()).y() for c in others)


def test_a_long_statement_leaves_room_for_its_reason(qtbot, theme):
    made_by = Evidence("origin", "made by " + "x" * 300, CERTAIN, "Producer in the file")
    card = IdentityCard(theme, Identity("Unknown task", "", "", "", (made_by,)))
    qtbot.addWidget(card)
    card.resize(780, 300)
    card.show()
    reason = next(each for each in card.findChildren(QLabel) if "Producer" in each.text())
    assert reason.height() < 2 * reason.fontMetrics().lineSpacing(), "in one line"


def test_assumed_class_names_can_be_undone_and_changed_in_the_overview(qtbot, theme, digits):
    assert digits.model is not None
    inputs = (TensorInfo("x", "tensor", "float32", (1, 3, 224, 224)),)
    outputs = (TensorInfo("y", "tensor", "float32", (1, 1000)),)
    model = replace(digits.model, inputs=inputs, outputs=outputs, metadata=())
    tab = with_model(qtbot, theme, digits, model)

    def headline() -> str:
        qtbot.waitUntil(lambda: len(tab.findChildren(IdentityCard)) == 1)
        return tab.findChildren(IdentityCard)[0].headline.text()

    def press(name: str) -> None:
        (card,) = tab.findChildren(IdentityCard)
        (pressed,) = [b for b in card.findChildren(QPushButton) if b.text() == name]
        qtbot.mouseClick(pressed, Qt.MouseButton.LeftButton)

    assert headline() == "Image classifier: 1,000 classes (assumed ImageNet)"
    press("Use numbers")
    assert digits.class_names == ClassNames()
    assert headline() == "Image classifier: 1,000 classes"
    press("Restore")
    assert headline() == "Image classifier: 1,000 classes (assumed ImageNet)"
    press("Change…")
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    next(each for each in menu.actions() if each.text() == "ImageNet · 1,000").trigger()
    menu.close()
    assert headline() == "Image classifier: 1,000 classes (ImageNet)"


def test_the_wheel_over_the_layers_scrolls_the_page_until_a_row_is_chosen(qtbot, tab):
    tab.resize(1100, 500)
    tab.show()
    qtbot.waitExposed(tab)
    tab.activateWindow()
    table = tab.layers.table
    middle = QPointF(table.viewport().rect().center())

    def taken(turn: int) -> bool:
        event = QWheelEvent(
            middle, table.viewport().mapToGlobal(middle), QPoint(), QPoint(0, turn),
            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        table.wheelEvent(event)
        return event.isAccepted()

    bar = tab.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    tab.setFocus()
    table.setFixedHeight(80)  # so that it has rows to scroll to
    bar.setValue(bar.maximum() // 2)
    assert not taken(-120)
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    assert taken(-120)


def test_names_that_a_model_has_offer_no_change(tab):
    (card,) = tab.findChildren(IdentityCard)
    buttons = (each for each in card.findChildren(QPushButton) if not each.isHidden())
    assert [each.text().strip() for each in buttons] == ["Check", "Try your own image"]


def test_a_file_that_is_being_read_says_so_and_then_shows_itself(qtbot, theme, samples):
    model = document(samples / "digits_float32.onnx", KeepingEngine())
    tab = shown(qtbot, OverviewTab(theme, model))
    with qtbot.waitSignals([model.changed(Topic.MODEL), model.changed(Topic.DIGEST)]):
        model.open()
        assert model.work is Work.OPENING
        assert words(tab) == "Opening digits_float32.onnx…"
    qtbot.waitUntil(lambda: tab.layers is not None)


def test_the_digest_comes_later_and_can_be_copied_whole(qtbot, theme, digits):
    digest, digits.digest = digits.digest, ""
    tab = shown(qtbot, OverviewTab(theme, digits))
    line = tab.about.digest
    assert line.value.text() == "Computing…"
    assert not line.copy.isEnabled()
    digits.digest = digest
    digits.tell(Topic.DIGEST)
    assert line.value.text() == f"{digest[:12]}…"
    qtbot.mouseClick(line.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == digest


def test_a_click_on_an_operator_shows_its_layers(qtbot, tab):
    bars = next(
        view for view in tab.findChildren(ChartView) if view.accessibleName() == "Operators"
    )
    qtbot.mouseClick(bars, Qt.MouseButton.LeftButton, pos=bars.box_of("Conv").center())
    assert shown_in(tab.layers.model, "operator") == ["Conv"] * 3


def test_three_hundred_inputs_are_folded_until_asked_for(qtbot, theme, digits):
    assert digits.model is not None
    many = tuple(TensorInfo(f"input_{i}", "tensor", "float32", (1, i)) for i in range(300))
    tab = with_model(qtbot, theme, digits, replace(digits.model, inputs=many))
    card = tab.findChildren(ValueCard)[0]
    before = card.lines.height()
    more = card.findChild(QPushButton)
    assert more.text() == "Show all 300 inputs"
    qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    assert card.lines.height() == before // 8 * 300


def test_markup_in_a_file_stays_text(qtbot, theme, digits):
    assert digits.model is not None
    evil = "<h1>Trusted</h1><img src='x'>"
    model = replace(digits.model, doc=evil, producer=evil, metadata=((evil, evil),))
    tab = with_model(qtbot, theme, digits, model)
    found = [label for label in tab.findChildren(QLabel) if "<h1>" in label.text()]
    assert len(found) >= 4
    assert all(label.textFormat() is Qt.TextFormat.PlainText for label in found)


def test_a_long_metadata_value_opens_below_its_line(qtbot, theme, digits):
    assert digits.model is not None
    model = replace(digits.model, doc="", metadata=(("short", "1"), ("long", "x" * 30_000)))
    (section, _) = file.texts(model)
    card = SectionCard(theme, section)
    qtbot.addWidget(card)
    card.show()
    short, long = card.findChildren(TextLine)
    assert short.turn.isHidden()
    qtbot.mouseClick(long.turn, Qt.MouseButton.LeftButton)
    field = long.findChild(QPlainTextEdit)
    assert field.toPlainText().endswith("10,000 more characters")
    qtbot.mouseClick(long.turn, Qt.MouseButton.LeftButton)
    assert field.isHidden()


def layer(index: int, name: str, operator: str = "Relu", parent: int | None = None) -> Layer:
    return Layer(index, name, operator, "", (f"in_{index}",), (f"out_{index}",), parent=parent)


def test_a_row_in_the_list_and_the_selection_are_one(qtbot, tab, digits):
    table = tab.layers.table
    table.selectRow(4)
    assert digits.selection.now.layer == 4
    digits.selection.choose(layer=9)
    assert table.currentIndex().row() == 9
    qtbot.keyClicks(tab.layers.filter, "relu")
    assert not table.currentIndex().isValid()
    assert digits.selection.now.layer == 9
    tab.layers.filter.clear()
    assert table.currentIndex().row() == 9


def test_the_filter_finds_words_of_name_and_operator(qtbot, tab):
    qtbot.keyClicks(tab.layers.filter, "block1 conv")
    assert shown_in(tab.layers.model, "layer") == ["block1/conv"]
    assert "1 of 15" in words(tab.layers)


def test_the_filter_understands_the_search_language(qtbot, tab):
    rows = tab.layers.model
    tab.layers.filter.setText("Conv -> BatchNormalization")
    assert {*shown_in(rows, "operator")} == {"Conv", "BatchNormalization"}
    tab.layers.filter.setText("Conv ->")
    assert rows.rowCount() == rows.total
    assert "on both sides of '->'" in words(tab.layers)
    tab.layers.filter.clear()
    assert "on both sides" not in words(tab.layers)


def test_layers_of_subgraphs_know_how_deep_they_lie(digits):
    assert digits.model is not None
    layers = (layer(0, "if", "If"), layer(1, "a", parent=0), layer(2, "loop", "Loop", 0),
              layer(3, "b", parent=2), layer(4, "last"))  # fmt: skip
    rows = PageTableModel(layer_table(replace(digits.model, layers=layers)))
    assert [rows.row(i).depth for i in range(5)] == [0, 1, 1, 2, 0]
    assert rows.in_order
    rows.turn(rows.place("layer"))
    assert not rows.in_order, "rows in another order are not indented"


def test_a_row_tells_where_values_go_and_of_what_type(digits):
    assert digits.model is not None
    known = TensorInfo("out_0", "tensor", "float16", (1, "n", None))
    model = replace(digits.model, layers=(layer(0, ""), layer(1, "b")), values=(known,))
    rows = PageTableModel(layer_table(model))
    assert [rows.text(0, column) for column in rows.columns] == [
        "0", "Relu 0", "Relu", "in_0 → out_0", "float16 1×n×?",
    ]  # fmt: skip
    assert rows.text(1, rows.column("outputs")) == ""


def test_a_hundred_thousand_layers_are_listed_and_searched(qtbot, theme, digits):
    assert digits.model is not None
    many = tuple(layer(i, f"/block{i // 100}/node_{i}") for i in range(100_000))
    model = replace(digits.model, layers=many)
    rows = LayerList(theme, model, Selection()).model
    rows.pick("block77/ node_77")
    assert rows.rowCount() == 100
    assert rows.row_at(7_777) == 77


def test_the_menu_of_a_layer_copies_its_name_filters_and_shows_it_elsewhere(qtbot, tab, ran):
    qtbot.waitUntil(lambda: tab.layers is not None)
    actions = {each.text(): each for each in tab.layers.row_menu.menu(1).actions()}
    actions["Copy name"].trigger()
    assert QGuiApplication.clipboard().text() == shown_in(tab.layers.model, "layer")[1]
    actions["Show in graph"].trigger()
    assert ran == [("tab/graph",)]
    actions["Filter to op:Conv"].trigger()
    assert {*shown_in(tab.layers.model, "operator")} == {"Conv"}


@pytest.mark.parametrize(("total", "shown"), [(10, None), (11, 11), (12, None)])
def test_one_line_more_is_shown_rather_than_a_button_for_it(qtbot, total, shown):
    told = list[int]()
    made = ShowMoreButton(total, 10, "entries", told.append)
    qtbot.addWidget(made)
    assert told == ([] if shown is None else [shown])
    assert made.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide) is (total < 12)
