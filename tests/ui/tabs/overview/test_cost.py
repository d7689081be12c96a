"""Cost and structure in the Overview and beside the selected layer."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from inspector.analysis.facts.shapes import Shapes
from inspector.backends.onnxruntime.graphs.shape_inference import infer
from inspector.errors import EngineDied, EngineFailed
from inspector.report.run_spec import Dimension
from inspector.ui.documents.document import Document
from inspector.ui.tabs.overview.cards import MACS, MOVED, OPERATIONS, PEAK, CostCard
from inspector.ui.tabs.overview.device_card import DeviceCard
from inspector.ui.tabs.overview.structure_card import LINE, ScopeTree, StructureCard
from inspector.ui.tabs.overview.tab import OverviewTab
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.inspector_pane import InspectorPane
from tests.ui.made_documents import KeepingEngine, opened

LEFT = Qt.MouseButton.LeftButton


class InferringEngine(KeepingEngine):
    """Infers in this process; keeps the lengths it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.lengths: list[Mapping[str, int]] = []
        self.problem: Exception | None = None

    def shapes(
        self, path: Path, dimensions: tuple[Dimension, ...] = (), seconds: float = 10.0
    ) -> Shapes:
        self.lengths.append({each.name: each.size for each in dimensions})
        if self.problem is not None:
            raise self.problem
        return infer(path, dimensions)


@pytest.fixture
def engine() -> InferringEngine:
    return InferringEngine()


@pytest.fixture
def digits(qtbot: QtBot, samples: Path, engine: InferringEngine) -> Document:
    return opened(qtbot, samples / "digits_float32.onnx", engine)


def overview(qtbot: QtBot, theme: Theme, document: Document) -> OverviewTab:
    with qtbot.waitSignal(document.estimating.changed):
        tab = OverviewTab(theme, document)
        qtbot.addWidget(tab)
        tab.resize(916, 822)
        tab.show()
    return tab


def part(tab: QWidget, kind: type[Any]) -> Any:
    found = tab.findChild(kind)
    assert found is not None
    return found


def test_the_cost_card_shows_numbers_and_formulas(qtbot, theme, digits):
    tab = overview(qtbot, theme, digits)
    card = part(tab, CostCard)
    assert card.values[MACS].value.text() == "457 k"
    assert card.values[MACS].formula.text() == "457 k × batch"
    assert card.values[PEAK].value.text() == "12.2 to 14.1 KiB"
    assert card.note.text() == "Estimated from the tensor shapes, not measured."


def test_another_length_recomputes_without_an_inference(qtbot, theme, digits, engine):
    tab = overview(qtbot, theme, digits)
    card = part(tab, CostCard)
    field = card.fields["batch"]
    with qtbot.waitSignal(digits.estimating.changed):
        field.selectAll()
        qtbot.keyClicks(field, "10")
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert card.values[MACS].value.text() == "4.57 M"
    assert engine.lengths == [{}]


def test_where_symbols_do_not_do_another_length_infers_again(qtbot, theme, samples, engine):
    document = opened(qtbot, samples / "sharpen_float16.onnx", engine)
    tab = overview(qtbot, theme, document)
    card = part(tab, CostCard)
    assert (card.values[MACS].value.text(), card.values[MACS].formula.text()) == ("3.76 M", "")
    with qtbot.waitSignal(document.estimating.changed):
        card.fields["height"].setValue(448)
    assert card.values[MACS].value.text() == "7.53 M"
    assert engine.lengths[-1] == {"height": 448, "width": 224}


def test_an_inference_that_fails_is_a_sentence_on_the_card(qtbot, theme, digits, engine):
    engine.problem = EngineDied("Could not infer the shapes", "it took too long")
    tab = overview(qtbot, theme, digits)
    card = part(tab, CostCard)
    assert card.values[MACS].value.text() == "unknown"
    assert card.note.text().startswith("Could not infer the shapes: it took too long.")
    assert "Unknown for 4 layers: 3 Conv, 1 Gemm." in card.note.text()


def test_sums_over_values_of_unknown_size_say_that_they_are_lower_bounds(
    qtbot, theme, digits, engine
):
    engine.problem = EngineDied("Could not infer the shapes", "it took too long")
    tab = overview(qtbot, theme, digits)
    values = part(tab, CostCard).values
    assert values[PEAK].value.text().startswith("at least ")
    assert values[MOVED].value.text() == "unknown"
    assert values[OPERATIONS].value.text() == "at least 50"


