"""The conversation on the screen: typed, sent, stopped, clicked and compared."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from inspector.errors import EngineFailed
from inspector.ui.documents.language.chatting import Chatting
from inspector.ui.tabs.chat import token_pane
from inspector.ui.tabs.chat.page import ChatPage
from inspector.ui.tabs.chat.shades import ColorBy
from inspector.ui.tabs.chat.token_pane import AlternativeList
from inspector.ui.tabs.chat.token_view import TokenView
from inspector.ui.widgets.theme import Theme
from tests.ui.tabs.chat.scripted import ScriptedSpeaker, begun

LEFT = Qt.MouseButton.LeftButton
ENTER, ESCAPE = Qt.Key.Key_Return, Qt.Key.Key_Escape
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def speaker() -> ScriptedSpeaker:
    return ScriptedSpeaker("Prefill reads the prompt.", "The cache GROWS with it.")


@pytest.fixture
def chatting(qtbot: QtBot, speaker: ScriptedSpeaker) -> Chatting:
    return begun(qtbot, speaker, int4=ScriptedSpeaker("Prefill reads a text.", name="int4"))


@pytest.fixture
def page(qtbot: QtBot, theme: Theme, chatting: Chatting) -> ChatPage:
    made = ChatPage(theme, chatting)
    qtbot.addWidget(made)
    made.resize(900, 800)
    made.show()
    return made


def asked(qtbot: QtBot, page: ChatPage, text: str) -> TokenView:
    """Type a question and send it; return the answer as it is shown in the end."""
    qtbot.keyClicks(page.composer.text, text)
    qtbot.keyClick(page.composer.text, ENTER)
    qtbot.waitUntil(lambda: page.chatting.running is None)
    return shown(page)[-1]


def shown(page: ChatPage) -> list[TokenView]:
    return [each for each in page.area.widget().findChildren(TokenView) if each.isVisible()]


def words(widget: QWidget) -> str:
    return "\n".join(each.text() for each in widget.findChildren(QLabel) if each.isVisible())


def pane(qtbot: QtBot, page: ChatPage) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.setFixedWidth(296)
    token_pane.fill(QVBoxLayout(made), page._theme, page.chatting)
    made.show()
    return made


def test_what_is_typed_is_sent_with_enter_and_answered(qtbot, page, speaker):
    qtbot.keyClicks(page.composer.text, "Why")
    qtbot.keyClick(page.composer.text, ENTER, SHIFT)
    view = asked(qtbot, page, "so?")
    assert speaker.asked[0][1] == [("Why\nso?", "")]
    assert view.text == "Prefill reads the prompt."
    assert page.composer.text.toPlainText() == ""
    assert "5 tokens · first token 40.0 ms" in words(page)
    assert "stopped at end token" in words(page)


def test_nothing_is_sent_without_words(qtbot, page, speaker):
    qtbot.keyClicks(page.composer.text, "  ")
    qtbot.keyClick(page.composer.text, ENTER)
    assert not page.composer.send.isEnabled()
    assert speaker.asked == []


def test_an_empty_chat_offers_prompts_to_click(qtbot, page, speaker):
    offers = [
        each for each in page.area.findChildren(QPushButton) if each.property("role") == "offer"
    ]
    assert len(offers) == 3
    text = offers[0].text()
    qtbot.mouseClick(offers[0], LEFT)
    qtbot.waitUntil(lambda: page.chatting.running is None and bool(speaker.asked))
    assert speaker.asked[0][1][0][0] == text


def test_stop_stands_where_send_stands_and_esc_stops(qtbot, page, speaker):
    speaker.gated = True
    qtbot.keyClicks(page.composer.text, "Why?")
    qtbot.mouseClick(page.composer.send, LEFT)
    assert page.composer.stop.isVisible()
    assert not page.composer.send.isVisible()
    speaker.gate.release()
    qtbot.waitUntil(lambda: bool(shown(page)) and shown(page)[0].item_count() == 1)
    qtbot.keyClicks(page.composer.text, "next")
    qtbot.keyClick(page.composer.text, ENTER)  # kept until the answer has ended
    qtbot.keyClick(page.composer.text, ESCAPE)
    qtbot.waitUntil(lambda: page.chatting.running is None)
    assert page.composer.text.toPlainText() == "next"
    assert page.composer.send.isVisible()
    assert "stopped by you" in words(page)
    (go_on,) = [b for b in page.findChildren(QPushButton) if b.text() == "Continue"]
    assert go_on.isVisible()


def test_a_click_on_a_token_shows_its_details(qtbot, page):
    view = asked(qtbot, page, "Why?")
    with qtbot.waitSignal(page.detail_changed):
        qtbot.mouseClick(view, LEFT, pos=view.item_box(1).center())
    text = words(pane(qtbot, page))
    for part in ("␣reads", "Token 2 of 5", "95.0", "most probable of 500", "0.400 bits"):
        assert part in text, part
    assert "40.0" in text
    assert "at context 11" in text


def test_the_layers_of_a_token_are_timed_again_on_request(qtbot, page, speaker):
    view = asked(qtbot, page, "Why?")
    qtbot.mouseClick(view, LEFT, pos=view.item_box(1).center())
    before = pane(qtbot, page)
    qtbot.mouseClick(timing_button(before), LEFT)
    qtbot.waitUntil(lambda: page.chatting.layers.get(10) is not None)
    assert speaker.timed == [10]  # the token stands at context 11: its step had 10 before it
    details = pane(qtbot, page)
    text = words(details)
    for part in ("timed again: 50.0 ms", "9.00 ms", "18.0%", "further layers", "between"):
        assert part in text, part
    assert timing_button(details) is None
    qtbot.mouseClick(view, LEFT, pos=view.item_box(0).center())
    prompt = pane(qtbot, page)
    assert timing_button(prompt) is None  # it was computed with the prompt


def timing_button(details: QWidget) -> QPushButton | None:
    buttons = details.findChildren(QPushButton)
    return next((each for each in buttons if "layers" in each.text()), None)


def test_an_alternative_is_continued_by_the_keyboard(qtbot, page, speaker):
    view = asked(qtbot, page, "Why?")
    qtbot.mouseClick(view, LEFT, pos=view.item_box(1).center())
    qtbot.waitUntil(lambda: bool(page.chatting.pieces))
    details = pane(qtbot, page)
    others = details.findChild(AlternativeList)
    assert others.item_name(0) == "␣instead, 20.0%"
    speaker.script = [" it waits."]
    qtbot.keyClick(others, ENTER)
    qtbot.waitUntil(lambda: len(page.chatting.turns[0].answers) == 2)
    qtbot.waitUntil(lambda: page.chatting.running is None)
    assert shown(page)[-1].text == "Prefill instead it waits."


def test_only_the_last_answer_is_colored_until_an_older_one_is_clicked(qtbot, page):
    asked(qtbot, page, "Why?")
    asked(qtbot, page, "And then?")
    first, second = shown(page)
    assert (first.color_by, second.color_by) == (ColorBy.OFF, ColorBy.PROBABILITY)
    qtbot.mouseClick(first, LEFT, pos=first.item_box(0).center())
    assert first.color_by is ColorBy.PROBABILITY


def test_a_failed_answer_says_why_and_can_be_tried_again(qtbot, page, speaker):
    speaker.failure = EngineFailed("Could not generate text", "memory is full", "Close one.")
    qtbot.keyClicks(page.composer.text, "Why?")
    qtbot.keyClick(page.composer.text, ENTER)
    qtbot.waitUntil(lambda: page.chatting.running is None and bool(speaker.asked))
    assert "Could not generate text: memory is full" in words(page)
    (again,) = [b for b in page.findChildren(QPushButton) if b.text() == "Try again"]
    qtbot.mouseClick(again, LEFT)
    qtbot.waitUntil(lambda: page.chatting.running is None)
    assert shown(page)[-1].text == "Prefill reads the prompt."


def test_two_answers_stand_side_by_side_and_d_goes_to_where_they_part(qtbot, page, chatting):
    asked(qtbot, page, "Why?")
    assert page.other.currentText() == "int4"
    qtbot.mouseClick(page.compare, LEFT)
    qtbot.waitUntil(lambda: chatting.last.other is not None and chatting.running is None)
    left, right = shown(page)
    assert left.mapTo(page, left.pos()).y() == right.mapTo(page, right.pos()).y()
    assert page.title.text() == "int8 and int4 agree on the first 2 tokens"
    assert "differs from token 3 on" in words(page)
    assert (left.first_difference, right.first_difference) == (2, 2)
    qtbot.keyClick(page, Qt.Key.Key_D)
    assert left.current_item() == 2
    text = words(pane(qtbot, page))
    assert "first difference" not in text  # a badge, which is painted
    assert "A 95.0%" in text
    assert "B 95.0%" in text
    asked(qtbot, page, "And then?")
    assert len(shown(page)) == 3  # only the last one splits


def test_a_prompt_that_is_too_long_cannot_be_sent_until_turns_are_left_out(
    qtbot, page, chatting
):
    asked(qtbot, page, "Why?")
    page.composer.text.setPlainText("word " * 195)
    qtbot.waitUntil(lambda: chatting.room.needed > chatting.room.limit)
    assert not page.composer.send.isEnabled()
    assert "too many" in page.composer.room.text()
    qtbot.mouseClick(page.composer.shorten, LEFT)
    qtbot.waitUntil(lambda: page.composer.send.isEnabled())
    assert "Left out" in words(page)


def test_settings_reach_the_conversation(qtbot, page, chatting):
    page.settings.most.setValue(12)
    qtbot.mouseClick(page.settings.way, LEFT, pos=page.settings.way.item_box(1).center())
    page.settings.temperature.setText("0.5")
    qtbot.keyClick(page.settings.temperature, ENTER)
    page.settings.seed.setValue(3)
    settings = chatting.settings
    assert settings.max_tokens == 12
    assert (settings.sampling.temperature, settings.sampling.seed) == (0.5, 3)
    page.settings.temperature.setText("hot")
    qtbot.keyClick(page.settings.temperature, ENTER)
    assert chatting.settings.sampling.temperature == 0.5
    qtbot.mouseClick(page.settings.way, LEFT, pos=page.settings.way.item_box(0).center())
    assert chatting.settings.sampling.temperature == 0


def test_the_system_text_is_edited_in_its_line_and_the_prompt_as_sent_is_shown(
    qtbot, page, chatting
):
    qtbot.mouseClick(page.system.turn, LEFT)
    qtbot.keyClicks(page.system.field, "Be brief.")
    qtbot.waitUntil(lambda: "Be brief." in page.system.prompt.toPlainText())
    assert chatting.system == "Be brief."
    assert page.system.field.hasFocus()


def test_the_template_can_be_edited_and_left_out(qtbot, page, chatting, speaker):
    qtbot.mouseClick(page.system.turn, LEFT)
    assert page.system.template.toPlainText() == "ChatML"
    page.system.template.setPlainText("")
    qtbot.waitUntil(lambda: speaker.template == "")
    qtbot.waitUntil(lambda: "no chat template" in page.title.text())
    page.system.template.setPlainText("Mine")
    qtbot.waitUntil(lambda: speaker.template == "Mine" and chatting.is_chat)
    qtbot.waitUntil(lambda: "no chat template" not in page.title.text())


def test_a_model_without_a_template_continues_texts(qtbot, theme):
    chatting = begun(qtbot, ScriptedSpeaker(" there was.", template=""))
    page = ChatPage(theme, chatting)
    qtbot.addWidget(page)
    page.show()
    assert "no chat template" in page.title.text()
    asked(qtbot, page, "Once")
    assert "Text" in words(page)
    assert "You" not in words(page)


def test_a_new_chat_is_empty_and_can_be_written_to(qtbot, page, chatting):
    asked(qtbot, page, "Why?")
    qtbot.mouseClick(page.settings.new, LEFT)
    assert chatting.turns == []
    asked(qtbot, page, "Why?")
    qtbot.keyClick(page.composer.text, Qt.Key.Key_N, CONTROL)
    assert chatting.turns == []
    assert shown(page) == []
    assert page.composer.text.hasFocus()


def test_all_fits_in_a_narrow_window(qtbot, page):
    asked(qtbot, page, "Why?")
    page.resize(640, 560)
    qtbot.waitUntil(lambda: page.width() == 640)
    view = shown(page)[-1]
    assert view.width() > 400
    assert page.composer.send.mapTo(page, page.composer.send.rect().bottomRight()).x() < 640


def test_language_and_translation_are_offered_for_speech_alone(qtbot, theme, page, speaker):
    bar = page.settings
    assert not bar.language.isVisible()
    speaker.languages, speaker.translates = ("en", "de"), True
    page.chatting.changed.emit()
    assert bar.language.isVisible()
    bar.language.setCurrentIndex(bar.language.findData("de"))
    bar.language.activated.emit(2)
    bar.translated.click()
    assert (page.chatting.settings.language, page.chatting.settings.translated) == ("de", True)
    assert asked(qtbot, page, "Hello").tokens
    assert (bar.language.value, bar.translated.isChecked()) == ("de", True)
