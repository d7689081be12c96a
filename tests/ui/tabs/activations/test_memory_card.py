"""The chart of activation memory: computed, measured, and what is alive."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inspector.backends.onnxruntime.graphs.shape_inference import infer
from inspector.platform.files import sample
from inspector.ui.documents.document import Document
from inspector.ui.tabs.activations.memory_card import MemoryCard
from inspector.ui.widgets.theme import Theme
from tests.reports import example_report
from tests.ui.made_documents import KeepingEngine, opened


class InferringEngine(KeepingEngine):
    def shapes(self, path, dimensions=(), seconds=0.0):
        return infer(path, dimensions)


@pytest.fixture
def digits(qtbot: QtBot) -> Document:
    path = sample("digits_float32.onnx")
    assert path is not None
    return opened(qtbot, path, InferringEngine())


@pytest.fixture
def card(qtbot: QtBot, theme: Theme, digits: Document) -> MemoryCard:
    made = MemoryCard(theme, digits)
    qtbot.addWidget(made)
    made.resize(1000, 300)
    made.show()
    qtbot.waitUntil(lambda: digits.estimating.estimate is not None and made.isVisible())
    return made


def listed(card: MemoryCard) -> list[str]:
    parts = range(card.tensors.item_count())
    return [card.tensors.item_name(part).partition(":")[0] for part in parts]


def test_the_peak_is_said_marked_and_listed(card, digits):
    estimate = digits.estimating.estimate
    peak = estimate.peak.layer
    assert peak is not None
    name = digits.model.layers[peak].label
    assert f"at the peak, while {name} runs" in card.summary.text()
    assert "Measure to see" in card.summary.text()
    assert listed(card) == [each.name for each in estimate.memory.at_peak]


def test_a_click_selects_the_layer_and_lists_what_is_alive(qtbot, card, digits):
    chart = card.chart
    last = len(digits.model.layers) - 1
    right = chart.box_of(str(last)).center()
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=right)
    assert digits.selection.now.layer == last
    assert "probabilities" in listed(card)
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    assert digits.selection.now.layer == last - 1


def test_measured_bytes_of_the_arena_are_drawn_beside_computed_ones(card, digits):
    report = example_report()
    layers = tuple(replace(use, arena_bytes=7 << 20) for use in report.layers)
    before = card.grab().toImage()
    digits.add_report(replace(report, layers=layers))
    assert (
        "end of each layer in the first run: up to 7.00 MiB of the arena was in use"
        in card.summary.text()
    )
    assert "Measured: 7.00 MiB" in card.chart.item_name(0)
    assert card.grab().toImage() != before
