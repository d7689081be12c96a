import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inspector.ui.tabs.preview.inputs.map_editor import MapEditor
from inspector.ui.tabs.preview.tab import PreviewTab
from inspector.ui.widgets.theme import Theme
from tests.preview.inputs.test_mapping import vectorizer
from tests.ui.made_documents import KeepingEngine, opened
from tests.ui.tabs.preview import tabs


@pytest.fixture
def tab(qtbot: QtBot, theme: Theme, tmp_path: Path, engine: KeepingEngine) -> PreviewTab:
    path = vectorizer(tmp_path / "vectorizer.onnx")
    return tabs.answered(qtbot, theme, opened(qtbot, path, engine))


def editor(tab: PreviewTab) -> MapEditor:
    found = tab.inputs.editors["x"].map
    assert found is not None
    return found


def fed(engine: KeepingEngine) -> dict[str, float]:
    keys, values = engine.asked[-1][1]["x"]
    return dict(zip(keys.tolist(), values.tolist(), strict=True))


def test_the_rows_begin_with_the_keys_that_the_model_knows(qtbot, tab, engine):
    rows = editor(tab).table.rows
    assert fed(engine) == {"a": 0, "b": 0, "c": 0}
    with qtbot.waitSignal(tab.predicting.answered):
        assert rows.setData(rows.index(1, 1), "2.5")
    assert fed(engine) == {"a": 0, "b": 2.5, "c": 0}
    with qtbot.waitSignal(tab.predicting.answered):
        assert rows.setData(rows.index(3, 0), "d")
    assert fed(engine) == {"a": 0, "b": 2.5, "c": 0, "d": 0}
    editor(tab).table.setCurrentIndex(rows.index(0, 0))
    with qtbot.waitSignal(tab.predicting.answered):
        qtbot.keyClick(editor(tab).table, Qt.Key.Key_Delete)
    assert "a" not in fed(engine)


def test_a_value_that_is_none_is_refused_and_the_rows_stay(qtbot, tab, engine):
    rows = editor(tab).table.rows
    asked = len(engine.asked)
    with qtbot.waitSignal(tab.predicting.refused):
        rows.setData(rows.index(0, 1), "much")
    assert len(engine.asked) == asked
    assert rows.rows[0] == ["a", "much"]
    rows.setData(rows.index(1, 0), "a")
    assert "'a' appears twice" in editor(tab).problem.text()


def test_a_json_file_fills_the_rows(qtbot, tab, engine, tmp_path):
    (tmp_path / "m.json").write_text(json.dumps({"c": 0.1, "z": 3}))
    with qtbot.waitSignal(tab.predicting.answered):
        tab.inputs.use_file("x", tmp_path / "m.json")
    assert editor(tab).table.rows.rows == [["c", "0.1"], ["z", "3.0"]]
    assert fed(engine)["z"] == 3
    (tmp_path / "m.json").write_text("[1, 2]")
    tab.inputs.use_file("x", tmp_path / "m.json")
    assert "not a JSON object" in editor(tab).problem.text()
