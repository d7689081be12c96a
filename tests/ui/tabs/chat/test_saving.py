"""Conversations in files: as they were, as the command prints them, and damaged ones."""

import json
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from inspector.app.language.conversations import read_conversation
from inspector.errors import BadInput, UnreadableFile
from inspector.report.language.conversation import SCHEMA, Conversation, decode
from inspector.report.language.generation import Sampling, StopReason
from inspector.ui.documents.language.chatting import Answer, Chatting
from inspector.ui.documents.language.exchange import ChatSettings
from inspector.ui.documents.language.saving import (
    ChatKeeper,
    conversation_of,
    show_conversation,
)
from inspector.ui.tabs.chat.page import ChatPage
from inspector.ui.tabs.chat.settings_bar import SettingsBar
from inspector.ui.widgets.theme import Theme
from tests.ui.tabs.chat.scripted import ScriptedSpeaker, answered, begun

FACTS = ("text", "tokens", "pieces", "special", "context", "forced", "state")


@pytest.fixture
def chatting(qtbot: QtBot) -> Chatting:
    """Two turns; the last answer was left for another token, and another model answered."""
    speaker = ScriptedSpeaker("Prefill reads it.", "The cache GROWS with it.", "shrinks.")
    made = begun(qtbot, speaker, int4=ScriptedSpeaker("The cache grows.", name="int4"))
    made.set_system("Be brief.")
    made.set_settings(ChatSettings(64, Sampling(0.7, 5, 0.9, 3)))
    answered(qtbot, made, "Why?")
    answered(qtbot, made, "And then?")
    answer = made.last.answer
    made.continue_from(answer, 2, answer.tokens[2].alternatives[0].id)
    qtbot.waitUntil(lambda: made.running is None)
    made.compare_with(Path("int4"))
    qtbot.waitUntil(lambda: made.last.other is not None and made.running is None)
    return made


def facts(answer: Answer) -> list[object]:
    whole = answer.whole
    return [*(getattr(answer, name) for name in FACTS), whole.perplexity, whole.used,
            whole.generation.tokens_per_second, whole.generation.stop]  # fmt: skip


def test_a_conversation_is_opened_as_it_was_and_goes_on(qtbot, chatting, tmp_path):
    path = tmp_path / "chat.json"
    path.write_bytes(conversation_of(chatting, "cpu")().encode())
    speaker = ScriptedSpeaker("Because.")
    again = begun(qtbot, speaker)
    show_conversation(again, read_conversation(path))
    assert (again.system, again.settings) == (chatting.system, chatting.settings)
    for before, after in zip(chatting.turns, again.turns, strict=True):
        assert (before.prompt, before.tokens) == (after.prompt, after.tokens)
        assert list(map(facts, before.answers)) == list(map(facts, after.answers))
    assert len(again.turns[1].answers) == 2
    assert facts(again.turns[1].other) == facts(chatting.turns[1].other)
    answered(qtbot, again, "Really?")
    system, said, _ = speaker.asked[0]
    assert system == "Be brief."
    assert said == [*((t.prompt, t.answer.text) for t in chatting.turns), ("Really?", "")]


def test_a_file_of_the_command_has_texts_of_earlier_answers(qtbot, chatting, theme):
    body = json.loads(conversation_of(chatting)().encode())
    del body["turns"]  # as `inspector chat --json` and earlier versions write
    assert [each["role"] for each in body["messages"]] == [
        "system", "user", "assistant", "user",
    ]  # fmt: skip
    again = begun(qtbot, ScriptedSpeaker())
    show_conversation(again, decode(json.dumps(body).encode(), "chat.json"))
    first, last = again.turns
    assert (first.answer.text, first.answer.tokens) == (chatting.turns[0].answer.text, [])
    assert facts(last.answer) == facts(chatting.turns[1].answer)
    page = ChatPage(theme, again)
    qtbot.addWidget(page)
    page.show()
    views = {view.answer: view for view in page._views.values()}
    assert views[first.answer].plain.isVisible()
    assert not views[last.answer].plain.isVisible()


