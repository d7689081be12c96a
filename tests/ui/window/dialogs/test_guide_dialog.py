"""The user guide in the window: pages, links, search, pictures and terms, without a network."""

import tomllib
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.ui import guide
from inspector.ui.widgets.parts import label
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.dialogs import guide_dialog
from inspector.ui.window.dialogs.guide_dialog import GuideDialog
from inspector.ui.window.dialogs.help_dialogs import GlossaryDialog
from inspector.ui.window.tabs import TABS, Tab
from tests.ui.made_documents import open_in_window

ROOT = Path(__file__).parents[4]


@pytest.fixture
def dialog(qtbot: QtBot, theme: Theme) -> GuideDialog:
    made = GuideDialog(theme, None)
    qtbot.addWidget(made)
    made.visit(guide.HOME)
    made.show()
    return made


def test_each_page_of_the_contents_is_there_and_each_tab_has_one():
    paths = [page.path for page in guide.pages() if page.path]
    assert [path for path in paths if not guide.text(path)] == []
    assert {f"tabs/{tab.id}.md" for tab in TABS} <= set(paths)
    assert not any(path.startswith("adr/") for path in paths)


def test_the_wheel_takes_the_guide_along():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    taken = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert taken["docs"] == "inspector/resources/guide"
    assert taken["mkdocs.yml"] == "inspector/resources/guide/mkdocs.yml"


def test_a_link_leads_to_a_page_and_back_returns(qtbot, dialog):
    dialog.page.anchorClicked.emit(QUrl("tabs/graph.md"))
    assert "How are the layers connected" in dialog.page.toPlainText()
    dialog.page.anchorClicked.emit(QUrl("../glossary.md"))
    assert dialog.page.address == "glossary.md"
    dialog.back()
    assert dialog.page.address == "tabs/graph.md"
    qtbot.mouseClick(dialog.forward_button, Qt.MouseButton.LeftButton)
    assert dialog.page.address == "glossary.md"
    assert not dialog.forward_button.isEnabled()


def test_a_link_to_a_heading_scrolls_to_it(qtbot, dialog):
    dialog.page.anchorClicked.emit(QUrl("json.md#runspec"))
    qtbot.waitUntil(lambda: dialog.page.verticalScrollBar().value() > 500)


def test_a_web_address_goes_to_the_browser_and_no_page_leads_out_of_the_guide(
    dialog, monkeypatch
):
    opened: list[str] = []
    monkeypatch.setattr(
        guide_dialog.QDesktopServices, "openUrl", lambda url: opened.append(url.toString())
    )
    dialog.page.anchorClicked.emit(QUrl("https://example.org/x"))
    dialog.page.anchorClicked.emit(QUrl("../../../../../../etc/passwd"))
    assert opened == ["https://example.org/x"]
    assert dialog.page.address == guide.HOME


def test_search_leaves_the_pages_with_all_words_and_marks_them(qtbot, dialog):
    every = len(dialog.shown())
    qtbot.keyClicks(dialog.field, "letterbox")
    assert 0 < len(dialog.shown()) < every
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert dialog.page.address in dialog.shown()
    mark = dialog.page.extraSelections()[0]
    assert mark.cursor.selectedText().casefold() == "letterbox"
    some = dialog.shown()
    dialog.field.setText("letterbox zyxwvut")
    assert dialog.shown() == some, "no page has both words"
    dialog.field.setText("zyxwvut")
    assert dialog.none.isVisible()


def test_pictures_are_of_the_theme_and_as_wide_as_the_text(dialog, theme):
    dialog.visit("tabs/graph.md")
    kind, name = 2, QUrl("../pictures/graph-light.png")
    light = dialog.page.loadResource(kind, name)
    theme.choose("dark")
    dark = dialog.page.loadResource(kind, name)
    assert light != dark
    assert dark.deviceIndependentSize().width() <= 800


def test_f1_explains_the_tab_in_front_and_a_term_under_the_pointer(
    qtbot, window, samples, monkeypatch
):
    open_in_window(qtbot, window, samples / "digits_float32.onnx")
    window.choose_tab(Tab.WEIGHTS)
    monkeypatch.setattr(QApplication, "widgetAt", lambda _: None)
    qtbot.keyClick(window, Qt.Key.Key_F1)
    (guide_,) = window.findChildren(GuideDialog)
    assert guide_.page.address == "tabs/weights.md"
    term = label("Opset")
    qtbot.addWidget(term)
    monkeypatch.setattr(QApplication, "widgetAt", lambda _: term)
    qtbot.keyClick(window, Qt.Key.Key_F1)
    (glossary,) = window.findChildren(GlossaryDialog)
    assert 0 < glossary.shown < 10
