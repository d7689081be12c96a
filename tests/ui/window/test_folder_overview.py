"""The Overview of a folder that is one model: its facts and parts, which open by a click."""

import json

import pytest

from inspector.ui.tabs.overview.tab import OverviewTab
from tests.language_folders import genai_folder, optimum_folder, transformers_js_folder

FILES = ("model.onnx", "model.onnx.data")


def overview(qtbot, window, path) -> OverviewTab:
    window.workspace.open(path)
    qtbot.waitUntil(lambda: window.document is not None and window.document.model is not None)
    document = window.document
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
