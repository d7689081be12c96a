"""Who opens a model, asked for with a button in the Overview."""

from pathlib import Path
from typing import Any

import pytest
from onnx import helper
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from inspector.backends.onnxruntime.sessions.compatibility_check import check_compatibility
from inspector.engine.requests import OpenWith
from inspector.errors import Cancelled, EngineDied
from inspector.report.compatibility import (
    CHECKER,
    LOADER,
    PROGRAMS,
    READER,
)
from inspector.ui.documents.document import Document
from inspector.ui.tabs.overview.cards import CompatibilityCard, IdentityCard, VerdictLine
from inspector.ui.tabs.overview.tab import OverviewTab
from inspector.ui.widgets.theme import Theme
from tests.formats.build import model, save
from tests.ui.made_documents import KeepingEngine, opened

LEFT = Qt.MouseButton.LeftButton


class OpeningEngine(KeepingEngine):
    """Opens in this process; `slow` is the program that waits for the gate."""

    slow = ""
    libraries: tuple[str, ...] = ()
    problem: Exception | None = None

    def call(self, request: Any) -> Any:
        assert isinstance(request, OpenWith)
        self.libraries = request.libraries
        if self.problem is not None:
            raise self.problem
        if request.program == self.slow:
            self.wait()
        return check_compatibility(request.program, request.model)

    def wait(self) -> None:
        assert self.gate.wait(60)
        if self.killed:
            raise Cancelled("Stopped")


@pytest.fixture
def engine() -> OpeningEngine:
    return OpeningEngine()


@pytest.fixture
def odd(qtbot: QtBot, tmp_path: Path, engine: OpeningEngine) -> Document:
    """A model that the checker alone refuses."""
    proto = model([helper.make_node("Relu", ["x"], ["y"])], [])
    proto.graph.name = ""
    return opened(qtbot, save(proto, tmp_path / "m.onnx"), engine)


def card(qtbot: QtBot, theme: Theme, document: Document) -> CompatibilityCard:
    made = CompatibilityCard(theme, document.verdicts)
    qtbot.addWidget(made)
    made.resize(420, 300)
    made.show()
    return made


def words(made: CompatibilityCard) -> list[str]:
    return [line.accessibleName() for line in made.findChildren(VerdictLine)]


def test_nobody_is_asked_before_the_button_is_pressed(qtbot, theme, odd):
    made = card(qtbot, theme, odd)
    assert words(made) == []
    assert made.ask.isVisible()
    assert not made.stop.isVisible()
    assert not odd.verdicts.asking


def test_a_click_tells_who_refuses_and_why(qtbot, theme, odd, engine):
    odd.set_spec(custom_ops=("/lib/ops.so",))
    made = card(qtbot, theme, odd)
    qtbot.mouseClick(made.ask, LEFT)
    qtbot.waitUntil(lambda: not odd.verdicts.asking)
    said = words(made)
    assert [line.partition(" opens")[0] for line in said][:2] == [READER, LOADER]
    assert said[2].startswith(f"{CHECKER} refuses. Field 'name' of 'graph'")
    shown = [each.text() for each in made.findChildren(QLabel)]
    assert any("Field 'name' of 'graph' is required" in text for text in shown)
    assert "onnx.checker" in made.told.text()
    qtbot.mouseClick(made.ask, LEFT)
    qtbot.waitUntil(lambda: not odd.verdicts.asking)
    assert len(odd.verdicts.found) == len(PROGRAMS)
    assert engine.libraries == ("/lib/ops.so",)


def test_answers_so_far_stay_when_one_is_stopped(qtbot, theme, odd, engine):
    made = card(qtbot, theme, odd)
    engine.slow = CHECKER
    engine.gate.clear()
    qtbot.mouseClick(made.ask, LEFT)
    qtbot.waitUntil(lambda: len(odd.verdicts.found) == 2)
    assert made.told.text() == f"Checking {CHECKER}…"
    qtbot.mouseClick(made.stop, LEFT)
    qtbot.waitUntil(lambda: not odd.verdicts.asking)
    assert len(words(made)) == 2
    assert made.told.text() == "Canceled before all checks were done."


def test_an_engine_that_does_not_start_is_told_of(qtbot, theme, odd, engine):
    engine.problem = EngineDied("Could not start the engine", "there is no room")
    made = card(qtbot, theme, odd)
    qtbot.mouseClick(made.ask, LEFT)
    qtbot.waitUntil(lambda: not odd.verdicts.asking)
    assert made.told.text() == "Could not start the engine: there is no room"


def test_the_overview_has_the_card_and_a_closed_document_is_quiet(qtbot, theme, odd, engine):
    tab = OverviewTab(theme, odd)
    qtbot.addWidget(tab)
    made = tab.findChild(CompatibilityCard)
    assert made is not None
    engine.slow = READER
    engine.gate.clear()
    odd.verdicts.ask()
    odd.close()
    assert engine.killed
    assert odd.verdicts.found == ()


def test_the_headline_says_whether_the_file_is_valid(qtbot, theme, odd, tmp_path, engine):
    tab = OverviewTab(theme, odd)
    qtbot.addWidget(tab)
    tab.resize(1200, 900)
    tab.show()
    qtbot.waitUntil(lambda: tab.findChild(IdentityCard) is not None)
    row = tab.findChild(IdentityCard).validity
    qtbot.waitUntil(row.ask.isVisible)
    assert row.statement.text() == "Valid?"
    qtbot.mouseClick(row.ask, LEFT)
    qtbot.waitUntil(lambda: not odd.verdicts.asking)
    assert row.statement.text() == "Loads, but is not valid"
    assert row.reason.text().startswith(f"{CHECKER}: Field 'name' of 'graph' is required")


def test_a_model_that_all_load_is_valid(qtbot, theme, engine, samples):
    document = opened(qtbot, samples / "digits_float32.onnx", engine)
    tab = OverviewTab(theme, document)
    qtbot.addWidget(tab)
    tab.show()
    qtbot.waitUntil(lambda: tab.findChild(IdentityCard) is not None)
    row = tab.findChild(IdentityCard).validity
    document.verdicts.ask()
    qtbot.waitUntil(lambda: not document.verdicts.asking)
    assert row.statement.text() == "Valid"
    assert "ONNX Runtime" in row.reason.text()
