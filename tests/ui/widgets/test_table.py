"""What all tables that draw themselves have in common: order, filter, keys and copies."""

from collections.abc import Sequence
from enum import StrEnum

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot

from inspector.ui.widgets.table import ROW, Cells, Table
from inspector.ui.widgets.table_card import FilterField, TableCard
from inspector.ui.widgets.table_model import Keys, TableModel, ranks
from inspector.ui.widgets.theme import Theme, font

CONTROL, LEFT = Qt.KeyboardModifier.ControlModifier, Qt.MouseButton.LeftButton
Key = Qt.Key


class What(StrEnum):
    FRUIT = "Fruit"
    COLOUR = "Colour"
    GRAMS = "Grams"

    @property
    def numeric(self) -> bool:
        return self is What.GRAMS

    @property
    def largest_first(self) -> bool:
        return self is What.GRAMS


FRUITS = (("plum", "blue", "60"), ("apple", "red", "150"), ("cherry", "red", "8"))
COLUMNS = tuple(What)


class Fruits(TableModel[What]):
    """Three fruits."""

    def text(self, row: int, column: What) -> str:
        return FRUITS[self.place_of(row)][COLUMNS.index(column)]

    def keys(self, column: What) -> Keys:
        texts = [fruit[COLUMNS.index(column)] for fruit in FRUITS]
        return ranks([f"{int(text):9}" for text in texts] if column.numeric else texts)

    def haystack(self) -> Sequence[str]:
        return [" ".join(fruit) for fruit in FRUITS]

    def names(self) -> list[str]:
        return [self.text(row, What.FRUIT) for row in range(self.rowCount())]


class FruitCells(Cells[What]):
    """Writes the row's number."""

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: What, chosen: bool
    ) -> None:
        painter.setFont(font(12))
        self.draw_text(painter, box, str(row), self._theme.palette.text, column)


class FruitCard(TableCard):
    """Remembers which fruit was chosen."""

    def __init__(self, theme: Theme, model: Fruits) -> None:
        table = Table(theme, "Fruits", model, FruitCells(theme, model))
        field = FilterField(theme, "Filter fruits", "Filter by name", 200, 90, 400)
        super().__init__(theme, table, "Fruits", field, 3)
        self.model, self.chosen = model, -1
        self.refresh()

    def widths(self, room: int) -> tuple[int, ...]:
        return (room - 160, 80, 80) if room > 500 else (room - 80, 0, 80)

    def counted(self) -> str:
        return f"{self.model.rowCount()} of {self.model.total}"

    def selected_row(self) -> int | None:
        return self.model.row_at(self.chosen)

    def choose_row(self, row: int) -> None:
        self.chosen = self.model.place_of(row)


@pytest.fixture
def card(qtbot: QtBot, theme: Theme) -> FruitCard:
    made = FruitCard(theme, Fruits(COLUMNS, 3))
    qtbot.addWidget(made)
    made.resize(600, 300)
    made.show()
    return made


def copied(qtbot: QtBot, table: Table) -> str:
    QGuiApplication.clipboard().setText("nothing")
    qtbot.keyClick(table, Key.Key_C, CONTROL)
    return QGuiApplication.clipboard().text()


def test_a_copy_is_the_row_as_it_is_shown(card: FruitCard, qtbot: QtBot) -> None:
    assert copied(qtbot, card.table) == "nothing", "no row is selected"
    card.table.selectRow(1)
    assert copied(qtbot, card.table) == "apple\tred\t150"
    card.resize(450, 300)
    assert copied(qtbot, card.table) == "apple\t150"


def test_control_with_arrows_sorts_by_each_column_and_by_none(
    card: FruitCard, qtbot: QtBot
) -> None:
    table, model = card.table, card.model
    qtbot.keyClick(table, Key.Key_Down, CONTROL)
    assert model.sorted_column is None, "there is nothing to turn yet"
    sorted_by = []
    for key in (Key.Key_Right, Key.Key_Right, Key.Key_Right, Key.Key_Right, Key.Key_Up):
        qtbot.keyClick(table, key, CONTROL)
        sorted_by.append((model.sorted_column, model.downwards, model.names()[0]))
    assert sorted_by == [
        (What.FRUIT, False, "apple"),
        (What.COLOUR, False, "plum"),
        (What.GRAMS, True, "apple"),
        (What.GRAMS, True, "apple"),
        (What.GRAMS, False, "cherry"),
    ]
    for _ in range(3):
        qtbot.keyClick(table, Key.Key_Left, CONTROL)
    assert model.sorted_column is None
    assert model.names() == ["plum", "apple", "cherry"]