def test_a_list_of_messages_is_a_conversation_that_goes_on(qtbot, theme, tmp_path):
    path = tmp_path / "messages.json"
    texts = ("system", "Be brief."), ("user", "Hi"), ("assistant", "Hello."), ("user", "Why?")
    path.write_text(json.dumps([{"role": role, "content": text} for role, text in texts]))
    speaker = ScriptedSpeaker("Because.")
    again = begun(qtbot, speaker)
    page = ChatPage(theme, again)
    qtbot.addWidget(page)
    page.show()
    show_conversation(again, read_conversation(path))
    assert [turn.prompt for turn in again.turns] == ["Hi", "Why?"]
    assert again.settings == ChatSettings()
    answered(qtbot, again, "Really?")
    system, said, _ = speaker.asked[0]
    assert system == "Be brief."
    assert said[0] == ("Hi", "Hello.")
    assert said[-1] == ("Really?", "")
    path.write_text('[{"role": "user"}]')
    with pytest.raises(BadInput, match="lacks a text"):
        read_conversation(path)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"schema": "report/9"}, "schema"),
        ({"answers": 1}, "answers"),
        ({"settings": {"top_k": -1}}, "top_k"),
        ({"turns": [{"prompt": "a", "answers": [{"model": "m"}]}]}, "missing"),
    ],
)
def test_what_is_no_conversation_is_refused_in_one_sentence(change, says, chatting, tmp_path):
    body = json.loads(conversation_of(chatting)().encode()) | change
    path = tmp_path / "chat.json"
    path.write_text(json.dumps(body))
    with pytest.raises(UnreadableFile, match=says):
        read_conversation(path)


def test_probabilities_and_kept_tokens_are_checked(chatting):
    body = json.loads(conversation_of(chatting)().encode())
    body["turns"][0]["answers"][0]["tokens"][0]["probability"] = 1.5
    with pytest.raises(UnreadableFile, match="probability"):
        decode(json.dumps(body).encode(), "chat.json")
    body["turns"][0]["answers"][0]["tokens"] = []
    body["turns"][0]["answers"][0]["kept"] = 3
    with pytest.raises(UnreadableFile, match="kept"):
        decode(json.dumps(body).encode(), "chat.json")


def test_a_conversation_is_kept_while_it_goes_on(qtbot, tmp_path):
    speaker = ScriptedSpeaker("One.", "Two.", "Three.")
    chatting = begun(qtbot, speaker)
    keeper = ChatKeeper(chatting, tmp_path, "", lambda: "cpu")
    answered(qtbot, chatting, "A?")
    file = tmp_path / f"{keeper.name}.json"
    qtbot.waitUntil(file.is_file)
    first = keeper.name
    chatting.new_chat()
    assert keeper.name == ""
    answered(qtbot, chatting, "B?")
    assert keeper.name not in ("", first)
    speaker.gated = True
    chatting.send("C?")
    qtbot.waitUntil(lambda: chatting.running.prompt_tokens > 0)
    speaker.gate.release()
    qtbot.waitUntil(lambda: len(chatting.running.tokens) == 1)
    keeper.close()  # the window closes while an answer is written
    speaker.gated = False
    chatting.close()
    kept = read_conversation(tmp_path / f"{keeper.name}.json")
    assert [turn.prompt for turn in kept.turns] == ["B?", "C?"]
    assert kept.turns[1].answers[0].text == "Three"
    assert kept.turns[1].answers[0].stop == StopReason.STOPPED
    assert isinstance(read_conversation(file), Conversation)
    assert SCHEMA in file.read_text("utf-8")
    again = begun(qtbot, ScriptedSpeaker())
    ChatKeeper(again, tmp_path, keeper.name, lambda: "cpu")
    qtbot.waitUntil(lambda: bool(again.turns))
    assert [turn.prompt for turn in again.turns] == ["B?", "C?"]


def test_a_name_from_a_session_stays_in_the_folder(qtbot, tmp_path):
    (tmp_path / "outside.json").write_text("{}")
    chatting = begun(qtbot, ScriptedSpeaker())
    keeper = ChatKeeper(chatting, tmp_path / "chats", "../outside", lambda: "cpu")
    with qtbot.waitSignal(keeper.failed):
        pass
    assert keeper.name == ""


def test_all_settings_of_chance_stand_in_one_line(qtbot, theme: Theme):
    bar = SettingsBar(theme)
    qtbot.addWidget(bar)
    bar.resize(884, 40)  # the page at 1440 with both panes
    bar.show()
    low = bar.heightForWidth(884)
    bar.way.choose(1)
    bar._switch()
    assert bar.seed.isVisible()
    assert bar.heightForWidth(884) == low
    bar.resize(820, 40)
    assert (bar.new.text(), bar.new.accessibleName()) == ("", "New chat")
