"""Two language models judged by a text, beside their layers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inspector.report.language.quality import QualityLevel
from inspector.ui.documents.diff_document import ComparedModel, DiffDocument
from inspector.ui.tabs.diff.view import DiffView
from inspector.ui.widgets.theme import Theme
from sample_models.making.decoder import Form
from tests import language_folders

pytestmark = pytest.mark.engine
LEFT = Qt.MouseButton.LeftButton
WORDS = "Alice was beginning to get very tired of sitting by her sister on the bank. "


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("pair")
    language_folders.genai_folder(made / "float")
    language_folders.genai_folder(made / "int4", Form("int4"))
    (made / "text.txt").write_text(20 * WORDS, "utf-8")
    return made


def document_of(first: Path, other: Path) -> DiffDocument:
    return DiffDocument(ComparedModel(first), ComparedModel(other))


@pytest.fixture
def view(qtbot: QtBot, theme: Theme, folder: Path) -> Iterator[DiffView]:
    document = document_of(folder / "float" / "model.onnx", folder / "int4" / "model.onnx")
    made = shown(qtbot, theme, document)
    yield made
    document.close()


def shown(qtbot: QtBot, theme: Theme, document: DiffDocument) -> DiffView:
    view = DiffView(theme, document)
    qtbot.addWidget(view)
    view.resize(1100, 700)
    view.show()
    with qtbot.waitSignal(view.compared):
        document.compare()
    return view


def test_a_click_judges_the_small_one_and_the_session_keeps_it(qtbot, theme, view, folder):
    assert view.views.isVisible()
    view.views.choose(1)
    page = view.text_view
    assert page.isVisible()
    assert not view.content.isVisible()
    assert not view.changes_button.isVisible(), "it opens a list of layers"
    page.use_text(folder / "text.txt")
    qtbot.mouseClick(page.rank, LEFT, pos=page.rank.rect().center())
    qtbot.mouseClick(page.judge, LEFT)
    assert page.progress.cancel.isVisible()
    qtbot.waitUntil(lambda: not view.judging.running)
    quality = view.judging.quality
    assert view.judging.error is None
    assert quality.text == "text.txt"
    assert quality.level in QualityLevel
    assert {part.name for part in quality.parts} >= {"model.layers.0", "model.layers.1"}
    assert page.title.text() == quality.verdict
    assert page.page.page.title.values["other"].text == quality.against
    again = document_of(*(side.path for side in view.document.sides))
    again.restore_results(view.document.saved_results())
    assert again.results.quality == quality
    restored = shown(qtbot, theme, again)
    restored.views.choose(1)
    assert restored.text_view.title.text() == quality.verdict
    again.close()


def test_why_a_text_cannot_be_judged_is_one_sentence(qtbot, view, tmp_path):
    view.views.choose(1)
    short = tmp_path / "short.txt"
    short.write_text("Alice.")
    view.text_view.use_text(short)
    qtbot.mouseClick(view.text_view.judge, LEFT)
    qtbot.waitUntil(lambda: not view.judging.running)
    assert view.text_view.failure.isVisible()
    assert "window" in view.text_view.failure.why.text()
    assert view.text_view.judge.isVisible()


def test_other_models_have_no_text(qtbot, theme, samples):
    pair = samples / "digits_float32.onnx", samples / "digits_float16.onnx"
    document = document_of(*pair)
    assert not shown(qtbot, theme, document).views.isVisible()
    document.close()
