"""The mouse and the keyboard in any chart, and what a screen reader is told."""

from functools import partial

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from inspector.pages.blocks import Chart
from inspector.pages.charts.drawing import Box, Drawing
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.theme import Theme

Key = Qt.Key
COLUMNS, ROWS = 2, 3


def grid(width: float) -> Drawing:
    boxes = tuple(
        Box(100 + 90 * x, 20 + 50 * y, 80, 40, "accent", title=f"cell {y} {x}", key=f"{y} {x}")
        for y in range(ROWS)
        for x in range(COLUMNS)
    )
    return Drawing("cells", width, 180, boxes)


def dots(number: int, width: float) -> Drawing:
    boxes = (
        Box(20 + 31 * n, 10 + 7 * n % 40, 4, 4, "cpu", 1, f"dot {n}", 2, key=str(n))
        for n in range(number)
    )
    return Drawing("dots", width, 80, tuple(boxes))


class Shown:
    """A chart in a window that follows the choice; `chosen` are the keys it told of."""

    def __init__(self, qtbot: QtBot, theme: Theme, chart: Chart, by_return: bool) -> None:
        self.chosen, self.passed_on = list[str](), list[int]()
        self._qtbot, self.window = qtbot, QWidget()
        self.window.keyPressEvent = lambda event: self.passed_on.append(event.key())
        self.view = ChartView(theme, chart, by_return)
        QVBoxLayout(self.window).addWidget(self.view)
        qtbot.addWidget(self.window)
        self.view.chosen.connect(self.chosen.append)
        self.window.resize(600, 300)
        self.window.show()

    def press(self, key: Qt.Key, place: str = "") -> str:
        """Press a key where a box is chosen; return the key of the box it leads to."""
        self.chosen.clear()
        self.view.choose(place)
        self._qtbot.keyClick(self.view, key)
        return self.chosen[-1] if self.chosen else ""


@pytest.fixture
def cells(qtbot: QtBot, theme: Theme) -> Shown:
    return Shown(qtbot, theme, Chart("cells", grid, "Cells"), by_return=False)


@pytest.mark.parametrize(
    ("key", "across", "down"),
    [(Key.Key_Left, -1, 0), (Key.Key_Right, 1, 0), (Key.Key_Up, 0, -1), (Key.Key_Down, 0, 1)],
)
def test_an_arrow_key_goes_one_cell_and_stops_at_the_edge(cells, key, across, down):
    for row in range(ROWS):
        for column in range(COLUMNS):
            y, x = min(max(row + down, 0), ROWS - 1), min(max(column + across, 0), COLUMNS - 1)
            assert cells.press(key, f"{row} {column}") == f"{y} {x}"


@pytest.mark.parametrize("key", [Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down])
def test_the_first_arrow_key_chooses_the_first_box(cells, key):
    assert cells.press(key) == cells.press(key, "of another chart") == "0 0"


def test_other_keys_choose_nothing_and_reach_the_window(cells):
    assert cells.press(Key.Key_A, "1 1") == ""
    assert cells.passed_on == [Key.Key_A]


def test_a_click_chooses_the_box_below_the_pointer_and_only_one(qtbot, cells):
    assert cells.view.box_of("0 0").size() == QSize(80, 40), "drawn for this width, not scaled"
    for row in range(ROWS):
        for column in range(COLUMNS):
            cells.chosen.clear()
            middle = cells.view.box_of(f"{row} {column}").center()
            qtbot.mouseClick(cells.view, Qt.MouseButton.LeftButton, pos=middle)
            assert cells.chosen == [f"{row} {column}"]
    qtbot.mouseClick(cells.view, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))
    assert len(cells.chosen) == 1


def test_arrows_reach_every_dot_and_return_chooses_it(qtbot, theme):
    shown = Shown(qtbot, theme, Chart("dots", partial(dots, 5), "Dots"), by_return=True)
    for number in range(5):
        qtbot.keyClick(shown.view, Key.Key_Right)
        assert shown.view.accessibleDescription() == f"dot {number}"
    assert not shown.chosen
    qtbot.keyClick(shown.view, Key.Key_Return)
    assert shown.chosen == ["4"]


def test_what_is_chosen_stays_so_where_another_chart_has_it(cells):
    cells.view.choose("2 1")
    cells.view.show_chart(Chart("cells", grid, "Other cells"))
    assert cells.view.current_item() == 5
    cells.view.show_chart(Chart("dots", partial(dots, 5), "Dots"))
    assert cells.view.current_item() == -1


def test_a_screen_reader_is_told_of_every_box(cells):
    assert cells.view.accessibleName() == "Cells"
    names = [cells.view.item_name(n) for n in range(cells.view.item_count())]
    assert names[:2] == ["cell 0 0", "cell 0 1"]
    assert cells.view.rect().contains(cells.view.item_box(5))
