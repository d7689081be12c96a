"""What devices could run, on the Performance tab: partition, predictions, fixed axes."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from inspector.platform import settings
from inspector.report.run_spec import Dimension, RunSpec
from inspector.ui.documents.document import Document, Topic
from inspector.ui.selection import Selection
from inspector.ui.tabs.performance.report_view import ReportView
from inspector.ui.tabs.performance.tab import PerformanceTab
from inspector.ui.widgets.page_view import SectionCard
from inspector.ui.widgets.theme import Theme
from tests.reports import example_report, predicted_report

LEFT = Qt.MouseButton.LeftButton


class AskedEngine:
    """Keeps what it is asked to measure and answers with a report."""

    def __init__(self) -> None:
        self.specs: list[RunSpec] = []
        self.partial = None
        self.done = threading.Event()

    def measure(
        self, path: Path, identity: Any, spec: RunSpec, feeds: Any, *waiting: Any
    ) -> Any:
        self.specs.append(spec)
        return example_report()

    def kill(self) -> None:
        self.done.set()

    def close(self) -> None:
        self.done.set()


@pytest.fixture
def engine() -> AskedEngine:
    return AskedEngine()


@pytest.fixture
def document(qtbot: QtBot, samples: Path, engine: AskedEngine) -> Document:
    def start(tell: Callable[[Any], None]) -> Any:
        return engine

    document = Document(samples / "digits_float32.onnx", RunSpec(), start)
    with qtbot.waitSignal(document.changed(Topic.DIGEST), timeout=5000):
        document.open()
    return document


def shown(qtbot: QtBot, theme: Theme, document: Document) -> PerformanceTab:
    tab = PerformanceTab(theme, document)
    qtbot.addWidget(tab)
    tab.resize(916, 822)
    tab.show()
    return tab


@pytest.fixture
def cards(qtbot: QtBot, theme: Theme, selection: Selection) -> tuple[SectionCard, ...]:
    view = ReportView(theme, example_report(), selection)
    qtbot.addWidget(view)
    view.resize(900, 4000)
    view.show()
    return view.partitions


def test_a_click_on_a_partition_selects_its_first_layer(qtbot, cards, selection):
    (bar,) = cards[0].charts
    assert bar.item_count() == 4
    qtbot.mouseClick(bar, LEFT, pos=bar.item_box(2).center())
    assert selection.now.layer == 10
    qtbot.keyClick(bar, Qt.Key.Key_Left)
    assert selection.now.layer == 9
    assert bar.accessibleDescription().startswith("CPU: 1 layer from #9")


def test_a_click_on_a_crossing_selects_the_layer_it_leads_to(qtbot, cards, selection):
    table = cards[1].table
    rows = table.rows
    texts = [rows.text(1, column) for column in rows.columns]
    assert texts[1:] == ["CPU → WebGPU", "128 B", "21.8 µs"]
    place = table.visualRect(rows.index(1, 0)).center()
    qtbot.mouseClick(table.viewport(), LEFT, pos=place)
    assert selection.now.layer == 10


def test_the_partition_is_shown_only_when_there_is_one(qtbot, theme):
    alone = example_report(layers=example_report().layers[:1], inserted=())
    view = ReportView(theme, alone, Selection())
    qtbot.addWidget(view)
    assert not view.partitions


def test_ticked_devices_go_into_the_spec(qtbot, theme, document):
    tab = shown(qtbot, theme, document)
    field = tab.settings.fields.own["predict"]
    assert field.text().strip() == "None"
    field.actions_by_id["coreml"].trigger()
    field.actions_by_id["cuda"].trigger()
    assert document.spec.predict == ("cuda", "coreml")
    assert field.text().strip() == "CUDA, Core ML"
    document.set_spec(predict=("cuda", "qnn", "nnapi"))
    assert field.text().strip() == "3 devices"
    assert field.actions_by_id["qnn"].isChecked()
    assert not field.actions_by_id["coreml"].isChecked()


def test_rules_of_an_own_device_are_added_from_the_menu(
    qtbot, theme, document, tmp_path, monkeypatch
):
    own, chosen, told = tmp_path / "devices", tmp_path / "chip.json", []
    monkeypatch.setattr(settings, "devices_folder", lambda: own)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(chosen), ""))
    monkeypatch.setattr(QMessageBox, "warning", lambda *texts: told.append(texts[-1]))
    tab = shown(qtbot, theme, document)
    field = tab.settings.fields.own["predict"]
    chosen.write_text("{}")
    field.add.trigger()
    assert "it has no rules of devices" in told[0]
    rules = [{"operators": ["Conv"]}]
    chosen.write_text(json.dumps({"devices": {"my-chip": {"name": "My chip"}}, "rules": rules}))
    field.add.trigger()
    assert field.actions_by_id["my-chip"].isChecked()
    assert document.spec.predict == ("my-chip",)
    assert [path.name for path in own.iterdir()] == ["chip.json"]


def test_free_axes_are_fixed_and_asked_again_with_one_click(qtbot, theme, document, engine):
    tab = shown(qtbot, theme, document)
    assert tab.axes.isHidden()
    document.add_report(predicted_report())
    assert tab.axes.isVisible()
    assert tab.axes.message.text() == (
        "1 layer is not supported on a device because of dynamic axes (batch)."
    )
    with qtbot.waitSignal(document.report_added, timeout=5000):
        qtbot.mouseClick(tab.axes.again, LEFT)
    assert engine.specs[-1].dimensions == (Dimension("batch", 1),)
    assert tab.axes.isHidden()


def test_a_predicted_device_has_a_column_that_says_so(qtbot, theme, document):
    tab = shown(qtbot, theme, document)
    document.add_report(predicted_report())
    model = tab.report_view.layers.model
    place = model.place("mark cuda")
    head = Qt.Orientation.Horizontal
    assert model.headerData(place, head, Qt.ItemDataRole.DisplayRole) == "CUDA"
    tooltip = model.headerData(place, head, Qt.ItemDataRole.ToolTipRole)
    assert "estimated from a table, 1 of 2026" in tooltip
