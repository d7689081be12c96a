"""What all tables of the window have in common: order, filter, keys, copies and columns."""

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot

from inspector.pages.blocks import Column, Row, Side, Table
from inspector.pages.rows import LazyRows
from inspector.ui.widgets.page_table import PageTable, PageTableModel, column_widths, ranks
from inspector.ui.widgets.table import ROW
from inspector.ui.widgets.table_card import FilterField, PageTableCard
from inspector.ui.widgets.theme import Theme
from inspector.wording.values import (
    Count,
    Duration,
    Joined,
    Name,
    Noted,
    Number,
    Spread,
    Tone,
    Toned,
    Value,
)

CONTROL, LEFT = Qt.KeyboardModifier.ControlModifier, Qt.MouseButton.LeftButton
TIP, SAID = Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole
Key = Qt.Key

COLUMNS = (
    Column("fruit", "Fruit", stretch=True),
    Column("color", "Color of the ripe fruit, from outside", keep=2),
    Column("grams", "Grams", Side.RIGHT),
)
FRUITS = (("plum", "blue", 60), ("apple", "red", 150), ("cherry", "red", 8))


def fruits(*columns: Column) -> Table:
    rows = tuple(Row((name, color, Count(grams))) for name, color, grams in FRUITS)
    return Table(columns or COLUMNS, rows, noun="fruit")


def many(count: int) -> Table:
    rows = LazyRows(count, lambda place: Row((f"fruit {place}", "red", Count(place))))
    return Table(COLUMNS, rows, noun="fruit")


def names(model: PageTableModel) -> list[str]:
    return [model.text(row, model.column("fruit")) for row in range(model.rowCount())]


@pytest.fixture
def card(qtbot: QtBot, theme: Theme) -> PageTableCard:
    field = FilterField(theme, "Filter fruits", "Filter by name", 200, 40, 400)
    made = PageTableCard(theme, "Fruits", "Fruits", fruits(), field, first_rows=0, fewest=3)
    qtbot.addWidget(made)
    made.resize(600, 300)
    made.show()
    return made


def copied(qtbot: QtBot, table: PageTable) -> str:
    QGuiApplication.clipboard().setText("nothing")
    qtbot.keyClick(table, Key.Key_C, CONTROL)
    return QGuiApplication.clipboard().text()


def test_a_copy_is_the_row_as_it_is_shown(card, qtbot):
    assert copied(qtbot, card.table) == "nothing", "no row is selected"
    card.table.selectRow(1)
    assert copied(qtbot, card.table) == "apple\tred\t150"
    card.resize(230, 300)
    assert copied(qtbot, card.table) == "apple\t150"


def test_control_with_arrows_sorts_by_each_column_and_by_none(card, qtbot):
    table, model = card.table, card.model
    qtbot.keyClick(table, Key.Key_Down, CONTROL)
    assert model.sorted_column is None, "there is nothing to turn yet"
    sorted_by = []
    for key in (Key.Key_Right, Key.Key_Right, Key.Key_Right, Key.Key_Right, Key.Key_Up):
        qtbot.keyClick(table, key, CONTROL)
        sorted_by.append((model.sorted_column.key, model.downwards, names(model)[0]))
    assert sorted_by == [
        ("fruit", False, "apple"),
        ("color", False, "plum"),
        ("grams", True, "apple"),
        ("grams", True, "apple"),
        ("grams", False, "cherry"),
    ]
    for _ in range(3):
        qtbot.keyClick(table, Key.Key_Left, CONTROL)
    assert model.sorted_column is None
    assert names(model) == ["plum", "apple", "cherry"]


def test_keys_pass_over_columns_that_are_not_shown(card, qtbot):
    card.resize(230, 300)
    for _ in range(2):
        qtbot.keyClick(card.table, Key.Key_Right, CONTROL)
    assert card.model.sorted_column == COLUMNS[2]