def test_keys_pass_over_columns_that_are_not_shown(card: FruitCard, qtbot: QtBot) -> None:
    card.resize(450, 300)
    for _ in range(2):
        qtbot.keyClick(card.table, Key.Key_Right, CONTROL)
    assert card.model.sorted_column is What.GRAMS


def test_the_third_click_on_a_title_brings_the_first_order_back(
    card: FruitCard, qtbot: QtBot
) -> None:
    header = card.table.horizontalHeader()
    found = []
    for _ in range(3):
        qtbot.mouseClick(header.viewport(), LEFT, pos=QPoint(20, ROW // 2))
        found.append(card.model.names())
    first = ["apple", "cherry", "plum"]
    assert found == [first, first[::-1], ["plum", "apple", "cherry"]]


def test_every_title_is_drawn_anew_when_the_order_changes(
    card: FruitCard, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(card.model.headerDataChanged) as changed:
        card.model.sort_by(1)
    assert changed.args == [Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1]


def test_a_table_that_is_always_sorted_only_turns() -> None:
    model = Fruits(COLUMNS, 3, sorted_by=0)
    for expected in (True, False, True):
        model.turn(0)
        assert (model.sorted_by, model.downwards) == (0, expected)


def test_count_and_selection_follow_order_and_filter(card: FruitCard, qtbot: QtBot) -> None:
    card.table.selectRow(2)
    card.model.turn(0)
    assert card.table.currentIndex().row() == 1
    qtbot.keyClicks(card.filter, "red CHER")
    assert (card.count.text(), card.model.names()) == ("1 of 3", ["cherry"])
    assert card.table.currentIndex().row() == 0
    card.filter.setText("plum")
    assert not card.table.selectionModel().hasSelection()
    card.filter.clear()
    assert card.table.currentIndex().row() == 1
    assert card.chosen == 2


def test_what_becomes_other_is_sorted_and_filtered_anew(card: FruitCard) -> None:
    card.model.pick("red")
    card.model.turn(0)
    card.model.start_over(2)
    assert card.model.names() == ["apple"]
    assert card.model.total == 2


def test_many_texts_are_ranked_as_one_sort_would() -> None:
    texts = [f"{number * 7919 % 20_011:x}" for number in range(20_011)] * 2
    order = sorted(set(texts))
    assert [order[int(rank)] for rank in ranks(texts)] == texts


def test_what_is_prepared_ahead_is_forgotten_where_a_column_changed(qtbot: QtBot) -> None:
    class Counting(Fruits):
        asked = 0

        def keys(self, column: What) -> Keys:
            self.asked += 1
            return super().keys(column)

    rows = Counting(COLUMNS, len(FRUITS))
    rows.prepare()
    rows.turn(0)
    assert rows.names() == ["apple", "cherry", "plum"]
    assert rows.asked == 3
    rows.forget(What.GRAMS)
    rows.prepare()
    assert rows.asked == 4


def test_a_chosen_row_stays_in_view_when_the_table_gets_less_room(
    qtbot: QtBot, theme: Theme
) -> None:
    model = Fruits(COLUMNS, 3)
    table = Table(theme, "Fruits", model, FruitCells(theme, model))
    qtbot.addWidget(table)
    table.resize(500, 5 * ROW)
    table.show()
    table.show_row(2)
    table.resize(500, 2 * ROW + 8)
    assert 0 <= table.rowViewportPosition(2) <= table.viewport().height() - ROW


class Numbers(Fruits):
    """A hundred rows."""

    def text(self, row: int, column: What) -> str:
        return str(row)


def test_page_keys_move_by_what_is_in_view_where_the_page_scrolls(
    qtbot: QtBot, theme: Theme
) -> None:
    model, area = Numbers(COLUMNS, 100), QScrollArea()
    table = Table(theme, "Numbers", model, FruitCells(theme, model))
    table.lay_flat(100)
    area.setWidget(table)
    qtbot.addWidget(area)
    area.resize(300, 10 * ROW)
    area.show()
    page = area.viewport().height() // ROW - 1  # the last row of a page is the next one's first
    table.show_row(50)
    moved = []
    for key in (Key.Key_PageDown, Key.Key_PageUp, Key.Key_PageUp):
        qtbot.keyClick(table, key)
        moved.append(table.currentIndex().row())
    assert moved == [50 + page, 50, 50 - page]
    table.show_row(98)
    qtbot.keyClick(table, Key.Key_PageDown)
    assert table.currentIndex().row() == 99
    table.show_row(1)
    qtbot.keyClick(table, Key.Key_PageUp)
    assert table.currentIndex().row() == 0
    area.resize(300, 10)
    qtbot.keyClick(table, Key.Key_PageDown)
    assert table.currentIndex().row() == 1
