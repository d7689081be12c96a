"""Tokens as running text: lines, what is below the pointer, keys, colors, ten thousand."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot

from inspector.ui.tabs.chat import shades
from inspector.ui.tabs.chat.shades import ColorBy
from inspector.ui.tabs.chat.token_view import LINE_PX, TokenView, shown_piece
from inspector.ui.widgets.theme import Theme
from tests.ui.tabs.chat.scripted import pieces_of, token

LEFT = Qt.MouseButton.LeftButton
TEXT = "A long conversation fills the cache: each new token attends to all earlier tokens."


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> TokenView:
    made = TokenView(theme, "Answer")
    qtbot.addWidget(made)
    made.resize(260, 300)
    made.show()
    return made


def fill(view: TokenView, text: str, **unsure: float) -> None:
    pieces = pieces_of(text)
    tokens = [
        token(n, probability=unsure.get(piece.strip(), 0.95)) for n, piece in enumerate(pieces)
    ]
    view.show_tokens(tokens, pieces)


def middle(view: TokenView, place: int) -> QPoint:
    return view.item_box(place).center()


def test_each_token_is_found_where_it_is_drawn(view):
    fill(view, TEXT)
    assert view.heightForWidth(260) > LINE_PX
    found = [view.token_at(middle(view, n)) for n in range(view.item_count())]
    assert found == [*range(view.item_count())]
    assert view.token_at(QPoint(255, view.heightForWidth(260) + 5)) == -1


def test_a_token_that_is_added_changes_no_line_before_it(view):
    pieces = pieces_of(TEXT)
    for n, piece in enumerate(pieces):
        view.add([token(n)], [piece])
    grown = [view.item_box(n) for n in range(len(pieces))]
    fill(view, TEXT)
    assert [view.item_box(n) for n in range(len(pieces))] == grown


def test_a_narrower_view_has_more_lines(view):
    fill(view, TEXT)
    heights = []
    for width in (130, 260, 2000):
        view.resize(width, 300)
        heights.append(view.heightForWidth(width))
    assert heights[0] > heights[1] > heights[2] == LINE_PX


def test_a_click_and_keys_choose_tokens(view, qtbot):
    fill(view, TEXT, cache=0.3, all=0.1)
    pieces = pieces_of(TEXT)
    chosen: list[int] = []
    view.chosen.connect(chosen.append)
    qtbot.mouseClick(view, LEFT, pos=middle(view, 2))
    qtbot.keyClick(view, Qt.Key.Key_Right)
    qtbot.keyClick(view, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert pieces[chosen[-1]] == " cache"
    qtbot.keyClick(view, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert pieces[chosen[-1]] == " all"
    qtbot.keyClick(view, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert pieces[chosen[-1]] == " all"  # no further one
    qtbot.keyClick(view, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(view, Qt.Key.Key_Left)
    qtbot.keyClick(view, Qt.Key.Key_Home)
    qtbot.keyClick(view, Qt.Key.Key_End)
    last = len(pieces) - 1
    cache, every = pieces.index(" cache"), pieces.index(" all")
    assert chosen == [2, 3, cache, every, cache, cache - 1, 0, last]


def test_copying_takes_the_text_without_what_is_no_text(view, qtbot):
    view.show_tokens([token(0), token(1), token(2)], ["Hi", " there", "<|end|>"], [2])
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "Hi there"


def test_line_breaks_begin_lines_and_can_be_chosen(view):
    view.show_tokens([token(n) for n in range(3)], ["One", "\n", "Two"])
    assert view.item_box(2).top() - view.item_box(0).top() == LINE_PX
    assert view.token_at(middle(view, 1)) == 1


def test_an_answer_cannot_draw_over_others():
    assert shown_piece("\x1b[2J\u202egnp\t") == "\\u001b[2J\\u202egnp⇥"
    assert shown_piece("a\n\nb") == "a⏎\n⏎\nb"


def test_a_token_without_text_has_no_place_and_does_no_harm(view):
    view.show_tokens([token(n) for n in range(3)], ["", "", "é"])
    assert view.item_box(0).isNull()
    assert view.token_at(middle(view, 2)) == 2


@pytest.mark.parametrize(
    ("by", "values", "strengths"),
    [
        (ColorBy.PROBABILITY, (0.95, 0.9, 0.6, 0.5, 0.2, 0.05), (0, 0, 1, 1, 2, 3)),
        (ColorBy.ENTROPY, (0.1, 0.5, 1.6, 3.5), (0, 1, 2, 3)),
        (ColorBy.TIME, (40, 47, 65, 90), (0, 1, 2, 3)),
        (ColorBy.OFF, (0.01,), (0,)),
    ],
)
def test_shades_follow_what_tokens_are_colored_by(by, values, strengths):
    field = {ColorBy.ENTROPY: "entropy", ColorBy.TIME: "step_ms"}.get(by, "probability")
    tokens = [token(**{field: value}) for value in values]
    assert [shades.shade(each, by, 40e6) for each in tokens] == [*strengths]


def colors(view: TokenView) -> set[str]:
    image = view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    return {
        image.pixelColor(x, y).name()
        for x in range(0, image.width(), 2)
        for y in range(0, image.height(), 2)
    }


def test_sure_tokens_have_no_color_and_others_do(view, theme):
    fill(view, "all is sure")
    strong = shades.color(theme.palette, 3).lower()
    assert strong not in colors(view)
    fill(view, "all is unclear", unclear=0.05)
    assert strong in colors(view)
    view.color_tokens(ColorBy.OFF)
    assert strong not in colors(view)


@pytest.fixture
def long(qtbot: QtBot, theme: Theme) -> TokenView:
    area = QScrollArea()
    qtbot.addWidget(area)
    area.setWidgetResizable(True)
    made = TokenView(theme, "Answer")
    area.setWidget(made)
    area.resize(500, 300)
    area.show()
    made.area = area  # lives as long
    fill(made, " word" * 10_000)
    return made


def test_ten_thousand_tokens_lay_out_one_line_each_time(long, monkeypatch):
    lines = []
    lay_out = long._line
    monkeypatch.setattr(
        long, "_line", lambda text, begin: lines.append(begin) or lay_out(text, begin)
    )
    long.add([token(0)], [" more"])
    assert 1 <= len(lines) <= 2
    assert long.token_at(middle(long, 10_000)) == 10_000


def test_tokens_that_come_together_are_laid_out_once(long, monkeypatch):
    """A fast model writes hundreds of tokens in the time of a picture."""
    before, lines = long.heightForWidth(long.width()) // LINE_PX, []
    lay_out = long._line
    monkeypatch.setattr(
        long, "_line", lambda text, begin: lines.append(begin) or lay_out(text, begin)
    )
    long.add([token(0)] * 500, [" word"] * 500, [10_499])
    more = long.heightForWidth(long.width()) // LINE_PX - before
    assert more > 10
    assert len(lines) <= more + 2
    assert long.special == {10_499}
    assert long.token_at(middle(long, 10_400)) == 10_400


def test_a_picture_asks_each_line_once_where_its_tokens_are(long, monkeypatch):
    image = QImage(480, 300, QImage.Format.Format_RGB32)
    long.color_tokens(ColorBy.ENTROPY)  # all are shaded
    for each in range(len(long.tokens)):
        long.tokens[each] = replace(long.tokens[each], entropy_bits=2.0)
    long.render(image)
    asked = []
    boxes = long._boxes_in
    monkeypatch.setattr(long, "_boxes_in", lambda *place: asked.append(place) or boxes(*place))
    long.render(image)
    assert not asked
    long.color_tokens(ColorBy.PROBABILITY)
    long.color_tokens(ColorBy.ENTROPY)
    long.end()  # another median: times are colored by it
    long.color_tokens(ColorBy.TIME)
    long.render(image)
    assert not asked  # none is slow: nothing is colored


def test_many_blanks_wrap(view):
    pieces = ["a", *" " * 400, "c"]
    view.show_tokens([token(n) for n in range(len(pieces))], pieces)
    assert view.heightForWidth(260) > 4 * LINE_PX
    assert all(view.item_box(n).right() < 300 for n in range(view.item_count()))
    found = [view.token_at(middle(view, n)) for n in (1, 40, 200, 400, 401)]
    assert found == [1, 40, 200, 400, 401]