def test_the_third_click_on_a_title_brings_the_first_order_back(card, qtbot):
    header = card.table.horizontalHeader()
    found = []
    for _ in range(3):
        qtbot.mouseClick(header.viewport(), LEFT, pos=QPoint(20, ROW // 2))
        found.append(names(card.model))
    first = ["apple", "cherry", "plum"]
    assert found == [first, first[::-1], ["plum", "apple", "cherry"]]


def test_every_title_is_drawn_anew_when_the_order_changes(card, qtbot):
    with qtbot.waitSignal(card.model.headerDataChanged) as changed:
        card.model.sort_by(1)
    assert changed.args == [Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1]


def test_a_table_that_is_always_sorted_only_turns():
    model = PageTableModel(replace(fruits(), sorted_by="fruit"))
    assert (model.sorted_by, model.downwards) == (0, False)
    for expected in (True, False, True):
        model.turn(0)
        assert (model.sorted_by, model.downwards) == (0, expected)


def test_rows_that_have_one_order_are_not_sorted(theme, qtbot):
    table = PageTable(theme, "Fruits", replace(fruits(), fixed=True), first_rows=0)
    qtbot.addWidget(table)
    table.resize(600, 200)
    table.show()
    header = table.horizontalHeader()
    qtbot.mouseClick(header.viewport(), LEFT, pos=QPoint(20, ROW // 2))
    qtbot.keyClick(table, Key.Key_Right, CONTROL)
    assert table.rows.sorted_column is None
    assert names(table.rows) == ["plum", "apple", "cherry"]


def test_a_column_says_which_way_its_first_click_sorts():
    ways = {None: (False, True), True: (True, True), False: (False, False)}
    for falling, (left, right) in ways.items():
        columns = [replace(column, falling=falling) for column in COLUMNS]
        model = PageTableModel(fruits(*columns))
        model.turn(0)
        assert model.downwards is left
        model.turn(2)
        assert model.downwards is right


def test_count_and_selection_follow_order_and_filter(card, qtbot):
    places = list[int]()
    card.chosen.connect(places.append)
    card.table.selectRow(2)
    card.model.turn(0)
    assert card.table.currentIndex().row() == 1
    qtbot.keyClicks(card.filter, "red CHER")
    assert (card.count.text(), names(card.model)) == ("1 of 3 fruits", ["cherry"])
    assert card.table.currentIndex().row() == 0
    card.filter.setText("plum")
    assert not card.table.selectionModel().hasSelection()
    card.filter.clear()
    assert card.table.currentIndex().row() == 1
    assert places == [2]


def test_other_rows_are_sorted_and_filtered_as_those_before(card):
    card.model.pick("red")
    card.model.turn(2)
    rows = (*fruits().rows, Row(("melon", "red", Count(900))))
    card.show_table(replace(fruits(), rows=rows))
    assert names(card.model) == ["melon", "apple", "cherry"]
    assert card.model.total == 4


def test_the_order_stays_with_its_column_where_others_come_and_go(card):
    card.model.turn(2)
    first = Column("bar", "", bar=True)
    rows = tuple(Row((Number(0.5), *row.cells)) for row in fruits().rows)
    card.show_table(Table((first, *COLUMNS), rows))
    assert card.model.sorted_column == COLUMNS[2]
    assert names(card.model) == ["apple", "plum", "cherry"]
    card.show_table(Table(COLUMNS[:1], tuple(Row(row.cells[:1]) for row in fruits().rows)))
    assert card.model.sorted_column is None
    assert names(card.model) == ["plum", "apple", "cherry"]


def test_a_card_may_list_only_some_rows_of_which_a_filter_picks(card):
    card.model.show_only([2, 1])
    assert names(card.model) == ["cherry", "apple"]
    assert (card.model.listed, card.model.total) == (2, 3)
    card.model.pick("red apple")
    assert names(card.model) == ["apple"]
    card.model.pick("plum")
    assert names(card.model) == []
    assert card.table.nothing_picked
    card.model.pick("")
    card.model.turn(2)
    assert names(card.model) == ["apple", "cherry"]
    assert card.model.row_at(0) is None
    card.model.show_only(None)
    assert names(card.model) == ["apple", "plum", "cherry"]


def test_a_noted_cell_is_sorted_spoken_and_found_by_what_it_says_beside_its_text():
    cells: tuple[Value, ...] = (
        Noted("few", "counted by hand", order=3.0),
        Noted(Toned("none", Tone.BAD), order=float("nan"), spoken="nothing at all"),
        Noted("many", order=200.0),
    )
    column = Column("how", "How many", Side.RIGHT)
    model = PageTableModel(Table((column,), tuple(Row((cell,)) for cell in cells)))
    model.turn(0)
    assert [model.text(row, column) for row in range(3)] == ["many", "few", "none"]
    model.turn(0)
    assert [model.text(row, column) for row in range(3)] == ["few", "many", "none"]
    assert "counted by hand" in model.data(model.index(0, 0), TIP)
    assert model.data(model.index(2, 0), SAID) == "nothing at all"
    model.pick("at all")
    assert model.rowCount() == 1
    model.pick("by hand")
    assert model.text(0, column) == "few"


def test_rows_of_a_long_table_are_made_only_where_they_are_shown(qtbot, theme):
    made = list[int]()

    def row(place: int) -> Row:
        made.append(place)
        return Row((Name(f"fruit {place}"), "red", Duration(place)))

    keys = {
        "grams": lambda: np.arange(100_000),
        "fruit": lambda: [str(n) for n in range(10**5)],
    }
    texts = [f"fruit {place}" for place in range(100_000)]
    rows = LazyRows(100_000, row, keys, lambda: texts)
    card = PageTableCard(theme, "Fruits", "Fruits", Table(COLUMNS, rows), first_rows=0)
    qtbot.addWidget(card)
    card.resize(500, 10 * ROW)
    card.show()
    card.grab()
    card.model.turn(2)
    card.model.pick("fruit 99")
    first = COLUMNS[0]
    assert [card.model.text(row, first) for row in (0, 1)] == ["fruit 99999", "fruit 99998"]
    card.model.turn(0)
    assert [card.model.text(row, first) for row in (0, 1)] == ["fruit 10099", "fruit 10199"]
    assert len(made) < 3_000, "most were never asked for"
    assert [each.cells[0] for each in rows[3:5]] == [Name("fruit 3"), Name("fruit 4")]
    assert len(rows) == 100_000


def test_a_row_is_made_once_for_all_its_cells():
    made = list[int]()
    rows = LazyRows(3, lambda place: made.append(place) or Row((str(place),)))
    assert [rows[1].cells for _ in range(5)] == [("1",)] * 5
    assert rows[-1].cells == ("2",)
    assert made == [1, 2]
    with pytest.raises(IndexError):
        rows[3]


def test_what_is_prepared_ahead_is_not_worked_out_again():
    asked = list[str]()

    def keys(key: str) -> list[float]:
        asked.append(key)
        return [3.0, 1.0, 2.0]

    known = {column.key: lambda key=column.key: keys(key) for column in COLUMNS}
    table = Table(COLUMNS, LazyRows(3, fruits().rows.__getitem__, known))
    model = PageTableModel(table)
    model.prepare()
    model.turn(0)
    assert names(model) == ["apple", "cherry", "plum"]
    assert asked == ["fruit", "color", "grams"]
    model.show_table(replace(table, noun="plant"))
    assert asked == ["fruit", "color", "grams", "fruit"], "other rows, other keys"


def test_many_texts_are_ranked_as_one_sort_would():
    texts = [f"{number * 7919 % 20_011:x}" for number in range(20_011)] * 2
    order = sorted(set(texts))
    assert [order[int(rank)] for rank in ranks(texts)] == texts


def test_a_chosen_row_stays_in_view_when_the_table_gets_less_room(qtbot, theme):
    table = PageTable(theme, "Fruits", fruits(), first_rows=0)
    qtbot.addWidget(table)
    table.resize(500, 5 * ROW)
    table.show()
    table.show_row(2)
    table.resize(500, 2 * ROW + 8)
    assert 0 <= table.rowViewportPosition(2) <= table.viewport().height() - ROW


def test_a_button_shows_the_rows_beyond_the_first_while_there_are_any(qtbot, theme):
    field = FilterField(theme, "Filter fruits", "Filter by name", 200)
    card = PageTableCard(theme, "Fruits", "Fruits", many(100), field)
    qtbot.addWidget(card)
    card.show()
    assert card.more_rows.text() == "Show all 100 fruits"
    card.filter.setText("fruit 9")
    assert not card.more_rows.isVisible(), "eleven are shown"
    card.filter.clear()
    qtbot.mouseClick(card.more_rows, LEFT)
    assert not card.more_rows.isVisible()
    assert card.table.height() == ROW * 101


def test_page_keys_move_by_what_is_in_view_where_the_page_scrolls(qtbot, theme):
    area, table = QScrollArea(), PageTable(theme, "Fruits", many(100), first_rows=100)
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


def tinted(widget: PageTable, tint: str) -> int:
    """Return how many pixels of a table have exactly a color."""
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_ARGB32)
    return int((np.frombuffer(image.constBits(), np.uint32) == QColor(tint).rgb()).sum())


def test_a_part_of_a_cell_has_its_own_tone_and_the_rest_that_of_the_row(qtbot, theme):
    def shown(value: Value) -> PageTable:
        table = PageTable(theme, "Fruits", Table(COLUMNS[2:], (Row((value,)),)), first_rows=0)
        qtbot.addWidget(table)
        table.resize(300, 4 * ROW)
        return table

    look = theme.palette
    both = shown(Joined(("before", Toned("behind", Tone.BAD)), " "))
    assert tinted(both, look.bad)
    assert tinted(both, look.text)
    assert not tinted(shown("before behind"), look.bad)


def test_a_bar_has_a_line_from_the_least_to_the_most(qtbot, theme):
    def shown(value: Value) -> PageTable:
        columns = (Column("bar", "", bar=True),)
        table = PageTable(theme, "Fruits", Table(columns, (Row((value,)),)), first_rows=0)
        qtbot.addWidget(table)
        table.resize(100, 4 * ROW)
        return table

    plain, spread = shown(Number(0.5)), shown(Spread(0.5, low=0.2, high=0.9))
    assert tinted(spread, theme.palette.text) > tinted(plain, theme.palette.text) + 20


@pytest.mark.parametrize(
    ("side", "share"), [(Side.LEFT, 0.1), (Side.CENTER, 0.5), (Side.RIGHT, 0.9)]
)
def test_a_text_stands_on_the_side_of_its_column(qtbot, theme, side, share):
    table = PageTable(
        theme, "Fruits", Table((Column("grams", "", side),), (Row(("I",)),)), first_rows=0
    )
    qtbot.addWidget(table)
    table.resize(600, 4 * ROW)
    image = table.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    bits = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width())
    row = bits[ROW + 6 : 2 * ROW - 4]
    dark = np.flatnonzero(((row & 0xFF) < 170).any(0))
    assert abs(dark.mean() / image.width() - share) < 0.12


def test_columns_that_would_be_cut_get_spare_room_before_the_rest_is_shared():
    columns = (*COLUMNS, Column("why", "Why", stretch=True))
    assert column_widths(columns, (200, 100, 60, 800), 1000) == (200, 100, 60, 640)
    assert column_widths(columns, (200, 100, 60, 300), 1000) == (370, 100, 60, 470)
    assert column_widths(columns, (200, 500, 60, 300), 1000) == (200, 440, 60, 300)
    assert column_widths(columns, (200, 100, 60, 300), 300) == (120, 0, 60, 120)


def test_an_empty_table_says_why_and_has_no_head(qtbot, theme):
    table = PageTable(theme, "Fruit", first_rows=0)
    qtbot.addWidget(table)
    table.empty_text = "No fruit yet."
    table.show_table(Table(COLUMNS, ()))
    assert table.accessibleDescription() == "No fruit yet."
    assert table.horizontalHeader().isHidden()
    table.show_table(Table(COLUMNS, (Row(FRUITS[0]),)))
    assert not table.accessibleDescription()
    assert not table.horizontalHeader().isHidden()
