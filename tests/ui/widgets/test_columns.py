import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from inspector.ui.widgets.layouts import Columns, balanced


@pytest.mark.parametrize(
    ("heights", "columns", "longest"),
    [([370, 190, 340, 290, 80, 80], 2, 710), ([100, 100, 100], 3, 100), ([50], 1, 50)],
)
def test_cards_are_dealt_out_evenly(heights, columns, longest):
    chosen = balanced(heights, columns)
    ends = [
        sum(h for h, c in zip(heights, chosen, strict=True) if c == i) for i in range(columns)
    ]
    assert max(ends) <= longest


def test_many_cards_are_dealt_out_one_by_one():
    assert sorted(balanced([10] * 40, 2)) == [0] * 20 + [1] * 20


def page(qtbot: QtBot, heights: list[int]) -> tuple[QWidget, list[QWidget]]:
    whole, cards = QWidget(), [QWidget() for _ in heights]
    layout = Columns(whole)
    for card, height in zip(cards, heights, strict=True):
        card.setMinimumHeight(height)
        layout.addWidget(card)
    qtbot.addWidget(whole)
    return whole, cards


def test_columns_end_on_one_line_and_keep_their_gaps(qtbot):
    whole, cards = page(qtbot, [200, 100, 40])
    whole.resize(820, 600)
    whole.show()
    boxes = [card.geometry() for card in cards]
    assert [box.x() for box in boxes] == [0, 416, 416]
    assert boxes[2].y() - boxes[1].bottom() == 13
    assert boxes[0].bottom() == boxes[2].bottom()


def test_a_narrow_page_has_one_column(qtbot):
    whole, cards = page(qtbot, [200, 100])
    whole.resize(500, 600)
    whole.show()
    assert [card.geometry().x() for card in cards] == [0, 0]
    assert cards[0].width() == 500


def test_the_card_after_the_first_ones_stands_below_the_shortest_of_them():
    assert balanced([400, 300, 200, 700, 10], 2)[:3] == (0, 1, 1)
    assert balanced([300, 400, 200, 10, 700], 2)[:3] == (0, 1, 0)
