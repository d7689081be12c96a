"""A folder that is one language model, in the window: its parts, and Chat for Preview."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QSettings, Qt, QUrl
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from inspector.app.language.continuation import continue_text
from inspector.engine.client.engine import Engine
from inspector.preview.runs.generation import Generated, Token
from inspector.ui.documents.language.chatting import Answer
from inspector.ui.documents.language.exchange import ChatSettings
from inspector.ui.documents.workspace import Workspace
from inspector.ui.tabs.chat.token_view import TokenView
from inspector.ui.tabs.overview.tab import OverviewTab
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.commands import listing
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.sidebar import ENTRY, part_rows
from inspector.ui.window.tabs import TABS, Tab, place_of
from sample_models.making.decoder import DecoderSize
from tests.formats.test_litertlm import usual as litert_lm_bundle
from tests.language_folders import (
    LISTENER,
    encoder_decoder_folder,
    genai_folder,
    optimum_folder,
    transformers_js_folder,
)
from tests.preview.families import planted
from tests.ui.made_documents import open_in_window

LEFT = Qt.MouseButton.LeftButton
ENTER = Qt.Key.Key_Return


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return genai_folder(tmp_path_factory.mktemp("models") / "tiny.v1")


@pytest.fixture(scope="module")
def variants(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return transformers_js_folder(tmp_path_factory.mktemp("models") / "variants")


def opened(qtbot: QtBot, window: MainWindow, path: Path) -> MainWindow:
    open_in_window(qtbot, window, path)
    return window


def rows(window: MainWindow) -> list[str]:
    model = window.sidebar.list.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def click_row(qtbot: QtBot, window: MainWindow, title: str, last: bool = False) -> None:
    found = [n for n, text in enumerate(rows(window)) if text == title]
    view = window.sidebar.list
    index = view.model().index(found[-1 if last else 0], 0)
    qtbot.mouseClick(view.viewport(), LEFT, pos=view.visualRect(index).center())


def test_a_folder_opens_as_one_entry_with_its_parts(qtbot, window, folder):
    document = opened(qtbot, window, folder).document
    assert document.name == "tiny.v1"
    assert document.path == folder / "model.onnx"
    assert document.reopen_path == folder
    assert document.folder.layout
    assert rows(window) == ["Open models", "tiny.v1", "decoder", "tokenizer"]
    qtbot.waitUntil(lambda: document.opened_folder is not None)
    stored = sum((folder / name).stat().st_size for name in ("model.onnx", "model.onnx.data"))
    (part, tokenizer), _ = part_rows(document)
    assert f"{stored / 1024:.3g}" in part.below
    assert (part.level, tokenizer.level) == (1, 1)
    assert window.workspace.recent == (folder,)
    window.workspace.open(folder / "genai_config.json")  # the same model
    assert window.workspace.documents == (document,)


def test_variants_are_listed_and_open_by_a_click(qtbot, window, variants):
    opened(qtbot, window, variants)
    assert rows(window)[2:] == ["decoder", "tokenizer", "Variants", "float32", "float16", "q4"]
    click_row(qtbot, window, "q4")
    qtbot.waitUntil(lambda: window.document.path.name == "model_q4.onnx")
    assert len(window.workspace.documents) == 2
    click_row(qtbot, window, "float32")  # the main one is the folder's own graph
    assert window.document.reopen_path == variants


def test_chat_stands_in_the_place_of_preview(qtbot, window, folder, samples):
    opened(qtbot, window, folder)
    place = place_of(Tab.CHAT)
    assert TABS[place] is Tab.PREVIEW
    assert window.top_bar.tabs.item_name(place) == "Chat"
    qtbot.waitUntil(lambda: window.top_bar.menu_button.menu() is not None)  # and the keys
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier)
    assert window.view.current is Tab.CHAT
    assert window.top_bar.tabs.current == place
    window.run_command("tab/preview", True)
    assert window.view.current is Tab.PREVIEW
    opened(qtbot, window, samples / "digits_float32.onnx")
    qtbot.waitUntil(lambda: window.document.name == "digits_float32.onnx")
    assert window.top_bar.tabs.item_name(place) == "Preview"
    assert listing.find("tab/chat").why_not(window) == "This model does not generate text"


def test_a_decoder_file_in_such_a_folder_can_be_chatted_with(qtbot, window, folder):
    document = opened(qtbot, window, folder / "model.onnx").document
    assert document.name == folder.name  # nobody tells models by "model.onnx"
    assert document.is_language_model
    assert rows(window) == ["Open models", folder.name]


def test_a_damaged_folder_says_so_in_one_sentence(qtbot, window, tmp_path):
    broken = genai_folder(tmp_path / "broken")
    (broken / "model.onnx").unlink()
    with qtbot.waitSignal(window.workspace.failed) as failed:
        window.workspace.open(broken)
    assert "model.onnx" in failed.args[0].why
    assert window.workspace.documents == ()


def test_the_sample_has_prompts_of_its_own(qtbot, window, samples):
    opened(qtbot, window, samples / "alice")
    page = window.opened_tab(Tab.CHAT).page
    qtbot.waitUntil(lambda: page.chatting.speaker is not None)
    offers = [b.text() for b in page.findChildren(QPushButton) if b.property("role") == "offer"]
    assert "The Queen turned" in offers
    assert len(offers) == 3


@pytest.fixture
def real_window(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Iterator[MainWindow]:
    """A window whose engines are real ones."""
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    made = MainWindow(theme, Workspace(settings))
    qtbot.addWidget(made)
    made.show()
    yield made
    made.close()


def test_a_question_is_answered_token_by_token_and_stopped(qtbot, real_window, folder):
    window = opened(qtbot, real_window, folder)
    window.run_command("tab/chat")
    page = window.view.tab(Tab.CHAT).page
    qtbot.waitUntil(lambda: page.chatting.speaker is not None)
    page.settings.most.setValue(12)
    qtbot.keyClicks(page.composer.text, "Hello")
    qtbot.keyClick(page.composer.text, ENTER)
    qtbot.waitUntil(lambda: page.chatting.running is None and bool(page.chatting.turns))
    answer = page.chatting.turns[0].answer
    assert answer.error is None
    assert len(answer.tokens) == len(answer.whole.generation.tokens) == 12
    assert [each.id for each in answer.tokens] == [
        each.id for each in answer.whole.generation.tokens
    ]
    view = page.area.widget().findChild(TokenView)
    qtbot.mouseClick(view, LEFT, pos=view.item_box(3).center())
    texts = [each.text() for each in window.inspector.findChildren(type(page.composer.room))]
    assert any("Token 4 of 12" in text for text in texts)
    assert window.document.work is None
    page.settings.most.setValue(100_000)
    qtbot.keyClicks(page.composer.text, "More")
    qtbot.keyClick(page.composer.text, ENTER)
    assert window.document.work is not None
    assert "Generating" in window.status.words()[0]
    qtbot.waitUntil(lambda: len(page.chatting.turns[1].answer.tokens) > 3)
    window.run_command("cancel")
    qtbot.waitUntil(lambda: page.chatting.running is None)
    assert page.chatting.turns[1].answer.tokens


@pytest.mark.slow
def test_a_conversation_is_there_again_at_the_next_start(qtbot, theme, tmp_path, folder):
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)

    def started() -> MainWindow:
        made = MainWindow(theme, Workspace(settings, library=lambda: tmp_path / "library"))
        qtbot.addWidget(made)
        made.show()
        return made

    window = opened(qtbot, started(), folder)
    window.begin_session(with_files=True)
    window.run_command("tab/chat")
    chatting = window.document.chatting
    chatting.set_settings(ChatSettings(8))
    qtbot.waitUntil(lambda: chatting.ready)
    chatting.send("Hello")
    qtbot.waitUntil(lambda: chatting.running is None)
    text = chatting.last.answer.text
    window.close()
    window = started()
    window.begin_session(with_files=False)
    qtbot.waitUntil(lambda: window.document is not None and window.document.model is not None)
    chatting = window.document.chatting
    qtbot.waitUntil(lambda: bool(chatting.turns))
    assert (chatting.last.prompt, chatting.last.answer.text) == ("Hello", text)
    assert chatting.settings.max_tokens == 8
    window.close()


def test_a_text_in_preview_stops_with_what_it_has(qtbot, real_window, tmp_path):
    # Thousands of tokens fit: a text of 512 may end before the stop arrives.
    long = genai_folder(tmp_path / "long", size=DecoderSize(context=32_768))
    document = opened(qtbot, real_window, long).document
    made = list[Generated]()
    seen = list[Token]()

    def job(engine: Engine) -> Generated:
        prompt = {"input_ids": np.array([[1, 2, 3]])}
        asked = (document.path, document.model, document.spec, prompt, None, 100_000)
        return continue_text(engine, *asked, seen.append)

    document.generate_apart(job, made.append)
    qtbot.waitUntil(lambda: len(seen) > 3)
    real_window.run_command("cancel")
    qtbot.waitUntil(lambda: document.work is None)
    assert made[0].stop == "stopped"
    assert 3 < len(made[0].tokens) < 100_000
    assert document.error is None


def test_entries_of_parts_are_no_documents(qtbot, window, folder):
    opened(qtbot, window, folder)
    model = window.sidebar.list.model()
    entries = [model.index(row, 0).data(ENTRY) for row in range(model.rowCount())]
    assert [entry is not None for entry in entries] == [False, True, False, False]


def sent(qtbot: QtBot, window: MainWindow, text: str) -> Answer:
    """Return the answer to what is written in Chat."""
    window.run_command("tab/chat")
    page = window.view.tab(Tab.CHAT).page
    qtbot.waitUntil(lambda: page.chatting.speaker is not None)
    page.settings.most.setValue(6)
    page.composer.text.setPlainText(text)
    qtbot.keyClick(page.composer.text, ENTER)
    qtbot.waitUntil(lambda: page.chatting.running is None and bool(page.chatting.turns))
    return page.chatting.turns[-1].answer


def test_an_encoder_reads_each_text_by_itself(qtbot, real_window, tmp_path):
    window = opened(qtbot, real_window, encoder_decoder_folder(tmp_path / "reader"))
    first = sent(qtbot, window, "Hello")
    again = sent(qtbot, window, "Hello")
    assert first.error is None
    assert len(first.tokens) == 6
    assert [each.id for each in first.tokens] == [each.id for each in again.tokens]


def test_a_sound_is_dropped_on_a_model_that_hears_and_written_down(
    qtbot, real_window, tmp_path
):
    path = encoder_decoder_folder(tmp_path / "scribe", size=LISTENER)
    window = opened(qtbot, real_window, path)
    missing = sent(qtbot, window, str(tmp_path / "none.wav"))
    assert "no such file" in missing.error.why
    page = window.view.tab(Tab.CHAT).page
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(planted.tone(tmp_path / "tone.wav")))])
    page.drop_of(data).act()
    qtbot.waitUntil(lambda: page.chatting.running is None and len(page.chatting.turns) == 2)
    answer = page.chatting.turns[-1].answer
    assert answer.error is None
    assert len(answer.tokens) == 6
    page.chatting.go_on()
    qtbot.waitUntil(lambda: page.chatting.running is None and len(answer.tokens) > 6)


def test_a_file_that_is_a_whole_model_says_so_on_overview(qtbot, window, tmp_path):
    path = tmp_path / "gemma.litertlm"
    path.write_bytes(litert_lm_bundle())
    document = opened(qtbot, window, path).document
    qtbot.waitUntil(lambda: document.opened_folder is not None)
    assert document.opened_folder.facts.called == "Gemma 3"
    cards = window.view.tab(Tab.OVERVIEW).folder_cards.cards
    assert {"architecture", "tokenizer"} <= {*cards}


def test_a_comparison_names_folders_not_their_decoders(qtbot, window, folder, variants):
    opened(qtbot, window, folder / "model.onnx")
    other = variants / "onnx" / "model.onnx"
    opened(qtbot, window, other)
    diff = window.workspace.open_diff(folder / "model.onnx", other)
    assert folder.name in diff.name


FILES = ("model.onnx", "model.onnx.data")


def overview(qtbot, window, path) -> OverviewTab:
    document = open_in_window(qtbot, window, path)
    qtbot.waitUntil(lambda: document.opened_folder is not None)
    tab = window.findChild(OverviewTab)
    qtbot.waitUntil(lambda: tab.folder_cards is not None and bool(tab.folder_cards.cards))
    return tab


def test_the_overview_says_what_the_folder_is(qtbot, window, tmp_path):
    tab = overview(qtbot, window, genai_folder(tmp_path / "net"))
    assert tab._identity.headline.text().startswith("Language model: Llama, ")
    assert list(tab.folder_cards.cards) == [
        "architecture",
        "tokenizer",
        "stored",
        "parts",
        "memory",
    ]
    size = sum((tmp_path / "net" / name).stat().st_size for name in FILES)
    assert tab.numbers.disk.numbers == ((f"{size / 1024:.0f}", "KiB", "1 part"),)


def test_a_click_on_a_part_opens_its_graph(qtbot, window, tmp_path):
    folder = optimum_folder(tmp_path / "net")
    tab = overview(qtbot, window, folder)
    tab.folder_cards.cards["parts"].chosen.emit(str(folder / "decoder_with_past_model.onnx"))
    qtbot.waitUntil(lambda: window.document.path.name == "decoder_with_past_model.onnx")
    qtbot.waitUntil(lambda: window.document.model is not None)
    assert not window.document.is_folder


def test_what_is_wrong_with_a_folder_stands_first(qtbot, window, tmp_path):
    folder = transformers_js_folder(tmp_path / "net")
    (folder / "onnx" / "model_q4.onnx").write_bytes(b"version https://git-lfs.github.com")
    (folder / "tokenizer.json").write_text(json.dumps({"model": 3}))
    tab = overview(qtbot, window, folder)
    problems = tab.folder_cards.cards["problems"]
    assert tab.folder_cards.layout().itemAt(0).widget() is problems
    said = "\n".join(map(str, (item.value for item in problems.section.blocks[0].items)))
    assert "'onnx/model_q4.onnx' cannot be used: it is a Git LFS pointer" in said
    assert "'tokenizer.json' cannot be used" in said


@pytest.mark.parametrize("lost", ["genai_config.json", "model.onnx"])
def test_a_folder_that_cannot_be_opened_says_why_in_one_sentence(qtbot, window, tmp_path, lost):
    folder = genai_folder(tmp_path / "net")
    (folder / lost).write_bytes(b"[" * 100_000)
    with qtbot.waitSignal(window.workspace.failed) as failure:
        window.workspace.open(folder)
    (error,) = failure.args
    assert error.what.startswith("Could not open")
    assert error.why
    assert window.workspace.documents == ()
