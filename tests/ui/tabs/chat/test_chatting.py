"""A conversation: turns, branches, stopping, two models, the room in the context."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from inspector.errors import EngineFailed
from inspector.report.language.generation import StopReason
from inspector.ui.documents.language.chatting import AnswerState, Chatting
from inspector.ui.documents.language.exchange import ChatSettings
from tests.ui.tabs.chat.scripted import Host, ScriptedSpeaker, ScriptedSpeakers, answered, begun


@pytest.fixture
def speaker() -> ScriptedSpeaker:
    return ScriptedSpeaker("Prefill reads the prompt.", "The cache GROWS with it.")


@pytest.fixture
def other() -> ScriptedSpeaker:
    return ScriptedSpeaker("Prefill reads a text.", name="int4")


@pytest.fixture
def chatting(qtbot: QtBot, speaker: ScriptedSpeaker, other: ScriptedSpeaker) -> Chatting:
    return begun(qtbot, speaker, int4=other)


def test_each_question_gets_an_answer_with_all_that_was_said_before(qtbot, chatting, speaker):
    chatting.set_system("Be brief.")
    answered(qtbot, chatting, "Why?")
    answered(qtbot, chatting, "And then?")
    first, second = chatting.turns
    assert first.answer.text == "Prefill reads the prompt."
    assert second.answer.text == "The cache GROWS with it."
    assert speaker.asked[1] == (
        "Be brief.",
        [("Why?", "Prefill reads the prompt."), ("And then?", "")],
        [],
    )
    assert first.tokens == 2
    assert second.answer.whole.generation.stop is StopReason.END_TOKEN


def test_a_stopped_answer_stays_and_goes_on(qtbot, chatting, speaker):
    speaker.gated = True
    chatting.send("Why?")
    qtbot.waitUntil(lambda: chatting.turns[0].answer.state is AnswerState.READING)
    speaker.gate.release()
    qtbot.waitUntil(lambda: len(chatting.turns[0].answer.tokens) == 1)
    chatting.stop()
    qtbot.waitUntil(lambda: chatting.running is None)
    answer = chatting.turns[0].answer
    assert answer.whole.generation.stop is StopReason.STOPPED
    assert answer.text == "Prefill"
    speaker.gated = False
    speaker.script[0] = " is done."
    chatting.go_on()
    qtbot.waitUntil(lambda: chatting.running is None)
    assert answer.text == "Prefill is done."
    assert speaker.asked[-1][2] == [answer.tokens[0].id]


def test_going_on_from_an_alternative_keeps_the_answer_as_a_branch(qtbot, chatting, speaker):
    answered(qtbot, chatting, "Why?")
    first = chatting.turns[0].answer
    other = speaker.id_of(" instead")
    chatting.choose(first, 1)
    qtbot.waitUntil(lambda: other in chatting.pieces)
    speaker.script = [" it waits."]
    chatting.continue_from(first, 1, other)
    qtbot.waitUntil(lambda: chatting.running is None)
    turn = chatting.turns[0]
    assert [each.text for each in turn.answers] == [
        "Prefill reads the prompt.",
        "Prefill instead it waits.",
    ]
    assert speaker.asked[-1][2] == [first.tokens[0].id, other]
    assert turn.answer.tokens[1].probability == 0.2


def test_going_on_while_it_writes_stops_the_answer_first(qtbot, chatting, speaker):
    speaker.gated = True
    chatting.send("Why?")
    speaker.gate.release()
    qtbot.waitUntil(lambda: len(chatting.turns[0].answer.tokens) == 1)
    first = chatting.turns[0].answer
    speaker.gated = False
    chatting.continue_from(first, 0, speaker.id_of(" instead"))
    qtbot.waitUntil(lambda: len(chatting.turns[0].answers) == 2 and not chatting.running)
    assert first.whole.generation.stop is StopReason.STOPPED
    assert chatting.turns[0].answer.forced == 1


def test_a_failure_stays_with_its_answer_and_can_be_tried_again(qtbot, chatting, speaker):
    speaker.failure = EngineFailed("Could not generate text", "memory is full", "Close one.")
    answered(qtbot, chatting, "Why?")
    assert chatting.turns[0].answer.state is AnswerState.FAILED
    assert chatting.turns[0].answer.error.why == "memory is full"
    chatting.again()
    qtbot.waitUntil(lambda: chatting.running is None)
    assert chatting.turns[0].answer.text == "Prefill reads the prompt."
    assert len(chatting.turns[0].answers) == 1


def test_a_second_model_answers_after_the_first(qtbot, chatting, speaker, other):
    chatting.compare_with(Path("int4"))
    qtbot.waitUntil(lambda: chatting.other is other)
    speaker.gated = True
    chatting.send("Why?")
    qtbot.wait(50)
    assert other.asked == []
    for _ in range(9):
        speaker.gate.release()
    qtbot.waitUntil(lambda: chatting.turns[0].other is not None and not chatting.running)
    turn = chatting.turns[0]
    assert turn.other.text == "Prefill reads a text."
    assert other.asked == [(speaker.asked[0])]
    chatting.compare_with(None)
    qtbot.waitUntil(lambda: other.closed)


def test_a_second_model_that_is_added_answers_the_last_question(qtbot, chatting):
    answered(qtbot, chatting, "Why?")
    chatting.compare_with(Path("int4"))
    qtbot.waitUntil(lambda: chatting.turns[0].other is not None and not chatting.running)
    assert chatting.turns[0].other.text == "Prefill reads a text."


def test_a_second_model_that_cannot_answer_says_why(qtbot, chatting):
    answered(qtbot, chatting, "Why?")
    chatting.compare_with(Path("gone"))
    qtbot.waitUntil(lambda: chatting.other_error is not None)
    assert "gone has no tokenizer" in chatting.other_error.why
    assert chatting.compared is None
    assert chatting.turns[0].other is None


def test_the_room_counts_the_draft_and_what_was_said(qtbot, chatting):
    answered(qtbot, chatting, "Why?")
    with qtbot.waitSignal(chatting.counted):
        chatting.set_draft("one two three")
    room = chatting.room
    assert room.limit == 200
    assert room.used == chatting.last.answer.context
    assert room.needed == 13  # the turn, "user" and "model", the draft, a token of the answer
    assert chatting.prompt_text.splitlines()[-2] == "user one two three"


def test_the_oldest_turn_is_left_out_of_the_next_prompt(qtbot, chatting, speaker):
    answered(qtbot, chatting, "Why?")
    chatting.leave_out_oldest()
    answered(qtbot, chatting, "And then?")
    assert speaker.asked[-1][1] == [("And then?", "")]
    assert len(chatting.turns) == 2


def test_another_job_goes_first(qtbot, speaker):
    host = Host()
    chatting = Chatting(host, ScriptedSpeakers(speaker))
    qtbot.waitUntil(lambda: chatting.speaker is not None)
    host.work = "measuring"
    chatting.send("Why?")
    assert chatting.turns == []
    host.work = None
    answered(qtbot, chatting, "Why?")
    assert len(chatting.turns) == 1


def test_settings_go_with_the_next_answer(qtbot, chatting):
    chatting.set_settings(ChatSettings(max_tokens=2))
    answered(qtbot, chatting, "Why?")
    answer = chatting.turns[0].answer
    assert len(answer.tokens) == 2
    assert answer.whole.generation.stop is StopReason.MAX_TOKENS


def test_a_new_chat_forgets_what_was_said(qtbot, chatting, speaker):
    answered(qtbot, chatting, "Why?")
    chatting.new_chat()
    assert (chatting.turns, chatting.number) == ([], 2)
    answered(qtbot, chatting, "Again?")
    assert speaker.asked[-1][1] == [("Again?", "")]


def test_a_model_that_cannot_be_opened_says_why(qtbot):
    class Refusing(ScriptedSpeakers):
        def own(self) -> ScriptedSpeaker:
            raise EngineFailed("Could not chat", "it has no tokenizer")

    chatting = Chatting(Host(), Refusing(ScriptedSpeaker()))
    qtbot.waitUntil(lambda: chatting.error is not None)
    assert chatting.speaker is None
