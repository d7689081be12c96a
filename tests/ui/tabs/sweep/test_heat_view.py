"""The keyboard in the map of a sweep, at its edges, too."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from inspector.analysis.measured.sweep_results import best as best_of
from inspector.report.sweep import CellIndex
from inspector.ui.tabs.sweep.heat_map_card import CellCard, HeatView
from inspector.ui.widgets.theme import Theme
from tests.sweeps import costs, planned, round_of

Key = Qt.Key
COLUMNS, ROWS = 2, 3  # optimisation levels, numbers of threads


class Pressed:
    """A map in a window that follows the choice as the Sweep view does."""

    def __init__(self, qtbot: QtBot, theme: Theme) -> None:
        self._qtbot, self.passed_on = qtbot, list[int]()
        self.window = QWidget()
        self.window.keyPressEvent = lambda event: self.passed_on.append(event.key())  # type: ignore[method-assign]
        self.view = HeatView(theme)
        QVBoxLayout(self.window).addWidget(self.view)
        qtbot.addWidget(self.window)
        self.view.chosen.connect(self.view.show_place)
        self.window.resize(600, 300)
        self.window.show()

    def press(self, key: Qt.Key, place: CellIndex | None = None) -> CellIndex | None:
        """Press a key where a place is chosen; return the place that is chosen then."""
        self.view.show_place(place)
        self._qtbot.keyClick(self.view, key)
        return self.view.place


@pytest.fixture
def pressed(qtbot: QtBot, theme: Theme) -> Pressed:
    made = Pressed(qtbot, theme)
    sweep = planned()
    for number, cell in enumerate(sweep.cells):
        sweep = sweep.measured(cell.at, round_of(1e6 * (number + 1)))
    made.view.show_slice(sweep, (0, 0), across=1, down=0)
    return made


@pytest.mark.parametrize(
    ("key", "across", "down"),
    [(Key.Key_Left, -1, 0), (Key.Key_Right, 1, 0), (Key.Key_Up, 0, -1), (Key.Key_Down, 0, 1)],
)
def test_an_arrow_key_goes_one_cell_and_stops_at_the_edge(
    pressed: Pressed, key: Qt.Key, across: int, down: int
) -> None:
    for row in range(ROWS):
        for column in range(COLUMNS):
            wanted = (
                min(max(row + down, 0), ROWS - 1),
                min(max(column + across, 0), COLUMNS - 1),
            )
            assert pressed.press(key, (row, column)) == wanted


@pytest.mark.parametrize("key", [Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down])
def test_the_first_arrow_key_chooses_the_first_cell(pressed: Pressed, key: Qt.Key) -> None:
    assert pressed.press(key) == (0, 0)
    assert pressed.press(key, (7, 7)) == (0, 0), "a place of another sweep"


def test_other_keys_choose_nothing_and_reach_the_window(pressed: Pressed) -> None:
    assert pressed.press(Key.Key_A, (1, 1)) == (1, 1)
    assert pressed.passed_on == [Key.Key_A]


def test_an_arrow_key_in_an_empty_map_reaches_the_window(qtbot: QtBot, theme: Theme) -> None:
    empty = Pressed(qtbot, theme)
    assert empty.press(Key.Key_Down) is None
    assert empty.passed_on == [Key.Key_Down]


def test_a_click_chooses_the_cell_below_the_pointer_and_only_one(
    qtbot: QtBot, pressed: Pressed
) -> None:
    chosen: list[CellIndex] = []
    pressed.view.chosen.connect(chosen.append)
    for row in range(ROWS):
        for column in range(COLUMNS):
            middle = pressed.view._box(column, row).center().toPoint()
            qtbot.mouseClick(pressed.view, Qt.MouseButton.LeftButton, pos=middle)
            assert chosen == [(row, column)]
            chosen.clear()
    qtbot.mouseClick(pressed.view, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))
    assert chosen == []


def test_titles_of_rows_have_room_only_where_there_are_rows(pressed: Pressed) -> None:
    assert pressed.view._box(0, 0).x() >= 56
    pressed.view.show_slice(planned(), (0, 0), across=0, down=None)
    assert [len(cells) for cells in pressed.view.cells] == [ROWS]
    assert pressed.view._box(0, 0).x() == 0


def test_the_chosen_cell_is_described_with_its_time(pressed: Pressed) -> None:
    pressed.press(Key.Key_Right, (0, 0))
    assert pressed.view.accessibleDescription().endswith("all: 1.99 ms")


@pytest.mark.parametrize(("rounds", "sure"), [(2, False), (4, True)])
def test_the_gain_of_a_cell_is_shown_with_its_interval_or_not_at_all(
    qtbot: QtBot, theme: Theme, rounds: int, sure: bool
) -> None:
    card, sweep = CellCard(theme), planned(rounds=rounds)
    qtbot.addWidget(card)
    for number in range(rounds):
        for cell in sweep.cells:
            sweep = sweep.measured(cell.at, round_of(costs(sweep.spec_of(cell)), number))
    best = best_of(sweep)
    assert best is not None
    card.show_cell(sweep, best)
    text = card.words.text()
    assert ("95% CI" in text) is sure
    assert ("%" in text) is sure, "no percentage without an interval"
    assert "default settings" in text