def test_the_list_of_layers_gains_shapes_and_multiply_adds(qtbot, theme, digits):
    tab = overview(qtbot, theme, digits)
    rows, table = tab.layers.model, tab.layers.table
    assert not table.isColumnHidden(rows.place("macs"))
    conv = next(
        i for i in range(rows.rowCount()) if rows.text(i, rows.column("operator")) == "Conv"
    )
    assert rows.text(conv, rows.column("outputs")) == "float32 batch×16×8×8"
    assert rows.text(conv, rows.column("macs")) == "9,216"
    assert rows.text(conv + 1, rows.column("macs")) == ""
    digits.selection.choose(layer=conv, span=3)
    rows.turn(rows.place("macs"))
    assert [rows.text(row, rows.column("macs")) for row in (0, 2, 3)] == [
        "295 k",
        "9,216",
        "5,120",
    ]
    assert table.currentIndex().row() == rows.row_at(conv)
    assert digits.selection.now.span == 3, "following is no choice of its own"


def test_a_click_on_a_scope_shows_its_layers(qtbot, theme, digits):
    tab = overview(qtbot, theme, digits)
    tree = part(tab, ScopeTree)
    place = [row.scope.path for row in tree.rows].index("block1")
    qtbot.mouseClick(tree, LEFT, pos=QPoint(60, place * LINE + LINE // 2))
    assert tab.layers.filter.text() == "block1"
    assert tab.layers.model.rowCount() == len(tree.rows[place].scope.layers)


def test_the_tree_of_scopes_works_from_the_keyboard(qtbot, theme, shared, engine):
    document = opened(qtbot, shared / "real" / "silero_vad_op16_if.onnx", engine)
    tab = overview(qtbot, theme, document)
    tree = part(tab, ScopeTree)
    before = len(tree.rows)
    heard: list[str] = []
    tree.chosen.connect(heard.append)
    first = next(i for i, row in enumerate(tree.rows) if row.scope.children)
    for _ in range(first):
        qtbot.keyClick(tree, Qt.Key.Key_Down)
    qtbot.keyClick(tree, Qt.Key.Key_Right)
    assert len(tree.rows) > before
    qtbot.keyClick(tree, Qt.Key.Key_Return)
    assert heard == [tree.rows[first].scope.path]
    qtbot.keyClick(tree, Qt.Key.Key_Left)
    assert len(tree.rows) == before


def test_names_without_scopes_show_no_structure(qtbot, theme, shared, engine):
    path = shared / "real" / "superres_pytorch_opset15.onnx"
    tab = overview(qtbot, theme, opened(qtbot, path, engine))
    assert part(tab, StructureCard).isHidden()


def test_the_precision_card_tells_casts_at_the_edges(qtbot, theme, samples, engine):
    document = opened(qtbot, samples / "digits_float16.onnx", engine)
    tab = overview(qtbot, theme, document)
    words = [each.text() for each in tab.precision.findChildren(QLabel)]
    assert "float16 inside the model, float32 outside: 2 casts per run" in words


def test_the_pane_shows_the_cost_of_the_selected_layer(qtbot, theme, digits):
    pane = InspectorPane(theme)
    qtbot.addWidget(pane)
    pane.show_document(digits)
    conv = next(layer.index for layer in digits.model.layers if layer.operator == "Conv")
    with qtbot.waitSignal(digits.estimating.changed):
        digits.selection.choose(layer=conv)
    words = [each.text() for each in pane.findChildren(QLabel)]
    assert words[words.index("MACs") + 1] == "9,216"
    assert words[words.index("Memory traffic") + 1] == "4.81 KiB"
    assert "batch×16×8×8  float32" in words


def test_devices_that_are_not_here_are_estimated_again_for_other_lengths(qtbot, theme, digits):
    tab = overview(qtbot, theme, digits)
    devices = part(tab, DeviceCard)

    def cells(key: str) -> list[str]:
        table = devices.card.table if devices.card is not None else None
        if table is None:
            return []
        rows = table.rows
        return [rows.text(row, rows.column(key)) for row in range(rows.rowCount())]

    qtbot.waitUntil(lambda: "Raspberry Pi 5, CPU with 4 threads" in cells("device"))
    one = cells("latency")
    digits.estimating.set_length("batch", 8)
    qtbot.waitUntil(lambda: cells("latency") not in ([], one))
    assert "fits" in cells("fits")
    digits.failed.emit(EngineFailed("Could not load it", "strides are 0", "", phase="load"))
    assert "fits if it loads" in cells("fits")
    assert "fits" not in cells("fits"), "nobody can run what does not load"
